//! Games and positions from text.

use super::source::Source;
use crate::games::{CastlingRights, GameTexts, LineTexts, ReadOptions, TextFormat};
use std::fmt::Display;
use std::io::BufRead;
use std::ops::RangeInclusive;
use std::str::FromStr;
use thiserror::Error;

/// Most positions that are analysed at once.
const MAX_POSITIONS: usize = 2_000_000;
/// Most faults, and most warnings, that are told.
const MAX_FAULTS: usize = 100;

/// Why nothing can be read.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct InputError(String);

impl InputError {
    /// That the text called `name`, which may be empty, cannot be read for this reason.
    #[must_use]
    pub fn new(name: &str, reason: impl Display) -> InputError {
        InputError(with_name(name, reason))
    }
}

fn with_name(name: &str, reason: impl Display) -> String {
    if name.is_empty() { reason.to_string() } else { format!("{name}: {reason}") }
}

/// What a text holds.
#[derive(Debug)]
#[non_exhaustive]
pub struct Input {
    /// The games or positions that were chosen.
    pub sources: Vec<Source>,
    /// What could not be read, and where.
    pub faults: Vec<String>,
    /// What was read though something is wrong with it, and where.
    pub warnings: Vec<String>,
    /// Whether they are positions.
    pub are_positions: bool,
}

impl Input {
    fn add_fault(&mut self, fault: String) {
        add(&mut self.faults, fault, "more that cannot be read");
    }

    fn add_warning(&mut self, warning: String) {
        add(&mut self.warnings, warning, "more of this kind");
    }

    /// Tells what was chosen behind the last game or line.
    fn warn_of_absent(&mut self, selection: &Selection, kind: &str, last: usize) {
        if !self.sources.is_empty() {
            selection
                .beyond(last)
                .for_each(|first| self.add_warning(format!("there is no {kind} {first}: the last is {last}")));
        }
    }
}

/// Adds a message, or at the limit that there are more.
fn add(messages: &mut Vec<String>, message: String, more: &str) {
    match messages.len() {
        0..MAX_FAULTS => messages.push(message),
        MAX_FAULTS => messages.push(more.to_owned()),
        _ => {}
    }
}

/// Which games to read, by their number in the text, from 1; by default all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection(Vec<RangeInclusive<usize>>);

impl Selection {
    /// One game, by its number from 1.
    #[must_use]
    pub fn only(number: usize) -> Selection {
        Selection(vec![number..=number])
    }

    fn contains(&self, number: usize) -> bool {
        self.0.is_empty() || self.0.iter().any(|range| range.contains(&number))
    }

    /// Whether nothing behind this number is chosen.
    fn is_behind(&self, number: usize) -> bool {
        !self.0.is_empty() && self.0.iter().all(|range| *range.end() < number)
    }

    /// Numbers that are chosen where there are only so many: of each range that begins behind the last one, the first.
    fn beyond(&self, last: usize) -> impl Iterator<Item = usize> {
        self.0.iter().map(|range| *range.start()).filter(move |&first| first > last)
    }
}

impl FromStr for Selection {
    type Err = String;

    /// Reads numbers and ranges between commas: `1,4-6,10-`.
    fn from_str(text: &str) -> Result<Selection, String> {
        let number = |part: &str| part.trim().parse().ok().filter(|&number: &usize| number > 0);
        let range = |part: &str| {
            let (first, last) = part
                .split_once('-')
                .map_or((part, Some(part)), |(first, last)| (first, Some(last).filter(|last| !last.trim().is_empty())));
            let (first, last) = (number(first)?, last.map_or(Some(usize::MAX), number)?);
            (first <= last).then_some(first..=last)
        };
        let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
        ranges.map(Selection).ok_or_else(|| "not numbers or ranges from 1, such as 1,4-6,10-".to_owned())
    }
}

