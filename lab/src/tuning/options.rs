//! What can be chosen on the command line.

use super::fixed::{self, Fixed};
use super::selection::Selection;
use super::source::DataFile;
use super::vector::Vector;
use crate::MAX_THREADS;
use clap::{Args, ValueEnum};
use halfpoint::eval::tuning::terms::Feature;
use std::path::PathBuf;

/// What to do with positions that a search would not evaluate as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Noisy {
    /// Leave them out: a capture or promotion was played, or quiescence search finds a better one than to stand pat
    Skip,
    /// Put the position in their place from which quiescence search takes its evaluation
    Resolve,
    /// Take them as they are
    Keep,
}

/// Whether to take something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Take {
    /// Leave it out
    Skip,
    /// Take it
    Keep,
}

/// Where the prior has its centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Centre {
    /// The weights of --start
    Old,
    /// Zero
    Zero,
}

/// Which vectors to tune.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Vectors {
    /// Wilo, then draw
    Both,
    /// Wilo; all weights of draw are fixed
    Wilo,
    /// Draw; all weights of wilo are fixed
    Draw,
}

/// Arguments of `halfpoint tune`.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Games in viriformat (.vf, .viri, .bin) or PGN, or lines with positions as `FEN;result` or EPD with c9; .gz and .zst of
    /// each. NAME=FILE puts a file into a group with a level of its own, as do time class and band of ratings in the tags
    #[arg(required = true, value_name = "[NAME=]FILE")]
    pub data: Vec<DataFile>,
    /// Weights to start from, whose names, order and comments the new file keeps; those of the binary if missing
    #[arg(long, value_name = "FILE")]
    pub start: Option<PathBuf>,
    /// Where the new weights go
    #[arg(long, value_name = "FILE", default_value = "engine-params/eval.toml")]
    pub out: PathBuf,
    /// Where the report goes: index.html, and weights.csv
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Replace files in their places that this command did not write
    #[arg(long)]
    pub overwrite: bool,

    /// Fraction of the games' results in the target; the rest is the search's evaluation, where the data tell
    #[arg(long, default_value_t = 1.0, value_parser = fraction)]
    pub lambda: f64,
    /// The same for wilo alone; --lambda if missing
    #[arg(long, value_name = "LAMBDA", value_parser = fraction)]
    pub lambda_wilo: Option<f64>,
    /// The same for draw alone; --lambda if missing
    #[arg(long, value_name = "LAMBDA", value_parser = fraction)]
    pub lambda_draw: Option<f64>,
    /// Most positions used from a game, at random; 0 for all
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub positions: usize,
    /// Plies left out at the beginning of each game; of positions in lines all are used
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub skip_plies: usize,
    /// Positions in check
    #[arg(long, value_enum, default_value_t = Take::Skip)]
    pub checks: Take,
    /// Positions in which captures are due
    #[arg(long, value_enum, default_value_t = Noisy::Resolve)]
    pub noisy: Noisy,
    /// Positions in which the search saw a mate or a table win
    #[arg(long, value_enum, default_value_t = Take::Skip)]
    pub mates: Take,
    /// Fraction of the games for validation
    #[arg(long, default_value_t = 0.1, value_parser = fraction)]
    pub validation: f64,
    /// Fraction of the games for the final test
    #[arg(long, default_value_t = 0.1, value_parser = fraction)]
    pub test: f64,
    /// Which games go where, and which positions are used
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Vectors to tune; the other keeps its weights
    #[arg(long, value_enum, default_value_t = Vectors::Both)]
    pub vectors: Vectors,
    /// Terms whose weights stay as they are, in both vectors or in the one after the colon; 'none' for no term
    #[arg(long, alias = "hold", value_name = "TERM[:VECTOR],...", default_value = fixed::DEFAULT)]
    pub fix: Fixed,
    /// Where the prior pulls the weights to; old weights may have been fitted to the same games
    #[arg(long, value_enum, default_value_t = Centre::Old)]
    pub prior: Centre,
    /// Standard deviation of the prior for wilo, centipawns
    #[arg(long, value_name = "CP", default_value_t = 40.0, value_parser = positive)]
    pub prior_wilo: f64,
    /// Standard deviation of the prior for draw, hundredths of a logit
    #[arg(long, value_name = "N", default_value_t = 30.0, value_parser = positive)]
    pub prior_draw: f64,
    /// Standard deviation of differences between neighbouring wilo weights of a table, centipawns; not smoothed if missing
    #[arg(long, value_name = "CP", value_parser = positive)]
    pub smooth_wilo: Option<f64>,
    /// The same for draw, hundredths of a logit
    #[arg(long, value_name = "N", value_parser = positive)]
    pub smooth_draw: Option<f64>,

    /// Solve again from so many random starts, to see whether all end at the same optimum; the prior does not move
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub random_starts: u32,
    /// Cross-validation: cut all games into so many parts, predict each by weights tuned on the others, and report on all
    #[arg(long, value_name = "PARTS", value_parser = clap::value_parser!(u16).range(2..=100))]
    pub folds: Option<u16>,
    /// Stop when every weight is so near its optimum, in standard errors
    #[arg(long, default_value_t = 1e-4, value_parser = positive)]
    pub tolerance: f64,
    /// The solver begins no further round after so many iterations for each vector
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub iterations: usize,
    /// Number of threads; all processors if missing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS))]
    pub threads: Option<u16>,
}

impl Options {
    /// Which games and positions are used.
    pub fn selection(&self) -> Selection {
        Selection {
            seed: self.seed,
            positions: self.positions,
            skip_plies: self.skip_plies,
            checks: self.checks,
            noisy: self.noisy,
            mates: self.mates,
            validation: self.validation,
            test: self.test,
        }
    }

    /// Whether the weights of a feature in `vector` stay as they are.
    pub fn fixes(&self, vector: Vector, feature: Feature) -> bool {
        let is_tuned = match self.vectors {
            Vectors::Both => true,
            Vectors::Wilo => vector == Vector::Wilo,
            Vectors::Draw => vector == Vector::Draw,
        };
        !is_tuned || self.fix.fixes(vector, feature)
    }

    /// Fraction of the results in the target of wilo and of draw.
    pub fn lambdas(&self) -> [f64; 2] {
        [self.lambda_wilo, self.lambda_draw].map(|lambda| lambda.unwrap_or(self.lambda))
    }
}

fn fraction(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| format!("'{text}' is not a number"))?;
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err(format!("{text} is not between 0 and 1")) }
}

fn positive(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| format!("'{text}' is not a number"))?;
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(format!("{text} is not a positive number")) }
}
