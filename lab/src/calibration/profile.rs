//! `halfpoint-lab profile`: level profiles for this engine, from games.

use super::engine::Specification;
use super::judge::{Search, WdlOptions, judge};
use super::learn::{Learned, Step, held_out, intervals, learn};
use super::observations::{self, Observations};
use super::profiles_file;
use super::sample::{Sample, SampleSource};
use super::scored::worst_bins;
use super::scoring::{WELL_FILLED, games, measures};
use crate::outcome::Outcome;
use crate::progress;
use crate::reading::invalid;
use crate::stats::{MANY_GAMES, Measures};
use crate::writing::{self, cannot_write};
use anyhow::{Context, Result, bail};
use clap::Args;
use halfpoint::output::{error_line, line};
use halfpoint::params::NumberTable;
use halfpoint::printing::profile::{COUNT, ProfileNumbers};
use halfpoint::printing::{NOMINAL, Nominal, Profiles, TimeClass, UNCORRECTED, is_name};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;

/// The bands of ratings, unless others are asked for.
const BANDS: [&str; 7] = [
    "beginner=100-899",
    "novice=900-1199",
    "club=1200-1599",
    "advanced=1600-1999",
    "expert=2000-2199",
    "master=2200-2499",
    "grandmaster=2500-3000",
];

/// A range of mean ratings with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    name: String,
    low: u32,
    high: u32,
}

impl FromStr for Band {
    type Err = String;

    /// Reads `NAME=LOW-HIGH`.
    fn from_str(text: &str) -> Result<Band, String> {
        let read = || {
            let (name, range) = text.split_once('=')?;
            let (low, high) = range.split_once('-')?;
            let (low, high) = (low.parse().ok()?, high.parse().ok()?);
            (is_name(name) && low <= high).then(|| Band { name: name.to_owned(), low, high })
        };
        read().ok_or_else(|| format!("'{text}' is not NAME=LOW-HIGH, as in master=2200-2499"))
    }
}

/// What to fit, to what.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    source: SampleSource,
    #[command(flatten)]
    search: Search,
    /// Fit one profile of this name to all games; else one for each band of ratings and time control
    #[arg(long, value_parser = name)]
    name: Option<String>,
    /// A band of mean ratings, NAME=LOW-HIGH; may be repeated
    #[arg(long = "band", value_name = "BAND", conflicts_with = "name", default_values = BANDS)]
    bands: Vec<Band>,
    /// Fewest games for a profile
    #[arg(long, default_value_t = 100)]
    min_games: usize,
    /// The engine, as COMMAND[;Option=Value]...; this one if missing
    #[arg(long)]
    engine: Option<Specification>,
    /// Where the profiles go; others in that file stay as they are
    #[arg(short, long, default_value = "engine-params/profiles.toml")]
    output: PathBuf,
}

/// Refuses bands that share a name or ratings.
fn check_bands(bands: &[Band]) -> Result<()> {
    for (index, band) in bands.iter().enumerate() {
        for other in &bands[..index] {
            if other.name == band.name {
                bail!("two bands have the name '{}'", band.name);
            }
            if other.low <= band.high && band.low <= other.high {
                bail!("the bands '{}' and '{}' overlap", other.name, band.name);
            }
        }
    }
    Ok(())
}

fn name(text: &str) -> Result<String, String> {
    if is_name(text) {
        Ok(text.to_owned())
    } else {
        Err("letters, digits, '-' and '_' only, and not 'nominal', 'uncorrected' or 'file'".to_owned())
    }
}

/// Positions of one level and time control.
#[derive(Debug, Default)]
pub struct Group {
    indices: Vec<usize>,
    pub description: String,
    /// Time class of all games, if that is what makes the group.
    pub time_class: Option<TimeClass>,
    /// Sum of the mean ratings of the positions, if these are what makes the group.
    ratings: Option<f64>,
}

impl Group {
    /// Mean rating.
    pub fn elo(&self) -> Option<f64> {
        self.ratings.map(|sum| sum / self.indices.len() as f64)
    }
}

/// A profile with what it was fitted to and how good it is.
pub struct Fitted<'a> {
    pub name: &'a str,
    pub group: &'a Group,
    pub observations: Observations,
    pub learned: Learned,
    /// 95 % intervals of the fitted numbers.
    pub intervals: Vec<(f64, f64)>,
    /// Scores of what the search prints.
    pub uncorrected: Measures,
    /// Scores of profiles on the games that each was not fitted to.
    pub profile: Measures,
}

