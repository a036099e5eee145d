//! Words as they are written: letters of other alphabets, and signs for check, draw offers and judgements.

use super::tags::text_of;
use std::borrow::Cow;

/// Signs with their numeric annotation glyphs, longer ones first where one ends with another: those of the PGN standard, of
/// Informator, ChessBase and lichess.
const SIGNS: [(&str, u16); 48] = [
    ("+--", 20),
    ("--+", 21),
    ("+/=", 14),
    ("=/+", 15),
    ("+/-", 16),
    ("-/+", 17),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("+=", 14),
    ("=+", 15),
    ("+-", 18),
    ("-+", 19),
    ("=∞", 44),
    ("↑↑", 32),
    ("!", 1),
    ("?", 2),
    ("□", 7),
    ("∞", 13),
    ("~", 13),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("∓", 17),
    ("⨀", 22),
    ("⊙", 22),
    ("○", 26),
    ("⟳", 32),
    ("↑", 36),
    ("→", 40),
    ("⯹", 44),
    ("⇆", 132),
    ("⇄", 132),
    ("⊕", 138),
    ("⨁", 138),
    ("∆", 140),
    ("Δ", 140),
    ("△", 140),
    ("∇", 141),
    ("⌓", 142),
    ("⟫", 242),
    ("⟪", 243),
    ("⊥", 245),
    ("=", 10),
    ("N", 146),
    ("RR", 145),
    ("D", 220),
];
/// Signs of the end of the list that stand alone only: behind a move `=` offers a draw, and letters are a promotion.
const ALONE: usize = 4;

/// A sign behind a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// A numeric annotation glyph.
    Glyph(u16),
    /// One that has no number.
    Other(char),
}

/// The word with letters and signs for which others stand in ASCII: dashes as hyphens, the sign of multiplication as `x`, and
/// figurines as letters; characters that nobody sees are left out. Text that is no UTF-8 is Latin-1 or the Windows code page.
pub(super) fn plain(word: &[u8]) -> Cow<'_, [u8]> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    let letter = |letter: char| match letter {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{96}' | '\u{97}' => Some('-'),
        '×' => Some('x'),
        '♔' | '♚' => Some('K'),
        '♕' | '♛' => Some('Q'),
        '♖' | '♜' => Some('R'),
        '♗' | '♝' => Some('B'),
        '♘' | '♞' => Some('N'),
        // A pawn has no letter; the other two say how a sign is drawn.
        '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => None,
        letter if is_invisible(letter) => None,
        _ => Some(letter),
    };
    Cow::Owned(text_of(word).chars().filter_map(letter).collect::<String>().into_bytes())
}

/// Soft hyphens, joiners, and marks of direction.
pub(super) fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
}

/// The glyph of a word that judges a move or a position: `$12`, `!?`, `+-`.
pub(super) fn glyph(word: &[u8]) -> Option<u16> {
    if let [b'$', ..] = word {
        return std::str::from_utf8(digits_of_glyph(word)?).ok()?.parse().ok();
    }
    SIGNS.iter().find(|(sign, _)| sign.as_bytes() == word).map(|&(_, glyph)| glyph)
}

/// The digits of `$12`, also with a full stop behind them.
fn digits_of_glyph(word: &[u8]) -> Option<&[u8]> {
    let digits = word.strip_prefix(b"$")?;
    let digits = digits.strip_suffix(b".").unwrap_or(digits);
    (!digits.is_empty() && digits.iter().all(u8::is_ascii_digit)).then_some(digits)
}

/// Whether a word judges a move or a position and is no move.
pub(super) fn is_judgement(word: &[u8]) -> bool {
    match word {
        [b'$', ..] => digits_of_glyph(word).is_some(),
        [first, _, _, ..] if first.is_ascii_alphanumeric() => false,
        _ => glyph(word).is_some() || without_signs(word, |_| ()) == (&[], false),
    }
}

