//! The command `halfpoint analyse`.

use super::assess::Assessor;
use super::driver::{DriverError, search_all};
use super::files::{self, OutputError};
use super::input::{self, Input, InputError, Selection};
use super::journal::Journal;
use super::measures::Thresholds;
use super::players::{PlayerOptions, Players};
use super::report::GameReport;
use super::search::SearchOptions;
use super::{html, json_lines, pgn};
use crate::games::STANDARD_INPUT;
use crate::output::{error_line, one_line};
use crate::printing::TimeClass;
use crate::printing::{NOMINAL, Profiles, UNCORRECTED, UnknownProfile};
use crate::tablebase::Tables;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use thiserror::Error;

/// What stands at the beginning of the files that this command writes.
const HTML_MARK: &str = "<meta name=\"generator\" content=\"Halfpoint";
const PGN_MARK: &str = "[Annotator \"Halfpoint";
const JSON_MARK: &str = "\"engine\":\"Halfpoint";

/// Most threads, and most best lines.
const MOST: i64 = 256;

/// Arguments of `halfpoint analyse`.
#[derive(Args)]
pub struct AnalyseArguments {
    /// Games in PGN, or positions in FEN or EPD, also .gz and .zst; - for standard input
    #[arg(required_unless_present = "json_lines")]
    file: Option<PathBuf>,
    #[command(flatten)]
    search: SearchArguments,
    #[command(flatten)]
    players: PlayerArguments,
    /// Accept any castling rights in games without a tag that says Chess960
    #[arg(long)]
    chess960: bool,
    /// Which games, by number: 1,4-6,10-
    #[arg(long, value_name = "LIST")]
    games: Option<Selection>,
    /// Expected points from which on a move is an inaccuracy, a mistake, a blunder
    #[arg(long, value_name = "A,B,C", default_value = "0.05,0.1,0.2")]
    thresholds: Thresholds,
    /// Write a report to look at; without any output, one named like the games in this folder
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write annotated games
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write a JSON object for each game, one a line
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Replace files though another program wrote them
    #[arg(long)]
    overwrite: bool,
    /// Answer requests on standard input, a JSON object a line
    #[arg(long, conflicts_with_all = ["file", "html", "pgn", "json", "games"])]
    json_lines: bool,
}

/// How each position is searched.
#[derive(Args)]
pub struct SearchArguments {
    /// Nodes for each position [default: 100000, if there is no other limit]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seconds for each position
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Depth for each position, in plies
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=245))]
    depth: Option<u64>,
    /// Positions searched side by side [default: all processors]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MOST as u64))]
    threads: Option<u64>,
    /// Transposition table of each thread, MiB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    hash: u64,
    /// Folders of Syzygy tables, separated as in PATH
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<OsString>,
    /// Best lines of each position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MOST as u64))]
    multipv: u64,
}

/// Whom W/D/L are for.
#[derive(Args)]
struct PlayerArguments {
    /// Rating of White, in place of the game's
    #[arg(long, value_name = "ELO", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    white_elo: Option<u32>,
    /// Rating of Black, in place of the game's
    #[arg(long, value_name = "ELO", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    black_elo: Option<u32>,
    /// classical, rapid, blitz or bullet, in place of the game's
    #[arg(long, value_name = "NAME", value_parser = time_class)]
    time_control: Option<TimeClass>,
    #[arg(long, value_name = "NAME", help = profile_help())]
    profile: Option<String>,
    /// In blitz and bullet games, W/D/L by the clocks of the game, too
    #[arg(long, conflicts_with = "json_lines")]
    clocks: bool,
}

/// The help of `--profile`, with the names.
fn profile_help() -> String {
    let profiles = Profiles::shipped();
    let names: Vec<_> = [NOMINAL, UNCORRECTED].into_iter().chain(profiles.names()).collect();
    format!("A profile by name, in place of ratings: {}", names.join(", "))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds >= 0.001);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "not a number of seconds from 0.001".to_owned())
}

