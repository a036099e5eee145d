//! What files hold.

use super::cannot_read;
use crate::dataset;
use crate::writing::ending;
use anyhow::{Context, Result, bail};
use halfpoint::games::TextFormat;
use std::path::Path;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Dataset,
    Pgn,
    Lines,
}

impl Content {
    /// Looks into a file. Viriformat is known by its name alone; text by its first line, and where that is of no help by the
    /// name, `.gz` and `.zst` left aside.
    pub fn of(path: &Path) -> Result<Content> {
        if dataset::is_named(path) {
            return Ok(Content::Dataset);
        }
        let format = halfpoint::games::open(path).and_then(|mut reader| TextFormat::detect(&mut reader));
        match format.with_context(|| cannot_read(path))? {
            Some(TextFormat::Pgn) => return Ok(Content::Pgn),
            Some(TextFormat::Lines) => return Ok(Content::Lines),
            None => {}
        }
        match ending(path).as_deref() {
            Some("pgn") => Ok(Content::Pgn),
            Some("epd" | "fen" | "txt" | "csv") => Ok(Content::Lines),
            _ => bail!(
                "'{}' holds neither games nor positions: its first line is of neither, and its name does not end in .pgn, \
                 .epd, .fen, .txt, .csv, .vf, .viri or .bin",
                path.display()
            ),
        }
    }
}
