// What is taken away from the page: a picture of the game, PGN, FEN, a way to lichess.

const CARD = { width: 1200, height: 630 };

/** The tools above a game. */
function shareTools(view) {
  const { game } = view;
  const button = (text, label, act) => element("button", { type: "button", class: "act", title: label, onclick: act }, text);
  const lichess = element("a", { class: "act", href: lichessAddress(game, 0, false), rel: "noreferrer" }, "Open on lichess");
  // The address follows the board.
  const update = () => {
    const [ply, more] = view.place();
    lichess.setAttribute("href", lichessAddress(game, ply, view.options.flipped, more));
  };
  lichess.addEventListener("pointerdown", update);
  lichess.addEventListener("focus", update);
  return element("div", { class: "share", role: "group", "aria-label": "Take away" },
    game.plies > 0 && [
      button("Picture", "A picture of the game (PNG)", () => savePicture(game)),
      button("SVG", "The same picture as a drawing (SVG)", () => save(new Blob([cardText(game)], { type: "image/svg+xml" }), fileName(game, "svg"))),
      button("Copy PGN", "The game with its judgements", () => copy(pgnOf(game), "PGN copied")),
    ],
    button("Copy FEN", "The position on the board", () => copy(fenAt(game, ...view.place()), "FEN copied")),
    lichess);
}

/** Puts a text into the clipboard, and says so. */
async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without the right to the clipboard, by a selection.
    const area = element("textarea", { class: "unseen" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  announce(done);
}

/** A word on what was done, for eyes and ears. */
function announce(text) {
  document.getElementById("status").textContent = text;
  const note = element("p", { class: "note", "aria-hidden": "true" }, text);
  document.body.append(note);
  setTimeout(() => note.remove(), 2000);
}

/** A name for a file with the game. */
function fileName(game, ending) {
  const words = COLORS.map((color) => game.nameOf(color).split(",")[0].replace(/[^\p{L}\p{N}]+/gu, "-"));
  return `${words.join("-")}.${ending}`;
}

function save(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** The card as PNG, twice as large for sharp screens. */
async function savePicture(game) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(cardText(game))}`;
  await image.decode();
  const canvas = element("canvas", { width: 2 * CARD.width, height: 2 * CARD.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => save(blob, fileName(game, "png")), "image/png");
}

/** The colours and letters of the card: those of the page by day. */
const CARD_STYLE = `
  text { font-family: system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #23211d; }
  .soft { fill: #655f55; } .bold { font-weight: 700; }
  .light { fill: #eee3cf; } .dark { fill: #ad8a68; } .marked { fill: #e2b23a; fill-opacity: .5; } .name { display: none; }
  .arrow.best { fill: #2f8f4e; fill-opacity: .85; } .arrow.worse { fill: #c2282d; fill-opacity: .85; }
  path.win { fill: #fbf6e9; } path.draw { fill: #b4bac2; } path.loss { fill: #3a3f47; }
  path.expected { fill: none; stroke: #d1521a; stroke-width: 2; }
  .axes line { stroke: #a49d8e; stroke-dasharray: 2 4; } .axes text { font-size: 11px; fill: #655f55; }
  line.phase, text.phase, .cursor { display: none; }
  .mark circle { fill: #fffefb; stroke: #84590a; stroke-width: 2; }
  .mark.mistake circle { stroke: #b24708; } .mark.blunder circle { stroke: #b3191d; } .mark text { font-size: 10.5px; font-weight: 700; }
`;

/** The card as a drawing that needs nothing else. */
function cardText(game) {
  const worst = game.worst;
  const card = drawing("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${CARD.width} ${CARD.height}`, width: CARD.width, height: CARD.height });
  const defs = drawing("defs");
  defs.append(...[...document.querySelectorAll("symbol")].map((symbol) => symbol.cloneNode(true)));
  card.append(drawing("style", {}, CARD_STYLE), defs, drawing("rect", { width: "100%", height: "100%", fill: "#f6f4ef" }));
  const place = (picture, x, y, width, height) => {
    for (const [name, value] of Object.entries({ x, y, width, height })) picture.setAttribute(name, value);
    card.append(picture);
  };
  const write = (text, x, y, size, extra = {}, room = 640) => card.append(drawing("text", { x, y, "font-size": size, ...extra }, fitted(text, size, room, extra.class)));
  const ply = worst || game.plies;
  place(drawBoard(game.boards[worst ? worst - 1 : game.plies], {
    flipped: worst > 0 && !game.isWhiteMove(worst), last: worst ? null : game.analysis[ply - 1].uci, arrows: worst ? badMoveArrows(game, worst) : [],
  }), 40, 75, 480, 480);
  write(worst ? `${game.moveText(worst)} lost ${points(game.analysis[worst - 1].lost.total)} points` : "The last position", 40, 55, 24, { class: "bold" }, 480);
  if (worst && game.analysis[worst - 1].best) {
    const better = game.withNumber(worst, game.positions[worst - 1].lines[0].san.split(" ")[0]);
    write(`Green: ${better} was better`, 40, 588, 20, { class: "soft" }, 480);
  }
  COLORS.forEach((color, index) => {
    const { rating, analysis } = game.players[color];
    const y = 76 + 82 * index;
    card.append(drawing("circle", { cx: 568, cy: y - 10, r: 9, fill: index ? "#3a3f47" : "#fbf6e9", stroke: "#a49d8e", "stroke-width": 2 }));
    write(isolated(game.nameOf(color)) + (rating ? ` ${rating}` : ""), 590, y, 30, { class: "bold" }, index ? 570 : 420);
    const accuracy = analysis.accuracy == null ? "" : `${percent(10 * analysis.accuracy)} accuracy, `;
    write(`${accuracy}${counted(analysis.blunder, "blunder")}, ${counted(analysis.mistake, "mistake")}, ${points(analysis.lost.total)} points lost`, 590, y + 31, 20, { class: "soft" }, 570);
  });
  write(game.resultText, 1160, 78, 40, { class: "bold", "text-anchor": "end" }, 140);
  write(game.openingText, 560, 232, 20, {}, 600);
  write([game.known("Event"), game.date, game.clockName].filter(Boolean).map(isolated).join(", "), 560, 262, 20, { class: "soft" }, 600);
  place(chancesPicture(game, 600, game.views[0]), 560, 290, 600, 260);
  write("White wins, draw, Black wins", 560, 588, 20, { class: "soft" });
  write(game.engine, 1160, 588, 20, { class: "soft", "text-anchor": "end" });
  return new XMLSerializer().serializeToString(card);
}

/** The text, cut to a width. */
function fitted(text, size, room, name = "") {
  const pen = element("canvas").getContext("2d");
  pen.font = `${name.includes("bold") ? "700 " : ""}${size}px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`;
  if (pen.measureText(text).width <= room) return text;
  const letters = [...text];
  while (letters.length && pen.measureText(`${letters.join("")}…`).width > room) letters.pop();
  return `${letters.join("")}…`;
}
