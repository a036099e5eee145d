//! Where games begin: after random moves, or at the positions of a file.

use crate::files::{self, Content, FileError, ReadReport};
use flate2::Crc;
use halfpoint::games::{CastlingRights, Exclusion, ReadOptions};
use halfpoint::position::{GameHistory, Position};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use thiserror::Error;
use viriformat::chess::board::Board;

/// Most random moves that may be asked for, in plies.
pub const MAX_RANDOM_PLIES: u32 = 60;
/// Start positions of Chess960.
const CHESS960_STARTS: usize = 960;

/// Where openings come from, as the command line says it: `random:PLIES` or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// So many random moves, in plies, from the start position.
    Random(u32),
    /// Lines with positions, or games in PGN.
    File(PathBuf),
}

/// The text names no source of openings.
#[derive(Debug, Error)]
#[error("'{0}' is neither a file nor random:PLIES with 1 to {MAX_RANDOM_PLIES} plies")]
pub struct InvalidOpeningSource(String);

impl FromStr for OpeningSource {
    type Err = InvalidOpeningSource;

    fn from_str(text: &str) -> Result<OpeningSource, InvalidOpeningSource> {
        let invalid = || InvalidOpeningSource(text.to_owned());
        match text.strip_prefix("random:") {
            Some(plies) => match plies.parse() {
                Ok(plies) if (1..=MAX_RANDOM_PLIES).contains(&plies) => Ok(OpeningSource::Random(plies)),
                _ => Err(invalid()),
            },
            None if text.is_empty() => Err(invalid()),
            None => Ok(OpeningSource::File(text.into())),
        }
    }
}

/// What is wrong with a file of openings.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "fields of errors say what they are")]
pub enum OpeningsError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It holds games without text.
    #[error("{}: a dataset, not openings", .0.display())]
    Dataset(PathBuf),
    /// There is nothing in it to play from.
    #[error("{}: no opening in it{explanation}", path.display())]
    Empty { path: PathBuf, explanation: String },
}

/// The openings of a run.
pub struct Openings {
    label: String,
    starts: Vec<Chess>,
    /// Random moves from one of the starts, in plies; `None` for the positions of a file.
    random_plies: Option<u32>,
}

impl Openings {
    /// Reads the openings; `rng` orders those of a file. With `chess960` random moves begin at any of its 960 start
    /// positions, and files may have its castling rights.
    ///
    /// # Errors
    ///
    /// [`OpeningsError`] if a file cannot be read, has nothing in it, or has something in it that is no position to
    /// play from.
    pub fn new(source: &OpeningSource, chess960: bool, rng: &mut ChaCha8Rng) -> Result<Openings, OpeningsError> {
        match source {
            OpeningSource::Random(plies) => Ok(Openings {
                label: format!("random:{plies}"),
                starts: if chess960 { chess960_starts() } else { vec![Chess::default()] },
                random_plies: Some(*plies),
            }),
            OpeningSource::File(path) => Openings::from_file(path, chess960, rng),
        }
    }

    fn from_file(path: &Path, chess960: bool, rng: &mut ChaCha8Rng) -> Result<Openings, OpeningsError> {
        let mut report = ReadReport::default();
        let mut starts = match Content::of(path)? {
            Content::Pgn => games(path, chess960, &mut report)?,
            Content::Lines => lines(path, chess960, &mut report)?,
            Content::Dataset => return Err(OpeningsError::Dataset(path.to_owned())),
        };
        if starts.is_empty() {
            return Err(OpeningsError::Empty { path: path.to_owned(), explanation: report.explanation() });
        }
        report.warn();
        let mut checksum = Crc::new();
        for start in &starts {
            checksum.update(Fen::from_position(start, EnPassantMode::Legal).to_string().as_bytes());
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let label = format!("{name}, {} positions, CRC-32 {:08x}", starts.len(), checksum.sum());
        starts.shuffle(rng);
        Ok(Openings { label, starts, random_plies: None })
    }

    /// The openings in one line, the same for the same openings.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Whether these are the positions of a file.
    #[must_use]
    pub fn are_from_file(&self) -> bool {
        self.random_plies.is_none()
    }

    /// The opening of a game, with the number of random moves in it. `None` if these ended the game.
    ///
    /// Every other game has one random move more, so that either side is to move. A file is gone through in random
    /// order, each time with one more random move after its openings: the same opening would give the same game.
    #[must_use]
    pub fn draw(&self, number: u64, rng: &mut ChaCha8Rng) -> Option<(Position, u64)> {
        let count = self.starts.len() as u64;
        let (index, plies) = match self.random_plies {
            Some(plies) => (rng.random_range(0..count), u64::from(plies) + number % 2),
            None => (number % count, number / count),
        };
        let mut position = Position::from_chess(&self.starts[index as usize]);
        for _ in 0..plies {
            position = position.play(*position.legal_moves().choose(rng)?);
        }
        Some((position, plies))
    }
}

/// The start positions of Chess960.
fn chess960_starts() -> Vec<Chess> {
    let start = |number| {
        let mut board = Board::new();
        board.set_frc_idx(number);
        let position = Position::from_fen(&board.to_string(), true).expect("a start position is legal");
        position.to_chess()
    };
    (0..CHESS960_STARTS).map(start).collect()
}

/// Positions of FEN or EPD lines.
fn lines(path: &Path, chess960: bool, report: &mut ReadReport) -> Result<Vec<Chess>, FileError> {
    let castling = if chess960 { CastlingRights::Chess960 } else { CastlingRights::Chess };
    let mut positions = Vec::new();
    files::read_lines(path, castling, report, |report, line| {
        match playable(line.position) {
            Ok(position) => positions.push(position),
            Err(reason) => report.add_broken(path, line.number, format!("line {}: {reason}", line.number)),
        }
        true
    })?;
    Ok(positions)
}

/// The position, or why it cannot be played from.
fn playable(position: Chess) -> Result<Chess, String> {
    let game = GameHistory::new(Position::from_chess(&position));
    match game.outcome() {
        None => Ok(position),
        Some(_) => Err(format!("the game is over in '{}'", game.position().fen())),
    }
}

/// Last positions of the games of a PGN file, however these ended.
fn games(path: &Path, chess960: bool, report: &mut ReadReport) -> Result<Vec<Chess>, FileError> {
    let options = ReadOptions { chess960, ..ReadOptions::default() };
    let mut positions = Vec::new();
    files::read_games(path, &options, report, |report, game| {
        let last = match game.exclusion {
            Some(Exclusion::OtherVariant) => Err("another variant than chess".to_owned()),
            _ => playable(game.last_position()),
        };
        match last {
            Ok(position) => positions.push(position),
            Err(reason) => {
                let reason = format!("game {}, line {}: {reason}", game.number, game.line);
                report.add_broken(path, game.number, reason);
            }
        }
        true
    })?;
    Ok(positions)
}

#[cfg(test)]
mod tests;
