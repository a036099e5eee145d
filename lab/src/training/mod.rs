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
use prepare::Origin;
use state::State;
use std::fs;
use std::path::{Path, PathBuf};

/// Trains a network and writes it with its record and report.
pub fn run(options: &Options) -> Result<()> {
    if let Some(threads) = options.threads {
        // Whoever set it up before has decided the number already.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global();
    }
    let is_new = !options.out.exists();
    let result = match options.units {
        16 => train_and_report::<16>(options),
        32 => train_and_report::<32>(options),
        64 => train_and_report::<64>(options),
        _ => train_and_report::<128>(options),
    };
    if result.is_err() && is_new {
        // It goes only if nothing is in it.
        let _ = fs::remove_dir(&options.out);
    }
    result
}

/// Checks what can be known before the work.
fn check<const UNITS: usize>(options: &Options, origin: &Origin) -> Result<()> {
    let own = [("network.bin", "HPNET"), ("record.md", measure::HEADING), ("index.html", report::MARK)];
    let results = own.map(|(name, mark)| (options.out.join(name), mark));
    let state = state::path(&options.out);
    let outputs: Vec<&Path> = results.iter().map(|(path, _)| path.as_path()).chain([state.as_path()]).collect();
    let inputs = options.data.iter().map(|file| &file.path).chain(&options.baseline).chain(&options.start);
    writing::check_apart(&outputs, inputs.map(PathBuf::as_path))?;
    fs::create_dir_all(&options.out).with_context(|| cannot_write(&options.out))?;
    results.iter().try_for_each(|(path, mark)| writing::check_own(path, mark, options.overwrite))?;
    options.start.as_deref().map(train::first::<UNITS>).transpose()?;
    State::read(options, origin).map(drop)
}

fn train_and_report<const UNITS: usize>(options: &Options) -> Result<()> {
    let origin = Origin::of(options)?;
    check::<UNITS>(options, &origin)?;
    let rows = prepare::prepare(options, &origin)?;
    error_line(format_args!("{} positions to train with, {} of games held out", rows.training, rows.held_out.len()));
    let mut finished = train::train::<UNITS>(options, &origin, &rows)?;
    let network = export::export(&finished.model)?;
    // What is told is of the weights that the engine reads.
    finished.model = export::import(&network)?;
    writing::write(&options.out.join("network.bin"), network.parts().to_bytes())?;
    let summary = measure::Summary::new(options, &rows, &finished);
    writing::write(&options.out.join("record.md"), summary.record())?;
    writing::write(&options.out.join("index.html"), report::page(&summary, &finished)?)?;
    line(summary.record());
    Ok(())
}
