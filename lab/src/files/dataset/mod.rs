//! Datasets: files of games in [viriformat](https://crates.io/crates/viriformat), each with its start position, its
//! moves, the searched score of each move, and the real result.
//!
//! ```
//! use halfpoint::position::Position;
//! use halfpoint::wdl::score::Score;
//! use halfpoint_lab::files::dataset::{self, Ending, Eval, Game, Ply, Writer};
//! use shakmaty::{Color, KnownOutcome};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let start = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", false)?;
//! let m = start.parse_move("a1a8")?;
//! let eval = Eval::of(Score::mate_in(1), Color::White);
//! let outcome = KnownOutcome::Decisive { winner: Color::White };
//! let game = Game { start, plies: vec![Ply { m, eval }], outcome, ending: Ending::Rules };
//!
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("games.vf");
//! let mut writer = Writer::create(&path)?;
//! writer.write(&game)?;
//! writer.finish()?;
//!
//! for game in dataset::read(&path)? {
//!     for (position, ply) in game?.positions() {
//!         println!("{} {:?} {}", position.fen(), ply.m, ply.eval.centipawns());
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Files may be compressed, see [`super::compress`].

mod decode;
mod encode;

pub use encode::{Unstorable, encode};

use super::compress::{self, Output};
use crate::output::error_line;
use halfpoint::position::{Move, Position};
use halfpoint::wdl::model;
use halfpoint::wdl::score::{MAX_SCORE_CP, Score};
use shakmaty::{Color, KnownOutcome};
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A game.
#[derive(Clone, Debug)]
pub struct Game {
    /// The first position, with its halfmove clock and move number.
    pub start: Position,
    /// The moves, each legal after the ones before.
    pub plies: Vec<Ply>,
    /// The real result.
    pub outcome: KnownOutcome,
    /// How the game came to its end.
    pub ending: Ending,
}

/// A move with what the search thought of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub m: Move,
    /// Score of the position in which it was played.
    pub eval: Eval,
}

/// A search's score in 16 bits: [`Score::printed_score_cp`] from White's point of view.
///
/// Estimates lie within ±[`MAX_SCORE_CP`]. A mate is 32,000 and a tablebase win 20,000, less the plies to it, positive
/// if White wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Eval(i16);

/// How a game ended. Files of other programs do not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Not known.
    #[default]
    Unknown,
    /// By rule: mate, stalemate, repetition, fifty moves or insufficient material.
    Rules,
    /// The loser resigned.
    Resigned,
    /// In a position whose result endgame tables tell.
    Tables,
    /// By rule or tables, though a side would have resigned: the game was played on to see whether it was right to.
    PlayedOn {
        /// Whether that side lost.
        right: bool,
    },
}

/// What is wrong with a dataset.
#[derive(Debug, Error)]
pub enum DatasetError {
    /// It cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is nothing in it.
    #[error("{}: not one whole game in it", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The bytes are not those of a legal game.
    #[error("{}: corrupt at byte {offset}: {reason}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Bytes before the wrong ones, uncompressed.
        offset: u64,
        /// What is wrong with them.
        reason: String,
    },
    /// The format has no room for a game.
    #[error("{}: {source}", path.display())]
    Unstorable {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        source: Unstorable,
    },
}

impl Eval {
    /// The score of a search for the side `turn`.
    #[must_use]
    pub fn of(score: Score, turn: Color) -> Eval {
        let centipawns = score.printed_score_cp();
        Eval(turn.fold_wb(centipawns, -centipawns) as i16)
    }

    /// From centipawns, positive for White.
    #[must_use]
    pub const fn from_centipawns(centipawns: i16) -> Eval {
        Eval(centipawns)
    }

    /// Centipawns, positive for White.
    #[must_use]
    pub const fn centipawns(self) -> i16 {
        self.0
    }

    /// Centipawns, positive for `color`.
    #[must_use]
    pub fn for_color(self, color: Color) -> i32 {
        color.fold_wb(i32::from(self.0), -i32::from(self.0))
    }

    /// Whether this stands for a mate or a tablebase win.
    #[must_use]
    pub fn is_exact(self) -> bool {
        i32::from(self.0).abs() > MAX_SCORE_CP
    }

    /// Expected result for White, 0 to 1: the inverse of [`model::centipawns`].
    #[must_use]
    pub fn expected(self) -> f64 {
        // The printed scale is that of wilo without draws.
        model::win_share(f64::from(self.0) / 100.0)
    }
}

