//! How long people think.

use crate::number_table;
use std::f64::consts::TAU;
use std::time::Duration;

/// Moves that the rest of the clock is shared among.
const MOVES_LEFT: f64 = 40.0;
/// Least time that counts, seconds: clocks are not read more exactly.
const LEAST_SECONDS: f64 = 0.5;
/// Plies of the first moves, which are known by heart.
const FIRST_PLIES: usize = 12;

number_table! {
    /// What the logarithm of the seconds for a move is made of.
    pub struct ThinkingTime {
        /// Always.
        constant: f64 = 0.0, -100.0..=100.0, step 0, "ln seconds";
        /// For each e-fold of the move's share of the clock.
        share: f64 = 1.0, -100.0..=100.0, step 0, "ln seconds";
        /// For each e-fold of the legal moves.
        moves: f64 = 0.0, -100.0..=100.0, step 0, "ln seconds";
        /// In check.
        check: f64 = 0.0, -100.0..=100.0, step 0, "ln seconds";
        /// For a retake.
        retake: f64 = 0.0, -100.0..=100.0, step 0, "ln seconds";
        /// For each nat of the entropy of the choice.
        entropy: f64 = 0.0, -100.0..=100.0, step 0, "ln seconds";
        /// In the first moves.
        first: f64 = 0.0, -100.0..=100.0, step 0, "ln seconds";
        /// Standard deviation of what is left.
        spread: f64 = 0.0, 0.0..=10.0, step 0, "ln seconds";
    }
}

/// Parts of the mean of [`ThinkingTime`].
pub const THINKING_PARTS: usize = 7;

/// A move as the clock sees it.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Seconds on the clock.
    pub left: f64,
    /// Seconds that a move adds.
    pub increment: f64,
    /// Plies of the game so far.
    pub plies: usize,
    /// Whether the player is in check.
    pub is_check: bool,
    /// Whether the move captures where the opponent has just captured.
    pub is_retake: bool,
}

/// What the numbers of [`ThinkingTime`] are multiplied with, without the spread. `probabilities`: of the legal moves.
#[must_use]
pub fn thinking_parts(moment: Moment, probabilities: &[f64]) -> [f64; THINKING_PARTS] {
    let is = |truth: bool| f64::from(u8::from(truth));
    let entropy = probabilities.iter().filter(|p| **p > 0.0).map(|p| -p * p.ln()).sum::<f64>();
    [
        1.0,
        counted_seconds(moment.left / MOVES_LEFT + moment.increment).ln(),
        (probabilities.len().max(1) as f64).ln(),
        is(moment.is_check),
        is(moment.is_retake),
        entropy,
        is(moment.plies < FIRST_PLIES),
    ]
}

impl ThinkingTime {
    /// A time for a move, from two numbers drawn between 0 and 1.
    #[must_use]
    pub fn draw(&self, parts: &[f64; THINKING_PARTS], numbers: [f64; 2]) -> Duration {
        let weights = [self.constant, self.share, self.moves, self.check, self.retake, self.entropy, self.first];
        let mean: f64 = weights.iter().zip(parts).map(|(weight, part)| weight * part).sum();
        // The normal distribution by Box and Muller.
        let [a, b] = numbers;
        let normal = (-2.0 * (1.0 - a).ln()).sqrt() * (TAU * b).cos();
        Duration::try_from_secs_f64((mean + self.spread * normal).exp()).unwrap_or(Duration::MAX)
    }
}

/// Seconds for a move as they count.
#[must_use]
pub fn counted_seconds(seconds: f64) -> f64 {
    seconds.max(LEAST_SECONDS)
}
