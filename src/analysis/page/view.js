// The view of one game: board, chances, charts, moves and lines, kept in step.

class View {
  constructor(section, game, options) {
    this.section = section;
    this.game = game;
    this.options = options;
    this.ply = 0;
    this.line = null;
    this.tryout = null;
    this.build();
  }

  /** Whose chances are shown: those that were chosen, if this game has them. */
  get key() {
    const { views } = this.game;
    return views.includes(this.options.view) ? this.options.view : views[0];
  }

  build() {
    const { game } = this;
    const goTo = (ply) => this.goTo(ply);
    game.goTo = goTo;
    this.board = element("div", { class: "board" });
    this.bar = element("div", { class: "standing" });
    this.now = element("div", { class: "now" });
    this.lines = element("div", { class: "lines" });
    this.moves = moveList(game, goTo);
    this.charts = element("div", { class: "charts" });
    this.controls = this.makeControls();
    const parts = [
      game.plies > 0 && overview(game, goTo),
      element("div", { class: "playing" },
        playerLine(game, this.options.flipped ? "white" : "black"),
        element("div", { class: "board-and-bar" }, this.bar, this.board),
        playerLine(game, this.options.flipped ? "black" : "white"),
        this.controls, game.plies > 0 && [this.now, this.lines]),
      element("div", { class: "reading" }, game.plies > 0 ? [this.charts, this.moves] : [this.now, this.lines]),
      game.plies > 0 ? element("div", { class: "telling" }, element("div", {}, momentList(game, goTo), shareTools(this)), summary(game)) : shareTools(this),
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

  /** Whose chances are shown, where there is a choice. */
  makeChoice() {
    const { game } = this;
    if (game.views.length < 2) return element("span", { class: "whose" }, game.viewText(this.key));
    return element("span", { class: "choice", role: "group", "aria-label": "Whose chances" },
      game.views.map((view) => element("button", {
        type: "button", title: game.viewText(view), "aria-pressed": String(this.key === view),
        onclick: () => {
          this.options.view = view;
          this.drawCharts();
          this.charts.querySelector(`.choice [aria-pressed="true"]`).focus();
        },
      }, VIEWS[view])));
  }

  drawCharts() {
    const { game } = this;
    if (game.plies === 0) {
      this.show();
      return;
    }
    const width = Math.max(260, Math.floor(this.charts.clientWidth || 600));
    this.drawnWidth = width;
    const titled = (title, chart) => element("figure", {}, element("figcaption", {}, title), chart);
    const legend = element("span", { class: "legend" },
      ...[["win", "White wins"], ["draw", "draw"], ["loss", "Black wins"], ["expected", "expected points"]].map(([name, text]) =>
        element("span", {}, element("i", { class: name }), text)));
    const isDifficultyKnown = game.analysis.some((move) => move.people && !move.judgment);
    this.drawn = [chancesChart(game, width, this.key), (isDifficultyKnown ? difficultyChart : sharpnessChart)(game, width, this.key)];
    const figures = [
      titled([game.views.length > 1 ? "Chances of " : "Chances: ", this.makeChoice(), legend], this.drawn[0]),
      titled(isDifficultyKnown ? "Difficulty: points that people of the player's rating lose there" : "Sharpness, of the engine's own games", this.drawn[1]),
    ];
    if (game.clocks.length) {
      this.drawn.push(clockChart(game, width, this.key));
      figures.push(titled("Time left: White dashed, Black solid; bars: time for the move", this.drawn[2]));
    }
    this.charts.replaceChildren(...figures);
    this.moves.showLosses(this.key);
    this.show();
  }

  goTo(ply) {
    this.line = null;
    this.tryout = null;
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

  /** Out of a line or a try. */
  back() {
    if (this.line || this.tryout) this.goTo(this.ply);
  }

  /** Waits for a better move than the bad one that led here. */
  tryHere() {
    if (this.line || !Tryout.isAt(this.game, this.ply)) return;
    this.tryout = new Tryout(this, this.ply);
    this.show();
    this.section.querySelector(".tryout input")?.focus({ preventScroll: true });
  }

  /** Shows a line of best play from a ply, after so many of its moves. */
  playLine(base, line, count) {
    const moves = line.moves || line.uci.split(" ");
    this.tryout = null;
    this.line = { ...line, base, moves, sans: line.san.split(" "), count };
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
    const { game, ply, line, tryout, key } = this;
    const { flipped } = this.options;
    const wdl = line ? game.chancesOfLine(line.base, line, key) : game.chances(tryout ? ply - 1 : ply, key);
    this.board.replaceChildren(tryout ? tryout.picture(flipped) : this.picture());
    this.bar.replaceChildren(...standingBar(wdl, flipped));
    this.now.replaceChildren(...this.describeNow().filter(Boolean));
    this.lines.replaceChildren(...(tryout ? [] : lineList(this)));
    this.moves.mark(ply);
    for (const chart of this.drawn || []) chart.show(ply, game.describe(ply, key));
    for (const clock of this.section.querySelectorAll("[data-clock]")) {
      const left = game.clocks.length ? game.clockAt(ply, clock.dataset.clock) : null;
      clock.textContent = left == null ? "" : clockText(left);
    }
    const status = line ? `Line: ${line.sans.slice(0, line.count).join(" ")}` : tryout?.tries.at(-1)?.text ?? game.describe(ply, key);
    document.getElementById("status").textContent = status;
    this.options.moved?.(ply);
  }

  /** What the board shows: a ply of the game, and moves beside the game from there. */
  place() {
    if (this.tryout) return [this.tryout.ply - 1, []];
    return this.line ? [this.line.base, this.line.moves.slice(0, this.line.count)] : [this.ply, []];
  }

  /** The board of the game or of a line, with its arrows. */
  picture() {
    const { game, ply, line } = this;
    const { flipped } = this.options;
    if (line) {
      const board = line.moves.slice(0, line.count).reduce(play, game.boards[line.base]);
      const arrows = line.count < line.moves.length ? [{ uci: line.moves[line.count], kind: "best" }] : [];
      return drawBoard(board, { flipped, last: line.moves[line.count - 1], arrows });
    }
    const last = game.analysis[ply - 1];
    let arrows = [];
    if (last?.judgment) {
      arrows = badMoveArrows(game, ply);
    } else {
      const best = game.positions[ply].lines[0]?.uci.split(" ")[0];
      const next = game.analysis[ply]?.uci;
      if (best) arrows.push({ uci: best, kind: "best" });
      if (next && next !== best) arrows.push({ uci: next, kind: "played" });
    }
    return drawBoard(game.boards[ply], { flipped, last: last?.uci, arrows });
  }

  /** What the last move did. */
  describeNow() {
    const { game, ply, line, key } = this;
    if (this.tryout) return this.tryout.describe();
    if (line) {
      const back = element("button", { type: "button", class: "back", onclick: () => this.back() }, "Back to the game (Esc)");
      return [element("h3", {}, "A line of best play"), element("p", {}, `${chancesText(game.chancesOfLine(line.base, line, key))} (${evaluation(line)}). `, back)];
    }
    const position = game.positions[ply];
    const wdl = game.chances(ply, key);
    const heading = ply === 0 ? (game.isPosition ? "Position" : "Start") : game.moveText(ply);
    const parts = [element("h3", {}, heading), element("p", {}, chancesBar(wdl)),
      element("p", {}, `${chancesText(wdl)}. Expected points of White ${points(expected(wdl))}. ${evaluationText(position)}.`)];
    const move = game.analysis[ply - 1];
    if (move) parts.push(...this.describeMove(move));
    return [...parts, ...remarkParts(game, ply)];
  }

  /** Judgement, better line and time of the move that led here. */
  describeMove(move) {
    const { game, ply, key } = this;
    const { judgment } = move;
    const lost = key === game.views[0] ? lossText(move.lost) : `lost ${points(game.lostIn(ply, key))} expected points`;
    const better = game.positions[ply - 1].lines[0];
    const spent = game.spentAt(ply);
    const isAgain = [ply - 1, ply].some((at) => game.positions[at].looks > 1);
    return [
      judgment && element("p", { class: `verdict ${judgment.name.toLowerCase()}` },
        `${judgment.name}: `, judgment.what && [...sentence(judgment.what), "; "], `${lost}.`),
      move.best && better && element("p", { class: "better" }, judgment ? "Better was " : "The engine prefers ",
        playableLine(this, ply - 1, better, 4), "."),
      move.sacrifice && element("p", { class: "better" }, `A sound sacrifice: it gives ${move.sacrifice}.`),
      move.kept && element("p", { class: "soft" }, `${move.kept}.`),
      move.people && element("p", { class: "soft" }, judgment?.people ? sentence(`${judgment.people}.`) : sentence(peopleText(move.people))),
      Tryout.isAt(game, ply) && element("p", {}, element("button", { type: "button", class: "act", onclick: () => this.tryHere() }, "Try it yourself (T)")),
      spent != null && element("p", { class: "soft" }, `The move took ${durationText(spent)}.`),
      isAgain && element("p", { class: "soft" }, `The search had a second look here.`),
    ];
  }
}

/** What people of the player's rating do before a move, in words. */
function peopleText(people) {
  const percent = (share) => `${Math.round(100 * share)} %`;
  const level = Math.round(people.elo / 100) * 100;
  return `${percent(people.played)} of ${level}s play this; ${percent(people.mistake)} lose 0.1 or more, ${percent(people.blunder)} 0.2 or more; the mean loss is ${points(people.expectedLoss)}${people.practical ? `; ${people.practical}` : ""}.`;
}

/** An icon of the controls. */
function icon(path, isOpen) {
  return drawing("svg", { viewBox: "0 0 20 20", width: 18, height: 18, "aria-hidden": "true", class: isOpen ? "icon open" : "icon" }, drawing("path", { d: path }));
}

/** The standing bar beside the board: White at the side where White plays. */
function standingBar(wdl, flipped) {
  const names = ["win", "draw", "loss"];
  const shares = perCents(wdl);
  const parts = names.map((name, index) =>
    element("div", { class: name, style: `flex-grow:${wdl[index]}` }, wdl[index] >= 70 ? element("span", {}, String(shares[index])) : null));
  const bar = element("div", { class: "stack", role: "img", "aria-label": chancesText(wdl) }, flipped ? parts : parts.reverse());
  return [bar];
}
