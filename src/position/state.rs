//! The position: the board with side to move, rights, clocks and keys.

use super::board::Board;
use super::chess_move::{Move, Tag};
use super::fifty_moves::{ClockSteps, FIFTY_MOVES};
use super::key;
use super::material::Material;
use shakmaty::{Bitboard, CastlingMode, CastlingSide, Color, Role, Square};
use std::num::NonZeroU32;

/// A position, with keys, checkers and pins. It is copied to make a move.
///
/// Positions with equal [`key`](Position::key)s count as repetitions of each other.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub(super) board: Board,
    /// Rooks that may still castle.
    pub(super) castling_rights: Bitboard,
    pub(super) key: u64,
    pub(super) minor_key: u64,
    /// Keys of each colour's pieces without pawns, and of all pawns.
    pub(super) part_keys: [u64; 3],
    pub(super) material: Material,
    pub(super) checkers: Bitboard,
    pub(super) pinned: Bitboard,
    pub(super) turn: Color,
    /// The en passant square, only if such a capture is legal.
    pub(super) en_passant: Option<Square>,
    pub(super) halfmoves: u32,
    pub(super) reversible_plies: u32,
    pub(super) fullmoves: NonZeroU32,
    pub(super) castling_mode: CastlingMode,
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
    pub(super) fn en_passant_key(&self) -> u64 {
        self.en_passant.map_or(0, |square| key::en_passant(square.file()))
    }

    pub(super) fn castling_key(&self) -> u64 {
        let rights = Color::ALL.into_iter().flat_map(|color| CastlingSide::ALL.map(|side| (color, side)));
        let held = rights.filter(|&(color, side)| self.castling_rook(color, side).is_some());
        held.fold(0, |key, (color, side)| key ^ key::castling(color, side))
    }

    /// Key for the transposition table: the Zobrist key, changed by the [clock's step](Position::clock_step), so that scores
    /// near the fifty-move draw are kept apart.
    #[inline]
    #[must_use]
    pub(crate) fn tt_key(&self) -> u64 {
        self.key ^ key::clock(self.clock_step())
    }

    #[inline]
    fn clock_steps(&self) -> ClockSteps {
        ClockSteps::of(self.board.pawns().any())
    }

    /// The halfmove clock as evaluation and transposition table tell it apart: the first of its step. So positions with one
    /// key have one evaluation.
    #[inline]
    #[must_use]
    pub(crate) fn clock_step(&self) -> u32 {
        self.clock_steps().start(self.halfmoves())
    }

    /// Whether a line of so many plies, found at a clock of the same step, comes to its end before the fifty-move rule.
    #[must_use]
    pub(crate) fn has_time_for(&self, plies: u32) -> bool {
        self.clock_steps().is_exact(self.halfmoves()) || self.halfmoves() + plies <= FIFTY_MOVES
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
}

/// Index of the key of all pawns among the part keys.
pub(super) const PAWN_PART: usize = 2;

/// Index of the key of a colour's pieces without pawns among the part keys.
#[inline(always)]
pub(super) fn piece_part(color: Color) -> usize {
    color as usize
}
