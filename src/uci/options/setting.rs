//! What a `setoption` sets.

use crate::printing::TimeClass;
use crate::uci::contempt::Side;
use shakmaty::Color;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// An option with its new value.
#[derive(Clone, Debug, PartialEq)]
pub enum SetOption {
    /// Size of the transposition table, MiB.
    Hash(usize),
    /// Clears all memory of earlier searches.
    ClearHash,
    /// Number of search threads.
    Threads(usize),
    /// Number of best moves to report.
    MultiPv(usize),
    /// The engine will ponder.
    Ponder(bool),
    /// Time lost between engine and clock with each move.
    MoveOverhead(Duration),
    /// With more time than the opponent, play slower when behind and faster when ahead.
    ClockLead(bool),
    /// Print W/D/L with each score.
    ShowWdl(bool),
    /// Print W/D/L of each move for the comments of OpenBench.
    PgnComment(bool),
    /// Read and print castling as Chess960 does.
    Chess960(bool),
    /// File of evaluation weights; `None` for the built-in ones.
    EvalParams(Option<PathBuf>),
    /// Whether the network adds to the evaluation.
    UseNetwork(bool),
    /// File of a network; `None` for the built-in one.
    EvalFile(Option<PathBuf>),
    /// Name of the level profile of printed W/D/L.
    WdlProfile(String),
    /// File of level profiles; `None` for the built-in ones.
    WdlProfileFile(Option<PathBuf>),
    /// File of what scores mean in self-play games; `None` for the built-in one.
    WdlNominalFile(Option<PathBuf>),
    /// Rating of one of the players that printed W/D/L are for; 0 if it is not known.
    WdlElo(Color, u32),
    /// Time class of their games.
    WdlTimeControl(TimeClass),
    /// Whether the time that they have left counts.
    WdlClocks(bool),
    /// Rating advantage of the engine, Elo; 0 for none.
    Contempt(i32),
    /// Find out the rating advantage if `Contempt` is 0.
    AutoContempt(bool),
    /// Rating advantage of the engine as the client says, Elo; 0 for unknown.
    RatingAdvantage(i32),
    /// Description of the opponent; empty for none.
    Opponent(String),
    /// Rating of the engine; 0 for unknown.
    OwnElo(i32),
    /// Who has the rating advantage.
    ContemptSide(Side),
    /// Print scores with contempt.
    ShowContempt(bool),
    /// Play at the strength of people.
    LimitStrength(bool),
    /// Rating of these people, Elo.
    Elo(i32),
    /// Chooses their moves; 0 for others each time.
    HumanSeed(i32),
    /// File of how people move; `None` for the built-in one.
    HumanFile(Option<PathBuf>),
    /// Every search is analysis.
    AnalyseMode(bool),
    /// Folders of Syzygy tables; empty for none.
    SyzygyPath(OsString),
    /// Least depth, in plies, at which positions with most pieces are looked up.
    SyzygyProbeDepth(i32),
    /// Whether a table win that takes more than fifty moves is a draw.
    Syzygy50MoveRule(bool),
    /// Most pieces for which tables are used.
    SyzygyProbeLimit(usize),
    /// File of constants of the search; `None` for the built-in ones.
    #[cfg(any(test, feature = "spsa"))]
    SearchParams(Option<PathBuf>),
    /// A constant of the search by its place in the table, with its value.
    #[cfg(any(test, feature = "spsa"))]
    SearchConstant(usize, f64),
}

impl SetOption {
    /// Whether it changes which endgame tables there are.
    pub fn changes_tables(&self) -> bool {
        matches!(self, SetOption::SyzygyPath(_))
    }
}
