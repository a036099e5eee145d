//! Searches of all positions, several side by side.

use super::journal::Journal;
use super::search::{Found, SearchOptions, Searcher};
use super::source::Source;
use crate::search::{OutOfMemory, STACK_BYTES};
use crossbeam_channel::{Sender, unbounded};
use indicatif::ProgressBar;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;
use thiserror::Error;

/// Positions of a game that are searched one after the other with a common table, from the last to the first, so that what
/// follows is known. It does not depend on the number of threads, nor does what is found.
const BATCH: usize = 8;

/// Why searches cannot be done.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "fields of errors say what they are")]
pub enum DriverError {
    #[error("{0}")]
    Hash(#[from] OutOfMemory),
    #[error("no thread can be started: {0}")]
    Thread(io::Error),
    #[error("unfinished work cannot be kept: {0}")]
    Journal(io::Error),
    #[error("a search ended without a result")]
    Lost,
}

/// Positions of one game.
struct Batch {
    game: usize,
    plies: Range<usize>,
}

/// Searches every position of the games, those of `journal` left out. Each game gets a search of its start and of the
/// position after each move; where the game is over the search finds no lines.
///
/// # Errors
///
/// [`DriverError`] if there is no memory or no thread, or if the journal cannot be written.
pub fn search_all(
    sources: &[Source],
    options: &SearchOptions,
    threads: usize,
    journal: &mut Journal,
    progress: &ProgressBar,
) -> Result<Vec<Vec<Found>>, DriverError> {
    let mut results: Vec<Vec<Option<Found>>> = sources.iter().map(|source| vec![None; source.positions()]).collect();
    for (&(game, ply), found) in journal.known() {
        results[game][ply] = Some(found.clone());
    }
    let batches = batches(&mut results, options.is_repeatable());
    let done = results.iter().flatten().filter(|found| found.is_some()).count();
    progress.set_position(done as u64);
    progress.reset_eta();
    let searchers: Result<Vec<Searcher>, OutOfMemory> =
        (0..threads.min(batches.len())).map(|_| Searcher::new(options)).collect();
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = unbounded();
    thread::scope(|scope| {
        for mut searcher in searchers? {
            let (sender, batches, next, stop) = (sender.clone(), &batches, &next, &stop);
            let work = move || {
                while let Some(batch) = batches.get(next.fetch_add(1, Relaxed)) {
                    if !search_batch(&mut searcher, batch, sources, &sender, stop) {
                        return;
                    }
                }
            };
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, work).map_err(|error| {
                stop.store(true, Relaxed);
                DriverError::Thread(error)
            })?;
        }
        drop(sender);
        for (game, ply, found) in receiver {
            if let Err(error) = journal.add(game, ply, &sources[game].position(ply), &found) {
                stop.store(true, Relaxed);
                return Err(DriverError::Journal(error));
            }
            results[game][ply] = Some(found);
            progress.inc(1);
        }
        let whole = results.into_iter().map(|game| game.into_iter().collect::<Option<Vec<_>>>());
        whole.collect::<Option<Vec<_>>>().ok_or(DriverError::Lost)
    })
}

/// What is to be searched. Where searches can be repeated, a batch is done as a whole, so that it does not matter where work
/// was interrupted.
fn batches(results: &mut [Vec<Option<Found>>], as_whole: bool) -> Vec<Batch> {
    let mut batches = Vec::new();
    for (game, found) in results.iter_mut().enumerate() {
        for start in (0..found.len()).step_by(BATCH) {
            let plies = start..found.len().min(start + BATCH);
            if as_whole && found[plies.clone()].iter().any(Option::is_none) {
                found[plies.clone()].fill(None);
            }
            if as_whole && found[start].is_none() {
                batches.push(Batch { game, plies });
            } else if !as_whole {
                let missing = plies.filter(|&ply| found[ply].is_none());
                batches.extend(missing.map(|ply| Batch { game, plies: ply..ply + 1 }));
            }
        }
    }
    batches
}

/// Searches a batch; false if the work is to stop.
fn search_batch(
    searcher: &mut Searcher,
    batch: &Batch,
    sources: &[Source],
    sender: &Sender<(usize, usize, Found)>,
    stop: &AtomicBool,
) -> bool {
    searcher.clear();
    for ply in batch.plies.clone().rev() {
        let game = sources[batch.game].history(ply);
        let position = game.position();
        let is_over = position.has_no_moves() || position.is_insufficient_material();
        let found = if is_over { Found::default() } else { searcher.search(&game) };
        if stop.load(Relaxed) || sender.send((batch.game, ply, found)).is_err() {
            return false;
        }
    }
    true
}
