//! Positions of games with what the engine says about them, and the likeliest profile for them.
//!
//! A profile is two logistic regressions: of wins against losses on `w`, and then of draws against the rest on `d`, which
//! depends on the `w'` of the first.

use super::sample::Sample;
use super::verdict::Verdict;
use crate::outcome::Outcome;
use crate::stats::{Case, Regression};
use halfpoint::params::NumberTable;
use halfpoint::printing::profile::{COUNT, FEATURES, Inputs, ProfileNumbers, Target};
use halfpoint::printing::{predict, printed_inputs};
use halfpoint::wdl::model::{C, Wdl, win_share};

/// Standard deviation of a weak prior about where a profile starts, which keeps numbers finite that few games tell.
const PRIOR: f64 = 5.0;
/// What an expected result is off at most where W/D/L are in whole per mille.
const PER_MILLE: f64 = 0.001;

/// Positions with what the engine says about them and how they ended.
#[derive(Clone, Debug, Default)]
pub struct Observations {
    pub samples: Vec<Sample>,
    wdl: Vec<Wdl>,
    /// What profiles make of them.
    pub inputs: Vec<Inputs>,
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
                let printed = || printed_inputs(wdl, expected(wdl, verdict.centipawns), sample.board);
                let mate = |moves| Inputs::mate(moves, sample.board);
                all.inputs.push(verdict.mate.map_or_else(printed, mate));
            }
        }
        all
    }

    /// Adds others, whose games are not those of these.
    pub fn append(&mut self, mut others: Observations) {
        let games = self.samples.last().map_or(0, |sample| sample.game + 1);
        others.samples.iter_mut().for_each(|sample| sample.game += games);
        self.samples.extend(others.samples);
        self.wdl.extend(others.wdl);
        self.inputs.extend(others.inputs);
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

    /// What a profile makes of one of them.
    pub fn predict(&self, numbers: &ProfileNumbers, index: usize) -> [f64; 3] {
        let Wdl { win, draw, loss } = predict(numbers, &self.inputs[index], self.samples[index].board);
        [win, draw, loss]
    }

    /// The likeliest profile with the numbers that are free; the others are those of `start`. Each position counts as often
    /// as its weight says.
    pub fn fit(&self, start: &ProfileNumbers, free: &[usize], weights: &[f64]) -> ProfileNumbers {
        let mut numbers = start.values();
        for target in [Target::Wilo, Target::Draw] {
            let free: Vec<usize> = free.iter().copied().filter(|&number| FEATURES[number].target == target).collect();
            // The draws depend on `w'`, which is fitted first.
            let fitted = ProfileNumbers::from_values(numbers);
            let mut cases = Vec::new();
            for (index, inputs) in self.inputs.iter().enumerate() {
                let inputs = inputs.ahead(&fitted);
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
                    offset: numbers.iter().zip(features).map(|(number, feature)| number * feature).sum(),
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

/// The expected result: that of the centipawns where they say the same as W/D/L, more exactly.
fn expected(wdl: Wdl, centipawns: Option<i32>) -> f64 {
    let exact = centipawns.map(|centipawns| win_share(f64::from(centipawns) / 100.0));
    exact.filter(|exact| (exact - wdl.expected()).abs() <= PER_MILLE).unwrap_or(wdl.expected())
}

/// What each number of a profile is multiplied with in the logit of `Wp`, or of `D`; zero for numbers of the other.
pub fn features(inputs: &Inputs, target: Target) -> [f64; COUNT] {
    let unit = if target == Target::Wilo { C } else { 1.0 };
    FEATURES.each_ref().map(|feature| if feature.target == target { unit * feature.value(inputs) } else { 0.0 })
}

/// Where a function of one minimum is least, to an interval of the width `narrow`.
pub fn golden_section((mut low, mut high): (f64, f64), narrow: f64, of: impl Fn(f64) -> f64) -> f64 {
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let place = |low: f64, high: f64| high - ratio * (high - low);
    let (mut a, mut b) = (place(low, high), place(high, low));
    let (mut at_a, mut at_b) = (of(a), of(b));
    while high - low > narrow {
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
