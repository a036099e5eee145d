//! `halfpoint-lab verify`: how true the W/D/L are that engines print.
//!
//! Beside what an engine prints stand what this program prints for the two players of each game, and rows that are made for
//! each fold of the games from the others: the base rates; a level profile, which corrects what is printed, also with the
//! difference of the ratings; and Stockfish's two-parameter curve over the printed centipawns.

use super::engine::{Engine, Specification};
use super::judge::{Search, WdlOptions, judge};
use super::learn::{FOLDS, held_out};
use super::observations::Observations;
use super::sample::{Sample, SampleSource};
use super::scored::{self, Scored};
use super::scoring::games;
use super::verdict::Verdict;
use crate::figures;
use crate::outcome::Outcome;
use crate::progress;
use crate::reading::invalid;
use crate::reliability;
use crate::stats::cross_validate;
use crate::wdl_model::curve::{Cell, Curve, Objective, Polynomial, Row};
use crate::writing;
use anyhow::{Result, bail};
use clap::Args;
use halfpoint::output::{error_line, line};
use halfpoint::printing::FLOOR;
use halfpoint::printing::profile::COUNT;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Centipawns at which evaluations are cut for the refitted curve.
const MAX_CENTIPAWNS: i32 = 2000;
/// Material in folds of which the curve is written.
const TARGET: f64 = 58.0;

/// Kinds of rows: what an engine prints as its options are, and for the players of each game.
const AS_PRINTED: &str = "as printed";
const FOR_PLAYERS: &str = "for these players";

/// What stands in the JSON files of this command alone.
const JSON_MARK: &str = "\"base_rates\"";

/// Narrow and wide curves to begin with, `a` and `b` in centipawns: the way down may lead to different ends.
const STARTS: [(f64, f64); 4] = [(100.0, 50.0), (100.0, 150.0), (200.0, 300.0), (300.0, 1500.0)];

/// What to verify.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    source: SampleSource,
    /// A UCI engine, as COMMAND[;Option=Value]...; may be repeated; this one if missing
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<Specification>,
    #[command(flatten)]
    search: Search,
    /// Leave out the level profile and the curve, which are fitted to the other parts of the games; with many positions that
    /// takes long
    #[arg(long)]
    no_refit: bool,
    /// Write all figures into a JSON file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw reliability diagrams into FILE, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Draw those of W/D/L for the players, or as printed by an engine that does not know them, by mean rating and by
    /// difference of the ratings into FILE, as SVG
    #[arg(long, value_name = "FILE")]
    plot_ratings: Option<PathBuf>,
    /// Replace files in their places that this command did not write
    #[arg(long)]
    overwrite: bool,
}

/// The whole result, as it is written in JSON.
#[derive(Debug, Serialize)]
struct Results<'a> {
    positions: usize,
    games: usize,
    nodes: u64,
    seed: u64,
    base_rates: [f64; 3],
    rows: &'a [Scored],
}

