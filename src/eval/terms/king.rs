//! King safety.

use super::context::EvalContext;
use super::danger;
use crate::eval::bits::{FLANK, ranks};
use crate::eval::sink::SideSink;
use crate::eval::term_list::{
    KING_DANGER, KING_FLANK, KING_NO_ENEMY_QUEEN, KING_PINNED, KING_SAFE_CHECK, KING_UNSAFE_CHECKS, KING_WEAK_RING,
};
use shakmaty::{Bitboard, Color, Role, attacks};

/// Emits the king safety features of `us`.
#[inline]
pub fn features<S: SideSink>(context: &EvalContext, sink: &mut S, us: Color) {
    let position = context.position;
    let king = context.king(us);
    let (own, enemy) = (context.side(us), context.side(!us));

    let by_queen_or_king = own.by[Role::Queen as usize] | own.by[Role::King as usize];
    let weak = enemy.all & !own.twice & (!own.all | by_queen_or_king);
    let weak_ring = (own.ring & weak).count();
    sink.add(KING_WEAK_RING.at(weak_ring.min(8)), 1);

    let checks = checks(context, weak, us);
    for (index, &safe) in checks.safe.iter().enumerate() {
        if safe {
            sink.add(KING_SAFE_CHECK.at(index), 1);
        }
    }
    let unsafe_checks = checks.unsafe_squares.count().min(12) as i32;
    sink.add(KING_UNSAFE_CHECKS.at(0), unsafe_checks);

    let no_queen = position.pieces(!us, Role::Queen).is_empty();
    if no_queen {
        sink.add(KING_NO_ENEMY_QUEEN.at(0), 1);
    }
    let pinned = own.pinned.count().min(8) as i32;
    sink.add(KING_PINNED.at(0), pinned);

    let flank = FLANK[king.file() as usize] & ranks(us, 0, 4);
    let pressed = (enemy.all & flank).count() + (enemy.all & enemy.twice & flank).count();
    let guarded = (own.all & flank).count();
    let pressure = pressed as i32 - guarded as i32;
    sink.add(KING_FLANK.at(((pressure + 8) / 2).clamp(0, 11) as usize), 1);

    let knight_guard = (own.by[Role::Knight as usize] & own.by[Role::King as usize]).any();
    let safe_checks: i32 = checks.safe.iter().zip(danger::SAFE_CHECK).filter(|(safe, _)| **safe).map(|(_, d)| d).sum();
    let sum = enemy.attackers * enemy.attacker_danger
        + danger::WEAK_RING * weak_ring as i32
        + danger::UNSAFE_CHECK * unsafe_checks
        + danger::PINNED * pinned
        + danger::KING_ATTACK * enemy.king_attacks
        + danger::FLANK * pressure
        + danger::KNIGHT_GUARD * i32::from(knight_guard)
        + danger::NO_QUEEN * i32::from(no_queen)
        + safe_checks;
    sink.add(KING_DANGER.at((sum / danger::STEP).clamp(0, 31) as usize), 1);
}

/// Checks that the enemy can give.
struct Checks {
    /// Whether knight, bishop, rook, queen can check from a safe square.
    safe: [bool; 4],
    /// Unsafe squares to check from.
    unsafe_squares: Bitboard,
}

#[inline]
fn checks(context: &EvalContext, weak: Bitboard, us: Color) -> Checks {
    let position = context.position;
    let board = position.board();
    let king = context.king(us);
    let (own, enemy) = (context.side(us), context.side(!us));

    let see_through = board.occupied() ^ position.pieces(us, Role::Queen);
    let straight = attacks::rook_attacks(king, see_through);
    let diagonal = attacks::bishop_attacks(king, see_through);
    let safe = !board.by_color(!us) & (!own.all | weak & enemy.twice);
    let reach = |role: Role| enemy.by[role as usize];

    let rook = straight & reach(Role::Rook);
    let queen = (straight | diagonal) & reach(Role::Queen) & safe & !own.by[Role::Queen as usize] & !(rook & safe);
    let bishop = diagonal & reach(Role::Bishop);
    let knight = attacks::knight_attacks(king) & reach(Role::Knight);
    let safe_bishop = (bishop & safe & !queen).any();
    let mut unsafe_squares = Bitboard::EMPTY;
    for squares in [knight, bishop, rook] {
        if (squares & safe).is_empty() {
            unsafe_squares |= squares;
        }
    }
    Checks { safe: [(knight & safe).any(), safe_bishop, (rook & safe).any(), queen.any()], unsafe_squares }
}
