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
        element("span", { class: "saves", role: "group", "aria-label": "Save" }, "Save: ", save("html", "page"), save("pgn", "PGN"), save("json", "JSON"))),
      this.frame);
  }

  /** Takes the reports of another run, once there are any. */
  take(run) {
    Object.assign(this, { run, shown: 0 });
    this.fill("");
  }

  /** Shows the reports that there are, at a game if its index in the run is given. */
  async show(index = null) {
    const { run } = this;
    const { reported } = run;
    const count = reported.length;
    const place = index == null ? 0 : run.games.slice(0, index).filter((game) => game.report).length + 1;
    this.partial.textContent = run.isFinished ? "" : `${count} of ${counted(run.games.length, "game")}`;
    if (count !== this.shown) {
      this.shown = count;
      // The run goes on, and games may come before these.
      this.inFrame = reported;
      this.fill(await (await run.file("html")).text());
    }
    if (place) this.frame.contentWindow.location.hash = `#g${place}`;
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
    this.opened(frame.contentDocument);
  }

  /** The live board with the position that the report shows. */
  playHere() {
    const [, number, ply] = this.frame.contentWindow.location.hash.match(/^#g(\d+)(?:\.(\d+))?$/) ?? [null, 1, 0];
    const { listed, report } = this.inFrame[number - 1];
    this.playOn(listed, report.json, Number(ply ?? 0));
  }

  async save(kind) {
    const name = stem(this.run.name);
    save(await this.run.file(kind), { html: `${name}.html`, pgn: `${name}-analysed.pgn`, json: `${name}.json` }[kind]);
  }
}
