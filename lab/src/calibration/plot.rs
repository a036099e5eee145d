//! Figures as files.

use super::Error;
use crate::files;
use crate::output::line;
use std::path::Path;

/// What stands behind the first tag of the figures of this program.
const MARK: &str = "<!-- halfpoint-lab -->";

/// Checks, before the work for it, that a figure can be written, and that what is there is one of this program, unless it is to
/// be replaced in any case.
///
/// # Errors
///
/// [`Error`] if not.
pub fn check(path: &Path, overwrite: bool) -> Result<(), Error> {
    Ok(files::check_own(path, MARK, overwrite)?)
}

/// Writes a figure as SVG.
///
/// # Errors
///
/// [`Error`] if the file cannot be written.
pub fn save(path: &Path, svg: &str) -> Result<(), Error> {
    files::write(path, svg.replacen('>', &format!(">\n{MARK}"), 1))?;
    line(format_args!("figure in {}", path.display()));
    Ok(())
}
