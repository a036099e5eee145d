//! The command `halfpoint analyse`.

use super::games_file::read_file;
use super::journal::Journal;
use super::report_file::{self, ReportFileError};
use super::requests::{self, RequestsError};
use super::search_arguments::SearchArguments;
use super::summary;
use super::threads::{ThreadsError, search_all};
use clap::Args;
use halfpoint::analysis::{
    Analysis, AnalysisOptions, GameReport, InputError, PlayerOptions, Selection, Thresholds, annotated_pgn, html_page,
};
use halfpoint::games::STANDARD_INPUT;
use halfpoint::output::{error_line, one_line};
use halfpoint::printing::{NOMINAL, Profiles, TimeClass, UNCORRECTED, UnknownProfile};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What stands at the beginning of the files that this command writes.
const HTML_MARK: &str = "<meta name=\"generator\" content=\"Halfpoint";
const PGN_MARK: &str = "[Annotator \"Halfpoint";
const JSON_MARK: &str = "\"engine\":\"Halfpoint";

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

impl PlayerArguments {
    fn options(&self) -> PlayerOptions {
        let mut options = PlayerOptions::default();
        options.white_elo = self.white_elo;
        options.black_elo = self.black_elo;
        options.time_class = self.time_control;
        options.profile.clone_from(&self.profile);
        options.clocks = self.clocks;
        options
    }
}

/// The help of `--profile`, with the names.
fn profile_help() -> String {
    let profiles = Profiles::shipped();
    let names: Vec<_> = [NOMINAL, UNCORRECTED].into_iter().chain(profiles.names()).collect();
    format!("A profile by name, in place of ratings: {}", names.join(", "))
}

fn time_class(text: &str) -> Result<TimeClass, String> {
    text.parse().map_err(|()| "not classical, rapid, blitz or bullet".to_owned())
}

/// Why nothing came of the analysis.
#[derive(Debug, Error)]
pub enum AnalyseError {
    #[error("{0}")]
    Input(#[from] InputError),
    #[error("{0}")]
    Output(#[from] ReportFileError),
    #[error("{0}")]
    Search(#[from] ThreadsError),
    #[error("{0}")]
    Profile(#[from] UnknownProfile),
    #[error("'{}' exists; --html {} replaces it", .0.display(), .0.display())]
    Exists(PathBuf),
    #[error("{}: unfinished work cannot be kept: {reason}", path.display())]
    Journal { path: PathBuf, reason: io::Error },
    #[error("{0}")]
    Requests(#[from] RequestsError),
}

/// Runs the command. False if some of the games could not be read.
///
/// # Errors
///
/// [`AnalyseError`] if nothing can be read, searched or written.
pub fn run(arguments: &AnalyseArguments) -> Result<bool, AnalyseError> {
    let profiles = Profiles::shipped();
    let mut options = AnalysisOptions::default();
    options.players = arguments.players.options();
    options.players.check(&profiles)?;
    options.search = arguments.search.options();
    options.thresholds = arguments.thresholds;
    let threads = arguments.search.threads();
    SearchArguments::report_faults(&options.search);
    let Some(file) = arguments.file.as_deref().filter(|_| !arguments.json_lines) else {
        let result = requests::serve(&options, threads, &profiles);
        SearchArguments::report_faults(&options.search);
        return Ok(result?);
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
        path.as_deref().map_or(Ok(()), |path| report_file::check(path, mark, arguments.overwrite))
    };
    check(&html, HTML_MARK)?;
    check(&arguments.pgn, PGN_MARK)?;
    check(&arguments.json, JSON_MARK)?;

    let input = read_file(file, arguments.games.as_ref().unwrap_or(&Selection::default()), arguments.chess960)?;
    input.faults.iter().for_each(|fault| error_line(format_args!("error: {}", one_line(fault))));
    input.warnings.iter().for_each(|warning| error_line(format_args!("warning: {}", one_line(warning))));
    if input.sources.is_empty() {
        return Ok(false);
    }
    let path = outputs.iter().find_map(|path| unfinished(path));
    let failed = |reason| AnalyseError::Journal { path: path.clone().unwrap_or_default(), reason };
    let (mut journal, known) = match &path {
        Some(path) => Journal::open(path, &input.sources, &options.search).map_err(failed)?,
        None => (Journal::none(), Vec::new()),
    };
    let mut analysis = Analysis::new(input.sources, &options, known)?;
    let reports = reports(&mut analysis, &options, threads, &mut journal)?;
    journal.finish().map_err(failed)?;
    if let Some(path) = &html {
        report_file::write(path, &html_page(&reports, input.are_positions, &stem(file)))?;
    }
    if let Some(path) = &arguments.pgn {
        let games = analysis.sources().zip(&reports);
        report_file::write(path, &games.map(|(source, report)| annotated_pgn(source, report)).collect::<String>())?;
    }
    if let Some(path) = &arguments.json {
        report_file::write(path, &reports.iter().map(GameReport::to_json_line).collect::<String>())?;
    }
    if outputs.iter().all(|path| *path != Path::new("-")) {
        summary::print(&reports, &outputs);
    }
    Ok(input.faults.is_empty())
}

/// Searches the games, with a progress bar.
fn reports(
    analysis: &mut Analysis,
    options: &AnalysisOptions,
    threads: usize,
    journal: &mut Journal,
) -> Result<Vec<GameReport>, ThreadsError> {
    let progress = progress(analysis.positions() as u64);
    search_all(analysis, &options.search, threads, journal, &progress)?;
    progress.finish_and_clear();
    SearchArguments::report_faults(&options.search);
    analysis.reports().ok_or(ThreadsError::Lost)
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
