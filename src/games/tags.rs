//! The tag pairs of a game.

use crate::printing::{MAX_RATING, Ratings, TimeClass, TimeControl};
use std::borrow::Cow;
use std::ops::Range;
use std::time::Duration;

/// The tag pairs of a game, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    /// Names and values, one after the other.
    text: String,
    /// Where each name and its value stand.
    pairs: Vec<(Range<usize>, Range<usize>)>,
    /// What a clock showed after the first moves, which tells whether the time control counts minutes.
    pub(super) first_clock: Option<Duration>,
}

impl Tags {
    /// Adds a pair; `value` still has its backslashes.
    pub(super) fn push(&mut self, name: &[u8], value: &[u8]) {
        let start = self.text.len();
        self.text.push_str(&text_of(name));
        let middle = self.text.len();
        self.text.push_str(&unescaped(&text_of(value)));
        self.pairs.push((start..middle, middle..self.text.len()));
    }

    /// Adds a pair.
    pub fn add(&mut self, name: &str, value: &str) {
        let start = self.text.len();
        self.text += name;
        let middle = self.text.len();
        self.text += value;
        self.pairs.push((start..middle, middle..self.text.len()));
    }

    /// The value of a tag, without white space around it. Of several of the same name the last counts.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().rev().find(|(other, _)| *other == name).map(|(_, value)| value)
    }

    /// All pairs of names and values.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (&self.text[name.clone()], self.text[value.clone()].trim()))
    }

    /// The value of a tag; empty where there is none, or where it is `?`.
    #[must_use]
    pub fn known(&self, name: &str) -> &str {
        self.get(name).filter(|value| *value != "?").unwrap_or_default()
    }

    /// The time control, as far as it is understood.
    #[must_use]
    pub fn time_control(&self) -> Option<TimeControl> {
        TimeControl::of_game(self.known("TimeControl"), self.first_clock.map(|clock| clock.as_secs_f64()))
    }

    /// The time class, if it is told.
    #[must_use]
    pub fn time_class(&self) -> Option<TimeClass> {
        let [time_control, event_type, event] = ["TimeControl", "EventType", "Event"].map(|name| self.known(name));
        TimeClass::from_tags(self.time_control(), time_control, event_type, event)
    }

    /// The ratings of both players.
    #[must_use]
    pub fn ratings(&self) -> Ratings {
        Ratings { white: self.white_elo(), black: self.black_elo() }
    }

    /// Rating of White, above 0.
    #[must_use]
    pub fn white_elo(&self) -> Option<u32> {
        self.rating("WhiteElo")
    }

    /// Rating of Black, above 0.
    #[must_use]
    pub fn black_elo(&self) -> Option<u32> {
        self.rating("BlackElo")
    }

    fn rating(&self, name: &str) -> Option<u32> {
        rating(self.get(name)?)
    }
}

/// A rating above 0 and up to what is ever given, Elo. A provisional one may have `?` or `P` behind it.
pub(super) fn rating(text: &str) -> Option<u32> {
    let text = text.trim_end_matches(['?', 'P', 'p', ' ']);
    text.parse().ok().filter(|rating| (1..=MAX_RATING).contains(rating))
}

/// Whether the value of a rating's tag is one, or says that there is none.
pub(super) fn is_rating(text: &str) -> bool {
    let says_none = ["", "-", "?", "*", "0", "unr", "unrated", "none"];
    says_none.iter().any(|none| text.eq_ignore_ascii_case(none)) || rating(text).is_some()
}

/// Takes backslashes off quotes and backslashes. Before other letters they stand for themselves.
pub(super) fn unescaped(value: &str) -> Cow<'_, str> {
    if !value.contains('\\') {
        return Cow::Borrowed(value);
    }
    let mut text = String::with_capacity(value.len());
    let mut rest = value.chars().peekable();
    while let Some(letter) = rest.next() {
        match rest.peek() {
            Some('"' | '\\') if letter == '\\' => text.extend(rest.next()),
            _ => text.push(letter),
        }
    }
    Cow::Owned(text)
}

/// What the Windows code page 1252 has for the bytes from 0x80 on that are no letters in Latin-1; those it leaves free stay.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Text in UTF-8, or in the Windows code page 1252, which Latin-1 is a part of, if it is no UTF-8.
pub(super) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    let letter = |&byte: &u8| match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte) - 0x80],
        _ => char::from(byte),
    };
    match std::str::from_utf8(bytes) {
        Ok(valid) => Cow::Borrowed(valid),
        Err(_) => Cow::Owned(bytes.iter().map(letter).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_unescaped_and_other_letters_are_read() {
        let mut tags = Tags::default();
        tags.push(b"White", br#"A \"1\" C:\x \\"#);
        tags.push(b"Black", b" M\xfcller\x85 ");
        tags.push(b"BlackElo", b"?");
        tags.push(b"WhiteElo", b"0");
        tags.push(b"WhiteElo", b"2100");
        assert_eq!((tags.get("White"), tags.get("Black")), (Some(r#"A "1" C:\x \"#), Some("Müller…")));
        assert_eq!((tags.white_elo(), tags.black_elo(), tags.known("BlackElo")), (Some(2100), None, ""));
        assert_eq!(tags.iter().count(), 5);
    }
}
