//! The search: iterative deepening alpha-beta over pairs of expected result and draw probability.
//!
//! ```
//! use halfpoint::eval::Weights;
//! use halfpoint::position::GameHistory;
//! use halfpoint::search::{Limits, Pool, SearchParams, Settings, Signals};
//!
//! let mut pool = Pool::new(Weights::shipped(), SearchParams::default(), 1, 1).unwrap();
//! let limits = Limits { depth: Some(4), ..Limits::default() };
//! let answer = pool.search(&GameHistory::default(), &limits, &Settings::default(), &Signals::new(), &mut |_| ());
//! assert!(answer.best.is_some());
//! ```

mod alpha_beta;
mod history;
mod limits;
mod params;
mod picker;
mod pool;
mod quiescence;
mod table;
mod worker;

pub use limits::{Clock, Limits, Pace, Stopwatch, TimeBudget};
pub use params::{Reductions, SearchParams};
pub use pool::{MAX_THREADS, Pool, STACK_BYTES};
pub use table::{Bound, DEFAULT_HASH_MIB, Entry, HashError, MAX_HASH_MIB, Table};

use crate::clock::Instant;
use crate::position::Move;
use crate::wdl::score::Score;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Messages to a running search. A stop or ponder hit stays given: each search has signals of its own.
#[derive(Debug)]
pub struct Signals {
    made: Instant,
    stop: AtomicBool,
    /// Microseconds from `made` to the ponder hit, plus one; 0 before it.
    ponder_hit: AtomicU64,
}

impl Signals {
    /// Signals of which none is given yet.
    #[must_use]
    pub fn new() -> Arc<Signals> {
        Arc::new(Signals { made: Instant::now(), stop: AtomicBool::new(false), ponder_hit: AtomicU64::new(0) })
    }

    /// The search ends as soon as it can.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether the search is to end.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// The move that was pondered on was played: the clock runs from now.
    pub fn ponder_hit(&self) {
        // Only the first starts the clock.
        let _ = self.ponder_hit.compare_exchange(0, self.made.elapsed().as_micros() as u64 + 1, Relaxed, Relaxed);
    }

    /// Time since the ponder hit; `None` before it.
    fn since_ponder_hit(&self) -> Option<Duration> {
        let hit = self.ponder_hit.load(Relaxed).checked_sub(1)?;
        Some(self.made.elapsed().saturating_sub(Duration::from_micros(hit)))
    }
}

/// How to search, beside the limits.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Best lines to search and report, at least 1.
    pub multi_pv: usize,
    /// Time lost between engine and clock with each move.
    pub move_overhead: Duration,
    /// The opponent's time will be searched too, so more can be spent on each move.
    pub ponders: bool,
    /// Contempt: rating advantage of White in Elo, negative for Black; see [`Contempt::from_elo`](crate::eval::Contempt::from_elo). All scores
    /// contain it but draws, mates and table results.
    pub contempt: i16,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { multi_pv: 1, move_overhead: Duration::from_millis(10), ponders: false, contempt: 0 }
    }
}

/// A line found.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// Depth of the iteration, plies.
    pub depth: usize,
    /// Deepest ply reached.
    pub selective_depth: usize,
    /// Rank of the line, from 1.
    pub line: usize,
    /// Score for the side to move, contempt included.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Share of the hash table in use, per mille.
    pub hashfull: u32,
    /// Time since the start.
    pub elapsed: Duration,
    /// The moves of the line, each legal after the ones before.
    pub pv: &'a [Move],
}

/// What a running search tells.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A line, at the end of an iteration or when a long iteration changes its mind.
    Report(Report<'a>),
    /// The root move that is searched now; only in long searches.
    CurrentMove {
        /// Depth of the iteration, plies.
        depth: usize,
        /// Number of the move, from 1.
        number: usize,
        /// The move.
        m: Move,
        /// Time since the start.
        elapsed: Duration,
    },
}

/// The result of a search.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// The best move; `None` if there is no legal move.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// Score for the side to move, contempt included.
    pub score: Score,
    /// Nodes of all threads.
    pub nodes: u64,
}

#[cfg(test)]
mod tests;