/// Searches, scores and prints.
pub fn run(arguments: &Arguments) -> Result<()> {
    let outputs = [&arguments.json, &arguments.plot, &arguments.plot_ratings];
    arguments.source.check_apart(&outputs.into_iter().flatten().map(PathBuf::as_path).collect::<Vec<_>>())?;
    arguments.json.iter().try_for_each(|path| writing::check_own(path, JSON_MARK, arguments.overwrite))?;
    arguments
        .plot
        .iter()
        .chain(&arguments.plot_ratings)
        .try_for_each(|path| figures::check(path, arguments.overwrite))?;
    let samples = arguments.source.read()?;
    if arguments.plot_ratings.is_some() && samples.iter().all(|sample| sample.ratings.mean().is_none()) {
        bail!("no game has both ratings, so there is nothing to draw by them");
    }
    let folds = games(&samples).folds(FOLDS, arguments.source.options.seed);
    let games = game_count(&samples)?;
    line(format_args!("{} positions of {games} games, {} nodes each", samples.len(), arguments.search.nodes));
    let base = cross_validate(&folds, |train| base_rates(&samples, train), |rates, _| *rates);
    let mut entries = vec![Scored::new("", "base rates, 5-fold", &base, &samples)];
    let engines = if arguments.engines.is_empty() { vec![Specification::own()?] } else { arguments.engines.clone() };
    // An engine that cannot be started is an error before the others have searched for hours.
    let started = engines.iter().map(|engine| Engine::start(engine).map(|engine| engine.knows_players));
    let know_players = started.collect::<Result<Vec<_>, _>>().map_err(anyhow::Error::msg)?;
    let is_rated = samples.iter().any(|sample| sample.ratings.both().is_some());
    for (specification, knows_players) in engines.iter().zip(know_players) {
        let (name, verdicts) = judge(specification, &samples, &arguments.search, WdlOptions::AsGiven)?;
        let for_players = (knows_players && is_rated)
            .then(|| judge(specification, &samples, &arguments.search, WdlOptions::OfPlayers))
            .transpose()?;
        let progress = progress::spinner("fitting");
        let folds = (!arguments.no_refit).then_some(folds.as_slice());
        let for_players = for_players.as_ref().map(|(_, verdicts)| verdicts.as_slice());
        let found = rows(&name, &verdicts, for_players, &samples, folds, arguments.source.options.seed);
        progress.finish_and_clear();
        entries.extend(found?);
    }
    scored::print(&entries);
    if let Some(path) = &arguments.json {
        let all: Vec<_> = (0..samples.len()).collect();
        let results = Results {
            positions: samples.len(),
            games,
            nodes: arguments.search.nodes,
            seed: arguments.source.options.seed,
            base_rates: base_rates(&samples, &all),
            rows: &entries,
        };
        let text = serde_json::to_vec_pretty(&results).map_err(|reason| invalid(path, reason))?;
        writing::write(path, text)?;
    }
    if let Some(path) = &arguments.plot {
        let rows: Vec<_> = entries.iter().map(|entry| (entry.name(), &entry.measures.bins)).collect();
        figures::save(path, &reliability::diagram(&rows)?)?;
    }
    arguments.plot_ratings.as_ref().map_or(Ok(()), |path| figures::save(path, &by_ratings(&entries)?))
}

/// The diagram by ratings, of those groups that have positions enough if any has.
fn by_ratings(entries: &[Scored]) -> Result<String> {
    let knows_players = |engine: &str| entries.iter().any(|row| row.engine == engine && row.kind == FOR_PLAYERS);
    let rows: Vec<_> = entries
        .iter()
        .filter(|row| match row.kind {
            FOR_PLAYERS => true,
            AS_PRINTED => !knows_players(&row.engine),
            _ => false,
        })
        .flat_map(|row| row.groups.iter().map(move |group| (row, group)))
        .collect();
    let is_any_filled = rows.iter().any(|(_, group)| group.is_filled());
    let titled: Vec<_> = rows
        .into_iter()
        .filter(|(_, group)| group.is_filled() || !is_any_filled)
        .map(|(row, group)| (format!("{}, {}", row.engine, group.name), &group.measures.bins))
        .collect();
    if titled.is_empty() {
        bail!("no engine prints wdl, so there is nothing to draw by ratings");
    }
    reliability::diagram(&titled)
}

/// Number of games.
fn game_count(samples: &[Sample]) -> Result<usize> {
    let games = games(samples).count();
    if games < FOLDS {
        bail!("too little data: {games} games, {FOLDS} are needed");
    }
    Ok(games)
}

/// Fractions of wins, draws and losses among the chosen positions.
fn base_rates(samples: &[Sample], chosen: &[usize]) -> [f64; 3] {
    let count = |outcome| chosen.iter().filter(|&&index| samples[index].outcome == outcome).count() as f64;
    Outcome::ALL.map(|outcome| count(outcome) / chosen.len() as f64)
}

