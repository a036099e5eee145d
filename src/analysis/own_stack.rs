//! Searches with the stack that they need.

use super::searcher::{SearchProgress, Watch};
use crate::search::{STACK_BYTES, Signals};
use std::io;
use std::ops::ControlFlow;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How often who watches a search is asked whether it is to go on, at least.
const POLL: Duration = Duration::from_millis(100);

/// Runs a search on a thread with [`STACK_BYTES`] of stack, or at once where there are no threads. `watch` runs on the
/// caller's thread, so that it need not be sent to another; what it breaks off is stopped by `signals`, those of the search.
/// The second result is what `watch` said last: the search may have ended before it could be stopped.
///
/// # Errors
///
/// What the system says if no thread can be started.
pub fn on_own_stack<T: Send>(
    signals: &Signals,
    watch: &mut Watch<'_>,
    search: impl FnOnce(&mut Watch<'_>) -> T + Send,
) -> io::Result<(T, ControlFlow<()>)> {
    if cfg!(target_family = "wasm") {
        // A search heeds its own watch.
        return Ok((search(watch), ControlFlow::Continue(())));
    }
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        let run = || {
            let sender = sender;
            search(&mut |progress| {
                // Nobody receives any more if the caller panics.
                let _ = sender.send(progress.clone());
                ControlFlow::Continue(())
            })
        };
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run)?;
        // A panic of `watch` waits for the thread.
        let stop = StopOnDrop(signals);
        let mut last = SearchProgress::default();
        let said = loop {
            match receiver.recv_timeout(POLL) {
                Ok(progress) => last = progress,
                Err(RecvTimeoutError::Timeout) => {
                    last.line = None;
                    last.lines.clear();
                }
                Err(RecvTimeoutError::Disconnected) => break ControlFlow::Continue(()),
            }
            if watch(&last).is_break() {
                break ControlFlow::Break(());
            }
        };
        drop(stop);
        let found = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok((found, said))
    })
}

/// Stops a search at the end of its scope, also when that is left by a panic.
struct StopOnDrop<'a>(&'a Signals);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
