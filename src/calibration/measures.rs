//! How good probabilities of win, draw and loss are, given what happened.

use super::Outcome;
use super::sample::Sample;
use crate::profile::FLOOR;
use serde::Serialize;
use std::collections::BTreeMap;

/// Bins of a reliability diagram.
pub const BINS: usize = 10;

/// Probabilities, none below [`FLOOR`], that sum to one: a wrong certainty costs 7.6 nats, not infinity.
#[must_use]
pub fn clipped(rates: [f64; 3]) -> [f64; 3] {
    let raised = rates.map(|rate| rate.max(FLOOR));
    let sum: f64 = raised.iter().sum();
    raised.map(|rate| rate / sum)
}

/// Predictions of one outcome between two multiples of a tenth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Bin {
    /// Positions.
    pub positions: usize,
    /// Mean of the predicted probabilities.
    pub predicted: f64,
    /// Share of positions in which it happened.
    pub observed: f64,
}

impl Bin {
    /// 95 % interval of the share (Wilson's), as if all positions were of different games.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        const Z: f64 = 1.959_964;
        let n = self.positions as f64;
        let middle = self.observed + Z * Z / (2.0 * n);
        let half = Z * (self.observed * (1.0 - self.observed) / n + Z * Z / (4.0 * n * n)).sqrt();
        let whole = 1.0 + Z * Z / n;
        ((middle - half) / whole, (middle + half) / whole)
    }
}

/// Scores of predictions; the less the better.
#[derive(Clone, Debug, Serialize)]
pub struct Measures {
    /// Positions.
    pub positions: usize,
    /// Mean of −ln of the probability of what happened, nats.
    pub log_loss: f64,
    /// Standard error of that, over games.
    pub log_loss_error: f64,
    /// Mean squared distance of the three probabilities from what happened, 0 to 2.
    pub brier: f64,
    /// Ranked probability score, 0 to 1.
    pub rps: f64,
    /// Expected calibration error of win, draw and loss: mean distance of prediction and share over the bins.
    pub calibration_error: [f64; 3],
    /// Bins of win, draw and loss.
    pub bins: [Vec<Bin>; 3],
}

/// −ln of the probability of what happened, for each position.
#[must_use]
pub fn log_losses(rates: &[[f64; 3]], samples: &[Sample]) -> Vec<f64> {
    let pairs = rates.iter().zip(samples);
    pairs.map(|(rates, sample)| -clipped(*rates)[sample.outcome as usize].ln()).collect()
}

/// Mean of values with its standard error over games: the values of a game are not independent.
#[must_use]
pub fn mean_over_games(values: &[f64], samples: &[Sample]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let mut games: BTreeMap<usize, f64> = BTreeMap::new();
    for (value, sample) in values.iter().zip(samples) {
        *games.entry(sample.game).or_default() += value - mean;
    }
    let count = games.len() as f64;
    let variance = games.values().map(|sum| sum * sum).sum::<f64>() * count / (count - 1.0).max(1.0);
    (mean, variance.sqrt() / n)
}

impl Measures {
    /// Scores probabilities of win, draw and loss, as many as samples, at least one.
    #[must_use]
    pub fn of(rates: &[[f64; 3]], samples: &[Sample]) -> Measures {
        let n = samples.len() as f64;
        let (log_loss, log_loss_error) = mean_over_games(&log_losses(rates, samples), samples);
        let (mut brier, mut rps) = (0.0, 0.0);
        let mut bins = [[Bin::default(); BINS]; 3];
        for (rates, sample) in rates.iter().zip(samples) {
            let rates = clipped(*rates);
            let happened = Outcome::ALL.map(|outcome| if outcome == sample.outcome { 1.0 } else { 0.0 });
            let errors = [0, 1, 2].map(|i| rates[i] - happened[i]);
            brier += errors.iter().map(|error| error * error).sum::<f64>() / n;
            rps += (errors[0].powi(2) + (errors[0] + errors[1]).powi(2)) / 2.0 / n;
            for i in 0..3 {
                let bin = &mut bins[i][((rates[i] * BINS as f64) as usize).min(BINS - 1)];
                bin.positions += 1;
                bin.predicted += rates[i];
                bin.observed += happened[i];
            }
        }
        let calibration_error =
            bins.map(|bins| bins.iter().map(|bin| (bin.predicted - bin.observed).abs()).sum::<f64>() / n);
        let bins = bins.map(|bins| {
            let used = bins.into_iter().filter(|bin| bin.positions > 0);
            used.map(|bin| {
                let count = bin.positions as f64;
                Bin { predicted: bin.predicted / count, observed: bin.observed / count, ..bin }
            })
            .collect()
        });
        Measures { positions: samples.len(), log_loss, log_loss_error, brier, rps, calibration_error, bins }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(outcomes: &[(Outcome, usize)]) -> Vec<Sample> {
        let sample =
            |&(outcome, game)| Sample { fen: String::new(), outcome, material: 78, game, rating: None, pace: None };
        outcomes.iter().map(sample).collect()
    }

    #[test]
    fn known_predictions_have_known_scores() {
        let samples = samples(&[(Outcome::Win, 0), (Outcome::Draw, 1), (Outcome::Loss, 2), (Outcome::Win, 3)]);
        let measures = Measures::of(&[[0.5, 0.3, 0.2]; 4], &samples);
        let losses = [0.5f64, 0.3, 0.2, 0.5].map(|p| -p.ln());
        assert!((measures.log_loss - losses.iter().sum::<f64>() / 4.0).abs() < 1e-12);
        assert!((measures.brier - (0.38 + 0.78 + 0.98 + 0.38) / 4.0).abs() < 1e-12);
        assert!((measures.rps - (0.145 + 0.145 + 0.445 + 0.145) / 4.0).abs() < 1e-12);
        for (error, expected) in measures.calibration_error.iter().zip([0.0, 0.05, 0.05]) {
            assert!((error - expected).abs() < 1e-12);
        }
        assert_eq!(measures.bins[0], [Bin { positions: 4, predicted: 0.5, observed: 0.5 }]);
    }

    #[test]
    fn wrong_certainty_costs_a_finite_loss() {
        let measures = Measures::of(&[[0.0, 0.0, 1.0]], &samples(&[(Outcome::Win, 0)]));
        assert!((measures.log_loss - (1.001f64 / 0.0005).ln()).abs() < 1e-9);
    }

    #[test]
    fn errors_count_games_not_positions() {
        let one = samples(&[(Outcome::Win, 0), (Outcome::Win, 0), (Outcome::Win, 1), (Outcome::Win, 1)]);
        let (mean, error) = mean_over_games(&[1.0, 1.0, 3.0, 3.0], &one);
        let apart = samples(&[(Outcome::Win, 0), (Outcome::Win, 1)]);
        assert_eq!((mean, error), mean_over_games(&[1.0, 3.0], &apart));
        assert!((error - 1.0).abs() < 1e-12);
    }

    #[test]
    fn intervals_hold_the_share() {
        let (low, high) = Bin { positions: 100, predicted: 0.5, observed: 0.5 }.interval();
        assert!((low - 0.4038).abs() < 1e-3 && (high - 0.5962).abs() < 1e-3, "{low} {high}");
    }
}
