//! What the threads of one search share.

use super::limits::{Limits, Settings, Stopwatch};
use super::params::{Constants, Reductions, SearchParams};
use super::signals::Signals;
use super::syzygy::Syzygy;
use super::tt::TranspositionTable;
use super::tt_entry::TtEntry;
use crate::eval::{Contempt, Weights, term_list};
use crate::position::{GameHistory, Move, Position};
use crate::tablebase::RankedMove;
use crate::wdl::model::WiloDraw;
use shakmaty::Role;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Counts of a thread, on a cache line of their own.
#[derive(Default)]
#[repr(align(128))]
pub struct NodeCounter {
    nodes: AtomicU64,
    syzygy_hits: AtomicU64,
}

/// What a piece of each role is worth to the score at most, centipawns of score; index 0 is unused, kings are 0.
pub struct PieceGains([i32; 7]);

impl PieceGains {
    /// By the weights of the evaluation; `percent` of their wilo.
    pub fn new(weights: &Weights, percent: i32) -> PieceGains {
        let mut gains = [0; 7];
        for (gain, word) in gains[1..6].iter_mut().zip(weights.term(&term_list::MATERIAL)) {
            *gain = word.wilo_mg().max(word.wilo_eg()) * percent / 100;
        }
        PieceGains(gains)
    }

    /// What a move captures, and what its promotion is worth more than a pawn, centipawns of score.
    #[inline]
    pub fn of(&self, position: &Position, m: Move) -> i32 {
        let value = |role: Role| self.0[role as usize];
        let promoted = m.promotion().map_or(0, |role| value(role) - value(Role::Pawn));
        position.captured(m).map_or(0, value) + promoted
    }
}

/// What all threads of one search share.
pub struct Shared<'a> {
    pub weights: &'a Weights,
    pub constants: &'a Constants,
    pub reductions: &'a Reductions,
    pub tt: &'a TranspositionTable,
    /// The game up to the root.
    pub game: &'a GameHistory,
    /// Whether a draw by the fifty-move rule can be claimed at the root.
    pub is_claimable: bool,
    /// Root moves that are not searched: beside others that win, that draw is their score.
    pub drawn: &'a [Move],
    /// The moves to search at the root.
    pub root_moves: &'a [RankedMove],
    /// The endgame tables.
    pub syzygy: Syzygy<'a>,
    pub limits: &'a Limits,
    pub settings: &'a Settings,
    pub signals: &'a Signals,
    pub stopwatch: Stopwatch,
    /// What captures and promotions gain.
    pub gains: PieceGains,
    /// White's contempt.
    pub contempt: Contempt,
    /// Nodes of each thread.
    pub counters: Vec<NodeCounter>,
    /// Whether a limit has ended the search.
    pub finished: AtomicBool,
}

impl Shared<'_> {
    /// The constants of the search.
    #[inline(always)]
    pub fn params(&self) -> &SearchParams {
        self.constants.get()
    }

    /// What the transposition table knows of a node.
    #[inline(always)]
    pub fn probe_tt(&self, position: &Position, ply: usize) -> Option<TtEntry> {
        self.tt.probe(position.tt_key(), ply).map(|entry| entry.at_clock(position, ply))
    }

    /// Takes contempt out of the scores of a line from the root.
    pub fn without_contempt(&self, estimate: WiloDraw, line: &[Move]) -> WiloDraw {
        if self.contempt == Contempt::NONE {
            return estimate;
        }
        let root = self.game.position();
        let leaf = line.iter().fold(*root, |position, &m| position.play(m));
        root.turn().fold_wb(self.contempt, -self.contempt).remove_from(estimate, &leaf, self.weights)
    }

    /// Ends the search for all threads.
    pub fn finish(&self) {
        self.finished.store(true, Relaxed);
    }

    /// Whether a limit or a signal has ended the search.
    pub fn is_finished(&self) -> bool {
        self.finished.load(Relaxed) || self.signals.is_stopped()
    }

    /// Publishes the counts of a thread.
    pub fn publish_counts(&self, thread: usize, nodes: u64, syzygy_hits: u64) {
        self.counters[thread].nodes.store(nodes, Relaxed);
        self.counters[thread].syzygy_hits.store(syzygy_hits, Relaxed);
    }

    /// Nodes of all threads, as far as published, and those before the search.
    pub fn nodes(&self) -> u64 {
        let counted: u64 = self.counters.iter().map(|counter| counter.nodes.load(Relaxed)).sum();
        counted.saturating_add(self.limits.spent.nodes)
    }

    /// Nodes of all threads whose result the endgame tables knew, as far as published.
    pub fn syzygy_hits(&self) -> u64 {
        self.counters.iter().map(|counter| counter.syzygy_hits.load(Relaxed)).sum()
    }

    /// Threads of this search.
    pub fn threads(&self) -> usize {
        self.counters.len()
    }

    /// Time that counts for the time limits; `None` while pondering.
    pub fn clock_time(&self) -> Option<Duration> {
        if self.limits.ponder { self.signals.since_ponder_hit() } else { Some(self.stopwatch.elapsed()) }
    }

    /// Whether the search must go on until a signal ends it.
    pub fn must_wait(&self) -> bool {
        self.limits.must_wait(self.signals)
    }

    /// Blocks while the search may not end yet.
    pub fn wait(&self) {
        self.limits.wait(self.signals);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_and_promotions_gain() {
        let gains = PieceGains::new(&Weights::shipped(), 60);
        let position = Position::from_fen("1r6/P7/8/8/8/8/8/K1k5 w - - 0 1", false).unwrap();
        let gain = |text: &str| gains.of(&position, position.parse_move(text).unwrap());
        let [pawn, queen, rook] = [Role::Pawn, Role::Queen, Role::Rook].map(|role| gains.0[role as usize]);
        assert!(0 < pawn && pawn < rook && rook < queen);
        assert_eq!(gain("a1a2"), 0);
        assert_eq!(gain("a7a8q"), queen - pawn);
        assert_eq!(gain("a7b8q"), rook + queen - pawn);
        assert_eq!(gain("a7b8r"), 2 * rook - pawn);
    }
}
