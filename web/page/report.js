// The report: the page that `halfpoint analyse` writes, in a frame, and its files.

class Report {
  /** `playOn` is called to play on from a position, `opened` with the document of each page that is shown. */
  constructor(section, { playOn, opened }) {
    Object.assign(this, { section, playOn, opened, run: null, shown: 0 });
    this.frame = element("iframe", { title: "The report" });
    const save = (kind, text) => element("button", { type: "button", class: "act", "aria-label": `Save ${text}`, onclick: () => this.save(kind) }, text);
    this.partial = element("span", { class: "soft" });
    section.append(
      element("div", { class: "tools" },
        element("button", { type: "button", class: "act main-act", "aria-label": "Play on from here", onclick: () => this.playHere() }, "Play on"),
        this.partial,
        element("span", { class: "saves", role: "group", "aria-label": "Save or print" }, "Save: ", save("html", "page"), save("pgn", "PGN"), save("json", "JSON"), element("button", { type: "button", class: "act", onclick: () => this.print() }, "Print"))),
      this.frame);
    // On paper the frame is as long as its page.
    window.addEventListener("beforeprint", () => { this.frame.style.height = `${this.frame.contentDocument.documentElement.scrollHeight}px`; });
    window.addEventListener("afterprint", () => { this.frame.style.height = ""; });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Takes the reports of another run, once there are any. */
  take(run) {
    Object.assign(this, { run, shown: 0, inFrame: null });
    this.fill("");
  }

  /** Shows the reports that there are, at a game if its index in the run is given. */
  async show(index = null) {
    const { run } = this;
    const { reported } = run;
    const count = reported.length;
    // A game stays where it is shown, if no other is asked for; others may have come before it.
    const shown = count !== this.shown && this.place();
    const game = index == null ? shown && this.inFrame[shown.game - 1] : run.games[index];
    const place = game && `#g${reported.indexOf(game) + 1}${index == null ? `.${shown.ply}` : ""}`;
    this.partial.textContent = run.isFinished ? "" : `${count} of ${counted(run.games.length, run.arePositions ? "position" : "game")}`;
    if (count !== this.shown) {
      this.shown = count;
      // The run goes on, and games may come before these.
      this.inFrame = reported;
      this.fill(await (await run.file("html")).text());
    }
    if (place) this.frame.contentWindow.location.hash = place;
    this.frame.contentWindow.focus();
  }

  /** Shows a page in a new frame. It is written there: from a disk the browser lets no page in a frame have an address of its own. */
  fill(html) {
    const frame = element("iframe", { title: "The report" });
    this.frame.replaceWith(frame);
    this.frame = frame;
    frame.contentDocument.open();
    frame.contentDocument.write(html);
    frame.contentDocument.close();
    // Other sites open beside the page, not in its frame.
    frame.contentDocument.addEventListener("click", ({ target }) => {
      const link = target.closest("a[href^='http']");
      if (link) link.target = "_blank";
    });
    frame.contentDocument.addEventListener("keydown", (event) => this.key(event));
    this.opened(frame.contentDocument);
  }

  /** The game, from 1, and the ply that the report shows; null if it shows none. */
  place() {
    const found = this.frame.contentWindow.location.hash.match(/^#g(\d+)(?:\.(\d+))?$/);
    return found && { game: Number(found[1]), ply: Number(found[2] ?? 0) };
  }

  /** A key that was pressed in the page or in the frame. */
  key(event) {
    if (this.section.hidden || event.key !== "p" || event.ctrlKey === event.metaKey) return;
    event.preventDefault();
    this.print();
  }

  /** The report on paper. */
  print() {
    this.frame.contentWindow.print();
  }

  /** The live board with the position that the report shows. */
  playHere() {
    const { game, ply } = this.place() ?? { game: 1, ply: 0 };
    const { listed, report } = this.inFrame[game - 1];
    this.playOn(listed, report.json, ply);
  }

  async save(kind) {
    const name = stem(this.run.name);
    save(await this.run.file(kind), { html: `${name}.html`, pgn: `${name}-analysed.pgn`, json: `${name}.json` }[kind]);
  }
}
