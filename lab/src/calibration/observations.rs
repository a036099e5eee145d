//! Positions of games with what the engine says about them, and the likeliest profile for them.
//!
//! With the scores given, a profile is two logistic regressions: of wins against losses on `w`, and of draws against the
//! rest on `d`.

use super::sample::Sample;
use super::scoring::log_losses;
use super::verdict::Verdict;
use crate::outcome::Outcome;
use crate::stats::{Case, Regression};
use halfpoint::params::NumberTable;
use halfpoint::printing::profile::{COUNT, FEATURES, Inputs, ProfileNumbers, Target, is_of_ratings};
use halfpoint::printing::{predict, printed_inputs};
use halfpoint::wdl::model::{C, Wdl};

/// Standard deviation of a weak prior about where a profile starts, which keeps numbers finite that few games tell.
const PRIOR: f64 = 5.0;
/// Range of the number for the difference of ratings, pawns for 100 Elo, and the width of an interval that is narrow enough.
const RATING_RANGE: (f64, f64) = (0.0, 4.0);
const NARROW: f64 = 0.05;

/// Positions with what the engine says about them and how they ended.
#[derive(Clone, Debug, Default)]
pub struct Observations {
    pub samples: Vec<Sample>,
    wdl: Vec<Wdl>,
    /// What profiles make of them.
    inputs: Vec<Inputs>,
}

impl Observations {
    /// Those positions for which the engine printed W/D/L.
    pub fn new(samples: &[Sample], verdicts: &[Verdict]) -> Observations {
        let mut all = Observations::default();
        for (sample, verdict) in samples.iter().zip(verdicts) {
            if let Some(wdl) = verdict.wdl {
                let sum = f64::from(wdl.iter().sum::<u32>());
                let [win, draw, loss] = wdl.map(|x| f64::from(x) / sum);
                let wdl = Wdl { win, draw, loss };
                all.samples.push(sample.clone());
                all.wdl.push(wdl);
                let mate = |moves| Inputs::mate(moves, sample.board);
                all.inputs.push(verdict.mate.map_or_else(|| printed_inputs(wdl, sample.board), mate));
            }
        }
        all
    }

    /// Those at the given places.
    pub fn at(&self, chosen: &[usize]) -> Observations {
        Observations {
            samples: chosen.iter().map(|&index| self.samples[index].clone()).collect(),
            wdl: chosen.iter().map(|&index| self.wdl[index]).collect(),
            inputs: chosen.iter().map(|&index| self.inputs[index]).collect(),
        }
    }

    /// The same where ratings are not known.
    pub fn without_ratings(mut self) -> Observations {
        self.samples.iter_mut().for_each(|sample| sample.board.advantage = 0);
        self.inputs.iter_mut().for_each(|inputs| inputs.advantage = 0.0);
        self
    }

    /// The engine's own probabilities.
    pub fn printed(&self) -> Vec<[f64; 3]> {
        self.wdl.iter().map(|wdl| [wdl.win, wdl.draw, wdl.loss]).collect()
    }

    /// What a profile makes of all of them.
    fn predictions(&self, numbers: &ProfileNumbers) -> Vec<[f64; 3]> {
        (0..self.samples.len()).map(|index| self.predict(numbers, index)).collect()
    }

    /// What a profile makes of one of them.
    pub fn predict(&self, numbers: &ProfileNumbers, index: usize) -> [f64; 3] {
        let Wdl { win, draw, loss } = predict(numbers, &self.inputs[index], self.samples[index].board);
        [win, draw, loss]
    }

    /// The likeliest profile with the numbers that are free; the others are those of `start`. Each position counts as often
    /// as its weight says.
    pub fn fit(&self, start: &ProfileNumbers, free: &[usize], weights: &[f64]) -> ProfileNumbers {
        let is_rated = self.samples.iter().any(|sample| sample.board.advantage != 0);
        let of_ratings = free.iter().copied().find(|&number| is_of_ratings(name(number)) && is_rated);
        let Some(number) = of_ratings else { return self.fit_given(start, free, weights) };
        // What the other numbers are multiplied with depends on this one.
        let with = |value: f64| {
            let mut start = start.clone();
            start.set(number, value);
            self.fit_given(&start, free, weights)
        };
        let loss = |value: f64| {
            let (numbers, change) = (with(value), value - start.get(number));
            let losses = log_losses(&self.predictions(&numbers), &self.samples);
            losses.iter().zip(weights).map(|(loss, weight)| loss * weight).sum::<f64>() + (change / PRIOR).powi(2) / 2.0
        };
        with(golden_section(RATING_RANGE, loss))
    }

    /// The same with the number of the players' ratings as it is.
    fn fit_given(&self, start: &ProfileNumbers, free: &[usize], weights: &[f64]) -> ProfileNumbers {
        let mut numbers = start.values();
        for target in [Target::Wilo, Target::Draw] {
            let free: Vec<usize> = free.iter().copied().filter(|&number| FEATURES[number].target == target).collect();
            let mut cases = Vec::new();
            for (index, inputs) in self.inputs.iter().enumerate() {
                let inputs = inputs.ahead(start);
                let (outcome, weight) = (self.samples[index].outcome, weights[index]);
                // Against a king alone there is nothing to lose, whatever the scores are.
                let is_open = self.samples[index].board.can_win == [true; 2];
                let of_wilo = target == Target::Wilo;
                if (of_wilo && (outcome == Outcome::Draw || !is_open)) || weight == 0.0 {
                    continue;
                }
                let features = features(&inputs, target);
                let happened = outcome == if of_wilo { Outcome::Win } else { Outcome::Draw };
                cases.push(Case::<COUNT> {
                    offset: numbers.iter().zip(features).map(|(number, feature)| number * feature).sum::<f64>()
                        + if of_wilo { C * inputs.only_players() } else { 0.0 },
                    features: std::array::from_fn(|i| free.get(i).map_or(0.0, |&number| features[number])),
                    yes: if happened { weight } else { 0.0 },
                    no: if happened { 0.0 } else { weight },
                });
            }
            let changes = Regression::fit(cases.iter(), free.len(), Some(PRIOR)).coefficients;
            for (number, change) in free.iter().zip(changes) {
                numbers[*number] += change;
            }
        }
        ProfileNumbers::from_values(numbers)
    }
}

/// What each number of a profile is multiplied with in the logit of `Wp`, or of `D`; zero for numbers of the other.
pub fn features(inputs: &Inputs, target: Target) -> [f64; COUNT] {
    let unit = if target == Target::Wilo { C } else { 1.0 };
    FEATURES.each_ref().map(|feature| if feature.target == target { unit * feature.value(inputs) } else { 0.0 })
}

/// Where a function of one minimum is least.
fn golden_section((mut low, mut high): (f64, f64), of: impl Fn(f64) -> f64) -> f64 {
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let place = |low: f64, high: f64| high - ratio * (high - low);
    let (mut a, mut b) = (place(low, high), place(high, low));
    let (mut at_a, mut at_b) = (of(a), of(b));
    while high - low > NARROW {
        if at_a < at_b {
            (high, b, at_b) = (b, a, at_a);
            a = place(low, high);
            at_a = of(a);
        } else {
            (low, a, at_a) = (a, b, at_b);
            b = place(high, low);
            at_b = of(b);
        }
    }
    f64::midpoint(low, high)
}

/// Name of a number of a profile.
pub fn name(number: usize) -> &'static str {
    ProfileNumbers::NUMBERS[number].name
}
