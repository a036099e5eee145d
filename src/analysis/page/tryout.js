// "Try it yourself": the board before a bad move waits for a better one.

/** Least expected points by which a try is worse than the best move. */
const LEAST_LOST = 0.05;

class Tryout {
  /** `ply` is that of the bad move. */
  constructor(view, ply) {
    Object.assign(this, { view, ply, from: null, tries: [], isSolved: false });
    const { game } = view;
    this.board = game.boards[ply - 1];
    this.choices = game.choices.find((choice) => choice.ply === ply)?.uci.split(" ") ?? [];
    this.sans = new Map(this.choices.map((uci) => [uci, sanOf(this.board, uci, this.choices)]));
  }

  /** Whether there is something to try at a ply. */
  static isAt(game, ply) {
    return game.choices.some((choice) => choice.ply === ply) && game.analysis[ply - 1]?.best != null;
  }

  /** Expected points of the player who moves. */
  of(wdl) {
    return this.view.game.isWhiteMove(this.ply) ? expected(wdl) : 1 - expected(wdl);
  }

  /** A click on a square. */
  choose(square) {
    const moves = this.choices.filter((uci) => {
      const [from, to] = ends(uci);
      return from === this.from && (to === square || castlingTarget(this.board, uci) === square);
    });
    if (moves.length) {
      this.attempt(withQueen(moves));
      return;
    }
    this.from = this.choices.some((uci) => squareIndex(uci) === square) ? square : null;
    this.view.show();
  }

  /** A move that was typed. Returns what is wrong with it. */
  enter(text) {
    const moves = movesOf(this.board, text, this.choices);
    if (!isOne(moves)) return wrongMove(this.board, text, moves, this.choices);
    this.attempt(withQueen(moves));
    return null;
  }

  attempt(uci) {
    this.from = null;
    this.tries.push({ uci, ...this.judge(uci) });
    this.isSolved = this.tries.at(-1).isGood;
    this.view.show();
    this.view.section.querySelector(".tryout input")?.focus({ preventScroll: true });
  }

  /** What the search's lines say of a move. */
  judge(uci) {
    const { game } = this.view;
    const before = game.positions[this.ply - 1];
    const view = this.view.key;
    const san = this.sans.get(uci);
    const best = this.of(game.chances(this.ply - 1, view));
    const played = this.of(game.chances(this.ply, view));
    const known = before.lines.find((line) => line.uci.split(" ")[0] === uci);
    if (known === before.lines[0]) {
      return { isGood: true, text: `${san} is the best move: it keeps ${points(best)} points, ${points(Math.max(0, best - played))} more than the game's.` };
    }
    // The search after it is the deeper one, whatever a line before it says.
    if (uci === game.analysis[this.ply - 1].uci) {
      return { isGood: false, text: `${san} was played: it keeps ${points(played)} of ${points(best)} points.` };
    }
    if (known) {
      const kept = this.of(game.chancesOfLine(this.ply - 1, known, view));
      const isGood = best - kept < LEAST_LOST;
      return { isGood, text: `${san} keeps ${points(kept)} of ${points(best)} points${isGood ? ": good as well." : kept > played ? ", more than the game's move." : "."}` };
    }
    const last = before.lines.at(-1);
    const most = this.of(game.chancesOfLine(this.ply - 1, last, view));
    if (best - most >= LEAST_LOST) return { isGood: false, text: `${san} keeps at most ${points(most)} of ${points(best)} points.` };
    return { isGood: false, isUnknown: true, text: `${san}: the search has no line with it, so its worth is not known.` };
  }

  /** The board with what is chosen, and with the last try. */
  picture(flipped) {
    const last = this.tries.at(-1);
    const dots = this.choices.filter((uci) => squareIndex(uci) === this.from).map((uci) => castlingTarget(this.board, uci) ?? ends(uci)[1]);
    const picture = drawBoard(this.board, {
      flipped, last: null, dots, chosen: this.from,
      arrows: last ? [{ uci: last.uci, kind: last.isGood ? "best" : last.isUnknown ? "played" : "worse" }] : [],
    });
    picture.addEventListener("click", (event) => {
      const box = picture.getBoundingClientRect();
      const [file, row] = [event.clientX - box.left, event.clientY - box.top].map((offset) => Math.min(7, Math.max(0, Math.floor((8 * offset) / box.width))));
      this.choose(flipped ? 63 - 8 * row - file : 8 * row + file);
    });
    return picture;
  }

  /** The panel beside the board. */
  describe() {
    const { view, ply } = this;
    const { game } = view;
    const input = element("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", size: 8 });
    const form = element("form", {
      class: "tryout",
      onsubmit: (event) => {
        event.preventDefault();
        const wrong = input.value && this.enter(input.value);
        if (!wrong) return;
        input.setAttribute("aria-invalid", "true");
        announce(wrong);
      },
    }, element("label", {}, "Move: ", input), element("button", { type: "submit", class: "act" }, "Try"));
    const button = (text, act) => element("button", { type: "button", class: "act", onclick: act }, text);
    return [
      element("h3", {}, `${game.isWhiteMove(ply) ? "White" : "Black"} to move: better than ${game.moveText(ply)}`),
      this.tries.length === 0 && element("p", {}, "Play a move on the board, or type one."),
      element("ol", { class: "tries" }, this.tries.map((tried) => element("li", { class: tried.isGood ? "good" : "" }, tried.text))),
      !this.isSolved && form,
      element("p", { class: "acts" },
        button(this.isSolved ? "Show the line" : "Show the answer", () => view.playLine(ply - 1, game.positions[ply - 1].lines[0], 1)),
        button("Back to the game (Esc)", () => view.goTo(ply))),
    ];
  }
}

/** Where the king arrives if the move castles by taking its rook; otherwise null. */
function castlingTarget(board, uci) {
  const [from, to] = ends(uci);
  const [king, rook] = [board[from], board[to]];
  const takesRook = (king === "K" && rook === "R") || (king === "k" && rook === "r");
  return takesRook ? from - (from % 8) + (to > from ? 6 : 2) : null;
}

/** Whether moves are one, but for the piece to which a pawn promotes. */
function isOne(moves) {
  return moves.length > 0 && moves.every((uci) => uci.slice(0, 4) === moves[0].slice(0, 4));
}

/** The first move, and of promotions that to a queen. */
function withQueen(moves) {
  return moves.find((uci) => uci[4] === "q") ?? moves[0];
}
