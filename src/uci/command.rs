//! Lines from the client, as typed commands.

use super::error::{CommandError, number};
use super::genfens::GenFens;
use super::go::Go;
use super::options::{self, SetOption};
use super::{bench, perft};

/// Longest value of an option, in bytes.
const MAX_VALUE: usize = 4096;

/// The commands of the protocol; words before one of them are skipped.
const PROTOCOL: [&str; 10] =
    ["uci", "debug", "isready", "setoption", "ucinewgame", "position", "go", "stop", "ponderhit", "quit"];

/// A command of the client.
#[derive(Clone, Debug, PartialEq)]
pub enum UciCommand {
    /// Name the engine and its options.
    Uci,
    /// Answer when all earlier commands are done; at once during a search.
    IsReady,
    /// The next search belongs to another game.
    NewGame,
    /// Set up a position, or say what is malformed in the command.
    Position(Result<PositionCommand, CommandError>),
    /// Search.
    Go(Box<Go>),
    /// Count the move sequences of this length in plies.
    Perft(u32),
    /// End the search.
    Stop,
    /// The move that the engine ponders on was played.
    PonderHit,
    /// Set an option.
    SetOption(SetOption),
    /// Switch debug messages on or off.
    Debug(bool),
    /// End the session.
    Quit,
    /// Print the board.
    Display,
    /// Explain the evaluation.
    Eval,
    /// Search the bench positions to a depth in plies; `None` for the default one.
    Bench(Option<usize>),
    /// Print openings for OpenBench.
    GenFens(GenFens),
    /// List commands and options.
    Help,
}

/// A `position` as it was sent, not yet checked by the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionCommand {
    /// The FEN; `None` for the start position.
    pub fen: Option<String>,
    /// Moves from there, in UCI notation, between blanks.
    pub moves: String,
}

impl UciCommand {
    /// Reads a line; `None` for a blank one. Words after a command without arguments are ignored.
    ///
    /// # Errors
    ///
    /// [`CommandError`] with the word that is not understood and its place.
    pub fn parse(line: &str) -> Result<Option<UciCommand>, CommandError> {
        let mut rest = line;
        let Some(word) = next_word(&mut rest) else { return Ok(None) };
        Ok(Some(match word {
            "uci" => UciCommand::Uci,
            "isready" => UciCommand::IsReady,
            "ucinewgame" => UciCommand::NewGame,
            "position" => UciCommand::Position(PositionCommand::parse(rest)),
            "go" => parse_go(rest)?,
            "stop" => UciCommand::Stop,
            "ponderhit" => UciCommand::PonderHit,
            "setoption" => UciCommand::SetOption(parse_setoption(rest)?),
            "debug" => parse_debug(rest)?,
            "quit" => UciCommand::Quit,
            "d" => UciCommand::Display,
            "eval" => UciCommand::Eval,
            "bench" => UciCommand::Bench(match next_word(&mut rest) {
                None => None,
                depth => Some(number("bench", depth, 1, bench::MAX_DEPTH)?),
            }),
            "genfens" => UciCommand::GenFens(GenFens::parse(rest)?),
            "help" => UciCommand::Help,
            _ => return Err(CommandError::Unknown(word.to_owned())),
        }))
    }

    /// Bytes of its texts that can be long.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let UciCommand::Position(Ok(command)) = self else { return 0 };
        command.fen.as_ref().map_or(0, String::len) + command.moves.len()
    }

    /// Its name in the protocol.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            UciCommand::Uci => "uci",
            UciCommand::IsReady => "isready",
            UciCommand::NewGame => "ucinewgame",
            UciCommand::Position(_) => "position",
            UciCommand::Go(_) => "go",
            UciCommand::Perft(_) => "go perft",
            UciCommand::Stop => "stop",
            UciCommand::PonderHit => "ponderhit",
            UciCommand::SetOption(_) => "setoption",
            UciCommand::Debug(_) => "debug",
            UciCommand::Quit => "quit",
            UciCommand::Display => "d",
            UciCommand::Eval => "eval",
            UciCommand::Bench(_) => "bench",
            UciCommand::GenFens(_) => "genfens",
            UciCommand::Help => "help",
        }
    }
}

/// Splits off the words before the first command of the protocol, as UCI asks. Nothing is split off where the line begins
/// with a command or has none.
pub fn skip_unknown(line: &str) -> (&str, &str) {
    let mut rest = line;
    let mut place = 0;
    while let Some(word) = next_word(&mut rest) {
        if PROTOCOL.contains(&word) {
            return line.split_at(place);
        }
        // A command beyond the protocol counts as the first word alone.
        if place == 0 && ["d", "eval", "bench", "genfens", "help"].contains(&word) {
            break;
        }
        place = line.len() - rest.len();
    }
    ("", line)
}

