// Charts over the moves of a game: chances, sharpness, clocks.

const MARGIN = { left: 34, right: 10, top: 8, bottom: 20 };
/** Room for a letter of a label. */
const LETTER = 8;

/** The scale of a chart: x by ply, y by a share from 0 to 1. */
function scale(width, height, plies) {
  const inner = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
  return {
    width,
    height,
    x: (ply) => MARGIN.left + (plies ? (inner.width * ply) / plies : 0),
    y: (share) => MARGIN.top + inner.height * (1 - share),
    ply: (x) => Math.max(0, Math.min(plies, Math.round(((x - MARGIN.left) / inner.width) * plies))),
  };
}

function path(points, close) {
  return points.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("") + (close ? "Z" : "");
}

/** A frame with lines at some shares, and move numbers below. */
function frame(game, size, lines) {
  const picture = drawing("svg", { viewBox: `0 0 ${size.width} ${size.height}`, width: size.width, height: size.height, "aria-hidden": "true" });
  const axes = drawing("g", { class: "axes" });
  for (const [share, label] of lines) {
    axes.append(drawing("line", { x1: size.x(0), x2: size.x(game.plies), y1: size.y(share), y2: size.y(share) }));
    axes.append(drawing("text", { x: MARGIN.left - 5, y: size.y(share) + 3.5, "text-anchor": "end" }, label));
  }
  const step = [5, 10, 20, 25, 50, 100].find((count) => (size.width - 44) / (game.plies / 2 / count) > 42) || 100;
  for (let ply = 1; ply <= game.plies; ply++) {
    const number = game.numberOf(ply);
    if (number % step === 0 && game.isWhiteMove(ply)) {
      axes.append(drawing("text", { x: size.x(ply), y: size.height - 5, "text-anchor": "middle" }, String(number)));
    }
  }
  return [picture, axes];
}

/** Stacked chances of White, draw and Black, expected points as a line, and marks where the game turned. */
function chancesChart(game, width, view) {
  return finishChart(game, chancesPicture(game, width, view), chancesScale(game, width), "Chances", view);
}

function chancesScale(game, width) {
  return scale(width, Math.max(170, Math.min(260, width * 0.36)), game.plies);
}

function chancesPicture(game, width, view) {
  const size = chancesScale(game, width);
  const [picture, axes] = frame(game, size, [[0, "0"], [0.5, "50"], [1, "100"]]);
  const shares = game.positions.map((_, ply) => game.chances(ply, view).map((part) => part / 1000));
  const boundary = (height) => shares.map((wdl, ply) => [size.x(ply), size.y(height(wdl))]);
  const lower = boundary(() => 0);
  const wins = boundary(([win]) => win);
  const draws = boundary(([win, draw]) => win + draw);
  const upper = boundary(() => 1);
  const area = (low, high, name) => drawing("path", { d: path([...low, ...high.slice().reverse()], true), class: name });
  picture.append(area(lower, wins, "win"), area(wins, draws, "draw"), area(draws, upper, "loss"), axes);
  const { middle, end } = game.division;
  for (const [ply, label, until] of [[middle, "middlegame", end ?? game.plies], [end, "endgame", game.plies]]) {
    if (ply == null || ply === 0) continue;
    picture.append(drawing("line", { x1: size.x(ply), x2: size.x(ply), y1: size.y(0), y2: size.y(1), class: "phase" }));
    if (size.x(until) - size.x(ply) < LETTER * label.length) continue;
    picture.append(drawing("text", { x: size.x(ply) + 3, y: size.y(1) + 11, class: "phase" }, label));
  }
  picture.append(drawing("path", { d: path(boundary(([win, draw]) => win + draw / 2)), class: "expected" }));
  game.analysis.forEach((move, index) => {
    if (!move.judgment) return;
    const [win, draw] = shares[index + 1];
    const [x, y] = [size.x(index + 1), size.y(win + draw / 2)];
    const name = move.judgment.name.toLowerCase();
    const moment = game.moments.findIndex((found) => found.ply === index + 1);
    const radius = moment >= 0 ? 8 : { inaccuracy: 3, mistake: 4, blunder: 5 }[name];
    const mark = drawing("g", { class: `mark ${name}` }, drawing("circle", { cx: x, cy: y, r: radius }));
    if (moment >= 0) mark.append(drawing("text", { x, y: y + 3.6, "text-anchor": "middle" }, String(moment + 1)));
    picture.append(mark);
  });
  return picture;
}

/** Sharpness over the moves. */
function sharpnessChart(game, width, view) {
  const size = scale(width, 110, game.plies);
  const top = Math.max(2, ...game.positions.map((position) => position.sharpness));
  const share = (value) => Math.sqrt(value / top);
  const lines = [0, 0.5, 1, 2, 5, 10].filter((value) => value <= top && (value === 0 || share(value) > 0.3));
  const [picture, axes] = frame(game, size, lines.map((value) => [share(value), String(value)]));
  const line = game.positions.map((position, ply) => [size.x(ply), size.y(share(position.sharpness))]);
  picture.append(drawing("path", { d: path([[size.x(0), size.y(0)], ...line, [size.x(game.plies), size.y(0)]], true), class: "sharpness" }), axes);
  return finishChart(game, picture, size, "Sharpness", view);
}

