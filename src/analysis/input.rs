//! Games and positions from files, as they are or compressed, and from standard input.

use super::source::Source;
use crate::games::{CastlingRights, GameTexts, LineTexts, ReadOptions, TextFormat};
use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;
use thiserror::Error;

/// The name that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// Bytes read at a time.
const BUFFER: usize = 1 << 16;
/// Most positions that are analysed at once.
const MAX_POSITIONS: usize = 2_000_000;
/// Most faults that are told.
const MAX_FAULTS: usize = 100;
/// First bytes of gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// First bytes of Zstandard.
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Why nothing can be read.
#[derive(Debug, Error)]
#[error("{name}: {reason}")]
pub struct InputError {
    name: String,
    reason: String,
}

/// What a file holds.
#[derive(Debug)]
pub struct Input {
    /// The games or positions that were chosen.
    pub sources: Vec<Source>,
    /// What could not be read, and where.
    pub faults: Vec<String>,
    /// Whether they are positions.
    pub are_positions: bool,
}

impl Input {
    fn add_fault(&mut self, fault: String) {
        match self.faults.len() {
            0..MAX_FAULTS => self.faults.push(fault),
            MAX_FAULTS => self.faults.push("more that cannot be read".to_owned()),
            _ => {}
        }
    }
}

/// Which games to read, by their number in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection(Vec<RangeInclusive<usize>>);

impl Selection {
    fn contains(&self, number: usize) -> bool {
        self.0.is_empty() || self.0.iter().any(|range| range.contains(&number))
    }

    /// Whether nothing behind this number is chosen.
    fn is_behind(&self, number: usize) -> bool {
        !self.0.is_empty() && self.0.iter().all(|range| *range.end() < number)
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

/// Opens a file, or standard input, and uncompresses it on the way; what it is shows in its first bytes.
///
/// # Errors
///
/// What the system says.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let reader: Box<dyn Read> =
        if path == Path::new(STANDARD_INPUT) { Box::new(io::stdin().lock()) } else { Box::new(File::open(path)?) };
    let mut whole = primed(reader)?;
    let first = whole.fill_buf()?;
    Ok(if first.starts_with(&GZIP) {
        Box::new(primed(MultiGzDecoder::new(whole))?)
    } else if first.starts_with(&ZSTANDARD) {
        Box::new(primed(Frames { source: Some(whole), frame: None })?)
    } else {
        Box::new(whole)
    })
}

/// A reader whose buffer has the first [`BUFFER`] bytes, however few come at a time.
fn primed<R: Read>(mut reader: R) -> io::Result<BufReader<impl Read>> {
    let mut first = Vec::new();
    reader.by_ref().take(BUFFER as u64).read_to_end(&mut first)?;
    Ok(BufReader::with_capacity(BUFFER, io::Cursor::new(first).chain(reader)))
}

/// The frames of Zstandard, one after the other.
struct Frames<R: BufRead> {
    source: Option<R>,
    frame: Option<Box<StreamingDecoder<R, ruzstd::decoding::FrameDecoder>>>,
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                let count = frame.read(buffer)?;
                if count > 0 || buffer.is_empty() {
                    return Ok(count);
                }
            }
            if let Some(frame) = self.frame.take() {
                self.source = Some(frame.into_inner());
            }
            let Some(mut source) = self.source.take() else { return Ok(0) };
            if source.fill_buf()?.is_empty() {
                return Ok(0);
            }
            self.frame = Some(Box::new(StreamingDecoder::new(source).map_err(io::Error::other)?));
        }
    }
}

/// Reads games in PGN, or positions in FEN or EPD.
///
/// # Errors
///
/// [`InputError`] if the file cannot be opened, is neither, or has nothing in it that can be read and was chosen. What is
/// broken inside is left out and told in [`Input::faults`].
pub fn read(path: &Path, selection: &Selection, chess960: bool) -> Result<Input, InputError> {
    let name = if path == Path::new(STANDARD_INPUT) { "standard input".into() } else { path.display().to_string() };
    let failed = |reason: String| InputError { name: name.clone(), reason };
    let mut reader = open(path).map_err(|error| failed(error.to_string()))?;
    let format = TextFormat::detect(&mut reader).map_err(|error| failed(error.to_string()))?;
    let mut input = Input { sources: Vec::new(), faults: Vec::new(), are_positions: format == Some(TextFormat::Lines) };
    match format {
        Some(TextFormat::Pgn) => read_games(reader, selection, chess960, &mut input),
        Some(TextFormat::Lines) => read_lines(reader, selection, &mut input),
        None if reader.fill_buf().is_ok_and(<[u8]>::is_empty) => return Err(failed("is empty".to_owned())),
        None => return Err(failed("neither games in PGN nor positions in FEN or EPD".to_owned())),
    }
    input.faults.iter_mut().for_each(|fault| *fault = format!("{name}: {fault}"));
    if input.sources.is_empty() && input.faults.is_empty() {
        return Err(failed("no games or positions, or none of those chosen".to_owned()));
    }
    Ok(input)
}

fn read_games(reader: impl BufRead, selection: &Selection, chess960: bool, input: &mut Input) {
    let options = ReadOptions { chess960, keep_notes: true, ..ReadOptions::default() };
    let mut positions = 0;
    for text in GameTexts::new(reader) {
        match text {
            Ok(text) if selection.is_behind(text.number) => return,
            Ok(text) if !selection.contains(text.number) => {}
            Ok(text) => match text.parse(&options).map_err(|broken| broken.to_string()).and_then(Source::from_game) {
                Ok(source) => {
                    positions += source.positions();
                    if positions > MAX_POSITIONS {
                        return input.add_fault(format!("the rest is left out: more than {MAX_POSITIONS} positions"));
                    }
                    input.sources.push(source);
                }
                Err(fault) => input.add_fault(fault),
            },
            Err(error) => input.add_fault(format!("the rest of it cannot be read: {error}")),
        }
    }
}

fn read_lines(reader: impl BufRead, selection: &Selection, input: &mut Input) {
    for (number, line) in (1..).zip(LineTexts::new(reader)) {
        match line {
            Ok(_) if !selection.contains(number) => {}
            Ok(_) if input.sources.len() == MAX_POSITIONS => {
                return input.add_fault(format!("the rest is left out: more than {MAX_POSITIONS} positions"));
            }
            Ok(line) => match line.parse(CastlingRights::Either) {
                Ok(line) => input.sources.push(Source::from_line(line)),
                Err(broken) => input.add_fault(broken.to_string()),
            },
            Err(error) => input.add_fault(format!("the rest of it cannot be read: {error}")),
        }
    }
}
