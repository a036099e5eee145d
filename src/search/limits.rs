//! What ends a search.

use crate::clock::Instant;
use crate::position::Move;
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

/// What `go` asks for. All limits that are set hold; with none the search runs until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Iterations, in plies.
    pub depth: Option<usize>,
    /// Nodes of all threads together; exact with one thread.
    pub nodes: Option<u64>,
    /// Start no iteration after this many nodes of all threads.
    pub soft_nodes: Option<u64>,
    /// Stop at a proven mate for the side to move within this many of its moves.
    pub mate: Option<usize>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Do not end before `Signals::stop`, whatever is found.
    pub infinite: bool,
    /// Think on the opponent's time: the time limits start with
    /// `Signals::ponder_hit`.
    pub ponder: bool,
    /// Root moves to search; empty for all.
    pub search_moves: Vec<Move>,
}

/// When to stop by the clock, counted from the start of the search or from the ponder hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// No new iteration after this.
    pub soft: Duration,
    /// No node after this.
    pub hard: Duration,
}

/// How settled the root is, for the time that it still deserves.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Iterations in a row with the same best move.
    pub stable_iterations: usize,
    /// Share of all nodes spent below the best move, 0 to 1.
    pub best_move_share: f64,
    /// Printed centipawns that the score fell by since the iteration before; negative if it rose.
    pub score_drop: f64,
}

impl TimeBudget {
    /// The budget of a player who thinks on the opponent's time too and so saves some of the own.
    #[must_use]
    pub fn pondering(self) -> TimeBudget {
        TimeBudget { soft: self.soft.mul_f64(1.25).min(self.hard), ..self }
    }

    /// The soft limit in view of the search so far: more time while the best move changes, draws few nodes or loses
    /// ground, less when all is settled. Never above the hard limit.
    #[must_use]
    pub fn soft_after(&self, pace: Pace) -> Duration {
        let stability = 1.5 - 0.1 * pace.stable_iterations.min(8) as f64;
        let effort = 1.7 - 1.1 * pace.best_move_share;
        let trend = 1.0 + 0.01 * pace.score_drop.clamp(-15.0, 40.0);
        self.soft.mul_f64((stability * effort * trend).clamp(0.2, 3.0)).min(self.hard)
    }
}

impl Limits {
    /// The share of the clock that a move may take, given the time lost between engine and clock; `None` without any
    /// time limit.
    #[must_use]
    pub fn time_budget(&self, move_overhead: Duration) -> Option<TimeBudget> {
        let fixed = self.move_time.map(|time| time.saturating_sub(move_overhead).max(LEAST));
        let Some(clock) = self.clock else { return fixed.map(|hard| TimeBudget { soft: hard, hard }) };
        let moves = clock.moves_to_go.unwrap_or(EXPECTED_MOVES).clamp(1, EXPECTED_MOVES);
        // The overhead comes off some moves ahead: what is kept back carries the clock through a delay.
        let remaining = clock.remaining.saturating_sub(move_overhead * moves.min(OVERHEAD_MOVES));
        let increment = clock.increment.mul_f64(INCREMENT_SHARE);
        let share = remaining.mul_f64(1.0 / f64::from(moves)) + increment;
        let ceiling = if moves == 1 { LAST_MOVE_CEILING } else { HARD_CEILING };
        // The increment comes back after the move, whatever is kept back.
        let free = clock.increment.min(clock.remaining.mul_f64(ceiling)).saturating_sub(move_overhead);
        let hard = share.mul_f64(HARD_FACTOR).min(remaining.mul_f64(ceiling).max(free)).max(LEAST);
        let hard = fixed.map_or(hard, |fixed| hard.min(fixed));
        Some(TimeBudget { soft: share.mul_f64(SOFT_FACTOR).min(hard), hard })
    }
}

/// What a move takes even when the clock has run out: enough for a ply or two.
const LEAST: Duration = Duration::from_micros(100);
/// Moves that the rest of the game is planned for.
const EXPECTED_MOVES: u32 = 24;
/// Moves whose overhead is kept back.
const OVERHEAD_MOVES: u32 = 5;
/// Part of the increment spent with each move.
const INCREMENT_SHARE: f64 = 0.75;
/// Soft limit as a multiple of the planned share.
const SOFT_FACTOR: f64 = 0.7;
/// Hard limit as a multiple of the planned share.
const HARD_FACTOR: f64 = 3.0;
/// Part of the remaining time that one move may take at most.
const HARD_CEILING: f64 = 0.6;

/// The same for the last move before time is added.
const LAST_MOVE_CEILING: f64 = 0.9;

/// Measures a search's time.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    start: Instant,
}

impl Stopwatch {
    /// Starts now.
    #[must_use]
    pub fn start() -> Stopwatch {
        Stopwatch { start: Instant::now() }
    }

    /// Time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
