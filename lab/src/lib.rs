//! Self-play, tuning and calibration for the chess engine Halfpoint.
#![deny(missing_docs)]
// A closed standard error ends the program there; `output::error_line` does not.
#![deny(clippy::print_stderr)]

pub mod calibration;
pub mod files;
pub mod output;
pub mod selfplay;
pub mod stats;
pub mod tuning;
