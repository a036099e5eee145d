//! The inputs: each piece on its square, seen by one colour.

use super::BUCKETS;
use crate::position::Position;
use arrayvec::ArrayVec;
use shakmaty::{Color, Piece, Square};

/// Inputs of one view: pieces of its own colour and of the other, by role and square.
pub const INPUTS: usize = 2 * SIDE;
/// Inputs of pieces of one colour.
const SIDE: usize = 6 * 64;
/// Most pieces of a position with a network.
pub const MAX_PIECES: usize = 32;

/// How a colour sees the board: from its own side, and mirrored so that its king stands on files a to d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    color: Color,
    /// Changes a square to the one that the colour sees.
    mask: usize,
}

impl View {
    /// The view of a colour whose king stands there.
    #[inline(always)]
    pub fn new(color: Color, king: Square) -> View {
        let mirror = if king as usize % 8 >= 4 { 7 } else { 0 };
        View { color, mask: color.fold_wb(0, 56) ^ mirror }
    }

    /// Whose view it is.
    #[inline(always)]
    pub fn color(self) -> Color {
        self.color
    }

    /// Whether left and right are exchanged.
    #[inline(always)]
    pub fn is_mirrored(self) -> bool {
        self.mask & 7 != 0
    }

    /// The input of a piece on a square.
    #[inline(always)]
    pub fn input(self, piece: Piece, square: Square) -> usize {
        let side = if piece.color == self.color { 0 } else { SIDE };
        side + (piece.role as usize - 1) * 64 + (square as usize ^ self.mask)
    }
}

/// The inputs of all pieces as a colour sees them: `(enemy · 6 + role) · 64 + square`, with pawns as role 0. The square is
/// counted from the colour's own side, and mirrored if its king stands on files e to h.
///
/// ```
/// use halfpoint::eval::network::inputs;
/// use halfpoint::position::Position;
/// use shakmaty::Color;
///
/// let position = Position::from_fen("k7/8/8/8/8/8/7P/7K w - - 0 1", false).unwrap();
/// assert_eq!(inputs(&position, Color::White)[..], [8, 5 * 64, (6 + 5) * 64 + 63]); // a2, a1, h8 after mirroring
/// ```
#[must_use]
pub fn inputs(position: &Position, color: Color) -> ArrayVec<u16, MAX_PIECES> {
    let (board, view) = (position.board(), View::new(color, position.king(color)));
    let piece = |square| board.piece_at(square).map(|piece| view.input(piece, square) as u16);
    let mut inputs: ArrayVec<u16, MAX_PIECES> =
        board.occupied().into_iter().filter_map(piece).take(MAX_PIECES).collect();
    inputs.sort_unstable();
    inputs
}

/// The bucket of output weights for a number of pieces, kings and pawns included.
#[inline]
#[must_use]
pub fn bucket(pieces: usize) -> usize {
    (pieces.saturating_sub(1) * BUCKETS / MAX_PIECES).min(BUCKETS - 1)
}
