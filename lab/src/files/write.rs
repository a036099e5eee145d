//! Files written whole.

use super::FileError;
use std::path::Path;

/// Checks, before the work for it, that a file can be written, and that what is there was made by the command whose files
/// contain `mark`, unless it is to be replaced in any case.
///
/// # Errors
///
/// [`FileError`] if not.
pub fn check_own(path: &Path, mark: &str, overwrite: bool) -> Result<(), FileError> {
    halfpoint::files::check_own(path, mark, overwrite).map_err(FileError::unwritable(path))
}

/// Writes a file so that an interruption leaves what was there; see [`halfpoint::files::write`].
///
/// # Errors
///
/// [`FileError`] if the file cannot be written.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), FileError> {
    halfpoint::files::write(path, bytes).map_err(FileError::unwritable(path))
}
