//! The board and its rules, in a form that a search can copy and change quickly.
//!
//! The crate `shakmaty` provides bitboards, attack tables and Zobrist values, checks positions, and reads and writes FENs
//! and moves. Move generation and make move are written here; tests compare them with shakmaty, move by move.
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

mod attacks;
mod board;
mod checks;
mod chess_move;
mod fen;
mod game;
mod key;
mod make_move;
mod material;
mod movegen;
mod notation;
mod see;
mod threats;

pub(crate) use attacks::{bishop_lines, rook_lines};
pub use board::Board;
pub(crate) use checks::CheckSquares;
pub use chess_move::{Move, Tag};
pub use fen::InvalidFen;
pub use game::GameHistory;
pub use material::Material;
pub use movegen::MoveList;
pub use notation::InvalidMove;
pub(crate) use see::SEE_VALUE;
pub(crate) use threats::Threats;

use shakmaty::{Bitboard, CastlingMode, CastlingSide, Color, Role, Square};
use std::num::NonZeroU32;

/// Plies without capture or pawn move after which a game is drawn.
pub const FIFTY_MOVES: u32 = 100;

/// A position, with keys, checkers and pins. It is copied to make a move.
///
/// Positions with equal [`key`](Position::key)s count as repetitions of each other.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    board: Board,
    /// Rooks that may still castle.
    castling_rights: Bitboard,
    key: u64,
    minor_key: u64,
    /// Keys of each colour's pieces without pawns, and of all pawns.
    part_keys: [u64; 3],
    material: Material,
    checkers: Bitboard,
    pinned: Bitboard,
    turn: Color,
    /// The en passant square, only if such a capture is legal.
    en_passant: Option<Square>,
    halfmoves: u32,
    reversible_plies: u32,
    fullmoves: NonZeroU32,
    castling_mode: CastlingMode,
}

impl Position {
    /// The pieces on the board.
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

    /// The rook with which a colour may still castle to a side.
    #[inline]
    #[must_use]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king(color);
        let rooks = self.castling_rights & self.board.by_color(color);
        rooks.into_iter().find(|&rook| side == CastlingSide::from_king_side(king < rook))
    }

    /// The en passant square, only if such a capture is legal.
    #[inline]
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Number of the next move, from 1.
    #[inline]
    #[must_use]
    pub fn fullmoves(&self) -> u32 {
        self.fullmoves.get()
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Zobrist key by shakmaty's published values, with the en passant file only if such a capture is legal.
    #[inline]
    #[must_use]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Zobrist key of pieces and castling rights, without the side to move.
    #[inline]
    #[must_use]
    pub(crate) fn board_key(&self) -> u64 {
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

    /// Key for the transposition table: the Zobrist key, changed with every ten plies of the halfmove clock from 20 on, so
    /// that scores near the fifty-move draw are kept apart.
    #[inline]
    #[must_use]
    pub(crate) fn table_key(&self) -> u64 {
        self.key ^ key::clock(self.halfmoves())
    }

    /// Zobrist key of the pawns alone.
    #[inline]
    #[must_use]
    pub(crate) fn pawn_key(&self) -> u64 {
        self.part_keys[PAWN_PART]
    }

    /// Zobrist key of the pawns and kings alone.
    #[inline]
    #[must_use]
    pub(crate) fn pawn_king_key(&self) -> u64 {
        let king = |color: Color| key::piece(self.king(color), color.king());
        self.pawn_key() ^ king(Color::White) ^ king(Color::Black)
    }

    /// Zobrist key of knights, bishops and kings.
    #[inline]
    #[must_use]
    pub(crate) fn minor_key(&self) -> u64 {
        self.minor_key
    }

    /// Zobrist key of one colour's pieces, king included, without pawns.
    #[inline]
    #[must_use]
    pub(crate) fn piece_key(&self, color: Color) -> u64 {
        self.part_keys[piece_part(color)]
    }

    /// The piece counts.
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

    /// Plies since the last capture, pawn move or null move: how far back a repetition is possible.
    #[inline]
    #[must_use]
    pub(crate) fn reversible_plies(&self) -> u32 {
        self.reversible_plies
    }

    /// Squares with pieces of one colour and role.
    #[inline]
    #[must_use]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.board().by_color(color) & self.board().by_role(role)
    }

    /// The king's square.
    #[inline]
    #[must_use]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, Role::King).first().expect("both kings are on the board")
    }

    /// Whether a colour has a knight, bishop, rook or queen.
    #[inline]
    #[must_use]
    pub fn has_non_pawn_material(&self, color: Color) -> bool {
        (self.board().by_color(color) & !self.board().pawns() & !self.board().kings()).any()
    }

    /// Whether a colour has a king alone.
    #[inline]
    #[must_use]
    pub(crate) fn is_bare_king(&self, color: Color) -> bool {
        !self.board().by_color(color).more_than_one()
    }

    /// The role of the piece or pawn on a square.
    #[inline]
    #[must_use]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.board.role_at(square)
    }

    /// The role that a move captures.
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

    /// The role that moves; pawn if the origin is empty.
    #[inline(always)]
    #[must_use]
    pub fn moving(&self, m: Move) -> Role {
        self.role_at(m.from()).unwrap_or(Role::Pawn)
    }

    /// Whether a move is a capture or a promotion.
    #[inline]
    #[must_use]
    pub fn is_noisy(&self, m: Move) -> bool {
        (!m.is_castle() && self.board().occupied().contains(m.to()))
            || matches!(m.tag(), Some(Tag::EnPassant | Tag::Promotion(_)))
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

    /// Number of move sequences of `depth` plies.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        let moves = self.legal_moves();
        match depth {
            0 => 1,
            1 => moves.len() as u64,
            _ => moves.into_iter().map(|m| self.play(m).perft(depth - 1)).sum(),
        }
    }
}

/// Index of the key of all pawns among the part keys.
const PAWN_PART: usize = 2;

/// Index of the key of a colour's pieces without pawns among the part keys.
#[inline(always)]
fn piece_part(color: Color) -> usize {
    color as usize
}

#[cfg(test)]
mod tests;
