//! What ends a search.

use super::params::SearchParams;
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
    pub fn pondering(self, params: &SearchParams) -> TimeBudget {
        TimeBudget { soft: self.soft.mul_f64(params.time_ponder).min(self.hard), ..self }
    }

    /// The soft limit in view of the search so far: more time while the best move changes, draws few nodes or loses
    /// ground, less when all is settled. Never above the hard limit.
    #[must_use]
    pub fn soft_after(&self, pace: Pace, params: &SearchParams) -> Duration {
        let stable_iterations = pace.stable_iterations.min(params.time_stable_limit as usize);
        let stability = params.time_unstable - params.time_stable * stable_iterations as f64;
        let effort = params.time_effort_base - params.time_effort_slope * pace.best_move_share;
        let drop = pace.score_drop.clamp(-params.time_rise_limit_score_cp, params.time_fall_limit_score_cp);
        let trend = 1.0 + params.time_trend * drop;
        let factor = (stability * effort * trend).clamp(params.time_factor_min, params.time_factor_max);
        self.soft.mul_f64(factor).min(self.hard)
    }
}

impl Limits {
    /// The share of the clock that a move may take, given the time lost between engine and clock; `None` without any
    /// time limit.
    #[must_use]
    pub fn time_budget(&self, move_overhead: Duration, params: &SearchParams) -> Option<TimeBudget> {
        let fixed = self.move_time.map(|time| time.saturating_sub(move_overhead).max(LEAST));
        let Some(clock) = self.clock else { return fixed.map(|hard| TimeBudget { soft: hard, hard }) };
        let planned = params.time_moves as u32;
        let moves = clock.moves_to_go.unwrap_or(planned).clamp(1, planned);
        // The overhead comes off some moves ahead: what is kept back carries the clock through a delay.
        let remaining = clock.remaining.saturating_sub(move_overhead * moves.min(params.time_overhead_moves as u32));
        let increment = clock.increment.mul_f64(params.time_increment);
        let share = remaining.mul_f64(1.0 / f64::from(moves)) + increment;
        let ceiling = if moves == 1 { params.time_last_move_ceiling } else { params.time_ceiling };
        // The increment comes back after the move, whatever is kept back.
        let free = clock.increment.min(clock.remaining.mul_f64(ceiling)).saturating_sub(move_overhead);
        let hard = share.mul_f64(params.time_hard).min(remaining.mul_f64(ceiling).max(free)).max(LEAST);
        let hard = fixed.map_or(hard, |fixed| hard.min(fixed));
        Some(TimeBudget { soft: share.mul_f64(params.time_soft).min(hard), hard })
    }
}

/// What a move takes even when the clock has run out: enough for a ply or two.
const LEAST: Duration = Duration::from_micros(100);

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
