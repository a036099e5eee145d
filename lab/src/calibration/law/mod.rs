//! `halfpoint-lab law`: what the search's score means in the engine's own games by the nodes of each move, and in games of people
//! by rating and time.

mod data;
mod file;
mod fit;
mod kept;
mod report;

use super::engine::{Engine, Specification};
use super::judge::{Search, WdlOptions, judge, judge_with, most_failures};
use super::observations::{Observations, name};
use super::sample::{Sample, SampleOptions, SampleSource};
use super::scoring::games;
use super::verdict::Verdict;
use crate::reading::check_distinct;
use crate::{figures, progress};
use anyhow::{Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use data::Data;
use fit::{Fit, all_columns};
use halfpoint::output::error_line;
use halfpoint::printing::law::{Context, Nodes, People};
use halfpoint::printing::profile::{COUNT, is_of_mates, is_of_ratings};
use halfpoint::printing::{Nominal, Pace, PeopleLaw, RatingGap, TimeClass, UNCORRECTED};
use kept::Kept;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Positions after whose search the verdicts are kept.
const KEPT_AT_ONCE: usize = 5000;
/// Folds of what is held out.
const FOLDS: usize = 6;
/// Fewest games that a law is fitted to.
const LEAST_GAMES: usize = 100;

/// Whose games.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The engine's own, by the nodes of each move; one run for each speed adds its positions
    Nominal(NominalArguments),
    /// Those of people, by mean rating and time control
    People(PeopleArguments),
}

/// The engine's own games.
#[derive(Debug, Args)]
pub struct NominalArguments {
    /// Games with so many nodes a move, NODES=FILE; may be repeated. Positions are searched with as many
    #[arg(required = true, value_name = "NODES=FILE", value_parser = speed)]
    games: Vec<(u64, PathBuf)>,
    #[command(flatten)]
    positions: SampleOptions,
    #[command(flatten)]
    common: Common,
    /// Where the law goes
    #[arg(short, long, default_value = "engine-params/nominal.toml")]
    output: PathBuf,
}

/// Games of people.
#[derive(Debug, Args)]
pub struct PeopleArguments {
    #[command(flatten)]
    source: SampleSource,
    /// Nodes of each search
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// What the law is judged on without being fitted to it: files, as the games of one have players in common, or games
    #[arg(long, value_enum, default_value = "files")]
    hold_out: HoldOut,
    #[command(flatten)]
    common: Common,
    /// Where the law goes
    #[arg(short, long, default_value = "engine-params/people.toml")]
    output: PathBuf,
    /// Where the worth of a difference in rating goes
    #[arg(long, default_value = "engine-params/ratings.toml")]
    ratings: PathBuf,
}

/// What is held out together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum HoldOut {
    Files,
    Games,
}

/// What both have in common.
#[derive(Debug, Args)]
struct Common {
    /// The engine, as COMMAND[;Option=Value]...; this one if missing
    #[arg(long)]
    engine: Option<Specification>,
    /// Processes of the engine at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=crate::MAX_THREADS))]
    concurrency: u16,
    /// Seconds after which a search has failed
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    timeout: u64,
    /// Keep what the engine says in FILE, so that a further run does not search those positions again
    #[arg(long, value_name = "FILE")]
    verdicts: Option<PathBuf>,
    /// Draw reliability diagrams on games held out into FILE, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Replace a figure that this command did not write
    #[arg(long)]
    overwrite: bool,
}

/// Reads `NODES=FILE`.
fn speed(text: &str) -> Result<(u64, PathBuf), String> {
    let read = || {
        let (nodes, path) = text.split_once('=')?;
        let nodes: u64 = nodes.parse().ok().filter(|&nodes| nodes > 0)?;
        Some((nodes, PathBuf::from(path)))
    };
    read().ok_or_else(|| format!("'{text}' is not NODES=FILE, as in 20000=games.vf"))
}

