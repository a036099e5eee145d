// A game of the report with what the page asks of it.

const COLORS = ["white", "black"];
const PHASES = ["opening", "middlegame", "endgame"];

/** How games end, in words behind the result. */
const ENDINGS = {
  mate: "by mate", stalemate: "by stalemate", insufficientMaterial: "as neither side can mate", repetition: "by repetition",
  fiftyMoves: "by the fifty-move rule", time: "on time", resignation: "by resignation", agreement: "by agreement",
  adjudication: "by adjudication", abandoned: "by abandonment", rulesInfraction: "by a breach of the rules",
};

/** Whose chances can be shown: names of the fields, and what the buttons say. */
const VIEWS = { equals: "equals", wdl: "these players", nominal: "engine" };

/** What a move lost that lost nothing. */
const NOTHING = { total: 0, winToDraw: 0, drawToLoss: 0, winToLoss: 0 };

/** Fills in what the page is not told again: the numbers of the first line, and that nothing was lost. */
function complete(position) {
  const { eval: cp, mate, wdl, lines } = position;
  if (lines[0] && !lines[0].wdl) Object.assign(lines[0], { eval: cp, mate, wdl });
  position.lost ??= NOTHING;
}

class Game {
  constructor(report, index) {
    Object.assign(this, { clocks: [], remarks: [], choices: [], ...report, index });
    [report.start, ...report.analysis].forEach(complete);
    this.sans = report.moves ? report.moves.split(" ") : [];
    this.plies = this.sans.length;
    this.positions = [report.start, ...report.analysis];
    const fields = report.initialFen.split(" ");
    this.blackBegins = fields[1] === "b";
    this.firstNumber = Number(fields[5]) || 1;
    this.boards = [readBoard(report.initialFen)];
    report.analysis.forEach((move, ply) => this.boards.push(play(this.boards[ply], move.uci)));
    this.views = this.differentViews();
  }

  /** Whether it is a single position of a list rather than a game. */
  get isPosition() {
    return document.body.dataset.kind === "positions";
  }

  /** Names of the views that differ from those before them; the first is the one by which moves are judged. */
  differentViews() {
    const views = [this.equalsFor ? "equals" : "wdl"];
    for (const view of Object.keys(VIEWS)) {
      const differs = (known) => this.positions.some((_, ply) => String(this.chances(ply, view)) !== String(this.chances(ply, known)));
      if (views.every(differs)) views.push(view);
    }
    return views;
  }

  /** Whom a view is for, in words. */
  viewText(view) {
    return { equals: this.equalsFor ?? this.wdlFor, wdl: this.wdlFor, nominal: "games of the engine with itself" }[view];
  }

  /** Win, draw and loss of White at a ply, per mille. */
  chances(ply, view) {
    return this.positions[ply][view] ?? this.positions[ply].wdl;
  }

  /** The same of a line of best play from a ply. */
  chancesOfLine(ply, line, view) {
    const isFirst = this.positions[ply].lines[0]?.uci === line.uci;
    return isFirst ? this.chances(ply, view) : line[view] ?? line.wdl;
  }

  /** Expected points that the move to a ply lost in a view. */
  lostIn(ply, view) {
    const move = this.analysis[ply - 1];
    if (view === this.views[0] || !move.best) return move.lost.total;
    const fall = expected(this.chances(ply - 1, view)) - expected(this.chances(ply, view));
    return Math.max(0, this.isWhiteMove(ply) ? fall : -fall);
  }

  /** Whether White made the move that leads to a ply, from 1. */
  isWhiteMove(ply) {
    return (ply % 2 === 1) !== this.blackBegins;
  }

  /** The colour that made the move that leads to a ply. */
  colorOf(ply) {
    return this.isWhiteMove(ply) ? "white" : "black";
  }

  /** Number of the move that leads to a ply. */
  numberOf(ply) {
    return this.firstNumber + Math.floor((ply - 1 + (this.blackBegins ? 1 : 0)) / 2);
  }

  /** A move with its number: 12. Nf3 or 12... Nf6. */
  withNumber(ply, san) {
    return `${this.numberOf(ply)}${this.isWhiteMove(ply) ? "." : "..."} ${san}`;
  }

  /** The move that leads to a ply, with number and judgement. */
  moveText(ply) {
    return this.withNumber(ply, this.sans[ply - 1] + sign(this.analysis[ply - 1]));
  }

  /** What the ply is, in words. */
  describe(ply, view) {
    const chances = chancesText(this.chances(ply, view));
    return ply === 0 ? `Start: ${chances}` : `${this.moveText(ply)}: ${chances}`;
  }

