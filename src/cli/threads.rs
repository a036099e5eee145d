//! The searches of an analysis, several side by side.

use super::journal::Journal;
use halfpoint::analysis::{Analysis, AnalysisError, Crew, SearchOptions};
use indicatif::ProgressBar;
use std::io;
use thiserror::Error;

/// Why searches cannot be done.
#[derive(Debug, Error)]
pub enum ThreadsError {
    #[error("{0}")]
    Search(#[from] AnalysisError),
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
    let mut crew = Crew::start(analysis, options, threads)?;
    while let Some(searched) = crew.wait() {
        let is_first = searched.found.is_first_look();
        let source = analysis.sources().nth(searched.game).ok_or(ThreadsError::Lost)?;
        journal.add(&source.position(searched.ply), &searched).map_err(ThreadsError::Journal)?;
        analysis.add(searched);
        progress.inc(u64::from(is_first));
    }
    if analysis.done() == analysis.positions() { Ok(()) } else { Err(ThreadsError::Lost) }
}
