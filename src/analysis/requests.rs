//! Requests and answers as JSON objects, for programs that build on the engine.

use super::assess_position::Printing;
use super::pairing::{PlayerOptions, Players};
use super::schema::PositionReport;
use super::searcher::{Found, SearchOptions, SearchProgress, Searcher, Stopped, Watch};
use super::steps::AnalysisOptions;
use crate::games::Tags;
use crate::position::{GameHistory, Position};
use crate::printing::{MAX_RATING, Profiles, TimeClass};
use crate::search::Limits;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::ops::{ControlFlow, RangeBounds};
use std::time::Duration;

/// A position to analyse. What is missing is as on the command line.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Request {
    /// Anything; it stands in the answer.
    #[serde(default)]
    id: Value,
    fen: Option<String>,
    #[serde(default)]
    moves: Moves,
    chess960: Option<bool>,
    nodes: Option<u64>,
    /// Seconds.
    time: Option<f64>,
    depth: Option<u64>,
    multipv: Option<u64>,
    white_elo: Option<u32>,
    black_elo: Option<u32>,
    time_control: Option<String>,
    profile: Option<String>,
}

/// Moves in UCI notation, in a list or between blanks.
#[derive(Deserialize)]
#[serde(untagged)]
enum Moves {
    List(Vec<String>),
    Text(String),
}

impl Default for Moves {
    fn default() -> Moves {
        Moves::List(Vec::new())
    }
}

/// An answer: the position with what the search says, or an error.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    #[serde(rename_all = "camelCase")]
    Found {
        id: Value,
        fen: String,
        wdl_for: String,
        #[serde(flatten)]
        position: Box<PositionReport>,
        #[serde(skip_serializing_if = "Option::is_none")]
        best: Option<String>,
    },
    Failed {
        id: Value,
        error: String,
    },
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reply {
    /// A JSON object, without a line end.
    pub json: String,
    /// Whether the request was answered; the object says why not.
    pub is_answered: bool,
}

/// Answers a request, a JSON object as docs/analysis.md describes it. The options hold where it does not say. Needs
/// [`STACK_BYTES`](crate::search::STACK_BYTES) of stack. A search that `watch` breaks off is not answered.
pub fn answer_request(
    searcher: &mut Searcher,
    request: &str,
    options: &AnalysisOptions,
    profiles: &Profiles,
    watch: &mut Watch<'_>,
) -> Reply {
    answer_with(searcher, request, options, profiles, &mut |progress, _| watch(progress))
}

/// The same, and each time when all lines are new `tell` gets the answer as the search would give it then.
pub fn answer_request_as_found(
    searcher: &mut Searcher,
    request: &str,
    options: &AnalysisOptions,
    profiles: &Profiles,
    tell: &mut dyn FnMut(&str) -> ControlFlow<()>,
) -> Reply {
    answer_with(searcher, request, options, profiles, &mut |progress, task| {
        if progress.lines.is_empty() {
            return ControlFlow::Continue(());
        }
        let found = Found { lines: progress.lines.clone(), nodes: progress.nodes, looks: 1, ..Found::default() };
        tell(&to_json(&task.answer(&found)))
    })
}

fn answer_with(
    searcher: &mut Searcher,
    request: &str,
    options: &AnalysisOptions,
    profiles: &Profiles,
    watch: &mut dyn FnMut(&SearchProgress, &Task) -> ControlFlow<()>,
) -> Reply {
    let answer = match read(request) {
        Ok(request) => {
            let id = request.id.clone();
            let found = Task::of(request, options, profiles).and_then(|task| {
                searcher.clear();
                let mut watch = |progress: &SearchProgress| watch(progress, &task);
                let found = searcher.search_with(&task.game, &task.limits, task.multi_pv, &mut watch);
                found.map(|found| task.answer(&found)).map_err(|stopped| stopped.to_string())
            });
            found.unwrap_or_else(|error| Answer::Failed { id, error })
        }
        Err(error) => Answer::Failed { id: id_of(request), error },
    };
    Reply { json: to_json(&answer), is_answered: matches!(answer, Answer::Found { .. }) }
}

/// Reads a request. The library would also take a list of the values.
fn read(request: &str) -> Result<Request, String> {
    if !request.trim_start().starts_with('{') {
        return Err("a request is an object, as in {\"fen\": \"…\"}".to_owned());
    }
    serde_json::from_str(request).map_err(|error| error.to_string())
}

/// The answer to a request whose search was stopped.
pub(super) fn stopped_reply(request: &str) -> Reply {
    let answer = Answer::Failed { id: id_of(request), error: Stopped.to_string() };
    Reply { json: to_json(&answer), is_answered: false }
}

