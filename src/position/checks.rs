//! Finds moves that give check without making them.

use super::chess_move::Move;
use super::state::Position;
use shakmaty::{Bitboard, Role, Square, attacks};

/// Squares from which the side to move gives check, computed once for a position.
#[derive(Debug)]
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

    /// Squares on which a piece from `from` gives check, directly or by discovery.
    #[inline]
    #[must_use]
    pub fn targets(&self, role: Role, from: Square) -> Bitboard {
        let direct = self.direct[role as usize];
        if self.discoverers.contains(from) { direct | !attacks::ray(self.enemy_king, from) } else { direct }
    }

    /// Whether a move gives direct or discovered check. Always false for castling, en passant and promotions.
    #[inline]
    #[must_use]
    pub fn contains(&self, position: &Position, m: Move) -> bool {
        if m.is_castle() || m.is_en_passant() || m.promotion().is_some() {
            return false;
        }
        self.targets(position.moving(m), m.from()).contains(m.to())
    }
}
