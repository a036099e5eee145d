//! Features of pawns and kings alone: structure, passed pawns, shelter. Cached, since they seldom change.

use crate::eval::bits::{
    FLANK, distance, files, forward, forward_fill, forward_ranks, pawn_attacks, pawn_double_attacks, ranks,
    relative_rank, ring_centre, sideways, step,
};
use crate::eval::sink::Sink;
use crate::eval::term_list::{
    Feature, KING_OPEN_FILE, KING_PAWN_DISTANCE, KING_PAWNLESS_FLANK, NO_PASSED_PAWN, ONE_FLANK, OPPOSITE_WINGS,
    PASSED, PASSED_ENEMY_KING, PASSED_FILE, PASSED_OWN_KING, PASSED_SUPPORTED, PAWN_BACKWARD, PAWN_BLOCKED,
    PAWN_CANDIDATE, PAWN_DOUBLED, PAWN_ISOLATED, PAWN_PHALANX, PAWN_SUPPORTED, PST_KING, PST_PAWN, RAMMED, SHELTER,
    STORM, STORM_BLOCKED, Term,
};
use crate::position::Position;
use shakmaty::{Bitboard, Color, File, Role, Square, attacks};

/// What the rest of the evaluation needs to know of the pawns.
#[derive(Clone, Copy, Debug, Default)]
pub struct PawnInfo {
    /// Passed pawns of both colours.
    pub passed: Bitboard,
    /// Squares that pawns attack, black first.
    pub attacks: [Bitboard; 2],
    /// Attack spans, black first: squares that pawns attack now or after advancing.
    pub attack_span: [Bitboard; 2],
}

/// Whether all of some pawns are on one flank.
pub fn is_one_flank(pawns: Bitboard) -> bool {
    let queen_side = files(File::A, File::D);
    pawns.any() && ((pawns & queen_side).is_empty() || (pawns & !queen_side).is_empty())
}

/// How a side sees piece-square tables: from its own first rank, mirrored so that its king is on files e to h.
#[derive(Clone, Copy)]
pub struct View(u32);

impl View {
    /// The view of a side with its king on a square.
    #[inline]
    pub fn new(color: Color, king: Square) -> View {
        let mirror = if king.file() < File::E { 7 } else { 0 };
        View(mirror ^ color.fold_wb(0, 56))
    }

    /// Index of a square.
    #[inline]
    pub fn index(self, square: Square) -> usize {
        (square as u32 ^ self.0) as usize
    }
}

/// Emits every feature of pawns and kings.
pub fn features<S: Sink>(position: &Position, sink: &mut S) -> PawnInfo {
    let info = structure(position, sink);
    kings(position, sink, &info);
    info
}

/// Key of everything that [`structure`] depends on: the pawns, and on which half of the board each king is. Never zero.
#[inline]
pub fn structure_key(position: &Position) -> u64 {
    let wing = |color: Color| u64::from(position.king(color).file() < File::E);
    let wings = 1 + wing(Color::White) + 2 * wing(Color::Black);
    let key = position.pawn_key() ^ wings.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    key.max(1)
}

/// Emits the features of the pawn structure. They depend on the kings only by the half of the board they are on.
pub fn structure<S: Sink>(position: &Position, sink: &mut S) -> PawnInfo {
    let passed = pawns(position, sink, Color::Black) | pawns(position, sink, Color::White);
    let pawns = position.board().pawns();
    if pawns.any() {
        if passed.is_empty() {
            sink.add_shared(NO_PASSED_PAWN.at(0));
        }
        if is_one_flank(pawns) {
            sink.add_shared(ONE_FLANK.at(0));
        }
    }
    let white = position.pieces(Color::White, Role::Pawn);
    let rammed = (forward(Color::White, white) & position.pieces(Color::Black, Role::Pawn)).count();
    sink.add_shared(RAMMED.at(rammed.min(8)));
    let own = [Color::Black, Color::White].map(|color| (color, position.pieces(color, Role::Pawn)));
    PawnInfo {
        passed,
        attacks: own.map(|(color, pawns)| pawn_attacks(color, pawns)),
        attack_span: own.map(|(color, pawns)| pawn_attacks(color, pawns | forward_fill(color, pawns))),
    }
}

