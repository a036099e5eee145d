// The report: the page that `halfpoint analyse` writes, in a frame, and its files.

class Report {
  constructor(section, { playOn }) {
    this.section = section;
    this.playOn = playOn;
    this.run = null;
    this.shown = 0;
    this.frame = element("iframe", { title: "The report" });
    const save = (kind, text) => element("button", { type: "button", class: "act", onclick: () => this.save(kind) }, text);
    this.partial = element("span", { class: "soft" });
    section.append(
      element("div", { class: "tools" },
        element("button", { type: "button", class: "act main-act", onclick: () => this.frame.contentWindow.postMessage("", "*") }, "Play on from here"),
        this.partial,
        element("span", { class: "saves", role: "group", "aria-label": "Save" }, save("html", "Save page"), save("pgn", "Save PGN"), save("json", "Save JSON"))),
      this.frame);
    this.frame.addEventListener("load", () => this.frame.contentWindow.focus());
    window.addEventListener("message", ({ source, data }) => {
      if (source === this.frame.contentWindow) this.play(String(data));
    });
  }

  /** Takes the reports of a run, once there are any. */
  take(run) {
    Object.assign(this, { run, shown: 0 });
  }

  /** Shows the reports that there are, at a game if its index in the run is given. */
  async show(index = null) {
    const { run } = this;
    const count = run.reported.length;
    const place = index == null ? 0 : run.games.slice(0, index).filter((game) => game.report).length + 1;
    this.partial.textContent = run.isFinished ? "" : `${count} of ${counted(run.games.length, "game")}`;
    if (count !== this.shown) {
      this.shown = count;
      if (this.address) URL.revokeObjectURL(this.address);
      this.address = URL.createObjectURL(new Blob([await run.file("html"), FRAME], { type: "text/html" }));
      this.frame.src = place ? `${this.address}#g${place}` : this.address;
    } else if (place) {
      this.frame.contentWindow.postMessage(`#g${place}`, "*");
    }
  }

  /** Sends the report back to nothing: that of another run comes. */
  clear() {
    this.take(null);
    this.frame.removeAttribute("src");
  }

  /** The live board with the position of an address in the report. */
  play(address) {
    const [, number, ply] = address.match(/^#g(\d+)(?:\.(\d+))?$/) ?? [null, 1, 0];
    const { listed, report } = this.run?.reported[number - 1] ?? {};
    if (report) this.playOn(listed, report.json, Number(ply ?? 0));
  }

  async save(kind) {
    const name = stem(this.run.name);
    save(await this.run.file(kind), { html: `${name}.html`, pgn: `${name}-analysed.pgn`, json: `${name}.json` }[kind]);
  }
}
