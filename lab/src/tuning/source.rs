//! Games from files: viriformat, PGN, and lines of positions with results.

use super::block::Outcome;
use super::error::TuneError;
use crate::selfplay::dataset::{self, Eval};
use crate::selfplay::files;
use halfpoint::position::{Move, Position};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, KnownOutcome, Position as _};
use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// A data file with the name of the group whose level it shares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Name of the group; empty if none was given.
    pub group: String,
    /// The file.
    pub path: PathBuf,
}

impl FromStr for Source {
    type Err = std::convert::Infallible;

    /// `FILE` or `GROUP=FILE`. What stands before the first `=` is a group only if it has no slash.
    fn from_str(text: &str) -> Result<Source, Self::Err> {
        let (group, path) = text.split_once('=').filter(|(group, _)| !group.contains('/')).unwrap_or(("", text));
        Ok(Source { group: group.to_owned(), path: path.into() })
    }
}

/// Games as the tuner reads them.
pub enum Game {
    /// A game with its moves.
    Played {
        /// Where it began.
        start: Box<Position>,
        /// Each move with what a search thought of the position before.
        plies: Vec<(Move, Option<Eval>)>,
        /// How it ended.
        outcome: Outcome,
    },
    /// Positions of a game, one on each line of a file.
    Listed(Vec<Line>),
}

/// A line of a file.
pub struct Line {
    /// The file.
    pub path: Arc<Path>,
    /// Number of the line, from 1.
    pub number: usize,
    /// What it says.
    pub text: String,
}

/// What a file holds, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Viriformat,
    Pgn,
    Lines,
}

/// The format that the ending of a name tells, `.gz` and `.zst` left aside.
fn format(path: &Path) -> Result<Format, TuneError> {
    match files::ending(path).as_deref() {
        _ if dataset::is_named(path) => Ok(Format::Viriformat),
        Some("pgn") => Ok(Format::Pgn),
        Some("epd" | "fen" | "txt" | "csv") => Ok(Format::Lines),
        _ => Err(TuneError::UnknownFormat { path: path.to_owned() }),
    }
}

/// Checks that the file can be opened and that its format is known.
pub fn check(path: &Path) -> Result<(), TuneError> {
    format(path)?;
    files::open(path).map(drop).map_err(|source| TuneError::Io { path: path.to_owned(), source })
}

/// Hands every game of a file to `take` until that returns `false`.
pub fn read(path: &Path, mut take: impl FnMut(Game) -> bool) -> Result<(), TuneError> {
    match format(path)? {
        Format::Viriformat => {
            for game in dataset::read(path)? {
                if !take(Game::from(game?)) {
                    break;
                }
            }
            Ok(())
        }
        Format::Pgn => read_pgn(path, take),
        Format::Lines => read_lines(path, take),
    }
}

impl From<dataset::Game> for Game {
    fn from(game: dataset::Game) -> Game {
        let plies = game.plies.iter().map(|ply| (ply.m, Some(ply.eval))).collect();
        Game::Played { start: Box::new(game.start), plies, outcome: Outcome::from(game.outcome) }
    }
}

impl From<KnownOutcome> for Outcome {
    fn from(outcome: KnownOutcome) -> Outcome {
        match outcome {
            KnownOutcome::Draw => Outcome::Draw,
            KnownOutcome::Decisive { winner: Color::White } => Outcome::Win,
            KnownOutcome::Decisive { winner: Color::Black } => Outcome::Loss,
        }
    }
}

/// The moves of a game so far.
struct Moves {
    start: Chess,
    now: Chess,
    plies: Vec<(Move, Option<Eval>)>,
    outcome: Option<Outcome>,
}

/// What the tags of a game say.
#[derive(Default)]
struct Tags {
    start: Option<Chess>,
    outcome: Option<Outcome>,
}

/// Reads games; those without a result, after the moves or else in the tags, are left out.
struct GameVisitor;

