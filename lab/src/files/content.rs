//! What files hold.

use super::{FileError, dataset, ending, open};
use halfpoint::games::TextFormat;
use std::path::Path;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Games in viriformat.
    Dataset,
    /// Games as text.
    Pgn,
    /// A position on each line.
    Lines,
}

impl Content {
    /// Looks into a file. Viriformat is known by its name alone; text by its first line, and where that is of no help by the
    /// name, `.gz` and `.zst` left aside.
    ///
    /// # Errors
    ///
    /// [`FileError`] if the file cannot be read, or if nothing tells what it holds.
    pub fn of(path: &Path) -> Result<Content, FileError> {
        if dataset::is_named(path) {
            return Ok(Content::Dataset);
        }
        let mut reader = open(path).map_err(FileError::unreadable(path))?;
        match TextFormat::detect(&mut reader).map_err(FileError::unreadable(path))? {
            Some(TextFormat::Pgn) => return Ok(Content::Pgn),
            Some(TextFormat::Lines) => return Ok(Content::Lines),
            None => {}
        }
        match ending(path).as_deref() {
            Some("pgn") => Ok(Content::Pgn),
            Some("epd" | "fen" | "txt" | "csv") => Ok(Content::Lines),
            _ => Err(FileError::UnknownContent { path: path.to_owned() }),
        }
    }
}