impl Common {
    /// What the engine says of positions, searched with so many nodes.
    fn judge(&self, samples: &[Sample], nodes: u64) -> Result<Observations> {
        let engine = self.engine.clone().map_or_else(Specification::own, Ok)?.with("WDL_Profile", UNCORRECTED);
        let search = Search { nodes, concurrency: self.concurrency, timeout: self.timeout };
        let Some(path) = &self.verdicts else {
            let (_, verdicts) = judge(&engine, samples, &search, WdlOptions::AsGiven)?;
            return observations(samples, &verdicts);
        };
        let name = Engine::start(&engine).map_err(anyhow::Error::msg)?.name.clone();
        let name = format!("{name}, {}", engine.options());
        let mut kept = Kept::read(path, &name)?;
        let missing: Vec<_> = samples.iter().filter(|sample| kept.get(nodes, &sample.fen).is_none()).cloned().collect();
        let mut may_fail = most_failures(samples.len());
        for part in missing.chunks(KEPT_AT_ONCE) {
            let (_, verdicts) = judge_with(&engine, part, &search, WdlOptions::AsGiven, may_fail)?;
            let found = part.iter().map(|sample| sample.fen.as_str()).zip(verdicts);
            let found: Vec<_> = found.filter(|(_, verdict)| verdict.wdl.is_some()).collect();
            may_fail = may_fail.saturating_sub(part.len() - found.len());
            kept.add(path, &name, nodes, &found)?;
        }
        let verdicts: Vec<_> = samples.iter().map(|sample| kept.get(nodes, &sample.fen).unwrap_or_default()).collect();
        observations(samples, &verdicts)
    }
}

/// The positions for which the engine printed W/D/L.
fn observations(samples: &[Sample], verdicts: &[Verdict]) -> Result<Observations> {
    let observations = Observations::new(samples, verdicts);
    if observations.samples.is_empty() {
        bail!("the engine prints no wdl");
    }
    Ok(observations)
}

/// Runs the command.
pub fn run(command: &Command) -> Result<()> {
    match command {
        Command::Nominal(arguments) => nominal(arguments),
        Command::People(arguments) => people(arguments),
    }
}

fn nominal(arguments: &NominalArguments) -> Result<()> {
    let NominalArguments { games, positions, common, output } = arguments;
    file::check::<Nominal>(output)?;
    common.plot.iter().try_for_each(|path| figures::check(path, common.overwrite))?;
    let mut all = Observations::default();
    let mut contexts = Vec::new();
    for (nodes, paths) in &by_speed(games)? {
        let source = SampleSource::new(paths.clone(), positions.clone());
        let outputs = [output].into_iter().chain(&common.plot).chain(&common.verdicts).map(PathBuf::as_path);
        let outputs: Vec<&Path> = outputs.collect();
        source.check_apart(&outputs)?;
        let found = common.judge(&source.read()?, *nodes)?;
        contexts.extend(vec![Nodes(*nodes as f64); found.samples.len()]);
        all.append(found);
    }
    // Against itself the engine does not miss a mate that it sees, and nobody is the better player.
    let is_of_others = |number: usize| is_of_mates(name(number)) || is_of_ratings(name(number));
    let allowed: Vec<_> = (0..COUNT).filter(|&number| !is_of_others(number)).collect();
    let groups = all.samples.iter().map(|sample| sample.game).collect();
    let searched = contexts.iter().map(|nodes: &Nodes| nodes.0).collect();
    let data = Data::new(all, contexts, searched, groups);
    let (fit, rates) = learn(&data, &allowed, positions.seed)?;
    report::print(&data, &fit, &rates, report::by_nodes(&data));
    file::write_nominal(output, &fit, &report::fit_table(&data, &rates, positions.seed))?;
    common.plot.iter().try_for_each(|path| report::draw(path, &data, &rates, report::by_nodes(&data)))
}

/// The files of each speed.
fn by_speed(games: &[(u64, PathBuf)]) -> Result<BTreeMap<u64, Vec<PathBuf>>> {
    check_distinct(games.iter().map(|(_, path)| path.as_path()))?;
    let mut speeds: BTreeMap<u64, Vec<PathBuf>> = BTreeMap::new();
    for (nodes, path) in games {
        speeds.entry(*nodes).or_default().push(path.clone());
    }
    Ok(speeds)
}

