//! What a game says beside its moves, kept so that the game can be written again.

use super::tags::text_of;

/// A comment, a judgement or a variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The text of a comment, without its braces.
    Comment(String),
    /// A numeric annotation glyph: 1 to 6 judge the move (`!`, `?`, `!!`, `??`, `!?`, `?!`), others the position.
    Nag(u16),
    /// The moves of a variation with all that is in it, without its outer parentheses. They are kept as they are written and
    /// not checked.
    Variation(String),
}

/// The notes of a game, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Before the first move.
    pub start: Vec<Note>,
    /// Behind each move.
    pub moves: Vec<Vec<Note>>,
}

impl Notes {
    fn add(&mut self, note: Note) {
        self.moves.last_mut().unwrap_or(&mut self.start).push(note);
    }
}

/// Signs for glyphs; `N` is a novelty, `D` a diagram.
const SIGNS: [(&str, u16); 28] = [
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("!", 1),
    ("?", 2),
    ("=", 10),
    ("+=", 14),
    ("=+", 15),
    ("+/=", 14),
    ("=/+", 15),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("+/-", 16),
    ("∓", 17),
    ("-/+", 17),
    ("+-", 18),
    ("-+", 19),
    ("+--", 20),
    ("--+", 21),
    ("∞", 13),
    ("~", 13),
    ("□", 7),
    ("N", 146),
    ("D", 220),
    ("→", 40),
    ("↑", 36),
];

/// The glyph of a word that judges a move or a position: `$12`, `!?`, `+-`.
pub(super) fn glyph(word: &[u8]) -> Option<u16> {
    if let [b'$', digits @ ..] = word {
        let all_digits = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        return std::str::from_utf8(digits).ok().filter(|_| all_digits)?.parse().ok();
    }
    SIGNS.iter().find(|(sign, _)| sign.as_bytes() == word).map(|&(_, glyph)| glyph)
}

/// The glyph glued to a move, as in `Nf3!?`.
fn glued_glyph(word: &[u8]) -> Option<u16> {
    let front = word.iter().rposition(|byte| !matches!(byte, b'!' | b'?' | b'+' | b'#' | b'='))? + 1;
    let marks: Vec<u8> = word[front..].iter().copied().filter(|byte| matches!(byte, b'!' | b'?')).collect();
    glyph(&marks)
}

/// Collects notes as the reader finds them.
#[derive(Default)]
pub(super) struct NoteKeeper {
    notes: Notes,
    /// The open variation.
    variation: String,
}

impl NoteKeeper {
    /// A comment; `depth` is the number of open variations.
    pub fn comment(&mut self, text: &str, depth: usize) {
        let text = text.trim();
        if depth == 0 {
            self.notes.add(Note::Comment(text.to_owned()));
        } else {
            self.push(&format!("{{{}}}", without_braces(text)));
        }
    }

    /// A variation begins in `depth` others.
    pub fn open(&mut self, depth: usize) {
        if depth > 0 {
            self.push("(");
        }
    }

    /// A variation ends; `depth` others are still open.
    pub fn close(&mut self, depth: usize) {
        if depth > 0 {
            self.variation.push(')');
        } else {
            let variation = std::mem::take(&mut self.variation);
            self.notes.add(Note::Variation(variation));
        }
    }

    /// A word in a variation.
    pub fn word_in_variation(&mut self, word: &[u8]) {
        self.push(&without_braces(&text_of(word)));
    }

    /// A judgement that stands alone.
    pub fn judgement(&mut self, word: &[u8]) {
        self.notes.moves.last_mut().into_iter().for_each(|notes| notes.extend(glyph(word).map(Note::Nag)));
    }

    /// A move was played, written as `word`.
    pub fn played(&mut self, word: &[u8]) {
        self.notes.moves.push(glued_glyph(word).map(Note::Nag).into_iter().collect());
    }

    /// What was found.
    pub fn finish(self) -> Notes {
        self.notes
    }

    fn push(&mut self, text: &str) {
        if !self.variation.is_empty() && !self.variation.ends_with('(') {
            self.variation.push(' ');
        }
        self.variation += text;
    }
}

/// The text with braces as parentheses, so that it can stand in braces.
#[must_use]
pub fn without_braces(text: &str) -> String {
    text.replace('{', "(").replace('}', ")")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameTexts, ReadOptions};

    fn notes(text: &str) -> Notes {
        let options = ReadOptions { keep_notes: true, ..ReadOptions::default() };
        let game = GameTexts::new(text.as_bytes()).next().unwrap().unwrap();
        game.parse(&options).unwrap().notes.unwrap()
    }

    #[test]
    fn notes_stand_behind_their_moves() {
        let found = notes(
            "{ first } 1. e4! {a} $14 {b {c} d} (1. d4 $1 {x} d5 (1... Nf6 ; y\n 2. c4) 2. c4!?) e5 += 1-0 {end}",
        );
        let comment = |text: &str| Note::Comment(text.to_owned());
        assert_eq!(found.start, [comment("first")]);
        let variation = "1. d4 $1 {x} d5 (1... Nf6 {y} 2. c4) 2. c4!?".to_owned();
        let first = [Note::Nag(1), comment("a"), Note::Nag(14), comment("b {c} d"), Note::Variation(variation)];
        assert_eq!(found.moves, [&first[..], &[Note::Nag(14), comment("end")]]);
    }

    #[test]
    fn glyphs_are_told_from_moves() {
        for (word, expected) in [("$1", 1), ("$255", 255), ("!?", 5), ("±", 16), ("□", 7), ("N", 146)] {
            assert_eq!(glyph(word.as_bytes()), Some(expected), "{word}");
        }
        for word in ["$", "$x", "$99999", "e4", "!?!", ""] {
            assert_eq!(glyph(word.as_bytes()), None, "{word}");
        }
        for (word, expected) in [("Nf3??", Some(4)), ("Qxf7+!", Some(1)), ("e8=Q#", None), ("O-O", None)] {
            assert_eq!(glued_glyph(word.as_bytes()), expected, "{word}");
        }
    }
}
