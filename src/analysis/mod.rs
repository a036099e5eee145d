//! Analysis that people look at: games or positions in; a page, annotated PGN and JSON out.
//!
//! Text goes in and reports come out; no file is opened. [`Analyser`] is the way in:
//!
//! ```
//! use halfpoint::analysis::{Analyser, AnalysisOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut options = AnalysisOptions::default();
//! options.search.nodes = Some(2000); // for each position
//! let mut analyser = Analyser::new(options)?;
//! let report = analyser.game("[WhiteElo \"1500\"]\n[BlackElo \"1500\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0")?;
//!
//! let blunder = &report.analysis[3];
//! let [win, draw, loss] = blunder.after.wdl; // White's, per mille, for players rated 1500
//! println!("{}: W/D/L {win}/{draw}/{loss}, {:.2} points lost", blunder.uci, blunder.lost.total);
//! assert_eq!(blunder.uci, "e8e7");
//! # Ok(())
//! # }
//! ```
//!
//! | item | is |
//! |---|---|
//! | [`Analyser`] | an engine that analyses positions and games, with progress and a way to stop it |
//! | [`read`] | text in PGN, FEN or EPD to [`Source`]s |
//! | [`Analysis`] | the searches of games, one at a time, for who has threads or machines of his own |
//! | [`Crew`] | threads that do these searches |
//! | [`GameReport`], [`PositionReport`] | what is told of a game and of a position |
//! | [`html_page`], [`annotated_pgn`], [`GameReport::to_json_line`] | the forms in which it is told |
//! | [`page_frame`], [`page_entry`] | the page in parts, for who makes the reports one by one |
//! | [`answer_request`], [`answer_request_as_found`] | a position as JSON, at the end or while it is searched |
//!
//! Structs that may grow cannot be written as literals elsewhere: take the default and set fields.

mod analyser;
mod assess_game;
mod assess_position;
mod causes;
mod crew;
mod ending;
mod evaluation;
mod game_search;
mod games_text;
mod html;
mod isolated;
mod lichess;
mod measures;
mod moments;
mod openings;
mod own_stack;
mod pairing;
mod people;
mod pgn;
mod remarks;
mod requests;
mod schema;
mod searcher;
mod second_look;
mod sides;
mod source;
mod steps;

pub use analyser::{Analyser, AnalysisError, Progress};
pub use crew::Crew;
pub use ending::Ending;
pub use evaluation::{StaticWdl, evaluation_json, evaluation_notes, printed_evaluation};
pub use games_text::{Input, InputError, Selection, read};
pub use html::{html_page, page_entry, page_frame};
pub use isolated::isolated;
pub use measures::{Judgment, Loss, SHARPNESS_LIMIT, Thresholds, sharpness};
pub use openings::Opening;
pub use pairing::PlayerOptions;
pub use people::PeopleReport;
pub use pgn::{annotated_pgn, is_annotated};
pub use remarks::{Choices, ClockReport, Remark};
pub use requests::{Reply, answer_request, answer_request_as_found};
pub use schema::{
    Division, ENGINE, GameReport, JudgmentReport, LineReport, Moment, MomentsKind, MoveReport, PlayerAnalysis,
    PlayerReport, PositionReport, SCHEMA,
};
pub use searcher::{Found, FoundLine, SearchOptions, SearchProgress, Searcher, Stopped, Watch};
pub use source::Source;
pub use steps::{Analysis, AnalysisOptions, Batch, Searched};

#[cfg(test)]
mod tests;
