//! What can be chosen on the command line.

use crate::MAX_THREADS;
use crate::tuning::source::DataFile;
use clap::Args;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use std::path::PathBuf;

/// Arguments of `halfpoint-lab train`.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Games in viriformat (.vf, .viri, .bin) or PGN with evaluations; .gz and .zst of each
    #[arg(required = true, value_name = "FILE", value_parser = file)]
    pub data: Vec<DataFile>,
    /// Where positions go in random order, 32 bytes each; they are kept for the next run
    #[arg(long, value_name = "DIR")]
    pub rows: PathBuf,
    /// Where network.bin, record.md and index.html go, and the state of an interrupted run
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Hidden units
    #[arg(long, default_value = "64", value_parser = PossibleValuesParser::new(["16", "32", "64", "128"]).map(|units| units.parse::<usize>().unwrap_or_default()))]
    pub units: usize,
    /// Network to begin with, such as one of earlier games; random weights if missing
    #[arg(long, value_name = "FILE")]
    pub start: Option<PathBuf>,
    /// Passes over all positions
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub epochs: u32,
    /// Largest step of the optimiser
    #[arg(long, default_value_t = 0.008, value_parser = positive)]
    pub rate: f64,
    /// Decay of the weights at each step, as a fraction of the step
    #[arg(long, default_value_t = 0.15, value_parser = not_negative)]
    pub decay: f64,
    /// Fraction of the games' results in the target for wilo; the rest is the search's W/D/L
    #[arg(long, value_name = "LAMBDA", default_value_t = 0.1, value_parser = fraction)]
    pub lambda_wilo: f64,
    /// The same for draw
    #[arg(long, value_name = "LAMBDA", default_value_t = 0.3, value_parser = fraction)]
    pub lambda_draw: f64,
    /// Fraction of the games held out; they are those of `tune --test` with the same seed
    #[arg(long, default_value_t = 0.02, value_parser = fraction)]
    pub held_out: f64,
    /// Fraction of the remaining games that are left out, for learning curves
    #[arg(long, default_value_t = 0.0, value_parser = fraction)]
    pub skip: f64,
    /// Weights of terms to compare with on the games held out, such as those that `tune` fits to the same games
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Which games are held out, the first weights, and the order of positions
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; all processors if missing. Sums of other numbers of threads are rounded otherwise
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS))]
    pub threads: Option<u16>,
    /// Replace files in their places that this command did not write
    #[arg(long)]
    pub overwrite: bool,
}

/// A file, which has no group, whatever its name.
fn file(path: &str) -> Result<DataFile, std::convert::Infallible> {
    Ok(DataFile::of(path.into()))
}

fn fraction(text: &str) -> Result<f64, String> {
    number(text).filter(|number| (0.0..=1.0).contains(number)).ok_or_else(|| "not a number from 0 to 1".to_owned())
}

fn not_negative(text: &str) -> Result<f64, String> {
    number(text).filter(|number| *number >= 0.0 && number.is_finite()).ok_or_else(|| "not a number from 0".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    number(text).filter(|number| *number > 0.0 && number.is_finite()).ok_or_else(|| "not a positive number".to_owned())
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}
