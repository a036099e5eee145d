//! Where the parts of PGN text begin and end.

use super::notation::Notation;
use super::result::{Marker, is_both_lose};
use super::signs::{is_invisible, plain};
use std::ops::Range;

/// The byte order mark of UTF-8. Files joined from others hold it anywhere.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// Where a line may be broken; pages have it between words.
const ZERO_WIDTH_SPACE: char = '\u{200b}';
/// What DOS programs wrote at the end of a text file.
const DOS_END: u8 = 0x1a;

/// Length of the white space at the start, line ends included. Pages and documents put spaces of all widths, and characters that
/// nobody sees, into games that are copied from them.
pub(super) fn space(text: &[u8]) -> usize {
    space_of(text, |byte| matches!(byte, b'\r' | b'\n'))
}

/// Length of the white space at the start, without line ends.
fn blanks(text: &[u8]) -> usize {
    space_of(text, |_| false)
}

fn space_of(text: &[u8], is_line_end: impl Fn(u8) -> bool) -> usize {
    let mut rest = text;
    while let Some(&first) = rest.first() {
        let length = match first {
            b' ' | b'\t' | 0x0b | 0x0c | DOS_END => 1,
            0x80.. if rest.starts_with(BYTE_ORDER_MARK) => BYTE_ORDER_MARK.len(),
            0x80.. => match letter(rest) {
                (letter, length) if letter.is_whitespace() || letter == ZERO_WIDTH_SPACE || is_invisible(letter) => {
                    length
                }
                _ => break,
            },
            byte if is_line_end(byte) => 1,
            _ => break,
        };
        rest = &rest[length..];
    }
    text.len() - rest.len()
}

/// The letter at the start of a text that is not empty, with its length: of UTF-8, or else of Latin-1.
fn letter(text: &[u8]) -> (char, usize) {
    let length = match text[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    let found =
        text.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok()).and_then(|text| text.chars().next());
    found.map_or((char::from(text[0]), 1), |letter| (letter, length))
}

/// Length of the rest of the line, its end not included.
pub(super) fn line(text: &[u8]) -> usize {
    text.iter().position(|&byte| matches!(byte, b'\n' | b'\r')).unwrap_or(text.len())
}

/// Number of line ends.
pub(super) fn lines(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'\n').count()
}

/// A tag pair such as `[White "Deep Blue"]`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TagPair {
    /// Empty if the tag is malformed and has none.
    pub name: Range<usize>,
    /// Without the quotes; none if the tag is malformed.
    pub value: Option<Range<usize>>,
    /// Whether a quote follows the name, so that this is certainly meant as a tag.
    pub is_quoted: bool,
    /// Whether it is malformed because it is longer than any tag may be. It ends with the first quote before a bracket beyond the
    /// limit, or with its line.
    pub is_too_long: bool,
    pub end: usize,
}

impl TagPair {
    /// Whether it is a value without an end, which may follow in other lines.
    pub fn is_open(&self) -> bool {
        self.is_quoted && self.value.is_none() && !self.is_too_long
    }
}

/// Most malformed tags of a game that are left out.
pub(super) const MAX_MALFORMED_TAGS: usize = 100;

/// Longest tag pair, bytes.
const MAX_TAG_BYTES: usize = 1 << 14;

/// The tag pair at the start of the text, if there is a bracket. It ends with its line at the latest.
///
/// A value may have quotes in it that are not escaped: it ends at a quote before a bracket.
pub(super) fn tag(text: &[u8]) -> Option<TagPair> {
    let (whole, text) = (text, &text[..text.len().min(MAX_TAG_BYTES)]);
    let (name, quote) = tag_name(text)?;
    let is_quoted = name.start < name.end && text.get(quote) == Some(&b'"');
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
        Some((value_end, end)) => {
            TagPair { name, value: Some(quote + 1..value_end), is_quoted, is_too_long: false, end }
        }
        None if is_quoted && line(text) == MAX_TAG_BYTES => {
            TagPair { name, value: None, is_quoted, is_too_long: true, end: end_of_long_tag(&whole[..line(whole)]) }
        }
        None => {
            let text = &text[..line(text)];
            let end = text.iter().position(|&byte| byte == b']').map_or(text.len(), |bracket| bracket + 1);
            TagPair { name, value: None, is_quoted, is_too_long: false, end }
        }
    })
}

