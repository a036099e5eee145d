// The games: how they come in, what is asked of their players, how far the analysis is.

const TIME_CONTROLS = ["classical", "rapid", "blitz", "bullet"];
const TITLE = document.title;
/** Most Elo that is typed; a game may tell more. */
const MOST_ELO = 4000;

class Games {
  /** `began` is called with a run, `ready` when it has a report, `open` to look at it; `show` to look at this section. */
  constructor(section, { began, ready, open, show }) {
    Object.assign(this, { section, began, ready, open, show, run: null });
    this.input = element("textarea", { rows: 6, spellcheck: "false", autocomplete: "off", placeholder: "1. e4 e5 2. Nf3 …" });
    this.chooser = element("input", { type: "file", class: "unseen", tabindex: -1, "aria-label": "A file with games", accept: ".pgn,.epd,.fen,.txt,.gz,.zst", onchange: () => {
      this.takeFiles(this.chooser.files);
      // The same file may be chosen again.
      this.chooser.value = "";
    } });
    const button = (text, act, name = "act") => element("button", { type: "button", class: name, onclick: act }, text);
    this.work = element("div", { class: "card", hidden: true });
    section.append(
      element("div", { class: "card entry" },
        element("h2", {}, "What did each move do to the chances of win, draw and loss?"),
        element("p", {}, "Drop a file with games here, or paste them: PGN, FEN or EPD. The engine is in this page; nothing leaves this machine."),
        element("label", {}, element("span", { class: "unseen" }, "Games or positions"), this.input),
        element("p", { class: "acts" },
          button("Read the text", () => this.takeText(), "act main-act"), button("Choose a file", () => this.chooser.click()), this.chooser,
          button("An example", () => {
            this.input.value = document.getElementById("example").textContent.trim();
            this.takeText();
          })),
        element("p", { class: "soft" }, "Free software under the GNU General Public License, version 3 or later.")),
      this.work);
    this.takeDrops(document);
    // Pasted anywhere but into a field.
    document.addEventListener("paste", (event) => {
      const text = event.clipboardData.getData("text");
      if (event.target.closest("input, textarea") || section.hidden || !text) return;
      this.input.value = text;
      this.takeText();
    });
  }

  /** Takes files and text that are dropped on a document; text that is dropped into a field is the field's. */
  takeDrops(place) {
    const mark = (isOver) => document.body.classList.toggle("dropping", isOver);
    const isTaken = ({ target, dataTransfer }) => dataTransfer.types.includes("Files") || !target.closest?.("input, textarea");
    place.addEventListener("dragover", (event) => {
      if (!isTaken(event)) return;
      event.preventDefault();
      mark(true);
    });
    place.addEventListener("dragleave", () => mark(false));
    place.addEventListener("drop", (event) => {
      if (!isTaken(event)) return;
      event.preventDefault();
      mark(false);
      const { files } = event.dataTransfer;
      const text = event.dataTransfer.getData("text");
      if (files.length) this.takeFiles(files);
      else if (text) {
        this.input.value = text;
        this.takeText();
      }
    });
  }

  takeFiles(files) {
    if (files.length > 1) this.fail(`${files.length} files at once: one is read at a time, which may hold many games`);
    else if (files.length) this.take(files[0]);
  }

  takeText() {
    return this.take(new File([this.input.value], "games.pgn"));
  }

  /** Reads games and asks for what they do not tell. Those before are kept if these cannot be read. */
  async take(file) {
    const { name } = file;
    this.work.hidden = true;
    const engine = new Engine();
    this.reader = engine;
    try {
      const data = new Uint8Array(await file.arrayBuffer());
      const read = await engine.ask({ do: "read", name }, data);
      // Other games may have come meanwhile.
      if (this.reader !== engine) return;
      if (read.error) this.fail(read.error);
      else if (read.games.length) this.ask({ name, data, ...read });
      else this.fail(`${name}: no ${read.arePositions ? "position" : "game"} in it can be read`, this.messages(read));
    } catch (error) {
      if (this.reader === engine) this.fail(`${name}: cannot be read: ${error.message}`);
    } finally {
      engine.end();
    }
  }

