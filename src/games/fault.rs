//! What is wrong with games.

use super::parse::MAX_PLIES;
use super::scan::MAX_MALFORMED_TAGS;
use super::tags::text_of;
use shakmaty::{Chess, Color, Position};
use std::fmt;
use thiserror::Error;

/// Most characters of a word that a message quotes.
const QUOTED_CHARACTERS: usize = 40;

/// A game that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {number}, line {line}: {fault}")]
pub struct BrokenGame {
    /// Number of the game in its file, from 1.
    pub number: usize,
    /// Line of the file, from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: GameFault,
}

impl BrokenGame {
    /// Whether no game is lost with it: it is text behind the last one.
    #[must_use]
    pub fn is_text(&self) -> bool {
        matches!(self.fault, GameFault::TextBehind(_))
    }
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "fields of errors say what they are")]
pub enum GameFault {
    #[error("malformed tag {0}")]
    Tag(Quoted),
    #[error("more than {MAX_MALFORMED_TAGS} malformed tags")]
    TooManyTags,
    #[error("{0}")]
    Start(String),
    #[error("{0} is no move")]
    NotAMove(Quoted),
    #[error("{0} is a null move")]
    NullMove(Quoted),
    #[error("move {place} {} is illegal in '{fen}'", .word.0)]
    IllegalMove { place: MoveNumber, word: Quoted, fen: String },
    #[error("move {place} {} is ambiguous in '{fen}'", .word.0)]
    AmbiguousMove { place: MoveNumber, word: Quoted, fen: String },
    #[error("unterminated comment")]
    UnterminatedComment,
    #[error("unterminated variation")]
    UnterminatedVariation,
    #[error("neither tags nor moves")]
    Empty,
    #[error("longer than 16 MiB")]
    TooLong,
    #[error("text behind the games left out: {0}")]
    TextBehind(Quoted),
    #[error("more than {MAX_PLIES} plies")]
    TooManyMoves,
}

/// What was found wrong with a game that can be read all the same.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {kind}")]
pub struct GameWarning {
    /// Line of the file, from 1.
    pub line: usize,
    /// What it is.
    pub kind: WarningKind,
}

/// What was found wrong with a game that can be read all the same.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "fields of errors say what they are")]
pub enum WarningKind {
    #[error("malformed tag {0} left out")]
    Tag(Quoted),
    #[error("a tag longer than 16 KiB left out: {0}")]
    LongTag(Quoted),
    #[error("text before the game left out: {0}")]
    Text(Quoted),
    #[error("text between the tags left out: {0}")]
    TextInTags(Quoted),
    #[error("0-0 at the end is read as lost by both, though castling would be legal")]
    BothLose,
    #[error("FEN: {0}")]
    Mended(&'static str),
    #[error("the time control {0} is not understood")]
    TimeControl(Quoted),
    #[error("{0} {1} is not understood")]
    Rating(&'static str, Quoted),
    #[error("the result {0} is not understood")]
    Result(Quoted),
    #[error("several results behind the moves; the first counts")]
    Results,
}

/// A word of the text, cut to a length that fits into a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quoted(String);

impl Quoted {
    pub(super) fn new(bytes: &[u8]) -> Quoted {
        let text = text_of(&bytes[..bytes.len().min(4 * QUOTED_CHARACTERS)]);
        if text.chars().count() > QUOTED_CHARACTERS {
            Quoted(text.chars().take(QUOTED_CHARACTERS).chain(std::iter::once('…')).collect())
        } else {
            Quoted(text.into_owned())
        }
    }
}

impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}'", self.0.trim_end())
    }
}

/// The number before a move: `12.`, or `12...` for Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveNumber(u32, Color);

impl MoveNumber {
    pub(super) fn of(position: &Chess) -> MoveNumber {
        MoveNumber(position.fullmoves().get(), position.turn())
    }
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0, self.1.fold_wb(".", "..."))
    }
}
