//! The command `halfpoint suite`: positions with a known best move, move to avoid, mate, or points for moves.

mod goal;
mod table;

use super::report_file::{ReportFile, ReportFileError, check_apart};
use super::search_arguments::SearchArguments;
use clap::Args;
use crossbeam_channel::{Receiver, unbounded};
use goal::{Grade, Solved, SuitePosition};
use halfpoint::analysis::{Found, SearchOptions, SearchProgress, Searcher};
use halfpoint::games::{self, CastlingRights, LineTexts, TextFormat};
use halfpoint::output::{error_line, is_closed, one_line};
use halfpoint::position::GameHistory;
use halfpoint::progress;
use halfpoint::search::{OutOfMemory, STACK_BYTES, Stopwatch};
use indicatif::ProgressDrawTarget;
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;
use thiserror::Error;

/// Arguments of `halfpoint suite`.
#[derive(Args)]
pub struct SuiteArguments {
    /// Positions in EPD with bm, am, dm, or points in c0, also .gz and .zst; - for standard input
    file: PathBuf,
    #[command(flatten)]
    search: SearchArguments,
    /// Print the tables only
    #[arg(long)]
    quiet: bool,
    /// Write the results as JSON; to standard output (-) in place of the tables
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Replace that file though another program wrote it
    #[arg(long)]
    overwrite: bool,
    /// End with exit code 1 if fewer positions are solved
    #[arg(long, value_name = "N")]
    expect: Option<usize>,
}

/// What stands in the JSON file.
const JSON_MARK: &str = "\"engine\": \"Halfpoint";

