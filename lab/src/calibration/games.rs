//! Games with the evaluations in their comments.

use super::Error;
use super::files::{self, GameText, Games};
use crate::output::one_line;
use indicatif::ProgressBar;
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use rayon::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, FromSetup, KnownOutcome, Move, Position, PositionError};
use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// How a game ended, for one of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Won.
    Win,
    /// Drawn.
    Draw,
    /// Lost.
    Loss,
}

impl Outcome {
    /// The outcomes in the order in which they are printed.
    pub const ALL: [Outcome; 3] = [Outcome::Win, Outcome::Draw, Outcome::Loss];

    /// The same for the player of `color`, if this is White's.
    #[must_use]
    pub fn of(self, color: Color) -> Outcome {
        match self {
            Outcome::Win if color.is_black() => Outcome::Loss,
            Outcome::Loss if color.is_black() => Outcome::Win,
            outcome => outcome,
        }
    }

    /// `W`, `D` or `L`.
    #[must_use]
    pub fn letter(self) -> char {
        ['W', 'D', 'L'][self as usize]
    }

    /// What it is worth: 1, ½ or 0.
    #[must_use]
    pub fn points(self) -> f64 {
        [1.0, 0.5, 0.0][self as usize]
    }

    /// White's outcome from `1-0`, `1/2-1/2` or `0-1`.
    #[must_use]
    pub fn from_result(text: &str) -> Option<Outcome> {
        match text {
            "1-0" => Some(Outcome::Win),
            "1/2-1/2" => Some(Outcome::Draw),
            "0-1" => Some(Outcome::Loss),
            _ => None,
        }
    }
}

impl From<KnownOutcome> for Outcome {
    fn from(outcome: KnownOutcome) -> Outcome {
        match outcome {
            KnownOutcome::Draw => Outcome::Draw,
            KnownOutcome::Decisive { winner } => Outcome::Win.of(winner),
        }
    }
}

/// An engine's evaluation of the move it played, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evaluation {
    /// Pawns. In single precision: hundreds of it are cut to whole centipawns, as the WDL model does.
    Pawns(f32),
    /// A mate is announced, or suffered.
    Mate {
        /// The side to move mates.
        wins: bool,
    },
}

impl Evaluation {
    /// Reads the beginning of a comment as `+0.57/17 0.5s`, `-1.20 17/28 583` or `+M5/12`. Anything else is no evaluation.
    #[must_use]
    pub fn from_comment(comment: &str) -> Option<Evaluation> {
        let text = &comment[..comment.find([' ', '/'])?];
        if text.as_bytes().get(1) == Some(&b'M') {
            return Some(Evaluation::Mate { wins: text.starts_with('+') });
        }
        let text = text.strip_prefix('+').unwrap_or(text);
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '-').unwrap_or(text.len());
        text[..end].parse().ok().map(Evaluation::Pawns)
    }
}

/// `Termination` of games without a result on the board, in the words of match runners.
const IRREGULAR: [&str; 5] = ["time forfeit", "abandoned", "stalled connection", "illegal move", "unterminated"];

/// The same in the words of sites where people play, which may put a player's name before them.
const IRREGULAR_AT_SITES: [&str; 4] =
    ["won on time", "game abandoned", "drawn by timeout vs insufficient material", "rules infraction"];

/// The tags that calibration looks at.
#[derive(Clone, Debug, Default)]
pub struct Tags {
    /// Player of the white men.
    pub white: String,
    /// Player of the black men.
    pub black: String,
    /// White's outcome, if it is known.
    pub outcome: Option<Outcome>,
    /// `Termination`, in the words of match runners.
    pub termination: String,
    /// Rating of White.
    pub white_elo: Option<u32>,
    /// Rating of Black.
    pub black_elo: Option<u32>,
    /// `TimeControl`.
    pub time_control: Option<String>,
    /// `EventType`, where databases note blitz and rapid games.
    pub event_type: Option<String>,
    /// `Event`, whose name may tell as much.
    pub event: Option<String>,
    fen: Option<String>,
    variant: Option<String>,
}

impl Tags {
    /// Whether the game was played to a result on the board, not lost on time or broken off, in the words of any site.
    #[must_use]
    pub fn is_regular(&self) -> bool {
        let termination = self.termination.to_ascii_lowercase();
        self.outcome.is_some()
            && !IRREGULAR.contains(&termination.as_str())
            && !IRREGULAR_AT_SITES.iter().any(|words| termination.ends_with(words))
    }

