//! How good probabilities of win, draw and loss are, given what happened.

use super::Outcome;
use super::sample::Sample;
use halfpoint::wdl::profile::FLOOR;
use serde::Serialize;
use std::collections::BTreeMap;

/// Bins of a reliability diagram.
pub const BINS: usize = 10;

/// Positions from which on the difference of prediction and share in a bin says something.
pub const WELL_FILLED: usize = 300;

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
    /// Standard error of the difference, over games.
    pub error: f64,
}

impl Bin {
    /// Observed less predicted.
    #[must_use]
    pub fn distance(&self) -> f64 {
        self.observed - self.predicted
    }

    /// 95 % interval of the share (Wilson's), with as many independent positions as the error over games is worth.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        const Z: f64 = 1.959_964;
        let worth = self.observed * (1.0 - self.observed) / (self.error * self.error);
        let n = if worth > 0.0 { worth.min(self.positions as f64) } else { self.positions as f64 };
        let middle = self.observed + Z * Z / (2.0 * n);
        let half = Z * (self.observed * (1.0 - self.observed) / n + Z * Z / (4.0 * n * n)).sqrt();
        let whole = 1.0 + Z * Z / n;
        ((middle - half) / whole, (middle + half) / whole)
    }
}

/// The bin of [`WELL_FILLED`] positions or more whose prediction is the farthest off.
#[must_use]
pub fn worst(bins: &[Bin]) -> Option<&Bin> {
    let filled = bins.iter().filter(|bin| bin.positions >= WELL_FILLED);
    filled.max_by(|a, b| a.distance().abs().total_cmp(&b.distance().abs()))
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
pub fn mean_over_games<'a>(values: &[f64], samples: impl IntoIterator<Item = &'a Sample>) -> (f64, f64) {
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
        // Where the positions of each bin are.
        let mut places: [[Vec<usize>; BINS]; 3] = Default::default();
        let rates: Vec<_> = rates.iter().map(|rates| clipped(*rates)).collect();
        let happened = |index: usize, i: usize| f64::from(u8::from(samples[index].outcome == Outcome::ALL[i]));
        for (index, rates) in rates.iter().enumerate() {
            let errors = [0, 1, 2].map(|i| rates[i] - happened(index, i));
            brier += errors.iter().map(|error| error * error).sum::<f64>() / n;
            rps += (errors[0].powi(2) + (errors[0] + errors[1]).powi(2)) / 2.0 / n;
            for i in 0..3 {
                places[i][((rates[i] * BINS as f64) as usize).min(BINS - 1)].push(index);
            }
        }
        let bin = |i: usize, places: &[usize]| {
            let residuals: Vec<_> = places.iter().map(|&index| happened(index, i) - rates[index][i]).collect();
            let (distance, error) = mean_over_games(&residuals, places.iter().map(|&index| &samples[index]));
            let predicted = places.iter().map(|&index| rates[index][i]).sum::<f64>() / places.len() as f64;
            Bin { positions: places.len(), predicted, observed: predicted + distance, error }
        };
        let bins = [0, 1, 2].map(|i| {
            let used = places[i].iter().filter(|places| !places.is_empty());
            used.map(|places| bin(i, places)).collect::<Vec<_>>()
        });
        let calibration_error =
            [0, 1, 2].map(|i| bins[i].iter().map(|bin| bin.distance().abs() * bin.positions as f64).sum::<f64>() / n);
        Measures { positions: samples.len(), log_loss, log_loss_error, brier, rps, calibration_error, bins }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfpoint::wdl::profile::Traits;

    fn samples(outcomes: &[(Outcome, usize)]) -> Vec<Sample> {
        let traits = Traits { material: 78, can_win: [true; 2], clock: 0 };
        let sample = |&(outcome, game)| Sample { fen: String::new(), outcome, traits, game, rating: None, pace: None };
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
        assert_eq!(
            measures.bins[0],
            [Bin { positions: 4, predicted: 0.5, observed: 0.5, error: (1.0f64 / 12.0).sqrt() }]
        );
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
        let bins = |samples: &[Sample]| Measures::of(&vec![[0.8, 0.1, 0.1]; samples.len()], samples).bins;
        let lost = |game: usize| [(Outcome::Win, 2 * game), (Outcome::Loss, 2 * game + 1)];
        let apart: Vec<_> = (0..500).flat_map(lost).collect();
        let together: Vec<_> = (0..500).flat_map(lost).chain((0..500).flat_map(lost)).collect();
        let [apart, together] = [apart, together].map(|outcomes| bins(&samples(&outcomes))[0][0]);
        assert_eq!((apart.positions, together.positions), (1000, 2000));
        assert!((apart.distance() + 0.3).abs() < 1e-9 && (together.distance() + 0.3).abs() < 1e-9);
        assert!((apart.error - together.error).abs() < 1e-9 && (apart.error - 0.0158).abs() < 1e-4, "{}", apart.error);
        assert!((apart.interval().0 - together.interval().0).abs() < 1e-3, "{apart:?} {together:?}");
    }

    #[test]
    fn the_worst_bin_is_a_filled_one() {
        let bin = |positions, observed| Bin { positions, predicted: 0.5, observed, error: 0.01 };
        let bins = [bin(500, 0.52), bin(299, 0.9), bin(300, 0.46)];
        assert_eq!(worst(&bins), Some(&bins[2]));
        assert_eq!(worst(&bins[1..2]), None);
    }

    #[test]
    fn intervals_hold_the_share() {
        let (low, high) = Bin { positions: 100, predicted: 0.5, observed: 0.5, error: 0.05 }.interval();
        assert!((low - 0.4038).abs() < 1e-3 && (high - 0.5962).abs() < 1e-3, "{low} {high}");
    }
}
