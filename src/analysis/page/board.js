// The board: positions, and their picture.

const FILES = "abcdefgh";

/** The pieces of a FEN, by square from a8 to h1: letters as in the FEN, or null. */
function readBoard(fen) {
  const squares = [];
  for (const letter of fen.split(" ")[0].replaceAll("/", "")) {
    if (letter >= "1" && letter <= "8") squares.push(...Array(Number(letter)).fill(null));
    else squares.push(letter);
  }
  return squares;
}

/** The index of a square such as e4. */
function squareIndex(name) {
  return FILES.indexOf(name[0]) + 8 * (8 - Number(name[1]));
}

/** The board after a legal move in UCI notation; castling may be written as king takes rook. */
function play(board, uci) {
  const after = board.slice();
  const from = squareIndex(uci);
  const to = squareIndex(uci.slice(2));
  const piece = board[from];
  const isWhite = piece === piece.toUpperCase();
  after[from] = null;
  if (piece.toLowerCase() === "k") {
    const rook = isWhite ? "R" : "r";
    const takesRook = board[to] === rook;
    if (takesRook || Math.abs((to % 8) - (from % 8)) === 2 && board[to] == null) {
      const kingSide = to > from;
      const row = from - (from % 8);
      const corner = takesRook ? to : row + (kingSide ? 7 : 0);
      after[corner] = null;
      after[row + (kingSide ? 6 : 2)] = piece;
      after[row + (kingSide ? 5 : 3)] = rook;
      return after;
    }
  }
  if (piece.toLowerCase() === "p" && from % 8 !== to % 8 && board[to] == null) {
    after[to + (isWhite ? 8 : -8)] = null;
  }
  const promotion = uci[4];
  after[to] = promotion ? (isWhite ? promotion.toUpperCase() : promotion) : piece;
  return after;
}

/** The pieces in words, for screen readers. */
function describeBoard(board) {
  const names = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
  const side = (isWhite) =>
    Object.entries(names).flatMap(([letter, name]) => {
      const own = isWhite ? letter.toUpperCase() : letter;
      const places = board.flatMap((piece, index) => (piece === own ? [FILES[index % 8] + (8 - Math.floor(index / 8))] : []));
      return places.length ? [`${name} ${places.join(" ")}`] : [];
    });
  return `White: ${side(true).join(", ")}. Black: ${side(false).join(", ")}.`;
}

/** The picture of a board. `arrows` are {uci, kind}, `last` is the move that led here; `chosen` and `dots` are squares. */
function drawBoard(board, { flipped, last, arrows, chosen = null, dots = [] }) {
  const at = (index) => {
    const [file, row] = [index % 8, Math.floor(index / 8)];
    return flipped ? [7 - file, 7 - row] : [file, row];
  };
  const picture = drawing("svg", { viewBox: "0 0 360 360", role: "img", "aria-label": describeBoard(board), class: "squares" });
  const marked = last ? [squareIndex(last), squareIndex(last.slice(2))] : [chosen];
  for (let index = 0; index < 64; index++) {
    const [x, y] = at(index);
    const shade = (index % 8 + Math.floor(index / 8)) % 2 ? "dark" : "light";
    picture.append(drawing("rect", { x: 45 * x, y: 45 * y, width: 45, height: 45, class: shade }));
    if (marked.includes(index)) {
      picture.append(drawing("rect", { x: 45 * x, y: 45 * y, width: 45, height: 45, class: "marked" }));
    }
    if (x === 0) picture.append(drawing("text", { x: 2, y: 45 * y + 10, class: `name on-${shade}` }, String(8 - Math.floor(index / 8))));
    if (y === 7) picture.append(drawing("text", { x: 45 * x + 37, y: 357, class: `name on-${shade}` }, FILES[index % 8]));
  }
  board.forEach((piece, index) => {
    if (!piece) return;
    const [x, y] = at(index);
    const name = (piece === piece.toUpperCase() ? "w" : "b") + piece.toUpperCase();
    picture.append(drawing("use", { href: `#${name}`, x: 45 * x, y: 45 * y, width: 45, height: 45 }));
  });
  for (const square of dots) {
    const [x, y] = at(square);
    picture.append(drawing("circle", { cx: 45 * x + 22.5, cy: 45 * y + 22.5, r: 8, class: "dot" }));
  }
  for (const { uci, kind } of arrows) picture.append(arrow(at(squareIndex(uci)), at(squareIndex(uci.slice(2))), kind));
  return picture;
}

/** An arrow between the middles of two squares. */
function arrow([fromX, fromY], [toX, toY], kind) {
  const [x1, y1, x2, y2] = [fromX, fromY, toX, toY].map((square) => 45 * square + 22.5);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const point = (along, aside) => `${(x1 + dx * along - dy * aside).toFixed(1)},${(y1 + dy * along + dx * aside).toFixed(1)}`;
  const neck = length - 14;
  const corners = [point(10, 3.5), point(neck, 3.5), point(neck, 9), point(length - 1, 0), point(neck, -9), point(neck, -3.5), point(10, -3.5)];
  return drawing("polygon", { points: corners.join(" "), class: `arrow ${kind}` });
}
