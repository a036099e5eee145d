//! Files of games and positions, as they are or compressed; `-` is standard input.

use halfpoint::analysis::{Input, InputError, Selection, read};
use halfpoint::compression::uncompressed;
use std::fs::File;
use std::io::{self, BufRead};
use std::path::Path;

/// The name that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// Opens a file, or standard input, and uncompresses it on the way.
///
/// # Errors
///
/// What the system says, or that it cannot be uncompressed.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    if path == Path::new(STANDARD_INPUT) { uncompressed(io::stdin().lock()) } else { uncompressed(File::open(path)?) }
}

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