impl Game {
    /// Each position in which a move was played, with that move.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Ply)> + '_ {
        let mut position = self.start;
        self.plies.iter().map(move |&ply| {
            let next = position.play(ply.m);
            (std::mem::replace(&mut position, next), ply)
        })
    }

    /// The position at the end.
    #[must_use]
    pub fn last_position(&self) -> Position {
        self.plies.iter().fold(self.start, |position, ply| position.play(ply.m))
    }
}

/// Whether the name of a file says that it is a dataset.
#[must_use]
pub fn is_named(path: &Path) -> bool {
    matches!(compress::ending(path).as_deref(), Some("vf" | "viri" | "viriformat" | "bin"))
}

/// Opens a dataset. The iterator yields its games in order, each checked to be legal, and ends with the first error.
///
/// If the end of the file cuts a game off, that game is dropped with a line on standard error, see
/// [`Reader::truncated`].
///
/// # Errors
///
/// [`DatasetError`] if the file cannot be read or is empty.
pub fn read(path: &Path) -> Result<Reader, DatasetError> {
    let failed = |source| DatasetError::Io { path: path.to_owned(), source };
    let mut input = compress::open(path).map_err(failed)?;
    let is_empty = match input.fill_buf() {
        Ok(bytes) => bytes.is_empty(),
        // A compressed file that was cut off at once.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => true,
        Err(error) => return Err(failed(error)),
    };
    if is_empty {
        return Err(DatasetError::Empty { path: path.to_owned() });
    }
    Ok(Reader {
        path: path.to_owned(),
        input,
        raw: Vec::new(),
        unfinished: Vec::new(),
        offset: 0,
        games: 0,
        truncated: false,
        done: false,
    })
}

/// The games of a dataset, see [`read`].
pub struct Reader {
    path: PathBuf,
    input: Box<dyn BufRead + Send>,
    raw: Vec<u8>,
    /// Bytes of the game that is being read.
    unfinished: Vec<u8>,
    offset: u64,
    games: u64,
    truncated: bool,
    done: bool,
}

impl Reader {
    /// Bytes of the whole games read so far, uncompressed.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The bytes of the last whole game.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.raw
    }

    /// Whether the end of the file cut a game off; known after the last game.
    #[must_use]
    pub fn truncated(&self) -> bool {
        self.truncated
    }
}

impl Iterator for Reader {
    type Item = Result<Game, DatasetError>;

    fn next(&mut self) -> Option<Result<Game, DatasetError>> {
        if self.done {
            return None;
        }
        let path = || self.path.clone();
        let failure = match decode::game(&mut self.input, &mut self.unfinished) {
            Ok(game) => {
                std::mem::swap(&mut self.raw, &mut self.unfinished);
                self.offset += self.raw.len() as u64;
                self.games += 1;
                return Some(Ok(game));
            }
            Err(decode::Failure::End) if self.games > 0 => None,
            Err(decode::Failure::Truncated) => {
                self.truncated = true;
                error_line(format_args!(
                    "warning: {}: the file ends within the game that begins at byte {}, which is dropped",
                    self.path.display(),
                    self.offset
                ));
                (self.games == 0).then(|| DatasetError::Empty { path: path() })
            }
            Err(decode::Failure::End) => Some(DatasetError::Empty { path: path() }),
            Err(decode::Failure::Corrupt { at, reason }) => {
                Some(DatasetError::Corrupt { path: path(), offset: self.offset + at, reason })
            }
            Err(decode::Failure::Io(source)) => Some(DatasetError::Io { path: path(), source }),
        };
        self.done = true;
        failure.map(Err)
    }
}

/// Writes a dataset.
pub struct Writer {
    path: PathBuf,
    output: Output,
    bytes: Vec<u8>,
}

impl Writer {
    /// Creates a file, compressed if its name says so.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Io`] if the file cannot be created or exists.
    pub fn create(path: &Path) -> Result<Writer, DatasetError> {
        let failed = |source| DatasetError::Io { path: path.to_owned(), source };
        Ok(Writer { path: path.to_owned(), output: Output::create(path).map_err(failed)?, bytes: Vec::new() })
    }

    /// Writes a game.
    ///
    /// # Errors
    ///
    /// [`DatasetError`] if the format has no room for it or the file cannot be written.
    pub fn write(&mut self, game: &Game) -> Result<(), DatasetError> {
        self.bytes.clear();
        encode(game, &mut self.bytes).map_err(|source| DatasetError::Unstorable { path: self.path.clone(), source })?;
        self.output.write_all(&self.bytes).map_err(|source| DatasetError::Io { path: self.path.clone(), source })
    }

    /// Writes what is left to the file.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Io`] if the file cannot be written.
    pub fn finish(self) -> Result<(), DatasetError> {
        self.output.finish().map_err(|source| DatasetError::Io { path: self.path, source })
    }
}

#[cfg(test)]
mod tests;
