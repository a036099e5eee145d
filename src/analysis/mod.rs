//! Analysis that people look at: games or positions in; a page, annotated PGN and JSON out.
//!
//! | module | holds |
//! |---|---|
//! | [`command`] | the command `halfpoint analyse` |
//! | [`input`], [`source`] | games and positions to analyse |
//! | [`search`], [`driver`], [`journal`] | searches side by side, and unfinished work |
//! | [`players`] | whose games W/D/L are for |
//! | [`measures`], [`lichess`] | what a move cost; accuracy as lichess computes it |
//! | [`report`], [`position`], [`assess`] | what is told of a game |
//! | [`suite`] | the command `halfpoint suite` |
//! | [`html`], [`pgn`], [`json_lines`] | the forms in which it is told |

pub mod assess;
pub mod command;
pub mod driver;
mod files;
pub mod html;
pub mod input;
pub mod journal;
pub mod json_lines;
pub mod lichess;
pub mod measures;
mod moments;
pub mod pgn;
pub mod players;
pub mod position;
pub mod report;
pub mod search;
pub mod source;
pub mod suite;
mod summary;
