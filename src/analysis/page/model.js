// A game of the report with what the page asks of it.

class Game {
  constructor(report, index) {
    Object.assign(this, { clocks: [], ...report, index });
    this.sans = report.moves ? report.moves.split(" ") : [];
    this.plies = this.sans.length;
    this.positions = [report.start, ...report.analysis];
    const fields = report.initialFen.split(" ");
    this.blackBegins = fields[1] === "b";
    this.firstNumber = Number(fields[5]) || 1;
    this.boards = [readBoard(report.initialFen)];
    report.analysis.forEach((move, ply) => this.boards.push(play(this.boards[ply], move.uci)));
  }

  /** Whether White made the move that leads to a ply, from 1. */
  isWhiteMove(ply) {
    return (ply % 2 === 1) !== this.blackBegins;
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
    return this.withNumber(ply, this.sans[ply - 1] + sign(this.analysis[ply - 1].judgment));
  }

  /** What the ply is, in words. */
  describe(ply, key) {
    const chances = chancesText(this.positions[ply][key]);
    return ply === 0 ? `Start: ${chances}` : `${this.moveText(ply)}: ${chances}`;
  }

  /** A player's name, or the colour. */
  nameOf(color) {
    const { name } = this.players[color];
    return name && name !== "?" ? name : color === "white" ? "White" : "Black";
  }

  /** The game in one line. */
  get title() {
    if (document.body.dataset.kind === "positions") return this.tags.Event || `Position ${this.number}`;
    return `${this.nameOf("white")} – ${this.nameOf("black")}`;
  }

  /** Where and when, as far as the file says. */
  get occasion() {
    const known = (name) => {
      const value = this.tags[name];
      return value && !/^[?.\- ]*$/.test(value) ? value : null;
    };
    const date = known("Date")?.replace(/\.\?\?/g, "");
    const round = known("Round") && `round ${known("Round")}`;
    return [known("Event"), known("Site") !== known("Event") && known("Site"), round, date].filter(Boolean).join(", ");
  }
}

/** The sign of a judgement. */
function sign(judgment) {
  return judgment ? { Inaccuracy: "?!", Mistake: "?", Blunder: "??" }[judgment.name] : "";
}
