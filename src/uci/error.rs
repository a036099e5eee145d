//! Why a command is refused.

use super::contempt::OpponentError;
use crate::params::ParamsError;
use crate::printing::{TimeClass, UnknownProfile};
use crate::search::OutOfMemory;
use thiserror::Error;

/// Why a line is not understood. `place` is the command with the argument.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    #[error("unknown command '{0}', 'help' lists the commands")]
    Unknown(String),
    #[error("{place}: {expected} missing")]
    Missing { place: &'static str, expected: String },
    #[error("{place}: unexpected '{token}'")]
    Unexpected { place: &'static str, token: String },
    #[error("{place}: '{token}' is not {expected}")]
    Invalid { place: &'static str, token: String, expected: String },
    #[error("setoption: {0}")]
    Option(#[from] OptionError),
    #[error("'{0}' is ignored")]
    Skipped(String),
    #[error("letters that are not UTF-8 are read as '\u{fffd}'")]
    NotUtf8,
    #[error("line of more than {0} bytes ignored")]
    TooLong(usize),
    #[error("setoption: value of more than {0} bytes ignored")]
    LongValue(usize),
}

/// Why a `setoption` is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    #[error("no option '{0}'")]
    Unknown(String),
    #[error("option {name} needs a value: {expected}")]
    Missing { name: &'static str, expected: String },
    #[error("option {name}: '{value}' is not {expected}")]
    Invalid { name: &'static str, value: String, expected: String },
}

/// Why an option cannot have a value.
#[derive(Debug, Error)]
pub enum SetOptionError {
    /// There is no memory for a table of this size, or for so many threads.
    #[error("option {option}: {reason}")]
    Memory { option: &'static str, reason: OutOfMemory },
    /// The file cannot be read, or something in it is wrong.
    #[error("option {option}: {reason}")]
    File { option: &'static str, reason: ParamsError },
    /// There is no such profile.
    #[error("option WDL_Profile: {0}; it is set once a WDL_ProfileFile has it")]
    Profile(#[from] UnknownProfile),
    /// The description of the opponent is malformed.
    #[error("option UCI_Opponent: {0}")]
    Opponent(#[from] OpponentError),
    /// No profile of this time control has a rating.
    #[error(
        "options WDL_WhiteElo, WDL_BlackElo, WDL_TimeControl: no profile for {0} games has a rating, so WDL_Profile decides"
    )]
    Unrated(TimeClass),
    /// No file of profiles has been read.
    #[error("option WDL_Profile: 'file' needs a WDL_ProfileFile")]
    NoFile,
}
