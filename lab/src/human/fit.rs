//! The fit: a convex function, minimised by its gradient.

use super::design::{COLUMNS, OF_FEATURES, PARAMETERS, Sample};
use crate::stats::{Rules, minimize};
use halfpoint::human::{COUNT, softmax};
use rayon::prelude::*;

/// Samples whose gradient a task sums up.
const PART: usize = 256;
/// Weight of the square of a parameter in the sum of all log losses, with the features at a spread of 1.
const PENALTY: f64 = 1.0;
/// The same for the preferences for squares.
const SQUARE_PENALTY: f64 = 2.0;
/// Length of the gradient of the mean at which the end is reached.
const TOLERANCE: f64 = 1e-4;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Most steps.
    pub iterations: usize,
}

/// Spread of each feature over the moves of a position, root of the mean square; 1 of a feature that never differs.
pub fn spreads(samples: &[&Sample]) -> Vec<f64> {
    let mut squares = vec![0.0; COUNT];
    let mut moves = 0.0;
    for sample in samples {
        let rows = || sample.features.chunks_exact(COUNT);
        let count = rows().len() as f64;
        moves += count;
        for (feature, sum) in squares.iter_mut().enumerate() {
            let mean = rows().map(|row| f64::from(row[feature])).sum::<f64>() / count;
            *sum += rows().map(|row| (f64::from(row[feature]) - mean).powi(2)).sum::<f64>();
        }
    }
    squares
        .iter()
        .map(|sum: &f64| (sum / f64::max(moves, 1.0)).sqrt())
        .map(|spread| if spread > 0.0 { spread } else { 1.0 })
        .collect()
}

/// The parameters with the least penalised log loss. Those that `is_free` denies stay at zero. `start` has all parameters.
pub fn fit(
    samples: &[&Sample],
    spreads: &[f64],
    start: &[f64],
    is_free: &(dyn Fn(usize) -> bool + Sync),
    plan: Plan,
) -> Vec<f64> {
    // The solver sees parameters of features at a spread of 1.
    let scale = |index: usize| if index < OF_FEATURES { spreads[index / COLUMNS] } else { 1.0 };
    let scales: Vec<f64> = (0..PARAMETERS).map(scale).collect();
    let free: Vec<f64> = (0..PARAMETERS).map(|index| f64::from(u8::from(is_free(index)))).collect();
    let unscaled = |x: &[f64]| -> Vec<f64> {
        x.iter().zip(&scales).zip(&free).map(|((x, scale), free)| x / scale * free).collect()
    };
    let function = |x: &[f64]| {
        let (value, slopes) = loss(samples, &unscaled(x));
        let count = samples.len() as f64;
        let penalty = |index: usize| if index < OF_FEATURES { PENALTY } else { SQUARE_PENALTY };
        let penalised = x.iter().enumerate().map(|(index, x)| penalty(index) * x * x / 2.0).sum::<f64>();
        let slope = |index: usize| (slopes[index] / scales[index] * free[index] + penalty(index) * x[index]) / count;
        ((value + penalised) / count, (0..PARAMETERS).map(slope).collect())
    };
    let start: Vec<f64> = start.iter().zip(&scales).zip(&free).map(|((x, scale), free)| x * scale * free).collect();
    let rules = Rules { tolerance: TOLERANCE, iterations: plan.iterations, first_step: Some(0.1), noise: 1e-9 };
    let end = minimize(function, &start, rules).pop();
    end.map_or_else(|| vec![0.0; PARAMETERS], |end| unscaled(&end.x))
}

/// Sum of the log losses, with its slopes.
pub fn loss(samples: &[&Sample], parameters: &[f64]) -> (f64, Vec<f64>) {
    let of_part = |samples: &[&Sample]| {
        let mut sum = 0.0;
        let mut gradient = vec![0.0; PARAMETERS];
        for sample in samples {
            let mut slopes = softmax(&sample.utilities(parameters));
            sum -= slopes[sample.played].max(f64::MIN_POSITIVE).ln();
            slopes[sample.played] -= 1.0;
            sample.add_slopes(&slopes, &mut gradient);
        }
        (sum, gradient)
    };
    let add = |mut a: (f64, Vec<f64>), b: (f64, Vec<f64>)| {
        a.0 += b.0;
        a.1.iter_mut().zip(&b.1).for_each(|(sum, slope)| *sum += slope);
        a
    };
    samples.par_chunks(PART).map(of_part).reduce(|| (0.0, vec![0.0; PARAMETERS]), add)
}
