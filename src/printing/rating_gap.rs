//! What a difference in rating is worth where it is large.

use crate::number_table;
use crate::params;
use once_cell::sync::Lazy;

/// The file that ships with the engine.
const SHIPPED: &str = include_str!("../../engine-params/ratings.toml");

number_table! {
    /// How the worth of a difference in rating saturates. File: `engine-params/ratings.toml`.
    pub struct RatingGap {
        /// The worth of an infinite difference; small ones count in full.
        limit_elo: f64 = 420.0, 50.0..=10_000.0, step 20, "Elo";
    }
}

impl RatingGap {
    /// The one that ships with the engine.
    #[must_use]
    pub fn shipped() -> &'static RatingGap {
        static GAP: Lazy<RatingGap> =
            Lazy::new(|| params::read("ratings.toml", SHIPPED).expect("a test reads the embedded file"));
        &GAP
    }

    /// What counts of a difference in Elo: at most [`limit_elo`](RatingGap::limit_elo); antisymmetric.
    #[must_use]
    pub fn effective(&self, elo: f64) -> f64 {
        self.limit_elo * (elo / self.limit_elo).tanh()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worth_of_a_difference_has_a_limit() {
        let gap = RatingGap::shipped();
        assert!((gap.effective(50.0) - 50.0).abs() < 1.0 && gap.effective(-50.0) == -gap.effective(50.0));
        assert!(gap.effective(400.0) > gap.effective(200.0) && gap.effective(3000.0) <= gap.limit_elo);
    }
}
