//! Features of the piece counts. Cached, since the counts seldom change.

use crate::eval::material::{PieceCounts, points};
use crate::eval::sink::Sink;
use crate::eval::term_list::{
    BASE, BISHOP_PAIR, IMBALANCE_OWN, IMBALANCE_THEIRS, MATERIAL, MINORS_ON_BOARD, PAWNLESS, PAWNLESS_AHEAD,
    PAWNS_ON_BOARD, PURE_ENDING, QUEENS_ON_BOARD, ROOKS_ON_BOARD,
};
use shakmaty::Color;

/// Emits every feature of the counts.
pub fn features<S: Sink>(counts: &PieceCounts, sink: &mut S) {
    sink.add_shared(BASE.at(0));
    for color in Color::ALL {
        let own = counts.capped(color);
        for (role, &count) in own.iter().enumerate() {
            sink.add(color, MATERIAL.at(role), count);
        }
        if counts.is_oversized() {
            continue;
        }
        if counts.has_bishop_pair(color) {
            sink.add(color, BISHOP_PAIR.at(0), 1);
        }
        if own[0] == 0 {
            sink.add(color, PAWNLESS.at(0), 1);
        }
        imbalance(sink, color, own, counts.capped(!color));
    }
    if !counts.is_oversized() {
        signature(counts, sink);
    }
}

/// Emits what both sides have together, and how well the side ahead can win without pawns.
fn signature<S: Sink>(counts: &PieceCounts, sink: &mut S) {
    let (white, black) = (counts.capped(Color::White), counts.capped(Color::Black));
    let both: [usize; 5] = std::array::from_fn(|i| (white[i] + black[i]) as usize);
    sink.add_shared(PAWNS_ON_BOARD.at(both[0].min(16)));
    sink.add_shared(MINORS_ON_BOARD.at((both[1] + both[2]).min(8)));
    sink.add_shared(ROOKS_ON_BOARD.at(both[3].min(4)));
    sink.add_shared(QUEENS_ON_BOARD.at(both[4].min(2)));

    let ahead = points(white) - points(black);
    let (stronger, weaker) = if ahead >= 0 { (white, black) } else { (black, white) };
    if stronger[0] == 0 && (ahead != 0 || weaker[0] == 0) {
        let helpless = lacks_mating_material(stronger) && (ahead != 0 || lacks_mating_material(weaker));
        let step = match ahead.abs() {
            _ if helpless && weaker[0] <= 1 => Some(4),
            _ if helpless => None,
            0 => Some(0),
            1..=2 => Some(1),
            3..=4 => Some(2),
            _ => Some(3),
        };
        if let Some(step) = step {
            sink.add_shared(PAWNLESS_AHEAD.at(step));
        }
    }
    if let Some(pure) = counts.pure_ending() {
        let majority = (white[0] - black[0]).unsigned_abs().min(2) as usize;
        sink.add_shared(PURE_ENDING.at(3 * pure as usize + majority));
    }
}

/// Whether a side without pawns lacks mating material: it has at most a minor piece, or two knights.
fn lacks_mating_material([_, knights, bishops, rooks, queens]: [i32; 5]) -> bool {
    rooks + queens == 0 && (knights + bishops <= 1 || (bishops == 0 && knights == 2))
}

/// Emits the products of counts, of own pieces and of own and enemy pieces.
fn imbalance<S: Sink>(sink: &mut S, color: Color, own: [i32; 5], theirs: [i32; 5]) {
    let mut own_index = 0;
    let mut their_index = 0;
    for i in 0..5 {
        for j in 0..=i {
            let pairs = if i == j { own[i] * (own[i] - 1) / 2 } else { own[i] * own[j] };
            sink.add(color, IMBALANCE_OWN.at(own_index), pairs);
            own_index += 1;
            if j < i {
                sink.add(color, IMBALANCE_THEIRS.at(their_index), own[i] * theirs[j]);
                their_index += 1;
            }
        }
    }
}