fn time_class(text: &str) -> Result<TimeClass, String> {
    text.parse().map_err(|()| "not classical, rapid, blitz or bullet".to_owned())
}

impl SearchArguments {
    /// The options of the search.
    #[must_use]
    pub fn options(&self) -> SearchOptions {
        let is_limited = self.time.is_some() || self.depth.is_some();
        SearchOptions {
            nodes: self.nodes.or((!is_limited).then_some(SearchOptions::DEFAULT_NODES)),
            time: self.time,
            depth: self.depth.map(|depth| depth as usize),
            multi_pv: self.multipv as usize,
            hash_mib: self.hash as usize,
            tables: self.syzygy.as_deref().map(|folders| Arc::new(Tables::open(folders))),
        }
    }

    /// Reports what was found wrong with the tables.
    pub fn report_faults(options: &SearchOptions) {
        let faults = options.tables.as_deref().map(Tables::take_faults).unwrap_or_default();
        faults.iter().for_each(|fault| error_line(format_args!("{}", one_line(&fault.to_string()))));
    }

    /// Number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), |threads| threads as usize)
    }
}

/// Why nothing came of the analysis.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "fields of errors say what they are")]
pub enum AnalyseError {
    #[error("{0}")]
    Input(#[from] InputError),
    #[error("{0}")]
    Output(#[from] OutputError),
    #[error("{0}")]
    Search(#[from] DriverError),
    #[error("{0}")]
    Profile(#[from] UnknownProfile),
    #[error("'{}' exists; --html {} replaces it", .0.display(), .0.display())]
    Exists(PathBuf),
    #[error("{}: unfinished work cannot be kept: {reason}", path.display())]
    Journal { path: PathBuf, reason: io::Error },
    #[error("standard input: {0}")]
    Requests(io::Error),
}

/// Runs the command. False if some of the games could not be read.
///
/// # Errors
///
/// [`AnalyseError`] if nothing can be read, searched or written.
pub fn run(arguments: &AnalyseArguments) -> Result<bool, AnalyseError> {
    let profiles = Profiles::shipped();
    let players = PlayerOptions {
        white_elo: arguments.players.white_elo,
        black_elo: arguments.players.black_elo,
        time_class: arguments.players.time_control,
        profile: arguments.players.profile.clone(),
        clocks: arguments.players.clocks,
    };
    players.check(&profiles)?;
    let (options, threads) = (arguments.search.options(), arguments.search.threads());
    SearchArguments::report_faults(&options);
    let Some(file) = arguments.file.as_deref().filter(|_| !arguments.json_lines) else {
        let result = json_lines::serve(&options, threads, &players, &profiles);
        SearchArguments::report_faults(&options);
        return result;
    };
    let html = arguments.html.clone().or_else(|| {
        let is_named = arguments.pgn.is_some() || arguments.json.is_some();
        (!is_named).then(|| default_report(file))
    });
    if arguments.html.is_none() && !arguments.overwrite && html.as_ref().is_some_and(|path| path.exists()) {
        return Err(AnalyseError::Exists(html.unwrap_or_default()));
    }
    let outputs = [&html, &arguments.pgn, &arguments.json];
    let outputs: Vec<&Path> = outputs.into_iter().flatten().map(PathBuf::as_path).collect();
    let check = |path: &Option<PathBuf>, mark| {
        path.as_deref().map_or(Ok(()), |path| files::check(path, mark, arguments.overwrite))
    };
    check(&html, HTML_MARK)?;
    check(&arguments.pgn, PGN_MARK)?;
    check(&arguments.json, JSON_MARK)?;

    let input = input::read(file, arguments.games.as_ref().unwrap_or(&Selection::default()), arguments.chess960)?;
    input.faults.iter().for_each(|fault| error_line(format_args!("error: {}", one_line(fault))));
    input.warnings.iter().for_each(|warning| error_line(format_args!("warning: {}", one_line(warning))));
    if input.sources.is_empty() {
        return Ok(false);
    }
    let reports = reports(&input, &outputs, &options, threads, &players, &profiles, &arguments.thresholds)?;
    if let Some(path) = &html {
        files::write(path, &html::page(&reports, input.are_positions, &title(file)))?;
    }
    if let Some(path) = &arguments.pgn {
        let games = input.sources.iter().zip(&reports);
        files::write(path, &games.map(|(source, report)| pgn::annotated(source, report)).collect::<String>())?;
    }
    if let Some(path) = &arguments.json {
        files::write(path, &reports.iter().map(json_lines::to_line).collect::<String>())?;
    }
    if outputs.iter().all(|path| *path != Path::new("-")) {
        super::summary::print(&reports, &outputs);
    }
    Ok(input.faults.is_empty())
}

/// Searches the games, and takes up unfinished work.
fn reports(
    input: &Input,
    outputs: &[&Path],
    options: &SearchOptions,
    threads: usize,
    players: &PlayerOptions,
    profiles: &Profiles,
    thresholds: &Thresholds,
) -> Result<Vec<GameReport>, AnalyseError> {
    let path = outputs.iter().find_map(|path| unfinished(path));
    let failed = |reason| AnalyseError::Journal { path: path.clone().unwrap_or_default(), reason };
    let mut journal = match &path {
        Some(path) => Journal::open(path, &input.sources, options).map_err(failed)?,
        None => Journal::none(),
    };
    let positions: usize = input.sources.iter().map(super::source::Source::positions).sum();
    let progress = progress(positions as u64);
    let found = search_all(&input.sources, options, threads, &mut journal, &progress)?;
    progress.finish_and_clear();
    SearchArguments::report_faults(options);
    let assessor = Assessor { thresholds, limits: &options.describe() };
    let report = |(source, found): (&super::source::Source, &Vec<_>)| {
        assessor.report(source, &Players::of(&source.tags, players, profiles), found)
    };
    let reports = input.sources.iter().zip(&found).map(report).collect();
    journal.finish().map_err(failed)?;
    Ok(reports)
}

/// A bar over the positions, on standard error; not drawn where that is no terminal.
fn progress(positions: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} positions, {per_sec}, {eta} left");
    ProgressBar::new(positions).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Where unfinished work is kept: beside a file that is written. None beside standard output, pipes and devices.
fn unfinished(path: &Path) -> Option<PathBuf> {
    let file = match fs::metadata(path) {
        _ if path == Path::new("-") => None,
        Ok(metadata) if !metadata.is_file() => None,
        // A link, such as that of standard output, may stand where nothing can be written.
        Ok(_) => fs::canonicalize(path).ok(),
        Err(_) => Some(path.to_owned()),
    };
    let mut name = file?.into_os_string();
    name.push(".unfinished");
    Some(name.into())
}

/// The name of the games' file without its endings.
fn stem(file: &Path) -> String {
    if file == Path::new(STANDARD_INPUT) {
        return "games".to_owned();
    }
    let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}

fn default_report(file: &Path) -> PathBuf {
    format!("{}.html", stem(file)).into()
}

fn title(file: &Path) -> String {
    stem(file)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn unfinished_work_stands_beside_regular_files_alone() {
        let folder = tempfile::TempDir::new().unwrap();
        let [there, link] = ["a.json", "link"].map(|name| folder.path().canonicalize().unwrap().join(name));
        let beside = there.with_file_name("a.json.unfinished");
        assert_eq!(unfinished(&there), Some(beside.clone()));
        fs::write(&there, "").unwrap();
        std::os::unix::fs::symlink(&there, &link).unwrap();
        assert_eq!(unfinished(&link), Some(beside));
        for path in ["-", "/dev/null", "/dev/tty"] {
            assert_eq!(unfinished(Path::new(path)), None, "{path}");
        }
    }
}
