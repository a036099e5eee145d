// The analysis of games by several engines, a game each.

class Run {
  /** `games` are as they were read from `data`; `options` are those of a game. `changed` is called with the index of a game. */
  constructor({ name, data, games, arePositions }, options, workers, changed) {
    Object.assign(this, { name, data, arePositions, options, changed });
    this.games = games.map((listed) => ({ listed, done: 0, state: "waiting", report: null, summary: null, error: null }));
    this.queue = games.map((_, index) => index);
    this.positions = games.reduce((sum, game) => sum + game.positions, 0);
    this.worked = 0;
    this.engines = new Set();
    this.workers = Math.max(1, Math.min(workers, games.length));
    this.goOn();
    this.finished = Promise.all(Array.from({ length: this.workers }, () => this.work()));
  }

  /** Positions that were searched. */
  get done() {
    return this.games.reduce((sum, game) => sum + game.done, 0);
  }

  get isStopped() {
    return this.since == null;
  }

  get isFinished() {
    return this.games.every((game) => game.state === "done" || game.state === "failed");
  }

  /** The games with reports, in their order. */
  get reported() {
    return this.games.filter((game) => game.report);
  }

  /** Seconds of work that are left, as far as is known; null at the beginning. */
  get secondsLeft() {
    const { done } = this;
    const worked = (this.worked + (this.isStopped ? 0 : performance.now() - this.since)) / 1000;
    return done < 5 || worked < 1 ? null : (worked / done) * (this.positions - done);
  }

  /** Lets each engine finish the position that it searches, and wait. */
  stop() {
    if (this.isStopped) return;
    this.worked += performance.now() - this.since;
    this.since = null;
    this.gate = new Promise((open) => { this.open = open; });
  }

  goOn() {
    if (!this.isStopped) return;
    this.since = performance.now();
    this.open?.();
    this.gate = null;
  }

  /** Gives up what is not done. */
  end() {
    this.queue = [];
    this.engines.forEach((engine) => engine.end());
  }

  /** Analyses one game after the other, with an engine of its own, until there is none. */
  async work() {
    let engine = null;
    let index = null;
    while ((index = this.queue.shift()) !== undefined) {
      const game = this.games[index];
      try {
        engine ??= await this.begin();
        await this.analyse(engine, index, game);
      } catch (error) {
        this.close(engine);
        engine = null;
        if (this.workers > 1 && !game.error) {
          // Perhaps there is no memory for so many engines: the others try it once more.
          Object.assign(game, { state: "waiting", error: error.message, done: 0 });
          this.queue.unshift(index);
          this.workers -= 1;
          return;
        }
        Object.assign(game, { state: "failed", error: error.message, done: game.listed.positions });
      }
      this.changed(index);
    }
    // Whoever is left analyses what comes back.
    this.workers -= 1;
    this.close(engine);
    if (this.isFinished) this.stop();
  }

  async begin() {
    const engine = new Engine();
    this.engines.add(engine);
    await engine.ask({ do: "read", name: this.name }, this.data);
    return engine;
  }

  close(engine) {
    engine?.end();
    this.engines.delete(engine);
  }

  async analyse(engine, index, game) {
    game.state = "running";
    let answer = await engine.ask({ do: "begin", game: index, options: this.options });
    while (!answer.json) {
      if (answer.error) throw new Error(answer.error);
      game.done = answer.done;
      this.changed(index);
      await this.gate;
      answer = await engine.ask({ do: "step" });
    }
    const { players, start, analysis } = JSON.parse(answer.json);
    // As blobs, which the browser need not keep in the memory of the page.
    const [json, entry, pgn] = [answer.json, answer.entry, answer.pgn].map((text) => new Blob([text]));
    Object.assign(game, { state: "done", report: { json, entry, pgn }, summary: { players, wdl: start.wdl, moves: analysis.length } });
  }

  /** The report as `halfpoint analyse` writes it: `html`, `pgn` or `json`, of the games that are done. */
  async file(kind) {
    const reports = this.reported.map((game) => game.report);
    if (kind !== "html") return new Blob(reports.map((report) => report[kind]), { type: "text/plain" });
    const { frame } = await askHere({ do: "frame", title: stem(this.name), arePositions: this.arePositions });
    const entries = reports.flatMap(({ entry }, index) => (index ? [",", entry] : [entry]));
    return new Blob([frame[0], ...entries, frame[1]], { type: "text/html" });
  }
}

/** The name of a file without its endings. */
function stem(name) {
  return name.replace(/\.(gz|zst)$/, "").replace(/\.[^.]*$/, "") || name;
}

/** Seconds in words. */
function secondsText(seconds) {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
