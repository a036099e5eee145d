//! `halfpoint-lab human`: the model of people's moves, from rated games.

mod design;
mod errors;
mod fit;
mod games;
mod judge;
mod model_file;
mod ratings;
mod report;
mod run;
mod scores;
mod swindles;
mod valuation;

use crate::figures;
use crate::progress;
use crate::writing::{self, cannot_write};
use anyhow::{Context, Result, bail};
use clap::Args;
use design::Sample;
use fit::Plan;
use games::Choice;
use halfpoint::output::{error_line, line};
use report::Findings;
use run::Fitter;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// What to fit, to what.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Rated games in PGN, or folders of .pgn files; .gz or .zst may follow. A file is a source
    #[arg(required = true, value_name = "GAMES")]
    paths: Vec<PathBuf>,
    /// Look into folders within folders
    #[arg(short, long)]
    recursive: bool,
    /// Where the values of moves are kept, so that each position is searched once
    #[arg(long, value_name = "FILE")]
    values: PathBuf,
    /// Most games of a platform, time class and band of 200 Elo, with or without clocks
    #[arg(long, default_value = "150")]
    games_per_cell: NonZeroUsize,
    /// Most positions of a game
    #[arg(long, default_value = "8")]
    positions_per_game: NonZeroUsize,
    /// Chooses games, positions and folds
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Most positions to search now; those that are not searched yet are left out
    #[arg(long, value_name = "COUNT")]
    search_at_most: Option<usize>,
    /// A source that nothing is fitted to: the name of its file without ending; may be repeated
    #[arg(long = "test", value_name = "NAME")]
    tests: Vec<String>,
    /// Parts for cross-validation
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(2..))]
    folds: u16,
    /// Most steps of a fit
    #[arg(long, default_value_t = 200)]
    iterations: usize,
    /// Where the model goes; what else is in that file stays
    #[arg(short, long, default_value = "engine-params/human.toml")]
    output: PathBuf,
    /// Where the report goes: report.md with figures
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Instead of a fit: judge the model of --output on so many whole games of each cell of lichess that its fit, with the same
    /// games, seed and --games-per-cell, has left out, and write what is corrected by them
    #[arg(long, value_name = "COUNT")]
    judge: Option<NonZeroUsize>,
    /// Instead of a fit: test on so many lost positions of such games whether moves after which the opponent is likely to err
    /// score better than their value
    #[arg(long, value_name = "COUNT", conflicts_with = "judge")]
    swindles: Option<NonZeroUsize>,
    /// Say by how much each feature lowers the log loss of a part that is held out
    #[arg(long)]
    gains: bool,
    /// Searches side by side
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,
}

/// Fewest choices for a fit.
const MIN_CHOICES: usize = 1000;

/// Fails before the work rather than after it.
fn check_writable(options: &Options) -> Result<()> {
    let mut outputs = vec![(options.output.clone(), model_file::MARK)];
    if let Some(folder) = &options.report {
        std::fs::create_dir_all(folder).with_context(|| cannot_write(folder))?;
        outputs.push((folder.join("report.md"), report::TITLE));
        outputs.push((folder.join(judge::REPORT), judge::TITLE));
        ["losses.svg", "reliability.svg", judge::FIGURE]
            .iter()
            .try_for_each(|name| figures::check(&folder.join(name), false))?;
    }
    outputs.iter().try_for_each(|(path, mark)| writing::check_own(path, mark, false))
}

/// Values, fits, reports and writes.
pub fn run(options: &Options) -> Result<()> {
    let levels = model_file::levels(&options.output)?;
    check_writable(options)?;
    // Whoever set it up before has decided the number already.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(options.threads.get()).build_global();
    let games = games::read(&options.paths, options.recursive)?;
    let sources: BTreeSet<_> = games.iter().map(|game| game.source.as_str()).collect();
    if let Some(unknown) = options.tests.iter().find(|test| !sources.contains(test.as_str())) {
        let sources: Vec<_> = sources.into_iter().collect();
        bail!("--test {unknown}: there is no such source among {}", sources.join(", "));
    }
    let choice = Choice {
        games_of_cell: 0..options.games_per_cell.get(),
        positions_per_game: options.positions_per_game.get(),
        seed: options.seed,
    };
    if let Some(count) = options.judge {
        return judge::run(options, &games, &choice, count.get());
    }
    if let Some(count) = options.swindles {
        return swindles::run(options, &games, &choice, count.get());
    }
    let places = games::choose(&games, &choice);
    error_line(format_args!("{} games, {} positions chosen", games.len(), places.len()));
    let most = options.search_at_most.unwrap_or(usize::MAX);
    let positions = places.iter().map(|place| games[place.game].history(place.ply));
    let values = valuation::value(&options.values, positions, options.threads.get(), most)?;
    let samples = design::samples(&games, &places, &values);
    drop(values);
    let is_test = |sample: &Sample| options.tests.contains(&sample.source);
    let (test, own): (Vec<&Sample>, Vec<&Sample>) = samples.iter().partition(|sample| is_test(sample));
    let folds = usize::from(options.folds);
    if own.len() < folds.max(MIN_CHOICES) {
        bail!("{} choices are too few, at least {MIN_CHOICES} are needed", own.len());
    }
    let fitter = Fitter::new(own, Plan { iterations: options.iterations }, options.seed);
    let spinner = progress::spinner("fitting");
    let found = Findings::new(&fitter, test, folds, options.gains);
    spinner.finish_and_clear();
    let text = report::text(&found);
    if let Some(folder) = &options.report {
        writing::write(&folder.join("report.md"), &text)?;
        figures::save(&folder.join("losses.svg"), &report::losses(&found)?)?;
        figures::save(&folder.join("reliability.svg"), &report::reliability(&found)?)?;
    }
    line(text.trim_end());
    let model = model_file::text(&report::heading(&found), &found.parameters, &found.thinking, &levels)?;
    writing::write(&options.output, model)?;
    line(format_args!("model written to {}", options.output.display()));
    Ok(())
}
