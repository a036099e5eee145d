//! The command `halfpoint analyse`.

use super::games_file::read_file;
use super::journal::{Journal, JournalError};
use super::report_file::{ReportFile, ReportFileError, check_apart};
use super::requests::{self, RequestsError};
use super::search_arguments::SearchArguments;
use super::summary;
use super::threads::{ThreadsError, search_all};
use clap::Args;
use halfpoint::analysis::{
    Analysis, AnalysisOptions, GameReport, InputError, PlayerOptions, Selection, Source, Thresholds, annotated_pgn,
    html_page, is_annotated,
};
use halfpoint::files;
use halfpoint::games::STANDARD_INPUT;
use halfpoint::human::RATINGS;
use halfpoint::output::{error_line, one_line};
use halfpoint::printing::{MAX_RATING, NOMINAL, Profiles, Ratings, TimeClass, UNCORRECTED, UnknownProfile};
use halfpoint::progress;
use std::fs;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What stands at the beginning of the files that this command writes.
const HTML_MARK: &str = "<meta name=\"generator\" content=\"Halfpoint";
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
    /// Which games by number, or positions by line: 1,4-6,10-
    #[arg(long, value_name = "LIST")]
    games: Option<Selection>,
    /// Expected points from which on a move is an inaccuracy, a mistake, a blunder
    #[arg(long, value_name = "A,B,C", default_value_t, conflicts_with = "json_lines")]
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
    /// Tell of each position what people of the player's rating do there, and not of bad moves alone
    #[arg(long, conflicts_with = "json_lines")]
    people: bool,
    /// Replace files though another program wrote them
    #[arg(long, conflicts_with = "json_lines")]
    overwrite: bool,
    /// Answer requests on standard input, a JSON object a line
    #[arg(long, conflicts_with_all = ["file", "html", "pgn", "json", "games"])]
    json_lines: bool,
}

/// Whom W/D/L are for.
#[derive(Args)]
struct PlayerArguments {
    /// Rating of White, in place of the game's
    #[arg(long, value_name = "ELO", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_RATING)))]
    white_elo: Option<u32>,
    /// Rating of Black, in place of the game's
    #[arg(long, value_name = "ELO", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_RATING)))]
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
    TimeClass::timed(text).map_err(|_| "not classical, rapid, blitz or bullet".to_owned())
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
    #[error("{0}")]
    Journal(#[from] JournalError),
    #[error("{error}; the searches are kept in '{}', the same command goes on with them", journal.display())]
    Unwritten { error: ReportFileError, journal: PathBuf },
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
    options.people = arguments.people;
    options.chess960 = arguments.chess960;
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
    let outputs = Outputs::check(arguments, html, file)?;
    let input = read_file(file, arguments.games.as_ref().unwrap_or(&Selection::default()), arguments.chess960)?;
    input.faults.iter().for_each(|fault| error_line(format_args!("error: {}", one_line(fault))));
    input.warnings.iter().for_each(|warning| error_line(format_args!("warning: {}", one_line(warning))));
    if input.sources.is_empty() {
        return Ok(false);
    }
    let given = [options.players.white_elo, options.players.black_elo];
    let rated = |source: &Source| {
        let Ratings { white, black } = source.tags.ratings();
        [given[0].or(white), given[1].or(black)].into_iter().flatten().any(|elo| RATINGS.contains(&elo))
    };
    if options.people && !input.sources.iter().any(rated) {
        error_line(format_args!(
            "warning: no game has ratings from {} to {}, so --people tells nothing; --white-elo and --black-elo give them",
            RATINGS.start(),
            RATINGS.end()
        ));
    }
    let (mut journal, known) = match &outputs.journal {
        Some(path) => Journal::open(path, &input.sources, &options)?,
        None => (Journal::none(), Vec::new()),
    };
    let mut analysis = Analysis::new(input.sources, &options, known)?;
    journal.tell(&analysis);
    let reports = reports(&mut analysis, &options, threads, &mut journal)?;
    let page = |reports: &[GameReport]| html_page(reports, input.are_positions, &stem(file));
    outputs.write(&analysis, &reports, page).map_err(|error| match &outputs.journal {
        Some(journal) => AnalyseError::Unwritten { error, journal: journal.clone() },
        None => error.into(),
    })?;
    // Only now nothing is lost with it.
    journal.finish()?;
    if !outputs.all().any(ReportFile::is_output) {
        summary::print(&reports, input.are_positions, outputs.all().map(|file| file.path.as_path()));
    }
    Ok(input.faults.is_empty())
}

/// Where the reports go.
struct Outputs {
    html: Option<ReportFile>,
    pgn: Option<ReportFile>,
    json: Option<ReportFile>,
    /// Where unfinished work is kept, if it is.
    journal: Option<PathBuf>,
}

impl Outputs {
    /// Makes sure that all can be written without loss. `html` is where the page goes, if there is to be one.
    fn check(arguments: &AnalyseArguments, html: Option<PathBuf>, input: &Path) -> Result<Outputs, AnalyseError> {
        let paths = [&html, &arguments.pgn, &arguments.json].into_iter().flatten();
        let journal = paths.clone().find_map(|path| unfinished(path));
        check_apart(&paths.chain(&journal).map(PathBuf::as_path).collect::<Vec<_>>(), input)?;
        // A page that unfinished work is for was made by it.
        let is_begun = journal.as_ref().is_some_and(|path| path.exists());
        if arguments.html.is_none() && !arguments.overwrite && !is_begun {
            html.as_ref()
                .filter(|path| path.exists())
                .map_or(Ok(()), |path| Err(AnalyseError::Exists(path.clone())))?;
        }
        let check = |path: Option<&Path>, is_own: fn(&str) -> bool| {
            path.map(|path| ReportFile::check(path, is_own, arguments.overwrite)).transpose()
        };
        Ok(Outputs {
            html: check(html.as_deref(), |head| head.contains(HTML_MARK))?,
            pgn: check(arguments.pgn.as_deref(), is_annotated)?,
            json: check(arguments.json.as_deref(), |head| head.contains(JSON_MARK))?,
            journal,
        })
    }