/** What people of the player's rating lose before each move, as bars. */
function difficultyChart(game, width, view) {
  const size = scale(width, 110, game.plies);
  const losses = game.analysis.map((move) => move.people?.expectedLoss ?? 0);
  const top = Math.max(0.1, ...losses);
  const [picture, axes] = frame(game, size, [[0, "0"], [1, points(top)]]);
  const thickness = Math.max(1, Math.min(6, size.x(1) - size.x(0) - 1));
  losses.forEach((loss, index) => {
    const height = (size.y(0) - size.y(1)) * (loss / top);
    picture.append(drawing("rect", {
      x: size.x(index + 1) - thickness / 2, y: size.y(0) - height, width: thickness, height, class: `hard ${game.colorOf(index + 1)}`,
    }));
  });
  picture.append(axes);
  return finishChart(game, picture, size, "Difficulty", view);
}

/** Both clocks over the moves as lines, and the time that each move took as bars. */
function clockChart(game, width, view) {
  const size = scale(width, 110, game.plies);
  const top = Math.max(1, ...game.clocks.filter((clock) => clock != null));
  const [picture, axes] = frame(game, size, [[0, "0"], [1, shortClock(top)]]);
  const spent = game.sans.map((_, index) => game.spentAt(index + 1) ?? 0);
  const longest = Math.max(1, ...spent);
  const thickness = Math.max(1, Math.min(5, size.x(1) - size.x(0) - 1));
  spent.forEach((time, index) => {
    const height = (size.y(0) - size.y(1)) * 0.8 * (time / longest);
    picture.append(drawing("rect", {
      x: size.x(index + 1) - thickness / 2, y: size.y(0) - height, width: thickness, height, class: `spent ${game.colorOf(index + 1)}`,
    }));
  });
  picture.append(axes);
  for (const color of COLORS) {
    const line = game.clocks.flatMap((clock, index) =>
      clock != null && game.colorOf(index + 1) === color ? [[size.x(index + 1), size.y(clock / top)]] : []);
    if (line.length) picture.append(drawing("path", { d: path(line), class: `clock ${color}` }));
  }
  return finishChart(game, picture, size, "Clocks", view);
}

/** Hundredths of a second in few letters. */
function shortClock(hundredths) {
  const minutes = hundredths / 6000;
  return minutes >= 100 ? `${Math.round(minutes / 60)} h` : minutes >= 1 ? `${Math.round(minutes)} m` : `${Math.round(hundredths / 100)} s`;
}

/** Adds the cursor, a glance at the move under the mouse, and lets clicks choose a move. `show` moves the cursor. */
function finishChart(game, picture, size, name, view) {
  const cursor = drawing("line", { y1: MARGIN.top, y2: size.height - MARGIN.bottom, class: "cursor" });
  picture.append(cursor);
  const glance = element("div", { class: "glance", "aria-hidden": "true", hidden: true });
  const chart = element("div", {
    class: "chart", tabindex: 0, role: "slider", "aria-label": name, "aria-valuemin": 0, "aria-valuemax": game.plies,
  }, picture, glance);
  const plyAt = (event) => {
    const box = picture.getBoundingClientRect();
    return size.ply(((event.clientX - box.left) * size.width) / box.width);
  };
  chart.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    game.goTo(plyAt(event));
    if (event.pointerType === "mouse") chart.setPointerCapture(event.pointerId);
  });
  let dragged = null;
  chart.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse") return;
    const ply = plyAt(event);
    if (event.buttons === 1 && ply !== dragged) game.goTo(ply);
    dragged = ply;
    showGlance(glance, game, ply, view, size);
  });
  chart.addEventListener("pointerleave", () => {
    glance.hidden = true;
  });
  chart.show = (ply, text) => {
    cursor.setAttribute("x1", size.x(ply));
    cursor.setAttribute("x2", size.x(ply));
    chart.setAttribute("aria-valuenow", ply);
    chart.setAttribute("aria-valuetext", text);
  };
  return chart;
}

/** Shows a move with its chances, its time and a small board beside the mouse. */
function showGlance(glance, game, ply, view, size) {
  if (glance.hidden || glance.dataset.ply !== String(ply)) {
    const move = game.analysis[ply - 1];
    const wdl = game.chances(ply, view);
    const spent = ply > 0 ? game.spentAt(ply) : null;
    glance.replaceChildren(...[
      drawBoard(game.boards[ply], { flipped: false, last: move?.uci, arrows: [] }),
      element("p", {}, element("b", { class: move?.judgment?.name.toLowerCase() }, ply ? game.moveText(ply) : "Start")),
      element("p", {}, chancesBar(wdl)), element("p", {}, chancesText(wdl)),
      move?.judgment && element("p", {}, `lost ${points(move.lost.total)} points`),
      spent != null && element("p", {}, `took ${durationText(spent)}`),
    ].filter(Boolean));
    glance.dataset.ply = ply;
    glance.hidden = false;
  }
  const left = size.x(ply) > size.width / 2 ? size.x(ply) - glance.offsetWidth - 14 : size.x(ply) + 14;
  glance.style.left = `${Math.max(0, left)}px`;
}
