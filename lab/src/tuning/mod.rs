//! Tuning: games to better weights.
//!
//! Positions of games become coefficients through the one evaluation ([`halfpoint::eval::tuning::features`]), and two logistic
//! regressions find the weights: wilo from the decisive part of the results, then draw from all of them, with the size
//! of wilo that the new wilo weights give. What the sum of the draw weights still lacks is one curve, found last.

mod block;
mod coefficients;
mod curve;
mod data;
mod errors;
mod folds;
mod held;
mod measure;
mod objective;
mod options;
mod output;
mod prior;
mod quiet;
mod report;
mod solve;
mod source;
mod summary;
mod tables;
mod target;
mod variables;

#[cfg(test)]
mod tests;

pub use options::Options;

use crate::selfplay::dataset::DatasetError;
use block::{Block, Row};
use coefficients::{Coefficient, Knots};
use data::Tallies;
use errors::Uncertainty;
use halfpoint::eval::tuning::SHIPPED;
use halfpoint::eval::tuning::terms::{BASE, MATERIAL, Term, WILO_SIZE};
use halfpoint::eval::{FULL_PHASE, Weights};
use halfpoint::params::{self, ParamsError};
use measure::Prediction;
use objective::{Objective, Vector};
use options::Centre;
use prior::Prior;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use report::{Details, Report};
use solve::{Limits, Solution, Undetermined};
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use summary::{Fit, Model, Other, Summary};
use thiserror::Error;
use variables::Variables;

