//! Training: games to a network that adds to the sums of the terms.
//!
//! Quiet positions of games are written as rows of 32 bytes, in random order, and AdamW fits the network to them. What the network
//! is, and its file, stands in `halfpoint::eval::network`.
//!
//! | module | holds |
//! |---|---|
//! | [`row`] | a position with its result and searches as 32 bytes |
//! | [`prepare`] | games to files of rows |
//! | [`level`] | what the games' level makes of w and d, for the terms and for searches |
//! | [`model`] | the network in floating point, its loss and gradient |
//! | [`adamw`] | the steps of the optimiser |
//! | [`state`] | what an interrupted run needs to go on |
//! | [`train`] | epochs over all rows |
//! | [`export`] | from floating point to the engine's file |
//! | [`measure`] | losses on games held out |
//! | [`report`] | the report |

mod adamw;
mod export;
mod level;
mod measure;
mod model;
mod options;
mod prepare;
mod report;
mod row;
mod state;
mod train;

#[cfg(test)]
mod tests;

pub use options::Options;

use crate::writing::{self, cannot_write};
use anyhow::{Context, Result};
use halfpoint::output::{error_line, line};
use std::fs;

/// Trains a network and writes it with its record and report.
pub fn run(options: &Options) -> Result<()> {
    if let Some(threads) = options.threads {
        // Whoever set it up before has decided the number already.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global();
    }
    fs::create_dir_all(&options.out).with_context(|| cannot_write(&options.out))?;
    for (name, mark) in [("network.bin", "HPNET"), ("record.md", measure::HEADING), ("index.html", report::MARK)] {
        writing::check_own(&options.out.join(name), mark, options.overwrite)?;
    }
    let rows = prepare::prepare(options)?;
    error_line(format_args!("{} positions to train with, {} of games held out", rows.training, rows.held_out.len()));
    match options.units {
        16 => train_and_report::<16>(options, &rows),
        32 => train_and_report::<32>(options, &rows),
        64 => train_and_report::<64>(options, &rows),
        _ => train_and_report::<128>(options, &rows),
    }
}

fn train_and_report<const UNITS: usize>(options: &Options, rows: &prepare::Rows) -> Result<()> {
    let mut finished = train::train::<UNITS>(options, rows)?;
    let network = export::export(&finished.model)?;
    // What is told is of the weights that the engine reads.
    finished.model = export::import(&network)?;
    writing::write(&options.out.join("network.bin"), network.parts().to_bytes())?;
    let summary = measure::Summary::new(options, rows, &finished);
    writing::write(&options.out.join("record.md"), summary.record())?;
    writing::write(&options.out.join("index.html"), report::page(&summary, &finished)?)?;
    line(summary.record());
    Ok(())
}
