//! Requests and answers as lines of JSON, for programs that build on the engine.

use super::command::AnalyseError;
use super::players::{PlayerOptions, Players};
use super::position::Printing;
use super::report::{GameReport, PositionReport};
use super::search::{SearchOptions, Searcher};
use crate::games::Tags;
use crate::output::line;
use crate::position::{GameHistory, Position};
use crate::printing::Profiles;
use crate::search::{Limits, STACK_BYTES};
use crossbeam_channel::{Receiver, bounded};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{self, BufRead};
use std::thread;
use std::time::Duration;

/// Most bytes of a request.
const MAX_REQUEST: u64 = 1 << 20;
/// Most best lines.
const MAX_LINES: usize = 256;

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
    #[serde(default)]
    chess960: bool,
    nodes: Option<u64>,
    /// Seconds.
    time: Option<f64>,
    depth: Option<usize>,
    multipv: Option<usize>,
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

/// What requests are answered with where they do not say.
struct Defaults<'a> {
    options: &'a SearchOptions,
    players: &'a PlayerOptions,
    profiles: &'a Profiles,
}

/// An object as a line.
#[must_use]
pub fn to_line(report: &GameReport) -> String {
    // Numbers, texts and lists can always be written.
    serde_json::to_string(report).map_or_else(|_| String::new(), |text| text + "\n")
}

/// Answers requests on standard input until it ends, several at a time, each answer as soon as it is ready. False if one of
/// them was malformed or could not be answered.
///
/// # Errors
///
/// [`AnalyseError`] if there is no memory or no thread, or if standard input cannot be read.
pub fn serve(
    options: &SearchOptions,
    threads: usize,
    players: &PlayerOptions,
    profiles: &Profiles,
) -> Result<bool, AnalyseError> {
    let searchers = (0..threads).map(|_| Searcher::new(options)).collect::<Result<Vec<_>, _>>();
    let searchers = searchers.map_err(super::driver::DriverError::from)?;
    let defaults = Defaults { options, players, profiles };
    thread::scope(|scope| {
        let (sender, receiver) = bounded::<String>(threads);
        let mut workers = Vec::new();
        for searcher in searchers {
            let (receiver, defaults) = (receiver.clone(), &defaults);
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            let worker = builder.spawn_scoped(scope, move || answer_all(searcher, &receiver, defaults));
            workers.push(worker.map_err(super::driver::DriverError::Thread)?);
        }
        let mut input = io::stdin().lock();
        loop {
            let mut bytes = Vec::new();
            let limited = &mut io::Read::take(&mut input, MAX_REQUEST);
            if limited.read_until(b'\n', &mut bytes).map_err(AnalyseError::Requests)? == 0 {
                break;
            }
            let text = String::from_utf8_lossy(&bytes).trim().to_owned();
            if !text.is_empty() && sender.send(text).is_err() {
                break;
            }
        }
        drop(sender);
        let results: Vec<bool> = workers.into_iter().map(|worker| worker.join().unwrap_or(false)).collect();
        Ok(results.into_iter().all(|all_answered| all_answered))
    })
}

/// Answers requests until there are no more. False if one failed.
fn answer_all(mut searcher: Searcher, requests: &Receiver<String>, defaults: &Defaults<'_>) -> bool {
    let mut all_answered = true;
    for text in requests {
        let answer = match serde_json::from_str::<Request>(&text) {
            Ok(request) => {
                let id = request.id.clone();
                answer(&mut searcher, request, defaults).unwrap_or_else(|error| Answer::Failed { id, error })
            }
            Err(error) => Answer::Failed { id: id_of(&text), error: error.to_string() },
        };
        all_answered &= matches!(answer, Answer::Found { .. });
        line(serde_json::to_string(&answer).unwrap_or_default());
    }
    all_answered
}

/// The id of a request that is no good otherwise.
fn id_of(text: &str) -> Value {
    serde_json::from_str::<Value>(text).ok().and_then(|value| value.get("id").cloned()).unwrap_or_default()
}

fn answer(searcher: &mut Searcher, request: Request, defaults: &Defaults<'_>) -> Result<Answer, String> {
    let start = match &request.fen {
        Some(fen) => Position::from_fen(fen, request.chess960).map_err(|error| error.to_string())?,
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
    let players = PlayerOptions {
        white_elo: request.white_elo.or(defaults.players.white_elo),
        black_elo: request.black_elo.or(defaults.players.black_elo),
        time_class: match request.time_control {
            Some(text) => Some(text.parse().map_err(|()| format!("'{text}' is not a time control"))?),
            None => defaults.players.time_class,
        },
        profile: request.profile.or_else(|| defaults.players.profile.clone()),
        clocks: false,
    };
    players.check(defaults.profiles).map_err(|error| error.to_string())?;
    let players = Players::of(&Tags::default(), &players, defaults.profiles);
    let time = match request.time {
        Some(seconds) => Some(Duration::try_from_secs_f64(seconds).map_err(|_| format!("time {seconds} is no time"))?),
        None => None,
    };
    let multi_pv = request.multipv.unwrap_or(defaults.options.multi_pv).clamp(1, MAX_LINES);
    let is_limited = request.nodes.is_some() || time.is_some() || request.depth.is_some();
    let limits = if is_limited {
        Limits {
            nodes: request.nodes.map(|nodes| nodes.max(1)),
            move_time: time,
            depth: request.depth.map(|depth| depth.max(1)),
            ..Limits::default()
        }
    } else {
        defaults.options.limits()
    };
    searcher.clear();
    let found = searcher.search_with(&game, &limits, multi_pv, &mut |_| ());
    let printing = Printing { wdl_for: &players.wdl_for, chess960: request.chess960 };
    let assessment = printing.assess(&game, &found, true);
    let best = assessment.best.map(|m| game.position().format_move(m, request.chess960));
    Ok(Answer::Found {
        id: request.id,
        fen: game.position().fen(),
        wdl_for: players.description,
        position: Box::new(assessment.report),
        best,
    })
}
