//! Zobrist keys, with shakmaty's published values.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide, Color, File, Piece, Square};

/// Value of a piece on a square.
#[inline(always)]
pub fn piece(square: Square, piece: Piece) -> u64 {
    Zobrist64::zobrist_for_piece(square, piece).0
}

/// Value of White to move.
#[inline]
pub fn white_turn() -> u64 {
    Zobrist64::zobrist_for_white_turn().0
}

/// Value of a castling right.
pub fn castling(color: Color, side: CastlingSide) -> u64 {
    Zobrist64::zobrist_for_castling_right(color, side).0
}

/// Value of a possible en passant capture on a file.
pub fn en_passant(file: File) -> u64 {
    Zobrist64::zobrist_for_en_passant_file(file).0
}

/// Value of a step of the halfmove clock that starts at `start`.
#[inline]
pub fn clock(start: u32) -> u64 {
    u64::from(start).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