/// Why a suite cannot be run.
#[derive(Debug, Error)]
pub enum SuiteError {
    #[error("{}: {reason}", path.display())]
    Input { path: PathBuf, reason: io::Error },
    #[error("{}: no positions that can be read", .0.display())]
    Empty(PathBuf),
    #[error("{0}")]
    Output(#[from] ReportFileError),
    #[error("{0}")]
    Hash(#[from] OutOfMemory),
    #[error("no thread can be started: {0}")]
    Thread(io::Error),
}

/// Runs the command. False if lines could not be read or fewer positions were solved than expected.
///
/// # Errors
///
/// [`SuiteError`] if nothing can be read, searched or written.
pub fn run(arguments: &SuiteArguments) -> Result<bool, SuiteError> {
    check_apart(arguments.json.as_deref().as_slice(), &arguments.file)?;
    let check = |path| ReportFile::check(path, |head| head.contains(JSON_MARK), arguments.overwrite);
    let json = arguments.json.as_deref().map(check).transpose()?;
    // What reads JSON on standard output reads nothing else.
    let is_output = json.as_ref().is_some_and(ReportFile::is_output);
    let is_quiet = arguments.quiet || is_output;
    let (positions, all_read) = read(&arguments.file)?;
    if positions.is_empty() {
        return Err(SuiteError::Empty(arguments.file.clone()));
    }
    let options = arguments.search.options();
    SearchArguments::report_faults(&options);
    let searchers: Result<Vec<Searcher>, OutOfMemory> =
        (0..arguments.search.threads().min(positions.len())).map(|_| Searcher::new(&options)).collect();
    let mut solved: Vec<Solved> = Vec::new();
    let progress = progress::bar(positions.len() as u64, "{wide_bar} {pos}/{len} positions, {eta} left", "positions");
    if !is_quiet {
        // The lines of the positions are progress enough to see.
        progress.set_draw_target(ProgressDrawTarget::hidden());
    }
    let is_kept = json.is_some();
    let (next, (sender, receiver)) = (AtomicUsize::new(0), unbounded());
    thread::scope(|scope| {
        for mut searcher in searchers? {
            let (sender, positions, next, options) = (sender.clone(), &positions, &next, &options);
            let work = move || {
                // Nobody may want to see more.
                while let Some((index, position)) = take(next, positions).filter(|_| is_kept || !is_closed()) {
                    if sender.send((index, solve(&mut searcher, position, options))).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).map_err(SuiteError::Thread)?;
        }
        drop(sender);
        solved = in_order(&receiver, |index, all| {
            progress.inc(1);
            if !is_quiet {
                table::print_position(&positions[index], all, positions.len());
            }
        });
        Ok::<(), SuiteError>(())
    })?;
    progress.finish_and_clear();
    if !is_output {
        table::print(&positions, &solved);
    }
    if let Some(file) = &json {
        file.write(&table::json(&positions, &solved, &options))?;
    }
    let found = solved.iter().filter(|solved| solved.grade.is_found).count();
    Ok(all_read && arguments.expect.is_none_or(|expected| found >= expected))
}

fn take<'a>(next: &AtomicUsize, positions: &'a [SuitePosition]) -> Option<(usize, &'a SuitePosition)> {
    let index = next.fetch_add(1, Relaxed);
    Some((index, positions.get(index)?))
}

/// Gathers results in the order of the file; `each` is called as soon as a result and all before it are there.
fn in_order(receiver: &Receiver<(usize, Solved)>, mut each: impl FnMut(usize, &[Solved])) -> Vec<Solved> {
    let (mut waiting, mut solved) = (BTreeMap::new(), Vec::new());
    for (index, result) in receiver {
        waiting.insert(index, result);
        while let Some(result) = waiting.remove(&solved.len()) {
            solved.push(result);
            each(solved.len() - 1, &solved);
        }
    }
    solved
}

/// The positions of a file, and whether all lines could be read; faults are told on standard error.
fn read(path: &Path) -> Result<(Vec<SuitePosition>, bool), SuiteError> {
    let failed = |reason| SuiteError::Input { path: path.to_owned(), reason };
    let (mut positions, mut all_read) = (Vec::new(), true);
    let mut reader = games::open(path).map_err(failed)?;
    if TextFormat::detect(&mut reader).map_err(failed)? == Some(TextFormat::Pgn) {
        return Err(failed(io::Error::new(
            io::ErrorKind::InvalidData,
            "games, not positions with what is to be found",
        )));
    }
    for line in LineTexts::new(reader) {
        let line = match line {
            Ok(line) => line,
            Err(reason) => {
                let place = format!("{}: the rest of it cannot be read: {reason}", path.display());
                error_line(format_args!("error: {}", one_line(&place)));
                return Ok((positions, false));
            }
        };
        let tell = |kind: &str, fault: &str| {
            let place = format!("{}: line {}: {fault}", path.display(), line.number);
            error_line(format_args!("{kind}: {}", one_line(&place)));
        };
        let read = line.parse(CastlingRights::Either).map_err(|broken| broken.reason);
        let read = read.and_then(|line| SuitePosition::from_line(&line).map(|found| (found, line.mends)));
        match read {
            Ok(((position, faults), mends)) => {
                mends.iter().for_each(|mend| tell("warning", mend));
                faults.iter().for_each(|fault| tell("warning", &format!("points left out: {fault}")));
                positions.push(position);
            }
            Err(fault) => {
                tell("error", &fault);
                all_read = false;
            }
        }
    }
    Ok((positions, all_read))
}

/// Searches a position without knowledge of others.
fn solve(searcher: &mut Searcher, suite: &SuitePosition, options: &SearchOptions) -> Solved {
    let game = GameHistory::new(suite.position);
    let stopwatch = Stopwatch::start();
    let mut solution = None;
    searcher.clear();
    let mut watch = |progress: &SearchProgress| {
        if let Some(line) = &progress.line {
            let is_found = line.pv.first().is_some_and(|&m| suite.grade(m, line.score).is_found);
            solution = solution_after(solution, is_found, (line.nodes, stopwatch.elapsed()));
        }
        ControlFlow::Continue(())
    };
    // Nothing stops it.
    let found: Found = searcher.search_with(&game, &options.limits(), options.multi_pv, &mut watch).unwrap_or_default();
    let first = found.lines.first().and_then(|line| Some((line.pv.first().copied()?, line.score)));
    Solved {
        best: first.map_or_else(|| "-".to_owned(), |(m, _)| suite.san(m)),
        grade: first.map_or_else(Grade::default, |(m, score)| suite.grade(m, score)),
        nodes: found.nodes,
        time: stopwatch.elapsed(),
        solution,
    }
}

/// Nodes and time of the solution after another line that ends at `now`: those of the first line from which on all have
/// found it.
fn solution_after(before: Option<(u64, Duration)>, is_found: bool, now: (u64, Duration)) -> Option<(u64, Duration)> {
    is_found.then(|| before.unwrap_or(now))
}

#[cfg(test)]
mod tests;
