//! The report of a game or position: what JSON files hold, a page shows and annotated PGN is made of. docs/analysis.md
//! describes the fields.

use super::ending::Ending;
use super::measures::{Judgment, Loss};
use super::openings::Opening;
use super::people::PeopleReport;
use super::remarks::{Choices, ClockReport, Remark};
use serde::{Serialize, Serializer};
use shakmaty::ByColor;

/// The engine with its version.
pub const ENGINE: &str = concat!("Halfpoint ", env!("CARGO_PKG_VERSION"));

/// Version of the schema; it grows when a field changes its meaning or goes.
pub const SCHEMA: u32 = 1;

/// A game, or a position as a game without moves.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct GameReport {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The engine with its version.
    pub engine: String,
    /// Number of the game in its file, from 1, or of the line of a position.
    pub number: usize,
    /// The tags, in their order.
    #[serde(serialize_with = "as_map")]
    pub tags: Vec<(String, String)>,
    /// `standard`, `chess960` or `fromPosition`.
    pub variant: &'static str,
    /// Where the game began.
    pub initial_fen: String,
    /// Who played.
    #[serde(serialize_with = "by_color")]
    pub players: ByColor<PlayerReport>,
    /// Whom `wdl` is for, in words.
    pub wdl_for: String,
    /// Whom `equals` is for, in words. Moves are judged by equals at the rating of the player who moves.
    pub equals_for: String,
    /// The limits of the search, in words.
    pub limits: String,
    /// `1-0`, `1/2-1/2`, `0-1`, `0-0` if both players lose, or `*`.
    pub result: String,
    /// `white` or `black`, if one has won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<&'static str>,
    /// The moves, in standard algebraic notation.
    pub moves: String,
    /// What the clock of the player showed after each move, hundredths of a second; empty if the file does not say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<Option<u64>>,
    /// The time control.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockReport>,
    /// The opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
    /// How the game ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
    /// Comments and variations of the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Remark>,
    /// The moves that could have been played instead of bad ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choices>,
    /// Where the middlegame and the endgame begin.
    pub division: Division,
    /// The position before the first move.
    pub start: PositionReport,
    /// The moves and the positions after them.
    pub analysis: Vec<MoveReport>,
    /// The moves that decided the game, or else the worst.
    pub moments: Vec<Moment>,
    /// Which of both they are.
    pub moments_are: MomentsKind,
}

/// First plies, from 0, of the middlegame and the endgame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Division {
    /// That of the middlegame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub middle: Option<usize>,
    /// That of the endgame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
}

impl Division {
    /// The phase before a move, by its index from 0: 0 for the opening, 1 for the middlegame, 2 for the endgame.
    #[must_use]
    pub fn phase(self, ply: usize) -> usize {
        let is_from = |start: Option<usize>| start.is_some_and(|start| ply >= start);
        if is_from(self.end) { 2 } else { usize::from(is_from(self.middle)) }
    }
}

impl GameReport {
    /// The report as a JSON object on a line of its own.
    #[must_use]
    pub fn to_json_line(&self) -> String {
        // Numbers, texts and lists can always be written.
        serde_json::to_string(self).map_or_else(|_| String::new(), |text| text + "\n")
    }
}

/// A player's game.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct PlayerReport {
    /// The name; empty if it is not known.
    pub name: String,
    /// The rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<u32>,
    /// The sum of the player's moves.
    pub analysis: PlayerAnalysis,
}

/// The sum of a player's moves.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct PlayerAnalysis {
    /// Inaccuracies.
    pub inaccuracy: usize,
    /// Mistakes.
    pub mistake: usize,
    /// Blunders.
    pub blunder: usize,
    /// Moves that were the best.
    pub best: usize,
    /// lichess' mean loss, centipawns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acpl: Option<i64>,
    /// lichess' accuracy, per cent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// Expected points lost.
    pub lost: Loss,
    /// The same in opening, middlegame and endgame.
    pub phases: [Loss; 3],
    /// Moves in opening, middlegame and endgame.
    pub moves: [usize; 3],
}

/// A position. Numbers are from White's point of view.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PositionReport {
    /// Centipawns; missing where there is a mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval: Option<i32>,
    /// Moves to mate, negative if Black mates; 0 on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// Depth of the search, plies; 0 if the game is over.
    pub depth: usize,
    /// Nodes of the search.
    pub nodes: u64,
    /// How often it was searched, each time with more nodes; the numbers are those of the last search.
    #[serde(skip_serializing_if = "is_first_look")]
    pub looks: usize,
    /// Win, draw and loss for the two players, per mille.
    pub wdl: [u32; 3],
    /// The same for equal players at their mean rating; missing where it is the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equals: Option<[u32; 3]>,
    /// The same in games of the engine's own.
    pub nominal: [u32; 3],
    /// Expected points for the two players.
    pub expected: f64,
    /// How sharp it is.
    pub sharpness: f64,
    /// The best lines, best first; empty if the game is over.
    pub lines: Vec<LineReport>,
}

/// Whether there was no second look.
fn is_first_look(looks: &usize) -> bool {
    *looks < 2
}

/// A line of best play.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LineReport {
    /// As in [`PositionReport`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval: Option<i32>,
    /// As in [`PositionReport`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// As in [`PositionReport`].
    pub wdl: [u32; 3],
    /// As in [`PositionReport`], and missing in the first line, which has those of the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equals: Option<[u32; 3]>,
    /// The same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nominal: Option<[u32; 3]>,
    /// Expected points that its first move loses, between equals at the rating of the player to move; in answers to requests
    /// alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<Loss>,
    /// The moves in UCI notation.
    pub uci: String,
    /// The moves in standard algebraic notation.
    pub san: String,
}

/// A move and the position after it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MoveReport {
    /// The move in UCI notation.
    pub uci: String,
    /// The position after it.
    #[serde(flatten)]
    pub after: PositionReport,
    /// The best move in UCI notation, if it was another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// Its line in standard algebraic notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variation: Option<String>,
    /// The judgement of a bad move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judgment: Option<JudgmentReport>,
    /// Expected points that it lost, between equals at the player's rating.
    pub lost: Loss,
    /// Whether it was the only move: the best, and the next best loses as much as a mistake. Known where the search had more
    /// than one line.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub only: bool,
    /// How many moves kept the result before it, and how much the next best lost, in words. Known where the search had more
    /// than one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
    /// The piece that it sacrificed without a loss, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sacrifice: Option<&'static str>,
    /// lichess' accuracy of the move, per cent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// What people of the player's rating do there, where it is known: before bad moves of players with a rating, or
    /// before all moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people: Option<PeopleReport>,
}

/// A judgement, as lichess exports it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct JudgmentReport {
    /// How bad it is.
    pub name: Judgment,
    /// What the move did, as far as it can be named: `missedMate`, `allowedMate`, `stalemate`, `lostMaterial`,
    /// `missedMaterial`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<&'static str>,
    /// What the move did and changed, in words.
    pub what: String,
    /// What people of the player's rating do there, in words; missing where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people: Option<String>,
    /// All of it in a few sentences.
    pub comment: String,
}

/// Which moves are told as moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MomentsKind {
    /// Those that brought the result for good.
    Decisive,
    /// Those that lost most: no move brought the result, or it is not known.
    Worst,
}

/// A move that decided the game, or a bad one.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Moment {
    /// Its ply, from 1.
    pub ply: usize,
    /// What it did, in words.
    pub text: String,
}

fn as_map<S: Serializer>(pairs: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

fn by_color<S: Serializer, T: Serialize>(both: &ByColor<T>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map([("white", &both.white), ("black", &both.black)])
}
