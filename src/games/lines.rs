//! Positions, one on each line: FEN, EPD, and FEN with a result.

use super::line_ends::LineReader;
use super::result::points;
use super::start::{CastlingRights, set_up};
use super::tags::{rating, text_of, unescaped};
use crate::printing::Ratings;
use crate::text::one_line;
use shakmaty::{Chess, KnownOutcome};
use std::borrow::Cow;
use std::io::{self, BufRead};
use thiserror::Error;

/// What a line says.
#[derive(Clone, Debug)]
pub struct PositionLine {
    /// Number of the line, from 1.
    pub number: usize,
    /// The position.
    pub position: Chess,
    /// Whether the line has the number of the move, so that lines may be told to be of one game by it.
    pub has_move_number: bool,
    /// What was mended in the position, in words: see [`set_up`].
    pub mends: Vec<&'static str>,
    /// How the game ended, if the line says so.
    pub outcome: Option<KnownOutcome>,
    /// Centipawns for the side to move: the operation `ce` of EPD.
    pub centipawns: Option<f64>,
    /// What follows the result in `FEN;result;name;name`: names that the lines of one game have in common; empty if missing.
    pub names: [String; 2],
    /// What follows the names: the ratings of White and of Black.
    pub ratings: Ratings,
    /// The operations of EPD such as `bm` and `id`: codes and operands, without quotes and their backslashes. `hmvc`, `fmvn`, a
    /// result in `c9` and a number in `ce` are not among them.
    pub operations: Vec<(String, String)>,
}

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {number}: {reason}")]
pub struct BrokenLine {
    /// Number of the line, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// The text of a line that is neither empty nor a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineText {
    /// Number of the line, from 1.
    pub number: usize,
    text: String,
    is_too_long: bool,
}

/// The lines of a file, but for empty ones and comments, which begin with `#`, `%` or `;`.
pub struct LineTexts<R> {
    reader: LineReader<R>,
    number: usize,
    bytes: Vec<u8>,
    is_done: bool,
}

impl<R: BufRead> LineTexts<R> {
    /// Reads lines.
    pub fn new(reader: R) -> LineTexts<R> {
        LineTexts { reader: LineReader::new(reader), number: 0, bytes: Vec::new(), is_done: false }
    }

    fn next_line(&mut self) -> io::Result<Option<LineText>> {
        loop {
            self.bytes.clear();
            if self.reader.read(MAX_LINE_BYTES, &mut self.bytes)? == 0 {
                return Ok(None);
            }
            let is_too_long = self.bytes.len() == MAX_LINE_BYTES && !self.bytes.ends_with(b"\n");
            while self.bytes.len() >= MAX_LINE_BYTES && !self.bytes.ends_with(b"\n") {
                self.bytes.truncate(MAX_TEXT_BYTES);
                self.reader.read(MAX_LINE_BYTES, &mut self.bytes)?;
            }
            if is_too_long {
                self.bytes.truncate(MAX_TEXT_BYTES);
            }
            self.number += 1;
            let text = text_of(&self.bytes);
            // What programs leave there: null characters of C, the end of a file of DOS.
            let text = text.trim_matches(|c: char| c.is_whitespace() || c.is_control() || c == BYTE_ORDER_MARK);
            if !text.is_empty() && !text.starts_with(['#', '%', ';']) {
                return Ok(Some(LineText { number: self.number, text: text.to_owned(), is_too_long }));
            }
        }
    }
}

/// Most bytes of a line; longer ones are cut, so that what is no text does not fill the memory.
const MAX_LINE_BYTES: usize = 1 << 20;
/// What is kept of a line that is too long.
const MAX_TEXT_BYTES: usize = 80;
const BYTE_ORDER_MARK: char = '\u{feff}';

impl<R: BufRead> Iterator for LineTexts<R> {
    type Item = io::Result<LineText>;

    fn next(&mut self) -> Option<io::Result<LineText>> {
        if self.is_done {
            return None;
        }
        let line = self.next_line().transpose();
        self.is_done = !matches!(line, Some(Ok(_)));
        line
    }
}

impl LineText {
    /// The line without white space around it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads the line: a FEN, whose counters may be missing; `FEN;result`, with names and ratings of the players behind it; or EPD, with the result in `c9`.
    ///
    /// # Errors
    ///
    /// [`BrokenLine`] if the line is none of these.
    pub fn parse(&self, castling: CastlingRights) -> Result<PositionLine, BrokenLine> {
        self.read(castling).map_err(|reason| BrokenLine { number: self.number, reason })
    }

