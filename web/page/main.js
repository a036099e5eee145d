// The start of the page: its parts, and what goes from one to another.

(() => {
  const sections = Object.fromEntries(["games", "report", "live"].map((name) => [name, document.getElementById(name)]));
  const buttons = [...document.querySelectorAll("[data-part]")];
  const go = (name) => {
    for (const [other, section] of Object.entries(sections)) section.hidden = other !== name;
    buttons.forEach((button) => {
      if (button.dataset.part === name) button.setAttribute("aria-current", "page");
      else button.removeAttribute("aria-current");
    });
    live.setActive(name === "live");
  };
  const live = new LiveBoard(sections.live);
  const report = new Report(sections.report, {
    playOn: async (listed, json, ply) => {
      go("live");
      // The button that was pressed is hidden now.
      document.getElementById("main").focus();
      live.takeGame(listed, JSON.parse(await json.text()), ply);
    },
    opened: (page) => games.takeDrops(page),
  });
  const openReport = (index) => {
    go("report");
    report.show(index);
  };
  const reportButton = buttons.find((button) => button.dataset.part === "report");
  const games = new Games(sections.games, {
    began: (run) => {
      report.take(run);
      reportButton.disabled = true;
    },
    ready: () => { reportButton.disabled = false; },
    open: openReport,
    show: () => go("games"),
  });
  buttons.forEach((button) => button.addEventListener("click", () => (button.dataset.part === "report" ? openReport() : go(button.dataset.part))));
  document.addEventListener("keydown", (event) => {
    if (!sections.live.hidden && !event.altKey && !event.ctrlKey && !event.metaKey && !event.target.closest("input, select, textarea, .scroll")) live.key(event);
  });
  window.addEventListener("beforeunload", (event) => {
    if (games.run && !games.run.isFinished) event.preventDefault();
  });
  engineModule.catch((error) => games.fail(`The engine cannot start in this browser: ${error.message}`));
  go("games");
})();
