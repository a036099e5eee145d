// The view of one game: board, chances, charts, moves and lines, kept in step.

class View {
  constructor(section, game, options) {
    this.section = section;
    this.game = game;
    this.options = options;
    this.ply = 0;
    this.line = null;
    this.build();
  }

  /** Chances of the players or of the engine's own games. */
  get key() {
    return this.options.engine ? "nominal" : "wdl";
  }

  build() {
    const { game } = this;
    game.goTo = (ply) => this.goTo(ply);
    this.board = element("div", { class: "board" });
    this.bar = element("div", { class: "standing" });
    this.now = element("div", { class: "now" });
    this.lines = element("div", { class: "lines" });
    this.moves = moveList(game, (ply) => this.goTo(ply));
    this.charts = element("div", { class: "charts" });
    this.controls = this.makeControls();
    const parts = [
      element("div", { class: "playing" },
        playerLine(game, this.options.flipped ? "white" : "black"),
        element("div", { class: "board-and-bar" }, this.bar, this.board),
        playerLine(game, this.options.flipped ? "black" : "white"),
        this.controls, game.plies > 0 && [this.now, this.lines]),
      element("div", { class: "reading" }, game.plies > 0 ? [this.charts, this.moves] : [this.now, this.lines]),
      game.plies > 0 && element("div", { class: "telling" }, momentList(game, (ply) => this.goTo(ply)), summary(game)),
      explanation(game),
    ];
    this.section.replaceChildren(gameHeader(game, this.options), ...parts.filter(Boolean));
    this.drawCharts();
  }

  makeControls() {
    const button = (label, text, act, extra = {}) => element("button", { type: "button", "aria-label": label, title: label, onclick: act, ...extra }, text);
    const hasMoves = this.game.plies > 0;
    const flip = button("Flip the board (F)", icon("M6 17V4M2.5 7.5L6 3.5l3.5 4M14 3v13M10.5 12.5l3.5 4 3.5-4", true), () => this.flip());
    return element("div", { class: "controls", role: "group", "aria-label": "Moves" },
      hasMoves && button("To the start (Home)", icon("M3 3v14M17 3L6 10l11 7z"), () => this.goTo(0)),
      button("A move back (←)", icon("M15 3L4 10l11 7z"), () => this.step(-1)),
      button("A move on (→)", icon("M5 3l11 7-11 7z"), () => this.step(1)),
      hasMoves && button("To the end (End)", icon("M17 3v14M3 3l11 7-11 7z"), () => this.goTo(this.game.plies)),
      hasMoves && button("To the next bad move (N)", "?!", () => this.nextBad()),
      flip);
  }

  /** Whose chances are shown: those of the players, or of the engine's own games. */
  makeChoice() {
    const choice = (isEngine, text, title) => element("button", {
      type: "button", title, "aria-pressed": String(this.options.engine === isEngine),
      onclick: () => {
        this.options.engine = isEngine;
        this.drawCharts();
        this.charts.querySelector(`.choice [aria-pressed="true"]`).focus();
      },
    }, text);
    return element("span", { class: "choice", role: "group", "aria-label": "Whose chances" },
      choice(false, "these players", this.game.wdlFor), choice(true, "engine", "games of the engine's own"));
  }

  drawCharts() {
    const { game } = this;
    if (game.plies === 0) return;
    const width = Math.max(260, Math.floor(this.charts.clientWidth || 600));
    this.drawnWidth = width;
    const titled = (title, chart) => element("figure", {}, element("figcaption", {}, title), chart);
    const legend = element("span", { class: "legend" },
      ...[["win", "White wins"], ["draw", "draw"], ["loss", "Black wins"], ["expected", "expected points"]].map(([name, text]) =>
        element("span", {}, element("i", { class: name }), text)));
    this.drawn = [chancesChart(game, width, this.key), sharpnessChart(game, width)];
    const figures = [titled(["Chances of ", this.makeChoice(), legend], this.drawn[0]), titled("Sharpness", this.drawn[1])];
    if (game.clocks.length) {
      this.drawn.push(clockChart(game, width));
      figures.push(titled("Time left: White dashed, Black solid", this.drawn[2]));
    }
    this.charts.replaceChildren(...figures);
    this.show();
  }

  goTo(ply) {
    this.line = null;
    this.ply = Math.max(0, Math.min(this.game.plies, ply));
    this.show();
  }

  step(by) {
    if (!this.line) {
      const first = this.game.positions[this.ply].lines[0];
      if (this.game.plies === 0 && by > 0 && first) this.playLine(0, first, 1);
      else this.goTo(this.ply + by);
      return;
    }
    const count = this.line.count + by;
    if (count <= 0) this.goTo(this.line.base);
    else if (count <= this.line.moves.length) this.playLine(this.line.base, this.line, count);
  }

  nextBad() {
    const next = this.game.analysis.findIndex((move, index) => index >= this.ply && move.judgment);
    if (next >= 0) this.goTo(next + 1);
  }

