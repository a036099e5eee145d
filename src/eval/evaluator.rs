//! The evaluation of positions, from scratch and with caches.

use super::contempt::Contempt;
use super::curves::{draw_curve, wilo_size};
use super::finish::{self, BoardSums, Evaluation, finish};
use super::network::Accumulators;
use super::sink::Sink;
use super::terms;
use super::terms::cache::TermCaches;
use super::weights::Weights;
use crate::position::Position;
use shakmaty::Color;
use std::fmt;

/// Evaluates a position without caches.
#[must_use]
pub fn evaluate(position: &Position, weights: &Weights) -> Evaluation {
    finish(position, weights, sums(position, weights), Contempt::NONE)
}

/// The scores before the draw curve.
#[must_use]
pub fn evaluate_before_curve(position: &Position, weights: &Weights) -> Evaluation {
    finish::before_curve(position, weights, sums(position, weights), Contempt::NONE)
}

/// The sums of all sources, without caches.
fn sums(position: &Position, weights: &Weights) -> BoardSums {
    let BoardSums { lanes, material } = terms::sums(position, weights);
    let network = weights.network_for(material).map(|network| network.sums(position).lanes());
    BoardSums { lanes: lanes + network.unwrap_or_default(), material }
}

/// Emits every feature of the terms for a position but the size of wilo and the draw curve. Returns the phase, 0 to
/// [`FULL_PHASE`](super::FULL_PHASE).
pub fn features<S: Sink>(position: &Position, sink: &mut S) -> i32 {
    let material = terms::features(position, sink);
    finish::features(position, sink, material);
    material.phase()
}

/// Emits every feature of a position as it is evaluated with these weights. Returns the phase.
pub fn features_and_curves<S: Sink>(position: &Position, weights: &Weights, sink: &mut S) -> i32 {
    let phase = features(position, sink);
    let before = evaluate_before_curve(position, weights);
    wilo_size(sink, before.wilo);
    draw_curve(sink, before.draw);
    phase
}

/// Evaluates with caches of boards and of parts of their sums. Each thread has one.
pub struct Evaluator {
    boards: Box<[BoardEntry]>,
    terms: TermCaches,
    accumulators: Accumulators,
}

#[derive(Clone, Copy, Default)]
struct BoardEntry {
    key: u64,
    sums: BoardSums,
}

// Two to a cache line.
const _: () = assert!(size_of::<BoardEntry>() == 32);

/// Entries of the board cache; a power of two. A board mostly comes again soon, after a null move or by another order of
/// moves, so few entries suffice.
const BOARD_ENTRIES: usize = 1 << 12;

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator {
            boards: vec![BoardEntry::default(); BOARD_ENTRIES].into_boxed_slice(),
            terms: TermCaches::default(),
            accumulators: Accumulators::default(),
        }
    }
}

impl fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evaluator").finish_non_exhaustive()
    }
}

impl Evaluator {
    /// Empties the caches, as new weights require.
    pub fn clear(&mut self) {
        self.boards.fill(BoardEntry::default());
        self.terms.clear();
        self.accumulators.clear();
    }

    /// Evaluates a position as [`evaluate`](super::evaluate) does, with White's contempt. `ply` is its distance from the root of
    /// the search: the sums of a network come soonest from the position before.
    #[must_use]
    pub fn evaluate(&mut self, position: &Position, weights: &Weights, contempt: Contempt, ply: usize) -> Evaluation {
        let key = board_key(position);
        let entry = &mut self.boards[key as usize % BOARD_ENTRIES];
        if entry.key != key {
            let BoardSums { mut lanes, material } = self.terms.sums(position, weights);
            if let Some(network) = weights.network_for(material) {
                lanes = lanes + self.accumulators.sums(network, position, ply).lanes();
            }
            *entry = BoardEntry { key, sums: BoardSums { lanes, material } };
        }
        finish(position, weights, entry.sums, contempt)
    }
}

/// Key of the board. Against a side without pieces the side to move matters too, for the square of a passed pawn, and where
/// rooks are the only pieces, for one that is tied to its pawn.
#[inline]
fn board_key(position: &Position) -> u64 {
    let (key, board) = (position.board_key(), position.board());
    let has_minor_or_queen = (board.knights() | board.bishops_and_queens()).any();
    if has_minor_or_queen && Color::ALL.into_iter().all(|color| position.has_non_pawn_material(color)) {
        key
    } else {
        key ^ position.turn() as u64
    }
}
