//! What can go wrong.

use crate::selfplay::dataset::DatasetError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a calibration command failed.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "fields of errors say what they are")]
pub enum Error {
    /// A file cannot be read.
    #[error("cannot read '{}': {reason}", path.display())]
    Unreadable { path: PathBuf, reason: io::Error },
    /// A file cannot be written.
    #[error("cannot write '{}': {reason}", path.display())]
    Unwritable { path: PathBuf, reason: io::Error },
    /// A file does not hold what it should.
    #[error("'{}': {reason}", path.display())]
    Content { path: PathBuf, reason: String },
    /// A dataset cannot be read.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The input as a whole does not serve.
    #[error("{0}")]
    Data(String),
}

impl Error {
    pub(super) fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> Error {
        |reason| Error::Unreadable { path: path.to_owned(), reason }
    }

    pub(super) fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> Error {
        |reason| Error::Unwritable { path: path.to_owned(), reason }
    }

    pub(super) fn content(path: &Path, reason: impl ToString) -> Error {
        Error::Content { path: path.to_owned(), reason: reason.to_string() }
    }
}
