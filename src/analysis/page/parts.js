// Parts of the view of a game: header, players, moves, lines, moments, summary.

function gameHeader(game, options) {
  const result = game.result === "1/2-1/2" ? "½–½" : game.result.replace("-", "–");
  const link = (index, text, label) => options.games[index] && element("a", { href: `#g${index + 1}`, "aria-label": label, title: label }, text);
  const around = options.games.length > 1 && element("nav", { class: "around", "aria-label": "Other games" },
    link(game.index - 1, "‹", "The one before"), link(game.index + 1, "›", "The next one"));
  return element("header", { class: "game" },
    element("h2", { id: "game-title" }, game.title, game.plies > 0 && element("span", { class: "result" }, result)),
    element("p", {}, game.plies > 0 ? game.occasion : game.initialFen), around);
}

function playerLine(game, color) {
  const { rating } = game.players[color];
  if (game.plies === 0) return element("p", { class: `player ${color}` }, color === "white" ? "White" : "Black");
  return element("p", { class: `player ${color}` }, element("i", {}), element("b", {}, game.nameOf(color)),
    rating && element("span", { class: "rating" }, String(rating)), element("span", { class: "clock-face", "data-clock": color }));
}

/** The moves, as buttons with one place in the order of the keyboard. */
function moveList(game, goTo) {
  const list = element("div", { class: "moves", role: "group", "aria-label": "Moves of the game" });
  const buttons = game.sans.map((san, index) => {
    const move = game.analysis[index];
    const ply = index + 1;
    if (game.isWhiteMove(ply) || index === 0) {
      list.append(element("span", { class: "number" }, `${game.numberOf(ply)}.`));
      if (!game.isWhiteMove(ply)) list.append(element("span", { class: "empty" }, "…"));
    }
    const kind = move.judgment ? move.judgment.name.toLowerCase() : "";
    const loss = move.lost.total >= 0.03 ? element("small", {}, `−${points(move.lost.total)}`) : null;
    const label = `${game.moveText(ply)}${move.judgment ? `, ${move.judgment.name}, lost ${points(move.lost.total)}` : ""}`;
    const button = element("button", { type: "button", class: kind, tabindex: -1, "aria-label": label, onclick: () => goTo(ply) },
      element("span", {}, san + sign(move.judgment)), loss);
    list.append(button);
    return button;
  });
  list.mark = (ply) => {
    buttons.forEach((button, index) => {
      const isCurrent = index + 1 === ply;
      button.tabIndex = isCurrent || (ply === 0 && index === 0) ? 0 : -1;
      if (isCurrent) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    const current = buttons[ply - 1];
    if (!current) list.scrollTop = 0;
    else if (list.scrollHeight > list.clientHeight) {
      list.scrollTop = current.offsetTop - list.clientHeight / 2;
    }
    if (current && list.contains(document.activeElement)) current.focus({ preventScroll: true });
  };
  return list;
}

/** The best lines of the position that is shown. */
function lineList(view) {
  const { game, ply, line } = view;
  const base = line ? line.base : ply;
  const lines = line && !game.positions[base].lines.some((known) => known.san === line.san) ? [line] : game.positions[base].lines;
  if (!lines.length) return [];
  const rows = lines.map((known) => element("li", {},
    element("span", { class: "score" }, evaluation(known)), chancesBar(known.wdl), playableLine(view, base, known, 16)));
  return [element("h3", {}, "Best play"), element("ol", {}, rows)];
}

/** A line whose moves are buttons that play it on the board. */
function playableLine(view, base, line, most) {
  const { game } = view;
  const shown = element("span", { class: "line" });
  line.san.split(" ").slice(0, most).forEach((san, index) => {
    const ply = base + index + 1;
    const isShown = view.line?.base === base && view.line.san === line.san && view.line.count === index + 1;
    const text = game.isWhiteMove(ply) || index === 0 ? game.withNumber(ply, san) : san;
    shown.append(element("button", {
      type: "button", "aria-current": isShown ? "true" : null,
      onclick: () => {
        view.playLine(base, line, index + 1);
        view.section.querySelector(".lines [aria-current]")?.focus();
      },
    }, text), " ");
  });
  return shown;
}

function momentList(game, goTo) {
  const rows = game.moments.map((moment) =>
    element("li", {}, element("button", { type: "button", onclick: () => goTo(moment.ply) }, moment.text)));
  const content = rows.length ? element("ol", {}, rows) : element("p", {}, "No move lost as much as an inaccuracy.");
  return element("section", { class: "moments", "aria-label": "Moments that decided the game" }, element("h3", {}, "Moments that decided the game"), content);
}

function summary(game) {
  const both = (name, value) => element("tr", {}, element("th", { scope: "row" }, name),
    ["white", "black"].map((color) => element("td", {}, value(game.players[color].analysis))));
  const group = (name) => element("tr", { class: "group" }, element("th", { scope: "rowgroup", colspan: 3 }, name));
  const phases = ["opening", "middlegame", "endgame"];
  const table = element("table", {},
    element("caption", {}, "Summary"),
    element("thead", {}, element("tr", {}, element("td", {}),
      ["white", "black"].map((color) => element("th", { scope: "col" }, game.nameOf(color))))),
    element("tbody", {},
      both("Expected points lost", (sum) => element("b", {}, points(sum.lost.total))),
      both("from wins to draws", (sum) => points(sum.lost.winToDraw)),
      both("from draws to losses", (sum) => points(sum.lost.drawToLoss)),
      both("from wins to losses", (sum) => points(sum.lost.winToLoss))),
    element("tbody", {}, group("Lost in moves of each phase"),
      phases.map((name, phase) => both(name, (sum) => (sum.moves[phase] ? `${points(sum.phases[phase].total)} in ${sum.moves[phase]}` : "–")))),
    element("tbody", {}, group("Moves"),
      both("inaccuracies", (sum) => String(sum.inaccuracy)), both("mistakes", (sum) => String(sum.mistake)), both("blunders", (sum) => String(sum.blunder))),
    element("tbody", {}, group("As lichess counts"),
      both("accuracy", (sum) => (sum.accuracy == null ? "–" : `${sum.accuracy.toFixed(1)} %`)),
      both("centipawns lost a move", (sum) => (sum.acpl == null ? "–" : String(sum.acpl)))));
  return element("section", { class: "summary", "aria-label": "Summary" }, table);
}

function explanation(game) {
  return element("p", { class: "explanation" },
    `Chances are for ${game.wdlFor}. Each position was searched with ${game.limits}. `,
    game.plies > 0 && "Arrows: green for the best move, blue for the move played. Keys: ← → moves, Home and End, N next bad move, F flips, Esc leaves a line.");
}
