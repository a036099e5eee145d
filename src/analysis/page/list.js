// The table of all games or positions.

/** Columns: name, group of names above it, value to show, value to sort by, whether it is a number. */
function columns(kind) {
  const text = (name, value) => ({ name, value, sort: (game) => String(value(game)).toLowerCase() });
  const number = (name, value, digits = 0) => ({
    name, isNumber: true, sort: (game) => value(game) ?? -1,
    value: (game) => (value(game) == null ? "–" : value(game).toFixed(digits)),
  });
  if (kind === "positions") {
    const wdl = (game) => game.chances(0, game.views[0]);
    return [
      number("Line", (game) => game.number),
      { ...text("Position", (game) => game.title), isLink: true },
      text("To move", (game) => (game.blackBegins ? "Black" : "White")),
      text("Best", (game) => game.start.lines[0]?.san.split(" ")[0] ?? "–"),
      { name: "Evaluation", isNumber: true, value: (game) => evaluation(game.start), sort: (game) => expected(wdl(game)) },
      { name: "Chances", value: (game) => chancesBar(wdl(game)), sort: (game) => expected(wdl(game)) },
    ];
  }
  const both = (group, value, digits) => COLORS.map((color) => ({
    ...number(color === "white" ? "White" : "Black", (game) => (game.plies ? value(game.players[color].analysis) : null), digits), group,
  }));
  return [
    number("Game", (game) => game.number),
    { ...text("Players", (game) => game.title), isLink: true },
    text("Result", (game) => game.resultText),
    text("Opening", (game) => game.opening?.eco ?? game.known("ECO") ?? ""),
    text("Date", (game) => game.date),
    number("Moves", (game) => Math.ceil(game.plies / 2)),
    ...both("Points lost", (sum) => sum.lost.total, 2),
    ...both("Mistakes", (sum) => sum.mistake),
    ...both("Blunders", (sum) => sum.blunder),
    ...both("Accuracy", (sum) => sum.accuracy, 1),
  ];
}

/** The head of the table: a row of names, and above it one of groups where there are some. */
function tableHead(all, heads) {
  if (!all.some((column) => column.group)) return element("thead", {}, element("tr", {}, heads));
  const upper = [];
  all.forEach((column, index) => {
    if (!column.group) {
      heads[index].setAttribute("rowspan", 2);
      upper.push(heads[index]);
    } else if (column.group !== all[index - 1]?.group) {
      const span = all.filter((other) => other.group === column.group).length;
      upper.push(element("th", { scope: "colgroup", colspan: span, class: "group" }, column.group));
    }
  });
  return element("thead", {}, element("tr", {}, upper), element("tr", {}, heads.filter((_, index) => all[index].group)));
}

/** Fills the section with the table, sums and a choice of the player. Returns what marks the game that is shown. */
function gameTable(section, games) {
  const kind = document.body.dataset.kind;
  const all = columns(kind);
  let sorted = { column: 0, isDown: false };
  let player = "";
  const body = element("tbody");
  const heads = all.map((column, index) => element("th", { scope: "col", class: column.isNumber ? "number" : "" },
    element("button", { type: "button", "aria-label": column.group ? `${column.group}, ${column.name}` : null, onclick: () => sortBy(index) }, column.name)));
  const rows = new Map(games.map((game) => [game, element("tr", {}, all.map((column) => {
    const content = column.isLink ? element("a", { href: `#g${game.index + 1}` }, game.titleParts()) : column.value(game);
    return column.isLink ? element("th", { scope: "row", title: game.title }, content) : element("td", { class: column.isNumber ? "number" : "" }, content);
  }))]));
  const title = element("h2", { id: "list-title" });
  const sums = element("div", { class: "sums" });
  const draw = () => {
    const { column, isDown } = sorted;
    const shown = games.filter((game) => !player || COLORS.some((color) => game.nameOf(color) === player));
    const order = shown.sort((a, b) => {
      const [x, y] = [all[column].sort(a), all[column].sort(b)];
      return (x < y ? -1 : x > y ? 1 : a.index - b.index) * (isDown ? -1 : 1);
    });
    body.replaceChildren(...order.map((game) => rows.get(game)));
    heads.forEach((head, index) => head.setAttribute("aria-sort", index === column ? (isDown ? "descending" : "ascending") : "none"));
    title.textContent = counted(order.length, kind === "positions" ? "position" : "game");
  };
  const sortBy = (index) => {
    const isSame = sorted.column === index;
    sorted = { column: index, isDown: isSame ? !sorted.isDown : Boolean(all[index].isNumber && index > 0) };
    draw();
  };
  const choose = (name) => {
    player = name;
    draw();
    sums.replaceChildren(...sumsOf(games, player));
  };
  draw();
  const name = kind === "positions" ? "positions" : "games";
  section.replaceChildren(
    element("div", { class: "list-head" }, title, kind === "games" && [
      playerChoice(games, choose), element("button", { type: "button", class: "act", onclick: () => printAll(games, player) }, "Print all"),
    ]),
    element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Table of ${name}` },
      element("table", {}, tableHead(all, heads), body)),
    ...(kind === "games" ? [sums] : []));
  if (kind === "games") sums.replaceChildren(...sumsOf(games, player));
  section.hidden = false;
  return (current) => games.forEach((game) => {
    if (game === current) rows.get(game).setAttribute("aria-current", "true");
    else rows.get(game).removeAttribute("aria-current");
  });
}

/** A choice among the players, those with most games first. */
function playerChoice(games, choose) {
  const counts = new Map();
  for (const game of games) {
    for (const color of COLORS) {
      if (game.players[color].name) counts.set(game.nameOf(color), (counts.get(game.nameOf(color)) ?? 0) + 1);
    }
  }
  const names = [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  const select = element("select", { onchange: () => choose(select.value) },
    element("option", { value: "" }, "all players"),
    names.map(([name, count]) => element("option", { value: name }, `${isolated(name)} (${count})`)));
  return element("label", { class: "player-choice" }, "Games of ", select);
}
