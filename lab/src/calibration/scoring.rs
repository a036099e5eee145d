//! How good probabilities for samples are.

use super::sample::Sample;
use crate::outcome::Outcome;
use crate::stats::{Chance, Clustered, Forecast, Games, Measures, area_under_curve, calibration_by_chance, clipped};
use halfpoint::printing::FLOOR;
use shakmaty::Color;

/// Bins of a reliability diagram.
pub const BINS: usize = 10;

/// Positions from which on the difference of prediction and fraction in a bin says something.
pub const WELL_FILLED: usize = 300;

/// Probabilities of win, draw and loss with what happened. None is below [`FLOOR`]: a wrong certainty costs 7.6 nats, not
/// infinity.
fn forecasts(rates: &[[f64; 3]], samples: &[Sample]) -> impl Iterator<Item = Forecast> {
    rates.iter().zip(samples).map(|(rates, sample)| forecast(*rates, sample))
}

fn forecast(rates: [f64; 3], sample: &Sample) -> Forecast {
    Forecast { probabilities: clipped(rates, FLOOR), happened: sample.outcome, game: sample.game }
}

/// Scores probabilities of win, draw and loss, as many as samples.
pub fn measures(rates: &[[f64; 3]], samples: &[Sample]) -> Measures {
    Measures::of(forecasts(rates, samples), BINS)
}

/// What chance makes of the calibration error of win, draw and loss if the probabilities are true.
pub fn by_chance(rates: &[[f64; 3]], samples: &[Sample]) -> [Chance; 3] {
    calibration_by_chance(&forecasts(rates, samples).collect::<Vec<_>>(), BINS, 1)
}

/// How well the probabilities tell games that White won from the others: the area under the curve; `None` if there is
/// but one kind.
pub fn white_win_area(rates: &[[f64; 3]], samples: &[Sample]) -> Option<f64> {
    area_under_curve(rates.iter().zip(samples).map(|(&[win, _, loss], sample)| match sample.turn {
        Color::White => (win, sample.outcome == Outcome::Win),
        Color::Black => (loss, sample.outcome == Outcome::Loss),
    }))
}

/// −ln of the probability of what happened.
pub fn log_loss(rates: [f64; 3], sample: &Sample) -> f64 {
    forecast(rates, sample).log_loss()
}

/// −ln of the probability of what happened, for each position.
pub fn log_losses(rates: &[[f64; 3]], samples: &[Sample]) -> Vec<f64> {
    forecasts(rates, samples).map(|forecast| forecast.log_loss()).collect()
}

/// The mean of a value of each sample.
pub fn mean(values: &[f64], samples: &[Sample]) -> Clustered {
    Clustered::of(samples.iter().map(|sample| sample.game).zip(values.iter().copied()))
}

/// The games that samples are of.
pub fn games(samples: &[Sample]) -> Games {
    Games::new(samples.iter().map(|sample| sample.game))
}
