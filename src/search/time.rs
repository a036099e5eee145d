//! Time management: how much time a move gets.

use super::limits::{Clock, Limits, Settings};
use super::params::SearchParams;
#[cfg(feature = "cli")]
use crate::params::NumberTable;
use std::time::Duration;

/// Least time for a move, even when the clock has run out: enough for a ply or two.
const MIN_TIME: Duration = Duration::from_micros(100);

/// Share of the clock that a move may take even of the reserve for delays: one in so many.
const LAST_SHARE: u32 = 64;

/// Most time that counts, about 136 years: products of it are no overflow.
const MAX_TIME: Duration = Duration::from_secs(1 << 32);

/// When to stop by the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// No new iteration after this, counted from the start of the search.
    pub soft: Duration,
    /// No node after this, counted from the start of the search or from the ponder hit.
    pub hard: Duration,
    /// Soft limit by the opponent's clock, if it is less and the lead is to be used.
    pub opponent_soft: Option<Duration>,
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
    /// Expected result of the best move, 0 to 1.
    pub expected: f64,
}

impl TimeBudget {
    /// The share of a clock that a move may take.
    fn of_clock(clock: Clock, move_overhead: Duration, params: &SearchParams) -> TimeBudget {
        let [left, increment] = [clock.remaining, clock.increment].map(|time| time.min(MAX_TIME));
        let planned = params.time_moves as u32;
        let moves = clock.moves_to_go.unwrap_or(planned).clamp(1, planned);
        // The overhead of several moves is kept back as a reserve for delays.
        let remaining = left.saturating_sub(move_overhead * moves.min(params.time_overhead_moves as u32));
        let share = remaining.mul_f64(1.0 / f64::from(moves)) + increment.mul_f64(params.time_increment);
        let ceiling = if moves == 1 { params.time_last_move_ceiling } else { params.time_ceiling };
        // The increment is added after the move, so it can be spent in any case.
        let free = increment.min(left.mul_f64(ceiling)).saturating_sub(move_overhead);
        let hard = share.mul_f64(params.time_hard).min(remaining.mul_f64(ceiling).max(free));
        let hard = hard.max(left / LAST_SHARE).max(MIN_TIME);
        TimeBudget { soft: share.mul_f64(params.time_soft).min(hard), hard, opponent_soft: None }
    }

    /// The budget of a player who also thinks on the opponent's time and so saves some of its own.
    fn pondering(self, params: &SearchParams) -> TimeBudget {
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
        self.soft.mul_f64(factor * self.pace(root.expected, params)).min(self.hard)
    }

    /// What a lead on the clock makes of the soft limit. Who has it sets the pace: behind on the board slower, as slow games
    /// are drawn more often; ahead faster, but no faster than the opponent.
    fn pace(&self, expected: f64, params: &SearchParams) -> f64 {
        let Some(opponent_soft) = self.opponent_soft else { return 1.0 };
        let lead = 1.0 - opponent_soft.div_duration_f64(self.soft);
        let ahead = ((expected - 0.5) / params.time_lead_range).clamp(-1.0, 1.0);
        1.0 - lead * if ahead > 0.0 { ahead } else { ahead * params.time_lead_slower }
    }
}

impl Limits {
    /// The time after which a search starts no other iteration, without the overhead; `None` without any time limit.
    #[must_use]
    #[cfg(feature = "cli")]
    pub(crate) fn soft_time(&self, settings: &Settings) -> Option<Duration> {
        self.time_budget(settings, &SearchParams::DEFAULT).map(|budget| budget.soft)
    }

    /// The time for a move by the clock and the fixed time, whichever is less; `None` without any time limit.
    #[must_use]
    pub(crate) fn time_budget(&self, settings: &Settings, params: &SearchParams) -> Option<TimeBudget> {
        let overhead = settings.move_overhead.min(MAX_TIME);
        let fixed = self.move_time.map(|time| time.saturating_sub(overhead).max(MIN_TIME));
        let Some(clock) = self.clock else {
            return fixed.map(|hard| TimeBudget { soft: hard, hard, opponent_soft: None });
        };
        let mut budget = TimeBudget::of_clock(clock, overhead, params);
        if settings.ponders {
            budget = budget.pondering(params);
        }
        budget.hard = fixed.map_or(budget.hard, |fixed| budget.hard.min(fixed));
        budget.soft = budget.soft.min(budget.hard);
        if settings.uses_clock_lead {
            let opponent = self.opponent_clock.map(|clock| TimeBudget::of_clock(clock, overhead, params).soft);
            budget.opponent_soft = opponent.filter(|&soft| soft < budget.soft);
        }
        Some(budget)
    }
}
