//! Zobrist keys, with shakmaty's published values.

use super::fifty_moves::{KEY_EXACT, KEY_START, KEY_STEP};
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

/// Value of the halfmove clock; 0 below [`KEY_START`].
#[inline]
pub fn clock(halfmoves: u32) -> u64 {
    let step = match halfmoves {
        ..KEY_START => return 0,
        KEY_START..KEY_EXACT => halfmoves / KEY_STEP,
        _ => halfmoves,
    };
    u64::from(step).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