/// Why there are no new weights.
#[derive(Debug, Error)]
pub enum TuneError {
    /// A dataset is not right.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The name does not tell what a file holds.
    #[error(
        "{}: not a name of games, which ends in .vf, .viri, .bin, .pgn, .epd, .fen, .txt or .csv, and .gz or .zst after it",
        path.display()
    )]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// A line of a file is not right.
    #[error("{}, line {number}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        number: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A game of a PGN file is not right.
    #[error("{}, game {number}: {reason}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// Number of the game, from 1.
        number: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A file has no game with a result.
    #[error("{}: no game with a result in it", path.display())]
    NoGames {
        /// The file.
        path: PathBuf,
    },
    /// A split is empty.
    #[error("no positions for {split} among {games} games: more games are needed, or other shares and filters")]
    NoPositions {
        /// Name of the split.
        split: &'static str,
        /// Games that were read.
        games: u64,
    },
    /// Nothing is left to train on.
    #[error("--validation {0} and --test {1} leave no games to fit the weights to")]
    Shares(f64, f64),
    /// Fewer blocks of games than parts of a cross-validation.
    #[error("--folds {folds}: too few games, {positions} positions make {blocks} parts at most")]
    FewGames {
        /// Parts asked for.
        folds: usize,
        /// Positions taken.
        positions: u64,
        /// Blocks that the games are kept in.
        blocks: usize,
    },
    /// More groups than there is room for.
    #[error("{0} groups of files, more than 256")]
    TooManyGroups(usize),
    /// The weights to start from are not right.
    #[error(transparent)]
    Weights(#[from] ParamsError),
    /// No choice of the prior made the weights fit the engine's sums.
    #[error("the new weights do not fit the engine: {0}")]
    Unfit(ParamsError),
    /// The report cannot be drawn.
    #[error("the report: {0}")]
    Report(String),
    /// The data do not determine the weights.
    #[error(transparent)]
    Undetermined(#[from] Undetermined),
}

/// How often the prior is narrowed to make weights fit the engine's sums.
const NARROWINGS: usize = 12;
/// By how much.
const NARROWING: f64 = 0.7;
/// Random weights lie so far from the old ones at most, in units of the vector.
const RANDOM_SPREAD: f64 = 100.0;

/// Tunes both vectors and writes the new weights, their record and the report.
///
/// # Errors
///
/// [`TuneError`] for whatever is wrong with the data, the old weights or the files to write.
pub fn run(options: &Options) -> Result<(), TuneError> {
    if let Some(threads) = options.threads {
        // Whoever set it up before has decided the number already.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global();
    }
    let (text, old) = read_weights(options.start.as_deref())?;
    check_writable(options)?;
    if options.validation + options.test >= 1.0 {
        return Err(TuneError::Shares(options.validation, options.test));
    }
    let knots = Knots::default();
    let data = data::read(options, &old, &knots)?;
    let Tallies { games, seen, taken, .. } = data.tallies;
    eprintln!("{games} games, {taken} of {seen} positions taken in {:.1} s", data.time.as_secs_f64());
    let folds = options.folds.map(usize::from);
    let blocks = data.splits.iter().map(Vec::len).sum();
    if let Some(folds) = folds.filter(|&folds| folds > blocks) {
        return Err(TuneError::FewGames { folds, positions: taken, blocks });
    }
    let coefficients = std::mem::take(&mut *data.dictionary.coefficients());
    let mut tuner = Tuner { options, coefficients, knots, levels: data.groups.len() - 1, splits: data.splits };

    let held = tuner.set_held(&old);
    eprintln!("{held} positions are out of the draw regression: held weights decide them");
    let mut predictions = tuner.baselines(&old)?;
    let (wilo, text) = tuner.tune(Vector::Wilo, &old, &text)?;
    tuner.set_sizes(&wilo.rounded);
    let (mut draw, text) = tuner.tune(Vector::Draw, &old, &text)?;
    tuner.bend(&mut draw.rounded, &old, &mut |line| eprintln!("draw: {line}"))?;
    let text = output::with_weights(&text, Vector::Draw, &draw.rounded);
    Weights::from_toml(&text).map_err(TuneError::Unfit)?;
    let curve = [0, 1, 2].map(|split| tuner.loss(Vector::Draw, split, &draw.rounded));
    let fits = [wilo, draw];

    let parameters = fits.each_ref().map(|fit| fit.rounded.clone());
    let predict = |split: usize| tuner.predictions(split, &parameters);
    let test = predict(2);
    predictions.push(("new weights".to_owned(), test.clone()));
    let blocks = &tuner.splits[2];
    let models = predictions.into_iter().map(|(name, of_model)| Model {
        name,
        quality: measure::quality(blocks, &of_model),
        behind: measure::log_loss_difference(blocks, &of_model, &test),
    });
    let mut summary = Summary {
        options,
        groups: &data.groups,
        factors: &data.factors,
        tallies: data.tallies,
        held,
        models: models.collect(),
        reliability: [0, 1, 2].map(|which| measure::reliability(blocks, &test, which)),
        calibration: [Vector::Wilo, Vector::Draw].map(|vector| measure::calibration(blocks, &test, vector)),
        fits,
        curve,
        folds: None,
    };
    let details = options.report.is_some().then(|| tuner.details(&[0, 1, 2].map(predict)));
    if let Some(count) = folds {
        summary.folds = Some(tuner.cross_validate(count, &old, &summary.fits)?);
    }
    let mut record = summary.record();
    let mut files =
        vec![(options.out.clone(), text), (options.out.with_extension("record.md"), summary::page(&record))];
    if let Some((directory, details)) = options.report.as_ref().zip(details) {
        let report = Report { summary: &summary, details };
        let page = report.html().map_err(|error| TuneError::Report(error.to_string()))?;
        files.extend([(directory.join("weights.csv"), report.csv()), (directory.join("index.html"), page)]);
    }
    // The record comes last: where it stands, all is written.
    for (path, text) in files.into_iter().rev() {
        std::fs::write(&path, text).map_err(|source| TuneError::Io { path, source })?;
    }
    if let Some(directory) = &options.report {
        record += &format!("\n\nThe report is {}.", directory.join("index.html").display());
    }
    writeln!(io::stdout(), "{record}").map_err(|source| TuneError::Io { path: "standard output".into(), source })
}

/// Fails before the work rather than after it.
fn check_writable(options: &Options) -> Result<(), TuneError> {
    let failed = |path: &Path, source| TuneError::Io { path: path.to_owned(), source };
    if let Some(directory) = &options.report {
        std::fs::create_dir_all(directory).map_err(|source| failed(directory, source))?;
    }
    let directory = options.out.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let checked = match std::fs::OpenOptions::new().append(true).open(&options.out) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => std::fs::read_dir(directory).map(drop),
        other => other.map(drop),
    };
    checked.map_err(|source| failed(&options.out, source))
}

/// The parameter file to start from, as text and as weights.
fn read_weights(path: Option<&Path>) -> Result<(String, Weights), TuneError> {
    let Some(path) = path else { return Ok((SHIPPED.to_owned(), (*Weights::shipped()).clone())) };
    let text = params::read_text(path)?;
    let weights = params::read(&path.display().to_string(), &text)?;
    Ok((text, weights))
}

/// Positions and what belongs to them.
struct Tuner<'a> {
    options: &'a Options,
    coefficients: Vec<Coefficient>,
    knots: Knots,
    /// Groups of files but the first.
    levels: usize,
    /// Training, validation and test.
    splits: [Vec<Block>; 3],
}

