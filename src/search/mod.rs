//! The search.

mod limits;
pub use limits::{Clock, Limits, Stopwatch, TimeBudget};
