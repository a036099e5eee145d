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
///
/// # Errors
///
/// What the system says if no thread can be started.
pub fn on_own_stack<T: Send>(
    signals: &Signals,
    watch: &mut Watch<'_>,
    search: impl FnOnce(&mut Watch<'_>) -> T + Send,
) -> io::Result<T> {
    if cfg!(target_family = "wasm") {
        return Ok(search(watch));
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
        let mut last = SearchProgress::default();
        loop {
            match receiver.recv_timeout(POLL) {
                Ok(progress) => last = progress,
                Err(RecvTimeoutError::Timeout) => {
                    last.line = None;
                    last.lines.clear();
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if watch(&last).is_break() {
                signals.stop();
            }
        }
        thread.join().map_err(|panic| std::panic::resume_unwind(panic))
    })
}
