//! The text of a game to a game.

use super::comment::Remarks;
use super::fault::{BrokenGame, GameFault, MoveNumber, Quoted};
use super::notation::{NoMove, Notation};
use super::notes::{self, NoteKeeper, Notes};
use super::result::{Exclusion, Marker, ResultConflict};
use super::scan;
use super::split::GameText;
use super::tags::{Tags, text_of};
use crate::position::Position;
use shakmaty::{Chess, KnownOutcome, Move, Position as _};

/// Bytes that a move takes without comments, with its share of the number.
const BYTES_A_MOVE: usize = 8;

/// Most plies of a game that is read; by the rules it ends before 17,700.
pub const MAX_PLIES: usize = 20_000;

/// How games are read.
#[derive(Clone, Copy, Default)]
pub struct ReadOptions<'a> {
    /// FENs may have castling rights of Chess960 though no tag says so.
    pub chess960: bool,
    /// Applied to the FENs of tags.
    pub replace_fen: Option<&'a ReplaceFen<'a>>,
    /// Keep comments, judgements and variations: [`GameRecord::notes`].
    pub keep_notes: bool,
}

/// Another FEN in the place of one, or why there is none.
pub type ReplaceFen<'a> = dyn Fn(&str) -> Result<String, String> + Sync + 'a;

/// A game as it was played.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Number of the game in its file, from 1.
    pub number: usize,
    /// Its first line, from 1.
    pub line: usize,
    /// The tag pairs.
    pub tags: Tags,
    /// Where it began.
    pub start: Chess,
    /// The moves of the main line.
    pub moves: Vec<PlayedMove>,
    /// The result: the tag's if it is known, else the one behind the moves.
    pub outcome: Option<KnownOutcome>,
    /// Why the result says nothing about the positions; none if the game counts.
    pub exclusion: Option<Exclusion>,
    /// That the tag and the end of the moves disagree.
    pub conflict: Option<ResultConflict>,
    /// Comments, judgements and variations, if they were asked for.
    pub notes: Option<Notes>,
}

/// A move with what the comments behind it say.
#[derive(Clone, Copy, Debug)]
pub struct PlayedMove {
    /// The move.
    pub m: Move,
    /// Evaluations, clock and time.
    pub remarks: Remarks,
}

impl GameRecord {
    /// The result, if the game counts.
    #[must_use]
    pub fn counted_outcome(&self) -> Option<KnownOutcome> {
        self.outcome.filter(|_| self.exclusion.is_none())
    }

    /// The position at the end.
    #[must_use]
    pub fn last_position(&self) -> Chess {
        let mut position = self.start.clone();
        self.moves.iter().for_each(|played| position.play_unchecked(played.m));
        position
    }
}

impl GameText {
    /// Reads the game. All of it has to be right, for moves that are dropped or guessed make another game of it.
    ///
    /// # Errors
    ///
    /// [`BrokenGame`] with the place of the first fault.
    pub fn parse(&self, options: &ReadOptions<'_>) -> Result<GameRecord, BrokenGame> {
        let mut parser = Parser::new(&self.bytes);
        parser.notes = options.keep_notes.then(NoteKeeper::default);
        let fault = if self.is_too_long { Err(GameFault::TooLong) } else { parser.read(options) };
        let place = |at: usize| self.line + self.bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
        let broken = |fault| BrokenGame { number: self.number, line: place(parser.at), fault };
        fault.map_err(broken)?;
        Ok(parser.finish(self))
    }
}

