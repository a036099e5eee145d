//! The Universal Chess Interface, as far as a binary starts it: a session, bench, perft and the explained
//! evaluation.
//!
//! A session reads commands on one thread and searches on another, so it listens while it thinks. A line that it does not
//! understand is answered with one `info string` line and changes nothing.

pub mod bench;
pub mod evaluation;
pub mod perft;

mod commands;
mod console;
mod contempt;
mod current_game;
mod display;
mod error;
mod genfens;
mod go;
mod help;
mod opponent;
mod option_values;
mod options;
mod report;
mod session;
mod wdl_choice;
mod words;

pub use commands::is_command;
pub use help::version;
pub use session::{StartError, run, run_arguments};
