//! Where games begin: after random moves, or at the positions of a file.

use crate::reading::{self, Content, Opened, ReadLog};
use anyhow::{Result, bail};
use flate2::Crc;
use halfpoint::games::{CastlingRights, Exclusion, ReadOptions};
use halfpoint::position::{GameHistory, Position};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Most random moves that may be asked for, in plies.
const MAX_RANDOM_PLIES: u32 = 60;
/// Start positions of Chess960.
const CHESS960_STARTS: usize = 960;

/// Where openings come from, as the command line says it: `random:PLIES` or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// So many random moves, in plies, from the start position.
    Random(u32),
    File(PathBuf),
}

impl FromStr for OpeningSource {
    type Err = String;

    fn from_str(text: &str) -> Result<OpeningSource, String> {
        let invalid = || format!("'{text}' is neither a file nor random:PLIES with 1 to {MAX_RANDOM_PLIES} plies");
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
    pub fn new(source: &OpeningSource, chess960: bool, rng: &mut ChaCha8Rng) -> Result<Openings> {
        match source {
            OpeningSource::Random(plies) => Ok(Openings {
                label: format!("random:{plies}"),
                starts: if chess960 { chess960_starts() } else { vec![Chess::default()] },
                random_plies: Some(*plies),
            }),
            OpeningSource::File(path) => Openings::from_file(path, chess960, rng),
        }
    }

    fn from_file(path: &Path, chess960: bool, rng: &mut ChaCha8Rng) -> Result<Openings> {
        let mut log = ReadLog::default();
        let Opened { content, reader } = Opened::new(path)?;
        let mut starts = match content {
            Content::Pgn => games(path, reader, chess960, &mut log),
            Content::Lines => lines(path, reader, chess960, &mut log),
            Content::Dataset => bail!("{}: a dataset, not openings", path.display()),
        };
        if starts.is_empty() {
            bail!("{}: no opening in it{}", path.display(), log.explanation());
        }
        log.warn();
        let mut checksum = Crc::new();
        for start in &starts {
            checksum.update(Fen::from_position(start, EnPassantMode::Legal).to_string().as_bytes());
        }
        // The name of a pipe is another in each run.
        let name = path.file_name().filter(|_| path.is_file()).unwrap_or(OsStr::new("pipe")).to_string_lossy();
        let label = format!("{name}, {} positions, CRC-32 {:08x}", starts.len(), checksum.sum());
        // The same opening gives the same game.
        let mut seen = HashSet::new();
        starts.retain(|start| seen.insert(Position::from_chess(start).key()));
        starts.shuffle(rng);
        Ok(Openings { label, starts, random_plies: None })
    }

    /// The openings in one line, the same for the same openings.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Whether these are the positions of a file.
    pub fn are_from_file(&self) -> bool {
        self.random_plies.is_none()
    }

    /// The opening of a game, with the number of random moves in it. `None` if these ended the game.
    ///
    /// Every other game has one random move more, so that either side is to move. A file is gone through in random
    /// order, each time with one more random move after its openings: the same opening would give the same game.
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

/// The start positions of Chess960, by their numbers (Scharnagl).
fn chess960_starts() -> Vec<Chess> {
    // Files of the two knights among the five that bishops and queen leave free.
    const KNIGHTS: [[usize; 2]; 10] = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];
    let start = |number: usize| {
        let mut pieces = [None; 8];
        pieces[2 * (number % 4) + 1] = Some('b');
        pieces[2 * (number / 4 % 4)] = Some('b');
        let free = |pieces: &[Option<char>; 8]| -> Vec<usize> { (0..8).filter(|&at| pieces[at].is_none()).collect() };
        pieces[free(&pieces)[number / 16 % 6]] = Some('q');
        let knights = free(&pieces);
        KNIGHTS[number / 96].iter().for_each(|&at| pieces[knights[at]] = Some('n'));
        free(&pieces).into_iter().zip("rkr".chars()).for_each(|(at, piece)| pieces[at] = Some(piece));
        let black: String = pieces.iter().flatten().collect();
        let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", black.to_ascii_uppercase());
        Position::from_fen(&fen, true).expect("a start position is legal").to_chess()
    };
    (0..CHESS960_STARTS).map(start).collect()
}

/// Positions of FEN or EPD lines.
fn lines(path: &Path, reader: impl BufRead, chess960: bool, log: &mut ReadLog) -> Vec<Chess> {
    let castling = if chess960 { CastlingRights::Chess960 } else { CastlingRights::Chess };
    let mut positions = Vec::new();
    reading::read_lines(path, reader, castling, log, |log, line| {
        match playable(line.position) {
            Ok(position) => positions.push(position),
            Err(reason) => log.add_broken(path, line.number, format!("line {}: {reason}", line.number)),
        }
        true
    });
    positions
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
fn games(path: &Path, reader: impl BufRead, chess960: bool, log: &mut ReadLog) -> Vec<Chess> {
    let options = ReadOptions { chess960, ..ReadOptions::default() };
    let mut positions = Vec::new();
    reading::read_games(path, reader, &options, log, |log, game| {
        let last = match game.exclusion {
            Some(Exclusion::OtherVariant) => Err("another variant than chess".to_owned()),
            _ => playable(game.last_position()),
        };
        match last {
            Ok(position) => positions.push(position),
            Err(reason) => {
                let reason = format!("game {}, line {}: {reason}", game.number, game.line);
                log.add_broken(path, game.number, reason);
            }
        }
        true
    });
    positions
}

#[cfg(test)]
mod tests;