/// The rows of one engine: what it prints and, where the folds are given, what is refitted. Positions without
/// score do not count.
fn rows(
    name: &str,
    verdicts: &[Verdict],
    for_players: Option<&[Verdict]>,
    samples: &[Sample],
    folds: Option<&[usize]>,
    seed: u64,
) -> Result<Vec<Scored>> {
    let entry = |kind, samples: &[Sample], rates: &[[f64; 3]]| Scored::new(name, kind, rates, samples);
    let scored: Vec<_> = (0..samples.len()).filter(|&index| verdicts[index].centipawns.is_some()).collect();
    if scored.is_empty() {
        bail!("{name} prints no scores");
    }
    if scored.len() < samples.len() {
        error_line(format_args!("warning: {name} prints no score for {} positions", samples.len() - scored.len()));
    }
    let rounded = verdicts.iter().filter(|verdict| verdict.excess() != 0).count();
    if rounded > 0 {
        error_line(format_args!(
            "warning: {name} prints wdl that do not sum to 1000 for {rounded} positions; they are taken in proportion"
        ));
    }
    let mut entries = Vec::new();
    let observations = Observations::new(samples, verdicts);
    if !observations.samples.is_empty() && observations.samples.len() < scored.len() {
        error_line(format_args!(
            "warning: {name} prints no wdl for {} positions",
            scored.len() - observations.samples.len()
        ));
    }
    if observations.samples.is_empty() {
        if folds.is_none() {
            bail!("{name} prints no wdl, and a curve over its score is left out");
        }
        error_line(format_args!("warning: {name} prints no wdl, so only a curve over its score can be verified"));
    } else {
        let printed = &observations.samples;
        entries.push(entry(AS_PRINTED, printed, &observations.printed()));
        if let Some(verdicts) = for_players {
            let observations = Observations::new(samples, verdicts);
            entries.push(entry(FOR_PLAYERS, &observations.samples, &observations.printed()));
        }
        if folds.is_some() && game_count(printed).is_ok() {
            let all: Vec<_> = (0..COUNT).collect();
            let without = observations.clone().without_ratings();
            entries.push(entry("level profile, 5-fold", printed, &held_out(&without, &all, &[], seed)));
            if printed.iter().any(|sample| sample.board.advantage != 0) {
                let rates = held_out(&observations, &all, &[], seed);
                entries.push(entry("level profile with ratings, 5-fold", printed, &rates));
            }
        }
    }
    let Some(folds) = folds else { return Ok(entries) };
    let points: Vec<_> = scored
        .iter()
        .map(|&index| {
            let centipawns = verdicts[index].centipawns.unwrap_or_default().clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS);
            (f64::from(centipawns), samples[index].board.material, samples[index].outcome)
        })
        .collect();
    let folds: Vec<_> = scored.iter().map(|&index| folds[index]).collect();
    let refitted = cross_validate(
        &folds,
        |train| refit(&train.iter().map(|&index| points[index]).collect::<Vec<_>>()),
        |curve, index| curve.rates(points[index].0, f64::from(points[index].1) / TARGET),
    );
    let samples: Vec<_> = scored.iter().map(|&index| samples[index].clone()).collect();
    entries.push(entry("curve refitted, 5-fold", &samples, &refitted));
    Ok(entries)
}

/// The likeliest curve for evaluations, material and outcomes: `a` quadratic, `b` linear in material.
fn refit(points: &[(f64, u32, Outcome)]) -> Curve {
    let mut rows: BTreeMap<u32, Vec<Cell>> = BTreeMap::new();
    for &(x, material, outcome) in points {
        let counts = Outcome::ALL.map(|other| if other == outcome { 1.0 } else { 0.0 });
        rows.entry(material).or_default().push(Cell { x, counts });
    }
    let rows: Vec<_> = rows.into_iter().map(|(m, cells)| Row { u: f64::from(m) / TARGET, cells }).collect();
    let objective = Objective::Probability { floor: FLOOR };
    let fits = STARTS.iter().map(|&(a, b)| {
        let start = Curve { a: Polynomial(vec![0.0, 0.0, a]), b: Polynomial(vec![0.0, b]) };
        let curve = objective.fit(&rows, &start, 100.0);
        (objective.value(&rows, &curve), curve)
    });
    fits.min_by(|x, y| x.0.total_cmp(&y.0)).expect("there are starts").1
}
