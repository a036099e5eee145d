//! Requests on standard input, answers on standard output, for programs that build on the engine.

use crossbeam_channel::{Receiver, bounded};
use halfpoint::analysis::{AnalysisOptions, Searcher, answer_request};
use halfpoint::output::line;
use halfpoint::printing::Profiles;
use halfpoint::search::{OutOfMemory, STACK_BYTES};
use std::io::{self, BufRead};
use std::thread;
use thiserror::Error;

/// Most bytes of a request.
const MAX_REQUEST: u64 = 1 << 20;

/// Why requests cannot be answered.
#[derive(Debug, Error)]
pub enum RequestsError {
    #[error("{0}")]
    Hash(#[from] OutOfMemory),
    #[error("no thread can be started: {0}")]
    Thread(io::Error),
    #[error("standard input: {0}")]
    Input(io::Error),
}

/// Answers requests on standard input until it ends, several at a time, each answer as soon as it is ready. False if one of
/// them was malformed or could not be answered.
///
/// # Errors
///
/// [`RequestsError`] if there is no memory or no thread, or if standard input cannot be read.
pub fn serve(options: &AnalysisOptions, threads: usize, profiles: &Profiles) -> Result<bool, RequestsError> {
    let searchers = (0..threads).map(|_| Searcher::new(&options.search)).collect::<Result<Vec<_>, _>>()?;
    thread::scope(|scope| {
        let (sender, receiver) = bounded::<String>(threads);
        let mut workers = Vec::new();
        for searcher in searchers {
            let receiver = receiver.clone();
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            let worker = builder.spawn_scoped(scope, move || answer_all(searcher, &receiver, options, profiles));
            workers.push(worker.map_err(RequestsError::Thread)?);
        }
        let mut input = io::stdin().lock();
        loop {
            let mut bytes = Vec::new();
            let limited = &mut io::Read::take(&mut input, MAX_REQUEST);
            if limited.read_until(b'\n', &mut bytes).map_err(RequestsError::Input)? == 0 {
                break;
            }
            let text = String::from_utf8_lossy(&bytes).trim().to_owned();
            if !text.is_empty() && sender.send(text).is_err() {
                break;
            }
        }
        drop(sender);
        let results: Vec<bool> = workers.into_iter().map(|worker| worker.join().unwrap_or(false)).collect();
        Ok(results.into_iter().all(|all_answered| all_answered))
    })
}

/// Answers requests until there are no more. False if one failed.
fn answer_all(
    mut searcher: Searcher,
    requests: &Receiver<String>,
    options: &AnalysisOptions,
    profiles: &Profiles,
) -> bool {
    let mut all_answered = true;
    for text in requests {
        let reply = answer_request(&mut searcher, &text, options, profiles);
        all_answered &= reply.is_answered;
        line(reply.json);
    }
    all_answered
}
