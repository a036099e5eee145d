//! Tuning: games to better weights.
//!
//! Positions of games become coefficients through the one evaluation ([`halfpoint::eval::tuning::features`]), and two logistic
//! regressions find the weights: wilo from the decisive part of the results, then draw from all of them, with the size
//! of wilo that the new wilo weights give. What the sum of the draw weights still lacks is one curve, found last.

mod baselines;
mod block;
mod coefficients;
mod curve;
mod data;
mod error;
mod errors;
mod fit;
mod folds;
mod held;
mod information;
mod knots;
mod measure;
mod objective;
mod options;
mod output;
mod prior;
mod quiet;
mod report;
mod residuals;
mod solve;
mod source;
mod summary;
mod tables;
mod target;
mod tuner;
mod variables;
mod vector;

#[cfg(test)]
mod tests;

pub use error::TuneError;
pub use options::Options;

use crate::output::error_line;
use data::Tallies;
use halfpoint::eval::Weights;
use halfpoint::eval::tuning::SHIPPED;
use halfpoint::params;
use knots::Knots;
use report::{Details, HtmlReport};
use std::io::{self, Write};
use std::path::Path;
use summary::{Predictor, Summary};
use tuner::Tuner;
use vector::Vector;

/// What stands in every file of weights.
const WEIGHTS_MARK: &str = "wilo_mg";

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
    let Tallies { games, seen, used, .. } = data.tallies;
    error_line(format_args!("{games} games, {used} of {seen} positions used in {:.1} s", data.time.as_secs_f64()));
    let folds = options.folds.map(usize::from);
    let blocks = data.splits.iter().map(Vec::len).sum();
    if let Some(folds) = folds.filter(|&folds| folds > blocks) {
        return Err(TuneError::FewGames { folds, positions: used, blocks });
    }
    let coefficients = std::mem::take(&mut *data.dictionary.coefficients());
    let mut tuner = Tuner { options, coefficients, knots, levels: data.groups.len() - 1, splits: data.splits };

    let held = tuner.set_held(&old);
    error_line(format_args!("{held} positions are out of the draw regression: held weights decide them"));
    let mut predictions = tuner.baselines(&old)?;
    let (wilo, text) = tuner.tune(Vector::Wilo, &old, &text)?;
    tuner.set_sizes(&wilo.rounded);
    let (mut draw, text) = tuner.tune(Vector::Draw, &old, &text)?;
    tuner.fit_curve(&mut draw.rounded, &old, &mut |line| error_line(format_args!("draw: {line}")))?;
    let text = output::with_weights(&text, Vector::Draw, &draw.rounded);
    Weights::from_toml(&text).map_err(TuneError::Unfit)?;
    let curve = [0, 1, 2].map(|split| tuner.loss(Vector::Draw, split, &draw.rounded));
    let fits = [wilo, draw];

    let parameters = fits.each_ref().map(|fit| fit.rounded.clone());
    let predict = |split: usize| tuner.predictions(split, &parameters);
    let test = predict(2);
    predictions.push(("new weights".to_owned(), test.clone()));
    let blocks = &tuner.splits[2];
    let predictors = predictions.into_iter().map(|(name, of_model)| Predictor {
        name,
        measures: measure::measures(blocks, &of_model),
        behind: measure::log_loss_difference(blocks, &of_model, &test),
    });
    let mut summary = Summary {
        options,
        groups: &data.groups,
        factors: &data.factors,
        tallies: data.tallies,
        held,
        predictors: predictors.collect(),
        reliability: measure::measures(blocks, &test).bins,
        calibration: [Vector::Wilo, Vector::Draw].map(|vector| measure::calibration(blocks, &test, vector)),
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
    crate::files::write(&options.out, text)?;
    if let Some((directory, details)) = options.report.as_ref().zip(details) {
        let report = HtmlReport { summary: &summary, details };
        crate::files::write(&directory.join("weights.csv"), report.csv())?;
        let page = report.html().map_err(|error| TuneError::Report(error.to_string()))?;
        crate::files::write(&directory.join("index.html"), page)?;
    }
    crate::files::write(&options.out.with_extension("record.md"), summary::page(&record))?;
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
    let report = |(name, mark)| options.report.as_ref().map(|folder| (folder.join(name), mark));
    let reports = [("weights.csv", "term,index,column,"), ("index.html", report::TITLE)].into_iter().filter_map(report);
    let weights = [(options.out.clone(), WEIGHTS_MARK), (options.out.with_extension("record.md"), summary::HEADING)];
    for (path, mark) in weights.into_iter().chain(reports) {
        halfpoint::files::check_own(&path, mark, options.overwrite).map_err(|source| failed(&path, source))?;
    }
    Ok(())
}

/// The parameter file to start from, as text and as weights.
fn read_weights(path: Option<&Path>) -> Result<(String, Weights), TuneError> {
    let Some(path) = path else { return Ok((SHIPPED.to_owned(), (*Weights::shipped()).clone())) };
    let text = params::read_text(path)?;
    let weights = params::read(&path.display().to_string(), &text)?;
    Ok((text, weights))
}
