//! `halfpoint-lab profile`: level profiles for this engine, from games.

use super::engine::Specification;
use super::judge::{Search, Whose, judge};
use super::level::{Learned, Step, held_out, intervals, learn};
use super::observations::{self, Observations};
use super::sample::{Sample, SampleSource};
use super::scored::worst_bins;
use super::scoring::{WELL_FILLED, games, measures};
use super::{Error, Outcome};
use crate::files::{self, FileError};
use crate::output::{error_line, line};
use crate::stats::Measures;
use clap::Args;
use halfpoint::params::{self, NumberTable};
use halfpoint::printing::Nominal;
use halfpoint::printing::TimeClass;
use halfpoint::printing::profile::{COUNT, ProfileNumbers, is_of_mates, is_of_ratings};
use halfpoint::printing::{NOMINAL, Profiles, UNCORRECTED, is_name};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use toml_edit::{Array, DocumentMut, Item, Table, Value};

/// Decimals of what is written.
const DECIMALS: f64 = 1e4;

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
    /// Fit what is printed without a profile after as many nodes; the games must be the engine's own
    #[arg(long, conflicts_with_all = ["name", "bands"])]
    nominal: bool,
    /// A band of mean ratings, NAME=LOW-HIGH; may be repeated
    #[arg(long = "band", value_name = "BAND", conflicts_with = "name", default_values = BANDS)]
    bands: Vec<Band>,
    /// Fewest games for a profile
    #[arg(long, default_value_t = 100)]
    min_games: usize,
    /// The engine, as COMMAND[;Option=Value]...; this one if missing
    #[arg(long)]
    engine: Option<Specification>,
    /// Where the profiles go; others in that file stay as they are. engine-params/profiles.toml if missing, with
    /// `--nominal` engine-params/nominal.toml
    #[arg(short, long)]
    output: Option<PathBuf>,
}

impl Arguments {
    fn output(&self) -> &Path {
        let usual = if self.nominal { "engine-params/nominal.toml" } else { "engine-params/profiles.toml" };
        self.output.as_deref().unwrap_or(Path::new(usual))
    }

