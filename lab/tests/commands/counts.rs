//! A file of counts, and the curves fitted to it.

use clap::Parser;
use halfpoint_lab::fit;
use std::fs;

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    arguments: fit::Arguments,
}

/// Fits curves over material and moves, with figures. Returns whether they could be fitted.
pub fn run(data: &[u8]) -> [bool; 2] {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (counts, curves, numbers) = (path("counts.json"), path("a.svg"), path("b.svg"));
    fs::write(&counts, data).unwrap();
    ["material", "move"].map(|kind| {
        let words = ["fit", &counts, "--mom-type", kind, "--figure", &curves, "--figure-counts", &numbers];
        fit::run(&CommandLine::try_parse_from(words).unwrap().arguments).is_ok()
    })
}
