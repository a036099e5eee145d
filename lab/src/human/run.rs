//! What is fitted, held out and compared.

use super::design::{COLUMNS, OF_FEATURES, PARAMETERS, Sample};
use super::fit::{self, Plan};
use super::games::Platform;
use super::scores::{Scores, scores};
use crate::progress;
use crate::stats::{Clustered, Games, assign_folds, cross_validate, least_squares};
use halfpoint::human::{FEATURES, THINKING_PARTS, ThinkingTime, counted_seconds, softmax, thinking_parts};
use halfpoint::printing::TimeClass;
use std::collections::BTreeSet;

/// Plies of the opening that the main figures leave out, and least seconds on the clock.
const MAIN: (usize, f64) = (10, 30.0);

/// Probabilities of the moves of each sample.
pub type Predictions = Vec<Vec<f64>>;

/// What a model may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Nothing,
    LossAtDepth6,
    Losses,
    Features,
    All,
}

impl Part {
    pub const ALL: [Part; 5] = [Part::Nothing, Part::LossAtDepth6, Part::Losses, Part::Features, Part::All];

    pub fn name(self) -> &'static str {
        match self {
            Part::Nothing => "every move alike",
            Part::LossAtDepth6 => "loss at depth 6",
            Part::Losses => "losses at all depths",
            Part::Features => "and features of the move",
            Part::All => "and preferences for squares",
        }
    }

    /// Whether a parameter may be other than zero.
    fn is_free(self, index: usize) -> bool {
        let feature = (index < OF_FEATURES).then(|| FEATURES[index / COLUMNS].name);
        let is_loss = |name: &str| {
            ["loss_", "large_loss_", "best_"].iter().any(|start| {
                name.strip_prefix(start).is_some_and(|rest| rest.trim_start_matches("cp_").parse::<u8>().is_ok())
            }) || name == "rank"
        };
        match self {
            Part::Nothing => false,
            Part::LossAtDepth6 => feature == Some("loss_6"),
            Part::Losses => feature.is_some_and(is_loss),
            Part::Features => feature.is_some(),
            Part::All => true,
        }
    }
}

/// Fits to these samples with everything that they have in common.
pub struct Fitter<'a> {
    pub samples: Vec<&'a Sample>,
    pub spreads: Vec<f64>,
    pub plan: Plan,
    pub seed: u64,
}