fn to_json(answer: &Answer) -> String {
    serde_json::to_string(answer).unwrap_or_default()
}

/// The id of a request that is no good otherwise.
fn id_of(text: &str) -> Value {
    serde_json::from_str::<Value>(text).ok().and_then(|value| value.get("id").cloned()).unwrap_or_default()
}

/// A number of a request, if the command line would take it.
fn within<R>(name: &str, number: Option<u64>, range: &R) -> Result<Option<u64>, String>
where
    R: RangeBounds<u64> + fmt::Debug,
{
    match number {
        Some(number) if !range.contains(&number) => Err(format!("{name} {number} is not in {range:?}")),
        number => Ok(number),
    }
}

/// What a request asks for.
struct Task {
    id: Value,
    game: GameHistory,
    chess960: bool,
    players: Players,
    limits: Limits,
    multi_pv: usize,
}

impl Task {
    fn of(request: Request, options: &AnalysisOptions, profiles: &Profiles) -> Result<Task, String> {
        let chess960 = request.chess960.unwrap_or(options.chess960);
        let start = match &request.fen {
            Some(fen) => Position::from_fen(fen, chess960).map_err(|error| error.to_string())?,
            None => Position::default(),
        };
        let mut game = GameHistory::new(start);
        let moves = match request.moves {
            Moves::List(moves) => moves,
            Moves::Text(text) => text.split_whitespace().map(str::to_owned).collect(),
        };
        for text in &moves {
            let m = game.position().parse_move(text).map_err(|error| error.to_string())?;
            game.play(m);
        }
        let rating = |name: &str, rating: Option<u32>| match rating {
            Some(rating) if !(1..=MAX_RATING).contains(&rating) => {
                Err(format!("{name} {rating} is no rating from 1 to {MAX_RATING}"))
            }
            rating => Ok(rating),
        };
        let names_players =
            request.white_elo.is_some() || request.black_elo.is_some() || request.time_control.is_some();
        let players = PlayerOptions {
            white_elo: rating("whiteElo", request.white_elo)?.or(options.players.white_elo),
            black_elo: rating("blackElo", request.black_elo)?.or(options.players.black_elo),
            time_class: match request.time_control {
                Some(text) => Some(TimeClass::timed(&text).map_err(|unknown| unknown.to_string())?),
                None => options.players.time_class,
            },
            // Players that the request names go before a profile of the options.
            profile: request.profile.or_else(|| options.players.profile.clone().filter(|_| !names_players)),
            clocks: false,
        };
        players.check(profiles).map_err(|error| error.to_string())?;
        let players = Players::of(&Tags::default(), &players, profiles);
        let time = match request.time {
            Some(seconds) => {
                let time = Duration::try_from_secs_f64(seconds).ok();
                let time = time.filter(|&time| time >= SearchOptions::LEAST_TIME);
                let least = SearchOptions::LEAST_TIME.as_secs_f64();
                Some(time.ok_or_else(|| format!("time {seconds} is not a number of seconds from {least}"))?)
            }
            None => None,
        };
        let nodes = within("nodes", request.nodes, &SearchOptions::NODES)?;
        let depth = within("depth", request.depth, &SearchOptions::DEPTHS)?.map(|depth| depth as usize);
        let multi_pv = within("multipv", request.multipv, &SearchOptions::LINES)?;
        let multi_pv = multi_pv.map_or(options.search.multi_pv, |lines| lines as usize);
        let is_limited = nodes.is_some() || time.is_some() || depth.is_some();
        let limits = if is_limited {
            Limits { nodes, move_time: time, depth, ..Limits::default() }
        } else {
            options.search.limits()
        };
        Ok(Task { id: request.id, game, chess960, players, limits, multi_pv })
    }

    /// The answer with what a search has found.
    fn answer(&self, found: &Found) -> Answer {
        let Task { game, chess960, players, .. } = self;
        let printing = Printing { wdl_for: &players.wdl_for, equals: &players.equals, chess960: *chess960 };
        let mut assessment = printing.assess(game, found, true);
        for (line, lost) in assessment.report.lines.iter_mut().zip(printing.losses(game, found)) {
            line.lost = Some(lost);
        }
        Answer::Found {
            id: self.id.clone(),
            fen: game.position().fen(),
            wdl_for: players.description.clone(),
            best: assessment.best.map(|m| game.position().format_move(m, *chess960)),
            position: Box::new(assessment.report),
        }
    }
}
