//! The answers to `uci` and `help`.

use super::{bench, commands, options};
use crate::VERSION;
use crate::output::line;
use std::sync::LazyLock;

/// Version of the engine, and the node count of its `bench`: `VERSION (bench N)`.
#[must_use]
pub fn version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| format!("{VERSION} (bench {})", bench::SIGNATURE));
    &TEXT
}

/// Says to somebody at a terminal what to type.
pub fn greet() {
    line(format_args!("Halfpoint {}, a UCI chess engine: 'help' lists the commands, 'quit' ends", version()));
}

/// Answers `uci`.
pub fn introduce() {
    line(format_args!("id name Halfpoint {}", version()));
    line("id author the Halfpoint authors");
    options::declarations().for_each(line);
    line("uciok");
}

/// Answers `help`.
pub fn help() {
    line("Commands:");
    commands::descriptions().for_each(line);
    line("Options:");
    options::descriptions().for_each(line);
}
