//! Datasets: files of games in [viriformat](https://crates.io/crates/viriformat), each with its start position, its
//! moves, the searched score of each move, and the real result. They may be compressed.

mod format;

pub use format::encode;

use crate::writing::ending;
use anyhow::{Context, Result, anyhow};
use format::Failure;
use halfpoint::output::error_line;
use halfpoint::position::{Move, Position};
use halfpoint::wdl::model;
use halfpoint::wdl::score::{MAX_SCORE_CP, Score};
use shakmaty::{Color, KnownOutcome};
use std::io::BufRead;
use std::path::{Path, PathBuf};

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

impl Eval {
    /// The score of a search for the side `turn`.
    pub fn of(score: Score, turn: Color) -> Eval {
        let centipawns = score.printed_score_cp();
        Eval(turn.fold_wb(centipawns, -centipawns) as i16)
    }

    /// From centipawns, positive for White.
    pub const fn from_centipawns(centipawns: i16) -> Eval {
        Eval(centipawns)
    }

    /// Centipawns, positive for White.
    pub const fn centipawns(self) -> i16 {
        self.0
    }

    /// Centipawns, positive for `color`.
    pub fn for_color(self, color: Color) -> i32 {
        color.fold_wb(i32::from(self.0), -i32::from(self.0))
    }

    /// Whether this stands for a mate or a tablebase win.
    pub fn is_exact(self) -> bool {
        i32::from(self.0).abs() > MAX_SCORE_CP
    }

    /// Expected result for White, 0 to 1: the inverse of [`model::centipawns`].
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
    pub fn last_position(&self) -> Position {
        self.plies.iter().fold(self.start, |position, ply| position.play(ply.m))
    }
}

/// Whether the name of a file says that it is a dataset.
pub fn is_named(path: &Path) -> bool {
    matches!(ending(path).as_deref(), Some("vf" | "viri" | "viriformat" | "bin"))
}

/// Whether bytes begin with a legal position and a result as the games of a dataset do. No text does.
pub fn begins(bytes: &[u8]) -> bool {
    format::is_header(bytes)
}

/// Opens a dataset. The iterator yields its games in order, each checked to be legal, and ends with the first error, which
/// it is if there is none. A game that the end of the file cuts off is dropped with a line on standard error.
pub fn read(path: &Path) -> Result<Reader> {
    let input = halfpoint::games::open(path).with_context(|| path.display().to_string())?;
    Ok(Reader::new(path, input))
}

/// The games of a dataset, see [`read`].
pub struct Reader {
    path: PathBuf,
    input: Box<dyn BufRead + Send>,
    raw: Vec<u8>,
    /// Bytes of the game that is being read.
    unfinished: Vec<u8>,
    offset: u64,
    truncated: bool,
    done: bool,
}

impl Reader {
    /// The games of a file or pipe that is open.
    pub fn new(path: &Path, input: Box<dyn BufRead + Send>) -> Reader {
        let (raw, unfinished) = (Vec::new(), Vec::new());
        Reader { path: path.to_owned(), input, raw, unfinished, offset: 0, truncated: false, done: false }
    }

    /// Bytes of the whole games read so far, uncompressed.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The bytes of the last whole game.
    pub fn bytes(&self) -> &[u8] {
        &self.raw
    }

    /// Whether the end of the file cut a game off; known after the last game.
    pub fn truncated(&self) -> bool {
        self.truncated
    }

    /// The next game; `None` at the end, also of a file without games.
    pub fn read_game(&mut self) -> Result<Option<Game>> {
        let path = || self.path.display().to_string();
        match format::decode(&mut self.input, &mut self.unfinished) {
            Ok(game) => {
                std::mem::swap(&mut self.raw, &mut self.unfinished);
                self.offset += self.raw.len() as u64;
                Ok(Some(game))
            }
            Err(Failure::End) => Ok(None),
            Err(Failure::Truncated) => {
                self.truncated = true;
                error_line(format_args!(
                    "warning: {}: the file ends within the game that begins at byte {}, which is dropped",
                    path(),
                    self.offset
                ));
                Ok(None)
            }
            Err(Failure::Corrupt { at, reason }) => {
                let is_start = self.offset == 0 && at < format::HEADER as u64;
                let doubt = if is_start { " (is it a dataset of `datagen`?)" } else { "" };
                Err(anyhow!("{}: corrupt at byte {}: {reason}{doubt}", path(), self.offset + at))
            }
            Err(Failure::Io(reason)) => Err(reason).with_context(path),
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Game>;

    fn next(&mut self) -> Option<Result<Game>> {
        if self.done {
            return None;
        }
        let game = self.read_game().transpose();
        self.done = !matches!(game, Some(Ok(_)));
        let empty = || anyhow!("{}: not one whole game in it", self.path.display());
        game.or_else(|| (self.offset == 0).then(|| Err(empty())))
    }
}

#[cfg(test)]
mod tests;
