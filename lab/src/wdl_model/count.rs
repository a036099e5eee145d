//! `halfpoint-lab count`: how games end, by move number, material and evaluation.
//!
//! Which positions are counted, and under which key, is as in the `scoreWDLstat` of Stockfish's WDL model: those with an
//! evaluation in the comment of the move played, up to move 200, in games played to a result. Which games count is decided
//! by the rules of [`halfpoint::games`], as in all commands: where the tag has no result, the one behind the moves counts, and
//! terminations are known in the words of any site. `scoreWDLstat` knows the tag and the words of match runners alone; on
//! their files the counts are the same. Its filters look at the
//! metadata that fishtest keeps beside its games; where there is none, those by time control and Elo look at the tags.

use super::counts::{self, Counts, Key};
use super::metadata::{self, Metadata};
use crate::MAX_THREADS;
use crate::dataset::{self, Game};
use crate::outcome::Outcome;
use crate::progress;
use crate::reading::{self, Content, Opened, cannot_read, invalid};
use crate::writing;
use anyhow::{Context, Result, bail};
use clap::Args;
use halfpoint::games::{CommentEval, Exclusion, GameRecord, LineTexts, ReadOptions};
use halfpoint::output::line;
use halfpoint::printing::material;
use rayon::ThreadPoolBuilder;
use regex::Regex;
use shakmaty::{Board, Color, Position};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Most bytes of the different positions of a book, which are kept in memory.
const MAX_BOOK_BYTES: usize = 1 << 30;

/// Where games are if no file or folder is named.
const DEFAULT_FOLDER: &str = "pgns";

/// Last full move that is counted.
const LAST_MOVE: u32 = 200;
/// Centipawns at which evaluations are cut; mates count one more.
const MAX_EVALUATION: i32 = 1000;

/// What to count, and where.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Games with evaluations in comments such as {+0.57/17 0.5s}: .pgn, .pgn.gz, .pgn.zst, or folders of such files; or games of
    /// `datagen`; the folder pgns if missing
    paths: Vec<PathBuf>,
    /// One more file
    #[arg(long)]
    file: Option<PathBuf>,
    /// One more folder
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Look into folders within folders
    #[arg(short, long)]
    recursive: bool,
    /// Where the counts go
    #[arg(short, long, default_value = counts::DEFAULT)]
    output: PathBuf,
    /// Replace a file in its place that this command did not write
    #[arg(long)]
    overwrite: bool,
    /// Centipawns that are counted as one, rounded to the nearest multiple
    #[arg(long, alias = "binWidth", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    bin_width: u16,
    /// Files read at the same time; as many as there are processors if missing
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS))]
    concurrency: Option<u16>,
    /// Count only the moves of engines whose whole name matches
    #[arg(long, alias = "matchEngine", value_name = "REGEX", value_parser = whole)]
    match_engine: Option<Regex>,
    /// Count only games of this time control
    #[arg(long, alias = "matchTC", value_name = "REGEX", value_parser = whole)]
    match_tc: Option<Regex>,
    /// Count only tests with this book. This, revision, threads and SPRT are known from fishtest's ID.json beside ID.pgn
    #[arg(long, alias = "matchBook", value_name = "REGEX", value_parser = whole)]
    match_book: Option<Regex>,
    /// Count only tests with any other book
    #[arg(long, alias = "matchBookInvert", requires = "match_book")]
    match_book_invert: bool,
    /// Count only tests of these revisions; stands for --match-engine, too, if that is missing
    #[arg(long, alias = "matchRev", value_name = "REGEX", value_parser = whole)]
    match_rev: Option<Regex>,
    /// Count only tests with this number of threads
    #[arg(long, alias = "matchThreads")]
    match_threads: Option<u32>,
    /// Largest Elo difference: normalised Elo of the test, or White's rating less Black's
    #[arg(long, alias = "EloDiffMax", allow_negative_numbers = true)]
    elo_diff_max: Option<f64>,
    /// Smallest Elo difference; minus the largest if missing
    #[arg(long, alias = "EloDiffMin", allow_negative_numbers = true)]
    elo_diff_min: Option<f64>,
    /// Count only sequential tests
    #[arg(long, alias = "SPRTonly")]
    sprt_only: bool,
    /// Take a test that lies in several folders as several tests
    #[arg(long, alias = "allowDuplicates")]
    allow_duplicates: bool,
    /// A book (FEN lines) that knows the move counters which the games' FENs have lost
    #[arg(long, alias = "fixFENsource", value_name = "FILE")]
    fix_fen_source: Option<PathBuf>,
}

/// A regular expression for the whole of a text.
fn whole(text: &str) -> Result<Regex, regex::Error> {
    Regex::new(&format!("^(?:{text})$"))
}