impl<'a> Fitter<'a> {
    pub fn new(samples: Vec<&'a Sample>, plan: Plan, seed: u64) -> Fitter<'a> {
        Fitter { spreads: fit::spreads(&samples), samples, plan, seed }
    }

    /// The fit to all samples.
    pub fn fit_all(&self) -> Vec<f64> {
        fit::fit(&self.samples, &self.spreads, &vec![0.0; PARAMETERS], &|_| true, self.plan)
    }

    /// Predictions by fits to the other folds.
    pub fn held_out(&self, folds: &[usize], part: Part) -> Predictions {
        let fit_to = |rest: &[usize]| {
            let rest: Vec<&Sample> = rest.iter().map(|&index| self.samples[index]).collect();
            match part {
                Part::Nothing => vec![0.0; PARAMETERS],
                _ => fit::fit(&rest, &self.spreads, &vec![0.0; PARAMETERS], &|index| part.is_free(index), self.plan),
            }
        };
        cross_validate(folds, fit_to, |parameters, index| softmax(&self.samples[index].utilities(parameters)))
    }

    /// Folds that keep games whole.
    pub fn folds_by_game(&self, count: usize) -> Vec<usize> {
        Games::new(self.samples.iter().map(|sample| sample.place.game)).folds(count, self.seed)
    }

    /// Folds that keep the moves of a person together.
    pub fn folds_by_person(&self, count: usize) -> Vec<usize> {
        let people: Vec<u64> =
            self.samples.iter().map(|sample| sample.person).collect::<BTreeSet<_>>().into_iter().collect();
        let fold_of = assign_folds(people.len(), count, self.seed);
        self.samples.iter().map(|sample| fold_of[people.partition_point(|&other| other < sample.person)]).collect()
    }

    /// By how much the log loss of the first fold rises without each feature, with its standard error over games.
    pub fn gains(&self, folds: &[usize]) -> Vec<(&'static str, Clustered)> {
        let (out, rest): (Vec<usize>, Vec<usize>) = (0..folds.len()).partition(|&index| folds[index] == 0);
        let [out, rest] =
            [out, rest].map(|indices| indices.into_iter().map(|index| self.samples[index]).collect::<Vec<_>>());
        let start = fit::fit(&rest, &self.spreads, &vec![0.0; PARAMETERS], &|_| true, self.plan);
        let losses = |parameters: &[f64]| -> Vec<f64> {
            out.iter()
                .map(|sample| -softmax(&sample.utilities(parameters))[sample.played].max(f64::MIN_POSITIVE).ln())
                .collect()
        };
        // The fit with all features takes the same steps, so that it is as near to its end.
        let all = losses(&fit::fit(&rest, &self.spreads, &start, &|_| true, Plan { iterations: REFIT }));
        let bar = progress::bar(FEATURES.len() as u64, "{wide_bar} {pos}/{len} {eta}", "features");
        let gain = |(feature, name): (usize, &'static str)| {
            let is_free = |index: usize| index >= OF_FEATURES || index / COLUMNS != feature;
            let without = losses(&fit::fit(&rest, &self.spreads, &start, &is_free, Plan { iterations: REFIT }));
            bar.inc(1);
            let differences = out
                .iter()
                .zip(without.iter().zip(&all))
                .map(|(sample, (without, all))| (sample.place.game, without - all));
            (name, Clustered::of(differences))
        };
        let gains = FEATURES.iter().map(|feature| feature.name).enumerate().map(gain).collect();
        bar.finish_and_clear();
        gains
    }

    /// Scores of the samples that `keep` takes.
    pub fn scores(&self, predictions: &Predictions, keep: impl Fn(&Sample) -> bool) -> Scores {
        let all = self.samples.iter().copied().zip(predictions.iter().map(Vec::as_slice));
        scores(all.filter(|(sample, _)| keep(sample)))
    }
}

/// Most steps of a fit without a feature, from the one with it.
const REFIT: usize = 8;

/// What the main figures are of: lichess, blitz and rapid, beyond the opening, with time on the clock.
pub fn is_main(platform: Platform, class: TimeClass, ply: usize, seconds_left: Option<f64>) -> bool {
    platform == Platform::Lichess
        && matches!(class, TimeClass::Blitz | TimeClass::Rapid)
        && ply > MAIN.0
        && seconds_left.is_some_and(|left| left >= MAIN.1)
}

/// The thinking times, from moves whose time is known and the probabilities of the moves; `None` if none is known.
pub fn thinking(samples: &[&Sample], predictions: &Predictions) -> Option<ThinkingTime> {
    let known = samples.iter().zip(predictions).filter_map(|(sample, probabilities)| {
        let (moment, seconds) = sample.time?;
        Some((thinking_parts(moment, probabilities), counted_seconds(seconds).ln()))
    });
    let (parts, times): (Vec<_>, Vec<f64>) = known.unzip();
    let rows: Vec<Vec<f64>> = parts.iter().map(|parts| parts.to_vec()).collect();
    if rows.len() < THINKING_PARTS {
        return None;
    }
    let weights = least_squares(&rows, &times);
    let fitted = |row: &Vec<f64>| row.iter().zip(&weights).map(|(x, weight)| x * weight).sum::<f64>();
    let squares: f64 = rows.iter().zip(&times).map(|(row, time)| (time - fitted(row)).powi(2)).sum();
    let spread = (squares / times.len().max(1) as f64).sqrt();
    let &[constant, share, moves, check, retake, entropy, first] = weights.as_slice() else { return None };
    Some(ThinkingTime { constant, share, moves, check, retake, entropy, first, spread })
}
