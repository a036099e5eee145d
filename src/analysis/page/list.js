// The table of all games or positions.

/** Columns: name, value to show, value to sort by, whether it is a number. */
function columns(kind) {
  const analysis = (color, value) => (game) => value(game.players[color].analysis);
  const text = (name, value) => ({ name, value, sort: (game) => String(value(game)).toLowerCase() });
  const number = (name, value, digits = 0) => ({
    name, isNumber: true, sort: (game) => value(game) ?? -1,
    value: (game) => (value(game) == null ? "–" : value(game).toFixed(digits)),
  });
  if (kind === "positions") {
    return [
      number("Line", (game) => game.number),
      { ...text("Position", (game) => game.title), isLink: true },
      text("To move", (game) => (game.blackBegins ? "Black" : "White")),
      text("Best", (game) => game.start.lines[0]?.san.split(" ")[0] ?? "–"),
      { name: "Evaluation", isNumber: true, value: (game) => evaluation(game.start), sort: (game) => game.start.expected },
      { name: "Chances", value: (game) => chancesBar(game.start.wdl), sort: (game) => game.start.expected },
    ];
  }
  const both = (name, value, digits) => ["white", "black"].map((color) =>
    number(`${name} ${color === "white" ? "W" : "B"}`, analysis(color, value), digits));
  return [
    number("Game", (game) => game.number),
    { ...text("Players", (game) => game.title), isLink: true },
    text("Result", (game) => game.result.replace("1/2-1/2", "½–½")),
    text("Date", (game) => (game.tags.Date ?? "").replace(/\.?\?+/g, "")),
    number("Moves", (game) => Math.ceil(game.plies / 2)),
    ...both("Lost", (sum) => sum.lost.total, 2),
    ...both("Mistakes", (sum) => sum.mistake + sum.blunder),
    ...both("Accuracy", (sum) => sum.accuracy, 1),
  ];
}

/** Fills the section with the table; `current` marks the game that is shown. */
function gameTable(section, games) {
  const kind = document.body.dataset.kind;
  const all = columns(kind);
  let sorted = { column: 0, isDown: false };
  const body = element("tbody");
  const heads = all.map((column, index) => element("th", { scope: "col", class: column.isNumber ? "number" : "" },
    element("button", { type: "button", onclick: () => sortBy(index) }, column.name)));
  const rows = new Map(games.map((game) => [game, element("tr", {}, all.map((column) => {
    const value = column.value(game);
    const content = column.isLink ? element("a", { href: `#g${game.index + 1}` }, value) : value;
    return column.isLink ? element("th", { scope: "row" }, content) : element("td", { class: column.isNumber ? "number" : "" }, content);
  }))]));
  const draw = () => {
    const { column, isDown } = sorted;
    const order = games.slice().sort((a, b) => {
      const [x, y] = [all[column].sort(a), all[column].sort(b)];
      return (x < y ? -1 : x > y ? 1 : a.index - b.index) * (isDown ? -1 : 1);
    });
    body.replaceChildren(...order.map((game) => rows.get(game)));
    heads.forEach((head, index) => head.setAttribute("aria-sort", index === column ? (isDown ? "descending" : "ascending") : "none"));
  };
  const sortBy = (index) => {
    const isSame = sorted.column === index;
    sorted = { column: index, isDown: isSame ? !sorted.isDown : Boolean(all[index].isNumber && index > 0) };
    draw();
  };
  draw();
  const title = kind === "positions" ? "Positions" : "Games";
  section.replaceChildren(
    element("h2", { id: "list-title" }, `${games.length} ${title.toLowerCase()}`),
    element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Table of ${title.toLowerCase()}` },
      element("table", {}, element("thead", {}, element("tr", {}, heads)), body)));
  section.hidden = false;
  return (current) => games.forEach((game) => {
    if (game === current) rows.get(game).setAttribute("aria-current", "true");
    else rows.get(game).removeAttribute("aria-current");
  });
}
