//! The numbers of men, kept up to date move by move.

use shakmaty::{Color, Piece, Role, Square};

/// Numbers of men of each colour and role in one word, bishops counted apart by the colour of their squares. Kings are
/// not counted.
///
/// Twelve fields of five bits: no side has more than 31 men.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Material(u64);

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
    /// Counts a man that appears on a square.
    #[inline]
    pub fn add(&mut self, piece: Piece, square: Square) {
        if piece.role != Role::King {
            self.0 += 1 << field(piece, square);
        }
    }

    /// Takes away a man that was counted.
    #[inline]
    pub fn remove(&mut self, piece: Piece, square: Square) {
        if piece.role != Role::King {
            self.0 -= 1 << field(piece, square);
        }
    }

    /// A number that tells these counts from all others.
    #[inline]
    #[must_use]
    pub fn key(self) -> u64 {
        self.0
    }

    fn count(self, color: Color, index: u32) -> u8 {
        (self.0 >> (FIELD_BITS * (6 * color as u32 + index)) & 31) as u8
    }

    /// Pawns, knights, bishops, rooks and queens of a colour.
    #[must_use]
    pub fn men(self, color: Color) -> [u8; 5] {
        let [pawns, knights, light, dark, rooks, queens] = [0, 1, 2, 3, 4, 5].map(|index| self.count(color, index));
        [pawns, knights, light + dark, rooks, queens]
    }

    /// Whether a colour has bishops on squares of both colours.
    #[must_use]
    pub fn has_bishop_pair(self, color: Color) -> bool {
        self.count(color, 2) > 0 && self.count(color, 3) > 0
    }
}
