//! What ends a search, and how to search.

use super::signals::Signals;
use crate::clock::{self, Instant};
use crate::position::Move;
use crate::tablebase::ProbeSettings;
use std::time::Duration;

/// A player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Gained with each move.
    pub increment: Duration,
    /// Moves until more time is added; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// What a move has cost before its search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Nodes.
    pub nodes: u64,
    /// Time.
    pub time: Duration,
}

/// What `go` asks for. All limits that are set hold; with none the search runs until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Iterations, in plies.
    pub depth: Option<usize>,
    /// Nodes of all threads together; exact with one thread.
    pub nodes: Option<u64>,
    /// Start no iteration after this many nodes of all threads.
    pub soft_nodes: Option<u64>,
    /// Stop at a mate, given or suffered, within this many moves of the side to move.
    pub mate: Option<usize>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// The clock of the other side, if it was sent.
    pub opponent_clock: Option<Clock>,
    /// Do not end before `Signals::stop`, whatever is found.
    pub infinite: bool,
    /// Think on the opponent's time: the time limits start with `Signals::ponder_hit`.
    pub ponder: bool,
    /// Root moves to search; all if none of them is legal.
    pub search_moves: Vec<Move>,
    /// What counts for the limits of nodes and time, and in reports, from the start.
    pub spent: Spent,
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
    /// With more time than the opponent, play slower when behind and faster when ahead.
    pub uses_clock_lead: bool,
    /// Contempt: rating advantage of White in Elo, negative for Black; see
    /// [`Contempt::from_elo`](crate::eval::Contempt::from_elo). All scores contain it but draws, mates and table results.
    pub contempt: i16,
    /// When endgame tables are used.
    pub syzygy: ProbeSettings,
}

impl Limits {
    /// Whether a search with these limits ends by itself, unless it ponders: at a depth, at nodes, or in time.
    #[must_use]
    pub fn ends_by_itself(&self) -> bool {
        self.is_limited() && !self.infinite
    }

    /// Whether depth, nodes or time are limited.
    pub(super) fn is_limited(&self) -> bool {
        self.depth.is_some()
            || self.nodes.or(self.soft_nodes).is_some()
            || self.move_time.is_some()
            || self.clock.is_some()
    }

    /// Blocks while a search must go on, or a move be kept back, until a signal comes.
    pub fn wait(&self, signals: &Signals) {
        while self.must_wait(signals) {
            clock::pause(Duration::from_millis(1));
        }
    }

    /// Whether it must.
    #[must_use]
    pub fn must_wait(&self, signals: &Signals) -> bool {
        !signals.is_stopped() && (self.infinite || self.ponder && signals.since_ponder_hit().is_none())
    }

    /// Whether they are those of an analysis, not of a move in a game: without end, or for a mate.
    #[must_use]
    pub fn is_analysis(&self) -> bool {
        self.infinite || self.mate.is_some() || !(self.ends_by_itself() || self.ponder)
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            ponders: false,
            uses_clock_lead: false,
            contempt: 0,
            syzygy: ProbeSettings::default(),
        }
    }
}

/// Measures a search's time.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    start: Instant,
    /// Time that counts before that.
    before: Duration,
}

impl Stopwatch {
    /// Starts now.
    #[must_use]
    pub fn start() -> Stopwatch {
        Stopwatch::start_at(Duration::ZERO)
    }

    /// Starts now at a time other than zero.
    #[must_use]
    pub(super) fn start_at(before: Duration) -> Stopwatch {
        Stopwatch { start: Instant::now(), before }
    }

    /// Time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.before.saturating_add(self.start.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_with_a_limit_end_by_themselves() {
        for soft_nodes in [None, Some(1000)] {
            let limits = Limits { soft_nodes, ..Limits::default() };
            assert_eq!((limits.ends_by_itself(), limits.is_analysis()), (soft_nodes.is_some(), soft_nodes.is_none()));
            assert!(!Limits { infinite: true, ..limits }.ends_by_itself());
        }
    }
}
