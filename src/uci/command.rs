//! Lines from the client, as typed commands.

use super::go::Go;
use super::options::{self, OptionError, Setting};
use super::{bench, perft};
use std::fmt::Display;
use std::str::FromStr;
use thiserror::Error;

/// What the client asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Introduce the engine and its options.
    Uci,
    /// Answer when all before is done, during a search at once.
    IsReady,
    /// The next search belongs to another game.
    NewGame,
    /// Set up a position.
    Position(Setup),
    /// Search.
    Go(Box<Go>),
    /// Count the move sequences of this length.
    Perft(u32),
    /// End the search.
    Stop,
    /// The move that was pondered on has been played.
    PonderHit,
    /// Change an option.
    SetOption(Setting),
    /// Say more or less.
    Debug(bool),
    /// End the session.
    Quit,
    /// Draw the board.
    Display,
    /// Explain the evaluation.
    Eval,
    /// Search the bench positions to a depth in plies, or the default one.
    Bench(Option<usize>),
    /// List the commands.
    Help,
}

/// A `position` as it was sent: nothing is known to be legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The FEN; `None` for the start position.
    pub fen: Option<String>,
    /// Moves from there, in UCI notation.
    pub moves: Vec<String>,
}

/// Why a line was not understood.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// The first word is no command.
    #[error("unknown command '{0}', 'help' lists the commands")]
    Unknown(String),
    /// The line ends too early.
    #[error("{place}: {expected} missing")]
    Missing {
        /// Command and argument.
        place: &'static str,
        /// What should follow.
        expected: String,
    },
    /// A word that does not belong there.
    #[error("{place}: unexpected '{token}'")]
    Unexpected {
        /// Command and argument.
        place: &'static str,
        /// The word.
        token: String,
    },
    /// A malformed or out-of-range value.
    #[error("{place}: '{token}' is not {expected}")]
    Invalid {
        /// Command and argument.
        place: &'static str,
        /// The value.
        token: String,
        /// What it should be.
        expected: String,
    },
    /// An unknown option or a bad value for one.
    #[error("setoption: {0}")]
    Option(#[from] OptionError),
    /// The line is longer than any sensible command.
    #[error("line of more than {0} bytes ignored")]
    TooLong(usize),
}

impl Command {
    /// Reads a line; `None` for a blank one. What follows a command without arguments is not looked at.
    ///
    /// # Errors
    ///
    /// [`CommandError`] that says what was not understood and where.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let mut rest = line;
        let Some(word) = next_word(&mut rest) else { return Ok(None) };
        Ok(Some(match word {
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            "ucinewgame" => Command::NewGame,
            "position" => Command::Position(Setup::parse(rest.split_whitespace())?),
            "go" => parse_go(rest)?,
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "setoption" => Command::SetOption(parse_setoption(rest)?),
            "debug" => parse_debug(rest)?,
            "quit" => Command::Quit,
            "d" => Command::Display,
            "eval" => Command::Eval,
            "bench" => Command::Bench(match next_word(&mut rest) {
                None => None,
                depth => Some(number("bench", depth, 1, bench::MAX_DEPTH)?),
            }),
            "help" => Command::Help,
            _ => return Err(CommandError::Unknown(word.to_owned())),
        }))
    }

    /// The word that the command begins with.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Command::Uci => "uci",
            Command::IsReady => "isready",
            Command::NewGame => "ucinewgame",
            Command::Position(_) => "position",
            Command::Go(_) => "go",
            Command::Perft(_) => "go perft",
            Command::Stop => "stop",
            Command::PonderHit => "ponderhit",
            Command::SetOption(_) => "setoption",
            Command::Debug(_) => "debug",
            Command::Quit => "quit",
            Command::Display => "d",
            Command::Eval => "eval",
            Command::Bench(_) => "bench",
            Command::Help => "help",
        }
    }
}

impl Setup {
    fn parse<'a>(mut tokens: impl Iterator<Item = &'a str>) -> Result<Setup, CommandError> {
        let place = "position";
        let fen = match tokens.next() {
            Some("startpos") => match tokens.next() {
                None | Some("moves") => None,
                Some(token) => return Err(CommandError::Unexpected { place, token: token.to_owned() }),
            },
            Some("fen") => {
                let fields: Vec<_> = tokens.by_ref().take_while(|token| *token != "moves").collect();
                if fields.is_empty() {
                    return Err(CommandError::Missing { place: "position fen", expected: "the FEN".to_owned() });
                }
                Some(fields.join(" "))
            }
            Some(token) => return Err(CommandError::Unexpected { place, token: token.to_owned() }),
            None => return Err(CommandError::Missing { place, expected: "'startpos' or 'fen'".to_owned() }),
        };
        Ok(Setup { fen, moves: tokens.map(str::to_owned).collect() })
    }
}

