//! The searches of an analysis, several side by side.

use super::journal::Journal;
use crossbeam_channel::{Receiver, Sender, unbounded};
use halfpoint::analysis::{Analysis, Batch, SearchOptions, Searched, Searcher};
use halfpoint::search::{OutOfMemory, STACK_BYTES};
use indicatif::ProgressBar;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use thiserror::Error;

/// Why searches cannot be done.
#[derive(Debug, Error)]
pub enum ThreadsError {
    #[error("{0}")]
    Hash(#[from] OutOfMemory),
    #[error("no thread can be started: {0}")]
    Thread(io::Error),
    #[error("unfinished work cannot be kept: {0}")]
    Journal(io::Error),
    #[error("a search ended without a result")]
    Lost,
}

/// Does the searches that an analysis waits for, and writes each into the journal.
///
/// # Errors
///
/// [`ThreadsError`] if there is no memory or no thread, or if the journal cannot be written.
pub fn search_all(
    analysis: &mut Analysis,
    options: &SearchOptions,
    threads: usize,
    journal: &mut Journal,
    progress: &ProgressBar,
) -> Result<(), ThreadsError> {
    progress.set_position(analysis.done() as u64);
    progress.reset_eta();
    let searchers: Result<Vec<Searcher>, OutOfMemory> =
        (0..threads.min(analysis.waiting())).map(|_| Searcher::new(options)).collect();
    let searchers = searchers?;
    let stop = AtomicBool::new(false);
    let ((waiting, batches), (sender, results)) = (unbounded(), unbounded());
    std::iter::from_fn(|| analysis.next_batch()).for_each(|batch| {
        // The receiver is here.
        let _ = waiting.send(batch);
    });
    drop(waiting);
    thread::scope(|scope| {
        for searcher in searchers {
            let (sender, batches, stop) = (sender.clone(), batches.clone(), &stop);
            let work = move || search_batches(searcher, &batches, &sender, stop);
            thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).map_err(|error| {
                stop.store(true, Relaxed);
                ThreadsError::Thread(error)
            })?;
        }
        drop(sender);
        for searched in results {
            let is_first = searched.found.looks < 2;
            let source = analysis.sources().nth(searched.game).ok_or(ThreadsError::Lost)?;
            if let Err(error) = journal.add(&source.position(searched.ply), &searched) {
                stop.store(true, Relaxed);
                return Err(ThreadsError::Journal(error));
            }
            analysis.add(searched);
            progress.inc(u64::from(is_first));
        }
        if analysis.done() == analysis.positions() { Ok(()) } else { Err(ThreadsError::Lost) }
    })
}

/// Searches batches until there are no more, or the work is to stop.
fn search_batches(mut searcher: Searcher, batches: &Receiver<Batch>, sender: &Sender<Searched>, stop: &AtomicBool) {
    let mut watch = |_: &_| if stop.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    for mut batch in batches {
        while let Some(step) = batch.step(&mut searcher, &mut watch) {
            let Ok(searched) = step else { return };
            if stop.load(Relaxed) || sender.send(searched).is_err() {
                return;
            }
        }
    }
}
