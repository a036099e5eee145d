//! The board and its rules: shakmaty's [`Chess`] plus what a search needs.
//!
//! ```
//! use halfpoint::position::Position;
//!
//! let start = Position::default();
//! let m = start.parse_move("e2e4").unwrap();
//! let after = start.play(m);
//! assert_eq!(after.key(), Position::from_fen(&after.fen(), false).unwrap().key());
//! assert_eq!(start.perft(3), 8902);
//! ```

mod checks;
mod chess_move;
mod key;
mod material;
mod movegen;
mod see;

pub use checks::CheckSquares;
pub use chess_move::{Move, Tag};
pub use material::Material;
pub use movegen::MoveList;
pub use see::SEE_VALUE;

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::uci::UciMove;
use shakmaty::{
    Bitboard, Board, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, File, FromSetup, KnownOutcome, Piece,
    Position as _, PositionError, Rank, Role, Square, attacks,
};
use thiserror::Error;

/// Plies without capture or pawn move after which a game is drawn.
pub const FIFTY_MOVES: u32 = 100;

/// A position that can be played on, with its keys, checkers and pins kept up to date.
///
/// Two positions with the same [`key`](Position::key) are the same in the sense of the repetition rule.
#[derive(Clone, Debug)]
pub struct Position {
    chess: Chess,
    key: u64,
    pawn_key: u64,
    minor_key: u64,
    piece_keys: [u64; 2],
    material: Material,
    checkers: Bitboard,
    pinned: Bitboard,
    en_passant: Option<Square>,
    reversible_plies: u32,
    /// Role on each square: quicker to ask than the bitboards.
    roles: [Option<Role>; 64],
}

/// Why a FEN was refused.
#[derive(Debug, Error)]
pub enum InvalidFen {
    /// Not in the form of a FEN.
    #[error("malformed FEN '{fen}': {reason}")]
    Malformed {
        /// The text.
        fen: String,
        /// What shakmaty found.
        reason: ParseFenError,
    },
    /// The position cannot be played.
    #[error("{reason} in FEN '{fen}'")]
    Impossible {
        /// The text.
        fen: String,
        /// What is wrong with the position.
        reason: String,
    },
}

/// Why a move was refused.
#[derive(Debug, Error)]
pub enum InvalidMove {
    /// Not in the form of a UCI move.
    #[error("malformed move '{0}'")]
    Malformed(String),
    /// The rules forbid it.
    #[error("illegal move '{text}' in '{fen}'")]
    Illegal {
        /// The move.
        text: String,
        /// The position it was given for.
        fen: String,
    },
}

impl Default for Position {
    fn default() -> Position {
        Position::from_chess(Chess::default())
    }
}

impl Position {
    /// Reads a FEN. Counters may be missing. With `chess960`, castling rights of any king and rook files are taken.
    ///
    /// Unreachable positions are accepted as long as they can be played.
    ///
    /// # Errors
    ///
    /// [`InvalidFen`] if the text is no FEN, or if the position breaks the rules: kings missing or too many, pawns on
    /// the first or last rank, the side not to move in check, castling rights without king and rook in place, an
    /// impossible en passant square, or more than 32 men.
    pub fn from_fen(fen: &str, chess960: bool) -> Result<Position, InvalidFen> {
        let parsed: Fen = fen.parse().map_err(|reason| InvalidFen::Malformed { fen: fen.to_owned(), reason })?;
        let impossible = |reason: String| InvalidFen::Impossible { fen: fen.to_owned(), reason };
        let men = parsed.as_setup().board.occupied().count();
        if men > 32 {
            return Err(impossible(format!("{men} men on the board, more than 32")));
        }
        let chess = Chess::from_setup(parsed.into_setup(), CastlingMode::from_chess960(chess960))
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .map_err(|error| impossible(error.to_string()))?;
        Ok(Position::from_chess(chess))
    }

