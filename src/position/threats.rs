//! What a side attacks, by the worth of its pieces.

use super::state::Position;
use shakmaty::{Bitboard, Color, File, Role, attacks};

/// Squares that a side attacks, and pieces that it threatens.
#[derive(Debug)]
pub struct Threats {
    /// By pawns.
    pub by_pawn: Bitboard,
    /// By pawns, knights and bishops.
    pub by_minor: Bitboard,
    /// By all but queens and king.
    pub by_rook: Bitboard,
    /// By all pieces.
    pub all: Bitboard,
    /// Pieces of the other side that lesser ones attack.
    pub threatened: Bitboard,
}

impl Threats {
    /// What a colour attacks.
    #[inline]
    #[must_use]
    pub fn by(position: &Position, color: Color) -> Threats {
        let occupied = position.board().occupied();
        let pawns = position.pieces(color, Role::Pawn);
        let west = pawns & !Bitboard::from_file(File::A);
        let east = pawns & !Bitboard::from_file(File::H);
        let forward = color.fold_wb(8, -8);
        let by_pawn = west.shift(forward - 1) | east.shift(forward + 1);
        let mut by_minor = by_pawn;
        for square in position.pieces(color, Role::Knight) {
            by_minor |= attacks::knight_attacks(square);
        }
        for square in position.pieces(color, Role::Bishop) {
            by_minor |= attacks::bishop_attacks(square, occupied);
        }
        let mut by_rook = by_minor;
        for square in position.pieces(color, Role::Rook) {
            by_rook |= attacks::rook_attacks(square, occupied);
        }
        let mut all = by_rook | attacks::king_attacks(position.king(color));
        for square in position.pieces(color, Role::Queen) {
            all |= attacks::queen_attacks(square, occupied);
        }
        let minors = position.pieces(!color, Role::Knight) | position.pieces(!color, Role::Bishop);
        let threatened = position.pieces(!color, Role::Queen) & by_rook
            | position.pieces(!color, Role::Rook) & by_minor
            | minors & by_pawn;
        Threats { by_pawn, by_minor, by_rook, all, threatened }
    }
}
