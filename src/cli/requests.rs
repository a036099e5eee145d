//! Requests on standard input, answers on standard output, for programs that build on the engine.

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use halfpoint::analysis::{AnalysisOptions, SearchProgress, Searcher, answer_request};
use halfpoint::output::{is_closed, line};
use halfpoint::printing::Profiles;
use halfpoint::search::{OutOfMemory, STACK_BYTES};
use std::io::{self, BufRead, Read as _};
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;
use thiserror::Error;

/// Most bytes of a request.
const MAX_REQUEST: u64 = 1 << 20;
const BYTE_ORDER_MARK: char = '\u{feff}';
/// How often those who wait for requests look whether anybody takes the answers.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

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

/// Answers requests on standard input until it ends or nobody reads the answers, several at a time, each answer as soon as it is
/// ready. False if one of them was malformed or could not be answered.
///
/// # Errors
///
/// [`RequestsError`] if there is no memory or no thread, or if standard input cannot be read.
pub fn serve(options: &AnalysisOptions, threads: usize, profiles: &Profiles) -> Result<bool, RequestsError> {
    let searchers = (0..threads).map(|_| Searcher::new(&options.search)).collect::<Result<Vec<_>, _>>()?;
    let (sender, receiver) = bounded(threads);
    // Not waited for: it may wait for input that never comes.
    thread::Builder::new().spawn(move || read_requests(&sender)).map_err(RequestsError::Thread)?;
    thread::scope(|scope| {
        let mut workers = Vec::new();
        for searcher in searchers {
            let receiver = receiver.clone();
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            let worker = builder.spawn_scoped(scope, move || answer_all(searcher, &receiver, options, profiles));
            workers.push(worker.map_err(RequestsError::Thread)?);
        }
        drop(receiver);
        let mut all_answered = true;
        for worker in workers {
            all_answered &= worker.join().unwrap_or(Ok(false)).map_err(RequestsError::Input)?;
        }
        Ok(all_answered)
    })
}

/// Reads a request. One that is too long is cut, and so no longer valid.
fn read_request(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let length = input.by_ref().take(MAX_REQUEST).read_until(b'\n', bytes)?;
    if length as u64 == MAX_REQUEST && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok(length)
}

/// Hands over the requests until the input ends or nobody takes them.
fn read_requests(sender: &Sender<io::Result<String>>) {
    let mut input = io::stdin().lock();
    loop {
        let mut bytes = Vec::new();
        let request = match read_request(&mut input, &mut bytes) {
            Ok(0) => return,
            Ok(_) => {
                let text = String::from_utf8_lossy(&bytes);
                Ok(text.trim_matches(|c: char| c.is_whitespace() || c == BYTE_ORDER_MARK).to_owned())
            }
            Err(error) => Err(error),
        };
        let is_last = request.is_err();
        let is_empty = request.as_ref().is_ok_and(String::is_empty);
        if !is_empty && sender.send(request).is_err() || is_last {
            return;
        }
    }
}

/// Answers requests until there are no more or nobody reads the answers. False if one failed.
fn answer_all(
    mut searcher: Searcher,
    requests: &Receiver<io::Result<String>>,
    options: &AnalysisOptions,
    profiles: &Profiles,
) -> io::Result<bool> {
    let mut all_answered = true;
    let mut watch = |_: &SearchProgress| if is_closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    while !is_closed() {
        let text = match requests.recv_timeout(LOOK_INTERVAL) {
            Ok(request) => request?,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        let reply = answer_request(&mut searcher, &text, options, profiles, &mut watch);
        if is_closed() {
            break;
        }
        all_answered &= reply.is_answered;
        line(reply.json);
    }
    Ok(all_answered)
}
