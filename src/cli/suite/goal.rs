//! A position of a suite and what is to be found in it.

use halfpoint::games::{self, PositionLine, move_words, without_number};
use halfpoint::position::{Move, Position};
use halfpoint::wdl::score::{Kind, Score};
use shakmaty::san::SanPlus;
use std::time::Duration;

/// A position of a suite.
#[derive(Clone, Debug)]
pub struct SuitePosition {
    /// Its `id`, or its FEN.
    pub id: String,
    /// The position.
    pub position: Position,
    /// What is to be found.
    pub goal: Goal,
}

/// What is to be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// One of these moves (`bm`, or the best of `c0`), with what each is worth.
    Moves(Vec<(Move, u32)>),
    /// None of these (`am`).
    Avoid(Vec<Move>),
    /// A mate within so many moves (`dm`, or `bm #3`), negative if the side to move is mated.
    Mate(i32),
}

/// How a search fared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grade {
    /// Whether the goal was reached.
    pub is_found: bool,
    /// Points of the move, and most that there are; 0 where moves have no points.
    pub points: (u32, u32),
    /// Moves to the mate that was found, if one was asked for.
    pub mate: Option<i32>,
}

/// How the search of a position went.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The best move, in standard algebraic notation; `-` if there is none.
    pub best: String,
    /// How it fared.
    pub grade: Grade,
    /// All nodes.
    pub nodes: u64,
    /// All time.
    pub time: Duration,
    /// Nodes and time from which on the best move reached the goal; none if it does not in the end.
    pub solution: Option<(u64, Duration)>,
}

impl SuitePosition {
    /// Reads what is to be found from the operations of EPD. Points of illegal moves are left out and told in the second
    /// part.
    ///
    /// # Errors
    ///
    /// What is missing or malformed, in words.
    pub fn from_line(line: &PositionLine) -> Result<(SuitePosition, Vec<String>), String> {
        let position = Position::from_chess(&line.position);
        let operation = |code| line.operations.iter().find(|(known, _)| known == code).map(|(_, text)| text.as_str());
        let moves = |code: &str, text: &str| {
            let moves: Vec<Move> = move_words(text).map(|word| read_move(&position, word)).collect::<Result<_, _>>()?;
            if moves.is_empty() { Err(format!("{code} without a move")) } else { Ok(moves) }
        };
        let mut faults = Vec::new();
        let points = operation("c0").map(|text| read_points(&position, text, &mut faults)).unwrap_or_default();
        let mates = |text: &str| text.trim_start_matches('#').parse().ok().filter(|&moves: &i32| moves != 0);
        let goal = match (operation("dm"), operation("bm"), operation("am")) {
            (Some(text), ..) => Goal::Mate(mates(text).ok_or_else(|| format!("'{text}' is no distance to mate"))?),
            (_, Some(text), _) if text.starts_with('#') => {
                Goal::Mate(mates(text).ok_or_else(|| format!("'{text}' is no distance to mate"))?)
            }
            _ if points.iter().any(|&(_, points)| points > 0) => Goal::Moves(points),
            (_, Some(text), _) => Goal::Moves(moves("bm", text)?.into_iter().map(|m| (m, 1)).collect()),
            (.., Some(text)) => Goal::Avoid(moves("am", text)?),
            _ => return Err("neither bm, am, dm nor points in c0".to_owned()),
        };
        let id = operation("id").map_or_else(|| position.fen(), str::to_owned);
        Ok((SuitePosition { id, position, goal }, faults))
    }

    /// The group of the position: its id without the number at the end.
    #[must_use]
    pub fn group(&self) -> &str {
        let name = self.id.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['.', ' ', '-', '_', '#']);
        if name.is_empty() { "all" } else { name }
    }

    /// How a search fared whose best move and score, of the side to move, are these.
    #[must_use]
    pub fn grade(&self, best: Move, score: Score) -> Grade {
        match &self.goal {
            Goal::Moves(moves) => {
                let most = moves.iter().map(|&(_, points)| points).max().unwrap_or(0);
                let points = moves.iter().find(|(m, _)| *m == best).map_or(0, |&(_, points)| points);
                let counted = if self.has_points() { (points, most) } else { (0, 0) };
                Grade { is_found: points > 0 && points == most, points: counted, mate: None }
            }
            Goal::Avoid(moves) => Grade { is_found: !moves.contains(&best), ..Grade::default() },
            Goal::Mate(moves) => {
                let Kind::Mate(plies) = score.kind() else { return Grade::default() };
                let found = plies.signum() * ((plies.abs() + 1) / 2);
                let is_found = found.signum() == moves.signum() && found.unsigned_abs() <= moves.unsigned_abs();
                Grade { is_found, mate: (found.signum() == moves.signum()).then_some(found), ..Grade::default() }
            }
        }
    }

    fn has_points(&self) -> bool {
        matches!(&self.goal, Goal::Moves(moves) if moves.iter().any(|&(_, points)| points > 1))
    }

    /// A move in standard algebraic notation.
    #[must_use]
    pub fn san(&self, m: Move) -> String {
        SanPlus::from_move(self.position.to_chess(), self.position.to_shakmaty(m)).to_string()
    }
}

/// A move in any spelling that games have.
fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    games::read_move(&position.to_chess(), text).map(Position::from_shakmaty)
}

/// Points of moves, `f5=10, Be5+=2`.
fn read_points(position: &Position, text: &str, faults: &mut Vec<String>) -> Vec<(Move, u32)> {
    let mut points = Vec::new();
    for part in text.split(',').map(str::trim) {
        let Some((m, number)) = part.rsplit_once('=') else { continue };
        let Ok(number) = number.trim().parse() else { continue };
        match read_move(position, without_number(m.trim())) {
            Ok(m) => points.push((m, number)),
            Err(fault) => faults.push(fault),
        }
    }
    points
}
