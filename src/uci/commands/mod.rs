//! The commands: one table from which lines are read and `help` is printed.

mod action;
mod table;
#[cfg(test)]
mod tests;

pub use action::{Action, Answer, Change, Look, PositionCommand, Signal, Task};

use super::error::CommandError;
use super::words::next_word;
use table::{COMMANDS, UciCommand};

/// Width of name and arguments in `help`, in characters; longer ones have a line of their own.
const HELP_WIDTH: usize = 22;

/// A command of the client.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// Its name in the table.
    pub name: &'static str,
    /// What it asks for.
    pub action: Action,
}

impl Command {
    /// Reads a line; `None` for a blank one.
    ///
    /// # Errors
    ///
    /// [`CommandError`] with the word that is not understood and its place.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let declared = COMMANDS.iter().filter_map(|declared| Some((declared, arguments(declared, line)?)));
        // `go perft` is no `go`.
        if let Some((declared, rest)) = declared.max_by_key(|(declared, _)| declared.name.len()) {
            return Ok(Some(Command { name: declared.name, action: (declared.read)(rest)? }));
        }
        match next_word(&mut &*line) {
            Some(word) => Err(CommandError::Unknown(word.to_owned())),
            None => Ok(None),
        }
    }
}

/// What follows the name of a command; `None` if the line is another one.
fn arguments<'a>(declared: &UciCommand, line: &'a str) -> Option<&'a str> {
    let mut rest = line;
    declared.name.split(' ').all(|word| next_word(&mut rest) == Some(word)).then_some(rest)
}

/// Whether a command has this name.
#[must_use]
pub fn is_command(name: &str) -> bool {
    COMMANDS.iter().any(|declared| declared.name == name)
}

/// Splits off the words before the first command of the protocol, as UCI asks. Nothing is split off where the line begins
/// with a command or has none.
pub fn skip_unknown(line: &str) -> (&str, &str) {
    let mut rest = line;
    let mut place = 0;
    while let Some(word) = next_word(&mut rest) {
        // A command beyond the protocol counts as the first word alone.
        let is_first = place == 0;
        if COMMANDS.iter().any(|declared| declared.name == word && (declared.is_standard || is_first)) {
            return line.split_at(place);
        }
        place = line.len() - rest.len();
    }
    ("", line)
}

/// A line or two for each command that say what it does, for `help`.
pub fn descriptions() -> impl Iterator<Item = String> {
    COMMANDS.iter().map(|UciCommand { name, arguments, purpose, .. }| {
        let usage = format!("{name} {arguments}").trim_end().replace('\n', &format!("\n  {:1$}", "", name.len() + 1));
        if usage.len() <= HELP_WIDTH {
            format!("  {usage:HELP_WIDTH$} {purpose}")
        } else {
            format!("  {usage}\n  {:HELP_WIDTH$} {purpose}", "")
        }
    })
}
