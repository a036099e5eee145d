//! The steps of a tuning: the two regressions, the rounding of their weights, and what these predict.

use super::block::{Block, Row};
use super::coefficients::Coefficient;
use super::fit::{Fit, Other};
use super::knots::Knots;
use super::objective::Objective;
use super::options::{Centre, Options};
use super::predictions::{self, Prediction};
use super::prior::Prior;
use super::solve::{self, Limits, Solution};
use super::uncertainty::Uncertainty;
use super::variables::{self, Variables};
use super::vector::{Vector, WEIGHTS};
use super::weights_file;
use anyhow::{Context, Result};
use halfpoint::eval::tuning::terms::BASE;
use halfpoint::eval::{FULL_PHASE, Weights};
use halfpoint::output::error_line;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// What is wrong where no choice of the prior makes the weights fit the engine's sums.
const UNFIT: &str = "the new weights do not fit the engine";
/// How often the prior is narrowed to make weights fit the engine's sums.
const NARROWINGS: usize = 12;
/// By how much.
const NARROWING: f64 = 0.7;
/// Random weights lie so far from the old ones at most, in units of the vector.
const RANDOM_SPREAD: f64 = 100.0;

/// Positions and what belongs to them.
pub struct Tuner<'a> {
    pub options: &'a Options,
    /// What the codes of the positions stand for.
    pub coefficients: Vec<Coefficient>,
    /// Knots of the size of wilo and of the curve.
    pub knots: Knots,
    /// Number of groups of games.
    pub groups: usize,
    pub splits: [Vec<Block>; 3],
}