/// The name of a tag pair at the start of the text, which may be empty, and where its value begins.
fn tag_name(text: &[u8]) -> Option<(Range<usize>, usize)> {
    let inner = text.strip_prefix(b"[")?;
    let start = 1 + blanks(inner);
    let is_symbol = |byte: &u8| byte.is_ascii_alphanumeric() || b"_+#=:-".contains(byte);
    let length = text[start..].iter().take_while(|byte| is_symbol(byte)).count();
    let name = start..start + length;
    let value = name.end + blanks(&text[name.end..]);
    Some((name, value))
}

/// Whether the text begins with what is certainly meant as a tag.
pub(super) fn is_quoted_tag(text: &[u8]) -> bool {
    let text = &text[..text.len().min(MAX_TAG_BYTES)];
    tag_name(text).is_some_and(|(name, value)| !name.is_empty() && text.get(value) == Some(&b'"'))
}

/// The end of a tag pair that is too long to be looked through for all that it may be: the first quote before a bracket, or else
/// the end of the line.
fn end_of_long_tag(line: &[u8]) -> usize {
    let is_end = |at: &usize| line[*at] == b'"' && line.get(at + 1) == Some(&b']');
    (MAX_TAG_BYTES - 1..line.len()).find(is_end).map_or(line.len(), |quote| quote + 2)
}

/// Whether a word at the start of the text, and of its line, can begin a game without tags. Other text before a game is about
/// it.
pub(super) fn begins_moves(text: &[u8]) -> bool {
    let word = plain(&text[..word(text).max(1)]).into_owned();
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_number = digits > 0 && (word.get(digits) == Some(&b'.') || word == b"1");
    is_number
        || matches!(word.first(), Some(b'(' | b'$'))
        || matches!(Marker::split(&word), Some(([], _)))
        || is_both_lose(&word)
        || matches!(Notation::parse(&word), Ok(Notation::Castling(_) | Notation::Piece(_)))
}

/// Whether a line begins a game behind text that is none: with a tag, or with the first move.
pub(super) fn begins_game(line: &[u8]) -> bool {
    line.starts_with(b"1.") || is_quoted_tag(line)
}

/// Whether what stands behind a tag is text: the rest of a value of several lines, or a note between tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagText {
    /// The rest of an open value, up to the end of the line.
    Text,
    /// Text if a tag follows before an empty line.
    Perhaps,
    /// Moves begin here, or a comment.
    No,
}

/// Whether the rest of a line, behind a tag or in the line after it, is text. `is_open` says that the tag is a value without an
/// end. What begins like moves, or ends with a result, is none: of two games none is to be lost.
pub(super) fn tag_text(rest: &[u8], is_open: bool) -> TagText {
    let is_no_text = matches!(rest.first(), None | Some(b'[' | b'%' | b';' | b'{' | b'\n'));
    if is_no_text && !is_open || is_quoted_tag(rest) {
        return TagText::No;
    }
    let looked = &rest[..rest.len().min(MAX_TEXT_IN_TAGS)];
    let text = &looked[..line(looked)];
    let text = &text[..text.len() - text.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count()];
    let braces = |brace: u8| text.iter().filter(|&&byte| byte == brace).count();
    if text.len() == MAX_TEXT_IN_TAGS || braces(b'{') != braces(b'}') {
        TagText::No
    } else if is_open && text.ends_with(b"\"]") {
        TagText::Text
    } else if is_no_text || text.contains(&b'[') || begins_moves(text) || ends_with_result(text) {
        TagText::No
    } else {
        TagText::Perhaps
    }
}

/// Whether the last word of a line is a result, or ends with one.
fn ends_with_result(text: &[u8]) -> bool {
    let last = text.rsplit(|byte| matches!(byte, b' ' | b'\t')).next().map(plain).unwrap_or_default();
    Marker::split(&last).is_some() || is_both_lose(&last)
}

/// Most text behind a tag that is looked through for another one, bytes.
pub(super) const MAX_TEXT_IN_TAGS: usize = 1 << 14;

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
            [0x80..=0xff, ..] => match letter(&text[at..]) {
                (letter, length) if is_invisible(letter) && at > 0 => at += length,
                _ if space(&text[at..]) > 0 => return at,
                (_, length) => at += length,
            },
            _ if space(&text[at..]) > 0 => return at,
            _ => at += 1,
        }
    }
}

