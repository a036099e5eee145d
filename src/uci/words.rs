//! The words of a line.

use super::error::CommandError;
use std::fmt::Display;
use std::str::FromStr;

/// Removes the first word from `rest`.
pub fn next_word<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let text = rest.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    *rest = after;
    (!word.is_empty()).then_some(word)
}

/// Reads a whole number from `min` to `max`.
pub fn number<T: FromStr + PartialOrd + Display>(
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
