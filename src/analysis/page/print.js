// All games on paper: each with its summary, chart, moves and the boards of its moments.

/** Prints the games, of one player if there is a name. */
function printAll(games, player) {
  const chosen = games.filter((game) => game.plies && (!player || COLORS.some((color) => game.nameOf(color) === player)));
  const sheets = element("div", { class: "sheets" }, chosen.map(sheet));
  document.body.append(sheets);
  document.body.classList.add("printing");
  const done = () => {
    sheets.remove();
    document.body.classList.remove("printing");
  };
  window.addEventListener("afterprint", done, { once: true });
  window.print();
}

function sheet(game) {
  const header = gameHeader(game, { games: [] });
  header.querySelector("#game-title").removeAttribute("id");
  return element("article", { class: "sheet" }, header, overview(game, () => {}),
    element("div", { class: "chart" }, chancesPicture(game, 860, game.views[0])), element("p", { class: "printed-moves" }, printedMoves(game)),
    element("div", { class: "printed-moments" }, game.moments.map((moment) => element("figure", {},
      drawBoard(game.boards[moment.ply - 1], { flipped: !game.isWhiteMove(moment.ply), last: null, arrows: badMoveArrows(game, moment.ply) }),
      element("figcaption", {}, element("span", {}, sentence(moment.text)))))));
}

function printedMoves(game) {
  return game.sans.flatMap((san, index) => {
    const ply = index + 1;
    const move = game.analysis[index];
    const text = game.isWhiteMove(ply) || index === 0 ? game.moveText(ply) : san + sign(move);
    return [move.judgment || move.sacrifice ? element("b", {}, text) : text, " "];
  });
}
