//! Time management: how much time a move gets.

use super::limits::Limits;
use super::params::SearchParams;
use std::time::Duration;

/// Least time for a move, even when the clock has run out: enough for a ply or two.
const MIN_TIME: Duration = Duration::from_micros(100);

/// When to stop by the clock, counted from the start of the search or from the ponder hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// No new iteration after this.
    pub soft: Duration,
    /// No node after this.
    pub hard: Duration,
}

/// How stable the root is from iteration to iteration.
#[derive(Clone, Copy, Debug)]
pub struct RootStability {
    /// Iterations in a row with the same best move.
    pub stable_iterations: usize,
    /// Share of all nodes spent below the best move, 0 to 1.
    pub best_move_share: f64,
    /// What the score fell by since the iteration before, centipawns; negative if it rose.
    pub score_drop_cp: f64,
}

impl TimeBudget {
    /// The budget of a player who also thinks on the opponent's time and so saves some of its own.
    #[must_use]
    pub fn pondering(self, params: &SearchParams) -> TimeBudget {
        TimeBudget { soft: self.soft.mul_f64(params.time_ponder).min(self.hard), ..self }
    }

    /// The soft limit after an iteration: longer while the best move changes, has few of the nodes or loses score, shorter
    /// when the root is stable. Never above the hard limit.
    #[must_use]
    pub fn soft_limit(&self, root: RootStability, params: &SearchParams) -> Duration {
        let stable_iterations = root.stable_iterations.min(params.time_stable_limit as usize);
        let stability = params.time_unstable - params.time_stable * stable_iterations as f64;
        let effort = params.time_effort_base - params.time_effort_slope * root.best_move_share;
        let drop = root.score_drop_cp.clamp(-params.time_rise_limit_score_cp, params.time_fall_limit_score_cp);
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
        let fixed = self.move_time.map(|time| time.saturating_sub(move_overhead).max(MIN_TIME));
        let Some(clock) = self.clock else { return fixed.map(|hard| TimeBudget { soft: hard, hard }) };
        let planned = params.time_moves as u32;
        let moves = clock.moves_to_go.unwrap_or(planned).clamp(1, planned);
        // The overhead of several moves is kept back as a reserve for delays.
        let remaining = clock.remaining.saturating_sub(move_overhead * moves.min(params.time_overhead_moves as u32));
        let increment = clock.increment.mul_f64(params.time_increment);
        let share = remaining.mul_f64(1.0 / f64::from(moves)) + increment;
        let ceiling = if moves == 1 { params.time_last_move_ceiling } else { params.time_ceiling };
        // The increment is added after the move, so it can be spent in any case.
        let free = clock.increment.min(clock.remaining.mul_f64(ceiling)).saturating_sub(move_overhead);
        let hard = share.mul_f64(params.time_hard).min(remaining.mul_f64(ceiling).max(free)).max(MIN_TIME);
        let hard = fixed.map_or(hard, |fixed| hard.min(fixed));
        Some(TimeBudget { soft: share.mul_f64(params.time_soft).min(hard), hard })
    }
}