/// The word without signs for check, mate, en passant, a draw offer or a judgement behind it, and whether `e.p.` is among them.
/// `found` gets judgements, the last one first.
pub(super) fn without_signs(word: &[u8], mut found: impl FnMut(Sign)) -> (&[u8], bool) {
    let (mut rest, mut is_en_passant) = (word, false);
    loop {
        let Some(last) = rest.last() else { return (rest, is_en_passant) };
        if last.is_ascii_alphanumeric() && *last != b'p' {
            return (rest, is_en_passant);
        }
        if let Some(before) = ["e.p.", "ep.", "e.p", "ep"].iter().find_map(|sign| rest.strip_suffix(sign.as_bytes())) {
            (rest, is_en_passant) = (before, true);
            continue;
        }
        let known = SIGNS[..SIGNS.len() - ALONE].iter();
        if let Some((before, glyph)) =
            known.filter_map(|(sign, glyph)| Some((rest.strip_suffix(sign.as_bytes())?, *glyph))).next()
        {
            found(Sign::Glyph(glyph));
            rest = before;
            continue;
        }
        if let [before @ .., b'+' | b'#' | b'='] = rest {
            rest = before;
            continue;
        }
        // A symbol that is no letter.
        let text = std::str::from_utf8(rest).unwrap_or_default();
        match text.chars().next_back().filter(|sign| !sign.is_ascii() && !sign.is_alphanumeric()) {
            Some(sign) => {
                found(Sign::Other(sign));
                rest = &rest[..rest.len() - sign.len_utf8()];
            }
            None => return (rest, is_en_passant),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(word: &str) -> (String, Vec<Sign>) {
        let mut signs = Vec::new();
        let word = plain(word.as_bytes()).into_owned();
        let (rest, _) = without_signs(&word, |sign| signs.push(sign));
        (String::from_utf8(rest.to_vec()).unwrap(), signs)
    }

    #[test]
    fn glyphs_are_told_from_moves() {
        for (word, expected) in
            [("$1", 1), ("$18.", 18), ("$255", 255), ("!?", 5), ("±", 16), ("□", 7), ("N", 146), ("=", 10)]
        {
            assert_eq!(glyph(word.as_bytes()), Some(expected), "{word}");
            assert!(is_judgement(word.as_bytes()), "{word}");
        }
        for word in ["$", "$.", "$x", "e4", "O-O", "a8Q", "é4", "-", "e.p."] {
            assert!(glyph(word.as_bytes()).is_none() && !is_judgement(word.as_bytes()), "{word}");
        }
        assert!(is_judgement("!?!".as_bytes()) && is_judgement("♦".as_bytes()) && is_judgement("+".as_bytes()));
    }

    #[test]
    fn signs_are_glued_to_moves() {
        let glyph = Sign::Glyph;
        for (word, rest, expected) in [
            ("Nf3??", "Nf3", &[glyph(4)][..]),
            ("Qxf7+!", "Qxf7", &[glyph(1)]),
            ("Qxf7++!?", "Qxf7", &[glyph(5)]),
            ("e8=Q#", "e8=Q", &[]),
            ("O-O", "O-O", &[]),
            ("Nf4=", "Nf4", &[]),
            ("e4∞", "e4", &[glyph(13)]),
            ("e4=∞", "e4", &[glyph(44)]),
            ("Bb5⊕!", "Bb5", &[glyph(1), glyph(138)]),
            ("e4+−", "e4", &[glyph(18)]),
            ("e4−+", "e4", &[glyph(19)]),
            ("e4+/=", "e4", &[glyph(14)]),
            ("a6↑↑", "a6", &[glyph(32)]),
            ("♘f3♦", "Nf3", &[Sign::Other('♦')]),
            ("0–0–0", "0-0-0", &[]),
            ("c8N", "c8N", &[]),
        ] {
            assert_eq!(signs(word), (rest.to_owned(), expected.to_vec()), "{word}");
        }
        assert_eq!(&*plain(b"Nf3\xb1"), "Nf3±".as_bytes());
        assert_eq!(&*plain(b"1\x960"), b"1-0");
        assert_eq!(&*plain("O\u{2060}-\u{ad}O\u{200e}".as_bytes()), b"O-O");
    }
}
