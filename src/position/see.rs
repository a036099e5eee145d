//! Static exchange evaluation: the gain of a series of captures on one square.

use super::chess_move::Move;
use super::state::Position;
use shakmaty::{Bitboard, Role, attacks};

/// Exchange values in centipawns, indexed by role (pawn first, index 0 unused).
pub const SEE_VALUE: [i32; 7] = [0, 100, 320, 330, 500, 1000, 20_000];

impl Position {
    /// Whether the exchange that `m` starts gains at least `threshold` centipawns. Both sides capture with the least
    /// valuable piece, and stop when this is better. Castling gains nothing; a promotion gains only what it captures.
    #[inline]
    #[must_use]
    pub fn see(&self, m: Move, threshold: i32) -> bool {
        if m.is_castle() {
            return threshold <= 0;
        }
        let balance = self.captured(m).map_or(0, |role| SEE_VALUE[role as usize]) - threshold;
        if balance < 0 {
            return false;
        }
        let balance = SEE_VALUE[self.moving(m) as usize] - balance;
        balance <= 0 || self.exchange(m, balance)
    }

    /// Whether the exchange that `m` starts gains enough. It falls short by `balance` centipawns if the piece that moves is
    /// captured and the exchange ends.
    fn exchange(&self, m: Move, mut balance: i32) -> bool {
        let board = self.board();
        let (from, to) = (m.from(), m.to());
        let mut occupied = board.occupied() ^ Bitboard::from_square(from) | Bitboard::from_square(to);
        if m.is_en_passant() {
            occupied.discard(shakmaty::Square::from_coords(to.file(), from.rank()));
        }
        let diagonal = board.bishops_and_queens();
        let straight = board.rooks_and_queens();
        let mut attackers = self.attackers(to, occupied);
        let mut side = self.turn();
        let mut gains = true;

        loop {
            side = !side;
            attackers &= occupied;
            let mut ours = attackers & board.by_color(side);
            // Pinned pieces capture only along the pin.
            if side == self.turn() && (self.pinned & ours).any() {
                ours &= !self.pinned | attacks::ray(self.king(side), to);
            }
            if ours.is_empty() {
                break;
            }
            gains = !gains;
            let Some(role) = Role::ALL.into_iter().find(|&role| (ours & board.by_role(role)).any()) else { break };
            if role == Role::King {
                // The king captures only if nobody recaptures.
                return if (attackers & board.by_color(!side)).any() { !gains } else { gains };
            }
            balance = SEE_VALUE[role as usize] - balance;
            if balance < i32::from(gains) {
                break;
            }
            occupied ^= (ours & board.by_role(role)).isolate_first();
            if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
                attackers |= attacks::bishop_attacks(to, occupied) & diagonal;
            }
            if matches!(role, Role::Rook | Role::Queen) {
                attackers |= attacks::rook_attacks(to, occupied) & straight;
            }
        }
        gains
    }
}
