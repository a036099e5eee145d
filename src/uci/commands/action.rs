//! What a command asks for, sorted by what becomes of it during a search.

use super::super::error::CommandError;
use super::super::genfens::GenFens;
use super::super::go::Go;
use super::super::options::SetOption;

/// What a command asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Handled at once, also during a search.
    Signal(Signal),
    /// Answered at once, also during a search.
    Answer(Answer),
    /// Shows the position. Answered at once, unless a command that may change the position waits.
    Look(Look),
    /// Waits for the end of a search.
    Change(Change),
    /// Waits for the end of a search, and stops one without a limit.
    Task(Task),
}

/// What happens to the running search, or to the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// End the search.
    Stop,
    /// The move that the engine ponders on was played.
    PonderHit,
    /// End the session.
    Quit,
}

/// What needs no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Name the engine and its options.
    Uci,
    /// Say that all earlier commands are done.
    IsReady,
    /// Switch debug messages on or off.
    Debug(bool),
    /// List commands and options.
    Help,
}

/// What is shown of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// The board.
    Display,
    /// The evaluation, explained.
    Eval,
}

/// What the next search has to know.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// It belongs to another game.
    NewGame,
    /// Its position, or what is malformed in the command.
    Position(Result<PositionCommand, CommandError>),
    /// An option.
    SetOption(SetOption),
}

/// Work that takes long.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// Search.
    Go(Box<Go>),
    /// Count the move sequences of this length in plies.
    Perft(u32),
    /// Search the bench positions to a depth in plies.
    Bench(usize),
    /// Print openings for OpenBench.
    GenFens(GenFens),
}

/// A `position` as it was sent, not yet checked by the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionCommand {
    /// The FEN; `None` for the start position.
    pub fen: Option<String>,
    /// Moves from there, in UCI notation, between blanks.
    pub moves: String,
}

impl Action {
    /// Bytes of its texts that can be long.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let Action::Change(Change::Position(Ok(command))) = self else { return 0 };
        command.fen.as_ref().map_or(0, String::len) + command.moves.len()
    }
}