    /// Takes a position of shakmaty's.
    #[must_use]
    pub fn from_chess(chess: Chess) -> Position {
        let mut position = Position {
            key: 0,
            pawn_key: 0,
            minor_key: 0,
            piece_keys: [0; 2],
            material: Material::default(),
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            en_passant: chess.legal_ep_square(),
            reversible_plies: chess.halfmoves(),
            roles: [None; 64],
            chess,
        };
        for (square, piece) in position.chess.board().clone() {
            position.toggle(square, piece);
            position.roles[square as usize] = Some(piece.role);
            position.material.add(piece, square);
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if position.chess.castles().has(color, side) {
                    position.key ^= key::castling(color, side);
                }
            }
        }
        if let Some(square) = position.en_passant {
            position.key ^= key::en_passant(square.file());
        }
        if position.turn() == Color::White {
            position.key ^= key::white_turn();
        }
        position.update_threats();
        position
    }

    /// The position as shakmaty has it.
    #[inline]
    #[must_use]
    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    /// Where the pieces are.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board {
        self.chess.board()
    }

    /// Whose move it is.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> Color {
        self.chess.turn()
    }

    /// Zobrist key: shakmaty's published values, en passant only where such a capture is legal.
    #[inline]
    #[must_use]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Zobrist key of men and castling rights, whoever is to move.
    #[inline]
    #[must_use]
    pub fn board_key(&self) -> u64 {
        let turn = if self.turn() == Color::White { key::white_turn() } else { 0 };
        self.key ^ turn ^ self.en_passant_key()
    }

    #[inline]
    fn en_passant_key(&self) -> u64 {
        self.en_passant.map_or(0, |square| key::en_passant(square.file()))
    }

    /// Key for the transposition table: beside the position it tells, in steps of ten plies, how near the fifty-move
    /// draw is.
    #[inline]
    #[must_use]
    pub fn table_key(&self) -> u64 {
        self.key ^ key::clock(self.halfmoves())
    }

    /// Zobrist key of the pawns alone.
    #[inline]
    #[must_use]
    pub fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// Zobrist key of the pawns and kings alone.
    #[inline]
    #[must_use]
    pub fn pawn_king_key(&self) -> u64 {
        let king = |color: Color| key::piece(self.king(color), color.king());
        self.pawn_key ^ king(Color::White) ^ king(Color::Black)
    }

    /// Zobrist key of knights, bishops and kings.
    #[inline]
    #[must_use]
    pub fn minor_key(&self) -> u64 {
        self.minor_key
    }

    /// Zobrist key of one colour's men other than pawns.
    #[inline]
    #[must_use]
    pub fn piece_key(&self, color: Color) -> u64 {
        self.piece_keys[color as usize]
    }

    /// The numbers of men.
    #[inline]
    #[must_use]
    pub fn material(&self) -> Material {
        self.material
    }

    /// The pieces that give check.
    #[inline]
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    #[must_use]
    pub fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    #[must_use]
    pub fn halfmoves(&self) -> u32 {
        self.chess.halfmoves()
    }

    /// Plies back to which a repetition is possible: since the last capture, pawn move or null move.
    #[inline]
    #[must_use]
    pub fn reversible_plies(&self) -> u32 {
        self.reversible_plies
    }

    /// Squares with pieces of one colour and role.
    #[inline]
    #[must_use]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.board().by_color(color) & self.board().by_role(role)
    }

    /// Where the king of a colour stands.
    #[inline]
    #[must_use]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, Role::King).first().expect("both kings are on the board")
    }

    /// Whether a colour has a piece beside king and pawns.
    #[inline]
    #[must_use]
    pub fn has_pieces(&self, color: Color) -> bool {
        (self.board().by_color(color) & !self.board().pawns() & !self.board().kings()).any()
    }

    /// The role of the man on a square.
    #[inline]
    #[must_use]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.roles[square as usize]
    }

    /// The piece that a move takes.
    #[inline(always)]
    #[must_use]
    pub fn captured(&self, m: Move) -> Option<Role> {
        if m.is_castle() {
            None
        } else if m.is_en_passant() {
            Some(Role::Pawn)
        } else {
            self.role_at(m.to())
        }
    }

    /// The piece that moves; a pawn where the origin is empty.
    #[inline(always)]
    #[must_use]
    pub fn moving(&self, m: Move) -> Role {
        self.role_at(m.from()).unwrap_or(Role::Pawn)
    }

    /// Whether a move takes something or promotes.
    #[inline]
    #[must_use]
    pub fn is_noisy(&self, m: Move) -> bool {
        (!m.is_castle() && self.board().occupied().contains(m.to()))
            || matches!(m.tag(), Some(Tag::EnPassant | Tag::Promotion(_)))
    }

    /// The move as shakmaty spells it.
    #[inline]
    #[must_use]
    pub fn to_shakmaty(&self, m: Move) -> shakmaty::Move {
        let (from, to) = (m.from(), m.to());
        match m.tag() {
            Some(Tag::Castle) => shakmaty::Move::Castle { king: from, rook: to },
            Some(Tag::EnPassant) => shakmaty::Move::EnPassant { from, to },
            tag => shakmaty::Move::Normal {
                role: self.moving(m),
                from,
                capture: self.role_at(to),
                to,
                promotion: match tag {
                    Some(Tag::Promotion(role)) => Some(role),
                    _ => None,
                },
            },
        }
    }

    /// A move of shakmaty's in sixteen bits.
    #[must_use]
    pub fn from_shakmaty(m: shakmaty::Move) -> Move {
        match m {
            shakmaty::Move::Castle { king, rook } => Move::new(king, rook, Tag::Castle),
            shakmaty::Move::EnPassant { from, to } => Move::new(from, to, Tag::EnPassant),
            shakmaty::Move::Normal { from, to, promotion: Some(role), .. } => Move::new(from, to, Tag::Promotion(role)),
            shakmaty::Move::Normal { from, to, .. } => Move::normal(from, to),
            shakmaty::Move::Put { .. } => Move::NONE,
        }
    }

    /// The table key after a move, but for changes of castling and en passant rights and for castling itself: good enough to
    /// ask for a table entry early.
    #[inline(always)]
    #[must_use]
    pub fn likely_key_after(&self, m: Move) -> u64 {
        let color = self.turn();
        let role = self.moving(m);
        let mut key = self.key ^ key::white_turn() ^ key::piece(m.from(), role.of(color));
        key ^= key::piece(m.to(), m.promotion().unwrap_or(role).of(color));
        if let Some(captured) = self.role_at(m.to()) {
            key ^= key::piece(m.to(), captured.of(!color));
            key
        } else {
            key ^ key::clock(if role == Role::Pawn { 0 } else { self.halfmoves().saturating_add(1) })
        }
    }

    /// The position after a legal move.
    #[inline]
    #[must_use]
    pub fn play(&self, m: Move) -> Position {
        let mut next = self.clone();
        let color = self.turn();
        let spelled = self.to_shakmaty(m);
        let rights = self.chess.castles().castling_rights();
        next.chess.play_unchecked(spelled);
        next.key ^= key::white_turn();
        match spelled {
            shakmaty::Move::Normal { role, from, capture, to, promotion } => {
                next.toggle(from, role.of(color));
                next.toggle(to, promotion.unwrap_or(role).of(color));
                next.roles[from as usize] = None;
                next.roles[to as usize] = Some(promotion.unwrap_or(role));
                if let Some(captured) = capture {
                    next.toggle(to, captured.of(!color));
                    next.material.remove(captured.of(!color), to);
                }
                if let Some(promoted) = promotion {
                    next.material.remove(color.pawn(), from);
                    next.material.add(promoted.of(color), to);
                }
            }
            shakmaty::Move::EnPassant { from, to } => {
                let taken = Square::from_coords(to.file(), from.rank());
                next.toggle(from, color.pawn());
                next.toggle(to, color.pawn());
                next.toggle(taken, color.other().pawn());
                next.material.remove(color.other().pawn(), taken);
                next.roles[from as usize] = None;
                next.roles[taken as usize] = None;
                next.roles[to as usize] = Some(Role::Pawn);
            }
            shakmaty::Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                next.toggle(king, color.king());
                next.toggle(rook, color.rook());
                next.toggle(side.king_to(color), color.king());
                next.toggle(side.rook_to(color), color.rook());
                next.roles[king as usize] = None;
                next.roles[rook as usize] = None;
                next.roles[side.king_to(color) as usize] = Some(Role::King);
                next.roles[side.rook_to(color) as usize] = Some(Role::Rook);
            }
            shakmaty::Move::Put { .. } => {}
        }
        if rights != next.chess.castles().castling_rights() {
            for color in Color::ALL {
                for side in CastlingSide::ALL {
                    if self.chess.castles().has(color, side) != next.chess.castles().has(color, side) {
                        next.key ^= key::castling(color, side);
                    }
                }
            }
        }
        next.set_en_passant(next.chess.legal_en_passant_after_push());
        next.reversible_plies = if spelled.is_zeroing() { 0 } else { self.reversible_plies.saturating_add(1) };
        next.update_threats();
        next
    }

    /// The position with the move passed to the other side, which must not be able to take the king.
    #[must_use]
    pub fn play_null(&self) -> Position {
        let mut next = self.clone();
        // shakmaty has no null move that skips validation; a man put back where it stands changes only turn, clocks
        // and en passant. As a promoted queen it leaves the castling rights alone.
        let king = self.king(self.turn());
        next.chess.play_unchecked(shakmaty::Move::Normal {
            role: Role::Queen,
            from: king,
            capture: None,
            to: king,
            promotion: Some(Role::King),
        });
        next.key ^= key::white_turn();
        next.set_en_passant(None);
        next.reversible_plies = 0;
        next.update_threats();
        next
    }

    fn set_en_passant(&mut self, square: Option<Square>) {
        self.key ^= self.en_passant_key();
        self.en_passant = square;
        self.key ^= self.en_passant_key();
    }

    #[inline]
    fn toggle(&mut self, square: Square, piece: Piece) {
        let value = key::piece(square, piece);
        self.key ^= value;
        if piece.role == Role::Pawn {
            self.pawn_key ^= value;
        } else {
            self.piece_keys[piece.color as usize] ^= value;
            if matches!(piece.role, Role::Knight | Role::Bishop | Role::King) {
                self.minor_key ^= value;
            }
        }
    }

    #[inline(always)]
    fn update_threats(&mut self) {
        let turn = self.turn();
        let king = self.king(turn);
        let leapers = attacks::knight_attacks(king) & self.board().knights()
            | attacks::pawn_attacks(turn, king) & self.board().pawns();
        let lines = self.lines_to(king, !turn);
        self.checkers = lines.open | leapers & self.board().by_color(!turn);
        self.pinned = lines.single & self.board().by_color(turn);
    }

    /// Men of either colour that attack a square through the given occupied squares.
    #[inline]
    #[must_use]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let board = self.board();
        attacks::rook_attacks(square, occupied) & board.rooks_and_queens()
            | attacks::bishop_attacks(square, occupied) & board.bishops_and_queens()
            | attacks::knight_attacks(square) & board.knights()
            | attacks::king_attacks(square) & board.kings()
            | attacks::pawn_attacks(Color::Black, square) & self.pieces(Color::White, Role::Pawn)
            | attacks::pawn_attacks(Color::White, square) & self.pieces(Color::Black, Role::Pawn)
    }

    /// Squares that a colour attacks.
    #[inline(always)]
    #[must_use]
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        let occupied = self.board().occupied();
        let pawns = self.pieces(color, Role::Pawn);
        let west = pawns & !Bitboard::from_file(File::A);
        let east = pawns & !Bitboard::from_file(File::H);
        let forward = color.fold_wb(8, -8);
        let mut attacked = west.shift(forward - 1) | east.shift(forward + 1) | attacks::king_attacks(self.king(color));
        for square in self.pieces(color, Role::Knight) {
            attacked |= attacks::knight_attacks(square);
        }
        let own = self.board().by_color(color);
        for square in own & self.board().bishops_and_queens() {
            attacked |= attacks::bishop_attacks(square, occupied);
        }
        for square in own & self.board().rooks_and_queens() {
            attacked |= attacks::rook_attacks(square, occupied);
        }
        attacked
    }

    /// Men of `color` that alone stand between its king and an enemy slider.
    #[inline]
    #[must_use]
    pub fn pinned(&self, color: Color) -> Bitboard {
        if color == self.turn() {
            return self.pinned;
        }
        self.lines_to(self.king(color), !color).single & self.board().by_color(color)
    }

    /// Men of `color` that alone stand between a slider of the same colour and `square`.
    #[inline]
    #[must_use]
    pub fn blockers(&self, square: Square, color: Color) -> Bitboard {
        self.lines_to(square, color).single & self.board().by_color(color)
    }

    /// What stands between sliders of `attacker` and `square`.
    #[inline]
    fn lines_to(&self, square: Square, attacker: Color) -> Lines {
        let board = self.board();
        let snipers = (rook_lines(square) & board.rooks_and_queens()
            | bishop_lines(square) & board.bishops_and_queens())
            & board.by_color(attacker);
        let mut lines = Lines { open: Bitboard::EMPTY, single: Bitboard::EMPTY };
        for sniper in snipers {
            let between = attacks::between(square, sniper) & board.occupied();
            if between.is_empty() {
                lines.open.add(sniper);
            } else if !between.more_than_one() {
                lines.single |= between;
            }
        }
        lines
    }

    /// Whether neither side can ever mate.
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        let board = self.board();
        (board.pawns() | board.rooks_and_queens()).is_empty() && self.chess.is_insufficient_material()
    }

    /// Whether the side to move has no legal move.
    #[must_use]
    pub fn has_no_moves(&self) -> bool {
        !self.pseudo_legal_moves().into_iter().any(|m| self.is_legal(m))
    }

    /// Every legal move.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|m| self.is_legal(*m));
        moves
    }

    /// Number of move sequences of this length.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        let moves = self.legal_moves();
        match depth {
            0 => 1,
            1 => moves.len() as u64,
            _ => moves.into_iter().map(|m| self.play(m).perft(depth - 1)).sum(),
        }
    }

    /// The FEN, with Shredder castling rights where plain ones would be ambiguous.
    #[must_use]
    pub fn fen(&self) -> String {
        Fen::from_position(&self.chess, EnPassantMode::Legal).to_string()
    }

    /// Reads a move in UCI notation. Castling is understood both as the king's step and as king takes rook.
    ///
    /// # Errors
    ///
    /// [`InvalidMove`] if the text is no move or the move is not legal here.
    pub fn parse_move(&self, text: &str) -> Result<Move, InvalidMove> {
        let uci: UciMove = text.parse().map_err(|_| InvalidMove::Malformed(text.to_owned()))?;
        uci.to_move(&self.chess)
            .map(Position::from_shakmaty)
            .map_err(|_| InvalidMove::Illegal { text: text.to_owned(), fen: self.fen() })
    }

    /// The move in UCI notation; castling as king takes rook with `chess960`, as the king's step otherwise.
    #[must_use]
    pub fn format_move(&self, m: Move, chess960: bool) -> String {
        UciMove::from_move(self.to_shakmaty(m), CastlingMode::from_chess960(chess960)).to_string()
    }
}