fn parse_go(mut rest: &str) -> Result<Command, CommandError> {
    let arguments = rest;
    if next_word(&mut rest) == Some("perft") {
        return Ok(Command::Perft(number("go perft", next_word(&mut rest), 0, perft::MAX_DEPTH)?));
    }
    Ok(Command::Go(Box::new(Go::parse(arguments.split_whitespace())?)))
}

fn parse_debug(mut rest: &str) -> Result<Command, CommandError> {
    match next_word(&mut rest) {
        Some("on") => Ok(Command::Debug(true)),
        Some("off") => Ok(Command::Debug(false)),
        Some(token) => Err(CommandError::Unexpected { place: "debug", token: token.to_owned() }),
        None => Err(CommandError::Missing { place: "debug", expected: "'on' or 'off'".to_owned() }),
    }
}

fn parse_setoption(mut rest: &str) -> Result<Setting, CommandError> {
    match next_word(&mut rest) {
        Some("name") => {}
        Some(token) => return Err(CommandError::Unexpected { place: "setoption", token: token.to_owned() }),
        None => return Err(CommandError::Missing { place: "setoption", expected: "'name'".to_owned() }),
    }
    let mut name = Vec::new();
    let mut value = None;
    while let Some(word) = next_word(&mut rest) {
        if word == "value" {
            value = Some(rest.trim());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return Err(CommandError::Missing { place: "setoption name", expected: "the option's name".to_owned() });
    }
    Ok(options::parse(&name.join(" "), value)?)
}

/// Takes the first word off `rest`.
fn next_word<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let text = rest.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    *rest = after;
    (!word.is_empty()).then_some(word)
}

/// Reads a whole number from `min` to `max`.
pub(super) fn number<T: FromStr + PartialOrd + Display>(
    place: &'static str,
    token: Option<&str>,
    min: T,
    max: T,
) -> Result<T, CommandError> {
    let expected = format!("a whole number from {min} to {max}");
    let Some(token) = token else { return Err(CommandError::Missing { place, expected }) };
    match token.parse::<T>() {
        Ok(value) if value >= min && value <= max => Ok(value),
        _ => Err(CommandError::Invalid { place, token: token.to_owned(), expected }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    #[test]
    fn plain_commands_are_read_with_any_spacing() {
        assert_eq!(parse("uci"), Command::Uci);
        assert_eq!(parse(" \t isready  \r"), Command::IsReady);
        assert_eq!(parse("debug on"), Command::Debug(true));
        assert_eq!(parse("bench 5"), Command::Bench(Some(5)));
        assert_eq!(parse("bench"), Command::Bench(None));
        assert_eq!(parse("go perft 4"), Command::Perft(4));
        assert_eq!(Command::parse(" \r").unwrap(), None);
    }

    #[test]
    fn positions_are_split_into_fen_and_moves() {
        assert_eq!(parse("position startpos"), Command::Position(Setup { fen: None, moves: vec![] }));
        let Command::Position(setup) = parse("position fen 8/8/8/8/8/8/8/8   w - - 0 1 moves e2e4  e7e5") else {
            panic!("no position");
        };
        assert_eq!(setup.fen.as_deref(), Some("8/8/8/8/8/8/8/8 w - - 0 1"));
        assert_eq!(setup.moves, ["e2e4", "e7e5"]);
    }

    #[test]
    fn option_names_and_values_may_hold_spaces() {
        assert_eq!(parse("setoption name Clear Hash"), Command::SetOption(Setting::ClearHash));
        assert_eq!(parse("setoption name clear   hash value"), Command::SetOption(Setting::ClearHash));
        assert_eq!(
            parse("setoption name EvalParams value  my  file.toml "),
            Command::SetOption(Setting::EvalParams(Some("my  file.toml".into())))
        );
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (line, named) in [
            ("Uci", "'Uci'"),
            ("please go", "'please'"),
            ("position", "'startpos' or 'fen'"),
            ("position fen", "FEN"),
            ("position fen moves e2e4", "FEN"),
            ("position here", "'here'"),
            ("position startpos e2e4", "'e2e4'"),
            ("setoption", "'name'"),
            ("setoption Hash 5", "'Hash'"),
            ("setoption name", "name"),
            ("setoption name value 3", "name"),
            ("debug", "'on' or 'off'"),
            ("debug perhaps", "'perhaps'"),
            ("bench deep", "'deep'"),
            ("go perft", "go perft"),
            ("go perft -1", "'-1'"),
            ("go perft 400", "'400'"),
        ] {
            let message = Command::parse(line).unwrap_err().to_string();
            assert!(message.contains(named), "{line}: {message}");
        }
    }
}
