//! Where games begin: after random moves, or at the positions of a file.

use super::files;
use flate2::Crc;
use halfpoint::position::{GameHistory, Position};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode};
use std::io::{self, BufRead};
use std::ops::ControlFlow;
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
pub enum Source {
    /// So many random moves, in plies, from the start position.
    Random(u32),
    /// FEN or EPD lines, or the games of a PGN file.
    File(PathBuf),
}

/// The text names no source of openings.
#[derive(Debug, Error)]
#[error("'{0}' is neither a file nor random:PLIES with 1 to {MAX_RANDOM_PLIES} plies")]
pub struct InvalidSource(String);

impl FromStr for Source {
    type Err = InvalidSource;

    fn from_str(text: &str) -> Result<Source, InvalidSource> {
        let invalid = || InvalidSource(text.to_owned());
        match text.strip_prefix("random:") {
            Some(plies) => match plies.parse() {
                Ok(plies) if (1..=MAX_RANDOM_PLIES).contains(&plies) => Ok(Source::Random(plies)),
                _ => Err(invalid()),
            },
            None if text.is_empty() => Err(invalid()),
            None => Ok(Source::File(text.into())),
        }
    }
}

/// What is wrong with a file of openings.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// It cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is nothing in it.
    #[error("{}: no opening in it", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A line is no position, or a position without moves.
    #[error("{}: line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A game cannot be played through.
    #[error("{}: game {game}: {reason}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// Number of the game, from 1.
        game: usize,
        /// What is wrong.
        reason: String,
    },
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
    pub fn new(source: &Source, chess960: bool, rng: &mut ChaCha8Rng) -> Result<Openings, OpeningsError> {
        match source {
            Source::Random(plies) => Ok(Openings {
                label: format!("random:{plies}"),
                starts: if chess960 { chess960_starts() } else { vec![Chess::default()] },
                random_plies: Some(*plies),
            }),
            Source::File(path) => Openings::from_file(path, chess960, rng),
        }
    }

    fn from_file(path: &Path, chess960: bool, rng: &mut ChaCha8Rng) -> Result<Openings, OpeningsError> {
        let input = files::open(path).map_err(|source| OpeningsError::Io { path: path.to_owned(), source })?;
        let mut starts = if is_pgn(path) { games(input, path, chess960)? } else { lines(input, path, chess960)? };
        if starts.is_empty() {
            return Err(OpeningsError::Empty { path: path.to_owned() });
        }
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

/// Whether a file holds games, by its name.
fn is_pgn(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    [".pgn", ".pgn.gz", ".pgn.zst"].iter().any(|end| name.ends_with(end))
}

/// Positions of FEN or EPD lines.
fn lines(input: impl BufRead, path: &Path, chess960: bool) -> Result<Vec<Chess>, OpeningsError> {
    let mut positions = Vec::new();
    for (index, line) in input.lines().enumerate() {
        let line = line.map_err(|source| OpeningsError::Io { path: path.to_owned(), source })?;
        if line.trim().is_empty() {
            continue;
        }
        let wrong = |reason| OpeningsError::Line { path: path.to_owned(), line: index + 1, reason };
        let position = Position::from_fen(&fen_of(&line), chess960).map_err(|error| wrong(error.to_string()))?;
        positions.push(playable(position).map_err(wrong)?);
    }
    Ok(positions)
}

/// The FEN at the start of a line: four fields and, if they are numbers, two counters.
fn fen_of(line: &str) -> String {
    let mut fields: Vec<&str> = line.split_whitespace().take(6).collect();
    let is_number = |field: &str| field.parse::<u32>().is_ok();
    if let [_, _, _, _, halfmoves, fullmoves] = fields[..] {
        let fullmoves = fullmoves.split(';').next().unwrap_or_default();
        if is_number(halfmoves) && is_number(fullmoves) {
            fields[5] = fullmoves;
            return fields.join(" ");
        }
    }
    fields.truncate(4);
    fields.join(" ").trim_end_matches(';').to_owned()
}

/// The position, or why it cannot be played from.
fn playable(position: Position) -> Result<Chess, String> {
    match GameHistory::new(position).outcome() {
        None => Ok(position.to_chess()),
        Some(_) => Err(format!("the game is over in '{}'", position.fen())),
    }
}

/// Last positions of the games of a PGN file.
fn games(input: impl BufRead, path: &Path, chess960: bool) -> Result<Vec<Chess>, OpeningsError> {
    let mut reader = Reader::new(input);
    let mut positions = Vec::new();
    let failed = |source| OpeningsError::Io { path: path.to_owned(), source };
    while let Some(last) = reader.read_game(&mut LastPosition { chess960 }).map_err(failed)? {
        let wrong = |reason| OpeningsError::Game { path: path.to_owned(), game: positions.len() + 1, reason };
        let position = last.and_then(playable).map_err(wrong)?;
        positions.push(position);
    }
    Ok(positions)
}

/// Plays games through to their last position.
struct LastPosition {
    chess960: bool,
}

impl Visitor for LastPosition {
    type Tags = Position;
    type Movetext = Position;
    type Output = Result<Position, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Position> {
        ControlFlow::Continue(Position::default())
    }

    fn tag(&mut self, start: &mut Position, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if name != b"FEN" {
            return ControlFlow::Continue(());
        }
        match Position::from_fen(&value.decode_utf8_lossy(), self.chess960) {
            Ok(position) => {
                *start = position;
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(error.to_string())),
        }
    }

    fn begin_movetext(&mut self, start: Position) -> ControlFlow<Self::Output, Position> {
        ControlFlow::Continue(start)
    }

    fn san(&mut self, position: &mut Position, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(&position.to_chess()) {
            Ok(m) => {
                *position = position.play(Position::from_shakmaty(m));
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(format!("{error}: {san} in '{}'", position.fen()))),
        }
    }

    fn begin_variation(&mut self, _: &mut Position) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, last: Position) -> Self::Output {
        Ok(last)
    }
}

#[cfg(test)]
mod tests;
