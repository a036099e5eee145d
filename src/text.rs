//! Text of others in messages.

use std::fmt::Write as _;

/// Longest message, in characters. Longer ones are cut.
const MAX_MESSAGE: usize = 400;

/// Whether a character would change the lines around it: controls of the terminal, of lines, and of the direction of writing.
#[must_use]
pub fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
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
        if is_control(c) {
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
        assert_eq!(one_line("a\u{202e}b\u{2069}"), "a\\u{202e}b\\u{2069}");
        for c in ['\u{200e}', '\u{200f}', '\u{202a}', '\u{2066}', '\u{61c}', '\u{2028}'] {
            assert_eq!(one_line(&c.to_string()), format!("\\u{{{:x}}}", u32::from(c)));
        }
        assert_eq!(one_line("\u{5d0}\u{200d}"), "\u{5d0}\u{200d}");
    }

    #[test]
    fn long_messages_are_cut() {
        assert_eq!(one_line(&"x".repeat(5000)).chars().count(), MAX_MESSAGE + 1);
    }
}