  /** The phase in which the move that leads to a ply was made: 0, 1 or 2. */
  phaseOf(ply) {
    const { middle, end } = this.division;
    return end != null && ply > end ? 2 : middle != null && ply > middle ? 1 : 0;
  }

  /** What a player's clock shows after a ply, hundredths of a second; null if that is not known. */
  clockAt(ply, color) {
    for (let at = ply; at > 0; at--) {
      if (this.colorOf(at) === color && this.clocks[at - 1] != null) return this.clocks[at - 1];
    }
    return this.clock && !this.clock.moves ? this.clock.initial * 100 : null;
  }

  /** The time that the move that leads to a ply took, hundredths of a second; null if that is not known. */
  spentAt(ply) {
    const after = this.clocks[ply - 1];
    if (after == null || !this.clock) return null;
    const isFirst = ply <= 2;
    const before = isFirst ? (this.clock.moves ? null : this.clock.initial * 100) : this.clocks[ply - 3];
    if (before == null) return null;
    // The first move of a server's game costs nothing, and control times add more than the increment.
    const spent = before + (isFirst && before === after ? 0 : this.clock.increment * 100) - after;
    return spent >= 0 ? spent : null;
  }

  /** The worst move, by its ply; 0 if none is bad. */
  get worst() {
    const bad = this.analysis.map((move, index) => [move.judgment ? move.lost.total : 0, index + 1]);
    const [loss, ply] = bad.reduce((worst, next) => (next[0] > worst[0] ? next : worst), [0, 0]);
    return loss > 0 ? ply : 0;
  }

  /** A player's name, or the colour. */
  nameOf(color) {
    const name = plain(this.players[color].name ?? "").trim();
    return name && name !== "?" ? name : color === "white" ? "White" : "Black";
  }

  /** The game in one line, where there are no elements. */
  get title() {
    if (this.isPosition) return isolated(this.tags.Event || `Position ${this.number}`);
    return COLORS.map((color) => isolated(this.nameOf(color))).join(" – ");
  }

  /** The same as children of an element. */
  titleParts() {
    if (this.isPosition) return [bdi(this.tags.Event || `Position ${this.number}`)];
    return [bdi(this.nameOf("white")), " – ", bdi(this.nameOf("black"))];
  }

  /** The result as it is printed. */
  get resultText() {
    return this.result === "1/2-1/2" ? "½–½" : this.result.replace("-", "–");
  }

  /** How it ended, in words; empty if nothing tells. */
  get endingText() {
    const how = ENDINGS[this.ending];
    if (!how) return "";
    const isDraw = this.result === "1/2-1/2";
    // Where the result is another than the board says.
    if (this.ending === "mate" && !this.winner) return "Mate on the board";
    if (this.ending === "stalemate" && !isDraw) return "Stalemate on the board";
    if (this.ending === "insufficientMaterial" && !isDraw) return "Neither side can mate";
    if (this.winner) return `${this.winner === "white" ? "White" : "Black"} won ${how}`;
    return isDraw ? `Draw ${how}` : "";
  }

  /** The time control, in words; empty if it is not known. */
  get clockName() {
    const tag = this.known("TimeControl");
    if (!this.clock) return tag ?? "";
    const { initial, increment, moves } = this.clock;
    if (moves) return tag;
    const base = initial >= 60 && initial % 30 === 0 ? `${initial / 60} min` : `${initial} s`;
    return increment ? `${base} + ${increment} s a move` : base;
  }

  /** The value of a tag, if it says something. */
  known(name) {
    const value = this.tags[name];
    return value && !/^[?.\- ]*$/.test(value) ? plain(value) : null;
  }

  /** The date as far as it is known; empty if it is not. */
  get date() {
    return (this.known("Date") ?? "").replace(/\.\?+/g, "");
  }

  /** Opening and ECO code: from the positions, or else from the tags. */
  get openingText() {
    if (this.opening) return `${this.opening.eco} ${this.opening.name}`;
    return [this.known("ECO"), this.known("Opening")].filter(Boolean).join(" ");
  }

  /** Remarks of the file at a ply. */
  remarkAt(ply) {
    return this.remarks.find((remark) => remark.ply === ply);
  }
}

/** The sign of a move: of its judgement, of a sound sacrifice or of an only move. */
function sign({ judgment, sacrifice, only }) {
  if (judgment) return { Inaccuracy: "?!", Mistake: "?", Blunder: "??" }[judgment.name];
  return sacrifice ? "!" : only ? "□" : "";
}
