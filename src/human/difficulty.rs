//! How hard a position is for a player.

use super::decision::Decision;
use crate::number_table;

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
    /// Of a decision, as the probabilities of its moves add up.
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

number_table! {
    /// Corrects chances of errors: logit(chance) = offset + scale·logit(sum of the probabilities of such moves). The moves'
    /// own probabilities stay.
    pub struct ErrorChances {
        /// Added for a mistake.
        mistake_offset: f64 = 0.0, -10.0..=10.0, step 0, "logits";
        /// For each logit of a mistake.
        mistake_scale: f64 = 1.0, 0.01..=10.0, step 0, "logits";
        /// Added for a blunder.
        blunder_offset: f64 = 0.0, -10.0..=10.0, step 0, "logits";
        /// For each logit of a blunder.
        blunder_scale: f64 = 1.0, 0.01..=10.0, step 0, "logits";
    }
}

impl ErrorChances {
    /// The difficulty with corrected chances. A blunder is no likelier than a mistake.
    #[must_use]
    pub fn corrected(&self, raw: Difficulty) -> Difficulty {
        let mistake = law(raw.mistake, self.mistake_offset, self.mistake_scale);
        let blunder = law(raw.blunder, self.blunder_offset, self.blunder_scale).min(mistake);
        Difficulty { mistake, blunder, ..raw }
    }
}

/// The chance whose logit is offset + scale·logit(p); 0 and 1 stay.
fn law(p: f64, offset: f64, scale: f64) -> f64 {
    // Rounding may leave a sum beyond 1.
    let (p, q) = (p.clamp(0.0, 1.0), (1.0 - p).clamp(0.0, 1.0));
    let (yes, no) = (offset.exp() * p.powf(scale), q.powf(scale));
    yes / (yes + no)
}
