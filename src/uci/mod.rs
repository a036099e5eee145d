//! The Universal Chess Interface, as far as a binary starts it: a session, bench and perft.
//!
//! A session reads commands on one thread and searches on another, so it listens while it thinks. A line that it does not
//! understand is answered with one `info string` line and changes nothing.

pub mod bench;
pub mod perft;

mod command;
mod console;
mod contempt;
mod display;
mod error;
mod go;
mod help;
mod level;
mod options;
mod output;
mod report;
mod session;
mod set_option;

pub use output::{line, one_line};
pub use session::{StartError, run};
