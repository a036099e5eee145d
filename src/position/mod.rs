//! The board and its rules: shakmaty's [`Chess`] in a shape that a search can copy and change quickly, plus what else a
//! search needs.
//!
//! shakmaty sets positions up and judges them, reads and writes FENs and moves, and gives bitboards, attacks and keys.
//! What is done here by hand is compared with it, move by move, in the tests.
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

mod board;
mod checks;
mod chess_move;
mod key;
mod material;
mod movegen;
mod see;

pub use board::Board;
pub use checks::CheckSquares;
pub use chess_move::{Move, Tag};
pub use material::Material;
pub use movegen::MoveList;
pub use see::SEE_VALUE;

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::uci::UciMove;
use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, File, FromSetup, KnownOutcome, Piece,
    Position as _, PositionError, Rank, Role, Setup, Square, attacks,
};
use std::num::NonZeroU32;
use thiserror::Error;

/// Plies without capture or pawn move after which a game is drawn.
pub const FIFTY_MOVES: u32 = 100;

/// A position that can be played on, with its keys, checkers and pins kept up to date.
///
/// Two positions with the same [`key`](Position::key) are the same in the sense of the repetition rule.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    board: Board,
    /// Rooks that may still castle.
    castling_rights: Bitboard,
    key: u64,
    minor_key: u64,
    /// Keys of each colour's men other than pawns, and of the pawns.
    part_keys: [u64; 3],
    material: Material,
    checkers: Bitboard,
    pinned: Bitboard,
    turn: Color,
    /// The en passant square, where such a capture is legal.
    en_passant: Option<Square>,
    halfmoves: u32,
    reversible_plies: u32,
    fullmoves: NonZeroU32,
    castling_mode: CastlingMode,
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
        Position::from_chess(&Chess::default())
    }
}

