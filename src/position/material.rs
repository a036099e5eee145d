//! Piece counts, updated with each move.

use shakmaty::{Color, Piece, Role, Square};

/// Counts of pieces and pawns by colour and role in one word. Bishops on light and on dark squares are counted separately;
/// kings are not counted.
///
/// The word has twelve fields of five bits, so a count is at most 31.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Material(u64);

/// Points of a pawn, knight, bishop, rook and queen, as players count material.
pub const PIECE_POINTS: [u8; 5] = [1, 3, 3, 5, 9];

const FIELD_BITS: u32 = 5;

/// Field of a role on its square: pawn, knight, bishop on light, bishop on dark squares, rook, queen.
#[inline]
fn field(piece: Piece, square: Square) -> u32 {
    let index = match piece.role {
        Role::Pawn => 0,
        Role::Knight => 1,
        Role::Bishop => 2 + u32::from(square.is_dark()),
        Role::Rook => 4,
        Role::Queen | Role::King => 5,
    };
    FIELD_BITS * (6 * piece.color as u32 + index)
}

impl Material {
    /// Adds a piece on a square.
    #[inline]
    pub fn add(&mut self, piece: Piece, square: Square) {
        if piece.role != Role::King {
            self.0 += 1 << field(piece, square);
        }
    }

    /// Removes a piece on a square.
    #[inline]
    pub fn remove(&mut self, piece: Piece, square: Square) {
        if piece.role != Role::King {
            self.0 -= 1 << field(piece, square);
        }
    }

    /// A number that is unique to these counts.
    #[inline]
    #[must_use]
    pub fn key(self) -> u64 {
        self.0
    }

    fn count(self, color: Color, index: u32) -> u8 {
        (self.0 >> (FIELD_BITS * (6 * color as u32 + index)) & 31) as u8
    }

    /// Counts of pawns, knights, bishops, rooks and queens of a colour.
    #[must_use]
    pub fn counts(self, color: Color) -> [u8; 5] {
        let [pawns, knights, light, dark, rooks, queens] = [0, 1, 2, 3, 4, 5].map(|index| self.count(color, index));
        [pawns, knights, light + dark, rooks, queens]
    }

    /// Whether a colour has bishops on squares of both colours.
    #[must_use]
    pub(crate) fn has_bishop_pair(self, color: Color) -> bool {
        self.count(color, 2) > 0 && self.count(color, 3) > 0
    }
}