/// Which games of a file pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passing {
    None,
    All,
    /// Those whose tags pass.
    ByTags,
}

impl Arguments {
    fn elo_range(&self) -> Option<(f64, f64)> {
        let max = self.elo_diff_max;
        let min = self.elo_diff_min.or_else(|| max.map(|max| -max))?;
        Some((min, max.unwrap_or(f64::INFINITY)))
    }

    /// The files and folders to look into.
    fn inputs(&self) -> Vec<PathBuf> {
        let named: Vec<_> = self.paths.iter().chain(&self.file).chain(&self.dir).cloned().collect();
        if named.is_empty() { vec![DEFAULT_FOLDER.into()] } else { named }
    }

    /// Whether a filter looks at what the games of `datagen` do not tell.
    fn needs_tags(&self) -> bool {
        self.needs_metadata() || self.match_engine.is_some() || self.match_tc.is_some() || self.elo_range().is_some()
    }

    /// Whether a filter looks at what tags do not tell.
    fn needs_metadata(&self) -> bool {
        self.sprt_only || self.match_book.is_some() || self.match_rev.is_some() || self.match_threads.is_some()
    }

    /// Which games of a test pass, by what is known about it.
    fn passing(&self, metadata: Option<&Metadata>) -> Passing {
        let Some(Metadata { args, .. }) = metadata else {
            return if self.needs_metadata() { Passing::None } else { Passing::ByTags };
        };
        let matches = |regex: &Regex, text: &Option<String>| text.as_ref().is_some_and(|text| regex.is_match(text));
        let book = self
            .match_book
            .as_ref()
            .is_none_or(|regex| args.book.is_some() && matches(regex, &args.book) != self.match_book_invert);
        let revision = self
            .match_rev
            .as_ref()
            .is_none_or(|regex| matches(regex, &args.resolved_base) || matches(regex, &args.resolved_new));
        let time = self.match_tc.as_ref().is_none_or(|regex| args.tc == args.new_tc && matches(regex, &args.tc));
        let threads = self.match_threads.is_none_or(|threads| args.threads == Some(threads));
        let elo = self.elo_range().is_none_or(|(min, max)| {
            metadata.and_then(Metadata::normalized_elo).is_some_and(|elo| min <= elo && elo <= max)
        });
        let sequential = !self.sprt_only || args.sprt.is_some();
        if book && revision && time && threads && elo && sequential { Passing::All } else { Passing::None }
    }

    fn passes_by_tags(&self, game: &GameRecord) -> bool {
        let time = self
            .match_tc
            .as_ref()
            .is_none_or(|regex| game.tags.get("TimeControl").is_some_and(|text| regex.is_match(text)));
        let elo = self.elo_range().is_none_or(|(min, max)| match (game.tags.white_elo(), game.tags.black_elo()) {
            (Some(white), Some(black)) => (min..=max).contains(&(f64::from(white) - f64::from(black))),
            _ => false,
        });
        time && elo
    }

    /// The colours whose moves are counted: one of them if only its name matches.
    fn colors(&self, game: &GameRecord) -> &'static [Color] {
        let Some(regex) = self.match_engine.as_ref().or(self.match_rev.as_ref()) else { return &Color::ALL };
        let [white, black] = ["White", "Black"].map(|name| game.tags.get(name).unwrap_or_default());
        if white.is_empty() || black.is_empty() {
            return &[];
        }
        match (regex.is_match(white), regex.is_match(black)) {
            (true, true) => &Color::ALL,
            (true, false) => &[Color::White],
            (false, true) => &[Color::Black],
            (false, false) => &[],
        }
    }
}

/// What was found in the games.
#[derive(Debug, Default)]
struct Found {
    counts: Counts,
    /// Games that the filters keep out.
    filtered: usize,
    /// Games without a single evaluation.
    silent: usize,
    counted: usize,
}

impl Found {
    fn merge(&mut self, other: Found) {
        self.counts.merge(other.counts);
        self.filtered += other.filtered;
        self.silent += other.silent;
        self.counted += other.counted;
    }

    fn add(&mut self, arguments: &Arguments, passing: Passing, game: &GameRecord) {
        let Some(outcome) = game.counted_outcome().map(Outcome::from) else { return };
        let passes = match passing {
            Passing::None => false,
            Passing::All => true,
            Passing::ByTags => arguments.passes_by_tags(game),
        };
        let colors = arguments.colors(game);
        if !passes || colors.is_empty() {
            self.filtered += 1;
            return;
        }
        if game.moves.iter().all(|played| played.remarks.evaluation.is_none()) {
            self.silent += 1;
            return;
        }
        self.counted += 1;
        let mut position = game.start.clone();
        for played in &game.moves {
            let turn = position.turn();
            if let Some(evaluation) = played.remarks.evaluation.filter(|_| colors.contains(&turn)) {
                let fullmove = position.fullmoves().get();
                self.add_position(
                    outcome.of(turn),
                    fullmove,
                    position.board(),
                    binned(evaluation, arguments.bin_width),
                );
            }
            position.play_unchecked(played.m);
        }
    }

