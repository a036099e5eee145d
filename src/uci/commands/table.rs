//! The table of commands.

use super::super::error::CommandError;
use super::super::genfens::GenFens;
use super::super::go::Go;
use super::super::options;
use super::super::words::{next_word, number};
use super::super::{bench, perft};
use super::action::{Action, Answer, Change, Look, PositionCommand, Signal, Task};

/// Longest value of an option, in bytes.
const MAX_VALUE: usize = 4096;

/// A command as the client sees it.
pub struct UciCommand {
    /// Its first words.
    pub name: &'static str,
    /// What may follow, for `help`; one line or several.
    pub arguments: &'static str,
    /// What it does, in at most fifteen words, for `help`.
    pub purpose: &'static str,
    /// Whether UCI has it.
    pub is_standard: bool,
    /// Reads what follows the name.
    pub read: fn(&str) -> Result<Action, CommandError>,
}

/// The commands, in the order of `help`. Words after a command without arguments are ignored.
pub const COMMANDS: &[UciCommand] = &[
    UciCommand {
        name: "uci",
        arguments: "",
        purpose: "name the engine and its options",
        is_standard: true,
        read: |_| Ok(Action::Answer(Answer::Uci)),
    },
    UciCommand {
        name: "isready",
        arguments: "",
        purpose: "answer readyok when all earlier commands are done; at once during a search",
        is_standard: true,
        read: |_| Ok(Action::Answer(Answer::IsReady)),
    },
    UciCommand {
        name: "ucinewgame",
        arguments: "",
        purpose: "forget what earlier searches found",
        is_standard: true,
        read: |_| Ok(Action::Change(Change::NewGame)),
    },
    UciCommand {
        name: "position",
        arguments: "startpos|fen FEN [moves M...]",
        purpose: "set up a position",
        is_standard: true,
        read: |rest| Ok(Action::Change(Change::Position(read_position(rest)))),
    },
    UciCommand {
        name: "go",
        arguments: "[searchmoves M...] [ponder] [wtime T] [btime T] [winc T] [binc T] [movestogo N]\n\
                    [depth N] [nodes N] [mate N] [movetime T] [infinite]",
        purpose: "search; times in milliseconds",
        is_standard: true,
        read: |rest| Ok(Action::Task(Task::Go(Box::new(Go::parse(rest.split_whitespace()))))),
    },
    UciCommand {
        name: "go perft",
        arguments: "DEPTH",
        purpose: "count move sequences",
        is_standard: false,
        read: read_perft,
    },
    UciCommand {
        name: "stop",
        arguments: "",
        purpose: "end the search",
        is_standard: true,
        read: |_| Ok(Action::Signal(Signal::Stop)),
    },
    UciCommand {
        name: "ponderhit",
        arguments: "",
        purpose: "the expected move was played: search on, with the clock running",
        is_standard: true,
        read: |_| Ok(Action::Signal(Signal::PonderHit)),
    },
    UciCommand {
        name: "setoption",
        arguments: "name NAME [value VALUE]",
        purpose: "set an option",
        is_standard: true,
        read: read_setoption,
    },
    UciCommand {
        name: "debug",
        arguments: "on|off",
        purpose: "report the limits of each search, and commands that wait",
        is_standard: true,
        read: read_debug,
    },
    UciCommand {
        name: "d",
        arguments: "",
        purpose: "print the board, FEN, key and checkers",
        is_standard: false,
        read: |_| Ok(Action::Look(Look::Display)),
    },
    UciCommand {
        name: "eval",
        arguments: "",
        purpose: "explain the evaluation of the position",
        is_standard: false,
        read: |_| Ok(Action::Look(Look::Eval)),
    },
    UciCommand {
        name: "bench",
        arguments: "[DEPTH]",
        purpose: "search fixed positions; the node count is a signature of the search",
        is_standard: false,
        read: read_bench,
    },
    UciCommand {
        name: "genfens",
        arguments: "N [seed S] [book FILE|None] [plies P]",
        purpose: "print N openings for OpenBench",
        is_standard: false,
        read: |rest| Ok(Action::Task(Task::GenFens(GenFens::parse(rest)?))),
    },
    UciCommand {
        name: "help",
        arguments: "",
        purpose: "print this text",
        is_standard: false,
        read: |_| Ok(Action::Answer(Answer::Help)),
    },
    UciCommand {
        name: "quit",
        arguments: "",
        purpose: "end the session",
        is_standard: true,
        read: |_| Ok(Action::Signal(Signal::Quit)),
    },
];

fn read_position(mut rest: &str) -> Result<PositionCommand, CommandError> {
    let place = "position";
    let fen = match next_word(&mut rest) {
        Some("startpos") => match next_word(&mut rest) {
            None | Some("moves") => None,
            Some(token) => return Err(CommandError::Unexpected { place, token: token.to_owned() }),
        },
        Some("fen") => {
            let mut fields = Vec::new();
            while let Some(field) = next_word(&mut rest).filter(|&field| field != "moves") {
                fields.push(field);
            }
            if fields.is_empty() {
                return Err(CommandError::Missing { place: "position fen", expected: "the FEN".to_owned() });
            }
            Some(fields.join(" "))
        }
        Some(token) => return Err(CommandError::Unexpected { place, token: token.to_owned() }),
        None => return Err(CommandError::Missing { place, expected: "'startpos' or 'fen'".to_owned() }),
    };
    Ok(PositionCommand { fen, moves: rest.trim().to_owned() })
}

fn read_perft(mut rest: &str) -> Result<Action, CommandError> {
    Ok(Action::Task(Task::Perft(number("go perft", next_word(&mut rest), 0, perft::MAX_DEPTH)?)))
}

fn read_bench(mut rest: &str) -> Result<Action, CommandError> {
    Ok(Action::Task(Task::Bench(match next_word(&mut rest) {
        None => bench::DEFAULT_DEPTH,
        depth => number("bench", depth, 1, bench::MAX_DEPTH)?,
    })))
}

fn read_debug(mut rest: &str) -> Result<Action, CommandError> {
    match next_word(&mut rest) {
        Some("on") => Ok(Action::Answer(Answer::Debug(true))),
        Some("off") => Ok(Action::Answer(Answer::Debug(false))),
        Some(token) => Err(CommandError::Unexpected { place: "debug", token: token.to_owned() }),
        None => Err(CommandError::Missing { place: "debug", expected: "'on' or 'off'".to_owned() }),
    }
}

fn read_setoption(mut rest: &str) -> Result<Action, CommandError> {
    match next_word(&mut rest) {
        Some("name") => {}
        Some(token) => return Err(CommandError::Unexpected { place: "setoption", token: token.to_owned() }),
        None => return Err(CommandError::Missing { place: "setoption", expected: "'name'".to_owned() }),
    }
    let mut name = Vec::new();
    let mut value = None;
    while let Some(word) = next_word(&mut rest) {
        if word == "value" {
            value = Some(rest.trim()).filter(|value| value.len() <= MAX_VALUE);
            if value.is_none() {
                return Err(CommandError::LongValue(MAX_VALUE));
            }
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return Err(CommandError::Missing { place: "setoption name", expected: "the option's name".to_owned() });
    }
    Ok(Action::Change(Change::SetOption(options::parse(&name.join(" "), value)?)))
}