/// Fits, prints and writes.
pub fn run(arguments: &Arguments) -> Result<()> {
    let output = arguments.output.as_path();
    check_bands(&arguments.bands)?;
    arguments.source.check_apart(&[output])?;
    halfpoint::files::check(output).with_context(|| cannot_write(output))?;
    let document = profiles_file::read::<Profiles>(output)?;
    let samples = arguments.source.read()?;
    let groups = groups(arguments, &samples)?;
    let own = arguments.engine.clone().map_or_else(Specification::own, Ok)?.with("WDL_Profile", UNCORRECTED);
    let allowed: Vec<_> = (0..COUNT).collect();
    // Other games have much in common with the engine's own.
    let (nodes, seed) = (arguments.search.nodes, arguments.source.options.seed);
    let starts = vec![ProfileNumbers::default(), Nominal::shipped().at(nodes as f64)];
    let indices = groups.values().flat_map(|group| &group.indices);
    let chosen: Vec<_> = indices.map(|&index| samples[index].clone()).collect();
    let (_, verdicts) = judge(&own, &chosen, &arguments.search, WdlOptions::AsGiven)?;
    let mut first = 0;
    let mut all = Vec::new();
    for (name, group) in &groups {
        let range = first..first + group.indices.len();
        first = range.end;
        let observations = Observations::new(&chosen[range.clone()], &verdicts[range]);
        if observations.samples.is_empty() {
            bail!("the engine prints no wdl");
        }
        let progress = progress::spinner("fitting");
        let learned = learn(&observations, &allowed, &starts, seed);
        let intervals = intervals(&observations, &learned, seed);
        let rates = held_out(&observations, &allowed, &starts, seed);
        progress.finish_and_clear();
        let [uncorrected, profile] =
            [&observations.printed(), &rates].map(|rates| measures(rates, &observations.samples));
        let fitted = Fitted { name, group, observations, learned, intervals, uncorrected, profile };
        fitted.print();
        if let Some(fault) = fitted.fault() {
            let stays =
                if profiles_file::find(&document, name).is_some() { "; the one that is there stays" } else { "" };
            error_line(format_args!("warning: {name} {fault}, so it is not written{stays}"));
        } else {
            all.push(fitted);
        }
    }
    if all.is_empty() {
        bail!("no profile to write, so {} stays as it is", output.display());
    }
    // Another process may have added profiles meanwhile.
    let _lock = halfpoint::files::hold(output);
    let mut document = profiles_file::read::<Profiles>(output)?;
    for fitted in &all {
        let is_table = profiles_file::write(&mut document, fitted, nodes, seed);
        is_table.ok_or_else(|| invalid(output, format!("'{}' is no table", fitted.name)))?;
    }
    writing::write(output, document.to_string())?;
    line(format_args!("{} profiles written to {}", all.len(), output.display()));
    Ok(())
}

/// Groups with games enough, by name; the rest is reported on standard error.
fn groups(arguments: &Arguments, samples: &[Sample]) -> Result<BTreeMap<String, Group>> {
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    let mut left_out = 0;
    for (index, sample) in samples.iter().enumerate() {
        if let Some(name) = arguments.name.clone() {
            let group = groups.entry(name).or_default();
            group.indices.push(index);
            continue;
        }
        let in_band = |band: &&Band| {
            sample.ratings.mean().is_some_and(|r| f64::from(band.low) <= r && r < f64::from(band.high) + 1.0)
        };
        let Some(band) = arguments.bands.iter().find(in_band) else {
            left_out += 1;
            continue;
        };
        // Collections of games over the board name the time class where it is not the usual one.
        let class = sample.time_class.unwrap_or(TimeClass::Classical);
        let name = if class == TimeClass::Classical { band.name.clone() } else { format!("{}-{class}", band.name) };
        let group = groups.entry(name).or_default();
        group.indices.push(index);
        group.time_class = Some(class);
        group.description = format!("{class} games, mean rating {} to {}", band.low, band.high);
        *group.ratings.get_or_insert(0.0) += sample.ratings.mean().unwrap_or_default();
    }
    if left_out > 0 {
        error_line(format_args!("warning: {left_out} positions are of games without ratings or outside of the bands"));
    }
    groups.retain(|name, group| {
        let chosen: Vec<_> = group.indices.iter().map(|&index| samples[index].clone()).collect();
        let games = games(&chosen).count();
        if games < arguments.min_games {
            error_line(format_args!(
                "warning: too little data for {name}: {games} games, {} are needed",
                arguments.min_games
            ));
        }
        games >= arguments.min_games
    });
    if groups.is_empty() {
        bail!("too little data: no profile can be fitted");
    }
    Ok(groups)
}

impl Fitted<'_> {
    /// What keeps the profile from being written, if anything.
    fn fault(&self) -> Option<String> {
        if self.profile.log_loss >= self.uncorrected.log_loss {
            return Some("is no better than none on games held out".to_owned());
        }
        let as_written = ProfileNumbers::from_values(self.learned.profile.values().map(profiles_file::rounded));
        as_written.check().err().map(|reason| format!("cannot be used, since {reason}"))
    }

    /// Prints what was found.
    fn print(&self) {
        let Fitted { name, learned, uncorrected, profile, .. } = self;
        let samples = &self.observations.samples;
        let drawn = samples.iter().filter(|sample| sample.outcome == Outcome::Draw).count() as f64;
        let (positions, games) = (samples.len(), games(samples).count());
        line(format_args!("{name}: {positions} positions of {games} games, {:.3} drawn", drawn / positions as f64));
        if let Some(elo) = self.group.elo() {
            line(format_args!("  mean rating {elo:.0}"));
        }
        let start = if learned.start == ProfileNumbers::default() { UNCORRECTED } else { NOMINAL };
        line(format_args!("  log loss on games held out, and what each number gains, from {start}:"));
        for Step { added, loss, gain, gain_error, accepted } in &learned.steps {
            let verdict = if *accepted { "" } else { "  not taken" };
            line(format_args!("    {loss:.4}  {gain:+.4} ± {gain_error:.4}  {added}{verdict}"));
        }
        line(format_args!(
            "  with the numbers, too, chosen without the games held out: {:.4} ± {:.4}, uncorrected {:.4}",
            profile.log_loss, profile.log_loss_error, uncorrected.log_loss
        ));
        line(format_args!(
            "  worst bin of {WELL_FILLED} positions and {MANY_GAMES} games or more, observed less predicted:"
        ));
        line(format_args!("    {}", worst_bins(profile).trim_end()));
        for (number, (low, high)) in learned.free.iter().zip(&self.intervals) {
            let (name, value) = (observations::name(*number), learned.profile.get(*number));
            line(format_args!("    {name:<20} {value:8.4}  {low:.4} to {high:.4}"));
        }
    }
}
