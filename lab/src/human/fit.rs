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
    // In order, so that sums do not depend on which thread is first.
    let parts: Vec<_> = samples.par_chunks(PART).map(of_part).collect();
    parts.into_iter().fold((0.0, vec![0.0; PARAMETERS]), add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::human::design::OF_SQUARES;
    use crate::human::games::{Place, Platform};
    use halfpoint::human::{Player, softmax};
    use halfpoint::printing::TimeClass;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    /// Choices with random features of which the first is drawn by these parameters.
    fn samples(count: usize, parameters: &[f64]) -> Vec<Sample> {
        let mut random = StdRng::seed_from_u64(3);
        let mut sample = |game: usize| {
            let moves = 2 + game % 9;
            let mut sample = Sample {
                place: Place { game, ply: 20 },
                source: "a".to_owned(),
                platform: Platform::Lichess,
                class: TimeClass::Blitz,
                player: Player::of_class(1500.0, TimeClass::Blitz),
                person: game as u64,
                context: std::array::from_fn(|column| if column == 0 { 1.0 } else { random.random_range(-1.0..1.0) }),
                opening: random.random_range(0.0..1.0),
                played: 0,
                features: (0..moves * COUNT).map(|_| random.random_range(-1.0..1.0)).collect(),
                steps: (0..moves).map(|_| [random.random_range(0..384), random.random_range(0..384)]).collect(),
                losses: vec![0.0; moves],
                time: None,
            };
            let number: f64 = random.random_range(0.0..1.0);
            sample.played = halfpoint::human::drawn(&softmax(&sample.utilities(parameters)), number);
            sample
        };
        (0..count).map(&mut sample).collect()
    }

    #[test]
    fn slopes_are_those_of_finite_differences() {
        let mut random = StdRng::seed_from_u64(5);
        let mut parameters: Vec<f64> = (0..PARAMETERS).map(|_| random.random_range(-0.3..0.3)).collect();
        let samples = samples(30, &parameters);
        let samples: Vec<&Sample> = samples.iter().collect();
        let (_, slopes) = loss(&samples, &parameters);
        const STEP: f64 = 1e-3;
        for index in [0, 1, COLUMNS, 5 * COLUMNS + 6, OF_FEATURES - 1, OF_FEATURES, OF_FEATURES + OF_SQUARES / 2 + 7] {
            let mut at = |x: f64| {
                parameters[index] += x;
                let value = loss(&samples, &parameters).0;
                parameters[index] -= x;
                value
            };
            let slope = (at(STEP) - at(-STEP)) / (2.0 * STEP);
            assert!((slope - slopes[index]).abs() < 0.01 * (1.0 + slope.abs()), "{index}: {slope} {}", slopes[index]);
        }
    }

    #[test]
    fn parameters_that_choices_were_drawn_by_are_found() {
        let mut truth = vec![0.0; PARAMETERS];
        (truth[0], truth[3 * COLUMNS]) = (1.5, -1.0);
        let samples = samples(3000, &truth);
        let samples: Vec<&Sample> = samples.iter().collect();
        let is_free = |index: usize| index.is_multiple_of(COLUMNS) && index < 5 * COLUMNS;
        let spreads = spreads(&samples);
        let found = fit(&samples, &spreads, &vec![0.0; PARAMETERS], &is_free, Plan { iterations: 50 });
        for index in 0..PARAMETERS {
            assert!((found[index] - truth[index]).abs() < 0.15, "{index}: {}", found[index]);
            assert!(is_free(index) || found[index] == 0.0);
        }
    }
}
