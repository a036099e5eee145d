//! Files of games and positions: finding and reading them.

mod content;
mod find;
mod games;
mod lines;
mod log;

pub use content::{Content, Opened, read_text};
pub use find::{check_distinct, find};
pub use games::{gather_games, read_games, read_lines};
pub use lines::{LineGames, is_named};
pub use log::ReadLog;

use anyhow::{Context, Error, Result, anyhow};
use halfpoint::games::{STANDARD_INPUT, Tags, decompressed};
use indicatif::ProgressBar;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead};
use std::path::Path;

/// Opens a file, a pipe, or standard input for `-`, uncompressed on the way, with the bytes read shown on a bar.
pub fn open(path: &Path, progress: &ProgressBar) -> Result<Box<dyn BufRead + Send>> {
    let reader = if path == Path::new(STANDARD_INPUT) {
        decompressed(progress.wrap_read(io::stdin()))
    } else {
        File::open(path).and_then(|file| decompressed(progress.wrap_read(file)))
    };
    reader.with_context(|| cannot_read(path))
}

/// Whether a game is of the site that writes ratings as they are after the game, so that their difference tells who won.
pub fn are_rated_after(tags: &Tags) -> bool {
    tags.known("Site").to_ascii_lowercase().contains("chess.com")
}

pub fn cannot_read(path: &Path) -> String {
    format!("cannot read '{}'", path.display())
}

/// What is wrong with the content of a file.
pub fn invalid(path: &Path, reason: impl Display) -> Error {
    anyhow!("'{}': {reason}", path.display())
}
