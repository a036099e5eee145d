//! Progress of long work, on standard error: a bar where that is a terminal, elsewhere a line a minute.

use crate::clock;
use crate::output::error_line;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::thread;
use std::time::Duration;

/// Time between two pictures of a spinner.
const SPINNER_STEP: Duration = Duration::from_millis(100);
/// Time between two lines.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// A bar with a template of `indicatif`'s. `unit`: what is counted.
#[must_use]
pub fn bar(length: u64, template: &str, unit: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(length).with_style(style);
    print_lines(&bar, unit);
    bar
}

/// A sign of life for work of unknown length.
#[must_use]
pub fn spinner(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
    let spinner = ProgressBar::new_spinner().with_message(what);
    spinner.enable_steady_tick(SPINNER_STEP);
    let spinner = spinner.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    print_lines(&spinner, "");
    spinner
}

fn print_lines(bar: &ProgressBar, unit: &'static str) {
    if !io::stderr().is_terminal() {
        each(LINE_INTERVAL, bar, unit, error_line);
    }
}

/// Hands a line to `print` after each interval, as long as the work lasts.
fn each(interval: Duration, bar: &ProgressBar, unit: &'static str, print: impl Fn(String) + Send + 'static) {
    let bar = bar.downgrade();
    let work = move || {
        loop {
            clock::pause(interval);
            let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) else { return };
            print(line(&bar, unit));
        }
    };
    // Where no thread can be started, the work itself is done all the same.
    let _ = thread::Builder::new().name("progress".to_owned()).spawn(work);
}

/// How far the work is, in words.
fn line(bar: &ProgressBar, unit: &str) -> String {
    let counted = bar.length().map(|length| format!("{} of {length} {unit}", bar.position()));
    let message = Some(bar.message()).filter(|message| !message.is_empty());
    let parts = [counted, message, Some(format!("after {} s", bar.elapsed().as_secs()))];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn lines_come_until_the_work_is_done() {
        let bar = ProgressBar::hidden();
        bar.set_length(40);
        bar.set_message("9 games/s");
        bar.inc(7);
        let (sender, lines) = mpsc::channel();
        each(Duration::from_millis(1), &bar, "games", move |line| drop(sender.send(line)));
        let next = || lines.recv_timeout(Duration::from_secs(60));
        assert_eq!(next().unwrap(), "7 of 40 games, 9 games/s, after 0 s");
        assert!(next().is_ok());
        bar.finish_and_clear();
        while next().is_ok() {}
        assert_eq!(lines.try_recv(), Err(mpsc::TryRecvError::Disconnected));
    }

    #[test]
    fn work_of_unknown_length_has_a_name() {
        let spinner = ProgressBar::new_spinner().with_message("fitting");
        assert_eq!(line(&spinner, ""), "fitting, after 0 s");
    }
}