    /// The same in the words of match runners alone, as scoreWDLstat sees it.
    #[must_use]
    pub fn is_regular_match(&self) -> bool {
        self.outcome.is_some() && !IRREGULAR.contains(&self.termination.as_str())
    }
}

/// A move with the evaluation in the comment behind it.
#[derive(Clone, Copy, Debug)]
pub struct Ply {
    /// The move played.
    pub m: Move,
    /// What the player thought of the position, if the comment tells.
    pub evaluation: Option<Evaluation>,
}

/// A game as it was played.
#[derive(Clone, Debug)]
pub struct Game {
    /// Number of the game in its file, from 0.
    pub index: usize,
    /// The tags.
    pub tags: Tags,
    /// Where it began.
    pub start: Chess,
    /// The moves of the main line.
    pub plies: Vec<Ply>,
}

/// A game that could not be read.
#[derive(Clone, Debug)]
pub struct Broken {
    /// Its file.
    pub path: PathBuf,
    /// Its first line; 0 if the file ends before.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: the rest of it cannot be read: {}", self.path.display(), self.reason),
            line => write!(f, "{}: game at line {line}: {}", self.path.display(), self.reason),
        }
    }
}

/// Move counters of positions, by the first four fields of their FEN: match runners may have lost them.
pub type Counters = HashMap<String, (u32, u32)>;

/// Broken games that are told apart; of more only the number is kept.
const TOLD: usize = 8;

/// What came of reading files.
#[derive(Debug, Default)]
pub struct Reading {
    /// Games found.
    pub games: usize,
    /// Games that could not be read.
    pub broken: usize,
    /// The first of them.
    told: Vec<Broken>,
}

impl Reading {
    fn note(&mut self, broken: Broken) {
        self.broken += 1;
        if self.told.len() < TOLD {
            self.told.push(broken);
        }
    }

    fn merge(&mut self, other: Reading) {
        self.games += other.games;
        self.broken += other.broken;
        self.told.extend(other.told);
        self.told.truncate(TOLD);
    }

    /// Tells on standard error which games could not be read.
    pub fn warn(&self) {
        for broken in &self.told {
            eprintln!("warning: {}", one_line(&broken.to_string()));
        }
        if self.broken > self.told.len() {
            eprintln!("warning: {} more games could not be read", self.broken - self.told.len());
        }
    }
}

/// Reads the games of all files in parallel, and gathers what `visit` makes of each. The order is not that of the files.
///
/// # Errors
///
/// [`Error`] if a file cannot be opened. What is broken inside of files is skipped and noted.
pub fn gather<T: Default + Send>(
    files: &[PathBuf],
    counters: &Counters,
    progress: &ProgressBar,
    visit: impl Fn(&mut T, &Path, Game) + Sync,
    merge: impl Fn(&mut T, T) + Sync,
) -> Result<(Reading, T), Error> {
    let join = |mut a: (Reading, T), b: (Reading, T)| {
        a.0.merge(b.0);
        merge(&mut a.1, b.1);
        a
    };
    let read = |path: &PathBuf| -> Result<(Reading, T), Error> {
        let reader = files::open(path, progress).map_err(Error::unreadable(path))?;
        Ok(Games::new(reader)
            .par_bridge()
            .fold(<(Reading, T)>::default, |(mut reading, mut found), text| {
                reading.games += 1;
                let (line, game) = match text {
                    Ok(text) => (text.line, read_game(&text, counters)),
                    Err(reason) => (0, Err(reason.to_string())),
                };
                match game {
                    Ok(game) => visit(&mut found, path, game),
                    Err(reason) => reading.note(Broken { path: path.clone(), line, reason }),
                }
                (reading, found)
            })
            .reduce(Default::default, join))
    };
    files.par_iter().map(read).try_reduce(Default::default, |a, b| Ok(join(a, b)))
}

/// Reads one game. An illegal move breaks it as a whole; text with neither tags nor moves is none.
fn read_game(text: &GameText, counters: &Counters) -> Result<Game, String> {
    let mut game = match Reader::new(text.bytes.as_slice()).read_game(&mut Builder { counters }) {
        Ok(Some(game)) => game?,
        Ok(None) => return Err("no game".to_owned()),
        Err(reason) => return Err(reason.to_string()),
    };
    if game.plies.is_empty() && files::tag_name(&text.bytes).is_none() {
        return Err("this is no PGN: neither tags nor moves".to_owned());
    }
    game.index = text.index;
    Ok(game)
}

/// Makes a [`Game`] of what the reader sees.
struct Builder<'a> {
    counters: &'a Counters,
}

/// A game that is being read.
struct Growing {
    game: Game,
    position: Chess,
    /// The comments behind the last move.
    comment: String,
}