fn people(arguments: &PeopleArguments) -> Result<()> {
    let PeopleArguments { source, nodes, hold_out, common, output, ratings } = arguments;
    file::check::<PeopleLaw>(output)?;
    file::check::<RatingGap>(ratings)?;
    common.plot.iter().try_for_each(|path| figures::check(path, common.overwrite))?;
    let mut outputs: Vec<&Path> = vec![output, ratings];
    outputs.extend(common.plot.iter().chain(&common.verdicts).map(PathBuf::as_path));
    source.check_apart(&outputs)?;
    let samples: Vec<_> = source.read()?.into_iter().filter(|sample| context(sample).is_some()).collect();
    if samples.is_empty() {
        bail!("no game of people: both ratings are needed, and a time control that is no exhibition");
    }
    let observations = common.judge(&samples, *nodes)?;
    // Without the positions at which the engine failed.
    let contexts: Vec<_> = observations.samples.iter().filter_map(context).collect();
    let files: BTreeSet<_> = observations.samples.iter().map(|sample| sample.file).collect();
    let of_files = *hold_out == HoldOut::Files && files.len() >= FOLDS;
    if *hold_out == HoldOut::Files && !of_files {
        error_line(format_args!("warning: fewer than {FOLDS} files, so games are held out, not files"));
    }
    let groups = observations.samples.iter().map(|s| if of_files { s.file } else { s.game }).collect();
    let searched = vec![*nodes as f64; contexts.len()];
    let data = Data::new(observations, contexts, searched, groups);
    let allowed: Vec<_> = (0..COUNT).collect();
    let (fit, rates) = learn(&data, &allowed, source.options.seed)?;
    report::print(&data, &fit, &rates, report::by_players(&data));
    file::write_people(output, ratings, &fit, &report::fit_table(&data, &rates, source.options.seed))?;
    common.plot.iter().try_for_each(|path| report::draw(path, &data, &rates, report::by_each(&data)))
}

/// What is known of the game of a position; `None` if it is none of people with ratings at a usual time control. What is not told
/// is presumed over the board alone, where other controls are named.
fn context(sample: &Sample) -> Option<People> {
    let class = sample.time_class?;
    let is_unknown = !sample.is_told && class != TimeClass::Classical;
    if is_unknown || matches!(class, TimeClass::Exhibition | TimeClass::Correspondence) {
        return None;
    }
    Some(People { elo: sample.ratings.mean()?, seconds: sample.seconds.unwrap_or(Pace::of_class(class).seconds) })
}

/// The law of all positions, and for each position the probabilities by a law that was chosen and fitted without its group.
fn learn<C: Context<Terms: Send> + Send + Sync>(
    data: &Data<C>,
    allowed: &[usize],
    seed: u64,
) -> Result<(Fit<C>, Vec<[f64; 3]>)> {
    let games = games(&data.observations.samples).count();
    if games < LEAST_GAMES {
        bail!("too little data: {games} games, {LEAST_GAMES} are needed");
    }
    let progress = progress::spinner("fitting");
    let columns = all_columns(data, allowed);
    let folds = data.folds(FOLDS, seed);
    let of_fold = |fold: usize| -> Result<Vec<(usize, [f64; 3])>> {
        let (held_out, others): (Vec<_>, Vec<_>) = (0..data.len()).partition(|&index| folds[index] == fold);
        let fit = data.select(&others, &columns)?;
        Ok(held_out.into_iter().map(|index| (index, data.prediction(&fit, index))).collect())
    };
    let all: Vec<_> = (0..data.len()).collect();
    let (parts, fit) = rayon::join(
        || (0..FOLDS).into_par_iter().map(of_fold).collect::<Result<Vec<_>>>(),
        || data.select(&all, &columns),
    );
    let mut rates = vec![[0.0; 3]; data.len()];
    parts?.into_iter().flatten().for_each(|(index, of_position)| rates[index] = of_position);
    let fit = fit?;
    progress.finish_and_clear();
    Ok((fit, rates))
}