impl Position {
    /// Reads a FEN. Fields may be missing from the end: White is to move, nobody may castle, nothing can be taken in
    /// passing, and the counters start afresh. With `chess960`, castling rights of any king and rook files are taken.
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
        Ok(Position::from_chess(&chess))
    }

    /// Takes a position of shakmaty's.
    #[must_use]
    pub fn from_chess(chess: &Chess) -> Position {
        let mut position = Position {
            board: Board::from(chess.board()),
            castling_rights: chess.castles().castling_rights(),
            key: 0,
            minor_key: 0,
            part_keys: [0; 3],
            material: Material::default(),
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            turn: chess.turn(),
            en_passant: chess.legal_ep_square(),
            halfmoves: chess.halfmoves(),
            reversible_plies: chess.halfmoves(),
            fullmoves: chess.fullmoves(),
            castling_mode: chess.castles().mode(),
        };
        for (square, piece) in chess.board() {
            position.toggle_keys(square, piece);
            position.material.add(piece, square);
        }
        position.key ^= position.castling_key() ^ position.en_passant_key();
        if position.turn == Color::White {
            position.key ^= key::white_turn();
        }
        position.update_threats();
        position
    }

    /// The position as shakmaty has it, with the en passant square only where such a capture is legal.
    #[must_use]
    pub fn to_chess(&self) -> Chess {
        Chess::from_setup(self.setup(), self.castling_mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .expect("legal moves lead to positions that can be played")
    }

    fn setup(&self) -> Setup {
        Setup {
            board: shakmaty::Board::from(&self.board),
            turn: self.turn,
            castling_rights: self.castling_rights,
            ep_square: self.en_passant,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
            ..Setup::empty()
        }
    }

    /// Where the men are.
    #[inline(always)]
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Rooks of both colours that may still castle.
    #[inline]
    #[must_use]
    pub fn castling_rights(&self) -> Bitboard {
        self.castling_rights
    }

    /// Where the rook stands with which a colour may still castle to a side.
    #[inline]
    #[must_use]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king(color);
        let rooks = self.castling_rights & self.board.by_color(color);
        rooks.into_iter().find(|&rook| side == CastlingSide::from_king_side(king < rook))
    }

    /// The square on which a pawn can be taken in passing.
    #[inline]
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The number of the move to be played, counted from 1.
    #[inline]
    #[must_use]
    pub fn fullmoves(&self) -> u32 {
        self.fullmoves.get()
    }

    /// Whose move it is.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> Color {
        self.turn
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

    fn castling_key(&self) -> u64 {
        let rights = Color::ALL.into_iter().flat_map(|color| CastlingSide::ALL.map(|side| (color, side)));
        let held = rights.filter(|&(color, side)| self.castling_rook(color, side).is_some());
        held.fold(0, |key, (color, side)| key ^ key::castling(color, side))
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
        self.part_keys[PAWN_PART]
    }

    /// Zobrist key of the pawns and kings alone.
    #[inline]
    #[must_use]
    pub fn pawn_king_key(&self) -> u64 {
        let king = |color: Color| key::piece(self.king(color), color.king());
        self.pawn_key() ^ king(Color::White) ^ king(Color::Black)
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
        self.part_keys[piece_part(color)]
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
        self.halfmoves
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
        self.board.role_at(square)
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
    #[inline(always)]
    #[must_use]
    pub fn play(&self, m: Move) -> Position {
        let mut next = *self;
        next.make(m);
        next
    }

    /// Makes a legal move. Apart from [`Position::play`], so that this works where the copy lies, not on one of its own.
    #[inline(never)]
    fn make(&mut self, m: Move) {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let role = self.moving(m);
        let captured = self.captured(m);
        self.pass_turn();
        self.halfmoves = self.halfmoves.saturating_add(1);
        self.reversible_plies = self.reversible_plies.saturating_add(1);
        if role == Role::Pawn || captured.is_some() {
            self.halfmoves = 0;
            self.reversible_plies = 0;
        }
        if self.castling_rights.any() {
            self.lose_castling_rights(us, role, from, to);
        }
        if m.is_castle() {
            let side = CastlingSide::from_king_side(from < to);
            self.take(from, us.king());
            self.take(to, us.rook());
            self.put(side.king_to(us), us.king());
            self.put(side.rook_to(us), us.rook());
        } else {
            self.take(from, role.of(us));
            if let Some(captured) = captured {
                let square = if m.is_en_passant() { Square::from_coords(to.file(), from.rank()) } else { to };
                self.take(square, captured.of(!us));
                self.material.remove(captured.of(!us), square);
            }
            let becomes = m.promotion().unwrap_or(role);
            self.put(to, becomes.of(us));
            if becomes != role {
                self.material.remove(us.pawn(), from);
                self.material.add(becomes.of(us), to);
            }
        }
        self.update_threats();
        if role == Role::Pawn && (from as u32).abs_diff(to as u32) == 16 {
            self.allow_en_passant(Square::from_coords(from.file(), us.relative_rank(Rank::Third)));
        }
    }

    /// The position with the move passed to the other side, which must not be able to take the king.
    #[must_use]
    pub fn play_null(&self) -> Position {
        let mut next = *self;
        next.pass_turn();
        next.halfmoves = self.halfmoves.saturating_add(1);
        next.reversible_plies = 0;
        next.update_threats();
        next
    }

    #[inline(always)]
    fn pass_turn(&mut self) {
        self.key ^= key::white_turn() ^ self.en_passant_key();
        self.en_passant = None;
        if self.turn == Color::Black {
            self.fullmoves = self.fullmoves.saturating_add(1);
        }
        self.turn = !self.turn;
    }

    /// Gives up what castling rights a move of `role` from one square to another costs either side.
    #[inline]
    fn lose_castling_rights(&mut self, us: Color, role: Role, from: Square, to: Square) {
        let touched = Bitboard::from_square(from).with(Bitboard::from_square(to));
        let lost = if role == Role::King { touched | self.board.by_color(us) } else { touched };
        if (self.castling_rights & lost).any() {
            self.key ^= self.castling_key();
            self.castling_rights &= !lost;
            self.key ^= self.castling_key();
        }
    }

    /// Notes that a pawn has just stepped over a square, if it can legally be taken there.
    #[inline]
    fn allow_en_passant(&mut self, square: Square) {
        let takers = attacks::pawn_attacks(!self.turn, square) & self.pieces(self.turn, Role::Pawn);
        if takers.into_iter().any(|from| self.is_legal(Move::new(from, square, Tag::EnPassant))) {
            self.en_passant = Some(square);
            self.key ^= self.en_passant_key();
        }
    }

    #[inline(always)]
    fn put(&mut self, square: Square, piece: Piece) {
        self.board.put(square, piece);
        self.toggle_keys(square, piece);
    }

    #[inline(always)]
    fn take(&mut self, square: Square, piece: Piece) {
        self.board.take(square, piece);
        self.toggle_keys(square, piece);
    }

    #[inline(always)]
    fn toggle_keys(&mut self, square: Square, piece: Piece) {
        let value = key::piece(square, piece);
        self.key ^= value;
        let part = if piece.role == Role::Pawn { PAWN_PART } else { piece_part(piece.color) };
        self.part_keys[part] ^= value;
        if matches!(piece.role, Role::Knight | Role::Bishop | Role::King) {
            self.minor_key ^= value;
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
        let (knights, bishops) = (board.knights(), board.bishops());
        let one_colour =
            (bishops & Bitboard::LIGHT_SQUARES).is_empty() || (bishops & Bitboard::DARK_SQUARES).is_empty();
        (board.pawns() | board.rooks_and_queens()).is_empty()
            && (!(knights | bishops).more_than_one() || knights.is_empty() && one_colour)
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
        Fen::from_position(&self.to_chess(), EnPassantMode::Legal).to_string()
    }

    /// Reads a move in UCI notation. Castling is understood both as the king's step and as king takes rook.
    ///
    /// # Errors
    ///
    /// [`InvalidMove`] if the text is no move or the move is not legal here.
    pub fn parse_move(&self, text: &str) -> Result<Move, InvalidMove> {
        let uci: UciMove = text.parse().map_err(|_| InvalidMove::Malformed(text.to_owned()))?;
        uci.to_move(&self.to_chess())
            .map(Position::from_shakmaty)
            .map_err(|_| InvalidMove::Illegal { text: text.to_owned(), fen: self.fen() })
    }

    /// The move in UCI notation; castling as king takes rook with `chess960`, as the king's step otherwise.
    #[must_use]
    pub fn format_move(&self, m: Move, chess960: bool) -> String {
        UciMove::from_move(self.to_shakmaty(m), CastlingMode::from_chess960(chess960)).to_string()
    }
}

const PAWN_PART: usize = 2;

/// Index among the keys of parts of a colour's men other than pawns.
#[inline(always)]
fn piece_part(color: Color) -> usize {
    color as usize
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
