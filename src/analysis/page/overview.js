// The head of a game and its summary in a few lines.

function gameHeader(game, options) {
  const link = (index, text, label) => options.games[index] && element("a", { href: `#g${index + 1}`, "aria-label": label, title: label }, text);
  const around = options.games.length > 1 && element("nav", { class: "around", "aria-label": "Other games" },
    link(game.index - 1, "‹", "The one before"), link(game.index + 1, "›", "The next one"));
  if (game.isPosition) {
    return element("header", { class: "game" },
      element("h2", { id: "game-title" }, game.titleParts()), element("p", {}, game.initialFen), around);
  }
  return element("header", { class: "game" },
    element("h2", { id: "game-title" }, game.titleParts(), element("span", { class: "result" }, game.resultText)),
    element("p", {}, separated(occasion(game), ", ")),
    element("p", { class: "facts" }, separated([game.openingText && bdi(game.openingText), game.clockName && bdi(game.clockName), game.endingText], " · ")),
    around);
}

/** The parts that are not empty, with a text between them. */
function separated(parts, between) {
  return parts.filter(Boolean).flatMap((part, index) => (index ? [between, part] : [part]));
}

/** Where and when, as far as the file says. */
function occasion(game) {
  const site = game.known("Site");
  const event = game.known("Event");
  // Chess sites put the game's address here.
  const isAddress = /^https?:\/\/[^\s"<>]+$/i.test(site ?? "");
  const round = game.known("Round");
  return [
    event && bdi(event),
    isAddress ? element("a", { href: site, rel: "noreferrer" }, bdi(site.replace(/^https?:\/\/(www\.)?/i, ""))) : site !== event && site && bdi(site),
    round && bdi(`round ${round}`),
    game.date,
  ];
}

/** What went wrong, in ten seconds: accuracy, bad moves, the worst one, where the points went. */
function overview(game, goTo) {
  const side = (color) => {
    const sum = game.players[color].analysis;
    const bad = [[sum.blunder, "blunder"], [sum.mistake, "mistake"], [sum.inaccuracy, "inaccuracy"]];
    return element("div", { class: `side ${color}` },
      element("p", { class: "who" }, element("i", {}), bdi(game.nameOf(color))),
      element("p", { class: "accuracy" }, element("b", {}, sum.accuracy == null ? "–" : percent(10 * sum.accuracy)), " accuracy"),
      element("p", { class: "counts" }, separated(bad.map(([count, name]) =>
        count > 0 && element("span", { class: name }, `${count} ${count === 1 ? name : name.replace(/y$/, "ie") + "s"}`)), ", "),
      bad.every(([count]) => !count) && "no bad move"),
      element("p", {}, `${points(sum.lost.total)} points lost`, lostWhere(sum)));
  };
  const worst = game.worst;
  const { judgment, lost } = game.analysis[worst - 1] ?? {};
  return element("section", { class: "overview", "aria-label": "In short" },
    COLORS.map(side),
    worst > 0 && element("p", { class: "worst" }, "Worst move: ",
      element("button", { type: "button", class: judgment.name.toLowerCase(), onclick: () => goTo(worst) }, game.moveText(worst)),
      " by ", bdi(game.nameOf(game.colorOf(worst))), judgment.what ? [": ", ...sentence(judgment.what), "; "] : ", ", `${lossText(lost)}.`));
}

/** In which phase most points were lost, if it is one. */
function lostWhere(sum) {
  const parts = PHASES.map((name, phase) => [sum.phases[phase].total, name]).filter(([lost]) => lost >= 0.005).sort((a, b) => b[0] - a[0]);
  if (!parts.length) return "";
  return parts.length === 1 ? `, all in the ${parts[0][1]}` : `, ${points(parts[0][0])} of them in the ${parts[0][1]}`;
}
