//! The words among the moves.

use super::{MAX_PLIES, Parser, PlayedMove};
use crate::games::comment::Remarks;
use crate::games::fault::{GameFault, MoveNumber, Quoted, WarningKind};
use crate::games::notation::{NoMove, Notation};
use crate::games::result::{Marker, is_both_lose};
use crate::games::scan;
use crate::games::signs::{is_judgement, plain};
use crate::position::Position;
use shakmaty::{CastlingSide, Position as _};

/// Digits that a move number without a dot may have whatever its move is.
const MAX_FREE_DIGITS: usize = 3;

impl Parser<'_> {
    /// Reads a word: a move, its number, a judgement or a result.
    pub(super) fn word(&mut self, written: &[u8]) -> Result<(), GameFault> {
        let word = &*plain(written);
        let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let behind_digits = &word[digits..];
        let dots = dots(behind_digits);
        let rest = &behind_digits[dots..];
        if rest.is_empty() && (dots > 0 || self.is_number(word)) {
            self.is_behind_number = true;
            return Ok(());
        }
        let is_behind_number = std::mem::take(&mut self.is_behind_number) || dots > 0;
        if is_judgement(word) {
            self.keep(|notes, _| notes.judgement(word));
            return Ok(());
        }
        // Digits without a dot belong to the word, as in 0-0.
        let rest = if dots > 0 { rest } else { word };
        if is_both_lose(rest) && !is_behind_number && self.is_both_lose(self.at + written.len()) {
            let is_said = self.tags.get("Result").and_then(Marker::from_tag).is_some();
            if !is_said && self.marker.is_none() && !self.position.castling_moves(CastlingSide::KingSide).is_empty() {
                self.warnings.push((self.at, WarningKind::BothLose));
            }
            self.ends(Marker::BothLose);
            return Ok(());
        }
        if let Some((front, marker)) = Marker::split(rest) {
            if !front.is_empty() {
                self.play(front, written)?;
            }
            self.ends(marker);
            return Ok(());
        }
        let is_behind_capture = self.moves.last().is_some_and(|last| last.m.is_en_passant());
        if is_behind_capture && matches!(rest, b"e.p." | b"ep" | b"e.p" | b"ep.") {
            return Ok(());
        }
        self.play(rest, written)
    }

    /// Whether a word of digits is the number of a move. Longer ones are castling, or moves in numbers.
    fn is_number(&self, word: &[u8]) -> bool {
        let is_castling = word.len() > 1 && word.iter().all(|&byte| byte == b'0');
        let next = || self.position.fullmoves().to_string();
        !is_castling && !word.is_empty() && (word.len() <= MAX_FREE_DIGITS || word == next().as_bytes())
    }

    /// Whether the word `0-0` is the result that both lose: it is the last word, which ends at `end`, and castling would be no
    /// better reading.
    fn is_both_lose(&mut self, end: usize) -> bool {
        let can_castle = !self.position.castling_moves(CastlingSide::KingSide).is_empty();
        match self.tags.get("Result").and_then(Marker::from_tag) {
            Some(Marker::Known(_)) if can_castle => false,
            _ => self.marker.is_some() || self.is_last_word(end, !can_castle),
        }
    }

    /// Whether nothing but comments, variations, judgements and `0-0` stand behind this place, or, `before_results`, another
    /// result.
    fn is_last_word(&mut self, mut at: usize, before_results: bool) -> bool {
        let mut variations = 0_usize;
        while at < self.text.len() {
            at += scan::space(&self.text[at..]);
            let rest = &self.text[at..];
            match rest.first() {
                None => break,
                Some(b'{') => match self.comments.end(self.text, at) {
                    Some(end) => at = end,
                    None => break,
                },
                Some(b';') => at += scan::line(rest),
                Some(b'(') => (variations, at) = (variations + 1, at + 1),
                Some(b')') => (variations, at) = (variations.saturating_sub(1), at + 1),
                Some(_) => {
                    let length = scan::word(rest).max(1);
                    let word = plain(&rest[..length]);
                    let is_other = before_results && matches!(Marker::split(&word), Some(([], _)));
                    let is_result = is_both_lose(&word) || is_other;
                    if variations == 0 && !is_result && !is_judgement(&word) {
                        return false;
                    }
                    at += length;
                }
            }
        }
        true
    }

    /// The result stands here. The first one counts.
    fn ends(&mut self, marker: Marker) {
        if self.marker.is_some_and(|first| first != marker) {
            self.warnings.push((self.at, WarningKind::Results));
        }
        self.marker.get_or_insert(marker);
    }

    /// Plays a move; `word` is what messages quote.
    fn play(&mut self, text: &[u8], word: &[u8]) -> Result<(), GameFault> {
        let found = Notation::parse(text).and_then(|notation| notation.to_move(&self.position));
        let m = found.map_err(|reason| {
            let fen = || Position::from_chess(&self.position).fen();
            let place = MoveNumber::of(&self.position);
            match reason {
                NoMove::Malformed => GameFault::NotAMove(Quoted::new(word)),
                NoMove::Null => GameFault::NullMove(Quoted::new(word)),
                NoMove::Illegal => GameFault::IllegalMove { place, word: Quoted::new(text), fen: fen() },
                NoMove::Ambiguous => GameFault::AmbiguousMove { place, word: Quoted::new(text), fen: fen() },
            }
        })?;
        if self.moves.len() == MAX_PLIES {
            return Err(GameFault::TooManyMoves);
        }
        self.position.play_unchecked(m);
        self.moves.push(PlayedMove { m, remarks: Remarks::default() });
        self.keep(|notes, _| notes.played(text));
        self.ending.clear();
        Ok(())
    }
}

/// Length of the dots behind a move number.
fn dots(text: &[u8]) -> usize {
    const ELLIPSIS: &[u8] = "…".as_bytes();
    let mut rest = text;
    while let Some(after) = rest.strip_prefix(b".").or_else(|| rest.strip_prefix(ELLIPSIS)) {
        rest = after;
    }
    text.len() - rest.len()
}