    /// The profile for all games, if there is to be but one.
    fn only_name(&self) -> Option<String> {
        if self.nominal { Some(self.search.nodes.to_string()) } else { self.name.clone() }
    }
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
struct Group {
    places: Vec<usize>,
    description: String,
    /// Time class of all games, if that is what makes the group.
    time_class: Option<TimeClass>,
    /// Sum of the mean ratings of the positions, if these are what makes the group.
    ratings: Option<f64>,
}

impl Group {
    /// Mean rating.
    fn elo(&self) -> Option<f64> {
        self.ratings.map(|sum| sum / self.places.len() as f64)
    }
}

/// Fits, prints and writes.
///
/// # Errors
///
/// [`Error`] if games or profiles cannot be read, the engine fails, no group has games enough, or the file cannot be
/// written.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let output = arguments.output();
    halfpoint::files::check(output).map_err(FileError::unwritable(output))?;
    let document = read(output, arguments.nominal)?;
    let samples = arguments.source.read()?;
    let groups = groups(arguments, &samples)?;
    let own = arguments.engine.clone().map_or_else(Specification::own, Ok)?.with("WDL_Profile", UNCORRECTED);
    // Against itself the engine does not miss a mate that it sees, and nobody is the better player.
    let is_of_others =
        |number: usize| is_of_mates(observations::name(number)) || is_of_ratings(observations::name(number));
    let allowed: Vec<_> = (0..COUNT).filter(|&number| !(arguments.nominal && is_of_others(number))).collect();
    // Other games have much in common with the engine's own, and searches with those of fewer nodes, which are cheaper, so that
    // more positions tell of them.
    let nodes = arguments.search.nodes;
    let (known, other) = if arguments.nominal {
        let nominal: Option<Nominal> = params::read("", &document.to_string()).ok();
        (nominal.and_then(|nominal| nominal.below(nodes).cloned()), "fewer nodes")
    } else {
        (Some(Nominal::shipped().at(nodes as f64)), NOMINAL)
    };
    let starts: Vec<_> = [ProfileNumbers::default()].into_iter().chain(known).collect();
    let places: Vec<_> = groups.values().flat_map(|group| group.places.iter().copied()).collect();
    let chosen: Vec<_> = places.iter().map(|&place| samples[place].clone()).collect();
    let (_, verdicts) = judge(&own, &chosen, &arguments.search, Whose::AsSet)?;
    let mut first = 0;
    let mut fitted = Vec::new();
    for (name, group) in &groups {
        let range = first..first + group.places.len();
        first = range.end;
        let observations = Observations::new(&chosen[range.clone()], &verdicts[range]);
        if observations.samples.is_empty() {
            return Err(Error::Data("the engine prints no wdl".to_owned()));
        }
        let progress = files::spinner("fitting");
        let learned = learn(&observations, &allowed, &starts, arguments.source.seed);
        let spread = intervals(&observations, &learned, arguments.source.seed);
        let rates = held_out(&observations, &allowed, &starts, arguments.source.seed);
        progress.finish_and_clear();
        let scores = [&observations.printed(), &rates].map(|rates| measures(rates, &observations.samples));
        report(name, group, &observations, &learned, &spread, &scores, other);
        let [uncorrected, profile] = &scores;
        let as_written = ProfileNumbers::from_values(learned.profile.values().map(rounded));
        let fault = if profile.log_loss >= uncorrected.log_loss {
            Some("is no better than none on games held out".to_owned())
        } else {
            as_written.check().err().map(|reason| format!("cannot be used, since {reason}"))
        };
        if let Some(fault) = fault {
            let stays = if find(&document, name).is_some() { "; the one that is there stays" } else { "" };
            error_line(format_args!("warning: {name} {fault}, so it is not written{stays}"));
            continue;
        }
        fitted.push((name, group, observations, learned, spread, scores));
    }
    if fitted.is_empty() {
        return Err(Error::Data(format!("no profile to write, so {} stays as it is", output.display())));
    }
    // Another process may have added profiles meanwhile.
    let _hold = halfpoint::files::hold(output);
    let mut document = read(output, arguments.nominal)?;
    for (name, group, observations, learned, spread, scores) in &fitted {
        // A comment in a file without profiles stands at its end, and belongs before the first.
        let comment = document.is_empty().then(|| document.trailing().as_str().unwrap_or_default().to_owned());
        let table =
            table_in(&mut document, name).ok_or_else(|| Error::content(output, format!("'{name}' is no table")))?;
        if let Some(comment) = &comment {
            table.decor_mut().set_prefix(comment);
        }
        write(table, group, observations, learned, spread, scores, arguments);
        if comment.is_some() {
            document.set_trailing("");
        }
    }
    files::write(output, document.to_string())?;
    line(format_args!("{} profiles written to {}", fitted.len(), output.display()));
    Ok(())
}

