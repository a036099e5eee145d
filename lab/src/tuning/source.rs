//! Games from files: viriformat, PGN, and lines of positions with results.

use crate::dataset::{self, Eval};
use crate::outcome::Outcome;
use crate::reading::{self, Content, LineGames, Opened, ReadLog, is_named};
use anyhow::Result;
use halfpoint::games::{CastlingRights, CommentEval, GameRecord, PositionLine, ReadOptions};
use halfpoint::position::{Move, Position};
use halfpoint::printing::{Ratings, TimeClass};
use shakmaty::{Color, KnownOutcome, Position as _};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A data file with the name of the group whose level it shares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFile {
    /// Name of the group; empty if none was given.
    pub group: String,
    pub path: PathBuf,
}

impl DataFile {
    /// A file without a group.
    pub fn of(path: PathBuf) -> DataFile {
        DataFile { group: String::new(), path }
    }
}

impl FromStr for DataFile {
    type Err = std::convert::Infallible;

    /// `FILE` or `GROUP=FILE`. What stands before the first `=` is a group only if it has no slash
    /// and no backslash.
    fn from_str(text: &str) -> Result<DataFile, Self::Err> {
        let (group, path) =
            text.split_once('=').filter(|(group, _)| !group.contains(['/', '\\'])).unwrap_or(("", text));
        Ok(DataFile { group: group.to_owned(), path: path.into() })
    }
}

/// A game as the tuner reads it.
pub struct TrainingGame {
    pub conditions: Conditions,
    pub positions: GamePositions,
}

/// What is known of how a game was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// How fast.
    pub class: Option<TimeClass>,
    /// Mean rating of the players, Elo.
    pub mean_rating: Option<u32>,
    /// Rating of White less that of Black, Elo; 0 if one is not known, or if they are those after the game.
    pub advantage: i16,
}

impl Conditions {
    fn new(ratings: Ratings, class: Option<TimeClass>) -> Conditions {
        let both = ratings.white.zip(ratings.black);
        let difference = |(white, black): (u32, u32)| i64::from(white) - i64::from(black);
        Conditions {
            class,
            mean_rating: both.map(|(white, black)| u32::midpoint(white, black)),
            advantage: both.map_or(0, difference).clamp(-MOST_ADVANTAGE, MOST_ADVANTAGE) as i16,
        }
    }
}

/// The positions of a game.
pub enum GamePositions {
    Played {
        start: Box<Position>,
        plies: Vec<TrainingPly>,
        outcome: Outcome,
    },
    /// One on each line of a file.
    Listed(Vec<LabelledPosition>),
}

/// A move of a game.
pub struct TrainingPly {
    pub m: Move,
    /// What a search thought of the position before.
    pub eval: Option<Eval>,
    /// It came out of a book, so that nobody thought about the position.
    pub is_book: bool,
}

/// Differences of ratings are cut to this, Elo.
const MOST_ADVANTAGE: i64 = 1000;

/// A position of a line.
pub struct LabelledPosition {
    pub position: Position,
    pub outcome: Outcome,
    /// What a search thought of the position, if the line says so.
    pub eval: Option<Eval>,
}

/// Hands every game of a file that counts to `take` until that returns `false`.
pub fn read(path: &Path, log: &mut ReadLog, mut take: impl FnMut(TrainingGame) -> bool) -> Result<()> {
    let Opened { content, reader } = Opened::new(path)?;
    match content {
        Content::Dataset => {
            for game in dataset::Reader::new(path, reader) {
                if !take(TrainingGame::from(game?)) {
                    break;
                }
            }
        }
        Content::Pgn => {
            reading::read_games(path, reader, &ReadOptions::default(), log, |_, game| {
                game.counted_outcome().is_none_or(|outcome| take(played(&game, outcome)))
            });
        }
        Content::Lines => read_lines(path, reader, log, take),
    }
    Ok(())
}

impl From<dataset::Game> for TrainingGame {
    fn from(game: dataset::Game) -> TrainingGame {
        let plies =
            game.plies.iter().map(|ply| TrainingPly { m: ply.m, eval: Some(ply.eval), is_book: false }).collect();
        let outcome = Outcome::from(game.outcome);
        let positions = GamePositions::Played { start: Box::new(game.start), plies, outcome };
        TrainingGame { conditions: Conditions::default(), positions }
    }
}

