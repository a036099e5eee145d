//! Lines to the client or user.
//!
//! During a session no line waits for the client: what it does not take at once is queued and written by a thread of its
//! own. So a client that stops to read blocks neither the clock nor `stop` and `quit`.

use crate::clock::Instant;
use crate::stdout_state::{Readiness, readiness};
pub use crate::text::{is_control, one_line};
use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, Write as _, stdout};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

/// Longest line that is written without the thread: a pipe that takes anything takes so much.
const MAX_DIRECT: usize = 4096;
/// Lines about running searches that wait at most; the oldest give way.
const MAX_PROGRESS: usize = 512;
/// Other lines that wait at most; further ones block who writes them.
const MAX_LINES: usize = 10_000;

/// Whether a write has failed: the client is gone, or the disk is full.
static FAILED: AtomicBool = AtomicBool::new(false);
/// The first error of a write.
static FAILURE: OnceLock<io::Error> = OnceLock::new();
/// The queue, once a session has begun.
static QUEUE: OnceLock<Queue> = OnceLock::new();

/// Lines that wait for the client.
#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    /// Each line with whether it only tells about a running search.
    lines: VecDeque<(bool, String)>,
    progress: usize,
    /// Whether the thread writes lines that are out of the queue.
    is_writing: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, waiting: MutexGuard<'a, Waiting>, at_most: Duration) -> MutexGuard<'a, Waiting> {
        self.changed.wait_timeout(waiting, at_most).unwrap_or_else(PoisonError::into_inner).0
    }

    fn push(&self, is_progress: bool, text: String) {
        let mut waiting = self.lock();
        if waiting.lines.is_empty()
            && !waiting.is_writing
            && text.len() <= MAX_DIRECT
            && readiness() == Readiness::Writable
        {
            return write(&text);
        }
        while !is_progress && waiting.lines.len() >= MAX_LINES && !is_closed() {
            waiting = self.wait(waiting, Duration::from_millis(100));
        }
        if is_progress && waiting.progress >= MAX_PROGRESS {
            let oldest = waiting.lines.iter().position(|&(is_progress, _)| is_progress);
            oldest.map(|index| waiting.lines.remove(index));
            waiting.progress -= 1;
        }
        waiting.progress += usize::from(is_progress);
        waiting.lines.push_back((is_progress, text));
        self.changed.notify_all();
    }

    /// Writes what waits, for ever.
    fn write_lines(&self) {
        let mut waiting = self.lock();
        loop {
            let Some((is_progress, text)) = waiting.lines.pop_front() else {
                waiting.is_writing = false;
                self.changed.notify_all();
                waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            waiting.progress -= usize::from(is_progress);
            waiting.is_writing = true;
            drop(waiting);
            write(&text);
            waiting = self.lock();
            self.changed.notify_all();
        }
    }

    /// Waits until all is written, for a while.
    fn flush(&self, patience: Duration) {
        let start = Instant::now();
        let mut waiting = self.lock();
        while !(waiting.lines.is_empty() && !waiting.is_writing || is_closed() || start.elapsed() >= patience) {
            waiting = self.wait(waiting, Duration::from_millis(10));
        }
    }
}

/// Queues what the client does not take from now on, instead of waiting for it.
///
/// # Errors
///
/// An [`io::Error`] if no thread can be started.
pub fn start_queue() -> io::Result<()> {
    let queue = QUEUE.get_or_init(Queue::default);
    thread::Builder::new().name("output".to_owned()).spawn(|| queue.write_lines()).map(drop)
}

/// Waits until the client has taken all lines, at most a second or so.
pub fn flush() {
    if let Some(queue) = QUEUE.get() {
        queue.flush(Duration::from_secs(1));
    }
}

/// Whether nobody reads the output any more.
#[must_use]
pub fn is_closed() -> bool {
    FAILED.load(Relaxed) || readiness() == Readiness::Closed
}

fn write(text: &str) {
    if let Err(error) = write_whole(text) {
        FAILED.store(true, Relaxed);
        let _ = FAILURE.set(error);
    }
}

/// Writes a text without a queue.
///
/// # Errors
///
/// What the system says.
pub fn write_whole(text: &str) -> io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}

/// The end of a program: prints an error in one line on standard error, and says so if what was printed could not be
/// written. The exit code is failure after an error, and where `result` says that only a part was done. A reader that closes its
/// pipe has seen enough, which is no error.
#[must_use]
pub fn end<E: Display>(result: Result<bool, E>) -> ExitCode {
    let unwritten = FAILURE.get().filter(|error| error.kind() != io::ErrorKind::BrokenPipe);
    let failure = match &result {
        Err(error) => Some(error.to_string()),
        Ok(_) => unwritten.map(|error| format!("cannot write to standard output: {error}")),
    };
    if let Some(failure) = &failure {
        error_line(format_args!("error: {}", one_line(failure)));
    }
    ExitCode::from(u8::from(failure.is_some() || !matches!(result, Ok(true))))
}

fn send(is_progress: bool, text: impl Display) {
    let text = format!("{text}\n");
    match QUEUE.get() {
        Some(queue) => queue.push(is_progress, text),
        None => write(&text),
    }
}

/// Prints one line, whole even if several threads print. Errors are left to [`is_closed`].
pub fn line(text: impl Display) {
    send(false, text);
}

/// Prints a line about a running search. A client that does not read misses the older ones.
pub fn progress(text: impl Display) {
    send(true, text);
}

/// Prints a message for the user as one `info string` line.
pub fn info_string(text: impl Display) {
    line(format_args!("info string {}", one_line(&text.to_string())));
}

/// Prints a line on standard error, if anybody reads it.
pub fn error_line(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints help and version in full, and an error in the arguments as one line on standard error. Returns the exit code.
#[must_use]
pub fn print_usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        if let Err(error) = error.print().and_then(|()| stdout().flush()) {
            let _ = FAILURE.set(error);
        }
        return end(Ok::<_, io::Error>(true));
    }
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    error_line(lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" "));
    ExitCode::from(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_oldest_progress_is_lost() {
        let queue = Queue::default();
        queue.lock().is_writing = true;
        queue.push(false, "first".to_owned());
        for number in 0..2 * MAX_PROGRESS {
            queue.push(true, format!("info {number}"));
        }
        queue.push(false, "bestmove".to_owned());
        let waiting = queue.lock();
        let lines: Vec<_> = waiting.lines.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!((lines.len(), waiting.progress), (MAX_PROGRESS + 2, MAX_PROGRESS));
        assert_eq!((lines[0], lines[1], lines[MAX_PROGRESS + 1]), ("first", "info 512", "bestmove"));
    }
}
