//! The searches of an analysis on several threads, side by side.

use super::analyser::AnalysisError;
use super::searcher::{SearchOptions, Searcher};
use super::steps::{Analysis, Batch, Searched};
use crate::search::{OutOfMemory, STACK_BYTES, Signals};
use std::collections::VecDeque;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// Threads that do the searches which an analysis waits for, a batch each at a time. Dropping it stops them.
///
/// ```
/// use halfpoint::analysis::{Analysis, AnalysisOptions, Crew, Selection, read};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut options = AnalysisOptions::default();
/// options.search.nodes = Some(500);
/// let input = read("games", "1. e4 e5 *\n\n1. d4 d5 *".as_bytes(), &Selection::default(), false)?;
/// let mut analysis = Analysis::new(input.sources, &options, [])?;
/// let mut crew = Crew::start(&mut analysis, &options.search, 2)?;
/// while let Some(searched) = crew.wait() {
///     analysis.add(searched);
///     println!("{} of {} positions", analysis.done(), analysis.positions());
/// }
/// assert_eq!(analysis.reports().map_or(0, |reports| reports.len()), 2);
/// # Ok(())
/// # }
/// ```
pub struct Crew {
    shared: Arc<Shared>,
    found: Receiver<Searched>,
    /// Each with what stops its searches.
    threads: Vec<(JoinHandle<()>, Arc<Signals>)>,
}

/// What the threads share.
#[derive(Default)]
struct Shared {
    /// Batches that no thread has begun, or that were stopped.
    batches: Mutex<VecDeque<Batch>>,
    stop: AtomicBool,
}

impl fmt::Debug for Crew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crew").field("threads", &self.threads.len()).finish_non_exhaustive()
    }
}

impl Crew {
    /// Hands all batches that an analysis waits for to so many threads, at least one, and starts them. Each has a table of
    /// its own.
    ///
    /// # Errors
    ///
    /// [`AnalysisError::Memory`] and [`AnalysisError::Thread`]; then the analysis still waits for all of them.
    pub fn start(analysis: &mut Analysis, options: &SearchOptions, threads: usize) -> Result<Crew, AnalysisError> {
        let searchers: Result<Vec<Searcher>, OutOfMemory> =
            (0..threads.max(1).min(analysis.waiting())).map(|_| Searcher::new(options)).collect();
        let searchers = searchers?;
        let (sender, found) = channel();
        let mut crew = Crew { shared: Arc::default(), found, threads: Vec::new() };
        crew.batches().extend(std::iter::from_fn(|| analysis.next_batch()));
        for mut searcher in searchers {
            let (signals, sender, shared) = (searcher.signals(), sender.clone(), Arc::clone(&crew.shared));
            let work = move || shared.work(searcher, &sender);
            match Builder::new().stack_size(STACK_BYTES).spawn(work) {
                Ok(thread) => crew.threads.push((thread, signals)),
                Err(error) => {
                    crew.stop(analysis);
                    return Err(AnalysisError::Thread(error));
                }
            }
        }
        Ok(crew)
    }

    /// Waits for the next search that is done; `None` if there are no more. The analysis is to [take](Analysis::add) it.
    pub fn wait(&mut self) -> Option<Searched> {
        self.found.recv().ok()
    }

    /// The same, or [`ControlFlow::Continue`] if none was done in this time.
    pub fn wait_within(&mut self, time: Duration) -> ControlFlow<Option<Searched>> {
        match self.found.recv_timeout(time) {
            Ok(searched) => ControlFlow::Break(Some(searched)),
            Err(RecvTimeoutError::Timeout) => ControlFlow::Continue(()),
            Err(RecvTimeoutError::Disconnected) => ControlFlow::Break(None),
        }
    }

    /// Stops the threads. The analysis takes what they found, and waits for the rest.
    pub fn stop(mut self, analysis: &mut Analysis) {
        self.end();
        self.found.try_iter().for_each(|searched| analysis.add(searched));
        let mut batches = std::mem::take(&mut *self.batches());
        while let Some(batch) = batches.pop_back() {
            analysis.give_back(batch);
        }
    }

    fn batches(&self) -> MutexGuard<'_, VecDeque<Batch>> {
        self.shared.batches()
    }

    fn end(&mut self) {
        self.shared.stop.store(true, Relaxed);
        self.threads.iter().for_each(|(_, signals)| signals.stop());
        for (thread, _) in self.threads.drain(..) {
            // A thread that panicked has said so, and its games have no reports.
            let _ = thread.join();
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.end();
    }
}

impl Shared {
    /// Does batches until there are no more, or the work is to stop.
    fn work(&self, mut searcher: Searcher, sender: &Sender<Searched>) {
        while !self.stop.load(Relaxed) {
            let Some(mut batch) = self.batches().pop_front() else { return };
            while let Some(step) = batch.step(&mut searcher, &mut |_| ControlFlow::Continue(())) {
                let is_taken = step.is_ok_and(|searched| sender.send(searched).is_ok());
                if !is_taken || self.stop.load(Relaxed) {
                    self.batches().push_front(batch);
                    return;
                }
            }
        }
    }

    fn batches(&self) -> MutexGuard<'_, VecDeque<Batch>> {
        // A batch is taken out or put in whole.
        self.batches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
