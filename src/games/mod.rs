//! Games and positions as text: the one reader of PGN, EPD and lines `FEN;result`.
//!
//! Games are first cut apart ([`GameTexts`]), one after the other, then read ([`GameText::parse`]), on as many threads as one
//! likes. A game is read as a whole or not at all: a word that is no move, or an illegal move, is an error that names the word
//! and its place, and the games behind it are read all the same.
//!
//! Comments, judgements and variations are kept where [`ReadOptions::keep_notes`] asks for it, so that a game can be written
//! again. The moves of variations are not read. A tag ends at a quote before a bracket. Comments in braces nest if their braces
//! balance; one without an end ends before the tags of the next game, and breaks the game.
//!
//! ```
//! use halfpoint::games::{CommentEval, GameTexts, ReadOptions};
//!
//! let pgn = "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 {+0.35/12 0.5s} e5 2. Sf3 1-0\n\n\
//!            [White \"B\"]\n[Result \"0-1\"]\n\n1. e4 {+0.35/12 0.5s} e5 0-1\n";
//! let games: Vec<_> = GameTexts::new(pgn.as_bytes())
//!     .map(|text| Ok(text?.parse(&ReadOptions::default())))
//!     .collect::<std::io::Result<_>>()?;
//!
//! let broken = games[0].as_ref().unwrap_err();
//! assert_eq!(broken.to_string(), "game 1, line 4: 'Sf3' is no move");
//! let game = games[1].as_ref().unwrap();
//! assert_eq!(game.tags.get("White"), Some("B"));
//! assert_eq!(game.outcome.unwrap().as_str(), "0-1");
//! assert_eq!(game.moves[0].remarks.evaluation, Some(CommentEval::Pawns(0.35)));
//! # Ok::<(), std::io::Error>(())
//! ```
#![doc = include_str!("README.md")]

mod comment;
mod detect;
mod fault;
mod line_ends;
mod lines;
mod notation;
mod notes;
mod open;
mod parse;
mod result;
mod scan;
mod signs;
mod split;
mod start;
mod tags;

#[cfg(test)]
mod tests;

pub use comment::{CommentEval, Remarks, is_of_match_runner};
pub use detect::TextFormat;
pub use fault::{BrokenGame, GameFault, GameWarning, MoveNumber, Quoted, WarningKind};
pub use lines::{BrokenLine, LineText, LineTexts, PositionLine};
pub use notation::{move_words, read_move, without_number};
pub use notes::{Note, Notes, without_braces};
pub use open::{STANDARD_INPUT, decompressed, open};
pub use parse::{GameRecord, MAX_PLIES, PlayedMove, ReadOptions, ReplaceFen};
pub use result::{Exclusion, Marker, ResultConflict};
pub use split::{GameText, GameTexts};
pub use start::{CastlingRights, names_chess960, set_up};
pub use tags::Tags;