  /** Says why nothing was read, above what was there. */
  fail(text, messages = null) {
    this.fault?.remove();
    this.fault = element("div", { class: "fault" }, element("p", { role: "alert" }, bdi(text)), messages);
    this.work.prepend(this.fault);
    this.work.hidden = false;
    this.show();
  }

  /** What could not be read, or only in part. */
  messages({ faults, warnings }) {
    const list = (kind, texts) => texts.map((text) => element("li", { class: kind }, bdi(`${kind}: ${text}`)));
    return faults.length + warnings.length > 0
      && element("ul", { class: "messages", tabindex: 0, "aria-label": "What is wrong with the file" }, list("error", faults), list("warning", warnings));
  }

  /** Asks how the games are analysed, in place of those before. */
  ask(read) {
    if (this.run && !this.run.isFinished && !this.run.isStopped && !confirm("The analysis of the games before is not done. End it?")) {
      this.work.hidden = false;
      return;
    }
    this.run?.end();
    this.run = null;
    document.title = TITLE;
    const { games, arePositions } = read;
    const single = games.length === 1 ? games[0] : null;
    const number = (value, least, most, step = 1) => element("input", { type: "number", required: true, min: least, max: most, step, value });
    const elo = (color) => setRating(ratingField(), single?.[`${color}Elo`]);
    const fields = { white: elo("white"), black: elo("black"), nodes: number(100000, 100, 1e9, "any"), lines: number(1, 1, 5), workers: number(cores(), 1, 64) };
    const check = () => element("input", { type: "checkbox" });
    Object.assign(fields, { clocks: check(), people: check() });
    fields.time = element("select", {}, element("option", { value: "" }, "as the game says"), TIME_CONTROLS.map((name) => element("option", { selected: name === single?.timeControl }, name)));
    const labelled = (text, field) => element("label", {}, text, field);
    const missing = games.filter((game) => game.whiteElo == null && game.blackElo == null).length;
    const whose = single ? "" : "where a game does not tell";
    const form = element("form", {
      class: "settings",
      onsubmit: (event) => {
        event.preventDefault();
        if (!form.reportValidity()) return;
        this.start(read, {
          nodes: Math.round(numberOf(fields.nodes)), lines: numberOf(fields.lines), whiteElo: numberOf(fields.white), blackElo: numberOf(fields.black),
          timeControl: fields.time.value || null, clocks: fields.clocks.checked, people: fields.people.checked, onlyMissing: !single,
        }, numberOf(fields.workers));
      },
    },
    element("fieldset", {}, element("legend", {}, `Whose chances${whose && `, ${whose}`}`),
      labelled("White’s rating", fields.white), labelled("Black’s rating", fields.black), labelled("Time control", fields.time),
      element("label", { class: "check" }, fields.clocks, "Clocks count in blitz and bullet")),
    element("fieldset", {}, element("legend", {}, "Search"),
      labelled("Nodes a position", fields.nodes), labelled("Best lines", fields.lines), labelled("Processors", fields.workers),
      !arePositions && element("label", { class: "check" }, fields.people, "How hard each move was")),
    element("p", { class: "soft" }, missing
      ? `${missing === games.length ? "The ratings are not told" : `The ratings are not told in ${missing} of ${games.length} games`}: without them, chances are those of players of the engine’s strength.`
      : "Chances are for players of these ratings."),
    element("button", { type: "submit", class: "act main-act" }, "Analyse"));
    this.input.rows = 2;
    this.work.hidden = false;
    this.work.replaceChildren(...[
      element("h2", {}, `${counted(games.length, arePositions ? "position" : "game")} in `, bdi(read.name)),
      this.messages(read), form].filter(Boolean));
    this.show();
    form.querySelector("[type=submit]").focus();
  }

