//! Openings for OpenBench: `genfens N seed S book B [plies P]`.

use super::error::CommandError;
use super::words::number;
use crate::output::line;
use crate::position::{GameHistory, Position};
use crate::random::SplitMix64;
use crate::search::{Limits, OutOfMemory, Pool, Settings, Signals};
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::RangeInclusive;
use thiserror::Error;

/// Most openings of one command.
const MAX_COUNT: u64 = 1_000_000;
/// Most random moves, in plies.
const MAX_PLIES: u64 = 60;
/// Random moves from the start position, in plies.
const PLIES: u64 = 8;
/// The same from a position of a book.
const BOOK_PLIES: u64 = 2;
/// Largest book, in bytes.
const MAX_BOOK: u64 = 1 << 30;
/// Tries for an opening before the source counts as unusable.
const TRIES: usize = 1000;
/// Nodes of the search that judges an opening.
const NODES: u64 = 1000;
/// Expected results for the side to move of openings that are worth playing.
const BALANCED: RangeInclusive<f64> = 0.2..=0.8;
/// Size of the transposition table, in MiB.
const HASH_MIB: usize = 1;

/// What openings are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenFens {
    /// How many.
    count: u64,
    /// The same seed gives the same openings.
    seed: u64,
    /// File with a position in each line; `None` for the start position.
    book: Option<String>,
    /// Random moves from there, in plies; every other opening has one more.
    plies: Option<u64>,
}

/// Why there are no openings.
#[derive(Debug, Error)]
pub enum GenFensError {
    #[error("genfens: {0}")]
    Hash(#[from] OutOfMemory),
    #[error("genfens: {path}: {source}")]
    Book { path: String, source: io::Error },
    #[error("genfens: no balanced opening in {TRIES} tries; the last was from '{0}'")]
    Unusable(String),
}

impl GenFens {
    /// Reads what follows the command's name.
    ///
    /// # Errors
    ///
    /// [`CommandError`] with the word that is not understood.
    pub fn parse(rest: &str) -> Result<GenFens, CommandError> {
        let mut words = rest.split_whitespace();
        let mut asked =
            GenFens { count: number("genfens", words.next(), 1, MAX_COUNT)?, seed: 0, book: None, plies: None };
        while let Some(word) = words.next() {
            match word {
                "seed" => asked.seed = number("genfens seed", words.next(), 0, u64::MAX)?,
                "plies" => asked.plies = Some(number("genfens plies", words.next(), 0, MAX_PLIES)?),
                "book" => {
                    let missing =
                        || CommandError::Missing { place: "genfens book", expected: "'None' or a file".into() };
                    let book = words.next().ok_or_else(missing)?;
                    asked.book = Some(book.to_owned()).filter(|book| !book.eq_ignore_ascii_case("none"));
                }
                _ => return Err(CommandError::Unexpected { place: "genfens", token: word.to_owned() }),
            }
        }
        Ok(asked)
    }

    /// Prints the openings, each as `info string genfens FEN`. A short search with an empty table leaves out those that one
    /// side has as good as won.
    ///
    /// # Errors
    ///
    /// [`GenFensError`] if the book cannot be read or nothing in it can be played from.
    pub fn run(&self, pool: &Pool, signals: &Signals, is_cancelled: &dyn Fn() -> bool) -> Result<(), GenFensError> {
        let text = self.book.as_deref().map_or_else(|| Ok(Position::default().fen()), read_book)?;
        let text = text.trim_start_matches('\u{feff}');
        let starts: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let plies = self.plies.unwrap_or(if self.book.is_some() { BOOK_PLIES } else { PLIES });
        let mut pool = pool.like(HASH_MIB, 1)?;
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let mut random = SplitMix64::new(self.seed);
        for index in 0..self.count {
            let mut start = "";
            let opening = (0..TRIES).find_map(|_| {
                start = starts.get(below(starts.len(), &mut random)?)?;
                let position = draw(start, plies + index % 2, &mut random)?;
                pool.clear();
                let game = GameHistory::new(position);
                game.outcome().is_none().then_some(())?;
                let answer = pool.search(&game, &limits, &Settings::default(), signals, &mut |_| {});
                let is_balanced = answer.score.is_heuristic() && BALANCED.contains(&answer.score.expected());
                (is_balanced || is_cancelled()).then(|| game.position().fen())
            });
            if is_cancelled() {
                return Ok(());
            }
            line(format_args!("info string genfens {}", opening.ok_or_else(|| GenFensError::Unusable(start.into()))?));
        }
        Ok(())
    }
}

fn read_book(path: &str) -> Result<String, GenFensError> {
    let read = || {
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        if metadata.len() > MAX_BOOK {
            return Err(io::Error::other(format!("more than {MAX_BOOK} bytes")));
        }
        let mut text = String::new();
        File::open(path)?.take(MAX_BOOK).read_to_string(&mut text)?;
        Ok(text)
    };
    read().map_err(|source| GenFensError::Book { path: path.to_owned(), source })
}

/// The position after random moves; `None` if it is none, or has no moves.
fn draw(start: &str, plies: u64, random: &mut SplitMix64) -> Option<Position> {
    // Rights of Chess960 are no fault of a book.
    let strict = Position::from_fen(start, false).or_else(|_| Position::from_fen(start, true));
    let mut position =
        strict.or_else(|_| Position::from_fen_mended(start, false).map(|(position, _)| position)).ok()?;
    for _ in 0..plies {
        let moves = position.legal_moves();
        position = position.play(moves[below(moves.len(), random)?]);
    }
    (!position.has_no_moves()).then_some(position)
}

/// A random number below `end`; `None` if there is none.
fn below(end: usize, random: &mut SplitMix64) -> Option<usize> {
    (end > 0).then(|| (random.next() % end as u64) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_as_openbench_sends_them() {
        let asked = GenFens::parse(" 16 seed 7 book Books/8moves.epd ").unwrap();
        assert_eq!(asked, GenFens { count: 16, seed: 7, book: Some("Books/8moves.epd".into()), plies: None });
        let asked = GenFens::parse("1 seed 18446744073709551615 book NONE plies 12").unwrap();
        assert_eq!(asked, GenFens { count: 1, seed: u64::MAX, book: None, plies: Some(12) });
        for (arguments, named) in [
            ("", "genfens"),
            ("0", "'0'"),
            ("2 seed", "seed"),
            ("2 book", "book"),
            ("2 plies 61", "'61'"),
            ("2 x", "'x'"),
        ] {
            let message = GenFens::parse(arguments).unwrap_err().to_string();
            assert!(message.contains(named), "{arguments}: {message}");
        }
    }
}
