// Parts of the view of a game: players, moves, lines, moments, summary.

function playerLine(game, color) {
  const { rating } = game.players[color];
  if (game.isPosition) return element("p", { class: `player ${color}` }, color === "white" ? "White" : "Black");
  return element("p", { class: `player ${color}` }, element("i", {}), element("b", {}, bdi(game.nameOf(color))),
    rating && element("span", { class: "rating" }, String(rating)), element("span", { class: "clock-face", "data-clock": color }));
}

/** The moves, as buttons with one place in the order of the keyboard. */
function moveList(game, goTo) {
  const list = element("div", { class: "moves", role: "group", "aria-label": "Moves of the game" });
  const losses = [];
  const buttons = game.sans.map((san, index) => {
    const move = game.analysis[index];
    const ply = index + 1;
    if (game.isWhiteMove(ply) || index === 0) {
      list.append(element("span", { class: "number" }, `${game.numberOf(ply)}.`));
      if (!game.isWhiteMove(ply)) list.append(element("span", { class: "empty" }, "…"));
    }
    const kind = move.judgment ? move.judgment.name.toLowerCase() : "";
    const loss = element("small");
    losses.push(loss);
    const remark = game.remarkAt(ply);
    const label = `${game.moveText(ply)}${move.judgment ? `, ${move.judgment.name}, lost ${points(move.lost.total)}` : move.sacrifice ? ", sound sacrifice" : ""}${remark ? ", with a remark" : ""}`;
    const button = element("button", { type: "button", class: kind, tabindex: -1, "aria-label": label, onclick: () => goTo(ply) },
      element("span", {}, san + sign(move), remark && element("i", { class: "remarked" }, " ✎")), loss);
    list.append(button);
    return button;
  });
  list.showLosses = (view) => losses.forEach((loss, index) => {
    const lost = game.lostIn(index + 1, view);
    loss.textContent = lost >= 0.03 ? `−${points(lost)}` : "";
  });
  list.mark = (ply) => {
    buttons.forEach((button, index) => {
      const isCurrent = index + 1 === ply;
      button.tabIndex = isCurrent || (ply === 0 && index === 0) ? 0 : -1;
      if (isCurrent) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    const current = buttons[ply - 1];
    keepInView(list, current);
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
    element("span", { class: "score" }, evaluation(known)), chancesBar(game.chancesOfLine(base, known, view.key)), playableLine(view, base, known, 16)));
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
    if (index) shown.append(" ");
    shown.append(element("button", {
      type: "button", "aria-current": isShown ? "true" : null,
      onclick: () => {
        view.playLine(base, line, index + 1);
        view.section.querySelector(".lines [aria-current]")?.focus();
      },
    }, text));
  });
  return shown;
}

/** Arrows of a bad move: what was better, and what was played. */
function badMoveArrows(game, ply) {
  const better = game.analysis[ply - 1].best;
  return [better && { uci: better, kind: "best" }, { uci: game.analysis[ply - 1].uci, kind: "worse" }].filter(Boolean);
}

/** Comments and variations of the file at a ply. */
function remarkParts(game, ply) {
  const { comments = [], variations = [] } = game.remarkAt(ply) ?? {};
  return [
    ...comments.map((text) => element("p", { class: "remark" }, bdi(text))),
    ...variations.map((text) => element("p", { class: "remark" }, "Variation: ", bdi(text))),
  ];
}

/** Expected points lost, and where they went. */
function lossText(lost) {
  const parts = [["winToDraw", "from wins to draws"], ["drawToLoss", "from draws to losses"], ["winToLoss", "from wins to losses"]];
  const told = parts.filter(([name]) => lost[name] >= 0.005).map(([name, text]) => `${points(lost[name])} ${text}`);
  return `lost ${points(lost.total)} expected points${told.length ? `, ${told.join(", ")}` : ""}`;
}

/** A sentence of the report, in which names from right to left keep to themselves. */
function sentence(text) {
  return text.split(/(\u2068[^\u2069]*\u2069)/).map((part) =>
    (part.startsWith("\u2068") ? bdi(part.slice(1, -1)) : unbroken(plain(part))));
}

function momentList(game, goTo) {
  const title = game.momentsAre === "worst" ? "The worst moves" : "Moments that decided the game";
  const rows = game.moments.map((moment) =>
    element("li", {}, element("button", { type: "button", onclick: () => goTo(moment.ply) }, sentence(moment.text))));
  const content = rows.length ? element("ol", {}, rows) : element("p", {}, "No move lost as much as an inaccuracy.");
  return element("section", { class: "moments", "aria-label": title }, element("h3", {}, title), content);
}

function summary(game) {
  const both = (name, value) => element("tr", {}, element("th", { scope: "row" }, name),
    COLORS.map((color) => element("td", {}, value(game.players[color].analysis))));
  const group = (name) => element("tr", { class: "group" }, element("th", { scope: "rowgroup", colspan: 3 }, name));
  const table = element("table", {},
    element("caption", {}, "Summary"),
    element("thead", {}, element("tr", {}, element("td", {}),
      COLORS.map((color) => element("th", { scope: "col" }, bdi(game.nameOf(color)))))),
    element("tbody", {},
      both("Expected points lost", (sum) => element("b", {}, points(sum.lost.total))),
      both("from wins to draws", (sum) => points(sum.lost.winToDraw)),
      both("from draws to losses", (sum) => points(sum.lost.drawToLoss)),
      both("from wins to losses", (sum) => points(sum.lost.winToLoss))),
    element("tbody", {}, group("Lost in moves of each phase"),
      PHASES.map((name, phase) => both(name, (sum) => (sum.moves[phase] ? `${points(sum.phases[phase].total)} in ${sum.moves[phase]}` : "–")))),
    element("tbody", {}, group("Moves"),
      both("inaccuracies", (sum) => String(sum.inaccuracy)), both("mistakes", (sum) => String(sum.mistake)), both("blunders", (sum) => String(sum.blunder))),
    element("tbody", {}, group("As lichess counts"),
      both("accuracy", (sum) => (sum.accuracy == null ? "–" : `${sum.accuracy.toFixed(1)}\u00a0%`)),
      both("centipawns lost a move", (sum) => (sum.acpl == null ? "–" : String(sum.acpl)))));
  return element("section", { class: "summary", "aria-label": "Summary" }, table);
}

function explanation(game) {
  const again = game.positions.filter((position) => position.looks > 1).length;
  return element("p", { class: "explanation" },
    game.plies > 0 && game.equalsFor ? `Moves are judged by games of equals, at the rating of the player who moves. Chances of equals are for ${game.equalsFor}` : `Chances are for ${game.wdlFor}`,
    game.plies > 0 && game.equalsFor && game.views.includes("wdl") ? `, those of these players for ${game.wdlFor}. ` : ". ",
    `Each position was searched with ${game.limits}. `,
    again > 0 && `${counted(again, "position")} on which a verdict hangs had a second look, with more. `,
    game.plies > 0 && "Arrows: at a bad move green for what was better and red for what was played; elsewhere green for the best next move, blue for the one played. " +
      "Keys: ← → moves, Home and End, N next bad move, T try it, F flips, Esc goes back.");
}
