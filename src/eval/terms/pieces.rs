//! Knights, bishops, rooks and queens: squares, mobility, placement. Also fills the attack maps of [`EvalContext`].

use super::context::EvalContext;
use super::danger;
use super::pawns::View;
use crate::eval::bits::{self, adjacent_files, file_of, forward, forward_ranks, ranks};
use crate::eval::sink::{SideSink, Sink};
use crate::eval::term_list::{
    BAD_BISHOP, BAD_BISHOP_BLOCKED, BISHOP_LONG_DIAGONAL, KING_RING_ATTACKS, MINOR_BEHIND_PAWN, MINOR_KING_DISTANCE,
    MOBILITY_BISHOP, MOBILITY_KNIGHT, MOBILITY_QUEEN, MOBILITY_ROOK, OUTPOST_BISHOP, OUTPOST_KNIGHT, OUTPOST_REACHABLE,
    PST_BISHOP, PST_KNIGHT, PST_QUEEN, PST_ROOK, ROOK_BEHIND_PASSER, ROOK_OPEN_FILE, TRAPPED_BISHOP, TRAPPED_ROOK,
    WEAK_QUEEN,
};
use crate::position::{Position, bishop_lines, rook_lines};
use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks};

/// Emits every feature of one colour's pieces and fills its attack maps.
// Not inlined, so that both colours share the code: two copies crowd the instruction cache.
#[inline(never)]
pub fn features<S: Sink>(context: &mut EvalContext, sink: &mut S, us: Color) {
    let mut side = sink.side(us);
    knights(context, &mut side, us);
    bishops(context, &mut side, us);
    rooks(context, &mut side, us);
    queens(context, &mut side, us);
}

/// Adds the attacks of one piece to the maps; returns its mobility, in squares.
#[inline(always)]
fn add_attacks<S: SideSink>(
    context: &mut EvalContext,
    sink: &mut S,
    role: Role,
    square: Square,
    mut reach: Bitboard,
    us: Color,
) -> usize {
    let king = context.king(us);
    let (ring, enemy_king) = (context.side(!us).ring, context.by(!us, Role::King));
    let side = &mut context.sides[us as usize];
    if side.pinned.contains(square) {
        reach &= attacks::ray(king, square);
    }
    side.twice |= side.all & reach;
    side.all |= reach;
    side.by[role as usize] |= reach;
    let on_ring = reach & ring;
    if on_ring.any() {
        side.attackers += 1;
        side.attacker_danger += danger::ATTACKER[role as usize];
        side.king_attacks += (reach & enemy_king).count() as i32;
        sink.add(KING_RING_ATTACKS.at(role as usize - 2), on_ring.count() as i32);
    }
    (reach & side.area).count()
}

/// Squares on ranks four to six of `us` that no enemy pawn can ever attack.
#[inline]
fn outposts(context: &EvalContext, us: Color) -> Bitboard {
    ranks(us, 3, 5) & !context.pawns.attack_span[!us as usize]
}

#[inline(always)]
fn minor<S: SideSink>(context: &EvalContext, sink: &mut S, square: Square, is_bishop: bool, us: Color) {
    let pawns = context.position.board().pawns();
    if (forward(us, Bitboard::from_square(square)) & pawns).any() {
        sink.add(MINOR_BEHIND_PAWN.at(usize::from(is_bishop)), 1);
    }
    sink.add(MINOR_KING_DISTANCE.at(bits::distance(context.king(us), square)), 1);
}

#[inline]
fn knights<S: SideSink>(context: &mut EvalContext, sink: &mut S, us: Color) {
    let view = View::new(us, context.king(us));
    let outposts = outposts(context, us);
    let supported = context.by(us, Role::Pawn);
    for square in context.position.pieces(us, Role::Knight) {
        let reach = attacks::knight_attacks(square);
        let mobility = add_attacks(context, sink, Role::Knight, square, reach, us);
        sink.add(PST_KNIGHT.at(view.index(square)), 1);
        sink.add(MOBILITY_KNIGHT.at(mobility), 1);
        minor(context, sink, square, false, us);
        if outposts.contains(square) {
            sink.add(OUTPOST_KNIGHT.at(usize::from(supported.contains(square))), 1);
        } else if (reach & outposts & supported & !context.position.board().by_color(us)).any() {
            sink.add(OUTPOST_REACHABLE.at(0), 1);
        }
    }
}

