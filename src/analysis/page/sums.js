// Sums over many games: by player, colour, opening, phase, and the time left.

/** Times left before a move, longest first: hundredths of a second from which on, and names. */
const TIMES = [[30000, "5 minutes and more"], [6000, "1 to 5 minutes"], [1000, "10 seconds to a minute"], [0, "under 10 seconds"]];
/** Most rows of a table of sums. */
const MOST_SUMS = 12;
/** Fewest games from which something is said of a habit. */
const FEWEST_GAMES = 3;

/** All moves of the games, of one player if there is a name: what they lost, and what they count for. */
function judgedMoves(games, player) {
  return games.flatMap((game) => game.analysis.flatMap((move, index) => {
    const ply = index + 1;
    const color = game.colorOf(ply);
    if (player && game.nameOf(color) !== player) return [];
    const left = game.clocks.length ? game.clockAt(index, color) : null;
    return [{
      game, color, lost: move.lost.total, isBad: Boolean(move.judgment) && move.judgment.name !== "Inaccuracy",
      phase: PHASES[game.phaseOf(ply)], time: left == null ? null : TIMES.find(([least]) => left >= least)[1],
    }];
  }));
}

/** Ways to sum: names, and the row of a move; null for none. */
const GROUPINGS = {
  Player: (move) => move.game.nameOf(move.color),
  Colour: (move) => (move.color === "white" ? "White" : "Black"),
  Opening: (move) => (move.game.opening ? move.game.opening.name.split(":")[0] : move.game.known("ECO")),
  Phase: (move) => move.phase,
  "Time left": (move) => move.time,
  "Phase and time": (move) => move.time && `${move.phase}, ${move.time}`,
};

/** Points that a side made. */
function scoreOf(game, color) {
  if (game.result === "1/2-1/2") return 0.5;
  return game.winner ? Number(game.winner === color) : null;
}

/** Whether moves of both players of a game count. */
function isOfAll(moves) {
  const first = new Map();
  return moves.some(({ game, color }) => first.has(game) ? first.get(game) !== color : !first.set(game, color));
}

/** Sums of each group, in their order: [name, sum]. */
function summed(moves, grouping) {
  const groups = new Map();
  for (const move of moves) {
    const name = GROUPINGS[grouping](move);
    if (!name) continue;
    if (!groups.has(name)) groups.set(name, { name, sides: new Map(), moves: 0, lost: 0, bad: 0 });
    const sum = groups.get(name);
    sum.sides.set(`${move.game.index} ${move.color}`, [move.game, move.color]);
    sum.moves += 1;
    sum.lost += move.lost;
    sum.bad += Number(move.isBad);
  }
  const mean = (values) => (values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null);
  return [...groups.values()].map(({ name, sides, moves: count, lost, bad }) => {
    const all = [...sides.values()];
    const games = new Set(all.map(([game]) => game)).size;
    // Of both players of each game the score would always be a half: then it is White's.
    const scored = all.length > games ? all.filter(([, color]) => color === "white") : all;
    return {
      name, games, moves: count, total: lost, lost: lost / all.length, bad: bad / all.length,
      score: mean(scored.map(([game, color]) => scoreOf(game, color)).filter((score) => score != null)),
      accuracy: mean(all.map(([game, color]) => game.players[color].analysis.accuracy).filter((accuracy) => accuracy != null)),
    };
  });
}

/** The order of the rows: phases and times as they come, others by their games. */
function inOrder(sums, grouping) {
  const times = TIMES.map(([, name]) => name);
  const known = { Phase: PHASES, "Time left": times, "Phase and time": PHASES.flatMap((phase) => times.map((time) => `${phase}, ${time}`)) }[grouping];
  if (known) return sums.sort((a, b) => known.indexOf(a.name) - known.indexOf(b.name));
  return sums.sort((a, b) => b.games - a.games || b.lost - a.lost).slice(0, MOST_SUMS);
}

/** Where most of all points go, in a sentence; empty if there are too few games. Where there are clocks, moves without one are left out. */
function costliest(moves) {
  const grouping = moves.some((move) => move.time) ? "Phase and time" : "Phase";
  const sums = summed(moves, grouping).sort((a, b) => b.total - a.total);
  const [told] = sums;
  if (!told || told.games < FEWEST_GAMES || told.lost < 0.05) return "";
  const all = sums.reduce((sum, { total }) => sum + total, 0);
  const where = told.name.replace(/^(\w+)/, "$1s").replace(", ", " with ");
  return `Most is lost in ${where}: ${points(told.total)} of ${points(all)} points, in ${told.games} games.`;
}

/** The sums of all games, or of those of a player. */
function sumsOf(games, player) {
  const moves = judgedMoves(games, player);
  const names = Object.keys(GROUPINGS).filter((name) => (name !== "Player" || !player) && moves.some(GROUPINGS[name]));
  const place = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Sums" });
  const buttons = names.map((name) => element("button", { type: "button", onclick: () => show(name) }, name));
  const show = (chosen) => {
    buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(names[index] === chosen)));
    place.replaceChildren(sumTable(inOrder(summed(moves, chosen), chosen), chosen, isOfAll(moves)));
  };
  if (!names.length) return [];
  show(names[0]);
  return [
    element("p", { class: "costliest" }, costliest(moves)),
    element("details", {},
      element("summary", {}, "Sums over these games"),
      element("span", { class: "choice", role: "group", "aria-label": "Sums by" }, buttons), place),
  ];
}

/** `isOfAll`: whether both players of a game count in rows that are not of one. */
function sumTable(sums, grouping, isOfAll) {
  const hasScore = ["Player", "Colour", "Opening"].includes(grouping);
  const each = isOfAll && !["Player", "Colour"].includes(grouping) ? "a player and game" : "a game";
  const score = isOfAll && grouping === "Opening" ? "White's score" : "Score";
  const heads = [grouping, "Games", hasScore && score, "Moves", `Points lost ${each}`, `Mistakes and blunders ${each}`, hasScore && "Accuracy"].filter(Boolean);
  const cell = (text) => element("td", { class: "number" }, text);
  return element("table", {},
    element("thead", {}, element("tr", {}, heads.map((name, index) => element("th", { scope: "col", class: index ? "number" : "" }, name)))),
    element("tbody", {}, sums.map((sum) => element("tr", {},
      element("th", { scope: "row" }, bdi(sum.name)), cell(String(sum.games)), hasScore && cell(sum.score == null ? "–" : percent(1000 * sum.score)),
      cell(String(sum.moves)), cell(points(sum.lost)), cell(points(sum.bad)),
      hasScore && cell(sum.accuracy == null ? "–" : `${sum.accuracy.toFixed(1)}\u00a0%`)))));
}