/// Groups with games enough, by name; the rest is reported on standard error.
fn groups(arguments: &Arguments, samples: &[Sample]) -> Result<BTreeMap<String, Group>, Error> {
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    let mut left_out = 0;
    for (place, sample) in samples.iter().enumerate() {
        if let Some(name) = arguments.only_name() {
            let group = groups.entry(name).or_default();
            group.places.push(place);
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
        group.places.push(place);
        group.time_class = Some(class);
        group.description = format!("{class} games, mean rating {} to {}", band.low, band.high);
        *group.ratings.get_or_insert(0.0) += sample.ratings.mean().unwrap_or_default();
    }
    if left_out > 0 {
        error_line(format_args!("warning: {left_out} positions are of games without ratings or outside of the bands"));
    }
    groups.retain(|name, group| {
        let chosen: Vec<_> = group.places.iter().map(|&place| samples[place].clone()).collect();
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
        return Err(Error::Data("too little data: no profile can be fitted".to_owned()));
    }
    Ok(groups)
}

/// What was found, on standard output. `other`: where the fit started if not from what the search prints.
fn report(
    name: &str,
    group: &Group,
    observations: &Observations,
    learned: &Learned,
    spread: &[(f64, f64)],
    scores: &[Measures; 2],
    other: &str,
) {
    let count = games(&observations.samples).count();
    let drawn = observations.samples.iter().filter(|sample| sample.outcome == Outcome::Draw).count();
    let share = drawn as f64 / observations.samples.len() as f64;
    line(format_args!("{name}: {} positions of {count} games, {share:.3} drawn", observations.samples.len()));
    if let Some(elo) = group.elo() {
        line(format_args!("  mean rating {elo:.0}"));
    }
    let start = if learned.start == ProfileNumbers::default() { UNCORRECTED } else { other };
    line(format_args!("  log loss on games held out, and what each number gains, from {start}:"));
    for Step { added, loss, gain, gain_error, accepted } in &learned.steps {
        let verdict = if *accepted { "" } else { "  not taken" };
        line(format_args!("    {loss:.4}  {gain:+.4} ± {gain_error:.4}  {added}{verdict}"));
    }
    let [uncorrected, profile] = scores;
    line(format_args!(
        "  with the numbers, too, chosen without the games held out: {:.4} ± {:.4}, uncorrected {:.4}",
        profile.log_loss, profile.log_loss_error, uncorrected.log_loss
    ));
    line(format_args!("  worst bin of {WELL_FILLED} positions or more, observed less predicted:"));
    line(format_args!("    {}", worst_bins(profile).trim_end()));
    for (number, (low, high)) in learned.free.iter().zip(spread) {
        line(format_args!(
            "    {:<20} {:8.4}  {low:.4} to {high:.4}",
            observations::name(*number),
            learned.profile.get(*number)
        ));
    }
}

/// The file of profiles, empty if there is none.
fn read(path: &Path, nominal: bool) -> Result<DocumentMut, Error> {
    let text = match halfpoint::files::read_text(path, params::MAX_FILE_BYTES) {
        Ok(text) => text,
        Err(reason) if reason.kind() == io::ErrorKind::NotFound => String::new(),
        Err(reason) => return Err(Error::unreadable(path)(reason)),
    };
    let document: DocumentMut = text.parse().map_err(|reason| Error::content(path, reason))?;
    let file = path.display().to_string();
    match nominal {
        _ if document.is_empty() => {}
        true => drop(params::read::<Nominal>(&file, &text)?),
        false => drop(params::read::<Profiles>(&file, &text)?),
    }
    Ok(document)
}

fn rounded(number: f64) -> f64 {
    (number * DECIMALS).round() / DECIMALS
}

fn list(numbers: &[f64]) -> Value {
    numbers.iter().map(|number| rounded(*number)).collect::<Array>().into()
}

/// Sets a value; comments around it stay.
fn set(table: &mut Table, key: &str, new: impl Into<Value>) {
    let mut new = new.into();
    if let Some(old) = table.get(key).and_then(Item::as_value) {
        *new.decor_mut() = old.decor().clone();
    }
    table[key] = Item::Value(new);
}

/// The key of this name in any case, as names of profiles are told apart.
fn find(parent: &Table, name: &str) -> Option<String> {
    parent.iter().map(|(key, _)| key).find(|key| key.eq_ignore_ascii_case(name)).map(str::to_owned)
}

/// The table of this name, made if it is missing.
fn table_in<'a>(parent: &'a mut Table, name: &str) -> Option<&'a mut Table> {
    let key = find(parent, name).unwrap_or_else(|| name.to_owned());
    parent.entry(&key).or_insert_with(|| Item::Table(Table::new())).as_table_mut()
}

/// Writes a profile into its table.
fn write(
    table: &mut Table,
    group: &Group,
    observations: &Observations,
    learned: &Learned,
    spread: &[(f64, f64)],
    scores: &[Measures; 2],
    arguments: &Arguments,
) {
    if !group.description.is_empty() {
        set(table, "description", group.description.as_str());
    }
    // What a profile of a given name is for is its user's to say.
    if let Some(elo) = group.elo() {
        set(table, "elo", elo.round());
    }
    if let Some(class) = group.time_class {
        set(table, "time_control", class.name());
    }
    for (index, number) in ProfileNumbers::NUMBERS.iter().enumerate() {
        let found = learned.profile.get(index);
        if learned.free.contains(&index) || found != number.default {
            set(table, number.name, rounded(found));
        } else {
            table.remove(number.name);
        }
    }
    // Numbers that are new stand where a reader looks for them; comments go with their keys.
    table.sort_values_by(|a, _, b, _| ProfileNumbers::index(a.get()).cmp(&ProfileNumbers::index(b.get())));
    let [uncorrected, profile] = scores;
    table.remove("fit");
    if let Some(fit) = table_in(table, "fit") {
        set(fit, "positions", observations.samples.len() as i64);
        set(fit, "games", games(&observations.samples).count() as i64);
        set(fit, "nodes", arguments.search.nodes as i64);
        set(fit, "seed", arguments.source.seed as i64);
        set(fit, "log_loss_uncorrected", rounded(uncorrected.log_loss));
        set(fit, "log_loss", rounded(profile.log_loss));
        set(fit, "log_loss_error", rounded(profile.log_loss_error));
        for (number, (low, high)) in learned.free.iter().zip(spread) {
            set(fit, &format!("{}_interval", observations::name(*number)), list(&[*low, *high]));
        }
    }
}