/// Reads one game.
struct Parser<'a> {
    text: &'a [u8],
    /// What is being read.
    at: usize,
    tags: Tags,
    start: Chess,
    position: Chess,
    moves: Vec<PlayedMove>,
    /// The marker behind the moves.
    marker: Option<Marker>,
    variant: Variant,
    /// Comments behind the last move, which may say how the game ended.
    ending: Vec<&'a [u8]>,
    /// Open variations; their moves are not read.
    variations: Vec<usize>,
    /// Keeps what else the text says.
    notes: Option<NoteKeeper>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a [u8]) -> Parser<'a> {
        Parser {
            text,
            at: 0,
            tags: Tags::default(),
            start: Chess::default(),
            position: Chess::default(),
            moves: Vec::with_capacity((text.len() / BYTES_A_MOVE).min(MAX_PLIES)),
            marker: None,
            variant: Variant::Chess,
            ending: Vec::new(),
            variations: Vec::new(),
            notes: None,
        }
    }

    fn read(&mut self, options: &ReadOptions<'_>) -> Result<(), GameFault> {
        let mut in_tags = true;
        let mut start_place = 0;
        loop {
            let space = scan::space(&self.text[self.at..]);
            let begins_line = self.at + space == 0 || self.text[..self.at + space].ends_with(b"\n");
            self.at += space;
            let rest = &self.text[self.at..];
            let Some(&byte) = rest.first() else { break };
            if byte == b';' || byte == b'%' && begins_line {
                // Lines behind the result may be about the next game.
                if byte == b';' && self.marker.is_none() {
                    self.comment(&rest[1..scan::line(rest)]);
                }
                self.at += scan::line(rest);
                continue;
            }
            if byte == b'{' {
                let length = scan::comment(&rest[1..]).ok_or(GameFault::UnterminatedComment)?;
                self.comment(&rest[1..length]);
                self.at += 1 + length;
                continue;
            }
            if in_tags && let Some(tag) = scan::tag(rest) {
                let Some(value) = tag.value else { return Err(GameFault::Tag(Quoted::new(&rest[..tag.end]))) };
                let name = &rest[tag.name];
                if name == b"FEN" {
                    start_place = self.at;
                }
                self.tags.push(name, &rest[value]);
                self.at += tag.end;
                continue;
            }
            if in_tags {
                in_tags = false;
                self.begin(options, start_place)?;
            }
            if self.variant == Variant::Other {
                return Ok(());
            }
            match byte {
                b'(' => {
                    self.keep(|notes, depth| notes.open(depth));
                    self.variations.push(self.at);
                    self.at += 1;
                }
                b')' if self.variations.pop().is_some() => {
                    self.keep(|notes, depth| notes.close(depth));
                    self.at += 1;
                }
                _ => {
                    let length = match scan::word(rest) {
                        0 => 1 + scan::word(&rest[1..]),
                        length => length,
                    };
                    if self.variations.is_empty() {
                        self.word(&rest[..length])?;
                    } else {
                        self.keep(|notes, _| notes.word_in_variation(&rest[..length]));
                    }
                    self.at += length;
                }
            }
        }
        if in_tags {
            self.begin(options, start_place)?;
        }
        if let Some(&place) = self.variations.first() {
            self.at = place;
            return Err(GameFault::UnterminatedVariation);
        }
        // Tags alone, or a result alone behind them, are a game without moves.
        if self.moves.is_empty() && self.tags.iter().next().is_none() {
            self.at = 0;
            return Err(GameFault::Empty);
        }
        Ok(())
    }

    /// The tags are complete: sets up the first position, whose FEN stands at `place`.
    fn begin(&mut self, options: &ReadOptions<'_>, place: usize) -> Result<(), GameFault> {
        self.variant = Variant::from_tag(self.tags.known("Variant"));
        let fen = self.tags.known("FEN");
        if self.variant == Variant::Other || fen.is_empty() {
            return Ok(());
        }
        let chess960 = options.chess960 || self.variant == Variant::Chess960;
        let replaced = options.replace_fen.map_or_else(|| Ok(fen.to_owned()), |replace| replace(fen));
        match replaced.and_then(|fen| set_up(&fen, chess960)) {
            Ok(start) => {
                self.position = start.clone();
                self.start = start;
                Ok(())
            }
            Err(reason) => {
                self.at = place;
                Err(GameFault::Start(reason))
            }
        }
    }

    /// Lets the keeper of notes, if there is one, have something; it is told how many variations are open.
    fn keep(&mut self, note: impl FnOnce(&mut NoteKeeper, usize)) {
        if let Some(notes) = &mut self.notes {
            note(notes, self.variations.len());
        }
    }

    fn comment(&mut self, comment: &'a [u8]) {
        self.keep(|notes, depth| notes.comment(&text_of(comment), depth));
        if !self.variations.is_empty() {
            return;
        }
        if let Some(last) = self.moves.last_mut().filter(|_| self.marker.is_none()) {
            last.remarks.add(&text_of(comment));
        }
        self.ending.push(comment);
    }

    fn word(&mut self, word: &[u8]) -> Result<(), GameFault> {
        let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let behind_digits = &word[digits..];
        let dots = dots(behind_digits);
        let rest = &behind_digits[dots..];
        let is_number = rest.is_empty() && word != b"0000";
        if is_number || is_judgement(word) {
            self.keep(|notes, _| notes.judgement(word));
            return Ok(());
        }
        // Digits without a dot belong to the word, as in 0-0.
        let rest = if dots > 0 { rest } else { word };
        if let Some((front, marker)) = Marker::split(rest) {
            if !front.is_empty() {
                self.play(front, word)?;
            }
            self.marker = Some(marker);
            return Ok(());
        }
        let is_behind_capture = self.moves.last().is_some_and(|last| last.m.is_en_passant());
        if is_behind_capture && matches!(rest, b"e.p." | b"ep" | b"e.p" | b"ep.") {
            return Ok(());
        }
        self.play(rest, word)
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

    fn finish(self, text: &GameText) -> GameRecord {
        let tag = self.tags.get("Result").and_then(Marker::from_tag);
        let conflict = match (tag, self.marker) {
            (Some(tag), Some(marker)) if marker != Marker::Known(tag) => Some(ResultConflict { tag, marker }),
            _ => None,
        };
        let outcome = tag.or_else(|| self.marker.and_then(Marker::known));
        let exclusion = match self.variant {
            Variant::Other => Some(Exclusion::OtherVariant),
            _ => Exclusion::from_termination(self.tags.known("Termination"))
                .or_else(|| self.ending.iter().find_map(|comment| Exclusion::from_comment(&text_of(comment))))
                .or_else(|| outcome.is_none().then_some(Exclusion::NoResult)),
        };
        GameRecord {
            number: text.number,
            line: text.line,
            tags: self.tags,
            start: self.start,
            moves: self.moves,
            outcome,
            exclusion,
            conflict,
            notes: self.notes.map(NoteKeeper::finish),
        }
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

/// Whether a word is a sign that judges a move or a position: `$12`, `!?`, `+-`, `∞`.
fn is_judgement(word: &[u8]) -> bool {
    match word {
        [b'$', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        [b'!' | b'?', rest @ ..] => rest.iter().all(|byte| matches!(byte, b'!' | b'?')),
        // Most words are moves, and longer.
        [_, _, _, _, ..] | [b'a'..=b'h', ..] => false,
        _ => notes::glyph(word).is_some(),
    }
}

/// What is played, by the tag `Variant`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    Chess,
    Chess960,
    Other,
}

impl Variant {
    fn from_tag(text: &str) -> Variant {
        let letters: String = text.chars().filter(|letter| letter.is_alphanumeric()).collect();
        match letters.to_ascii_lowercase().as_str() {
            "" | "chess" | "standard" | "normal" | "regular" | "orthodox" | "classical" | "classic" | "rapid"
            | "blitz" | "bullet" | "lightning" | "fromposition" | "standardchess" | "normalchess"
            | "classicalchess" | "orthodoxchess" => Variant::Chess,
            "chess960"
            | "960"
            | "fischerandom"
            | "fischerrandom"
            | "fischerandomchess"
            | "fischerrandomchess"
            | "doublefischerrandom"
            | "doublefischerandom"
            | "frc"
            | "dfrc"
            | "wildfr"
            | "freestyle"
            | "freestylechess" => Variant::Chess960,
            _ => Variant::Other,
        }
    }
}

/// The position of a FEN.
///
/// # Errors
///
/// What is wrong with it, in words.
pub fn set_up(fen: &str, chess960: bool) -> Result<Chess, String> {
    match Position::from_fen(fen, chess960) {
        Ok(position) => Ok(position.to_chess()),
        Err(error) if !chess960 && Position::from_fen(fen, true).is_ok() => {
            Err(format!("{error}; Chess960 needs its tag or option"))
        }
        Err(error) => Err(error.to_string()),
    }
}