fn played(game: &GameRecord, outcome: KnownOutcome) -> TrainingGame {
    let mut mover = game.start.turn();
    let plies = game.moves.iter().map(|played| {
        let eval = played.remarks.evaluation.and_then(|evaluation| to_eval(evaluation, mover));
        mover = !mover;
        TrainingPly { m: Position::from_shakmaty(played.m), eval, is_book: played.remarks.is_book }
    });
    let plies = plies.collect();
    let mut conditions = Conditions::new(game.tags.ratings(), game.tags.time_class());
    if reading::are_rated_after(&game.tags) {
        conditions.advantage = 0;
    }
    TrainingGame {
        conditions,
        positions: GamePositions::Played {
            start: Box::new(Position::from_chess(&game.start)),
            plies,
            outcome: outcome.into(),
        },
    }
}

/// The mover's evaluation as datasets have it.
fn to_eval(evaluation: CommentEval, mover: Color) -> Option<Eval> {
    let own = match evaluation {
        CommentEval::Pawns(pawns) => (100.0 * pawns).round().clamp(-LARGEST as f32, LARGEST as f32) as i16,
        CommentEval::Mate { wins, distance } => {
            let size = MATE - distance.try_into().ok().filter(|&distance: &i16| distance < 500)?;
            if wins { size } else { -size }
        }
    };
    Some(Eval::from_centipawns(mover.fold_wb(own, -own)))
}

/// Centipawns of a mate, see [`Eval`].
const MATE: i16 = 32_000;
/// Centipawns in `ce` from which they stand for a mate.
const LEAST_MATE: f64 = 30_000.0;
/// Most centipawns that are no mate.
const LARGEST: f64 = halfpoint::wdl::score::MAX_SCORE_CP as f64;

/// A position with its result; none if the line has no result.
fn labelled(line: &PositionLine) -> Option<LabelledPosition> {
    let outcome = line.outcome?;
    let position = Position::from_chess(&line.position);
    let eval = line.centipawns.map(|centipawns| {
        let most = if centipawns.abs() >= LEAST_MATE { f64::from(MATE) } else { LARGEST };
        let own = centipawns.clamp(-most, most) as i16;
        Eval::from_centipawns(position.turn().fold_wb(own, -own))
    });
    Some(LabelledPosition { position, outcome: outcome.into(), eval })
}

/// Lines of one game are handed over together: those with names wherever they stand, others where they follow each other.
fn read_lines(path: &Path, reader: impl BufRead, log: &mut ReadLog, mut take: impl FnMut(TrainingGame) -> bool) {
    let mut games = LineGames::default();
    let mut named: BTreeMap<usize, (Vec<LabelledPosition>, Ratings)> = BTreeMap::new();
    let mut game = Vec::new();
    let mut ratings = Ratings::default();
    let mut last = None;
    let goes_on = reading::read_lines(path, reader, CastlingRights::Either, log, |log, line| {
        let (Some(outcome), Some(labelled)) = (line.outcome, labelled(&line)) else {
            log.add_broken(path, line.number, format!("line {}: no result", line.number));
            return true;
        };
        let number = Some(games.game_of(&line, outcome));
        if let Some(number) = number.filter(|_| is_named(&line)) {
            named.entry(number).or_insert_with(|| (Vec::new(), line.ratings)).0.push(labelled);
            return true;
        }
        let is_wanted = number == last || game.is_empty() || take(listed(std::mem::take(&mut game), ratings));
        last = number;
        ratings = line.ratings;
        game.push(labelled);
        is_wanted
    });
    let last = (!game.is_empty()).then_some((game, ratings));
    if goes_on {
        let _ = last.into_iter().chain(named.into_values()).all(|(game, ratings)| take(listed(game, ratings)));
    }
}

fn listed(positions: Vec<LabelledPosition>, ratings: Ratings) -> TrainingGame {
    TrainingGame { conditions: Conditions::new(ratings, None), positions: GamePositions::Listed(positions) }
}
