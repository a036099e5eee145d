//! Features of drawish positions, and of mating a bare king.

use super::context::EvalContext;
use super::fortress;
use super::pawns::is_one_flank;
use crate::eval::bits::{self, FLANK, distance, forward, forward_fill, pawn_attacks};
use crate::eval::endings::corner_steps;
use crate::eval::material::PureEnding;
use crate::eval::sink::Sink;
use crate::eval::term_list::{
    BARE_KING_CORNER, BARE_KING_DISTANCE, BARE_KING_EDGE, CASTLING_RIGHTS, LOCKED, MATING_FORCE, OPPOSITE_BISHOPS,
    OPPOSITE_BISHOPS_HELD, OPPOSITE_BISHOPS_PASSED, PURE_ENDING_FLANK, ROOK_BEFORE_PASSER, ROOK_ENDING_ONE_FLANK,
};
use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks};

/// Index in [`ROOK_BEFORE_PASSER`] of a rook pawn whose rook cannot leave it without losing it.
const EDGE_AND_SHELTERED: usize = 4;

/// Emits every feature of drawish positions beyond piece counts and pawns.
#[inline]
pub fn features<S: Sink>(context: &EvalContext, sink: &mut S) {
    let position = context.position;
    let board = position.board();
    let rights = position.castling_rights().count();
    sink.add_shared(CASTLING_RIGHTS.at(rights.min(4)));

    let bishops = board.bishops();
    if let (Some(white), Some(black)) =
        ((bishops & board.white()).single_square(), (bishops & board.black()).single_square())
        && white.is_light() != black.is_light()
    {
        let other_pieces = if board.queens().any() {
            3
        } else if board.rooks().any() {
            2
        } else {
            usize::from(board.knights().any())
        };
        sink.add_shared(OPPOSITE_BISHOPS.at(other_pieces));
        if let (0, Some(ahead)) = (other_pieces, context.material.ahead) {
            let passed = context.pawns.passed & board.by_color(ahead);
            sink.add_shared(OPPOSITE_BISHOPS_PASSED.at(passed_width(passed)));
            if passed.any() && are_held(context, passed, ahead) {
                sink.add_shared(OPPOSITE_BISHOPS_HELD.at(usize::from(are_blockaded(context, passed, ahead))));
            }
        }
    }
    if fortress::is_locked(position) {
        sink.add_shared(LOCKED.at(0));
    } else if context.material.ahead.is_some_and(|ahead| fortress::is_held(position, ahead)) {
        sink.add_shared(LOCKED.at(1));
    }
    if context.material.pure_ending == Some(PureEnding::Rook) && is_one_flank(board.pawns()) {
        sink.add_shared(ROOK_ENDING_ONE_FLANK.at(board.pawns().count().min(3) - 1));
    }
    if let Some(pure) = context.material.pure_ending
        && board.pawns().any()
    {
        for us in Color::ALL {
            if (board.pawns() & FLANK[context.king(us).file() as usize]).is_empty() {
                sink.add(us, PURE_ENDING_FLANK.at(pure as usize), 1);
            }
        }
    }
    if context.material.pure_ending == Some(PureEnding::Rook) {
        for us in Color::ALL {
            if let Some(index) = rook_before_passer(context, us) {
                sink.add(us, ROOK_BEFORE_PASSER.at(index), 1);
            }
        }
    }
    if let Some(us) = context.material.mating_side {
        sink.add_shared(MATING_FORCE.at(0));
        bare_king(context, sink, us);
    }
}

/// Index in [`OPPOSITE_BISHOPS_PASSED`]: how far apart the passed pawns of a side are.
fn passed_width(passed: Bitboard) -> usize {
    let files = passed.into_iter().map(|square| square.file() as usize);
    match (files.clone().min(), files.max()) {
        (Some(first), Some(last)) if passed.more_than_one() => 1 + (last - first).clamp(1, 4),
        _ => passed.count(),
    }
}

/// Whether the enemy of `us` holds each of some passed pawns of `us` with his king or, on squares of its colour, his bishop.
fn are_held(context: &EvalContext, passed: Bitboard, us: Color) -> bool {
    let position = context.position;
    let bishop = position.pieces(!us, Role::Bishop);
    let colour =
        if (bishop & Bitboard::LIGHT_SQUARES).any() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    let guarded = (context.by(!us, Role::King) | context.by(!us, Role::Bishop)) & colour;
    let guards = guarded | position.pieces(!us, Role::King) | bishop;
    passed.into_iter().all(|square| (forward_fill(us, Bitboard::from_square(square)) & guards).any())
}

