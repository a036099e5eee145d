//! Reading files of text with the engine's reader, on all threads of the pool.

use super::log::Fault;
use super::{ReadLog, open};
use anyhow::Result;
use halfpoint::games::{CastlingRights, GameRecord, GameTexts, LineTexts, PositionLine, ReadOptions};
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

/// Games or lines that are read at a time where their order counts.
const BATCH: usize = 512;

/// Reads the games of all files in parallel, and gathers what `visit` makes of each that can be read. The order is not that of
/// the files. What is broken inside of files is skipped and noted.
pub fn gather_games<T: Default + Send>(
    files: &[PathBuf],
    options: &ReadOptions<'_>,
    progress: &ProgressBar,
    visit: impl Fn(&mut T, &Path, GameRecord) + Sync,
    merge: impl Fn(&mut T, T) + Sync,
) -> Result<(ReadLog, T)> {
    let join = |mut a: (ReadLog, T), b: (ReadLog, T)| {
        a.0.merge(b.0);
        merge(&mut a.1, b.1);
        a
    };
    let read = |path: &PathBuf| -> Result<(ReadLog, T)> {
        let texts = GameTexts::new(open(path, progress)?).par_bridge();
        let found = texts.fold(<(ReadLog, T)>::default, |(mut log, mut found), text| {
            let game = text.map(|text| text.parse(options).map_err(Fault::from));
            if let Some(game) = log.take(path, game) {
                log.add_game(path, &game);
                visit(&mut found, path, game);
            }
            (log, found)
        });
        Ok(found.reduce(Default::default, join))
    };
    files.par_iter().map(read).try_reduce(Default::default, |a, b| Ok(join(a, b)))
}

/// Reads the games of an open file, and hands those that can be read to `take`, in their order, until it returns `false`. False
/// if it did. What is broken inside is skipped and noted.
pub fn read_games(
    path: &Path,
    reader: impl BufRead,
    options: &ReadOptions<'_>,
    log: &mut ReadLog,
    mut take: impl FnMut(&mut ReadLog, GameRecord) -> bool,
) -> bool {
    let parse = |text: halfpoint::games::GameText| text.parse(options).map_err(Fault::from);
    in_order(path, GameTexts::new(reader), parse, log, |log, game| {
        log.add_game(path, &game);
        take(log, game)
    })
}

/// The same for the positions of a file with one on each line.
pub fn read_lines(
    path: &Path,
    reader: impl BufRead,
    castling: CastlingRights,
    log: &mut ReadLog,
    mut take: impl FnMut(&mut ReadLog, PositionLine) -> bool,
) -> bool {
    let parse = |text: halfpoint::games::LineText| text.parse(castling).map_err(Fault::from);
    in_order(path, LineTexts::new(reader), parse, log, |log, line| {
        log.add_line(path, &line);
        take(log, line)
    })
}

/// Parses texts by the batch, and hands over what can be read until `take` returns `false`. False if it did.
fn in_order<S: Send, T: Send>(
    path: &Path,
    mut texts: impl Iterator<Item = io::Result<S>>,
    parse: impl Fn(S) -> Result<T, Fault> + Sync,
    log: &mut ReadLog,
    mut take: impl FnMut(&mut ReadLog, T) -> bool,
) -> bool {
    loop {
        let batch: Vec<_> = texts.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            return true;
        }
        let parsed: Vec<_> = batch.into_par_iter().map(|text| text.map(&parse)).collect();
        for text in parsed {
            if let Some(found) = log.take(path, text)
                && !take(log, found)
            {
                return false;
            }
        }
    }
}