    /// Adds a game of `datagen`, which has no tags.
    fn add_own(&mut self, arguments: &Arguments, game: &Game) {
        if arguments.needs_tags() {
            self.filtered += 1;
            return;
        }
        self.counted += 1;
        let outcome = Outcome::from(game.outcome);
        for (position, ply) in game.positions() {
            let turn = position.turn();
            let own = ply.eval.for_color(turn);
            let evaluation = if ply.eval.is_exact() {
                binned(CommentEval::Mate { wins: own > 0, distance: 0 }, arguments.bin_width)
            } else {
                binned_centipawns(own, arguments.bin_width)
            };
            let chess = position.to_chess();
            self.add_position(outcome.of(turn), position.fullmoves(), chess.board(), evaluation);
        }
    }

    fn add_position(&mut self, outcome: Outcome, fullmove: u32, board: &Board, evaluation: i32) {
        if fullmove <= LAST_MOVE {
            self.counts.add(Key { outcome, fullmove, material: material(board), evaluation }, 1);
        }
    }
}

/// An evaluation in centipawns, cut and rounded to a multiple of the width.
fn binned(evaluation: CommentEval, width: u16) -> i32 {
    match evaluation {
        CommentEval::Mate { wins: true, .. } => MAX_EVALUATION + 1,
        CommentEval::Mate { wins: false, .. } => -MAX_EVALUATION - 1,
        CommentEval::Pawns(pawns) => binned_centipawns((100.0 * pawns) as i32, width),
    }
}

/// The same of centipawns.
fn binned_centipawns(centipawns: i32, width: u16) -> i32 {
    let centipawns = centipawns.clamp(-MAX_EVALUATION, MAX_EVALUATION);
    (centipawns as f32 / f32::from(width)).round() as i32 * i32::from(width)
}

/// Counts and writes.
pub fn run(arguments: &Arguments) -> Result<()> {
    if let Some((min, max)) = arguments.elo_range().filter(|(min, max)| min.is_nan() || max.is_nan() || min > max) {
        bail!("the range of Elo differences is empty: {min} to {max}");
    }
    let files = reading::find(&arguments.inputs(), arguments.recursive)?;
    let inputs = files.iter().chain(&arguments.fix_fen_source).map(PathBuf::as_path);
    writing::check_apart(&[&arguments.output], inputs)?;
    writing::check_own(&arguments.output, counts::MARK, arguments.overwrite)?;
    // A pipe can be read but once.
    let is_dataset =
        |file: &PathBuf| file.is_file() && Opened::new(file).is_ok_and(|opened| opened.content == Content::Dataset);
    let (datasets, games): (Vec<_>, Vec<_>) = files.iter().cloned().partition(is_dataset);
    let passing = passing_of(arguments, &files)?;
    let counters = match &arguments.fix_fen_source {
        Some(path) => read_counters(path, MAX_BOOK_BYTES)?,
        None => Counters::new(),
    };
    let progress = progress::bytes(&files);
    let restore = |fen: &str| restore(fen, &counters);
    let options = ReadOptions { replace_fen: Some(&restore), ..ReadOptions::default() };
    let count = || {
        reading::gather_games(
            &games,
            &options,
            &progress,
            |found: &mut Found, path, game| found.add(arguments, passing[path], &game),
            Found::merge,
        )
    };
    let pool = ThreadPoolBuilder::new().num_threads(arguments.concurrency.map_or(0, usize::from)).build();
    let pool = pool.context("cannot start threads")?;
    let (mut report, mut found) = pool.install(count)?;
    for path in &datasets {
        for game in dataset::read(path)? {
            report.read += 1;
            found.add_own(arguments, &game?);
        }
    }
    progress.finish_and_clear();
    report.warn();
    let variants = report.excluded(Exclusion::OtherVariant);
    let irregular = Exclusion::ALL.iter().map(|&exclusion| report.excluded(exclusion)).sum::<usize>() - variants;
    let summary = format!(
        "{} games in {} files: {} counted, {} filtered out, {irregular} without a result on the board, {variants} of other \
         variants, {} without evaluations, {} broken",
        report.read,
        files.len(),
        found.counted,
        found.filtered,
        found.silent,
        report.broken
    );
    if found.counts.total() == 0 {
        let reason = if arguments.needs_metadata() && found.filtered > 0 {
            " (book, revision, threads and SPRT are known only from fishtest's ID.json beside ID.pgn)"
        } else if found.silent > 0 {
            " (evaluations are comments such as {+0.57/17 0.5s} behind the moves)"
        } else {
            ""
        };
        bail!("nothing to count; {summary}{reason}");
    }
    found.counts.write(&arguments.output)?;
    line(&summary);
    line(format_args!("{} positions in {}", found.counts.total(), arguments.output.display()));
    Ok(())
}