/// Lines from sliders to a square.
struct Lines {
    /// Sliders with nothing in between.
    open: Bitboard,
    /// Men of either colour that alone stand in between.
    single: Bitboard,
}

/// Squares on the file and rank of a square.
#[inline]
#[must_use]
pub fn rook_lines(square: Square) -> Bitboard {
    static LINES: [Bitboard; 64] = lines(true);
    LINES[square as usize]
}

/// Squares on the diagonals of a square.
#[inline]
#[must_use]
pub fn bishop_lines(square: Square) -> Bitboard {
    static LINES: [Bitboard; 64] = lines(false);
    LINES[square as usize]
}

/// Attacks of rooks (`straight`) or bishops on the empty board.
const fn lines(straight: bool) -> [Bitboard; 64] {
    let mut lines = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index as u32);
        lines[index] = if straight {
            attacks::rook_attacks(square, Bitboard::EMPTY)
        } else {
            attacks::bishop_attacks(square, Bitboard::EMPTY)
        };
        index += 1;
    }
    lines
}

/// En passant after the move just made.
trait EnPassant {
    /// The en passant square if taking there is legal.
    fn legal_en_passant_after_push(&self) -> Option<Square>;
}

impl EnPassant for Chess {
    #[inline]
    fn legal_en_passant_after_push(&self) -> Option<Square> {
        // Rare enough that shakmaty's full check costs nothing.
        self.maybe_ep_square().and_then(|_| self.legal_ep_square())
    }
}

