//! How hard a position is for a player.

use super::decision::Decision;

/// Loss from which on a move counts as a mistake, expected points.
pub const MISTAKE: f64 = 0.1;
/// Loss from which on a move counts as a blunder, expected points.
pub const BLUNDER: f64 = 0.2;

/// What a player is likely to lose with the move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difficulty {
    /// Chance of a loss of [`MISTAKE`] or more.
    pub mistake: f64,
    /// Chance of a loss of [`BLUNDER`] or more.
    pub blunder: f64,
    /// Mean loss, expected points.
    pub expected_loss: f64,
}

impl Difficulty {
    /// Of a decision with the probabilities of its moves.
    #[must_use]
    pub fn of(decision: &Decision, probabilities: &[f64]) -> Difficulty {
        let mut difficulty = Difficulty::default();
        for (choice, probability) in decision.choices.iter().zip(probabilities) {
            difficulty.expected_loss += probability * choice.loss;
            difficulty.mistake += if choice.loss >= MISTAKE { *probability } else { 0.0 };
            difficulty.blunder += if choice.loss >= BLUNDER { *probability } else { 0.0 };
        }
        difficulty
    }
}
