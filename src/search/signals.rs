//! Messages to a running search.

use crate::clock::Instant;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Stop and ponder hit. Neither can be taken back, so each search has signals of its own.
#[derive(Debug)]
pub struct Signals {
    made: Instant,
    stop: AtomicBool,
    /// Microseconds from `made` to the ponder hit, plus one; 0 before it.
    ponder_hit: AtomicU64,
}

impl Signals {
    /// Signals of which none has been sent.
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

    /// Time since they were made.
    #[cfg(feature = "cli")]
    pub(crate) fn age(&self) -> Duration {
        self.made.elapsed()
    }

    /// Time since the ponder hit; `None` before it.
    pub(crate) fn since_ponder_hit(&self) -> Option<Duration> {
        let hit = self.ponder_hit.load(Relaxed).checked_sub(1)?;
        Some(self.made.elapsed().saturating_sub(Duration::from_micros(hit)))
    }
}
