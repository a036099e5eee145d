// Games and positions as text: FEN, PGN, and moves in standard algebraic notation.

/** The FEN after a ply, and after more moves from there. */
function fenAt(game, ply, more = []) {
  const moves = [...game.analysis.slice(0, ply).map((move) => move.uci), ...more];
  const boards = more.reduce((all, uci) => [...all, play(all.at(-1), uci)], game.boards.slice(0, ply + 1));
  const [, , rights, , halfmoves] = game.initialFen.split(" ");
  const start = game.boards[0];
  const rooks = new Set(rights === "-" ? [] : [...rights].map((letter) => rookOf(start, letter)));
  let clock = Number(halfmoves) || 0;
  for (const [at, uci] of moves.entries()) {
    const before = boards[at];
    const [from, to] = ends(uci);
    const piece = before[from];
    const takesOwn = before[to] && isWhitePiece(before[to]) === isWhitePiece(piece);
    clock = piece.toLowerCase() === "p" || (before[to] && !takesOwn) ? 0 : clock + 1;
    if (piece.toLowerCase() === "k") {
      const isWhite = piece === "K";
      for (const rook of rooks) if ((start[rook] === "R") === isWhite) rooks.delete(rook);
    }
    rooks.delete(from);
    rooks.delete(to);
  }
  const board = boards.at(-1);
  const halves = moves.length + (game.blackBegins ? 1 : 0);
  const isWhite = halves % 2 === 0;
  const number = game.firstNumber + Math.floor(halves / 2);
  // White's before Black's.
  const inOrder = (letter) => "KQkq".indexOf(letter) + (letter === letter.toLowerCase() ? 10 : 0);
  const letters = [...rooks].map((rook) => rightOf(board, rook)).sort((a, b) => inOrder(a) - inOrder(b)).join("");
  const passed = moves.length === 0 ? game.initialFen.split(" ")[3] : passedSquare(board, boards.at(-2), moves.at(-1));
  return [placement(board), isWhite ? "w" : "b", letters || "-", passed, clock, number].join(" ");
}

function isWhitePiece(piece) {
  return piece === piece.toUpperCase();
}

/** From and to of a move, as indices. */
function ends(uci) {
  return [squareIndex(uci), squareIndex(uci.slice(2))];
}

/** The rooks of a side on the row of its king, from the a-file, and the king. */
function homeRow(board, isWhite) {
  const [king, rook] = isWhite ? ["K", "R"] : ["k", "r"];
  const place = board.indexOf(king);
  const row = place - (place % 8);
  const squares = Array.from({ length: 8 }, (_, file) => row + file);
  return { place, row, rooks: squares.filter((square) => board[square] === rook) };
}

/** The square of the rook that a letter of castling rights names. */
function rookOf(board, letter) {
  const { place, row, rooks } = homeRow(board, letter === letter.toUpperCase());
  const lower = letter.toLowerCase();
  if (lower === "k") return Math.max(...rooks.filter((rook) => rook > place));
  if (lower === "q") return Math.min(...rooks.filter((rook) => rook < place));
  return row + FILES.indexOf(lower);
}

/** The letter of the right to castle with a rook; that of its file where another rook is farther out. */
function rightOf(board, rook) {
  const isWhite = board[rook] === "R";
  const { place, rooks } = homeRow(board, isWhite);
  const isOutermost = rook === (rook > place ? Math.max(...rooks) : Math.min(...rooks));
  const letter = isOutermost ? (rook > place ? "k" : "q") : FILES[rook % 8];
  return isWhite ? letter.toUpperCase() : letter;
}

/** The square that a pawn has passed, if a pawn stands beside it. */
function passedSquare(board, before, uci) {
  const [from, to] = ends(uci);
  const pawn = before[from];
  if (pawn.toLowerCase() !== "p" || Math.abs(to - from) !== 16) return "-";
  const other = pawn === "P" ? "p" : "P";
  const isBeside = [to - 1, to + 1].some((square) => Math.floor(square / 8) === Math.floor(to / 8) && board[square] === other);
  return isBeside ? squareName((from + to) / 2) : "-";
}

function squareName(index) {
  return FILES[index % 8] + (8 - Math.floor(index / 8));
}

function placement(board) {
  const rows = Array.from({ length: 8 }, (_, row) => board.slice(8 * row, 8 * row + 8).map((piece) => piece ?? "1").join(""));
  return rows.join("/").replace(/1+/g, (ones) => ones.length);
}

