//! Output files of reports; `-` is standard output.

use halfpoint::files;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The name that stands for standard output.
const STANDARD_OUTPUT: &str = "-";

/// A file cannot be written.
#[derive(Debug, Error)]
#[error("cannot write '{}': {reason}", path.display())]
pub struct ReportFileError {
    path: PathBuf,
    reason: io::Error,
}

/// Whether a file can be written, without changing it; see [`files::check_own`].
///
/// # Errors
///
/// [`ReportFileError`] if it cannot.
pub fn check(path: &Path, mark: &str, overwrite: bool) -> Result<(), ReportFileError> {
    let result = if path == Path::new(STANDARD_OUTPUT) { Ok(()) } else { files::check_own(path, mark, overwrite) };
    result.map_err(|reason| ReportFileError { path: path.to_owned(), reason })
}

/// Writes a file as a whole, or standard output.
///
/// # Errors
///
/// [`ReportFileError`] if it cannot be written.
pub fn write(path: &Path, text: &str) -> Result<(), ReportFileError> {
    let result = if path == Path::new(STANDARD_OUTPUT) {
        io::stdout().lock().write_all(text.as_bytes())
    } else {
        files::write(path, text)
    };
    result.map_err(|reason| ReportFileError { path: path.to_owned(), reason })
}