impl Visitor for GameVisitor {
    type Tags = Tags;
    type Movetext = Moves;
    type Output = Result<Option<Game>, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if name == b"Result" {
            tags.outcome = outcome(&value.decode_utf8_lossy()).ok();
        }
        if name != b"FEN" {
            return ControlFlow::Continue(());
        }
        let text = value.decode_utf8_lossy();
        let fen = match Fen::from_str(&text) {
            Ok(fen) => fen,
            Err(error) => return ControlFlow::Break(Err(format!("malformed FEN '{text}': {error}"))),
        };
        let mode = CastlingMode::detect(fen.as_setup());
        match fen.into_position(mode) {
            Ok(position) => tags.start = Some(position),
            Err(error) => return ControlFlow::Break(Err(format!("{error} in FEN '{text}'"))),
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, Tags { start, outcome }: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        let start = start.unwrap_or_default();
        ControlFlow::Continue(Moves { now: start.clone(), start, plies: Vec::new(), outcome })
    }

    fn san(&mut self, moves: &mut Moves, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(&moves.now) {
            Ok(m) => {
                moves.plies.push((Position::from_shakmaty(m), None));
                moves.now.play_unchecked(m);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(format!("{error}: {san} at ply {}", moves.plies.len() + 1))),
        }
    }

