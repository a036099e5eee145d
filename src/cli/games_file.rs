//! Files of games and positions.

use halfpoint::analysis::{Input, InputError, Selection, read};
use halfpoint::games::{STANDARD_INPUT, open};
use std::path::Path;

/// Reads games in PGN, or positions in FEN or EPD.
///
/// # Errors
///
/// [`InputError`] if the file cannot be opened, or as [`read`] says.
pub fn read_file(path: &Path, selection: &Selection, chess960: bool) -> Result<Input, InputError> {
    let name = if path == Path::new(STANDARD_INPUT) { "standard input".into() } else { path.display().to_string() };
    let reader = open(path).map_err(|error| InputError::new(&name, error))?;
    read(&name, reader, selection, chess960)
}
