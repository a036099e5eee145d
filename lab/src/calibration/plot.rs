//! Figures as files.

use super::Error;
use crate::output::line;
use std::fs;
use std::path::Path;

/// Writes a figure as SVG.
///
/// # Errors
///
/// [`Error`] if the file cannot be written.
pub fn save(path: &Path, svg: &str) -> Result<(), Error> {
    fs::write(path, svg).map_err(Error::unwritable(path))?;
    line(format_args!("figure in {}", path.display()));
    Ok(())
}
