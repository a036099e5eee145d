//! Scoring rules: how good probabilities of a win, a draw and a loss are, given what happened.

use super::{Bin, Bins, Clustered, calibration_error};
use crate::outcome::Outcome;
use serde::Serialize;

/// Probabilities of a win, a draw and a loss, in this order, with what happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The probabilities; they sum to one.
    pub probabilities: [f64; 3],
    pub happened: Outcome,
    pub game: usize,
}

impl Forecast {
    /// −ln of the probability of what happened, nats.
    pub fn log_loss(&self) -> f64 {
        -self.probabilities[self.happened as usize].ln()
    }

    /// The two parts of the log loss: whether the game is drawn, and, if it is not, who wins. A certain draw that
    /// happened leaves the second 0.
    pub fn log_loss_parts(&self) -> [f64; 2] {
        let [win, draw, loss] = self.probabilities;
        let decisive = |winner: f64| [-(1.0 - draw).ln(), -(winner / (1.0 - draw)).ln()];
        match self.happened {
            Outcome::Win => decisive(win),
            Outcome::Draw => [-draw.ln(), 0.0],
            Outcome::Loss => decisive(loss),
        }
    }

    /// Squared distance of the probabilities from what happened, 0 to 2.
    pub fn brier(&self) -> f64 {
        self.errors().iter().map(|error| error * error).sum()
    }

    /// Ranked probability score, 0 to 1: squared distances of the cumulated probabilities. A draw is nearer to a win than a
    /// loss is.
    pub fn rps(&self) -> f64 {
        let [win, draw, _] = self.errors();
        (win.powi(2) + (win + draw).powi(2)) / 2.0
    }

    /// Squared difference between expected result and result, 0 to 1.
    pub fn score_error(&self) -> f64 {
        let [win, draw, _] = self.errors();
        (win + draw / 2.0).powi(2)
    }

    /// Probabilities less what happened.
    fn errors(&self) -> [f64; 3] {
        std::array::from_fn(|i| self.probabilities[i] - f64::from(u8::from(i == self.happened as usize)))
    }
}

/// Probabilities of which none is below `floor`, and which sum to one again: what is printed in whole per mille may be 0.
pub fn clipped(probabilities: [f64; 3], floor: f64) -> [f64; 3] {
    let raised = probabilities.map(|p| p.max(floor));
    let sum: f64 = raised.iter().sum();
    raised.map(|p| p / sum)
}

/// Area under the receiver operating characteristic of one event: the chance that it had the higher probability where it
/// happened than where it did not, ties counted half. `None` if it always or never happened.
pub fn area_under_curve(forecasts: impl IntoIterator<Item = (f64, bool)>) -> Option<f64> {
    let mut all: Vec<_> = forecasts.into_iter().collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut without, mut area) = (0usize, 0.0);
    for tied in all.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
        let with = tied.iter().filter(|(_, happened)| *happened).count();
        let others = tied.len() - with;
        area += with as f64 * (without as f64 + others as f64 / 2.0);
        without += others;
    }
    let pairs = without * (all.len() - without);
    (pairs > 0).then(|| area / pairs as f64)
}

/// Scores of forecasts; the less the better.
#[derive(Clone, Debug, Serialize)]
pub struct Measures {
    pub positions: usize,
    pub log_loss: f64,
    /// Standard error of that, over games.
    pub log_loss_error: f64,
    /// The log loss by that of the fractions in which each outcome happened; below 1 for what knows more than these. 0 where
    /// only one outcome happened.
    pub normalized_entropy: f64,
    /// Its part that is about draws, nats.
    pub draw_part: f64,
    /// Its part that is about who wins, nats.
    pub winner_part: f64,
    pub brier: f64,
    /// Mean squared error of the expected result P, 0 to 1.
    pub score_error: f64,
    /// Mean ranked probability score, 0 to 1.
    pub rps: f64,
    /// Expected calibration error of win, draw and loss.
    pub calibration_error: [f64; 3],
    /// Expected calibration error of the likeliest outcome, in bins by its probability.
    pub confidence_error: f64,
    /// Mean probabilities of win, draw and loss less the fractions in which they happened.
    pub bias: [f64; 3],
    /// Reliability bins of win, draw and loss.
    pub bins: [Vec<Bin>; 3],
}

