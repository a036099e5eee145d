//! Progress bars, on standard error; not drawn where that is no terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// Time between two pictures of a spinner.
const SPINNER_STEP: Duration = Duration::from_millis(100);

/// A bar over the bytes of all files.
pub fn bytes(files: &[PathBuf]) -> ProgressBar {
    let bytes = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|metadata| metadata.len()).sum();
    bar(bytes, "{wide_bar} {bytes}/{total_bytes} {eta}")
}

/// A bar with a template of `indicatif`'s.
pub fn bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style)
}

/// A sign of life for work of unknown length.
pub fn spinner(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
    let spinner = ProgressBar::new_spinner().with_message(what);
    spinner.enable_steady_tick(SPINNER_STEP);
    spinner.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}