    /// Those that there are to be.
    fn all(&self) -> impl Iterator<Item = &ReportFile> {
        [&self.html, &self.pgn, &self.json].into_iter().flatten()
    }

    /// Writes all reports, each in its form.
    fn write(
        &self,
        analysis: &Analysis,
        reports: &[GameReport],
        page: impl Fn(&[GameReport]) -> String,
    ) -> Result<(), ReportFileError> {
        if let Some(file) = &self.html {
            file.write(&page(reports))?;
        }
        if let Some(file) = &self.pgn {
            let games = analysis.sources().zip(reports);
            file.write(&games.map(|(source, report)| annotated_pgn(source, report)).collect::<String>())?;
        }
        if let Some(file) = &self.json {
            file.write(&reports.iter().map(GameReport::to_json_line).collect::<String>())?;
        }
        Ok(())
    }
}

/// Searches the games, with a progress bar.
fn reports(
    analysis: &mut Analysis,
    options: &AnalysisOptions,
    threads: usize,
    journal: &mut Journal,
) -> Result<Vec<GameReport>, ThreadsError> {
    let template = "{wide_bar} {pos}/{len} positions, {per_sec}, {eta} left";
    let progress = progress::bar(analysis.positions() as u64, template, "positions");
    search_all(analysis, &options.search, threads, journal, &progress)?;
    progress.finish_and_clear();
    SearchArguments::report_faults(&options.search);
    analysis.reports().ok_or(ThreadsError::Lost)
}

/// Where unfinished work is kept: beside a file that is written. None beside standard output, pipes and devices.
fn unfinished(path: &Path) -> Option<PathBuf> {
    let is_kept = path != Path::new("-") && fs::metadata(path).map_or(true, |metadata| metadata.is_file());
    // A link, such as that of standard output, may stand where nothing can be written.
    let mut name = files::target(path).ok().filter(|_| is_kept)?.into_os_string();
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
        assert_eq!(unfinished(&link), Some(beside.clone()));
        fs::remove_file(&there).unwrap();
        assert_eq!(unfinished(&link), Some(beside));
        for path in ["-", "/dev/null", "/dev/tty"] {
            assert_eq!(unfinished(Path::new(path)), None, "{path}");
        }
    }
}