impl PositionCommand {
    fn parse(mut rest: &str) -> Result<PositionCommand, CommandError> {
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
}

fn parse_go(mut rest: &str) -> Result<UciCommand, CommandError> {
    let arguments = rest;
    if next_word(&mut rest) == Some("perft") {
        return Ok(UciCommand::Perft(number("go perft", next_word(&mut rest), 0, perft::MAX_DEPTH)?));
    }
    Ok(UciCommand::Go(Box::new(Go::parse(arguments.split_whitespace()))))
}

fn parse_debug(mut rest: &str) -> Result<UciCommand, CommandError> {
    match next_word(&mut rest) {
        Some("on") => Ok(UciCommand::Debug(true)),
        Some("off") => Ok(UciCommand::Debug(false)),
        Some(token) => Err(CommandError::Unexpected { place: "debug", token: token.to_owned() }),
        None => Err(CommandError::Missing { place: "debug", expected: "'on' or 'off'".to_owned() }),
    }
}

fn parse_setoption(mut rest: &str) -> Result<SetOption, CommandError> {
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
    Ok(options::parse(&name.join(" "), value)?)
}

/// Removes the first word from `rest`.
fn next_word<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let text = rest.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    *rest = after;
    (!word.is_empty()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> UciCommand {
        UciCommand::parse(line).unwrap().unwrap()
    }

    #[test]
    fn plain_commands_are_read_with_any_spacing() {
        assert_eq!(parse("uci"), UciCommand::Uci);
        assert_eq!(parse(" \t isready  \r"), UciCommand::IsReady);
        assert_eq!(parse("debug on"), UciCommand::Debug(true));
        assert_eq!(parse("bench 5"), UciCommand::Bench(Some(5)));
        assert_eq!(parse("bench"), UciCommand::Bench(None));
        assert_eq!(parse("go perft 4"), UciCommand::Perft(4));
        assert_eq!(UciCommand::parse(" \r").unwrap(), None);
    }

    #[test]
    fn positions_are_split_into_fen_and_moves() {
        let start = PositionCommand { fen: None, moves: String::new() };
        assert_eq!(parse("position startpos"), UciCommand::Position(Ok(start)));
        let UciCommand::Position(Ok(command)) = parse("position fen 8/8/8/8/8/8/8/8   w - - 0 1 moves e2e4  e7e5")
        else {
            panic!("no position");
        };
        assert_eq!(command.fen.as_deref(), Some("8/8/8/8/8/8/8/8 w - - 0 1"));
        assert_eq!(command.moves, "e2e4  e7e5");
    }

    #[test]
    fn option_names_and_values_may_hold_spaces() {
        assert_eq!(parse("setoption name Clear Hash"), UciCommand::SetOption(SetOption::ClearHash));
        assert_eq!(parse("setoption name clear   hash value"), UciCommand::SetOption(SetOption::ClearHash));
        assert_eq!(
            parse("setoption name EvalParams value  my  file.toml "),
            UciCommand::SetOption(SetOption::EvalParams(Some("my  file.toml".into())))
        );
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (line, named) in [
            ("Uci", "'Uci'"),
            ("please do", "'please'"),
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
            let message = UciCommand::parse(line).unwrap_err().to_string();
            assert!(message.contains(named), "{line}: {message}");
        }
        for (line, named) in [
            ("position", "'startpos' or 'fen'"),
            ("position fen", "FEN"),
            ("position fen moves e2e4", "FEN"),
            ("position here", "'here'"),
            ("position startpos e2e4", "'e2e4'"),
        ] {
            let UciCommand::Position(Err(error)) = parse(line) else { panic!("{line} is read") };
            assert!(error.to_string().contains(named), "{line}: {error}");
        }
        let long = format!("setoption name EvalParams value {}", "x".repeat(MAX_VALUE + 1));
        assert_eq!(UciCommand::parse(&long), Err(CommandError::LongValue(MAX_VALUE)));
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        assert_eq!(skip_unknown("joho  isready"), ("joho", "  isready"));
        assert_eq!(skip_unknown("so long stop now"), ("so long", " stop now"));
        for line in ["isready", "d", "d go", "no command", "", "  "] {
            assert_eq!(skip_unknown(line), ("", line));
        }
    }
}
