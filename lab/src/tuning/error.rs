//! What can go wrong.

use super::solve::Undetermined;
use crate::files::FileError;
use crate::files::dataset::DatasetError;
use halfpoint::params::ParamsError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why there are no new weights.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "fields of errors say what they are")]
pub enum TuneError {
    /// A dataset is not right.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// Games cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file has no game that counts.
    #[error("{}: no game with a result in it{explanation}", path.display())]
    NoGames { path: PathBuf, explanation: String },
    /// A split is empty.
    #[error("no positions for {split} among {games} games: more games are needed, or other shares and filters")]
    NoPositions { split: &'static str, games: u64 },
    /// Nothing is left to train on.
    #[error("--validation {0} and --test {1} leave no games to fit the weights to")]
    Shares(f64, f64),
    /// Fewer blocks of games than parts of a cross-validation.
    #[error("--folds {folds}: too few games, {positions} positions make {blocks} parts at most")]
    FewGames { folds: usize, positions: u64, blocks: usize },
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
