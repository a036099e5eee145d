// The live board: any position, played on, with what the engine finds meanwhile.

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/** Most seconds that a position is searched. */
const SEARCH_SECONDS = 120;

class LiveBoard {
  constructor(section) {
    Object.assign(this, { section, start: START, moves: [], at: 0, game: null, flipped: false, from: null, asked: null, found: null, people: null, isActive: false, isStopped: false });
    // One searches; the other takes over when the position changes, since a search cannot be told to end.
    this.engines = [];
    this.build();
  }

  build() {
    const button = (label, text, act) => element("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
    this.board = element("div", { class: "board", onpointerdown: (event) => this.press(event), onpointerup: (event) => this.release(event) });
    this.bar = element("div", { class: "standing" });
    this.list = element("p", { class: "line game-moves" });
    this.now = element("div", { class: "now" });
    this.lines = element("ol", {});
    this.difficulty = element("section", { class: "difficulty", "aria-label": "How hard it is" });
    this.fen = element("input", { type: "text", spellcheck: "false", autocomplete: "off" });
    this.typed = element("input", { type: "text", size: 8, spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
    // What was found is for others.
    const change = () => {
      if (this.isStopped) Object.assign(this, { found: null, people: null });
      this.search();
    };
    const rating = () => ratingField({ onchange: change });
    this.ratings = { white: rating(), black: rating() };
    this.time = element("select", { onchange: change }, element("option", { value: "" }, "classical"), TIME_CONTROLS.slice(1).map((name) => element("option", {}, name)));
    this.count = element("select", { onchange: change }, [1, 2, 3, 4, 5].map((count) => element("option", { selected: count === 3 }, String(count))));
    this.stopper = element("button", { type: "button", class: "act", onclick: () => this.toggle() });
    this.back = element("button", { type: "button", class: "act", onclick: () => this.takeGame(this.game.listed, this.game.report, this.game.ply) }, "Back to the game");
    const form = (name, act, ...children) => element("form", {
      class: name, onsubmit: (event) => {
        event.preventDefault();
        act();
      },
    }, ...children);
    const labelled = (text, field) => element("label", {}, text, field);
    this.section.append(
      element("div", { class: "playing" },
        element("div", { class: "board-and-bar" }, this.bar, this.board),
        element("div", { class: "controls", role: "group", "aria-label": "Moves" },
          button("To the start (Home)", icon("M3 3v14M17 3L6 10l11 7z"), () => this.goTo(0)),
          button("A move back (←)", icon("M15 3L4 10l11 7z"), () => this.goTo(this.at - 1)),
          button("A move on (→)", icon("M5 3l11 7-11 7z"), () => this.goTo(this.at + 1)),
          button("To the end (End)", icon("M17 3v14M3 3l11 7-11 7z"), () => this.goTo(this.moves.length)),
          button("Flip the board (F)", icon("M6 17V4M2.5 7.5L6 3.5l3.5 4M14 3v13M10.5 12.5l3.5 4 3.5-4", true), () => this.flip())),
        this.list,
        element("div", { class: "acts" },
          form("tryout", () => this.enter(), labelled("Move: ", this.typed), element("button", { type: "submit", class: "act" }, "Play")), this.back)),
      element("div", { class: "reading lines" },
        element("div", { class: "acts" }, labelled("Lines ", this.count), this.stopper), this.now, this.lines, this.difficulty,
        element("fieldset", {}, element("legend", {}, "Whose chances"),
          labelled("White’s rating", this.ratings.white), labelled("Black’s rating", this.ratings.black), labelled("Time control", this.time)),
        form("position", () => this.setUp(this.fen.value.trim() || START),
          labelled("Position (FEN)", this.fen),
          element("span", { class: "acts" }, element("button", { type: "submit", class: "act" }, "Set up"),
            element("button", { type: "button", class: "act", onclick: () => this.setUp(START) }, "Starting position"),
            element("button", { type: "button", class: "act", onclick: () => copy(this.shown.fen, "FEN copied") }, "Copy FEN")))));
  }

  /** Searches while it is looked at. */
  setActive(isActive) {
    if (isActive === this.isActive) return;
    this.isActive = isActive;
    if (isActive) this.goTo(this.at);
    else this.end();
  }

  /** Takes a game of a report at a ply, with its players. */
  takeGame(listed, report, ply) {
    this.game = { listed, report, ply };
    // Those of the report, which may have been typed in, and its time control.
    setRating(this.ratings.white, report.players.white.rating);
    setRating(this.ratings.black, report.players.black.rating);
    const timeControl = report.wdlFor.match(/ in (\w+) games/)?.[1] ?? listed.timeControl;
    this.time.value = TIME_CONTROLS.slice(1).includes(timeControl) ? timeControl : "";
    Object.assign(this, { start: report.initialFen, moves: report.analysis.map((move) => move.uci) });
    return this.goTo(ply);
  }

  /** Begins with another position. */
  async setUp(fen) {
    const shown = await askHere({ do: "position", fen, moves: [] });
    if (shown.error) {
      markInvalid(this.fen, true);
      announce(shown.error);
      return;
    }
    Object.assign(this, { start: shown.start, moves: [], game: null });
    await this.goTo(0);
  }

  /** Shows the position after so many moves, and searches it. */
  async goTo(at) {
    this.at = Math.max(0, Math.min(this.moves.length, at));
    Object.assign(this, { from: null, asked: null, found: null, people: null });
    const shown = await askHere({ do: "position", fen: this.start, moves: this.moves });
    // The whole line for its moves, the position for what can be played.
    this.sans = shown.sans;
    this.shown = this.at === this.moves.length ? shown : await askHere({ do: "position", fen: this.start, moves: this.moves.slice(0, this.at) });
    this.fen.value = this.shown.fen;
    this.typed.value = "";
    [this.fen, this.typed].forEach((field) => markInvalid(field, false));
    this.show();
    keepInView(this.list, this.list.querySelector("[aria-current]"));
    this.search();
  }

  /** Plays moves from the position that is shown; what came after it is forgotten. */
  play(ucis) {
    this.moves = [...this.moves.slice(0, this.at), ...ucis];
    return this.goTo(this.moves.length);
  }

  flip() {
    this.flipped = !this.flipped;
    this.show();
  }

  toggle() {
    this.isStopped = !this.isStopped;
    if (this.isStopped) this.end();
    else this.search();
    this.show();
  }

  /** Ends the search. */
  end() {
    this.engines.shift()?.end();
    this.isSearching = false;
  }

  /** Marks ratings that are wrong. Returns what is wrong with one. */
  checkRatings() {
    let error = null;
    for (const [color, field] of Object.entries(this.ratings)) {
      const isWrong = !field.validity.valid;
      markInvalid(field, isWrong);
      if (isWrong) error ??= `${sentenceCase(color)}’s rating: ${field.validationMessage}`;
    }
    return error;
  }

  /** Searches the position that is shown. */
  async search() {
    if (this.isSearching) this.end();
    if (this.found?.error) this.found = null;
    const error = this.checkRatings();
    if (error) Object.assign(this, { found: { error }, people: null });
    if (error || !this.isActive || this.isStopped || !this.shown?.choices.length) {
      this.show();
      return;
    }
    while (this.engines.length < 2) this.engines.push(new Engine());
    const [engine] = this.engines;
    this.isSearching = true;
    const request = {
      fen: this.start, moves: this.moves.slice(0, this.at), chess960: this.shown.chess960, multipv: Number(this.count.value), time: SEARCH_SECONDS,
      whiteElo: numberOf(this.ratings.white), blackElo: numberOf(this.ratings.black), timeControl: this.time.value || null,
    };
    const take = (found) => {
      if (engine !== this.engines[0]) return;
      if (found.people) this.people = found.people;
      else this.found = found;
      this.show();
    };
    this.began = performance.now();
    try {
      const { clock } = this.game?.report ?? {};
      const control = clock && `${clock.moves ? `${clock.moves}/` : ""}${clock.initial}+${clock.increment}`;
      take(await engine.ask({ do: "search", control }, JSON.stringify(request), take));
    } catch (error) {
      if (engine === this.engines[0]) {
        this.end();
        this.found = { error: error.message };
      }
    }
    if (engine === this.engines[0]) this.isSearching = false;
    this.show();
  }

  show() {
    if (!this.shown) return;
    const { found, flipped, shown } = this;
    const board = readBoard(shown.fen);
    const lines = found?.lines ?? [];
    const arrows = this.from == null ? lines.map((line, index) => ({ uci: line.uci.split(" ")[0], kind: index ? "played" : "best" })).reverse() : [];
    const dots = shown.choices.filter(({ uci }) => squareIndex(uci) === this.from).map(({ uci }) => targetOf(board, uci));
    this.board.replaceChildren(drawBoard(board, { flipped, last: this.at && this.from == null ? this.moves[this.at - 1] : null, arrows, chosen: this.from, dots }));
    const over = { "1-0": [1000, 0, 0], "1/2-1/2": [0, 1000, 0], "0-1": [0, 0, 1000] }[shown.result];
    const wdl = over ?? found?.wdl;
    this.bar.replaceChildren(...(wdl ? standingBar(wdl, flipped) : [element("div", { class: "stack" })]));
    refill(this.list, this.moveButtons(this.sans, 0, (count) => this.goTo(count), this.at));
    refill(this.now, this.describe(wdl).filter(Boolean));
    refill(this.lines, lines.map((line) => element("li", {},
      element("span", { class: "score" }, evaluation(line)), chancesBar(line.wdl),
      element("span", { class: "line" }, this.moveButtons(line.san.split(" "), this.at, (count) => this.play(line.uci.split(" ").slice(0, count)))))));
    refill(this.difficulty, this.describePeople());
    this.difficulty.classList.toggle("tall", this.difficulty.querySelector("h3") != null);
    this.stopper.textContent = this.isStopped ? "Go on" : "Stop";
    this.back.hidden = !this.game;
  }

  /** What is known of the position. */
  describe(wdl) {
    const { found, shown } = this;
    if (this.asked) {
      const isPromotion = this.asked.every(({ uci }) => uci[4]);
      return [element("p", { class: "acts" }, isPromotion ? "Promote to:" : "Which move?", this.asked.map(({ uci, san }) => element("button", { type: "button", class: "act", onclick: () => this.play([uci]) }, san)))];
    }
    if (shown.result) return [element("h2", {}, `The game is over: ${shown.result.replace("1/2-1/2", "½–½").replace("-", "–")}`)];
    if (found?.error) return [element("p", { class: "fault", role: "alert" }, found.error)];
    if (!found) return [element("h2", {}, `${sideToMove(shown.fen)} to move`), element("p", { class: "soft" }, this.isStopped ? "The engine is stopped." : "…")];
    const speed = (this.isSearching ? performance.now() - this.began : 0) / 1000;
    const row = (name, chances) => chances && element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, chancesBar(chances)), element("td", {}, chancesText(chances)));
    const isNominal = String(found.nominal) === String(wdl);
    return [
      element("h2", {}, `${sideToMove(shown.fen)} to move · ${evaluationText(found)}`),
      element("table", { class: "chances" }, element("tbody", {}, row("These players", wdl), row("Equals", found.equals), !isNominal && row("Engine", found.nominal))),
      element("p", { class: "soft" }, `${sentenceCase(found.wdlFor)}. ${counted(found.nodes, "node")}${speed > 0.5 ? `, ${Math.round(found.nodes / speed / 1000).toLocaleString("en")} thousand a second` : ""}.`),
    ];
  }

  /** How hard the position is for the player to move, and what people of the rating play. */
  describePeople() {
    const { people, shown } = this;
    if (!shown.choices.length) return [];
    if (!this.ratings.white.value && !this.ratings.black.value) {
      return [element("p", { class: "soft" }, "With a rating, this tells how hard the position is for the player to move.")];
    }
    const title = (rest) => element("h3", {}, `How hard it is for ${sideToMove(shown.fen)}${rest}`);
    const isFailed = Boolean(this.found?.error);
    if (!people || isFailed) return [title(""), element("p", { class: "soft" }, this.isStopped || isFailed ? "Not known." : "…")];
    const fact = (name, value) => element("div", {}, element("dt", {}, name), element("dd", {}, value));
    const share = (of) => `${(100 * of).toFixed(1)}\u00a0%`;
    return [
      title(` rated ${people.elo} in ${people.class} games`),
      element("dl", {},
        fact("Chance of a mistake", percent(1000 * people.mistake)), fact("Chance of a blunder", percent(1000 * people.blunder)),
        fact("Expected loss", people.expectedLoss.toFixed(3))),
      element("table", {},
        element("caption", {}, `What people rated ${people.elo} play most`),
        element("thead", {}, element("tr", {}, ["Move", "", "Share", "Loss"].map((name) => (name ? element("th", { scope: "col" }, name) : element("td", {}))))),
        element("tbody", {}, people.moves.map((move) => element("tr", {},
          element("th", { scope: "row", class: "line" }, this.moveButtons([move.san], this.at, () => this.play([move.uci]))),
          element("td", {}, element("span", { class: "likely", style: `width:${100 * move.share}%` })),
          element("td", {}, share(move.share)), element("td", {}, points(move.loss)))))),
      element("p", { class: "soft" }, "In expected points: a mistake loses 0.1 or more, a blunder 0.2 or more."),
    ];
  }

  /** Moves as buttons, with numbers; the first comes after so many plies. */
  moveButtons(sans, before, act, current = -1) {
    const [, turn, , , , number] = this.shown.fen.split(" ");
    const first = 2 * Number(number) - (turn === "b" ? 1 : 2) - this.at + before;
    return sans.flatMap((san, index) => {
      const ply = first + index;
      const text = ply % 2 === 0 ? `${ply / 2 + 1}. ${san}` : index === 0 ? `${(ply + 1) / 2}... ${san}` : san;
      return [element("button", { type: "button", "aria-current": index + 1 === current ? "true" : null, onclick: () => act(index + 1) }, text), " "];
    });
  }

  /** The square under the pointer. */
  squareAt(event) {
    const box = this.board.getBoundingClientRect();
    const [file, row] = [event.clientX - box.left, event.clientY - box.top].map((offset) => Math.min(7, Math.max(0, Math.floor((8 * offset) / box.width))));
    return this.flipped ? 63 - 8 * row - file : 8 * row + file;
  }

  /** A piece is chosen, or where it goes. */
  press(event) {
    if (!isMainPress(event)) return;
    const square = this.squareAt(event);
    if (this.from != null && this.attempt(square)) return;
    this.asked = null;
    const isLeft = this.from === square;
    this.from = !isLeft && this.shown.choices.some(({ uci }) => squareIndex(uci) === square) ? square : null;
    this.show();
  }

  /** A piece was drawn to another square. */
  release(event) {
    const square = this.squareAt(event);
    if (isMainPress(event) && this.from != null && square !== this.from) this.attempt(square);
  }

  /** Plays the chosen piece to a square, if it can go there. */
  attempt(square) {
    const board = readBoard(this.shown.fen);
    const moves = this.shown.choices.filter(({ uci }) => squareIndex(uci) === this.from && (targetOf(board, uci) === square || ends(uci)[1] === square) && square !== this.from);
    if (moves.length === 0) return false;
    this.choose(moves);
    return true;
  }

  /** Plays the move, or asks which of several. */
  choose(moves) {
    if (moves.length === 1) {
      this.play([moves[0].uci]);
      return;
    }
    Object.assign(this, { asked: moves, from: null });
    this.show();
    this.now.querySelector("button").focus();
  }

  /** A move that was typed. */
  enter() {
    const text = this.typed.value.trim();
    const [board, choices] = [readBoard(this.shown.fen), this.shown.choices.map(({ uci }) => uci)];
    const moves = movesOf(board, text, choices);
    markInvalid(this.typed, !isOne(moves));
    if (isOne(moves)) this.choose(this.shown.choices.filter(({ uci }) => moves.includes(uci)));
    else announce(wrongMove(board, text, moves, choices));
  }

  /** Nothing is chosen any more. */
  letGo() {
    Object.assign(this, { asked: null, from: null });
    this.show();
  }

  /** A key that was pressed while the board is seen. */
  key(event) {
    const acts = {
      ArrowLeft: () => this.goTo(this.at - 1), ArrowRight: () => this.goTo(this.at + 1), Home: () => this.goTo(0), End: () => this.goTo(this.moves.length),
      f: () => this.flip(), F: () => this.flip(), Escape: () => this.letGo(),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }
}

/** Replaces the children. The button that has the focus keeps it, and one that is pressed is not taken away. */
function refill(place, children) {
  if (place.querySelector("button:active")) return;
  const index = [...place.querySelectorAll("button")].indexOf(document.activeElement);
  place.replaceChildren(...children);
  place.querySelectorAll("button")[index]?.focus({ preventScroll: true });
}

/** Whether it is the first finger, or the main button of the mouse. */
function isMainPress(event) {
  return event.isPrimary && event.button === 0;
}

/** Where the moved piece arrives; of castling, the king. */
function targetOf(board, uci) {
  return castlingTarget(board, uci) ?? ends(uci)[1];
}

function sideToMove(fen) {
  return fen.split(" ")[1] === "w" ? "White" : "Black";
}

function sentenceCase(text) {
  return text[0].toUpperCase() + text.slice(1);
}
