//! What can be wrong with files.

use super::dataset::DatasetError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a file cannot be used.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "fields of errors say what they are")]
pub enum FileError {
    /// It cannot be read.
    #[error("cannot read '{}': {reason}", path.display())]
    Unreadable { path: PathBuf, reason: io::Error },
    /// It cannot be written.
    #[error("cannot write '{}': {reason}", path.display())]
    Unwritable { path: PathBuf, reason: io::Error },
    /// Neither its name nor its content tell what is in it.
    #[error(
        "'{}' holds neither games nor positions: its first line is of neither, and its name does not end in .pgn, .epd, .fen, \
         .txt, .csv, .vf, .viri or .bin",
        path.display()
    )]
    UnknownContent { path: PathBuf },
    /// No file of games in folders.
    #[error("no .pgn, .pgn.gz or .pgn.zst file found")]
    NoneFound,
    /// The same games by two paths, or in two ways of compression.
    #[error("'{}' and '{}' are the same games", first.display(), second.display())]
    Twice { first: PathBuf, second: PathBuf },
    /// A dataset is not right.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
}

impl FileError {
    /// An error of reading `path`.
    pub fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> FileError {
        |reason| FileError::Unreadable { path: path.to_owned(), reason }
    }

    /// An error of writing `path`.
    pub fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> FileError {
        |reason| FileError::Unwritable { path: path.to_owned(), reason }
    }
}
