//! What the threads of one search share.

use super::limits::{Limits, Settings, Stopwatch};
use super::params::{Constants, Reductions, SearchParams};
use super::signals::Signals;
use super::syzygy::Syzygy;
use super::tt::TranspositionTable;
use crate::clock;
use crate::eval::{Contempt, Weights};
use crate::position::{GameHistory, Move};
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
    /// The moves to search at the root.
    pub root_moves: &'a [RankedMove],
    /// The endgame tables.
    pub syzygy: Syzygy<'a>,
    pub limits: &'a Limits,
    pub settings: &'a Settings,
    pub signals: &'a Signals,
    pub stopwatch: Stopwatch,
    /// What a captured piece of each role adds to the score at most, centipawns of score.
    pub piece_cp: [i32; 7],
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

    /// What a captured piece adds to the score at most, centipawns of score.
    #[inline]
    pub fn piece_cp(&self, captured: Option<Role>) -> i32 {
        captured.map_or(0, |role| self.piece_cp[role as usize])
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

    /// Nodes of all threads, as far as published.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.nodes.load(Relaxed)).sum()
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
        !self.signals.is_stopped() && (self.limits.infinite || self.clock_time().is_none())
    }

    /// Blocks while the search may not end yet.
    pub fn wait(&self) {
        while self.must_wait() {
            clock::pause(Duration::from_millis(1));
        }
    }
}
