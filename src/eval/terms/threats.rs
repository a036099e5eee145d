//! Threats, contested squares and space.

use super::context::EvalContext;
use crate::eval::bits::{self, files, forward, pawn_attacks, ranks};
use crate::eval::sink::SideSink;
use crate::eval::term_list::{
    RESTRICTED, SPACE, THREAT_BY_KING, THREAT_BY_MINOR, THREAT_BY_PAWN, THREAT_BY_PUSH, THREAT_BY_ROOK, THREAT_HANGING,
    THREAT_ON_QUEEN, THREAT_WEAKLY_PROTECTED,
};
use crate::position::{bishop_lines, rook_lines};
use shakmaty::{Bitboard, Color, File, Rank, Role, attacks};

/// Emits every threat that `us` makes.
#[inline]
pub fn features<S: SideSink>(context: &EvalContext, sink: &mut S, us: Color) {
    let position = context.position;
    let board = position.board();
    let (own, enemy) = (context.side(us), context.side(!us));
    let targets = board.by_color(!us);
    let pieces = targets & !board.pawns();

    // Protected by a pawn, or twice while we attack once.
    let strongly_protected = enemy.by[Role::Pawn as usize] | enemy.twice & !own.twice;
    let weak = targets & !strongly_protected & own.all;
    let defended = pieces & strongly_protected;

    if (weak | defended).any() {
        let minors = own.by[Role::Knight as usize] | own.by[Role::Bishop as usize];
        for square in (weak | defended) & minors {
            if let Some(role) = position.role_at(square)
                && role != Role::King
            {
                sink.add(THREAT_BY_MINOR.at(role as usize - 1), 1);
            }
        }
        for square in weak & own.by[Role::Rook as usize] {
            if let Some(role) = position.role_at(square)
                && role != Role::King
            {
                sink.add(THREAT_BY_ROOK.at(role as usize - 1), 1);
            }
        }
        if (weak & own.by[Role::King as usize]).any() {
            sink.add(THREAT_BY_KING.at(0), 1);
        }
        let hanging = weak & (!enemy.all | pieces & own.twice);
        sink.add(THREAT_HANGING.at(0), (hanging & pieces).count().min(8) as i32);
        sink.add(THREAT_HANGING.at(1), (hanging & board.pawns()).count().min(8) as i32);
        let by_queen = weak & enemy.by[Role::Queen as usize];
        sink.add(THREAT_WEAKLY_PROTECTED.at(0), by_queen.count().min(8) as i32);
    }

    let contested = enemy.all & !strongly_protected & own.all;
    sink.add(RESTRICTED.at(0), contested.count().min(40) as i32);

    pawn_threats(context, sink, pieces, us);
    queen_threats(context, sink, strongly_protected, us);
}

#[inline]
fn pawn_threats<S: SideSink>(context: &EvalContext, sink: &mut S, pieces: Bitboard, us: Color) {
    let position = context.position;
    let board = position.board();
    let (own, enemy) = (context.side(us), context.side(!us));
    let pawns = position.pieces(us, Role::Pawn);
    let safe = !enemy.all | own.all;

    for square in pawn_attacks(us, pawns & safe) & pieces {
        if let Some(role) = position.role_at(square)
            && role != Role::King
        {
            sink.add(THREAT_BY_PAWN.at(role as usize - 2), 1);
        }
    }
    let free = !board.occupied();
    let once = forward(us, pawns) & free;
    let twice = forward(us, once & bits::rank(us, Rank::Third)) & free;
    let pushes = (once | twice) & !enemy.by[Role::Pawn as usize] & safe;
    let targets = pawn_attacks(us, pushes) & pieces;
    sink.add(THREAT_BY_PUSH.at(0), targets.count().min(8) as i32);
}

#[inline]
fn queen_threats<S: SideSink>(context: &EvalContext, sink: &mut S, strongly_protected: Bitboard, us: Color) {
    let position = context.position;
    let own = context.side(us);
    let queens = position.pieces(!us, Role::Queen);
    let Some(queen) = queens.single_square() else { return };
    let reach = context.side(!us).queen_reach;
    let safe = own.area & !strongly_protected;
    let knight = own.by[Role::Knight as usize] & attacks::knight_attacks(queen);
    sink.add(THREAT_ON_QUEEN.at(0), (knight & safe).count().min(4) as i32);
    let safe = safe & own.twice;
    let bishop = own.by[Role::Bishop as usize] & reach & bishop_lines(queen);
    let rook = own.by[Role::Rook as usize] & reach & rook_lines(queen);
    sink.add(THREAT_ON_QUEEN.at(1), (bishop & safe).count().min(4) as i32);
    sink.add(THREAT_ON_QUEEN.at(2), (rook & safe).count().min(4) as i32);
}

/// Emits the space of `us`: safe squares on files c to f, ranks 2 to 4; those behind own pawns count twice.
#[inline]
pub fn space<S: SideSink>(context: &EvalContext, sink: &mut S, us: Color) {
    let position = context.position;
    let pawns = position.pieces(us, Role::Pawn);
    let enemy = context.side(!us);
    let safe = files(File::C, File::F) & ranks(us, 1, 3) & !pawns & !enemy.by[Role::Pawn as usize];
    let mut behind = pawns;
    behind |= forward(!us, behind);
    behind |= forward(!us, forward(!us, behind));
    let squares = safe.count() + (safe & behind & !enemy.all).count();
    let board = position.board();
    let own_pieces = (board.by_color(us) & !board.pawns() & !board.kings()).count();
    sink.add(SPACE.at(own_pieces.min(7)), squares.min(16) as i32);
}
