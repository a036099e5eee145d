//! Reading files of text with the engine's reader, on all threads of the pool.

use super::{FileError, ReadReport, open, open_with};
use halfpoint::games::{
    BrokenGame, CastlingRights, GameRecord, GameText, GameTexts, LineText, LineTexts, PositionLine, ReadOptions,
};
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::io;
use std::path::{Path, PathBuf};

/// Games or lines that are read at a time where their order counts.
const BATCH: usize = 512;

/// Reads the games of all files in parallel, and gathers what `visit` makes of each that can be read. The order is not that of
/// the files.
///
/// # Errors
///
/// [`FileError`] if a file cannot be opened. What is broken inside of files is skipped and noted.
pub fn gather_games<T: Default + Send>(
    files: &[PathBuf],
    options: &ReadOptions<'_>,
    progress: &ProgressBar,
    visit: impl Fn(&mut T, &Path, GameRecord) + Sync,
    merge: impl Fn(&mut T, T) + Sync,
) -> Result<(ReadReport, T), FileError> {
    let join = |mut a: (ReadReport, T), b: (ReadReport, T)| {
        a.0.merge(b.0);
        merge(&mut a.1, b.1);
        a
    };
    let read = |path: &PathBuf| -> Result<(ReadReport, T), FileError> {
        let reader = open_with(path, progress).map_err(FileError::unreadable(path))?;
        Ok(GameTexts::new(reader)
            .par_bridge()
            .fold(<(ReadReport, T)>::default, |(mut report, mut found), text| {
                let game = text.map(|text| text.parse(options));
                if let Some(game) = sort_out(path, game, &mut report) {
                    visit(&mut found, path, game);
                }
                (report, found)
            })
            .reduce(Default::default, join))
    };
    files.par_iter().map(read).try_reduce(Default::default, |a, b| Ok(join(a, b)))
}

/// The game, if it can be read; what is to be said of it goes into the report.
fn sort_out(
    path: &Path,
    game: io::Result<Result<GameRecord, BrokenGame>>,
    report: &mut ReadReport,
) -> Option<GameRecord> {
    report.read += 1;
    match game {
        Ok(Ok(game)) => {
            report.add_game(path, &game);
            Some(game)
        }
        Ok(Err(broken)) => {
            report.add_broken(path, broken.number, &broken);
            None
        }
        Err(reason) => {
            report.add_broken(path, usize::MAX, format!("the rest of it cannot be read: {reason}"));
            None
        }
    }
}

/// Reads the games of a file, and hands those that can be read to `take`, in their order, until it returns `false`. False if it
/// did.
///
/// # Errors
///
/// [`FileError`] if the file cannot be opened. What is broken inside is skipped and noted.
pub fn read_games(
    path: &Path,
    options: &ReadOptions<'_>,
    report: &mut ReadReport,
    mut take: impl FnMut(&mut ReadReport, GameRecord) -> bool,
) -> Result<bool, FileError> {
    let mut texts = GameTexts::new(open(path).map_err(FileError::unreadable(path))?);
    loop {
        let batch: Vec<io::Result<GameText>> = texts.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            return Ok(true);
        }
        let games: Vec<_> = batch.into_par_iter().map(|text| text.map(|text| text.parse(options))).collect();
        for game in games {
            if let Some(game) = sort_out(path, game, report)
                && !take(report, game)
            {
                return Ok(false);
            }
        }
    }
}

/// Reads the positions of a file with one on each line, and hands those that can be read to `take`, in their order, until it
/// returns `false`. False if it did.
///
/// # Errors
///
/// [`FileError`] if the file cannot be opened. Lines that cannot be read are skipped and noted.
pub fn read_lines(
    path: &Path,
    castling: CastlingRights,
    report: &mut ReadReport,
    mut take: impl FnMut(&mut ReadReport, PositionLine) -> bool,
) -> Result<bool, FileError> {
    let mut texts = LineTexts::new(open(path).map_err(FileError::unreadable(path))?);
    loop {
        let batch: Vec<io::Result<LineText>> = texts.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            return Ok(true);
        }
        let lines: Vec<_> = batch.into_par_iter().map(|text| text.map(|text| text.parse(castling))).collect();
        for line in lines {
            report.read += 1;
            match line {
                Ok(Ok(line)) => {
                    if !take(report, line) {
                        return Ok(false);
                    }
                }
                Ok(Err(broken)) => report.add_broken(path, broken.number, &broken),
                Err(reason) => {
                    report.add_broken(path, usize::MAX, format!("the rest of it cannot be read: {reason}"));
                }
            }
        }
    }
}
