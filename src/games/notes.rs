//! What a game says beside its moves, kept so that the game can be written again.

use super::signs::{Sign, glyph, without_signs};
use super::tags::text_of;

/// A comment, a judgement or a variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The text of a comment, without its braces.
    Comment(String),
    /// A numeric annotation glyph: 1 to 6 judge the move (`!`, `?`, `!!`, `??`, `!?`, `?!`), others the position.
    Nag(u16),
    /// The moves of a variation with all that is in it, without its outer parentheses. They are kept as they are written and
    /// not checked, but for closing braces that close nothing, which are left out.
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
        // Words hold no other braces. In parentheses this one would close or open a variation.
        let text = text_of(word);
        let text = text.trim_start_matches('}');
        if !text.is_empty() {
            self.push(text);
        }
    }

    /// A word that judges the last move or its position.
    pub fn judgement(&mut self, word: &[u8]) {
        let notes = match glyph(word) {
            Some(glyph) => vec![Note::Nag(glyph)],
            None => judgements(word),
        };
        notes.into_iter().for_each(|note| self.notes.add(note));
    }

    /// A move was played, written as `word`.
    pub fn played(&mut self, word: &[u8]) {
        self.notes.moves.push(judgements(word));
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

/// The signs behind a move; one without a number as a comment.
fn judgements(word: &[u8]) -> Vec<Note> {
    let mut notes = Vec::new();
    without_signs(word, |sign| {
        notes.push(match sign {
            Sign::Glyph(glyph) => Note::Nag(glyph),
            Sign::Other(sign) => Note::Comment(sign.to_string()),
        });
    });
    notes.reverse();
    notes
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
            "{ first } $13 1. e4! {a} $14 {b {c} d} (1. d4 $1 {x} d5 (1... Nf6 ; y\n 2. c4) 2. c4!?) e5 += 1-0 {end}",
        );
        let comment = |text: &str| Note::Comment(text.to_owned());
        assert_eq!(found.start, [comment("first"), Note::Nag(13)]);
        let variation = "1. d4 $1 {x} d5 (1... Nf6 {y} 2. c4) 2. c4!?".to_owned();
        let first = [Note::Nag(1), comment("a"), Note::Nag(14), comment("b {c} d"), Note::Variation(variation)];
        assert_eq!(found.moves, [&first[..], &[Note::Nag(14), comment("end")]]);
    }

    #[test]
    fn signs_are_kept() {
        let nags = |numbers: &[u16]| numbers.iter().copied().map(Note::Nag).collect::<Vec<_>>();
        for (text, expected) in [
            ("1. e4 ⨀ e5 ⇆ *", vec![nags(&[22]), nags(&[132])]),
            ("1. e4± +− *", vec![nags(&[16, 18])]),
            ("1. e4!⊕ =∞ $3 N *", vec![nags(&[1, 138, 44, 3, 146])]),
            ("1. e4♦ *", vec![vec![Note::Comment("♦".to_owned())]]),
        ] {
            assert_eq!(notes(text).moves, expected, "{text}");
        }
    }
}