/** The game as PGN: tags, moves, judgements, comments and variations of the file. */
function pgnOf(game) {
  const quoted = (text) => text.replace(/\\/g, "\\\\").replace(/"/g, '\\"');
  const roster = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
  const tags = Object.fromEntries([...roster.map((name) => [name, game.tags[name] ?? "?"]), ...Object.entries(game.tags)]);
  tags.Result = game.result;
  if (game.variant !== "standard") Object.assign(tags, { SetUp: "1", FEN: game.initialFen });
  if (game.variant === "chess960") tags.Variant = "Chess960";
  const words = [];
  const remarks = (ply) => {
    const { comments = [], variations = [] } = game.remarkAt(ply) ?? {};
    words.push(...comments.map((text) => `{${text.replace(/[{}]/g, "")}}`), ...variations.map((line) => `(${line})`));
    return comments.length + variations.length > 0;
  };
  let needsNumber = remarks(0) || true;
  for (let ply = 1; ply <= game.plies; ply++) {
    const san = game.sans[ply - 1];
    words.push(needsNumber || game.isWhiteMove(ply) ? game.withNumber(ply, san) : san);
    const glyph = { "!": 1, "?": 2, "??": 4, "?!": 6, "□": 7 }[sign(game.analysis[ply - 1])];
    if (glyph) words.push(`$${glyph}`);
    needsNumber = remarks(ply);
  }
  const head = Object.entries(tags).map(([name, value]) => `[${name} "${quoted(value)}"]\n`).join("");
  return `${head}\n${[...words, game.result].join(" ")}\n`;
}

/** A legal move in standard algebraic notation, without signs of check; `choices` are all legal moves in UCI notation. */
function sanOf(board, uci, choices) {
  const [from, to] = ends(uci);
  const piece = board[from].toUpperCase();
  const takesOwn = board[to] && isWhitePiece(board[to]) === isWhitePiece(board[from]);
  if (piece === "K" && (takesOwn || Math.abs(to - from) === 2)) return to > from ? "O-O" : "O-O-O";
  const takes = board[to] || (piece === "P" && from % 8 !== to % 8) ? "x" : "";
  const target = squareName(to);
  if (piece === "P") return `${takes ? FILES[from % 8] : ""}${takes}${target}${uci[4] ? `=${uci[4].toUpperCase()}` : ""}`;
  const others = choices.filter((other) => other !== uci && ends(other)[1] === to && board[ends(other)[0]] === board[from]).map((other) => ends(other)[0]);
  const sameFile = others.some((other) => other % 8 === from % 8);
  const sameRow = others.some((other) => Math.floor(other / 8) === Math.floor(from / 8));
  const name = squareName(from);
  const which = !others.length ? "" : !sameFile ? name[0] : !sameRow ? name[1] : name;
  return `${piece}${which}${takes}${target}`;
}

/** The moves that a word may mean, as games spell them; `choices` are all legal moves in UCI notation. */
function movesOf(board, text, choices) {
  const bare = (word) => word.replace(/e\.?p\.?(?=\W*$)|[^a-h1-8KQRBNPOo0qrn]/g, "").replace(/[qrbn]$/, (role) => role.toUpperCase()).replace(/^[o0]+$/i, (wing) => "O".repeat(wing.length));
  const word = bare(text);
  if (choices.includes(text.trim())) return [text.trim()];
  return choices.filter((uci) => {
    const [from, to] = ends(uci);
    const [role, san] = [board[from].toUpperCase(), bare(sanOf(board, uci, choices))];
    const [goals, short] = [[uci], (role === "P" ? "" : role) + uci.slice(2, 4)];
    const spellings = [san];
    if (san.startsWith("O")) {
      const rook = homeRow(board, isWhitePiece(board[from])).rooks.at(to > from ? -1 : 0);
      goals.push(...[castlingTarget(board, uci) ?? to, rook].map((goal) => squareName(from) + squareName(goal)));
    } else spellings.push(short, short + san.match(/[QRBN]?$/));
    goals.forEach((goal) => spellings.push(bare(goal), role + bare(goal)));
    return spellings.includes(word);
  });
}

/** What is wrong with a word that means these moves. */
function wrongMove(board, text, moves, choices) {
  return moves.length ? `${text} may be ${moves.map((uci) => sanOf(board, uci, choices)).join(" or ")}` : `${text} is no legal move here`;
}

/** The address of a position on lichess, or of a game from its first position with its moves; `more` are moves beside the game. */
function lichessAddress(game, ply, flipped, more = []) {
  const side = flipped ? "?color=black" : "";
  const moves = game.sans.join("_");
  if (game.variant === "standard" && game.plies > 0 && moves.length < 4000 && more.length === 0) {
    return `https://lichess.org/analysis/pgn/${encodeURIComponent(moves)}${side}#${ply}`;
  }
  const variant = game.variant === "chess960" ? "chess960" : "standard";
  return `https://lichess.org/analysis/${variant}/${fenAt(game, ply, more).replaceAll(" ", "_")}${side}`;
}
