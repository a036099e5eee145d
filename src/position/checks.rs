//! Finds moves that give check without making them.

use super::{Move, Position};
use shakmaty::{Bitboard, Square, attacks};

/// Squares from which the side to move gives check, computed once for a position.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares {
    enemy_king: Square,
    /// Squares from which each role gives check; index 0 is unused and the king's set is empty.
    direct: [Bitboard; 7],
    /// Own pieces that give a discovered check when they leave the line to the enemy king.
    discoverers: Bitboard,
}

impl CheckSquares {
    /// The check squares of the side to move.
    #[inline]
    #[must_use]
    pub fn of(position: &Position) -> CheckSquares {
        let us = position.turn();
        let enemy_king = position.king(!us);
        let occupied = position.board().occupied();
        let diagonal = attacks::bishop_attacks(enemy_king, occupied);
        let straight = attacks::rook_attacks(enemy_king, occupied);
        let direct = [
            Bitboard::EMPTY,
            attacks::pawn_attacks(!us, enemy_king),
            attacks::knight_attacks(enemy_king),
            diagonal,
            straight,
            diagonal | straight,
            Bitboard::EMPTY,
        ];
        CheckSquares { enemy_king, direct, discoverers: position.blockers(enemy_king, us) }
    }

    /// Whether a move gives direct or discovered check. Always false for castling, en passant and promotions.
    #[inline]
    #[must_use]
    pub fn contains(&self, position: &Position, m: Move) -> bool {
        if m.is_castle() || m.is_en_passant() || m.promotion().is_some() {
            return false;
        }
        self.direct[position.moving(m) as usize].contains(m.to())
            || (self.discoverers.contains(m.from()) && !attacks::aligned(self.enemy_king, m.from(), m.to()))
    }
}