impl Tuner<'_> {
    /// The regression of a vector over a split.
    pub fn objective(&self, vector: Vector, split: usize) -> Objective<'_> {
        let Tuner { coefficients, knots, splits, .. } = self;
        Objective { vector, blocks: &splits[split], coefficients, knots }
    }

    /// When a solver stops.
    pub fn limits(&self) -> Limits {
        Limits { tolerance: self.options.tolerance, iterations: self.options.iterations }
    }

    /// Predictions of weights and levels, given the present sizes of wilo.
    pub fn predictions(&self, split: usize, parameters: &[Vec<f64>; 2]) -> Vec<Prediction> {
        let [wilo, draw] = parameters;
        let logits = |vector: Vector, parameters: &[f64]| self.objective(vector, split).logits(parameters);
        predictions::predictions(&logits(Vector::Wilo, wilo), &logits(Vector::Draw, draw))
    }

    /// Gives every position the size of wilo by some wilo weights.
    pub fn set_sizes(&mut self, wilo: &[f64]) {
        let Tuner { coefficients, knots, splits, .. } = self;
        splits.iter_mut().for_each(|blocks| set_sizes(blocks, coefficients, wilo, knots));
    }

    /// What may change in a vector.
    pub fn variables(&self, vector: Vector) -> Variables {
        Variables::of_vector(vector, |feature| self.options.fixes(vector, feature), self.groups)
    }

    /// Marks the positions whose draw score is saturated: fixed weights take it beyond the search's limits. Returns their
    /// number.
    pub fn set_saturated(&mut self, old: &Weights) -> usize {
        let parameters = Vector::BOTH.map(|vector| variables::parameters(vector, old, self.groups));
        let [wilo, mut draw] = parameters.map(variables::without_curve);
        self.set_sizes(&wilo);
        let variables = self.variables(Vector::Draw);
        variables.spread(&vec![0.0; variables.len()], &mut draw);
        let mut saturated = 0;
        for split in 0..self.splits.len() {
            let logits = self.objective(Vector::Draw, split).logits(&draw);
            for (row, logit) in self.splits[split].iter_mut().flat_map(|block| &mut block.rows).zip(logits) {
                row.is_saturated = logit.abs() > predictions::MAX_DRAW_LOGITS;
                saturated += usize::from(row.is_saturated);
            }
        }
        saturated
    }

    /// Solves one vector. Returns the fit and `text` with the new weights. Should they not fit the engine's sums, the
    /// prior is narrowed until they do.
    pub fn tune(&self, vector: Vector, old: &Weights, text: &str) -> Result<(Fit, String)> {
        let deviation = match vector {
            Vector::Wilo => self.options.prior_wilo,
            Vector::Draw => self.options.prior_draw,
        };
        self.tune_within(vector, old, text, deviation)
    }

    /// Solves the draw vector and its curve, which must fit the engine's sums together.
    pub fn tune_draw(&mut self, old: &Weights, text: &str) -> Result<(Fit, String)> {
        let mut deviation = self.options.prior_draw;
        for narrowings in 0.. {
            let (mut fit, text) = self.tune_within(Vector::Draw, old, text, deviation)?;
            self.fit_curve(&mut fit.rounded, old, &mut |line| error_line(format_args!("draw: {line}")))?;
            let text = weights_file::with_weights(&text, Vector::Draw, &fit.rounded);
            match Weights::from_toml(&text) {
                Ok(_) => return Ok((fit, text)),
                Err(error) if narrowings < NARROWINGS => {
                    deviation = fit.deviation * NARROWING;
                    error_line(format_args!("draw: {error}; the prior is narrowed to {deviation:.1}"));
                }
                Err(error) => return Err(error).context(UNFIT),
            }
        }
        unreachable!("the last narrowing returns")
    }

    fn tune_within(&self, vector: Vector, old: &Weights, text: &str, mut deviation: f64) -> Result<(Fit, String)> {
        let mut start = variables::without_curve(variables::parameters(vector, old, self.groups));
        let mut narrowings = 0;
        loop {
            let prior = self.prior(vector, old, deviation);
            let progress = &mut |line: &str| error_line(format_args!("{}: {line}", vector.name()));
            let (solution, uncertainty, rounded) = self.solve(vector, &prior, &start, progress)?;
            let text = weights_file::with_weights(text, vector, &rounded);
            match Weights::from_toml(&text) {
                Ok(_) => {
                    let others = self.random_starts(vector, &prior, &solution, progress)?;
                    return Ok((self.fit(vector, solution, uncertainty, rounded, deviation, others), text));
                }
                // Its sums, or single weights, are too large for sixteen bits.
                Err(error) if narrowings < NARROWINGS => {
                    narrowings += 1;
                    deviation *= NARROWING;
                    start = solution.parameters;
                    progress(&format!("{error}; the prior is narrowed to {deviation:.1}"));
                }
                Err(error) => return Err(error).context(UNFIT),
            }
        }
    }

    /// Around the `old` weights, or zero but for what is fixed.
    pub fn prior(&self, vector: Vector, old: &Weights, deviation: f64) -> Prior {
        let mut centre = variables::without_curve(variables::parameters(vector, old, self.groups));
        if self.options.prior == Centre::Zero {
            let variables = self.variables(vector);
            variables.spread(&vec![0.0; variables.len()], &mut centre);
        }
        let smoothness = match vector {
            Vector::Wilo => self.options.smooth_wilo,
            Vector::Draw => self.options.smooth_draw,
        };
        Prior::new(vector, centre, deviation, smoothness)
    }

    /// The optimum on the training positions, how sure it is, and the parameters rounded.
    pub fn solve(
        &self,
        vector: Vector,
        prior: &Prior,
        start: &[f64],
        progress: &mut dyn FnMut(&str),
    ) -> Result<(Solution, Uncertainty, Vec<f64>)> {
        let (objective, variables) = (self.objective(vector, 0), self.variables(vector));
        let solution = solve::solve(objective, prior, &variables, start, self.limits(), progress)?;
        let uncertainty = Uncertainty::new(objective, prior, &solution)?;
        let rounded = self.refit_base(vector, prior, uncertainty.rounded(), progress)?;
        Ok((solution, uncertainty, rounded))
    }

    /// Fits the base of draw scores once more after all has been rounded: small shifts of many weights that most positions
    /// have add up to a large one of all scores.
    fn refit_base(
        &self,
        vector: Vector,
        prior: &Prior,
        mut rounded: Vec<f64>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Vec<f64>> {
        if vector == Vector::Draw && !self.options.fixes(vector, BASE.at(0)) {
            let base = Variables::of_vector(vector, |feature| feature != BASE.at(0), self.groups);
            progress("the base, after rounding");
            let solution = solve::solve(self.objective(vector, 0), prior, &base, &rounded, self.limits(), progress)?;
            rounded = solution.parameters;
            for weight in &mut rounded[2 * BASE.at(0)..2 * BASE.at(0) + 2] {
                *weight = weight.round();
            }
        }
        Ok(rounded)
    }

    /// How far from a solution those end up that start at random weights.
    fn random_starts(
        &self,
        vector: Vector,
        prior: &Prior,
        solution: &Solution,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Vec<Other>> {
        let (objective, variables) = (self.objective(vector, 0), self.variables(vector));
        let mut others = Vec::new();
        for number in 1..=self.options.random_starts {
            progress(&format!("random start {number}"));
            let mut random = ChaCha8Rng::seed_from_u64(self.options.seed);
            random.set_stream(u64::from(number));
            let mut start = prior.centre().to_vec();
            for (parameter, value) in start.iter_mut().enumerate().take(WEIGHTS) {
                if variables.of(parameter).is_some() {
                    *value += random.random_range(-RANDOM_SPREAD..=RANDOM_SPREAD);
                }
            }
            let other = solve::solve(objective, prior, &variables, &start, self.limits(), progress)?;
            let distances = other.parameters.iter().zip(&solution.parameters).map(|(a, b)| (a - b).abs());
            others.push(Other {
                loss: (other.loss - solution.loss) / objective.positions() as f64,
                weight: distances.fold(0.0, f64::max),
                converged: other.converged,
            });
        }
        Ok(others)
    }

    /// Mean loss of a split, nats.
    pub fn loss(&self, vector: Vector, split: usize, parameters: &[f64]) -> f64 {
        let objective = self.objective(vector, split);
        objective.loss(parameters) / objective.positions().max(1) as f64
    }

    /// A solution with its losses on each split.
    fn fit(
        &self,
        vector: Vector,
        solution: Solution,
        uncertainty: Uncertainty,
        rounded: Vec<f64>,
        deviation: f64,
        others: Vec<Other>,
    ) -> Fit {
        let positions = [0, 1, 2].map(|split| self.objective(vector, split).positions());
        let loss = |split: usize, parameters: &[f64]| self.loss(vector, split, parameters);
        Fit {
            losses: [0, 1, 2].map(|split| loss(split, &solution.parameters)),
            losses_rounded: [0, 1, 2].map(|split| loss(split, &rounded)),
            positions,
            solution,
            uncertainty,
            rounded,
            deviation,
            others,
        }
    }
}

/// Gives each row the size of wilo by some wilo weights, rounded, as the evaluation finds it.
fn set_sizes(blocks: &mut [Block], coefficients: &[Coefficient], wilo: &[f64], knots: &Knots) {
    let table: Vec<[i32; 2]> = coefficients
        .iter()
        .map(|coefficient| {
            let count = i32::from(coefficient.white) - i32::from(coefficient.black);
            let at = 2 * usize::from(coefficient.feature);
            [wilo[at], wilo[at + 1]].map(|weight| count * weight.round() as i32)
        })
        .collect();
    let add = |[a, b]: [i32; 2], [c, d]: [i32; 2]| [a + c, b + d];
    let sum = |codes: &[u16]| codes.iter().map(|&code| table[usize::from(code)]).fold([0, 0], add);
    blocks.par_iter_mut().for_each(|block| {
        let runs: Vec<[i32; 2]> = block.runs().map(sum).collect();
        let size = |(row, own): (&Row, &[u16])| {
            let [mg, eg] = row.runs.iter().map(|&run| runs[run as usize]).fold(sum(own), add);
            let phase = i32::from(row.phase);
            knots.size((mg * phase + eg * (FULL_PHASE - phase)) / FULL_PHASE)
        };
        let sizes: Vec<u16> = block.iter().map(size).collect();
        block.rows.iter_mut().zip(sizes).for_each(|(row, size)| row.size = size);
    });
}