impl Measures {
    /// Scores forecasts, with so many bins for each outcome. Those of one game must follow each other.
    pub fn of(forecasts: impl IntoIterator<Item = Forecast>, bins: usize) -> Measures {
        let mut log_loss = Clustered::default();
        let [mut draw_part, mut winner_part, mut brier, mut score_error, mut rps] = [0.0; 5];
        let mut reliability = [(); 3].map(|()| Bins::new(bins));
        let mut confidence = Bins::new(bins);
        let (mut predicted, mut observed) = ([0.0; 3], [0.0; 3]);
        for forecast in forecasts {
            let Forecast { probabilities, happened, game } = forecast;
            log_loss.add(game, forecast.log_loss());
            let [draw, winner] = forecast.log_loss_parts();
            draw_part += draw;
            winner_part += winner;
            brier += forecast.brier();
            score_error += forecast.score_error();
            rps += forecast.rps();
            for (i, bins) in reliability.iter_mut().enumerate() {
                bins.add(game, probabilities[i], i == happened as usize);
                predicted[i] += probabilities[i];
            }
            observed[happened as usize] += 1.0;
            let likeliest = (1..3).fold(0, |best, i| if probabilities[i] > probabilities[best] { i } else { best });
            confidence.add(game, probabilities[likeliest], likeliest == happened as usize);
        }
        let mean = |sum: f64| sum / log_loss.count.max(1) as f64;
        let bins = reliability.map(|bins| bins.filled());
        let fractions = observed.map(mean);
        let entropy: f64 =
            fractions.iter().filter(|fraction| **fraction > 0.0).map(|fraction| -fraction * fraction.ln()).sum();
        Measures {
            positions: log_loss.count,
            log_loss: log_loss.mean(),
            log_loss_error: log_loss.standard_error(),
            normalized_entropy: if entropy > 0.0 { log_loss.mean() / entropy } else { 0.0 },
            draw_part: mean(draw_part),
            winner_part: mean(winner_part),
            brier: mean(brier),
            score_error: mean(score_error),
            rps: mean(rps),
            calibration_error: bins.each_ref().map(|bins| calibration_error(bins)),
            confidence_error: calibration_error(&confidence.filled()),
            bias: std::array::from_fn(|i| mean(predicted[i]) - fractions[i]),
            bins,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WDLW: [Outcome; 4] = [Outcome::Win, Outcome::Draw, Outcome::Loss, Outcome::Win];

    fn forecasts(probabilities: &[[f64; 3]], happened: &[Outcome]) -> Vec<Forecast> {
        let forecast = |(game, (&probabilities, &happened))| Forecast { probabilities, happened, game };
        probabilities.iter().zip(happened).enumerate().map(forecast).collect()
    }

    #[test]
    fn known_forecasts_have_known_scores() {
        let measures = Measures::of(forecasts(&[[0.5, 0.3, 0.2]; 4], &WDLW), 10);
        let losses = [0.5f64, 0.3, 0.2, 0.5].map(|p| -p.ln());
        assert!((measures.log_loss - losses.iter().sum::<f64>() / 4.0).abs() < 1e-12);
        assert!((measures.draw_part + measures.winner_part - measures.log_loss).abs() < 1e-12);
        assert!((measures.draw_part - (-3.0 * 0.7f64.ln() - 0.3f64.ln()) / 4.0).abs() < 1e-12);
        assert!((measures.brier - (0.38 + 0.78 + 0.98 + 0.38) / 4.0).abs() < 1e-12);
        // The expected result is 0.65; it was 1, 0.5, 0 and 1.
        assert!(
            (measures.score_error - (2.0 * 0.35f64.powi(2) + 0.15f64.powi(2) + 0.65f64.powi(2)) / 4.0).abs() < 1e-12
        );
        assert!((measures.rps - (0.145 + 0.145 + 0.445 + 0.145) / 4.0).abs() < 1e-12);
        for (error, expected) in measures.calibration_error.iter().zip([0.0, 0.05, 0.05]) {
            assert!((error - expected).abs() < 1e-12);
        }
        // Half of the positions were won, a quarter drawn; the likeliest outcome is a win, with a half.
        let entropy = 0.5 * 2f64.ln() + 2.0 * 0.25 * 4f64.ln();
        assert!((measures.normalized_entropy - measures.log_loss / entropy).abs() < 1e-12);
        assert!(measures.confidence_error.abs() < 1e-12);
        for (bias, expected) in measures.bias.iter().zip([0.0, 0.05, -0.05]) {
            assert!((bias - expected).abs() < 1e-12);
        }
        let bin = measures.bins[0][0];
        assert_eq!((bin.positions, bin.predicted, bin.observed), (4, 0.5, 0.5));
        assert!((bin.standard_error - (1.0f64 / 12.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn each_forecast_is_scored_by_what_happened() {
        let all = forecasts(&[[0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7], [0.25, 0.5, 0.25]], &WDLW);
        let measures = Measures::of(all, 20);
        let log_loss = -(0.5f64.ln() + 0.6f64.ln() + 0.7f64.ln() + 0.25f64.ln()) / 4.0;
        assert!((measures.log_loss - log_loss).abs() < 1e-12);
        assert!((measures.brier - (0.38 + 0.24 + 0.14 + (0.5625 + 0.25 + 0.0625)) / 4.0).abs() < 1e-12);
        assert_eq!(measures.bins[1].len(), 4);
    }

    #[test]
    fn wrong_certainty_costs_a_finite_loss() {
        let probabilities = clipped([0.0, 0.0, 1.0], 0.0005);
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let loss = Forecast { probabilities, happened: Outcome::Win, game: 0 }.log_loss();
        assert!((loss - (1.001f64 / 0.0005).ln()).abs() < 1e-9);
    }

    #[test]
    fn the_area_under_the_curve_is_the_fraction_of_pairs_in_order() {
        let area = |forecasts: &[(f64, bool)]| area_under_curve(forecasts.iter().copied());
        assert_eq!(area(&[(0.9, true), (0.1, false), (0.5, true), (0.4, false)]), Some(1.0));
        assert_eq!(area(&[(0.9, false), (0.1, true)]), Some(0.0));
        assert_eq!(area(&[(0.3, true), (0.3, false)]), Some(0.5));
        // Of six pairs four are in order, and one is tied.
        assert_eq!(area(&[(0.8, true), (0.6, false), (0.5, true), (0.5, false), (0.2, false)]), Some(4.5 / 6.0));
        assert_eq!(area(&[(0.8, true)]), None);
        assert_eq!(area(&[]), None);
    }

    #[test]
    fn nothing_scores_nothing() {
        let measures = Measures::of([], 10);
        assert_eq!((measures.positions, measures.log_loss, measures.brier), (0, 0.0, 0.0));
    }
}