    fn read(&self, castling: CastlingRights) -> Result<PositionLine, String> {
        if self.is_too_long {
            return Err(format!("longer than {} MiB", MAX_LINE_BYTES >> 20));
        }
        let (fields, rest) = split_fields(&self.text);
        let mut line = PositionLine {
            number: self.number,
            position: Chess::default(),
            has_move_number: false,
            mends: Vec::new(),
            outcome: None,
            centipawns: None,
            names: Default::default(),
            ratings: Ratings::default(),
            operations: Vec::new(),
        };
        let (board, counters) = fields.split_at(fields.len().min(4));
        let mut counters = [0, 1].map(|index| counters.get(index).map(|&counter| Cow::Borrowed(counter)));
        let parts = split_quoted(rest);
        let first = parts.first().map(|part| part.trim()).filter(|part| !part.is_empty());
        let outcome = first.and_then(points);
        if outcome.is_some() {
            line.outcome = outcome;
            for (name, part) in line.names.iter_mut().zip(&parts[1..]) {
                part.trim().clone_into(name);
            }
            let known = |place: usize| rating(parts.get(place)?.trim());
            line.ratings = Ratings { white: known(3), black: known(4) };
        } else {
            // A dash stands for what is not known.
            let operations = parts.into_iter().flat_map(split_run_on).map(str::trim);
            for operation in operations.filter(|part| !matches!(*part, "" | "-")) {
                let (code, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
                if !code.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    return Err(format!("'{}' is no result and no operation of EPD", one_line(operation)));
                }
                let operand = unquoted(operand.trim());
                let is_number = || operand.parse().ok().filter(|value: &f64| value.is_finite());
                match code {
                    "c9" if points(&operand).is_some() => line.outcome = points(&operand),
                    "ce" if is_number().is_some() => line.centipawns = is_number(),
                    "hmvc" => counters[0] = Some(operand),
                    "fmvn" => counters[1] = Some(operand),
                    _ => line.operations.push((code.to_owned(), operand.into_owned())),
                }
            }
        }
        line.has_move_number = counters[1].is_some();
        let [halfmoves, fullmoves] = counters;
        let fen = match board.len() {
            4 => {
                let (halfmoves, fullmoves) = (halfmoves.unwrap_or("0".into()), fullmoves.unwrap_or("1".into()));
                format!("{} {halfmoves} {fullmoves}", board.join(" "))
            }
            _ => board.join(" "),
        };
        (line.position, line.mends) = set_up(&fen, castling)?;
        Ok(line)
    }
}

/// The fields of the FEN at the start of a line, and what follows it. The fifth and sixth are fields if they are numbers; dashes
/// in their place are passed over.
fn split_fields(line: &str) -> (Vec<&str>, &str) {
    let mut fields = Vec::new();
    let mut rest = line;
    while fields.len() < 6 {
        let text = rest.trim_start();
        let end = text.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(text.len());
        let field = &text[..end];
        let is_number = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
        let is_dash = fields.len() >= 4 && field == "-";
        if field.is_empty() || fields.len() >= 4 && !is_number && !is_dash {
            break;
        }
        if !is_dash {
            fields.push(field);
        }
        rest = &text[end..];
    }
    let rest = rest.trim_start();
    (fields, rest.strip_prefix(';').unwrap_or(rest))
}

/// Parts between semicolons that are not in quotes. A backslash in quotes escapes what follows, unless the quotes never end
/// then.
fn split_quoted(text: &str) -> Vec<&str> {
    let split = |escaped: bool| {
        let (mut in_quotes, mut is_escaped) = (false, false);
        let parts: Vec<&str> = text
            .split(|c: char| {
                if std::mem::take(&mut is_escaped) {
                    return false;
                }
                is_escaped = escaped && in_quotes && c == '\\';
                in_quotes ^= c == '"';
                c == ';' && !in_quotes
            })
            .collect();
        (parts, in_quotes)
    };
    match split(true) {
        (parts, false) => parts,
        (_, true) => split(false).0,
    }
}

/// Operations of one part: behind the moves of `bm` or `am` another one may follow without its semicolon.
fn split_run_on(part: &str) -> Vec<&str> {
    const CODES: [&str; 11] = ["acd", "acn", "acs", "am", "bm", "c0", "ce", "dm", "id", "pv", "sm"];
    let (mut operations, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(begin) = part[at..].find(|c: char| !c.is_whitespace()).map(|length| at + length) {
        let end = part[begin..].find(char::is_whitespace).map_or(part.len(), |length| begin + length);
        let has_moves = matches!(part[start..begin].split_whitespace().next(), Some("am" | "bm"));
        if has_moves && CODES.contains(&&part[begin..end]) {
            operations.push(&part[start..begin]);
            start = begin;
        }
        at = end;
    }
    operations.push(&part[start..]);
    operations
}

/// An operand without its quotes and backslashes; one that never ends, without the last semicolon.
fn unquoted(operand: &str) -> Cow<'_, str> {
    match operand.strip_prefix('"') {
        Some(text) => unescaped(text.strip_suffix('"').unwrap_or_else(|| text.trim_end_matches(';')).trim()),
        None => operand.trim_end_matches('"').into(),
    }
}
