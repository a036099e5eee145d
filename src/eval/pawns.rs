//! What pawns and kings alone say: structure, passed pawns, shelter. Cached, as they seldom change.

use super::bits::{
    FLANK, adjacent_files, forward, forward_fill, forward_ranks, pawn_attacks, pawn_double_attacks, relative,
    relative_rank, ring_centre, sideways, step,
};
use super::sink::Sink;
use super::terms::{
    Feature, KING_OPEN_FILE, KING_PAWN_DISTANCE, KING_PAWNLESS_FLANK, NO_PASSED_PAWN, ONE_FLANK, OPPOSITE_WINGS,
    PASSED, PASSED_ENEMY_KING, PASSED_OWN_KING, PASSED_SUPPORTED, PAWN_BACKWARD, PAWN_BLOCKED, PAWN_CANDIDATE,
    PAWN_DOUBLED, PAWN_ISOLATED, PAWN_PHALANX, PAWN_SUPPORTED, PAWN_WEAK_LEVER, PST_KING, PST_PAWN, RAMMED, SHELTER,
    STORM, STORM_BLOCKED, Term,
};
use crate::position::Position;
use shakmaty::{Bitboard, Color, File, Role, Square, attacks};

/// What the pawns mean for the rest of the evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct PawnFacts {
    /// Passed pawns of both colours.
    pub passed: Bitboard,
    /// No pawns, or all of them on one flank.
    pub one_flank: bool,
    /// Squares that pawns attack, black first.
    pub attacks: [Bitboard; 2],
    /// Squares that two pawns attack, black first.
    pub double_attacks: [Bitboard; 2],
    /// Squares that pawns attack now or after going forward, black first.
    pub reach: [Bitboard; 2],
}

/// Index of a square in a piece-square table: from the owner's side, the own king on files e to h.
#[inline]
pub fn square_index(color: Color, king: Square, square: Square) -> usize {
    let mirrored = if king.file() < File::E { square.flip_horizontal() } else { square };
    relative(color, mirrored) as usize
}

/// Emits every feature of pawns and kings.
pub fn features<S: Sink>(position: &Position, sink: &mut S) -> PawnFacts {
    let mut passed = Bitboard::EMPTY;
    for color in Color::ALL {
        passed |= pawns(position, sink, color);
        king(position, sink, color);
    }
    let pawns = position.board().pawns();
    let queen_side = super::bits::files(File::A, File::D);
    let one_flank = (pawns & queen_side).is_empty() || (pawns & !queen_side).is_empty();
    if pawns.any() {
        if passed.is_empty() {
            sink.add_shared(NO_PASSED_PAWN.at(0));
        }
        if one_flank {
            sink.add_shared(ONE_FLANK.at(0));
        }
    }
    let white = position.pieces(Color::White, Role::Pawn);
    let rammed = (forward(Color::White, white) & position.pieces(Color::Black, Role::Pawn)).count();
    sink.add_shared(RAMMED.at(rammed.min(8)));
    let wings = Color::ALL.map(|color| position.king(color).file() as usize);
    if wings[0].abs_diff(wings[1]) >= 4 {
        sink.add_shared(OPPOSITE_WINGS.at(0));
    }
    let own = [Color::Black, Color::White].map(|color| (color, position.pieces(color, Role::Pawn)));
    PawnFacts {
        passed,
        one_flank,
        attacks: own.map(|(color, pawns)| pawn_attacks(color, pawns)),
        double_attacks: own.map(|(color, pawns)| pawn_double_attacks(color, pawns)),
        reach: own.map(|(color, pawns)| pawn_attacks(color, pawns | forward_fill(color, pawns))),
    }
}

