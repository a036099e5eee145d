//! Passed pawns and the pieces around them.

use super::context::EvalContext;
use crate::eval::bits::{self, adjacent_files, forward, forward_fill, forward_ranks, relative_rank};
use crate::eval::sink::SideSink;
use crate::eval::term_list::{
    PASSED_BLOCKED, PASSED_FREE_PATH, PASSED_SAFE_PATH, PASSED_UNSAFE_STEP, PASSED_UNSTOPPABLE,
};
use shakmaty::{Bitboard, Color, Rank, Role, Square};

/// Emits every feature of the passed pawns of `us`.
#[inline]
pub fn features<S: SideSink>(context: &EvalContext, sink: &mut S, us: Color) {
    let position = context.position;
    let board = position.board();
    let (own, enemy) = (context.side(us), context.side(!us));
    let enemy_pieces = board.by_color(!us);
    for square in context.pawns.passed & board.by_color(us) {
        let rank = relative_rank(us, square);
        let one = Bitboard::from_square(square);
        let path = forward_fill(us, one);
        let next = forward(us, one);
        if (next & enemy_pieces).any() {
            sink.add(PASSED_BLOCKED.at(rank), 1);
        } else if (next & enemy.all & !own.all).any() {
            sink.add(PASSED_UNSAFE_STEP.at(rank), 1);
        }
        if (path & board.occupied()).is_empty() {
            sink.add(PASSED_FREE_PATH.at(rank), 1);
        }
        if (path & (enemy.all | enemy_pieces)).is_empty() {
            sink.add(PASSED_SAFE_PATH.at(rank), 1);
        }
    }
    if !position.has_non_pawn_material(!us)
        && (context.pawns.passed & board.by_color(us)).into_iter().any(|square| is_unstoppable(context, us, square))
    {
        sink.add(PASSED_UNSTOPPABLE.at(0), 1);
    }
}

/// Whether a passed pawn with a free path promotes against an enemy without pieces: the enemy king is outside the square
/// of the pawn, or the own king guards the path.
fn is_unstoppable(context: &EvalContext, us: Color, square: Square) -> bool {
    let position = context.position;
    let path = forward_fill(us, Bitboard::from_square(square));
    if (path & position.board().occupied()).any() {
        return false;
    }
    let Some(goal) = (path & bits::rank(us, Rank::Eighth)).first() else { return false };
    // The own king guards every square of the path.
    let lane = (Bitboard::from_square(square) | path | adjacent_files(square)) & forward_ranks(us, square);
    let escorted = path.is_subset(context.by(us, Role::King)) && lane.contains(context.king(us));
    let steps = promotion_steps(us, square);
    let king_steps = bits::distance(context.king(!us), goal) as i32 - i32::from(position.turn() == !us);
    escorted || king_steps > steps
}

/// Moves until the pawn promotes, with the double step.
fn promotion_steps(us: Color, square: Square) -> i32 {
    let rank = relative_rank(us, square) as i32;
    if rank == 1 { 5 } else { 7 - rank }
}
