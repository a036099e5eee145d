//! What can go wrong.

use crate::files::FileError;
use halfpoint::params::ParamsError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a calibration command failed.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "fields of errors say what they are")]
pub enum Error {
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file does not hold what it should.
    #[error("'{}': {reason}", path.display())]
    Content { path: PathBuf, reason: String },
    /// A file of parameters cannot be read, or something in it is wrong.
    #[error(transparent)]
    Params(#[from] ParamsError),
    /// The input as a whole does not serve.
    #[error("{0}")]
    Data(String),
}

impl Error {
    pub(super) fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> Error {
        |reason| FileError::unreadable(path)(reason).into()
    }

    pub(super) fn content(path: &Path, reason: impl ToString) -> Error {
        Error::Content { path: path.to_owned(), reason: reason.to_string() }
    }
}
