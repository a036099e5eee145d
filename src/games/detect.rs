//! What a file holds, by its content.

use super::scan;
use std::io::{self, BufRead};

/// Kinds of text with games or positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    /// Games.
    Pgn,
    /// A position on each line.
    Lines,
}

/// Byte order marks of UTF-16.
const UTF_16: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];
/// First bytes of compressed data that are not read, with what they are.
const FOREIGN: [(&[u8], &str); 4] =
    [(b"BZh", "bzip2"), (b"\xfd7zXZ\0", "xz"), (b"7z\xbc\xaf\x27\x1c", "7-Zip"), (b"PK\x03\x04", "ZIP")];
/// Slashes in the first field of a FEN.
const SLASHES: usize = 7;

impl TextFormat {
    /// What the text in the reader's buffer looks like, whatever its name; none if that cannot be seen. Nothing is taken out of
    /// the reader.
    ///
    /// # Errors
    ///
    /// What the reader says, and that the text is UTF-16 or compressed in a way that is not read.
    pub fn detect(reader: &mut impl BufRead) -> io::Result<Option<TextFormat>> {
        let text = reader.fill_buf()?;
        if UTF_16.iter().any(|mark| text.starts_with(mark)) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the text is UTF-16; convert it to UTF-8"));
        }
        if let Some((_, name)) = FOREIGN.iter().find(|(first, _)| text.starts_with(first)) {
            let reason = format!("compressed with {name}, which is not read; decompress it first");
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        }
        Ok(TextFormat::of(text))
    }

    fn of(text: &[u8]) -> Option<TextFormat> {
        let (mut rest, mut is_first, mut has_remarks) = (text, true, false);
        loop {
            rest = &rest[scan::space(rest)..];
            let Some(&first) = rest.first() else {
                // Comments of PGN alone, however many: games follow.
                return (is_first && has_remarks).then_some(TextFormat::Pgn);
            };
            has_remarks |= matches!(first, b'%' | b';');
            if !matches!(first, b'#' | b'%' | b';') {
                let word = &rest[..scan::word(rest)];
                // Addresses have slashes, too.
                let board = word.split(|&byte| byte == b';').next().unwrap_or(word);
                let is_board = board.iter().all(|byte| byte.is_ascii_alphanumeric() || b"/~-[]".contains(byte));
                if is_board && board.iter().filter(|&&byte| byte == b'/').count() == SLASHES {
                    return Some(TextFormat::Lines);
                }
                if scan::begins_game(rest) || is_first && (first == b'{' || scan::begins_moves(rest)) {
                    return Some(TextFormat::Pgn);
                }
                // Text may stand before games.
                is_first = false;
            }
            rest = &rest[scan::line(rest)..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_detected_by_content() {
        for (text, format) in [
            ("\u{feff}\r\n [Event \"x\"]\n", Some(TextFormat::Pgn)),
            ("; a\n% b\n{c} 1. e4", Some(TextFormat::Pgn)),
            ("1.e4 e5", Some(TextFormat::Pgn)),
            ("# a\n\n4k3/8/8/8/8/8/8/4K3 w - - 0 1;1-0", Some(TextFormat::Lines)),
            ("4k3/8/8/8/8/8/8/4K3;x", Some(TextFormat::Lines)),
            ("https://www.chess.com/games/archive/x/y/z\n\n[Event \"a\"]\n\n1. e4 *", Some(TextFormat::Pgn)),
            ("e4 e5 Nf3", Some(TextFormat::Pgn)),
            ("1-0\n", Some(TextFormat::Pgn)),
            ("Games of 2019\r\r[Event \"x\"]\r", Some(TextFormat::Pgn)),
            ("2019: a game\n\n1. e4", Some(TextFormat::Pgn)),
            ("fen;result\n4k3/8/8/8/8/8/8/4K3 w - -;1-0", Some(TextFormat::Lines)),
            ("nonsense\n12 e4 and so on", None),
            ("nonsense", None),
            ("8/8 w", None),
            ("", None),
        ] {
            assert_eq!(TextFormat::of(text.as_bytes()), format, "{text}");
        }
        assert_eq!(TextFormat::of("; a comment\n".repeat(9000).as_bytes()), Some(TextFormat::Pgn));
        for foreign in [&b"\xff\xfe[\0"[..], b"BZh91AY", b"\xfd7zXZ\0\0", b"PK\x03\x04"] {
            assert!(TextFormat::detect(&mut &foreign[..]).is_err(), "{foreign:?}");
        }
    }
}
