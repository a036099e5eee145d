//! What engines print about positions.

use super::engine::{Engine, Specification};
use super::sample::Sample;
use super::verdict::Verdict;
use crate::MAX_THREADS;
use crate::progress;
use anyhow::{Result, anyhow};
use clap::Args;
use halfpoint::output::error_line;
use halfpoint::printing::Clocks;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// An engine may fail at one in so many positions.
const FAILURES: usize = 100;
/// Error where a thread panicked.
const PANICKED: &str = "a thread failed";

/// How to search the positions.
#[derive(Debug, Args)]
pub struct Search {
    /// Nodes of each search
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Processes of an engine at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS))]
    pub concurrency: u16,
    /// Seconds after which a search has failed
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub timeout: u64,
}

/// The options that W/D/L are asked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WdlOptions {
    /// Those of the specification.
    AsGiven,
    /// Those of the players of each game and of their clocks, where these are known; the engine must have them.
    OfPlayers,
}

/// Most positions of so many at which an engine may fail.
pub fn most_failures(positions: usize) -> usize {
    positions / FAILURES
}

/// What one engine, by its name, prints about each position.
pub fn judge(
    specification: &Specification,
    samples: &[Sample],
    search: &Search,
    options: WdlOptions,
) -> Result<(String, Vec<Verdict>)> {
    judge_with(specification, samples, search, options, most_failures(samples.len()))
}

/// The same, where the engine may fail at so many positions.
pub fn judge_with(
    specification: &Specification,
    samples: &[Sample],
    search: &Search,
    options: WdlOptions,
    most_failures: usize,
) -> Result<(String, Vec<Verdict>)> {
    let progress = progress::bar(samples.len() as u64, "{msg} {wide_bar} {pos}/{len} {eta}", "positions");
    let next = AtomicUsize::new(0);
    let reported = AtomicBool::new(false);
    let results = Mutex::new(vec![Verdict::default(); samples.len()]);
    let failures = Mutex::new(Vec::new());
    let start = || {
        // Without an engine nobody needs to go on.
        Engine::start(specification).inspect_err(|_| next.store(samples.len(), Relaxed))
    };
    let work = || -> Result<String, String> {
        let mut engine = start()?;
        let name = engine.name.clone();
        progress.set_message(name.clone());
        if !reported.swap(true, Relaxed) {
            engine.notes.iter().for_each(|note| progress.suspend(|| error_line(format_args!("{name}: {note}"))));
        }
        let patience = Duration::from_secs(search.timeout);
        while let Some((index, sample)) = Some(next.fetch_add(1, Relaxed)).and_then(|i| samples.get(i).map(|s| (i, s)))
        {
            let ask = |engine: &mut Engine| {
                let mut clocks = None;
                if options == WdlOptions::OfPlayers {
                    engine.set_players(sample.fair_ratings(), sample.time_class)?;
                    clocks = sample.clocks.filter(|_| sample.time_class.is_some_and(Clocks::count_in));
                }
                engine.judge(&sample.fen, search.nodes, clocks, patience)
            };
            let verdict = ask(&mut engine).or_else(|_| {
                engine = Engine::start(specification)?;
                ask(&mut engine)
            });
            match verdict.map_err(|reason| format!("{name}: {reason}, at {}", sample.fen)) {
                Ok(verdict) => results.lock().map_err(|_| PANICKED)?[index] = verdict,
                Err(failure) => {
                    let mut all = failures.lock().map_err(|_| PANICKED)?;
                    all.push(failure.clone());
                    if all.len() > most_failures {
                        next.store(samples.len(), Relaxed);
                        return Err(failure);
                    }
                    drop(all);
                    engine = start()?;
                }
            }
            progress.inc(1);
        }
        Ok(name)
    };
    let names: Result<Vec<_>, _> = thread::scope(|scope| {
        let begun = (0..search.concurrency).map(|_| {
            thread::Builder::new().spawn_scoped(scope, work).map_err(|reason| {
                next.store(samples.len(), Relaxed);
                format!("cannot start a thread: {reason}")
            })
        });
        let workers: Vec<_> = begun.collect();
        let panicked = |_| Err(PANICKED.to_owned());
        workers.into_iter().map(|worker| worker?.join().unwrap_or_else(panicked)).collect()
    });
    progress.finish_and_clear();
    let name = names.map_err(anyhow::Error::msg)?.swap_remove(0);
    let failures = failures.into_inner().map_err(|_| anyhow!(PANICKED))?;
    if let Some(first) = failures.first() {
        error_line(format_args!(
            "warning: {} positions do not count, as the engine failed at them: {first}",
            failures.len()
        ));
    }
    let verdicts = results.into_inner().map_err(|_| anyhow!(PANICKED))?;
    Ok((format!("{name} {}", specification.options()).trim_end().to_owned(), verdicts))
}
