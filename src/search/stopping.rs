//! When a thread stops: at limits of nodes and time, at signals, and when the root is stable.

use super::limits::{CHECK_INTERVAL, SHORT_CHECK_INTERVAL, SHORT_TIME};
use super::time::RootStability;
use super::worker::Worker;
use crate::wdl::score::Kind;
use std::time::Duration;

/// Iterations for the only legal move, plies.
const FORCED_DEPTH: usize = 8;
/// Share of the time for a move that the only legal one gets at most: one in so many.
const FORCED_SHARE: u32 = 8;

impl Worker<'_> {
    /// Whether no further iteration should start.
    pub fn is_done(&mut self) -> bool {
        if self.thread != 0 {
            return self.shared.is_finished();
        }
        if self.shared.must_wait() {
            let spent = self.shared.stopwatch.elapsed();
            self.pondered_enough = !self.has_fixed_time()
                && self.budget.is_some_and(|budget| {
                    self.is_forced(spent) || spent >= budget.soft_limit(self.root_stability(), self.shared.params())
                });
            return self.shared.is_finished();
        }
        if self.shared.limits.soft_nodes.is_some_and(|limit| self.shared.nodes() >= limit) {
            return true;
        }
        if let Some(moves) = self.shared.limits.mate
            && let Kind::Mate(plies) = self.root_moves[0].score.kind()
            && plies > 0
            && (plies.unsigned_abs() as usize) < 2 * moves
        {
            return true;
        }
        let (Some(budget), Some(time)) = (self.budget, self.shared.clock_time()) else { return false };
        self.is_forced(time)
            || time
                >= if self.has_fixed_time() {
                    budget.hard
                } else {
                    budget.soft_limit(self.root_stability(), self.shared.params())
                }
    }

    /// Whether the time is for this move alone, so that nothing is saved by ending early.
    fn has_fixed_time(&self) -> bool {
        self.shared.limits.move_time.is_some() && self.shared.limits.clock.is_none()
    }

    /// Whether there is only one legal move, and it was searched enough for a score worth printing.
    fn is_forced(&self, spent: Duration) -> bool {
        let limits = &self.shared.limits;
        self.root_moves.len() == 1
            && limits.search_moves.is_empty()
            && !limits.infinite
            && (self.completed >= FORCED_DEPTH
                || self.completed > 0 && self.budget.is_some_and(|budget| spent >= budget.soft / FORCED_SHARE))
    }

    /// How stable the root is after an iteration.
    fn root_stability(&self) -> RootStability {
        let best = &self.root_moves[0];
        let drop = f64::from(self.last_score.score_cp() - best.score.score_cp());
        let comparable = self.last_score.is_heuristic() && best.score.is_heuristic();
        RootStability {
            stable_iterations: self.stable_iterations,
            best_move_share: best.nodes as f64 / self.nodes.max(1) as f64,
            score_drop_cp: if comparable { drop } else { 0.0 },
            expected: best.score.expected(),
        }
    }

    /// Counts a node; returns whether the search has to end.
    #[inline]
    pub fn count_node(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        if self.nodes >= self.next_check || self.nodes >= self.node_limit {
            self.check_limits();
        }
        self.stopped
    }

    /// Ends the search at its limits.
    #[cold]
    fn check_limits(&mut self) {
        let short = self.budget.is_some_and(|budget| budget.hard < SHORT_TIME);
        self.next_check = self.nodes + if short { SHORT_CHECK_INTERVAL } else { CHECK_INTERVAL };
        self.publish_nodes();
        self.report_progress();
        let limits = self.shared.limits;
        let out_of_nodes = limits.nodes.is_some_and(|limit| self.shared.nodes() >= limit);
        let out_of_time = self.thread == 0
            && match (self.budget, self.shared.clock_time()) {
                (Some(budget), Some(time)) => {
                    let enough = self.pondered_enough && !self.shared.limits.infinite;
                    time >= budget.hard || enough || self.is_forced(time)
                }
                _ => false,
            };
        if out_of_nodes || out_of_time {
            self.shared.finish();
        }
        self.stopped = self.shared.is_finished();
        if self.shared.threads() > 1 {
            // With a thread on every core, the thread that reads `stop` would otherwise wait for the system's next tick.
            std::thread::yield_now();
        }
    }

    /// Makes the node count known to the other threads.
    pub fn publish_nodes(&self) {
        self.shared.publish_nodes(self.thread, self.nodes, self.table_hits);
    }
}