    fn comment(&mut self, moves: &mut Moves, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        let mover = !moves.now.turn();
        if let Some(ply) = moves.plies.last_mut()
            && let Some(eval) = std::str::from_utf8(comment.as_bytes()).ok().and_then(|text| comment_eval(text, mover))
        {
            ply.1 = Some(eval);
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, moves: &mut Moves, outcome: pgn_reader::Outcome) -> ControlFlow<Self::Output> {
        moves.outcome = outcome.known().map(Outcome::from);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, moves: Moves) -> Self::Output {
        let Moves { start, plies, outcome, .. } = moves;
        Ok(outcome.map(|outcome| Game::Played { start: Box::new(Position::from_chess(&start)), plies, outcome }))
    }
}

/// The score in a comment as match runners write it, `+0.35/12 0.05s` or `-M4/20 0.1s`: pawns, or moves to mate, as the
/// mover sees them.
fn comment_eval(text: &str, mover: Color) -> Option<Eval> {
    let (score, rest) = text.trim().split_once('/')?;
    rest.starts_with(|c: char| c.is_ascii_digit()).then_some(())?;
    let (negative, size) = match score.strip_prefix('-') {
        Some(size) => (true, size),
        None => (false, score.strip_prefix('+').unwrap_or(score)),
    };
    let size = match size.strip_prefix('M') {
        Some(moves) => MATE - moves.parse::<u16>().ok().filter(|&moves| moves < 500)? as i16,
        None => (100.0 * size.parse::<f64>().ok()?).round().clamp(0.0, LARGEST) as i16,
    };
    let own = if negative { -size } else { size };
    Some(Eval::from_centipawns(mover.fold_wb(own, -own)))
}

/// Centipawns of a mate, see [`Eval`].
const MATE: i16 = 32_000;
/// Centipawns in `ce` from which they stand for a mate.
const LEAST_MATE: f64 = 30_000.0;
/// Most centipawns that are no mate.
const LARGEST: f64 = halfpoint::wdl::score::MAX_CENTIPAWNS as f64;

fn read_pgn(path: &Path, mut take: impl FnMut(Game) -> bool) -> Result<(), TuneError> {
    let failed = |source| TuneError::Io { path: path.to_owned(), source };
    let mut reader = Reader::new(files::open(path).map_err(failed)?);
    for number in 1.. {
        match reader.read_game(&mut GameVisitor).map_err(failed)? {
            None => break,
            Some(Err(reason)) => return Err(TuneError::Game { path: path.to_owned(), number, reason }),
            Some(Ok(None)) => {}
            Some(Ok(Some(game))) => {
                if !take(game) {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// What a line of a file says.
pub struct Labelled {
    /// The position.
    pub position: Position,
    /// How the game ended.
    pub outcome: Outcome,
    /// What a search thought of the position, if the line tells.
    pub eval: Option<Eval>,
}

impl Line {
    /// Reads the line: `FEN;result`, or EPD with the result in `c9` and perhaps centipawns in `ce`.
    pub fn parse(&self) -> Result<Labelled, TuneError> {
        let failed = |reason| TuneError::Line { path: self.path.to_path_buf(), number: self.number, reason };
        let parts = split(&self.text).map_err(failed)?;
        let outcome = outcome(parts.result).map_err(failed)?;
        let fen = parts.fen.as_str();
        let position = Position::from_fen(fen, false)
            .or_else(|error| Position::from_fen(fen, true).map_err(|_| error))
            .map_err(|error| failed(error.to_string()))?;
        let eval = parts.centipawns.map(|centipawns| {
            let most = if centipawns.abs() >= LEAST_MATE { f64::from(MATE) } else { LARGEST };
            let own = centipawns.clamp(-most, most) as i16;
            Eval::from_centipawns(position.turn().fold_wb(own, -own))
        });
        Ok(Labelled { position, outcome, eval })
    }

    /// Number of the ply in the game and the result as written, as far as a glance tells.
    fn place(&self) -> Option<(u64, String)> {
        let parts = split(&self.text).ok()?;
        let mut fields = parts.fen.split_whitespace();
        let turn = fields.nth(1)?;
        let number: u64 = fields.nth(3)?.parse().ok()?;
        Some((2 * number + u64::from(turn == "b"), parts.result.to_owned()))
    }
}

/// The parts of a line.
struct Parts<'a> {
    fen: String,
    result: &'a str,
    /// For the side to move.
    centipawns: Option<f64>,
}

fn split(line: &str) -> Result<Parts<'_>, String> {
    let is_epd = line.contains(" c9 ");
    if !is_epd {
        let (fen, result) = line.split_once(';').ok_or("neither 'FEN;result' nor EPD with c9")?;
        return Ok(Parts { fen: fen.trim().to_owned(), result: result.trim(), centipawns: None });
    }
    let board: Vec<&str> = line.split_whitespace().take(4).collect();
    let (mut halfmoves, mut number, mut result, mut centipawns) = ("0", "1", None, None);
    let mut rest = line.trim();
    for field in &board {
        rest = rest.strip_prefix(field).unwrap_or(rest).trim_start();
    }
    // A whole FEN before the operations is taken, too.
    let mut numbers = rest.splitn(3, char::is_whitespace);
    if let (Some(first), Some(second), Some(after)) = (numbers.next(), numbers.next(), numbers.next())
        && first.parse::<u32>().is_ok()
        && second.parse::<u32>().is_ok()
    {
        (halfmoves, number, rest) = (first, second, after);
    }
    for operation in rest.split(';') {
        let Some((code, operand)) = operation.trim().split_once(char::is_whitespace) else { continue };
        let operand = operand.trim().trim_matches('"');
        match code {
            "c9" => result = Some(operand),
            "ce" => {
                let value = operand.parse::<f64>().map_err(|_| format!("'{operand}' in ce is not a number"))?;
                centipawns = Some(value);
            }
            "hmvc" => halfmoves = operand,
            "fmvn" => number = operand,
            _ => {}
        }
    }
    let fen = format!("{} {halfmoves} {number}", board.join(" "));
    Ok(Parts { fen, result: result.ok_or("no result in c9")?, centipawns })
}

fn outcome(text: &str) -> Result<Outcome, String> {
    match text.trim_matches(['[', ']', '"']) {
        "1-0" | "1" | "1.0" => Ok(Outcome::Win),
        "0-1" | "0" | "0.0" => Ok(Outcome::Loss),
        "1/2-1/2" | "0.5" | "1/2" => Ok(Outcome::Draw),
        _ => Err(format!("result '{text}' is none of 1-0, 1/2-1/2, 0-1, 1.0, 0.5, 0.0")),
    }
}

/// Lines that follow one another with the same result and rising move numbers are taken for one game.
fn read_lines(path: &Path, mut take: impl FnMut(Game) -> bool) -> Result<(), TuneError> {
    let failed = |source| TuneError::Io { path: path.to_owned(), source };
    let shared: Arc<Path> = path.into();
    let mut game = Vec::new();
    let mut before = None;
    for (index, text) in files::open(path).map_err(failed)?.lines().enumerate() {
        let text = text.map_err(failed)?;
        if text.trim().is_empty() || text.starts_with('#') {
            continue;
        }
        let line = Line { path: Arc::clone(&shared), number: index + 1, text };
        let place = line.place();
        let goes_on = match (&before, &place) {
            (Some((ply, result)), Some((next, other))) => next > ply && result == other,
            _ => false,
        };
        if !goes_on && !game.is_empty() && !take(Game::Listed(std::mem::take(&mut game))) {
            return Ok(());
        }
        before = place;
        game.push(line);
    }
    if !game.is_empty() {
        take(Game::Listed(game));
    }
    Ok(())
}
