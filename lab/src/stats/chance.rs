//! What chance alone makes of a calibration error.

use super::Forecast;
use super::bins::bin_of;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::Serialize;

/// How often signs are drawn.
const DRAWS: usize = 400;

/// What a calibration error is if the probabilities are true.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Chance {
    pub mean: f64,
    pub deviation: f64,
}

/// The calibration error of each outcome if the probabilities are true: what happened less what was predicted keeps its size in
/// each game and has a sign drawn at random, one for all positions of a game, as they end alike (wild cluster bootstrap).
/// Forecasts of one game must follow each other.
pub fn calibration_by_chance(forecasts: &[Forecast], bins: usize, seed: u64) -> [Chance; 3] {
    // What happened less what was predicted in a game, by outcome and bin.
    let residuals = |game: &[Forecast]| {
        let mut sums = vec![0.0; 3 * bins];
        for forecast in game {
            for (outcome, probability) in forecast.probabilities.into_iter().enumerate() {
                let happened = f64::from(u8::from(outcome == forecast.happened as usize));
                sums[outcome * bins + bin_of(probability, bins)] += happened - probability;
            }
        }
        sums
    };
    let games: Vec<_> = forecasts.chunk_by(|a, b| a.game == b.game).map(residuals).collect();
    let mut random = StdRng::seed_from_u64(seed);
    let mut errors = [(); 3].map(|()| Vec::with_capacity(DRAWS));
    for _ in 0..DRAWS {
        let mut drawn = vec![0.0; 3 * bins];
        for sums in &games {
            let sign = if random.random_bool(0.5) { 1.0 } else { -1.0 };
            drawn.iter_mut().zip(sums).for_each(|(all, sum)| *all += sign * sum);
        }
        for (of_outcome, sums) in errors.iter_mut().zip(drawn.chunks(bins)) {
            of_outcome.push(sums.iter().map(|sum| sum.abs()).sum::<f64>() / forecasts.len().max(1) as f64);
        }
    }
    errors.map(|all| {
        let mean = all.iter().sum::<f64>() / DRAWS as f64;
        let variance = all.iter().map(|error| (error - mean).powi(2)).sum::<f64>() / (DRAWS - 1) as f64;
        Chance { mean, deviation: variance.sqrt() }
    })
}

#[cfg(test)]
mod tests {
    use super::super::Measures;
    use super::*;
    use crate::outcome::Outcome;

    /// Games of so many positions, won with another probability than the predicted one.
    fn forecasts(predicted: f64, real: f64, positions: usize) -> Vec<Forecast> {
        let mut random = StdRng::seed_from_u64(3);
        let game = |game: usize| {
            let happened = match random.random_range(0.0..1.0) {
                x if x < real => Outcome::Win,
                x if x < real + 0.2 => Outcome::Draw,
                _ => Outcome::Loss,
            };
            vec![Forecast { probabilities: [predicted, 0.2, 0.8 - predicted], happened, game }; positions]
        };
        (0..1000).flat_map(game).collect()
    }

    /// How far the error for wins is beyond that of chance, in standard deviations.
    fn beyond(predicted: f64, real: f64, positions: usize) -> f64 {
        let all = forecasts(predicted, real, positions);
        let Chance { mean, deviation } = calibration_by_chance(&all, 10, 1)[0];
        (Measures::of(all, 10).calibration_error[0] - mean) / deviation
    }

    #[test]
    fn true_probabilities_are_within_chance_and_others_beyond_it() {
        for positions in [1, 4] {
            assert!(beyond(0.45, 0.45, positions) < 2.0);
            assert!(beyond(0.45, 0.55, positions) > 4.0);
        }
    }

    #[test]
    fn positions_of_a_game_tell_no_more_than_one() {
        let of = |positions| calibration_by_chance(&forecasts(0.45, 0.45, positions), 10, 1)[0].mean;
        // The mean distance of a binomial's share: √(2·0.45·0.55/(1000·π)).
        assert!((of(1) - 0.01255).abs() < 0.001, "{}", of(1));
        assert!((of(1) - of(4)).abs() < 1e-9);
    }
}
