//! Progress over files.

pub use halfpoint::progress::{bar, spinner};

use indicatif::ProgressBar;
use std::fs;
use std::path::PathBuf;

/// A bar over the bytes of all files.
pub fn bytes(files: &[PathBuf]) -> ProgressBar {
    let bytes = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|metadata| metadata.len()).sum();
    bar(bytes, "{wide_bar} {bytes}/{total_bytes} {eta}", "bytes")
}
