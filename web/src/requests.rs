//! What the page asks for, and what it gets.

use crate::people::People;
use halfpoint::analysis::{AnalysisOptions, PlayerOptions, Source};
use halfpoint::games::Tags;
use halfpoint::printing::{TimeClass, UnknownTimeClass};
use serde::{Deserialize, Serialize};

/// A request. What is behind the first line of its text is the request's data.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", deny_unknown_fields)]
pub enum Request {
    /// Reads the data, games in PGN or positions in FEN or EPD, as they are or compressed.
    Read {
        /// Stands before each fault.
        name: String,
    },
    /// Begins the analysis of a game.
    Begin {
        /// Its index among those that were read.
        game: usize,
        /// How it is analysed.
        options: GameOptions,
    },
    /// Searches the next position of that game.
    Step,
    /// What stands before and behind the reports in the file of a page.
    #[serde(rename_all = "camelCase")]
    Frame {
        /// Its title.
        title: String,
        /// Whether the reports are of positions.
        are_positions: bool,
    },
    /// Answers the data, a request of `halfpoint analyse --json-lines`, each time when the lines are new, and tells once how
    /// hard the position is where a rating is known.
    Search {
        /// The time control of the game as its tag has it.
        control: Option<String>,
    },
    /// A position, and what can be played in it.
    Position {
        /// Where the moves begin.
        fen: String,
        /// Moves in UCI notation.
        moves: Vec<String>,
    },
}

/// How a game is analysed.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GameOptions {
    /// Nodes of each position.
    nodes: u64,
    /// Best lines of each position.
    lines: usize,
    /// Rating of White.
    white_elo: Option<u32>,
    /// Rating of Black.
    black_elo: Option<u32>,
    /// Time control.
    time_control: Option<String>,
    /// Whether W/D/L go by the clocks, too.
    #[serde(default)]
    clocks: bool,
    /// Whether it is told of each position how hard it was, and not of those before bad moves alone.
    #[serde(default)]
    people: bool,
    /// Whether ratings and time control hold only where the game does not tell them.
    #[serde(default)]
    only_missing: bool,
}

/// Most best lines.
const MAX_LINES: usize = 5;

impl GameOptions {
    /// The options of an analysis of a game with these tags.
    ///
    /// # Errors
    ///
    /// That the time control is none.
    pub fn for_game(&self, tags: &Tags) -> Result<AnalysisOptions, String> {
        let mut options = AnalysisOptions::default();
        options.search.nodes = Some(self.nodes.max(1));
        options.search.multi_pv = self.lines.clamp(1, MAX_LINES);
        options.people = self.people;
        let class = self.time_control.as_deref().map(str::parse).transpose();
        let class = class.map_err(|unknown: UnknownTimeClass| unknown.to_string())?;
        let told = told_by(tags);
        let or_told = |is_told: bool| !(self.only_missing && is_told);
        options.players = PlayerOptions::default();
        options.players.white_elo = self.white_elo.filter(|_| or_told(told.white_elo.is_some()));
        options.players.black_elo = self.black_elo.filter(|_| or_told(told.black_elo.is_some()));
        options.players.time_class = class.filter(|_: &TimeClass| or_told(told.time_control.is_some()));
        options.players.clocks = self.clocks;
        Ok(options)
    }
}

/// What a game tells of its players and their time.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Told {
    white_elo: Option<u32>,
    black_elo: Option<u32>,
    time_control: Option<&'static str>,
}

fn told_by(tags: &Tags) -> Told {
    let class = tags.time_class();
    Told { white_elo: tags.white_elo(), black_elo: tags.black_elo(), time_control: class.map(TimeClass::name) }
}

/// A game or position that was read.
#[derive(Serialize)]
pub struct Listed {
    number: usize,
    event: String,
    white: String,
    black: String,
    result: String,
    fen: String,
    positions: usize,
    #[serde(flatten)]
    told: Told,
}

impl Listed {
    /// The entry of a game.
    pub fn of(source: &Source) -> Listed {
        let tag = |name| source.tags.known(name).to_owned();
        Listed {
            number: source.number,
            event: tag("Event"),
            white: tag("White"),
            black: tag("Black"),
            result: source.result.to_string(),
            fen: source.start.fen(),
            positions: source.positions(),
            told: told_by(&source.tags),
        }
    }
}

/// An answer.
#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum Answer {
    /// What was read.
    Read { are_positions: bool, games: Vec<Listed>, faults: Vec<String>, warnings: Vec<String> },
    /// How many positions of the game were searched.
    Done { done: usize },
    /// The report of the game: as JSON, for the page, and as annotated PGN.
    Report { json: String, entry: String, pgn: String },
    /// Before and behind the reports.
    Frame { frame: [String; 2] },
    /// How hard the position of a search is, and what is played there.
    People { people: People },
    /// Why there is none.
    Failed { error: String },
}