/// Whether the enemy of `us` blockades some passed pawns of `us`: his king stands before each, on a square that the bishop of
/// `us` cannot attack, or it is stopped on the first such square of its way by his king or, with the king two steps away and
/// the king of `us` not beside the square, by his bishop. No pawn supports the step there.
fn are_blockaded(context: &EvalContext, passed: Bitboard, us: Color) -> bool {
    let position = context.position;
    let (king, bishop) = (position.king(!us), position.pieces(!us, Role::Bishop));
    let colour =
        if (bishop & Bitboard::LIGHT_SQUARES).any() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    let supported = pawn_attacks(us, position.pieces(us, Role::Pawn));
    passed.into_iter().all(|square| {
        let pawn = Bitboard::from_square(square);
        let next = forward(us, pawn);
        if (forward_fill(us, pawn) & colour & !supported).contains(king) {
            return true;
        }
        let stop = if (next & colour).any() { next } else { forward(us, next) };
        let stop = stop & !(supported & !bishop & !Bitboard::from_square(king));
        stop.single_square().is_some_and(|stop| {
            distance(king, stop) <= 1
                || distance(king, stop) == 2
                    && distance(position.king(us), stop) > 1
                    && (bishop | context.by(!us, Role::Bishop)).contains(stop)
        })
    })
}

/// Index in [`ROOK_BEFORE_PASSER`] for a passed pawn of `us` with an own rook before it, if the enemy holds it.
fn rook_before_passer(context: &EvalContext, us: Color) -> Option<usize> {
    let position = context.position;
    let passed = context.pawns.passed & position.board().by_color(us);
    passed.into_iter().find_map(|square| {
        let pawn = Bitboard::from_square(square);
        let rook = (forward_fill(us, pawn) & position.pieces(us, Role::Rook)).first()?;
        let is_behind = (forward_fill(!us, pawn) & position.pieces(!us, Role::Rook)).any();
        let edge = bits::to_edge(square).0 as usize;
        if edge == 0 && is_rook_tied(context, rook, square, us, is_behind) {
            Some(EDGE_AND_SHELTERED)
        } else {
            is_behind.then_some(edge)
        }
    })
}

/// Whether `us`, at most one pawn ahead, makes no progress with a rook before its rook pawn. The enemy king stands where
/// that rook gives no check that gains a tempo: at the other edge, on a rank beside that of the rook, or about to go there. A
/// pawn on the seventh is held from behind, and pawns on the two files at the other edge do not help it. Before that the king of
/// `us` must be far, or not near while the enemy rook attacks the pawn from the side (Vančura's defence), or can do so with its
/// next move.
fn is_rook_tied(context: &EvalContext, rook: Square, pawn: Square, us: Color, is_behind: bool) -> bool {
    let position = context.position;
    let (king, enemy_king) = (position.king(us), position.king(!us));
    let is_enemy_turn = position.turn() != us;
    let ranks = (enemy_king.rank() as i32).abs_diff(rook.rank() as i32);
    let is_sheltered = ranks == 1 || ranks == 0 && is_enemy_turn;
    let is_seventh = us.relative_rank(pawn.rank()) == Rank::Seventh;
    let [ours, theirs] = [us, !us].map(|color| position.pieces(color, Role::Pawn));
    let far = if pawn.file() == File::A { [File::G, File::H] } else { [File::A, File::B] };
    let far = far.into_iter().fold(Bitboard::EMPTY, |files, file| files | Bitboard::from_file(file));
    let helping = if is_seventh { ours & !far } else { ours };
    if !is_sheltered
        || helping.count() > theirs.count() + 1
        || (enemy_king.file() as i32).abs_diff(pawn.file() as i32) < 6
    {
        return false;
    }
    if is_seventh {
        return is_behind;
    }
    let beside = attacks::rook_attacks(pawn, position.board().occupied()) & Bitboard::from_rank(pawn.rank());
    let rooks = position.pieces(!us, Role::Rook);
    let holding = if is_enemy_turn { rooks | context.by(!us, Role::Rook) } else { rooks };
    distance(king, pawn) >= if (beside & holding).any() { 3 } else { 5 }
}

/// Emits the features that drive a bare king towards mate.
fn bare_king<S: Sink>(context: &EvalContext, sink: &mut S, us: Color) {
    let position = context.position;
    let (king, bare_king) = (position.king(us), position.king(!us));
    let (file_edge, rank_edge) = bits::to_edge(bare_king);
    sink.add(us, BARE_KING_EDGE.at(file_edge.min(rank_edge) as usize), 1);
    sink.add(us, BARE_KING_DISTANCE.at(distance(king, bare_king)), 1);
    let board = position.board();
    let pieces = board.by_color(us) & !board.kings();
    if let Some(bishop) = (pieces & board.bishops()).single_square()
        && (pieces & board.rooks_and_queens()).is_empty()
    {
        let distance = corner_steps(Bitboard::from_square(bishop), bare_king);
        sink.add(us, BARE_KING_CORNER.at(distance.min(7)), 1);
    }
}