impl Growing {
    /// The comments behind a move are complete.
    fn end_move(&mut self) {
        if let Some(ply) = self.game.plies.last_mut() {
            ply.evaluation = Evaluation::from_comment(&self.comment);
        }
        self.comment.clear();
    }
}

impl Visitor for Builder<'_> {
    type Tags = Tags;
    type Movetext = Growing;
    type Output = Result<Game, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let text = || value.decode_utf8_lossy().into_owned();
        match name {
            b"White" => tags.white = text(),
            b"Black" => tags.black = text(),
            b"Result" => tags.outcome = Outcome::from_result(&text()),
            b"Termination" => tags.termination = text(),
            b"WhiteElo" => tags.white_elo = rating(&text()),
            b"BlackElo" => tags.black_elo = rating(&text()),
            b"TimeControl" => tags.time_control = Some(text()),
            b"EventType" => tags.event_type = Some(text()),
            b"Event" => tags.event = Some(text()),
            b"FEN" => tags.fen = Some(text()),
            b"Variant" => tags.variant = Some(text()),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Growing> {
        let start = is_chess960(tags.variant.as_deref()).and_then(|chess960| match &tags.fen {
            None => Ok(Chess::default()),
            Some(fen) => restore(fen, self.counters).and_then(|fen| position(&fen, chess960)),
        });
        match start {
            Ok(start) => ControlFlow::Continue(Growing {
                position: start.clone(),
                game: Game { index: 0, tags, start, plies: Vec::new() },
                comment: String::new(),
            }),
            Err(reason) => ControlFlow::Break(Err(reason)),
        }
    }

    fn san(&mut self, growing: &mut Growing, san: SanPlus) -> ControlFlow<Self::Output> {
        growing.end_move();
        match san.san.to_move(&growing.position) {
            Ok(m) => {
                growing.position.play_unchecked(m);
                growing.game.plies.push(Ply { m, evaluation: None });
                ControlFlow::Continue(())
            }
            Err(reason) => {
                let number = growing.position.fullmoves();
                let dots = growing.position.turn().fold_wb(".", "...");
                ControlFlow::Break(Err(format!("move {number}{dots} {san}: {reason}")))
            }
        }
    }

    fn comment(&mut self, growing: &mut Growing, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        growing.comment += &String::from_utf8_lossy(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, mut growing: Growing) -> Self::Output {
        growing.end_move();
        Ok(growing.game)
    }
}

/// Whether the tag `Variant` means Chess960, not chess; an error for other games.
fn is_chess960(variant: Option<&str>) -> Result<bool, String> {
    let Some(variant) = variant else { return Ok(false) };
    let letters: String = variant.chars().filter(|letter| letter.is_alphanumeric()).collect();
    match letters.to_ascii_lowercase().as_str() {
        "" | "chess" | "classical" | "fromposition" | "normal" | "regular" | "standard" => Ok(false),
        "chess960" | "fischerandom" | "fischerrandom" => Ok(true),
        _ => Err(format!("the variant '{variant}' is neither chess nor Chess960")),
    }
}

/// A rating; none if unknown or written as 0.
fn rating(text: &str) -> Option<u32> {
    text.parse().ok().filter(|&rating| rating > 0)
}

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

/// The position of a FEN.
///
/// # Errors
///
/// What is wrong with it, in words.
pub fn position(fen: &str, chess960: bool) -> Result<Chess, String> {
    let parsed: Fen = fen.parse().map_err(|reason| format!("malformed FEN '{fen}': {reason}"))?;
    Chess::from_setup(parsed.into_setup(), CastlingMode::from_chess960(chess960))
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|reason| format!("{reason} in FEN '{fen}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pgn: &str) -> Result<Game, String> {
        let text = Games::new(pgn.as_bytes()).next().unwrap().unwrap();
        read_game(&text, &Counters::new())
    }

    #[test]
    fn comments_of_match_runners_hold_evaluations() {
        for (comment, pawns) in
            [("+0.57/17 0.5s", 0.57), ("-1.20 17/28 583 363004", -1.2), ("0.00/1", 0.0), ("+12/1", 12.0)]
        {
            assert_eq!(Evaluation::from_comment(comment), Some(Evaluation::Pawns(pawns)), "{comment}");
        }
        assert_eq!(Evaluation::from_comment("+M5/12 0.1s"), Some(Evaluation::Mate { wins: true }));
        assert_eq!(Evaluation::from_comment("-M12/3"), Some(Evaluation::Mate { wins: false }));
        for comment in ["", "book", "+0.57", "a good move", "/", " ", "é/1", "[%eval 0.3]", "--1/2", "1.2.3/4"] {
            assert_eq!(Evaluation::from_comment(comment), None, "{comment}");
        }
    }

    #[test]
    fn games_lost_on_time_or_broken_off_are_told_in_the_words_of_any_site() {
        let ended = |termination: &str| Tags {
            outcome: Some(Outcome::Win),
            termination: termination.to_owned(),
            ..Tags::default()
        };
        for (termination, is_regular, is_regular_match) in [
            ("", true, true),
            ("Normal", true, true),
            ("adjudication", true, true),
            ("A won by resignation", true, true),
            ("Timeout won by checkmate", true, true),
            ("time forfeit", false, false),
            ("Time forfeit", false, true),
            ("Abandoned", false, true),
            ("Rules infraction", false, true),
            ("A won on time", false, true),
            ("A won - game abandoned", false, true),
            ("Game drawn by timeout vs insufficient material", false, true),
        ] {
            let tags = ended(termination);
            assert_eq!((tags.is_regular(), tags.is_regular_match()), (is_regular, is_regular_match), "{termination}");
        }
    }

    #[test]
    fn a_game_has_tags_and_evaluated_moves() {
        let game = read(
            "[White \"A \\\"1\\\"\"]\n[Result \"0-1\"]\n[WhiteElo \"2100\"]\n[BlackElo \"?\"]\n\n{before} 1. f3 {+0.10/3 0s} \
             (1. e4 {+0.2/3}) e5 {a} {b} 2. g4 $4 {-2.00/9\n1s} 2... Qh4# {+M1/2 0s, Black mates} 0-1",
        )
        .unwrap();
        assert_eq!(game.tags.white, "A \"1\"");
        assert_eq!((game.tags.white_elo, game.tags.black_elo), (Some(2100), None));
        assert_eq!(game.tags.outcome, Some(Outcome::Loss));
        let evaluations: Vec<_> = game.plies.iter().map(|ply| ply.evaluation).collect();
        let pawns = |pawns| Some(Evaluation::Pawns(pawns));
        assert_eq!(evaluations, [pawns(0.1), None, pawns(-2.0), Some(Evaluation::Mate { wins: true })]);
    }

    #[test]
    fn broken_games_say_why() {
        for (pgn, why) in [
            ("1. e4 e5 2. Nf6 *", "move 2. Nf6: illegal san"),
            ("[FEN \"4k3/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *", "4k3/8/8/8/8/8/8/8"),
            ("[FEN \"nonsense\"]\n\n1. e4 *", "malformed FEN 'nonsense'"),
            ("1. e4 {no end", "unterminated comment"),
        ] {
            let reason = read(pgn).unwrap_err();
            assert!(reason.contains(why), "{reason}");
        }
    }

    #[test]
    fn chess960_and_lost_counters_are_understood() {
        let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf -";
        let text = GameText {
            index: 0,
            line: 1,
            bytes: format!("[FEN \"{fen} 0 1\"]\n[Variant \"fischerandom\"]\n\n1. c4 *").into_bytes(),
        };
        let counters = Counters::from([(fen.to_owned(), (2, 9))]);
        assert_eq!(read_game(&text, &counters).unwrap().start.fullmoves().get(), 9);
        assert!(read_game(&text, &Counters::from([(String::new(), (0, 1))])).is_err());
    }

    #[test]
    fn other_games_than_chess_are_no_games() {
        for (variant, allowed) in [
            ("Standard", true),
            ("From Position", true),
            ("Chess960", true),
            ("chess 960", true),
            ("fischerandom", true),
            ("Antichess", false),
            ("King of the Hill", false),
        ] {
            let bytes = format!("[Variant \"{variant}\"]\n\n1. e4 e5 1-0").into_bytes();
            let game = read_game(&GameText { index: 0, line: 1, bytes }, &Counters::new());
            assert_eq!(game.map(|game| game.plies.len()).ok(), allowed.then_some(2), "{variant}");
        }
    }

    #[test]
    fn text_that_is_no_pgn_is_told() {
        for (text, is_game) in [("seed = 9\n", false), ("1. e4 e5 1-0\n", true), ("[White \"A\"]\n\n1-0\n", true)] {
            let games: Vec<_> = files::Games::new(text.as_bytes()).map(Result::unwrap).collect();
            let read: Vec<_> = games.iter().map(|game| read_game(game, &Counters::new()).is_ok()).collect();
            assert_eq!(read, [is_game], "{text}");
        }
    }
}
