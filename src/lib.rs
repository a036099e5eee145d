//! Halfpoint: a chess engine whose evaluation is a win/draw/loss model.
//!
//! Every score is a pair: the expected result and the draw probability. So a search answers not only with centipawns but
//! with the chances of a win, a draw and a loss.
//!
//! ```
//! use halfpoint::analysis::{Analyser, AnalysisOptions};
//! use halfpoint::position::{GameHistory, Position};
//! use halfpoint::printing::WdlFor;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Opposite-coloured bishops, White is a pawn up.
//! let position = Position::from_fen("4k3/3b4/1p3p2/p1p1p1p1/P1P1P1P1/1P3PP1/3B4/4K3 w - - 0 1", false)?;
//! let mut options = AnalysisOptions::default();
//! (options.search.nodes, options.search.depth) = (None, Some(8));
//! let report = Analyser::new(options)?.position(&GameHistory::new(position), &WdlFor::Nominal)?;
//!
//! // As the engine prints them: in games between equals of its own strength.
//! let [win, draw, loss] = report.wdl;
//! println!("{:?} cp, W/D/L {win}/{draw}/{loss} per mille", report.eval);
//! assert_eq!(win + draw + loss, 1000);
//! assert!(draw > 700 && win > loss);
//! # Ok(())
//! # }
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | [`position`] | board, moves, move generation, static exchange evaluation, game history |
//! | [`wdl`] | the draw model, and scores |
//! | [`eval`] | the evaluation: two scores from the features of a position |
//! | [`tablebase`] | Syzygy tablebases |
//! | [`search`] | alpha-beta search with any number of threads |
//! | [`printing`] | what people see of a score: W/D/L for whom, centipawns |
//! | [`human`] | how people of a rating move |
//! | [`games`] | reader of PGN, EPD and `FEN;result` |
//! | [`analysis`] | games and positions to reports |
//! | [`params`] | parameter files |
//!
//! | feature | what it adds |
//! |---|---|
//! | `compressed` | [`games::open`] reads gzip and Zstandard; without it, that is an error |
//! | `syzygy` | [`tablebase`] reads tables; without it, none are found |
//! | `cli` | the binary, and what it is made of: [`uci`], [`output`], [`progress`], [`files`] |
//!
//! All are on by default. To build on the library, take `default-features = false` and those that are needed.
//!
//! The library also runs where there are neither threads nor files, such as `wasm32-unknown-unknown`: a search with one
//! thread starts no other, and opening a file is an error. A search needs [`search::STACK_BYTES`] of stack, and on
//! `wasm32-unknown-unknown` a clock, given by `set_clock`, if time is to limit it.
// A closed standard output or error is no reason to panic.
#![deny(missing_docs, clippy::print_stdout, clippy::print_stderr)]

pub mod analysis;
mod clock;
pub mod eval;
#[cfg(feature = "cli")]
pub mod files;
pub mod games;
pub mod human;
#[cfg(feature = "cli")]
pub mod output;
pub mod params;
pub mod position;
pub mod printing;
#[cfg(feature = "cli")]
pub mod progress;
mod random;
pub mod search;
#[cfg(feature = "cli")]
mod stdout_state;
pub mod tablebase;
mod text;
#[cfg(feature = "cli")]
pub mod uci;
pub mod wdl;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use clock::set_clock;

/// Version of the engine, with the commit in a build of `scripts/release.sh`, such as `0.1.0-43be3c6`.
pub const VERSION: &str = match option_env!("HALFPOINT_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};
