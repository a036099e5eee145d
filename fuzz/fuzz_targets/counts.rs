//! A file of counts, and the curves fitted to it.
#![no_main]

use clap::Parser;
use halfpoint_lab::fit;
use std::fs;

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    arguments: fit::Arguments,
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let counts = path("counts.json");
    fs::write(&counts, data).unwrap();
    for kind in ["material", "move"] {
        let words = ["fit", &counts, "--mom-type", kind, "--plot", &path("a.svg"), "--plot-counts", &path("b.svg")];
        let _ = fit::run(&CommandLine::parse_from(words).arguments);
    }
});
