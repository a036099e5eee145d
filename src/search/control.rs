//! When a thread stops: at limits of nodes and time, at signals, and when the root is stable.

use super::root::Root;
use super::shared::Shared;
use super::time::TimeBudget;
use crate::wdl::score::Kind;
use std::time::Duration;

/// Nodes between two looks at the clock.
const CHECK_INTERVAL: u64 = 1024;
/// The same when time is short.
const SHORT_CHECK_INTERVAL: u64 = 64;
/// Least nodes between two looks where several threads share a limit of nodes.
const MIN_CHECK_INTERVAL: u64 = 16;
/// Time for a move that counts as short.
const SHORT_TIME: Duration = Duration::from_millis(5);
/// Iterations for the only legal move, plies.
const FORCED_DEPTH: usize = 8;
/// Share of the time for a move that the only legal one gets at most: one in so many.
const FORCED_SHARE: u32 = 8;
/// Iterations in a row with the same mate after which it counts as the shortest.
const MATE_ITERATIONS: usize = 16;

/// Nodes and time of one thread.
pub struct Control {
    /// Number of the thread; 0 keeps the time.
    thread: usize,
    /// Nodes of this thread.
    nodes: u64,
    /// Nodes that this thread may search.
    node_limit: u64,
    /// Node count at which the limits are checked next.
    next_check: u64,
    /// Nodes of this thread whose result the endgame tables knew.
    syzygy_hits: u64,
    /// Time for the move, if it is limited.
    budget: Option<TimeBudget>,
    /// Whether the opponent's time has been enough for the move when the last iteration ended.
    pondered_enough: bool,
    /// Whether the search has to end.
    stopped: bool,
}

impl Control {
    /// For a thread that has searched nothing yet.
    pub fn new(shared: &Shared, thread: usize) -> Control {
        let limits = shared.limits;
        let own_limit = limits.nodes.filter(|_| shared.threads() == 1);
        Control {
            thread,
            nodes: 0,
            node_limit: own_limit.map_or(u64::MAX, |nodes| nodes.saturating_sub(limits.spent.nodes)),
            next_check: SHORT_CHECK_INTERVAL,
            syzygy_hits: 0,
            budget: limits.time_budget(shared.settings, shared.params()),
            pondered_enough: false,
            stopped: false,
        }
    }

    /// Number of the thread, 0 for the first.
    pub fn thread(&self) -> usize {
        self.thread
    }

    /// Nodes of this thread.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the search has to end; scores that come back then mean nothing.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Counts a node. Returns whether the limits have to be checked.
    #[inline]
    pub fn count_node(&mut self) -> bool {
        if self.stopped {
            return false;
        }
        self.nodes += 1;
        self.nodes >= self.next_check || self.nodes >= self.node_limit
    }

    /// Counts a node whose result the endgame tables knew.
    pub fn count_syzygy_hit(&mut self) {
        self.syzygy_hits += 1;
    }

    /// Makes the counts known to the other threads.
    pub fn publish_counts(&self, shared: &Shared) {
        shared.publish_counts(self.thread, self.nodes, self.syzygy_hits);
    }

    /// Ends the search at its limits.
    pub fn check_limits(&mut self, shared: &Shared, root: &Root) {
        let short = self.budget.is_some_and(|budget| budget.hard < SHORT_TIME);
        self.next_check = self.nodes + if short { SHORT_CHECK_INTERVAL } else { CHECK_INTERVAL };
        let limits = shared.limits;
        if let Some(limit) = limits.nodes
            && shared.threads() > 1
        {
            // The nearer the limit, the sooner the next look, so that all threads together pass it by little.
            let left = limit.saturating_sub(shared.nodes()) / (2 * shared.threads() as u64);
            self.next_check = self.next_check.min(self.nodes + left.max(MIN_CHECK_INTERVAL));
        }
        let out_of_nodes = limits.nodes.is_some_and(|limit| shared.nodes() >= limit);
        let out_of_time = self.thread == 0
            && match (self.budget, shared.clock_time()) {
                (Some(budget), Some(time)) => {
                    let enough = self.pondered_enough && !limits.infinite;
                    time >= budget.hard || enough || self.is_forced(shared, root, time)
                }
                _ => false,
            };
        if out_of_nodes || out_of_time {
            shared.finish();
        }
        self.stopped = shared.is_finished();
        if shared.threads() > 1 {
            // With a thread on every core, the thread that reads `stop` would otherwise wait for the system's next tick.
            std::thread::yield_now();
        }
    }

    /// Whether no further iteration should start.
    pub fn is_done(&mut self, shared: &Shared, root: &Root) -> bool {
        if self.thread != 0 {
            return shared.is_finished();
        }
        let soft_limit = |budget: TimeBudget| budget.soft_limit(root.stability(self.nodes), shared.params());
        if shared.must_wait() {
            let spent = shared.stopwatch.elapsed();
            self.pondered_enough = !has_fixed_time(shared)
                && self.budget.is_some_and(|budget| self.is_forced(shared, root, spent) || spent >= soft_limit(budget));
            return shared.is_finished();
        }
        if shared.limits.soft_nodes.is_some_and(|limit| shared.nodes() >= limit) {
            return true;
        }
        if let Some(moves) = shared.limits.mate
            && let Kind::Mate(plies) = root.best().score.kind()
            && plies.unsigned_abs() as usize <= moves.saturating_mul(2)
        {
            return true;
        }
        if is_mate_confirmed(shared, root) {
            return true;
        }
        let (Some(budget), Some(time)) = (self.budget, shared.clock_time()) else { return false };
        if has_fixed_time(shared) {
            return self.is_forced(shared, root, time) || time >= budget.hard;
        }
        // The opponent's time before a ponder hit counts: what it saved is left for later moves.
        let spent = shared.stopwatch.elapsed();
        self.is_forced(shared, root, spent) || spent >= soft_limit(budget)
    }

    /// Whether there is only one legal move, and it was searched enough for a score worth printing.
    fn is_forced(&self, shared: &Shared, root: &Root, spent: Duration) -> bool {
        let limits = shared.limits;
        root.moves().len() == 1
            && limits.search_moves.is_empty()
            && !limits.infinite
            && (root.completed() >= FORCED_DEPTH
                || root.completed() > 0 && self.budget.is_some_and(|budget| spent >= budget.soft / FORCED_SHARE))
    }
}

/// Whether a limited search for one line has found the same mate for so long that nothing else will come of it.
fn is_mate_confirmed(shared: &Shared, root: &Root) -> bool {
    let limits = shared.limits;
    limits.is_limited()
        && limits.mate.is_none()
        && shared.settings.multi_pv == 1
        && root.mate_iterations() >= MATE_ITERATIONS
}

/// Whether the time is for this move alone, so that nothing is saved by ending early.
fn has_fixed_time(shared: &Shared) -> bool {
    shared.limits.move_time.is_some() && shared.limits.clock.is_none()
}