/// Which games of each file pass.
fn passing_of<'a>(arguments: &Arguments, files: &'a [PathBuf]) -> Result<HashMap<&'a Path, Passing>> {
    let mut tests: HashMap<PathBuf, Passing> = HashMap::new();
    let mut folders: HashMap<PathBuf, PathBuf> = HashMap::new();
    let mut passing = HashMap::new();
    for file in files {
        let test = metadata::test_of(file);
        let verdict = match tests.get(&test) {
            Some(&verdict) => verdict,
            None => {
                let metadata = if file.is_file() { Metadata::read(&test)? } else { None };
                let id = PathBuf::from(test.file_name().unwrap_or_default());
                let other = folders.insert(id, test.clone()).filter(|_| metadata.is_some());
                if let Some(other) = other.filter(|_| !arguments.allow_duplicates) {
                    let (first, second) = (other.display(), test.display());
                    bail!("'{first}' and '{second}' are the same test; --allow-duplicates takes both");
                }
                let verdict = arguments.passing(metadata.as_ref());
                tests.insert(test, verdict);
                verdict
            }
        };
        passing.insert(file.as_path(), verdict);
    }
    Ok(passing)
}

/// Move counters of positions, by the first four fields of their FEN: match runners may have lost them.
type Counters = HashMap<String, (u32, u32)>;

/// The FEN with the move counters that it had before they were set to `0 1`.
fn restore(fen: &str, counters: &Counters) -> Result<String, String> {
    match fen.strip_suffix(" 0 1") {
        Some(board) if !counters.is_empty() => match counters.get(board) {
            Some((halfmoves, fullmoves)) => Ok(format!("{board} {halfmoves} {fullmoves}")),
            None => Err(format!("no counters for FEN '{board}'")),
        },
        _ => Ok(fen.to_owned()),
    }
}

/// Reads the move counters of a book's positions of at most `max_bytes`; the lowest move number of a position counts.
fn read_counters(path: &Path, max_bytes: usize) -> Result<Counters> {
    let reader = halfpoint::games::open(path).with_context(|| cannot_read(path))?;
    let mut counters = Counters::new();
    let mut bytes = 0;
    for line in LineTexts::new(reader) {
        let line = line.with_context(|| cannot_read(path))?;
        let fields: Vec<_> = line.text().split(|c: char| c.is_whitespace() || c == ';').collect();
        if let [board @ .., halfmoves, fullmoves] = &fields[..fields.len().min(6)]
            && let (4, Ok(halfmoves), Ok(fullmoves)) = (board.len(), halfmoves.parse(), fullmoves.parse())
        {
            let board = board.join(" ");
            if !counters.contains_key(&board) {
                bytes += board.len();
            }
            if bytes > max_bytes {
                return Err(invalid(path, format!("its positions are longer than {max_bytes} bytes")));
            }
            let known = counters.entry(board).or_insert((halfmoves, fullmoves));
            if fullmoves < known.1 {
                *known = (halfmoves, fullmoves);
            }
        }
    }
    if counters.is_empty() {
        return Err(invalid(path, "no line is a FEN with move counters"));
    }
    Ok(counters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn centipawns_of_datasets_stay_whole() {
        assert_eq!([53, 118, -53].map(|centipawns| binned_centipawns(centipawns, 1)), [53, 118, -53]);
        assert_eq!([53, 118, -53].map(|centipawns| binned_centipawns(centipawns, 5)), [55, 120, -55]);
    }

    #[test]
    fn the_lowest_move_number_of_a_book_counts_and_its_size_is_limited() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.epd");
        let line = |king: char, number: u32| format!("4{king}3/8/8/8/8/8/8/4K2R w K - 3 {number}\n");
        fs::write(&path, line('k', 20) + &line('k', 9) + &line('k', 12)).unwrap();
        let board = "4k3/8/8/8/8/8/8/4K2R w K -";
        let counters = read_counters(&path, board.len()).unwrap();
        assert_eq!(counters, Counters::from([(board.to_owned(), (3, 9))]));
        let refused = read_counters(&path, board.len() - 1).unwrap_err().to_string();
        assert!(refused.contains("book.epd") && refused.contains("longer than"), "{refused}");
    }
}