/// Reads games in PGN, or positions in FEN or EPD. `name`, if it is not empty, stands before
/// each fault. With `chess960` any castling rights are
/// accepted in games without a tag that says Chess960.
///
/// ```
/// use halfpoint::analysis::{Selection, read};
///
/// let input = read("my games", "1. e4 e5 *\n\n1. d4 Ke7 *\n".as_bytes(), &Selection::default(), false)?;
/// assert_eq!(input.sources[0].moves.len(), 2);
/// assert!(input.faults[0].starts_with("my games: game 2, line 3: move 1... Ke7 is illegal"));
/// # Ok::<(), halfpoint::analysis::InputError>(())
/// ```
///
/// # Errors
///
/// [`InputError`] if the text is neither, or has nothing in it that can be read and was chosen. What is broken inside is left
/// out and told in [`Input::faults`].
pub fn read(name: &str, mut reader: impl BufRead, selection: &Selection, chess960: bool) -> Result<Input, InputError> {
    let failed = |reason: &str| InputError::new(name, reason);
    let format = TextFormat::detect(&mut reader).map_err(|error| InputError::new(name, error))?;
    let are_positions = format == Some(TextFormat::Lines);
    let mut input = Input { sources: Vec::new(), faults: Vec::new(), warnings: Vec::new(), are_positions };
    match format {
        Some(TextFormat::Pgn) => read_games(reader, selection, chess960, &mut input),
        Some(TextFormat::Lines) => read_lines(reader, selection, &mut input),
        None if reader.fill_buf().is_ok_and(<[u8]>::is_empty) => return Err(failed("is empty")),
        None => return Err(failed("neither games in PGN nor positions in FEN or EPD")),
    }
    let messages = input.faults.iter_mut().chain(&mut input.warnings);
    messages.for_each(|message| *message = with_name(name, &*message));
    if input.sources.is_empty() && input.faults.is_empty() {
        return Err(failed("no games or positions, or none of those chosen"));
    }
    Ok(input)
}

fn read_games(reader: impl BufRead, selection: &Selection, chess960: bool, input: &mut Input) {
    let options = ReadOptions { chess960, keep_notes: true, ..ReadOptions::default() };
    let mut positions = 0;
    let mut last = 0;
    for text in GameTexts::new(reader) {
        last = text.as_ref().map_or(last, |text| text.number);
        match text {
            Ok(text) if selection.is_behind(text.number) => return,
            Ok(text) if !selection.contains(text.number) => {}
            Ok(text) => {
                let game = match text.parse(&options) {
                    Ok(game) => game,
                    Err(broken) if broken.is_text() => {
                        input.add_warning(format!("line {}: {}", broken.line, broken.fault));
                        continue;
                    }
                    Err(broken) => {
                        input.add_fault(broken.to_string());
                        continue;
                    }
                };
                game.warnings.iter().for_each(|warning| input.add_warning(format!("game {}, {warning}", game.number)));
                if let Some(conflict) = game.conflict {
                    input.add_warning(format!("game {}, line {}: {conflict}", game.number, game.line));
                }
                let line = game.line;
                match Source::from_game(game) {
                    Ok(source) => {
                        if let Source { number, result, result_in_file, .. } = &source
                            && result != result_in_file
                        {
                            input.add_warning(format!(
                                "game {number}, line {line}: the result is {result_in_file}, but the board shows {result}; \
                                 the board counts"
                            ));
                        }
                        positions += source.positions();
                        if positions > MAX_POSITIONS {
                            return input
                                .add_fault(format!("the rest is left out: more than {MAX_POSITIONS} positions"));
                        }
                        input.sources.push(source);
                    }
                    Err(fault) => input.add_fault(fault),
                }
            }
            Err(error) => input.add_fault(format!("the rest of it cannot be read: {error}")),
        }
    }
    input.warn_of_absent(selection, "game", last);
}

fn read_lines(reader: impl BufRead, selection: &Selection, input: &mut Input) {
    let mut last = 0;
    for line in LineTexts::new(reader) {
        last = line.as_ref().map_or(last, |line| line.number);
        match line {
            Ok(line) if !selection.contains(line.number) => {}
            Ok(_) if input.sources.len() == MAX_POSITIONS => {
                return input.add_fault(format!("the rest is left out: more than {MAX_POSITIONS} positions"));
            }
            Ok(line) => match line.parse(CastlingRights::Either) {
                Ok(line) => {
                    line.mends.iter().for_each(|mend| input.add_warning(format!("line {}: {mend}", line.number)));
                    input.sources.push(Source::from_line(line));
                }
                Err(broken) => input.add_fault(broken.to_string()),
            },
            Err(error) => input.add_fault(format!("the rest of it cannot be read: {error}")),
        }
    }
    input.warn_of_absent(selection, "position", last);
}
