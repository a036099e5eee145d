//! How good probabilities of moves are, and how people and model err.

use super::design::Sample;
use crate::stats::{Bin, Bins, Clustered, area_under_curve};
use std::array;

/// Losses from which on a move counts as an inaccuracy, a mistake, a blunder; expected points.
pub const ERRORS: [f64; 3] = [0.05, 0.1, 0.2];
/// Bins of a reliability diagram.
const BINS: usize = 20;

/// Scores over some samples. The log loss is in nats.
#[derive(Clone, Debug, Default)]
pub struct Scores {
    pub log_loss: Clustered,
    /// Whether the likeliest move was played.
    pub top: Clustered,
    /// Loss of people.
    pub loss: Clustered,
    /// Loss that the model expects.
    pub expected_loss: Clustered,
    /// Shares of losses of at least each of [`ERRORS`]: of people, of the model.
    pub errors: [[Clustered; 2]; ERRORS.len()],
    /// Area under the curve of each of [`ERRORS`].
    pub areas: [Option<f64>; ERRORS.len()],
    /// Reliability of each of [`ERRORS`].
    pub bins: [Vec<Bin>; ERRORS.len()],
}

/// Of samples with the probabilities of their moves; those of a game follow each other.
pub fn scores<'a>(samples: impl IntoIterator<Item = (&'a Sample, &'a [f64])>) -> Scores {
    let mut scores = Scores::default();
    let mut bins: [Bins; ERRORS.len()] = array::from_fn(|_| Bins::new(BINS));
    let mut seen: [Vec<(f64, bool)>; ERRORS.len()] = Default::default();
    for (sample, probabilities) in samples {
        let game = sample.place.game;
        let expect = |of: &dyn Fn(f64) -> f64| -> f64 {
            sample.losses.iter().zip(probabilities).map(|(&loss, p)| p * of(loss)).sum()
        };
        let played = sample.losses[sample.played];
        let most = probabilities.iter().fold(0.0, |most: f64, &p| most.max(p));
        scores.log_loss.add(game, -probabilities[sample.played].max(f64::MIN_POSITIVE).ln());
        scores.top.add(game, f64::from(u8::from(probabilities[sample.played] >= most)));
        scores.loss.add(game, played);
        scores.expected_loss.add(game, expect(&|loss| loss));
        for (index, least) in ERRORS.into_iter().enumerate() {
            let (happened, probability) = (played >= least, expect(&|loss| f64::from(u8::from(loss >= least))));
            scores.errors[index][0].add(game, f64::from(u8::from(happened)));
            scores.errors[index][1].add(game, probability);
            bins[index].add(game, probability, happened);
            seen[index].push((probability, happened));
        }
    }
    scores.bins = bins.map(|bins| bins.filled());
    scores.areas = seen.map(area_under_curve);
    scores
}