fn pawns<S: Sink>(position: &Position, sink: &mut S, us: Color) -> Bitboard {
    let ours = position.pieces(us, Role::Pawn);
    let theirs = position.pieces(!us, Role::Pawn);
    let (king, enemy_king) = (position.king(us), position.king(!us));
    let mut all_passed = Bitboard::EMPTY;

    for square in ours {
        let rank = relative_rank(us, square);
        let one = Bitboard::from_square(square);
        let ahead = forward_fill(us, one);
        let next = forward(us, one);
        let neighbours = ours & adjacent_files(square);
        let opposed = (theirs & ahead).any();
        let stoppers = theirs & (ahead | sideways(ahead));
        let levers = theirs & attacks::pawn_attacks(us, square);
        let push_levers = theirs & pawn_attacks(us, next);
        let blocked = (next & theirs).any();
        let support = ours & attacks::pawn_attacks(!us, square);
        let phalanx = ours & sideways(one);
        let doubled = (ours & ahead).any();

        sink.add(us, PST_PAWN.at(square_index(us, king, square)), 1);
        if phalanx.any() {
            sink.add(us, PAWN_PHALANX.at(rank), 1);
        }
        if support.any() {
            sink.add(us, PAWN_SUPPORTED.at(rank), support.count() as i32);
        }
        // Nobody beside or behind can support it, and stepping on would lose it or is impossible.
        let backward = (neighbours & !forward_ranks(us, square)).is_empty() && (push_levers.any() || blocked);
        if neighbours.is_empty() {
            sink.add(us, PAWN_ISOLATED.at(usize::from(!opposed)), 1);
        } else if backward && support.is_empty() && phalanx.is_empty() {
            sink.add(us, PAWN_BACKWARD.at(usize::from(!opposed)), 1);
        }
        if doubled && support.is_empty() {
            sink.add(us, PAWN_DOUBLED.at(0), 1);
        }
        if support.is_empty() && levers.more_than_one() {
            sink.add(us, PAWN_WEAK_LEVER.at(0), 1);
        }
        if blocked && (rank == 4 || rank == 5) {
            sink.add(us, PAWN_BLOCKED.at(rank - 4), 1);
        }

        // Passed if only levers stop it and support outweighs them, or none at all; never behind an own pawn.
        let only_levers = stoppers == levers && support.count() >= levers.count();
        if !doubled && (stoppers.is_empty() || (only_levers && rank >= 3)) {
            all_passed |= one;
            passed(sink, us, square, rank, support.any(), king, enemy_king);
        } else if !doubled
            && !opposed
            && (stoppers & !levers & !push_levers).is_empty()
            && phalanx.count() + support.count() >= push_levers.count()
        {
            sink.add(us, PAWN_CANDIDATE.at(rank), 1);
        }
    }
    all_passed
}

fn passed<S: Sink>(
    sink: &mut S,
    us: Color,
    square: Square,
    rank: usize,
    supported: bool,
    king: Square,
    enemy_king: Square,
) {
    sink.add(us, PASSED.at(rank), 1);
    if supported {
        sink.add(us, PASSED_SUPPORTED.at(rank), 1);
    }
    if rank >= 3 {
        let run = 8 * [0, 0, 1, 2][rank - 3];
        let next = step(us, square);
        sink.add(us, PASSED_OWN_KING.at(run + king.distance(next) as usize), 1);
        sink.add(us, PASSED_ENEMY_KING.at(run + enemy_king.distance(next) as usize), 1);
    }
}

fn king<S: Sink>(position: &Position, sink: &mut S, us: Color) {
    let king = position.king(us);
    let ours = position.pieces(us, Role::Pawn);
    let theirs = position.pieces(!us, Role::Pawn);
    sink.add(us, king_square(us, king), 1);

    let pawns = ours | theirs;
    if (pawns & FLANK[king.file() as usize]).is_empty() {
        sink.add(us, KING_PAWNLESS_FLANK.at(0), 1);
    }
    if let Some(distance) = distance_to(king, pawns) {
        sink.add(us, KING_PAWN_DISTANCE.at(distance), 1);
    }

    let not_behind = forward_ranks(us, king) | Bitboard::from_rank(king.rank());
    let centre = ring_centre(king).file() as usize;
    for file in centre - 1..=centre + 1 {
        let on_file = Bitboard(0x0101_0101_0101_0101 << file);
        let edge = file.min(7 - file);
        let own = nearest(us, ours & on_file & not_behind);
        let enemy = nearest(us, theirs & on_file & not_behind);
        let own_rank = own.map_or(0, |pawn| relative_rank(us, pawn));
        let enemy_rank = enemy.map_or(0, |pawn| relative_rank(us, pawn));
        sink.add(us, SHELTER.at(8 * edge + own_rank), 1);
        if own.is_some() && own_rank + 1 == enemy_rank {
            sink.add(us, STORM_BLOCKED.at(enemy_rank), 1);
        } else {
            sink.add(us, STORM.at(8 * edge + enemy_rank), 1);
        }
        if (ours & on_file).is_empty() {
            sink.add(us, KING_OPEN_FILE.at(usize::from((theirs & on_file).is_empty())), 1);
        }
    }
}

/// King steps from a square to the nearest of a set; `None` if the set is empty.
fn distance_to(square: Square, set: Bitboard) -> Option<usize> {
    let mut reached = Bitboard::from_square(square);
    (1..8).find(|_| {
        let rows = reached | sideways(reached);
        reached = rows | forward(Color::White, rows) | forward(Color::Black, rows);
        (reached & set).any()
    })
}

/// The pawn nearest to the own back rank.
fn nearest(us: Color, pawns: Bitboard) -> Option<Square> {
    if us.is_white() { pawns.first() } else { pawns.last() }
}

fn king_square(us: Color, king: Square) -> Feature {
    const TABLE: Term = PST_KING;
    let index = square_index(us, king, king);
    TABLE.at(4 * (index / 8) + index % 8 - 4)
}