  /** Shows a line of best play from a ply, after so many of its moves. */
  playLine(base, line, count) {
    const moves = line.moves || line.uci.split(" ");
    this.line = { base, moves, san: line.san, sans: line.san.split(" "), count, wdl: line.wdl, eval: line.eval, mate: line.mate };
    this.show();
  }

  flip() {
    this.options.flipped = !this.options.flipped;
    const [top, bottom] = this.section.querySelectorAll(".player");
    bottom.after(top);
    this.section.querySelector(".board-and-bar").before(bottom);
    this.show();
  }


  show() {
    const { game, ply, line } = this;
    const position = game.positions[ply];
    let board = game.boards[ply];
    let last = ply > 0 ? game.analysis[ply - 1].uci : null;
    let arrows = [];
    let wdl = position[this.key];
    if (line) {
      board = line.moves.slice(0, line.count).reduce(play, game.boards[line.base]);
      last = line.moves[line.count - 1];
      wdl = line.wdl;
      if (line.count < line.moves.length) arrows = [{ uci: line.moves[line.count], kind: "best" }];
    } else {
      const best = position.lines[0]?.uci.split(" ")[0];
      const played = game.analysis[ply]?.uci;
      if (best) arrows.push({ uci: best, kind: "best" });
      if (played && played !== best) arrows.push({ uci: played, kind: "played" });
    }
    this.board.replaceChildren(drawBoard(board, { flipped: this.options.flipped, last, arrows }));
    this.bar.replaceChildren(...standingBar(wdl, this.options.flipped));
    this.now.replaceChildren(...this.describeNow());
    this.lines.replaceChildren(...lineList(this));
    this.moves.mark(ply);
    for (const chart of this.drawn || []) chart.show(ply, game.describe(ply, this.key));
    for (const clock of this.section.querySelectorAll("[data-clock]")) {
      clock.textContent = clockAt(game, ply, clock.dataset.clock);
    }
    const status = line ? `Line: ${line.sans.slice(0, line.count).join(" ")}` : game.describe(ply, this.key);
    document.getElementById("status").textContent = status;
    this.options.moved?.(ply);
  }

  /** What the last move did. */
  describeNow() {
    const { game, ply, line } = this;
    if (line) {
      const back = element("button", { type: "button", class: "back", onclick: () => this.goTo(line.base) }, "Back to the game (Esc)");
      return [element("h3", {}, "A line of best play"), element("p", {}, chancesText(line.wdl), ` (${evaluation(line)}). `, back)];
    }
    const position = game.positions[ply];
    const heading = ply === 0 ? (game.plies ? "Start" : "Position") : game.moveText(ply);
    const parts = [element("h3", {}, heading), element("p", {}, chancesBar(position[this.key])),
      element("p", {}, `${chancesText(position[this.key])}. Expected points of White ${points((position[this.key][0] + position[this.key][1] / 2) / 1000)}; ${evaluation(position)} at depth ${position.depth}.`)];
    const move = game.analysis[ply - 1];
    if (!move) return parts;
    if (move.judgment) parts.push(element("p", { class: `verdict ${move.judgment.name.toLowerCase()}` }, `${move.judgment.name}: ${lossText(move.lost)}.`));
    const better = game.positions[ply - 1].lines[0];
    if (move.best && better) {
      parts.push(element("p", { class: "better" }, move.judgment ? "Best was " : "The engine prefers ",
        playableLine(this, ply - 1, better, 4), "."));
    }
    return parts;
  }
}

/** An icon of the controls. */
function icon(path, isOpen) {
  return drawing("svg", { viewBox: "0 0 20 20", width: 18, height: 18, "aria-hidden": "true", class: isOpen ? "icon open" : "icon" }, drawing("path", { d: path }));
}

/** Expected points lost, and where they went. */
function lossText(lost) {
  const parts = [["winToDraw", "from wins to draws"], ["drawToLoss", "from draws to losses"], ["winToLoss", "from wins to losses"]];
  const told = parts.filter(([name]) => lost[name] >= 0.005).map(([name, text]) => `${points(lost[name])} ${text}`);
  return `lost ${points(lost.total)} expected points${told.length ? `, ${told.join(", ")}` : ""}`;
}

/** The standing bar beside the board: White at the side where White plays. */
function standingBar(wdl, flipped) {
  const names = ["win", "draw", "loss"];
  const parts = names.map((name, index) =>
    element("div", { class: name, style: `flex-grow:${wdl[index]}` }, wdl[index] >= 70 ? element("span", {}, String(Math.round(wdl[index] / 10))) : null));
  const bar = element("div", { class: "stack", role: "img", "aria-label": chancesText(wdl) }, flipped ? parts : parts.reverse());
  return [bar];
}

/** What a player's clock shows after a ply. */
function clockAt(game, ply, color) {
  for (let at = ply; at > 0; at--) {
    if (game.isWhiteMove(at) === (color === "white") && game.clocks[at - 1] != null) return clockText(game.clocks[at - 1]);
  }
  return "";
}
