//! Calibration: how far printed win, draw and loss probabilities can be believed, and curves and profiles that make them
//! true, for the games of any engine or of people.
//!
//! [`count`] turns games with evaluations in their comments into counts of results. The counts and the options have the
//! names of Stockfish's WDL model, so that data can be exchanged.

pub mod count;
pub mod curve;
pub mod fit;
pub mod profile;
pub mod verify;

mod counts;
mod engine;
mod error;
mod figure;
mod files;
mod games;
mod histogram;
mod level;
mod measures;
mod metadata;
mod optimize;
mod plot;
mod reliability;
mod sample;

pub use counts::{Counts, Key};
pub use engine::{Specification, Verdict};
pub use error::Error;
pub use games::{Broken, Evaluation, Game, Outcome, Ply, Tags};
pub use histogram::{Histogram, MomType, Normalization, Selection};
pub use measures::{Bin, Measures};
pub use sample::{Sample, Source};

use clap::Subcommand;

/// The commands of `halfpoint wdl`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count results by move number, material and evaluation over games with evaluations in their comments
    Count(count::Arguments),
    /// Fit Stockfish's two-parameter curves to counts
    Fit(fit::Arguments),
    /// Score the W/D/L that engines print against the results of games
    Verify(verify::Arguments),
    /// Fit level profiles for this engine to games
    Profile(profile::Arguments),
}

impl Command {
    /// Runs the command; what it found goes to standard output, progress and warnings to standard error.
    ///
    /// # Errors
    ///
    /// [`Error`] if files cannot be read or written, or do not hold what the command needs.
    pub fn run(self) -> Result<(), Error> {
        match self {
            Command::Count(arguments) => count::run(&arguments),
            Command::Fit(arguments) => fit::run(&arguments),
            Command::Verify(arguments) => verify::run(&arguments),
            Command::Profile(arguments) => profile::run(&arguments),
        }
    }
}
