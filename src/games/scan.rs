//! Where the parts of PGN text begin and end.

use super::result::Marker;
use std::ops::Range;

/// The byte order mark of UTF-8. Files joined from others hold it anywhere.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// A no-break space in UTF-8.
const NO_BREAK_SPACE: &[u8] = b"\xc2\xa0";
/// What DOS programs wrote at the end of a text file.
const DOS_END: u8 = 0x1a;

/// Length of the white space at the start, line ends included.
pub(super) fn space(text: &[u8]) -> usize {
    let mut rest = text;
    loop {
        rest = match rest {
            [b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c | DOS_END, after @ ..] => after,
            _ => match rest.strip_prefix(BYTE_ORDER_MARK).or_else(|| rest.strip_prefix(NO_BREAK_SPACE)) {
                Some(after) => after,
                None => return text.len() - rest.len(),
            },
        };
    }
}

/// Number of blanks and tabs at the start.
fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Length of the rest of the line, its end not included.
pub(super) fn line(text: &[u8]) -> usize {
    text.iter().position(|&byte| matches!(byte, b'\n' | b'\r')).unwrap_or(text.len())
}

/// A tag pair such as `[White "Deep Blue"]`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TagPair {
    pub name: Range<usize>,
    /// Without the quotes; none if the tag is malformed.
    pub value: Option<Range<usize>>,
    /// Whether a quote follows the name, so that this is certainly meant as a tag.
    pub is_quoted: bool,
    pub end: usize,
}

/// The tag pair at the start of the text. It ends with its line at the latest.
///
/// A value may have quotes in it that are not escaped: it ends at a quote before a bracket.
pub(super) fn tag(text: &[u8]) -> Option<TagPair> {
    let inner = text.strip_prefix(b"[")?;
    let start = 1 + blanks(inner);
    let is_symbol = |byte: &u8| byte.is_ascii_alphanumeric() || b"_+#=:-".contains(byte);
    let length = text[start..].iter().take_while(|byte| is_symbol(byte)).count();
    if length == 0 {
        return None;
    }
    let name = start..start + length;
    let quote = name.end + blanks(&text[name.end..]);
    let is_quoted = text.get(quote) == Some(&b'"');
    let ends = |escaped: bool| {
        let mut at = quote + 1;
        while at < text.len() && text[at] != b'\n' {
            match text[at] {
                b'\\' if escaped && text.get(at + 1) != Some(&b'\n') => at += 1,
                b'"' => {
                    let bracket = at + 1 + blanks(&text[at + 1..]);
                    if text.get(bracket) == Some(&b']') {
                        return Some((at, bracket + 1));
                    }
                }
                _ => {}
            }
            at += 1;
        }
        None
    };
    // A value may end with a backslash that escapes nothing, such as a folder of Windows.
    let found = if is_quoted { ends(true).or_else(|| ends(false)) } else { None };
    Some(match found {
        Some((value_end, end)) => TagPair { name, value: Some(quote + 1..value_end), is_quoted, end },
        None => {
            let text = &text[..line(text)];
            let end = text.iter().position(|&byte| byte == b']').map_or(text.len(), |bracket| bracket + 1);
            TagPair { name, value: None, is_quoted, end }
        }
    })
}

/// Bytes that belong to a word wherever they stand in it.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = b'!' as usize;
    while byte < 0x80 {
        plain[byte] = !matches!(byte as u8, b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'$');
        byte += 1;
    }
    plain
};

/// Length of the word at the start: up to white space or a character that stands for itself. A promotion in parentheses,
/// `a8(Q)`, belongs to its word.
pub(super) fn word(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        at += text[at..].iter().take_while(|&&byte| PLAIN[usize::from(byte)]).count();
        match text[at..] {
            [] | [b'{' | b'}' | b')' | b'[' | b']' | b';', ..] => return at,
            [b'(', b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n', b')', ..] if at > 0 => at += 3,
            [b'(', ..] => return at,
            [b'$', ..] if at > 0 => return at,
            _ if space(&text[at..]) > 0 => return at,
            _ => at += 1,
        }
    }
}

/// Whether a word ends a game: a result, or a move with a result glued to it.
pub(super) fn ends_game(word: &[u8]) -> bool {
    Marker::split(word).is_some()
}

/// The end of a comment in braces, behind its last brace; `text` begins behind the first. Comments nest if their braces
/// balance; else the first closing brace ends the comment, as in the standard.
pub(super) fn comment(text: &[u8]) -> Option<usize> {
    let first = text.iter().position(|&byte| byte == b'}')? + 1;
    if !text[..first].contains(&b'{') {
        return Some(first);
    }
    let mut depth = 1;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(text: &str) -> Option<(&str, Option<&str>, &str)> {
        let tag = tag(text.as_bytes())?;
        Some((&text[tag.name], tag.value.map(|value| &text[value]), &text[tag.end..]))
    }

    #[test]
    fn tags_end_at_a_quote_before_a_bracket() {
        assert_eq!(pair("[Event \"3rd \"Golden\" Open\"] x"), Some(("Event", Some("3rd \"Golden\" Open"), " x")));
        assert_eq!(pair("[ Event\t\"a\\\"] b\" ]"), Some(("Event", Some("a\\\"] b"), "")));
        assert_eq!(pair("[Site\"C:\\\"]"), Some(("Site", Some("C:\\"), "")));
        assert_eq!(pair("[A \"{\"][B \"\"]"), Some(("A", Some("{"), "[B \"\"]")));
        assert_eq!(pair("[WhiteElo 2100] 1. e4"), Some(("WhiteElo", None, " 1. e4")));
        assert_eq!(pair("[Event \"open\n\"]"), Some(("Event", None, "\n\"]")));
        assert_eq!(pair("[%clk 1:00]"), None);
    }

    #[test]
    fn words_end_at_what_stands_for_itself() {
        for (text, expected) in [
            ("e4{x}", "e4"),
            ("e4;x", "e4"),
            ("e4)", "e4"),
            ("e4!$1", "e4!"),
            ("$1$2", "$1"),
            ("a8(Q)+ b", "a8(Q)+"),
            ("e4(e5)", "e4"),
            ("1-0[Event", "1-0"),
            ("½-½\u{feff}x", "½-½"),
            ("Nf3\u{a0}d5", "Nf3"),
            ("", ""),
        ] {
            assert_eq!(&text[..word(text.as_bytes())], expected);
        }
    }

    #[test]
    fn comments_nest_where_their_braces_balance() {
        for (text, expected) in [("a} b", 2), ("a {b} c} d", 8), (":-{ } e5", 5), ("{} {}", 2)] {
            assert_eq!(comment(text.as_bytes()), Some(expected), "{text}");
        }
        assert_eq!(comment(b"no end"), None);
    }
}
