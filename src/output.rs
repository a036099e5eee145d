//! Lines to the client or user, on standard output.

use std::fmt::{Display, Write as _};
use std::io::{Write as _, stdout};

/// Longest message, in characters. Longer ones are cut.
const MAX_MESSAGE: usize = 400;

/// Prints one line, whole even if several threads print. Errors are ignored: when the client is gone, the end of input
/// ends the session.
pub fn line(text: impl Display) {
    let text = format!("{text}\n");
    let mut out = stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints a message for the user as one `info string` line.
pub fn info_string(text: impl Display) {
    line(format_args!("info string {}", one_line(&text.to_string())));
}

/// The text with control characters escaped, cut after 400 characters.
#[must_use]
pub fn one_line(text: &str) -> String {
    let mut escaped = String::new();
    for (index, c) in text.chars().enumerate() {
        if index == MAX_MESSAGE {
            escaped.push('…');
            break;
        }
        if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
            let _ = write!(escaped, "{}", c.escape_default());
        } else {
            escaped.push(c);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_stay_on_one_line() {
        assert_eq!(one_line("a\nb\r\0c\u{85}"), "a\\nb\\r\\u{0}c\\u{85}");
        assert_eq!(one_line("Übung"), "Übung");
    }

    #[test]
    fn long_messages_are_cut() {
        assert_eq!(one_line(&"x".repeat(5000)).chars().count(), MAX_MESSAGE + 1);
    }
}
