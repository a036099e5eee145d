//! The values of all moves of many positions, kept in a file so that each is searched once.

use crate::progress;
use crate::reading::{cannot_read, invalid};
use crate::writing::cannot_write;
use anyhow::{Context, Result, anyhow};
use crossbeam_channel::bounded;
use halfpoint::human::{DEPTHS, Effort, MoveValues, Valuer};
use halfpoint::position::{GameHistory, Move};
use halfpoint::search::{STACK_BYTES, Signals};
use halfpoint::uci::bench::SIGNATURE;
use halfpoint::wdl::score::Score;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Values by the key of the position and its game.
pub type Values = HashMap<u64, Vec<MoveValues>>;

/// The first line of the file: values of another search or other depths are of no use.
fn header() -> String {
    format!("values of moves, depths {DEPTHS:?}, bench {SIGNATURE}")
}

/// What the values of a position depend on: the position and those that it may repeat.
pub fn key(game: &GameHistory) -> u64 {
    let position = game.position();
    let recent = game.keys().iter().rev().take(position.halfmoves() as usize);
    let words = [position.key(), u64::from(position.halfmoves())].into_iter().chain(recent.copied());
    // FNV-1a by words.
    words.fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(29))
}

/// The values of these positions: those of the file, and at most `most` others, which are searched and added to it.
pub fn value(path: &Path, positions: impl Iterator<Item = GameHistory>, threads: usize, most: usize) -> Result<Values> {
    let mut values = read(path)?;
    let mut seen = HashSet::new();
    let missing: Vec<_> =
        positions.filter(|game| !values.contains_key(&key(game)) && seen.insert(key(game))).take(most).collect();
    if missing.is_empty() {
        return Ok(values);
    }
    let mut file = open(path).with_context(|| cannot_write(path))?;
    let bar = progress::bar(missing.len() as u64, "{wide_bar} {pos}/{len} {eta}", "positions");
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, found) = bounded(64);
        for _ in 0..threads {
            let (sender, missing, next) = (sender.clone(), &missing, &next);
            let mut valuer = Valuer::new()?;
            let work = move || {
                while let Some(game) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let moves = valuer.values(game, Effort::default(), &Signals::new());
                    if sender.send((key(game), moves)).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        }
        drop(sender);
        for (key, moves) in found {
            file.write_all(line(key, &moves).as_bytes()).with_context(|| cannot_write(path))?;
            values.insert(key, moves);
            bar.inc(1);
        }
        anyhow::Ok(())
    })?;
    bar.finish_and_clear();
    Ok(values)
}

/// The file, with its first line.
fn open(path: &Path) -> io::Result<File> {
    let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
    if file.metadata()?.len() == 0 {
        file.write_all(format!("{}\n", header()).as_bytes())?;
        return Ok(file);
    }
    // What an interruption left incomplete takes in no other line.
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    if last != *b"\n" {
        file.write_all(b"\n")?;
    }
    Ok(file)
}

/// The values of a file; none if it does not exist. A line that an interruption left incomplete is not read.
fn read(path: &Path) -> Result<Values> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Values::new()),
        file => file.with_context(|| cannot_read(path))?,
    };
    let mut lines = BufReader::new(file).lines();
    let first = lines.next().transpose().with_context(|| cannot_read(path))?;
    if first.as_deref().is_some_and(|first| first != header()) {
        return Err(invalid(path, "holds no values of this version; another file has to be named"));
    }
    let mut values = Values::new();
    for text in lines {
        let text = text.with_context(|| cannot_read(path))?;
        values.extend(parse(&text));
    }
    Ok(values)
}

/// A position as a line: its key, then for each move its bits and its scores; `.` ends it.
fn line(key: u64, moves: &[MoveValues]) -> String {
    let mut text = format!("{key:016x}");
    for values in moves {
        let _ = write!(text, ";{}", values.m.bits());
        for score in &values.scores {
            let _ = write!(text, ",{},{}", score.p(), score.d());
        }
    }
    text + ".\n"
}

/// Reads a line; `None` if it is not complete.
fn parse(text: &str) -> Option<(u64, Vec<MoveValues>)> {
    let (key, moves) = text.strip_suffix('.')?.split_once(';')?;
    let moves = moves.split(';').map(|text| parse_move(text).ok()).collect::<Option<_>>()?;
    Some((u64::from_str_radix(key, 16).ok()?, moves))
}

fn parse_move(text: &str) -> Result<MoveValues> {
    let numbers: Vec<i32> = text.split(',').map(str::parse).collect::<Result<_, _>>()?;
    let (bits, scores) = numbers.split_first().ok_or_else(|| anyhow!("no move"))?;
    let score = |pair: &[i32]| Ok(Score::from_parts(pair[0], u16::try_from(pair[1])?));
    let scores = scores.chunks_exact(2).take(DEPTHS.len()).map(score).collect::<Result<_>>()?;
    Ok(MoveValues { m: Move::from_bits(u16::try_from(*bits)?), scores })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_back() {
        let game = GameHistory::default();
        let mut valuer = Valuer::new().unwrap();
        let moves = valuer.values(&game, Effort::default(), &Signals::new());
        assert_eq!(moves.len(), 20);
        let text = line(key(&game), &moves);
        assert_eq!(parse(text.trim_end()), Some((key(&game), moves)));
        assert_eq!(parse(&text[..text.len() / 2]), None);
    }

    #[test]
    fn an_interruption_spoils_no_other_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("values.txt");
        for written in [header(), format!("{}\nhalf a li", header())] {
            std::fs::write(&path, written).unwrap();
            open(&path).unwrap().write_all(b"a line\n").unwrap();
            assert!(std::fs::read_to_string(&path).unwrap().ends_with("\na line\n"));
            read(&path).unwrap();
        }
    }
}
