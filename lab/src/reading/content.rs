//! What files hold.

use super::cannot_read;
use crate::dataset;
use crate::writing::ending;
use anyhow::{Context, Result, bail};
use halfpoint::games::TextFormat;
use std::fs;
use std::io::{self, BufRead};
use std::path::Path;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Dataset,
    Pgn,
    Lines,
}

/// A file or pipe that is open. It is opened once, since a pipe can be read but once.
pub struct Opened {
    pub content: Content,
    pub reader: Box<dyn BufRead + Send>,
}

impl Opened {
    /// Opens a file, a pipe, or standard input for `-`, and looks into it. Viriformat is known by its name, and text by its first
    /// line; where these are of no help viriformat by its first game, and text by the name, `.gz` and `.zst` left aside.
    pub fn new(path: &Path) -> Result<Opened> {
        let mut reader = halfpoint::games::open(path).with_context(|| cannot_read(path))?;
        if dataset::is_named(path) || dataset::begins(reader.fill_buf().with_context(|| cannot_read(path))?) {
            return Ok(Opened { content: Content::Dataset, reader });
        }
        let format = TextFormat::detect(&mut reader).with_context(|| cannot_read(path))?;
        let content = match (format, ending(path).as_deref()) {
            (Some(TextFormat::Pgn), _) | (None, Some("pgn")) => Content::Pgn,
            (Some(TextFormat::Lines), _) | (None, Some("epd" | "fen" | "txt" | "csv")) => Content::Lines,
            (None, _) => bail!(
                "'{}' holds neither games nor positions: its first line is of neither, and its name does not end in .pgn, \
                 .epd, .fen, .txt, .csv, .vf, .viri or .bin",
                path.display()
            ),
        };
        Ok(Opened { content, reader })
    }
}

/// The whole of a file or pipe as text, uncompressed on the way, of at most `max_bytes`.
pub fn read_text(path: &Path, max_bytes: u64) -> Result<String> {
    let refuse = || bail!("{}: larger than {} MiB", cannot_read(path), max_bytes >> 20);
    if fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() > max_bytes) {
        return refuse();
    }
    let mut text = String::new();
    let reader = halfpoint::games::open(path).with_context(|| cannot_read(path))?;
    io::Read::read_to_string(&mut io::Read::take(reader, max_bytes + 1), &mut text)
        .with_context(|| cannot_read(path))?;
    if text.len() as u64 > max_bytes { refuse() } else { Ok(text) }
}
