//! Static exchange evaluation: the gain of a series of captures on one square.

use super::attacks::{bishop_lines, rook_lines};
use super::chess_move::Move;
use super::state::Position;
use shakmaty::{Bitboard, Color, Role, Square, attacks};

/// Exchange values in centipawns, indexed by role (pawn first, index 0 unused).
pub const SEE_VALUE: [i32; 7] = [0, 100, 320, 330, 500, 1000, 20_000];

/// What a move gains before anything recaptures, centipawns: the captured piece, and what a promoted pawn is worth more.
fn first_gain(captured: Option<Role>, promotion: Option<Role>) -> i32 {
    let promoted = promotion.map_or(0, |role| SEE_VALUE[role as usize] - SEE_VALUE[Role::Pawn as usize]);
    captured.map_or(0, |role| SEE_VALUE[role as usize]) + promoted
}

impl Position {
    /// Whether the exchange that `m` starts gains at least `threshold` centipawns. Both sides capture with the least
    /// valuable piece that may, and stop when this is better. Castling gains nothing; of promotions only that of `m` counts.
    #[inline]
    #[must_use]
    pub fn see(&self, m: Move, threshold: i32) -> bool {
        if m.is_castle() {
            return threshold <= 0;
        }
        let balance = first_gain(self.captured(m), m.promotion()) - threshold;
        if balance < 0 {
            return false;
        }
        let balance = SEE_VALUE[m.promotion().unwrap_or(self.moving(m)) as usize] - balance;
        balance <= 0 || self.exchange(m, balance)
    }

    /// Whether the exchange that `m` starts gains enough. It falls short by `balance` centipawns if the piece that moves is
    /// captured and the exchange ends.
    fn exchange(&self, m: Move, mut balance: i32) -> bool {
        let board = self.board();
        let (from, to) = (m.from(), m.to());
        let mut occupied = board.occupied() ^ Bitboard::from_square(from) | Bitboard::from_square(to);
        if m.is_en_passant() {
            occupied.discard(Square::from_coords(to.file(), from.rank()));
        }
        let diagonal = board.bishops_and_queens();
        let straight = board.rooks_and_queens();
        let mut attackers = self.attackers(to, occupied);
        let mut side = self.turn();
        let mut gains = true;

        loop {
            side = !side;
            attackers &= occupied;
            let ours = self.free_to_capture(attackers & board.by_color(side), side, to, occupied);
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

    /// Those of a side's pieces that attack a square which may capture there: none that is pinned, and only the king where a
    /// piece that has left opened a check.
    #[inline]
    fn free_to_capture(&self, mut ours: Bitboard, side: Color, to: Square, occupied: Bitboard) -> Bitboard {
        if ours.is_empty() {
            return ours;
        }
        let board = self.board();
        let king = self.king(side);
        // A piece that stands on the square itself pins nothing that could capture it.
        let theirs = (board.by_color(!side) & occupied).without(to);
        let sliders = rook_lines(king) & board.rooks_and_queens() | bishop_lines(king) & board.bishops_and_queens();
        for slider in sliders & theirs {
            let between = attacks::between(king, slider) & occupied;
            if between.is_empty() {
                ours &= Bitboard::from_square(king);
            } else if !between.more_than_one() {
                ours &= !between;
            }
        }
        ours
    }
}