  start(read, options, workers) {
    this.bar = element("progress", { max: 1, value: 0, "aria-label": "Positions searched" });
    this.state = element("p", { class: "state" });
    this.stopper = element("button", { type: "button", class: "act", onclick: () => this.toggle() }, "Stop");
    this.opener = element("button", { type: "button", class: "act main-act", disabled: true, onclick: () => this.open() }, "Look at the report");
    const body = element("tbody");
    this.rows = read.games.map((game, index) => {
      const cell = element("td");
      const title = read.arePositions ? [bdi(game.event || game.fen)] : [bdi(game.white || "White"), " – ", bdi(game.black || "Black")];
      const link = element("button", { type: "button", class: "link", disabled: true, onclick: () => this.open(index) }, title);
      body.append(element("tr", {}, element("td", { class: "number" }, String(game.number)), element("th", { scope: "row" }, link), !read.arePositions && element("td", {}, game.result.replace("1/2-1/2", "½–½").replace("-", "–")), cell));
      return { link, cell };
    });
    const heads = [read.arePositions ? "Line" : "Game", read.arePositions ? "Position" : "Players", !read.arePositions && "Result", read.arePositions ? "Chances" : "Accuracy, points lost"].filter(Boolean);
    this.run = new Run(read, options, workers, (index) => this.update(index));
    this.began(this.run);
    this.work.replaceChildren(...[
      element("h2", {}, `${counted(read.games.length, read.arePositions ? "position" : "game")} in `, bdi(read.name)),
      this.messages(read), this.bar, this.state, element("p", { class: "acts" }, this.stopper, this.opener),
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "How far the games are" },
        element("table", {}, element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))), body))].filter(Boolean));
    this.progress();
    const { run } = this;
    const clock = setInterval(() => (run === this.run && !run.isFinished ? this.progress() : clearInterval(clock)), 1000);
    run.finished.then(() => {
      if (run !== this.run) return;
      this.progress();
      announce("The analysis is done");
      if (!this.section.hidden && run.reported.length) this.open();
    });
  }

  toggle() {
    if (this.run.isStopped) this.run.goOn();
    else this.run.stop();
    this.progress();
  }

  /** The row of a game. */
  update(index) {
    const { cell, link } = this.rows[index];
    const { state, summary, done, listed, error } = this.run.games[index];
    link.disabled = state !== "done";
    if (state === "failed") cell.replaceChildren(element("span", { class: "fault" }, error));
    else if (state === "done") {
      cell.replaceChildren(summaryOf(summary));
      this.ready();
    } else if (listed.positions > 1) cell.textContent = done === listed.positions ? "second look" : `${done} of ${listed.positions}`;
  }

  /** How far all of it is. */
  progress() {
    const { run } = this;
    const { done, secondsLeft } = run;
    const ready = run.reported.length;
    this.bar.max = run.positions;
    this.bar.value = done;
    const left = run.isFinished ? `done in ${secondsText(run.worked / 1000)}` : run.isStopped ? "stopped" : secondsLeft == null ? "" : `about ${secondsText(secondsLeft)} left`;
    this.state.textContent = [
      `${done.toLocaleString("en")} of ${counted(run.positions, "position")}`, !run.arePositions && `${ready} of ${counted(run.games.length, "game")}`, left,
    ].filter(Boolean).join(" · ");
    document.title = run.isFinished ? TITLE : `${Math.floor((100 * done) / run.positions)}\u00a0% · ${TITLE}`;
    this.stopper.textContent = run.isStopped ? "Go on" : "Stop";
    this.stopper.hidden = run.isFinished;
    this.opener.disabled = ready === 0;
  }
}

/** A game in a few numbers, or the chances of a position. */
function summaryOf({ players, wdl, moves }) {
  if (moves === 0) return chancesBar(wdl);
  const [white, black] = [players.white, players.black].map(({ analysis }) => analysis);
  const accuracy = (sum) => (sum.accuracy == null ? "–" : percent(10 * sum.accuracy));
  return element("span", {}, `${accuracy(white)} – ${accuracy(black)}, ${points(white.lost.total)} – ${points(black.lost.total)}`);
}

/** A field for a rating, which may be empty. */
function ratingField(attributes = {}) {
  return element("input", { type: "number", min: 1, max: MOST_ELO, ...attributes });
}

/** Puts a rating, if there is one, into its field. */
function setRating(field, rating) {
  field.max = Math.max(MOST_ELO, rating ?? 0);
  field.value = rating ?? "";
  return field;
}

/** The number in a field, null if it is empty. */
function numberOf(field) {
  return field.value ? Number(field.value) : null;
}

/** Marks a field whose text is wrong, for the eye and for screen readers. */
function markInvalid(field, isInvalid) {
  if (isInvalid) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
}

/** Processors that can work. */
function cores() {
  return Math.min(64, Math.max(1, navigator.hardwareConcurrency || 1));
}
