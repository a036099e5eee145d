// The start of the page: its games, addresses and keys.

(() => {
  const games = JSON.parse(document.getElementById("data").textContent).map((report, index) => new Game(report, index));
  const section = document.getElementById("game");
  const options = { flipped: false, view: null, games };
  const mark = games.length > 1 ? gameTable(document.getElementById("list"), games) : () => {};
  let view = null;

  /** Game and ply of the address: #g2 or #g2.15. */
  const place = () => {
    const [, game, ply] = location.hash.match(/^#g(\d+)(?:\.(\d+))?$/) ?? [];
    return { game: games[Number(game) - 1], ply: Number(ply ?? 0) };
  };

  const open = (isLink) => {
    const { game, ply } = place();
    const shown = game ?? view?.game ?? games[0];
    if (view?.game !== shown) {
      options.flipped = false;
      options.moved = null;
      view = new View(section, shown, options);
      mark(shown);
    }
    options.moved = (at) => {
      try {
        history.replaceState(null, "", `#g${shown.index + 1}${at ? `.${at}` : ""}`);
      } catch {
        // Browsers refuse it where it comes too often.
      }
    };
    if (game) view.goTo(ply);
    else view.show();
    if (isLink && game) {
      section.focus({ preventScroll: true });
      section.scrollIntoView();
    }
  };

  window.addEventListener("hashchange", () => open(true));
  window.addEventListener("resize", () => {
    if (view && Math.abs(view.charts.clientWidth - (view.drawnWidth ?? 0)) > 4) view.drawCharts();
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.key !== "Escape") return;
    if (event.target.closest(".scroll")) return;
    const acts = {
      ArrowLeft: () => view.step(-1), ArrowRight: () => view.step(1),
      Home: () => view.goTo(0), End: () => view.goTo(view.game.plies),
      Escape: () => view.back(),
      f: () => view.flip(), n: () => view.nextBad(), t: () => view.tryHere(),
    };
    // With Shift or Caps Lock, and on keyboards of other scripts, where the place of the key counts.
    const letter = /^[a-z]$/i.test(event.key) ? event.key.toLowerCase() : /^Key[FNT]$/.test(event.code) && event.key.length === 1 ? event.code[3].toLowerCase() : event.key;
    const act = acts[letter];
    if (!act) return;
    event.preventDefault();
    act();
  });
  open(Boolean(location.hash));
})();
