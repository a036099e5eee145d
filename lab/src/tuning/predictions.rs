//! How well weights predict.

use super::block::{Block, Row};
use super::vector::Vector;
use crate::outcome::Outcome;
use crate::stats::{Case, Clustered, Forecast, Measures, Regression, clipped};
use halfpoint::printing::FLOOR;
use halfpoint::wdl::fixed::DRAW_LIMIT;
use halfpoint::wdl::model::{DRAW_UNITS, sigmoid};

/// Predicted probabilities of a win, a draw and a loss, White's view.
pub type Prediction = [f64; 3];

/// Log odds of a winner beyond which a prediction does not go.
const MAX_WILO_LOGITS: f32 = 25.0;
/// Log odds of a draw beyond which the search does not go.
pub const MAX_DRAW_LOGITS: f32 = (DRAW_LIMIT as f64 / DRAW_UNITS) as f32;

/// From the log odds of both regressions.
pub fn predictions(wilo: &[f32], draw: &[f32]) -> Vec<Prediction> {
    // A prediction is never certain, so that its log loss is a number.
    let probability = |logit: f32, most: f32| sigmoid(f64::from(logit.clamp(-most, most)));
    let predict = |(&wilo, &draw): (&f32, &f32)| {
        let (wp, d) = (probability(wilo, MAX_WILO_LOGITS), probability(draw, MAX_DRAW_LOGITS));
        [(1.0 - d) * wp, d, (1.0 - d) * (1.0 - wp)]
    };
    wilo.iter().zip(draw).map(predict).collect()
}

/// Fractions of wins, draws and losses; what did not happen has [`FLOOR`], so that its log loss is a number.
pub fn base_rates(blocks: &[Block]) -> Prediction {
    let mut counts = [0.0; 3];
    let mut all = 0.0;
    for row in rows(blocks) {
        counts[row.outcome as usize] += 1.0;
        all += 1.0;
    }
    clipped(counts.map(|count| count / all), FLOOR)
}

/// All rows in order.
fn rows(blocks: &[Block]) -> impl Iterator<Item = &Row> + Clone {
    blocks.iter().flat_map(|block| &block.rows)
}

/// Predictions of all positions with their results.
fn forecasts(blocks: &[Block], predictions: &[Prediction]) -> impl Iterator<Item = Forecast> {
    rows(blocks).zip(predictions).map(|(row, &probabilities)| Forecast {
        probabilities,
        happened: row.outcome,
        game: row.game as usize,
    })
}

/// Scores predictions of all positions.
pub fn measures(blocks: &[Block], predictions: &[Prediction]) -> Measures {
    Measures::of(forecasts(blocks, predictions), BINS)
}

/// By how much the log loss of `a` exceeds that of `b`: mean and standard error over games.
pub fn log_loss_difference(blocks: &[Block], a: &[Prediction], b: &[Prediction]) -> Clustered {
    let pairs = forecasts(blocks, a).zip(forecasts(blocks, b));
    Clustered::of(pairs.map(|(a, b)| (a.game, a.log_loss() - b.log_loss())))
}

/// Bins of a reliability diagram.
const BINS: usize = 20;

/// How log odds of draws, or of winners, would have to change to fit best: the test of whether they are too sure
/// (slope below 1) or not sure enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    pub slope: f64,
    /// Added to the log odds.
    pub offset: f64,
    /// Standard errors of both, games being the observations.
    pub errors: [f64; 2],
}

/// Fits a straight line over the log odds of predictions to the results. Positions that the regression leaves out are
/// left out here, too. `None` if the results do not determine it.
pub fn calibration(blocks: &[Block], predictions: &[Prediction], vector: Vector) -> Option<Calibration> {
    let cases = || {
        rows(blocks).zip(predictions).filter_map(|(row, &[win, draw, loss])| {
            let is_draw = row.outcome == Outcome::Draw;
            let (left_out, odds, happened) = match vector {
                Vector::Wilo => (is_draw, win / loss, row.outcome == Outcome::Win),
                Vector::Draw => (row.is_saturated, draw / (1.0 - draw), is_draw),
            };
            let (offset, yes) = (odds.ln(), f64::from(u8::from(happened)));
            (!left_out).then_some((row.game as usize, Case { offset, features: [offset, 1.0], yes, no: 1.0 - yes }))
        })
    };
    let fit = Regression::fit(cases().map(|(_, case)| case), 2, None);
    let errors = fit.standard_errors(cases());
    fit.is_determined().then(|| Calibration {
        slope: 1.0 + fit.coefficients[0],
        offset: fit.coefficients[1],
        errors: std::array::from_fn(|i| errors[i]),
    })
}