/// Rank `rank` (White's view) as a set of squares for `color`.
#[inline]
#[must_use]
pub fn relative_rank_set(color: Color, rank: Rank) -> Bitboard {
    Bitboard::from_rank(color.relative_rank(rank))
}

/// A game up to the position to be searched, for repetitions.
#[derive(Clone, Debug, Default)]
pub struct Game {
    position: Position,
    keys: Vec<u64>,
}

impl Game {
    /// A game that starts at `position`.
    #[must_use]
    pub fn new(position: Position) -> Game {
        Game { position, keys: Vec::new() }
    }

    /// The current position.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Keys of the earlier positions, oldest first.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The result if the game is over by rule: mate, stalemate, insufficient material, fifty moves, or the third
    /// occurrence of a position.
    #[must_use]
    pub fn outcome(&self) -> Option<KnownOutcome> {
        let position = &self.position;
        if position.has_no_moves() {
            let winner = position.is_check().then_some(!position.turn());
            return Some(KnownOutcome::from_winner(winner));
        }
        let drawn = position.is_insufficient_material()
            || position.halfmoves() >= FIFTY_MOVES
            || self.earlier_occurrences() >= 2;
        drawn.then_some(KnownOutcome::Draw)
    }

    fn earlier_occurrences(&self) -> usize {
        let reach = (self.position.reversible_plies() as usize).min(self.keys.len());
        let earlier = self.keys[self.keys.len() - reach..].iter();
        earlier.filter(|&&key| key == self.position.key()).count()
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.keys.push(self.position.key());
        self.position = self.position.play(m);
    }
}

#[cfg(test)]
mod tests;