#[inline]
fn bishops<S: SideSink>(context: &mut EvalContext, sink: &mut S, us: Color) {
    const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
    const LONG_DIAGONALS: Bitboard = Bitboard(0x8142_2418_1824_4281);
    let position = context.position;
    let bishops = position.pieces(us, Role::Bishop);
    if bishops.is_empty() {
        return;
    }
    let view = View::new(us, context.king(us));
    let outposts = outposts(context, us);
    let supported = context.by(us, Role::Pawn);
    let pawns = position.pieces(us, Role::Pawn);
    let see_through = position.board().occupied() ^ position.board().queens();
    for square in bishops {
        let reach = attacks::bishop_attacks(square, see_through);
        let mobility = add_attacks(context, sink, Role::Bishop, square, reach, us);
        sink.add(PST_BISHOP.at(view.index(square)), 1);
        sink.add(MOBILITY_BISHOP.at(mobility), 1);
        minor(context, sink, square, true, us);
        if outposts.contains(square) {
            sink.add(OUTPOST_BISHOP.at(usize::from(supported.contains(square))), 1);
        }
        let same_colour = if square.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
        let obstructing = (pawns & same_colour).count() as i32;
        let blocked_centre = pawns & forward(!us, position.board().occupied()) & bits::files(File::C, File::F);
        sink.add(BAD_BISHOP.at(0), obstructing);
        sink.add(BAD_BISHOP_BLOCKED.at(0), obstructing * blocked_centre.count().min(2) as i32);
        if LONG_DIAGONALS.contains(square)
            && (attacks::bishop_attacks(square, position.board().pawns()).with(square) & CENTRE).more_than_one()
        {
            sink.add(BISHOP_LONG_DIAGONAL.at(0), 1);
        }
        if is_trapped_bishop(position, us, square) {
            sink.add(TRAPPED_BISHOP.at(0), 1);
        }
    }
}

/// Whether a bishop on a7 or h7 (as `us` sees it) is trapped by a pawn on b6 or g6.
fn is_trapped_bishop(position: &Position, us: Color, square: Square) -> bool {
    let rim = Bitboard::from_file(File::A) | Bitboard::from_file(File::H);
    if !(bits::rank(us, Rank::Seventh) & rim).contains(square) {
        return false;
    }
    let gate = adjacent_files(square) & bits::rank(us, Rank::Sixth);
    (gate & position.pieces(!us, Role::Pawn)).any()
}

#[inline]
fn rooks<S: SideSink>(context: &mut EvalContext, sink: &mut S, us: Color) {
    let position = context.position;
    let rooks = position.pieces(us, Role::Rook);
    let king = context.king(us);
    let view = View::new(us, king);
    let own_pawns = position.pieces(us, Role::Pawn);
    let enemy_pawns = position.pieces(!us, Role::Pawn);
    let see_through = position.board().occupied() ^ position.board().queens() ^ rooks;
    for square in rooks {
        let reach = attacks::rook_attacks(square, see_through);
        let mobility = add_attacks(context, sink, Role::Rook, square, reach, us);
        sink.add(PST_ROOK.at(view.index(square)), 1);
        sink.add(MOBILITY_ROOK.at(mobility), 1);
        let file = file_of(square);
        if (file & own_pawns).is_empty() {
            sink.add(ROOK_OPEN_FILE.at(usize::from((file & enemy_pawns).is_empty())), 1);
        } else if mobility <= 3 && is_outside_king(king, square) {
            let no_rights = (position.castling_rights() & rooks).is_empty();
            sink.add(TRAPPED_ROOK.at(usize::from(no_rights)), 1);
        }
        let front = file & forward_ranks(us, square);
        let behind_own = front & context.pawns.passed & own_pawns;
        let behind_enemy = file & !front & context.pawns.passed & enemy_pawns;
        if behind_own.any() {
            sink.add(ROOK_BEHIND_PASSER.at(0), 1);
        }
        if behind_enemy.any() {
            sink.add(ROOK_BEHIND_PASSER.at(1), 1);
        }
    }
}

/// Whether the rook is on the same wing as its king, nearer to the edge.
fn is_outside_king(king: Square, rook: Square) -> bool {
    if king.file() < File::E { rook.file() < king.file() } else { rook.file() > king.file() }
}

#[inline]
fn queens<S: SideSink>(context: &mut EvalContext, sink: &mut S, us: Color) {
    let position = context.position;
    let queens = position.pieces(us, Role::Queen);
    if queens.is_empty() {
        return;
    }
    let view = View::new(us, context.king(us));
    for square in queens {
        let reach = attacks::queen_attacks(square, position.board().occupied());
        context.sides[us as usize].queen_reach = reach;
        let mobility = add_attacks(context, sink, Role::Queen, square, reach, us);
        sink.add(PST_QUEEN.at(view.index(square)), 1);
        sink.add(MOBILITY_QUEEN.at(mobility), 1);
        if is_exposed(position, us, square) {
            sink.add(WEAK_QUEEN.at(0), 1);
        }
    }
}

/// Whether exactly one piece stands between the square and an enemy rook or bishop.
fn is_exposed(position: &Position, us: Color, square: Square) -> bool {
    let board = position.board();
    let snipers = (rook_lines(square) & board.rooks() | bishop_lines(square) & board.bishops()) & board.by_color(!us);
    snipers.into_iter().any(|sniper| (attacks::between(square, sniper) & board.occupied()).count() == 1)
}