/// Finds the ends of comments in braces. Comments nest if their braces balance; else the first closing brace ends the comment,
/// as in the standard.
#[derive(Default)]
pub(super) struct Comments {
    /// Opening braces of the whole text that are never closed, once one was found.
    unclosed: Option<Vec<usize>>,
}

impl Comments {
    /// The end of the comment whose first brace is at `start`, behind its last brace.
    pub fn end(&mut self, text: &[u8], start: usize) -> Option<usize> {
        let first = start + text[start..].iter().position(|&byte| byte == b'}')? + 1;
        let is_simple = !text[start + 1..first].contains(&b'{');
        if is_simple || self.unclosed.as_ref().is_some_and(|unclosed| unclosed.binary_search(&start).is_ok()) {
            return Some(first);
        }
        let mut depth = 0_usize;
        for (at, byte) in text.iter().enumerate().skip(start) {
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => continue,
            }
            if depth == 0 {
                return Some(at + 1);
            }
        }
        // So that no other one is looked for up to the end.
        self.unclosed = Some(unclosed(text, start));
        Some(first)
    }
}

/// Opening braces from `start` on that are never closed.
pub(super) fn unclosed(text: &[u8], start: usize) -> Vec<usize> {
    let mut open = Vec::new();
    for (at, byte) in text.iter().enumerate().skip(start) {
        match byte {
            b'{' => open.push(at),
            b'}' => drop(open.pop()),
            _ => {}
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_behind_tags_is_told_from_moves() {
        use TagText::{No, Perhaps, Text};
        for (line, is_open, expected) in [
            ("long\"]", true, Text),
            ("[b]\"] ", true, Text),
            ("long\"]", false, Perhaps),
            ("hello there", false, Perhaps),
            ("Won 1-0 today", false, Perhaps),
            ("foo {bar} baz", false, Perhaps),
            ("12. Runde", false, No),
            ("Be1 is my home", false, No),
            ("foo 1-0", false, No),
            ("***", false, No),
            ("foo [White \"x\"]", false, No),
            ("foo {bar", false, No),
            ("1. e4 e5 1-0[Event \"2\"]", false, No),
            ("1. e4 e.p. 2. Nf3+ $1 (2. ch) Nc6!? {x} 1-0", false, No),
            ("1.e4 e5 2.Nf31-0 ; text", false, No),
            ("e2e4 0-0 0-0-0 1/2-1/2", false, No),
            ("*", false, No),
            ("[White \"x\"]", false, No),
            ("{text}", false, No),
            ("", false, No),
        ] {
            assert_eq!(tag_text(line.as_bytes(), is_open), expected, "{line}");
        }
    }

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
        assert_eq!(pair("[White Elo \"2000\"] x"), Some(("White", None, " x")));
        assert_eq!(pair("[%clk 1:00]"), Some(("", None, "")));
        assert_eq!(pair("White \"x\""), None);
        let long = |length: usize| format!("[A \"{}\"]\nx", "y".repeat(length));
        assert!(tag(long(16_000).as_bytes()).is_some_and(|tag| tag.value.is_some() && !tag.is_too_long));
        let too_long = tag(long(17_000).as_bytes()).unwrap();
        assert!(too_long.value.is_none() && too_long.is_too_long && too_long.end == 17_006);
        let others = long(17_000).replace('\n', "[B \"c\"]\n");
        assert_eq!(tag(others.as_bytes()).map(|tag| tag.end), Some(17_006));
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
            ("Nf3\u{2003}d5", "Nf3"),
            ("Nf3\u{3000}d5", "Nf3"),
            ("Nf3\u{200b}d5", "Nf3"),
            ("Nf3\u{202f}d5", "Nf3"),
            ("e\u{ad}4\u{200e} e5", "e\u{ad}4\u{200e}"),
            ("", ""),
        ] {
            assert_eq!(&text[..word(text.as_bytes())], expected);
        }
    }

    #[test]
    fn comments_nest_where_their_braces_balance() {
        for (text, expected) in [("{a} b", 3), ("{a {b} c} d", 9), ("{:-{ } e5", 6), ("{{} {}", 3)] {
            assert_eq!(Comments::default().end(text.as_bytes(), 0), Some(expected), "{text}");
        }
        assert_eq!(Comments::default().end(b"{no end", 0), None);
        let (text, mut comments) = (b"{a {b} {c {d}} {e {f}", Comments::default());
        assert_eq!([0, 7, 15].map(|start| comments.end(text, start)), [Some(6), Some(14), Some(21)]);
    }
}