/// Training positions that the material-only prediction and the level of the old weights are fitted to.
const BASELINE_POSITIONS: usize = 500_000;

impl Tuner<'_> {
    fn objective(&self, vector: Vector, split: usize) -> Objective<'_> {
        let Tuner { coefficients, knots, splits, .. } = self;
        Objective { vector, blocks: &splits[split], coefficients, knots }
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.options.tolerance, iterations: self.options.iterations }
    }

    /// Predictions of weights and levels, given the present sizes of wilo.
    fn predictions(&self, split: usize, parameters: &[Vec<f64>; 2]) -> Vec<Prediction> {
        let [wilo, draw] = parameters;
        let logits = |vector: Vector, parameters: &[f64]| self.objective(vector, split).logits(parameters);
        measure::predictions(&logits(Vector::Wilo, wilo), &logits(Vector::Draw, draw))
    }

    /// Predictions for the test positions that the new weights are compared with. Leaves the sizes of wilo
    /// and the draw scores in disorder.
    fn baselines(&mut self, old: &Weights) -> Result<Vec<(String, Vec<Prediction>)>, TuneError> {
        let rates = measure::base_rates(&self.splits[0]);
        let test: usize = self.splits[2].iter().map(|block| block.rows.len()).sum();
        let mut baselines = vec![("base rates".to_owned(), vec![rates; test])];

        let mut parameters = [Vector::Wilo, Vector::Draw].map(|vector| variables::parameters(vector, old, self.levels));
        self.set_sizes(&parameters[0]);
        self.set_draws(&parameters[1]);
        let old = self.predictions(2, &parameters);
        let levels = [Vector::Wilo, Vector::Draw].map(|vector| {
            let objective = self.objective(vector, 0).first(BASELINE_POSITIONS);
            objective.level(&parameters[vector as usize])
        });
        let [factor, offset] = levels;
        parameters[0].iter_mut().for_each(|weight| *weight *= factor);
        for phase in [0, 1] {
            parameters[1][2 * BASE.at(0) + phase] += offset / Vector::Draw.logits_per_unit();
        }
        let at_level = self.predictions(2, &parameters);

        let material = self.material_only()?;
        baselines.push(("material only".to_owned(), material));
        baselines.push(("old weights".to_owned(), old));
        baselines.push((format!("old weights with w × {factor:.3}, d {offset:+.3}"), at_level));
        Ok(baselines)
    }

    /// The draw model with the counts of men as its only features, fitted to the data.
    fn material_only(&mut self) -> Result<Vec<Prediction>, TuneError> {
        let is_of = |terms: &[Term], feature: usize| {
            terms.iter().any(|term| (term.offset..term.offset + term.len).contains(&feature))
        };
        let mut parameters = [const { Vec::new() }; 2];
        for (vector, terms) in [(Vector::Wilo, &[MATERIAL][..]), (Vector::Draw, &[BASE, MATERIAL, WILO_SIZE])] {
            let objective = self.objective(vector, 0).first(BASELINE_POSITIONS);
            let variables = Variables::new(|feature| is_of(terms, feature), self.levels);
            let start = vec![0.0; objective::WEIGHTS + self.levels];
            let prior = Prior::new(vector, start.clone(), MATERIAL_DEVIATION, None);
            let solution = solve::solve(objective, &prior, &variables, &start, self.limits(), &mut |_| {})?;
            parameters[vector as usize] = solution.parameters;
            if vector == Vector::Wilo {
                self.set_sizes(&parameters[0]);
            }
        }
        Ok(self.predictions(2, &parameters))
    }

    /// Gives every position the size of wilo by some wilo weights.
    fn set_sizes(&mut self, wilo: &[f64]) {
        let Tuner { coefficients, knots, splits, .. } = self;
        splits.iter_mut().for_each(|blocks| set_sizes(blocks, coefficients, wilo, knots));
    }

    /// What may change in a vector.
    fn variables(&self, vector: Vector) -> Variables {
        Variables::of_vector(vector, |feature| self.options.holds(vector, feature), self.levels)
    }

    /// Marks the positions whose draw score held weights take beyond the search's limits; returns their number.
    fn set_held(&mut self, old: &Weights) -> usize {
        let parameters = [Vector::Wilo, Vector::Draw].map(|vector| variables::parameters(vector, old, self.levels));
        let [wilo, mut draw] = parameters.map(curve::without);
        self.set_sizes(&wilo);
        let variables = self.variables(Vector::Draw);
        variables.spread(&vec![0.0; variables.len()], &mut draw);
        let mut held = 0;
        for split in 0..self.splits.len() {
            let logits = self.objective(Vector::Draw, split).logits(&draw);
            for (row, logit) in self.splits[split].iter_mut().flat_map(|block| &mut block.rows).zip(logits) {
                row.is_held = logit.abs() > measure::MOST_DRAW_LOGITS;
                held += usize::from(row.is_held);
            }
        }
        held
    }

    /// Solves one vector. Returns the fit and `text` with the new weights. Should they not fit the engine's sums, the
    /// prior is narrowed until they do.
    fn tune(&self, vector: Vector, old: &Weights, text: &str) -> Result<(Fit, String), TuneError> {
        let options = self.options;
        let mut start = curve::without(variables::parameters(vector, old, self.levels));
        let mut deviation = match vector {
            Vector::Wilo => options.prior_wilo,
            Vector::Draw => options.prior_draw,
        };
        let mut narrowings = 0;
        loop {
            let prior = self.prior(vector, old, deviation);
            let progress = &mut |line: &str| eprintln!("{}: {line}", vector.name());
            let (solution, uncertainty, rounded) = self.solve(vector, &prior, &start, progress)?;
            let text = output::with_weights(text, vector, &rounded);
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
                Err(error) => return Err(TuneError::Unfit(error)),
            }
        }
    }

    /// Around the `old` weights, or zero but for what is held.
    fn prior(&self, vector: Vector, old: &Weights, deviation: f64) -> Prior {
        let mut centre = curve::without(variables::parameters(vector, old, self.levels));
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
    fn solve(
        &self,
        vector: Vector,
        prior: &Prior,
        start: &[f64],
        progress: &mut dyn FnMut(&str),
    ) -> Result<(Solution, Uncertainty, Vec<f64>), Undetermined> {
        let (objective, variables) = (self.objective(vector, 0), self.variables(vector));
        let solution = solve::solve(objective, prior, &variables, start, self.limits(), progress)?;
        let uncertainty = Uncertainty::new(objective, prior, &solution)?;
        let rounded = self.settle(vector, prior, uncertainty.rounded(), progress)?;
        Ok((solution, uncertainty, rounded))
    }

    /// Fits the base of draw scores once more after all has been rounded: small shifts of many weights that most positions
    /// have add up to a large one of all scores.
    fn settle(
        &self,
        vector: Vector,
        prior: &Prior,
        mut rounded: Vec<f64>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Vec<f64>, Undetermined> {
        if vector == Vector::Draw && !self.options.holds(vector, BASE.at(0)) {
            let base = Variables::of_vector(vector, |feature| feature != BASE.at(0), self.levels);
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
    ) -> Result<Vec<Other>, TuneError> {
        let (objective, variables) = (self.objective(vector, 0), self.variables(vector));
        let mut others = Vec::new();
        for number in 1..=self.options.random_starts {
            progress(&format!("random start {number}"));
            let mut random = ChaCha8Rng::seed_from_u64(self.options.seed);
            random.set_stream(u64::from(number));
            let mut start = prior.centre().to_vec();
            for (parameter, value) in start.iter_mut().enumerate().take(objective::WEIGHTS) {
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
    fn loss(&self, vector: Vector, split: usize, parameters: &[f64]) -> f64 {
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
        let trace = solution
            .steps
            .iter()
            .map(|step| ([step.loss, loss(1, &step.parameters), loss(2, &step.parameters)], step.sampled));
        Fit {
            trace: trace.collect(),
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

    /// What a report shows beside the numbers of the summary.
    fn details(&self, predictions: &[Vec<Prediction>; 3]) -> Details {
        let mut residuals = HashMap::new();
        for (blocks, predictions) in self.splits.iter().zip(predictions) {
            for (group, of_split) in measure::residuals(blocks, predictions, &self.coefficients) {
                residuals.entry(group).or_insert_with(measure::Residuals::default).merge(&of_split);
            }
        }
        let occurrences = self.objective(Vector::Draw, 0).occurrences();
        let training = [0, 1, 2].map(|which| measure::reliability(&self.splits[0], &predictions[0], which));
        Details { occurrences, residuals, training }
    }
}

/// Standard deviation of the weights of the material-only prediction around zero: as good as free.
const MATERIAL_DEVIATION: f64 = 3000.0;

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
