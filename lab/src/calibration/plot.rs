//! Figures as files.

use super::Error;
use crate::files;
use crate::output::line;
use std::path::Path;

/// Writes a figure as SVG.
///
/// # Errors
///
/// [`Error`] if the file cannot be written.
pub fn save(path: &Path, svg: &str) -> Result<(), Error> {
    files::write(path, svg)?;
    line(format_args!("figure in {}", path.display()));
    Ok(())
}