fn pawns<S: Sink>(position: &Position, sink: &mut S, us: Color) -> Bitboard {
    let ours = position.pieces(us, Role::Pawn);
    let theirs = position.pieces(!us, Role::Pawn);
    let view = View::new(us, position.king(us));
    for square in ours {
        sink.add(us, PST_PAWN.at(view.index(square)), 1);
    }

    let attacks = pawn_attacks(us, ours);
    let enemy_attacks = pawn_attacks(!us, theirs);
    let supported = ours & attacks;
    let phalanx = ours & sideways(ours);
    for square in phalanx {
        sink.add(us, PAWN_PHALANX.at(relative_rank(us, square)), 1);
    }
    let twice = pawn_double_attacks(us, ours);
    for square in supported {
        let count = 1 + i32::from(twice.contains(square));
        sink.add(us, PAWN_SUPPORTED.at(relative_rank(us, square)), count);
    }

    let enemy_front = forward_fill(!us, theirs);
    let opposed = ours & enemy_front;
    let doubled = ours & forward_fill(!us, ours);
    let blocked = ours & forward(!us, theirs);
    let behind = ours | forward_fill(us, ours);
    let neighboured = sideways(behind | forward_fill(!us, ours));
    let isolated = ours & !neighboured;
    // No pawn beside or behind can support it, and its step forward is blocked or attacked by a pawn.
    let stuck = blocked | forward(!us, enemy_attacks);
    let backward = ours & neighboured & !sideways(behind) & stuck;
    for (term, set) in [(PAWN_ISOLATED, isolated), (PAWN_BACKWARD, backward)] {
        sink.add(us, term.at(0), (set & opposed).count() as i32);
        sink.add(us, term.at(1), (set & !opposed).count() as i32);
    }
    sink.add(us, PAWN_DOUBLED.at(0), (doubled & !supported).count() as i32);
    for rank in [4, 5] {
        sink.add(us, PAWN_BLOCKED.at(rank - 4), (blocked & ranks(us, rank as u32, rank as u32)).count() as i32);
    }

    let foremost = ours & !doubled;
    let unstopped = foremost & !(enemy_front | sideways(enemy_front));
    let mut passed = unstopped;
    for square in foremost & !unstopped & !opposed {
        let next = forward(us, Bitboard::from_square(square));
        let ahead = forward_fill(us, Bitboard::from_square(square));
        let stoppers = theirs & sideways(ahead);
        let levers = theirs & attacks::pawn_attacks(us, square);
        let push_levers = theirs & pawn_attacks(us, next);
        let support =
            i32::from(supported.contains(square)) + i32::from(supported.contains(square) & twice.contains(square));
        let beside = ours & sideways(Bitboard::from_square(square));
        // Passed if only levers stop it and its supporters are no fewer.
        if stoppers == levers && support >= levers.count() as i32 && relative_rank(us, square) >= 3 {
            passed.add(square);
        } else if (stoppers & !levers & !push_levers).is_empty()
            && beside.count() as i32 + support >= push_levers.count() as i32
        {
            sink.add(us, PAWN_CANDIDATE.at(relative_rank(us, square)), 1);
        }
    }
    for square in passed {
        let (rank, file) = (relative_rank(us, square), square.file() as usize);
        sink.add(us, PASSED.at(rank), 1);
        sink.add(us, PASSED_FILE.at(file.min(7 - file)), 1);
        if supported.contains(square) {
            sink.add(us, PASSED_SUPPORTED.at(rank), 1);
        }
    }
    passed
}

/// Emits the features of the kings with the pawns.
pub fn kings<S: Sink>(position: &Position, sink: &mut S, info: &PawnInfo) {
    for us in Color::ALL {
        king(position, sink, us);
        for square in info.passed & position.board().by_color(us) {
            race(sink, us, square, position.king(us), position.king(!us));
        }
    }
    let wings = Color::ALL.map(|color| position.king(color).file() as usize);
    if wings[0].abs_diff(wings[1]) >= 4 {
        sink.add_shared(OPPOSITE_WINGS.at(0));
    }
}

/// Emits the distances of both kings to the square in front of a passed pawn.
fn race<S: Sink>(sink: &mut S, us: Color, square: Square, king: Square, enemy_king: Square) {
    let rank = relative_rank(us, square);
    if rank >= 3 {
        let run = 8 * [0, 0, 1, 2][rank - 3];
        let next = step(us, square);
        sink.add(us, PASSED_OWN_KING.at(run + distance(king, next)), 1);
        sink.add(us, PASSED_ENEMY_KING.at(run + distance(enemy_king, next)), 1);
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

/// The pawn nearest to the own first rank.
fn nearest(us: Color, pawns: Bitboard) -> Option<Square> {
    if us.is_white() { pawns.first() } else { pawns.last() }
}

fn king_square(us: Color, king: Square) -> Feature {
    const TABLE: Term = PST_KING;
    let index = View::new(us, king).index(king);
    TABLE.at(4 * (index / 8) + index % 8 - 4)
}
