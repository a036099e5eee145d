//! Files written whole.

use super::FileError;
use std::path::Path;

/// Writes a file so that an interruption leaves what was there; see [`halfpoint::files::write`].
///
/// # Errors
///
/// [`FileError`] if the file cannot be written.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), FileError> {
    halfpoint::files::write(path, bytes).map_err(FileError::unwritable(path))
}
