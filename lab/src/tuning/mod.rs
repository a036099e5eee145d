//! Tuning: games to better weights.
//!
//! Positions of games become coefficients through the one evaluation ([`halfpoint::eval::tuning::features`]), and two logistic
//! regressions find the weights: wilo from the decisive part of the results, then draw from all of them, with the size
//! of wilo that the new wilo weights give. What the sum of the draw weights still lacks is one curve, found last.

mod baselines;
mod block;
mod coefficients;
mod cross_validation;
pub mod data;
mod draw_curve;
mod fit;
mod fixed;
mod groups;
mod information;
pub mod knots;
mod objective;
pub mod options;
mod predictions;
mod prior;
pub mod quiet;
pub mod report;
mod residuals;
pub mod selection;
mod signs;
mod solve;
pub mod source;
mod summary;
mod tables;
pub mod target;
mod tuner;
mod uncertainty;
mod variables;
mod vector;
mod weights_file;

#[cfg(test)]
mod tests;

pub use options::Options;

use crate::writing::{self, cannot_write};
use anyhow::{Context, Result, bail};
use data::Tallies;
use halfpoint::eval::Weights;
use halfpoint::eval::tuning::SHIPPED;
use halfpoint::output::{error_line, line};
use halfpoint::params;
use knots::Knots;
use objective::Level;
use report::{Details, HtmlReport};
use std::path::{Path, PathBuf};
use summary::{Predictor, Summary};
use tuner::Tuner;
use vector::{Vector, WEIGHTS};

/// What stands in every file of weights.
const WEIGHTS_MARK: &str = "wilo_mg";

/// Tunes both vectors and writes the new weights, their record and the report.
pub fn run(options: &Options) -> Result<()> {
    let new_folder = options.report.as_deref().filter(|folder| !folder.exists());
    tune(options).inspect_err(|_| {
        // An empty folder tells nothing; one that is not empty stays.
        let _ = new_folder.map(std::fs::remove_dir);
    })
}

fn tune(options: &Options) -> Result<()> {
    if let Some(threads) = options.threads {
        // Whoever set it up before has decided the number already.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global();
    }
    let (text, old) = read_weights(options.start.as_deref())?;
    check_writable(options)?;
    if options.validation + options.test >= 1.0 {
        let (validation, test) = (options.validation, options.test);
        bail!("--validation {validation} and --test {test} leave no games to fit the weights to");
    }
    let knots = Knots::default();
    let data = data::read(options, &old, &knots)?;
    let Tallies { games, seen, used, .. } = data.tallies;
    error_line(format_args!("{games} games, {used} of {seen} positions used in {:.1} s", data.time.as_secs_f64()));
    let folds = options.folds.map(usize::from);
    let blocks = data.splits.iter().map(Vec::len).sum();
    if let Some(folds) = folds.filter(|&folds| folds > blocks) {
        bail!("--folds {folds}: too few games, {used} positions make {blocks} parts at most");
    }
    let coefficients = std::mem::take(&mut *data.dictionary.coefficients());
    let mut tuner = Tuner { options, coefficients, knots, groups: data.groups.len(), splits: data.splits };

    let saturated = tuner.set_saturated(&old);
    error_line(format_args!("{saturated} positions are out of the draw regression: fixed weights decide them"));
    let mut predictions = tuner.baselines(&old)?;
    let (wilo, text) = tuner.tune(Vector::Wilo, &old, &text)?;
    tuner.set_sizes(&wilo.rounded);
    let (draw, text) = tuner.tune_draw(&old, &text)?;
    let curve = [0, 1, 2].map(|split| tuner.loss(Vector::Draw, split, &draw.rounded));
    let fits = [wilo, draw];
    for (group, name) in data.groups.iter().enumerate().skip(1) {
        let level = Level::of(fits[0].rounded[WEIGHTS + group]);
        if level.is_at_bound() {
            let factor = level.factor;
            error_line(format_args!("warning: the factor on w of group '{name}' ran to its bound ({factor:.2})"));
        }
    }

    let parameters = fits.each_ref().map(|fit| fit.rounded.clone());
    let predict = |split: usize| tuner.predictions(split, &parameters);
    let test = predict(2);
    predictions.push(("new weights".to_owned(), test.clone()));
    let blocks = &tuner.splits[2];
    let predictors = predictions.into_iter().map(|(name, of_model)| Predictor {
        name,
        measures: predictions::measures(blocks, &of_model),
        behind: predictions::log_loss_difference(blocks, &of_model, &test),
    });
    let mut summary = Summary {
        options,
        groups: &data.groups,
        factors: &data.factors,
        tallies: data.tallies,
        saturated,
        predictors: predictors.collect(),
        reliability: predictions::measures(blocks, &test).bins,
        calibration: Vector::BOTH.map(|vector| predictions::calibration(blocks, &test, vector)),
        fits,
        curve,
        folds: None,
    };
    let details = options.report.is_some().then(|| Details::new(&tuner, &[0, 1, 2].map(predict)));
    if let Some(count) = folds {
        summary.folds = Some(tuner.cross_validate(count, &old, &summary.fits)?);
    }
    let mut record = summary.record();
    // The weights come first: a report that fails does not lose them. The record comes last: where it stands, all is written.
    writing::write(&options.out, text)?;
    if let Some((directory, details)) = options.report.as_ref().zip(details) {
        let report = HtmlReport { summary: &summary, details };
        writing::write(&directory.join("weights.csv"), report.csv())?;
        let page = report.html().context("the report")?;
        writing::write(&directory.join("index.html"), page)?;
    }
    writing::write(&options.out.with_extension("record.md"), summary::page(&record))?;
    if let Some(directory) = &options.report {
        record += &format!("\n\nThe report is {}.", directory.join("index.html").display());
    }
    line(record);
    Ok(())
}

/// Fails before the work rather than after it.
fn check_writable(options: &Options) -> Result<()> {
    let report = |(name, mark)| options.report.as_ref().map(|folder| (folder.join(name), mark));
    let reports = [("weights.csv", "term,index,column,"), ("index.html", report::TITLE)].into_iter().filter_map(report);
    let weights = [(options.out.clone(), WEIGHTS_MARK), (options.out.with_extension("record.md"), summary::HEADING)];
    let files: Vec<_> = weights.into_iter().chain(reports).collect();
    let inputs = options.data.iter().map(|file| &file.path).chain(&options.start).map(PathBuf::as_path);
    writing::check_apart(&files.iter().map(|(path, _)| path.as_path()).collect::<Vec<_>>(), inputs)?;
    if let Some(folder) = &options.report {
        std::fs::create_dir_all(folder).with_context(|| cannot_write(folder))?;
    }
    files.iter().try_for_each(|(path, mark)| writing::check_own(path, mark, options.overwrite))
}

/// The parameter file to start from, as text and as weights.
fn read_weights(path: Option<&Path>) -> Result<(String, Weights)> {
    let Some(path) = path else { return Ok((SHIPPED.to_owned(), (*Weights::terms()).clone())) };
    let text = params::read_text(path)?;
    let weights = params::read(&path.display().to_string(), &text)?;
    Ok((text, weights))
}
