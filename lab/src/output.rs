//! Lines on standard output and standard error.

use std::fmt::Display;
use std::io::{Write, stderr, stdout};

/// Prints one line. A closed output is ignored.
pub fn line(text: impl Display) {
    let mut out = stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// Prints one line on standard error. A closed one, as behind `2>&1 | head`, is ignored: what is worked on goes on.
pub fn error_line(text: impl Display) {
    let _ = writeln!(stderr().lock(), "{text}");
}

/// The text on one line, control characters escaped.
#[must_use]
pub fn one_line(text: &str) -> String {
    let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escape).collect()
}
