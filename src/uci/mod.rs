//! The Universal Chess Interface: commands in, options, reports out.
//!
//! A session reads commands on one thread and runs searches on another, so it listens while it thinks. Whatever it does
//! not understand it answers with one `info string` line, and leaves its state as it was.

pub mod bench;
pub mod perft;

mod command;
mod console;
mod contempt;
mod display;
mod go;
mod options;
mod output;
mod report;

pub use command::{Command, CommandError, Setup};
pub use contempt::{OpponentError, Side};
pub use go::{Go, GoError};
pub use options::{OptionError, Setting};
pub use output::{line, one_line};

use crate::eval::{self, Weights, WeightsError};
use crate::position::{Game, InvalidFen, InvalidMove, Position};
use crate::search::{DEFAULT_HASH_MIB, HashError, Limits, Pool, SearchParams, SearchParamsError, Settings};
use crate::wdl::profile::{FROM_FILE, NOMINAL, Pace, Profile, Profiles, ProfilesError, UNCORRECTED};
use console::{Console, Nature};
use contempt::Contempt;
use output::info_string;
use report::{Level, Reporter};
use std::fs::File;
use std::io::{self, Read as _};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// Most bytes of a file of weights or profiles that are read.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// Why a session cannot begin.
#[derive(Debug, Error)]
pub enum StartError {
    /// No memory for the transposition table.
    #[error("{0}")]
    Hash(#[from] HashError),
    /// No thread to read the input.
    #[error("cannot read the input: {0}")]
    Input(#[from] io::Error),
}

/// Why a `position` was refused.
#[derive(Debug, Error)]
pub enum SetupError {
    /// The FEN is malformed or cannot be played.
    #[error("position: {0}")]
    Fen(#[from] InvalidFen),
    /// A move of the list is malformed or illegal.
    #[error("position: move {number} of {total}: {reason}")]
    Move {
        /// Which move of the list, from 1.
        number: usize,
        /// Length of the list.
        total: usize,
        /// What is wrong with it.
        reason: InvalidMove,
    },
}

/// Why an option could not take its value.
#[derive(Debug, Error)]
pub enum SettingError {
    /// No memory for a table of this size.
    #[error("option Hash: {0}")]
    Hash(#[from] HashError),
    /// The file of an option cannot be read.
    #[error("option {option}: cannot read '{}': {reason}", path.display())]
    Unreadable {
        /// The option.
        option: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// The file does not hold weights.
    #[error("option EvalParams: '{}': {reason}", path.display())]
    Weights {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        reason: WeightsError,
    },
    /// The file does not hold constants of the search.
    #[error("option SearchParams: '{}': {reason}", path.display())]
    SearchParams {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        reason: SearchParamsError,
    },
    /// The file does not hold profiles.
    #[error("option WDL_ProfileFile: '{}': {reason}", path.display())]
    Profiles {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        reason: ProfilesError,
    },
    /// There is no such profile.
    #[error("option WDL_Profile: '{name}' is not one of {known}; a WDL_ProfileFile that has it will set it")]
    Profile {
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// The opponent is not described as the protocol says.
    #[error("option UCI_Opponent: {0}")]
    Opponent(#[from] OpponentError),
    /// No profile is for players of a rating who play at this pace.
    #[error("options WDL_Elo, WDL_TimeControl: no profile for {0} games has a rating, so WDL_Profile decides")]
    Unrated(Pace),
    /// There are no profiles but those of the binary.
    #[error("option WDL_Profile: 'file' needs a WDL_ProfileFile, which will set it")]
    NoFile,
}

/// Runs a session on standard input and output until `quit` or the end of input.
///
/// # Errors
///
/// [`StartError`] if there is no memory or no thread to begin with.
pub fn run() -> Result<(), StartError> {
    let mut session = Session::new()?;
    loop {
        match session.console.next() {
            Command::Quit => return Ok(()),
            command => session.execute(command),
        }
    }
}

/// The engine between two commands.
struct Session {
    console: Console,
    pool: Pool,
    weights: Arc<Weights>,
    game: Game,
    settings: Settings,
    chess960: bool,
    show_wdl: bool,
    levels: Levels,
    contempt: Contempt,
    analyse_mode: bool,
    /// What was last said of the contempt in force.
    told: String,
    /// Whether a new game has begun since.
    new_game: bool,
}

/// What decides for which games W/D/L are printed.
struct Levels {
    profiles: Profiles,
    /// Whether the profiles are those of a file.
    from_file: bool,
    /// Name of the profile that is chosen.
    name: String,
    /// A name that was asked for and that no profile has yet.
    wanted: Option<String>,
    /// Rating that is asked for; 0 for none.
    elo: usize,
    /// Pace of the games that the rating is for.
    pace: Pace,
}

impl Levels {
    /// The profile of the rating, if one is asked for and known.
    fn rated(&self) -> Option<Profile> {
        (self.elo > 0).then(|| self.profiles.at_elo(self.elo as f64, self.pace)).flatten()
    }

    /// The level in force: that of the rating, else that of the name.
    fn level(&self) -> Level {
        let named = || match self.name.eq_ignore_ascii_case(FROM_FILE) {
            true => self.profiles.first().cloned(),
            false => self.profiles.get(&self.name).cloned(),
        };
        match self.rated().or_else(named) {
            Some(profile) => Level::Profile(Box::new(profile)),
            None if self.name.eq_ignore_ascii_case(UNCORRECTED) => Level::Uncorrected,
            None => Level::Nominal,
        }
    }

    fn set_name(&mut self, name: String) -> Result<(), SettingError> {
        let own = [NOMINAL, UNCORRECTED, FROM_FILE];
        if name.eq_ignore_ascii_case(FROM_FILE) && (!self.from_file || self.profiles.first().is_none()) {
            return Err(SettingError::NoFile);
        }
        if !own.iter().any(|known| name.eq_ignore_ascii_case(known)) && self.profiles.get(&name).is_none() {
            let known: Vec<_> = own.into_iter().chain(self.profiles.names()).collect();
            return Err(SettingError::Profile { name, known: known.join(", ") });
        }
        self.name = name;
        Ok(())
    }

    /// Takes the name once it is known: clients set options in an order of their own.
    fn ask_for(&mut self, name: String) -> Result<(), SettingError> {
        let result = self.set_name(name.clone());
        self.wanted = result.is_err().then_some(name);
        result
    }

    /// Takes both, in whatever order they are set; what has no profile yet is told.
    fn set_elo(&mut self, elo: usize, pace: Pace) -> Result<(), SettingError> {
        (self.elo, self.pace) = (elo, pace);
        if elo > 0 && self.rated().is_none() { Err(SettingError::Unrated(pace)) } else { Ok(()) }
    }

    /// Takes other profiles. A name that was chosen and is not among them is told, and nominal until a file has it again.
    fn set_profiles(&mut self, profiles: Profiles, from_file: bool) {
        (self.profiles, self.from_file) = (profiles, from_file);
        if self.wanted.clone().is_some_and(|name| self.set_name(name).is_ok()) {
            self.wanted = None;
        } else if let Err(error) = self.set_name(self.name.clone()) {
            info_string(error);
            let name = mem::replace(&mut self.name, NOMINAL.to_owned());
            self.wanted.get_or_insert(name);
        }
        if let Err(error) = self.set_elo(self.elo, self.pace) {
            info_string(error);
        }
    }
}

impl Session {
    fn new() -> Result<Session, StartError> {
        let weights = Weights::shipped();
        Ok(Session {
            pool: Pool::new(weights.clone(), SearchParams::shipped(), DEFAULT_HASH_MIB, 1)?,
            console: Console::open()?,
            weights,
            game: Game::default(),
            settings: Settings::default(),
            chess960: false,
            show_wdl: false,
            levels: Levels {
                profiles: Profiles::shipped(),
                from_file: false,
                name: NOMINAL.to_owned(),
                wanted: None,
                elo: 0,
                pace: Pace::Classical,
            },
            contempt: Contempt::default(),
            analyse_mode: false,
            told: String::new(),
            new_game: false,
        })
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::Uci => introduce(),
            Command::IsReady => line("readyok"),
            Command::Help => help(),
            Command::Debug(on) => self.console.debug = on,
            Command::NewGame => {
                self.pool.clear();
                self.new_game = true;
            }
            Command::Position(setup) => self.set_up(&setup),
            Command::SetOption(setting) => self.set_option(setting),
            Command::Go(go) => self.go(&go),
            Command::Perft(depth) => self.perft(depth),
            Command::Bench(depth) => self.bench(depth.unwrap_or(bench::DEFAULT_DEPTH)),
            Command::Display => line(display::diagram(self.game.position())),
            Command::Eval => line(eval::explain(self.game.position(), &self.weights).trim_end()),
            // Nothing runs; the caller ends the session.
            Command::Stop | Command::PonderHit | Command::Quit => {}
        }
    }

    fn set_up(&mut self, setup: &Setup) {
        match read_game(setup, self.chess960) {
            Ok(game) => self.game = game,
            Err(error) => info_string(error),
        }
    }

    fn set_option(&mut self, setting: Setting) {
        if let Err(error) = self.apply(setting) {
            info_string(error);
        }
    }

    fn apply(&mut self, setting: Setting) -> Result<(), SettingError> {
        match setting {
            Setting::Hash(mib) => self.pool.set_hash(mib)?,
            Setting::ClearHash => self.pool.clear(),
            Setting::Threads(threads) => self.pool.set_threads(threads),
            Setting::MultiPv(lines) => self.settings.multi_pv = lines,
            // More time for each move; `go ponder` is always understood.
            Setting::Ponder(ponders) => self.settings.ponders = ponders,
            Setting::MoveOverhead(overhead) => self.settings.move_overhead = overhead,
            Setting::ShowWdl(on) => self.show_wdl = on,
            Setting::Chess960(on) => self.chess960 = on,
            Setting::EvalParams(path) => {
                self.weights = path.map_or_else(|| Ok(Weights::shipped()), |path| read_weights(&path).map(Arc::new))?;
                self.pool.set_weights(self.weights.clone());
            }
            Setting::SearchParams(path) => {
                let params = path.map_or_else(|| Ok(SearchParams::shipped()), |path| read_search_params(&path))?;
                self.pool.set_params(params);
            }
            Setting::WdlProfile(name) => self.levels.ask_for(name)?,
            Setting::WdlProfileFile(path) => {
                let profiles = path.as_deref().map_or_else(|| Ok(Profiles::shipped()), read_profiles)?;
                self.levels.set_profiles(profiles, path.is_some());
            }
            Setting::WdlElo(elo) => self.levels.set_elo(elo, self.levels.pace)?,
            Setting::WdlTimeControl(pace) => self.levels.set_elo(self.levels.elo, pace)?,
            Setting::Contempt(elo) => self.contempt.elo = elo,
            Setting::AutoContempt(on) => self.contempt.auto = on,
            Setting::RatingAdvantage(elo) => self.contempt.advantage = elo,
            Setting::Opponent(text) => {
                // It is another opponent, even if nothing can be made of the text.
                self.contempt.opponent = None;
                if !text.is_empty() {
                    self.contempt.opponent = Some(text.parse()?);
                }
            }
            Setting::OwnElo(elo) => self.contempt.own_elo = elo,
            Setting::ContemptSide(side) => self.contempt.side = side,
            Setting::ShowContempt(on) => self.contempt.shown = on,
            Setting::AnalyseMode(on) => self.analyse_mode = on,
        }
        Ok(())
    }

    fn go(&mut self, go: &Go) {
        let limits = match go.limits(self.game.position()) {
            Ok(limits) => limits,
            Err(error) => return info_string(error),
        };
        if self.console.debug {
            info_string(format_args!("{limits:?} {:?}", self.settings.move_overhead));
        }
        let contempt = self.set_contempt(&limits);
        let level = self.levels.level();
        let reporter = Reporter {
            game: &self.game,
            chess960: self.chess960,
            show_wdl: self.show_wdl,
            level: &level,
            removed: if self.contempt.shown { eval::Contempt::NONE } else { contempt },
            weights: &self.weights,
        };
        let (pool, game, settings) = (&mut self.pool, &self.game, &self.settings);
        let answer = self.console.run(nature(&limits), |control| {
            pool.search(game, &limits, settings, &control.signals, &mut |event| line(reporter.event(&event)))
        });
        if let Some(answer) = answer {
            if answer.best.is_none() {
                line(reporter.game_over());
            }
            line(reporter.best_move(&answer));
        }
    }

    /// Settles the contempt of a search and tells of it if it is new, or the game. Returns what the side to move has from it.
    fn set_contempt(&mut self, limits: &Limits) -> eval::Contempt {
        let turn = self.game.position().turn();
        let nature = nature(limits);
        let analysis = self.analyse_mode || !(nature.limited || nature.ponders);
        let force = self.contempt.in_force(turn, analysis);
        let white = eval::Contempt::from_elo(i32::from(force.white_elo), self.pool.contempt_scale());
        let message = force.message(white, self.contempt.shown);
        // Where nothing is asked for there is nothing to tell, unless something was.
        let asked = !force.reason.is_empty();
        if message != self.told && (asked || !self.told.is_empty()) || self.new_game && asked {
            info_string(&message);
            self.told = message;
        }
        self.new_game = false;
        self.settings.contempt = force.white_elo;
        turn.fold_wb(white, -white)
    }

    fn perft(&mut self, depth: u32) {
        let (position, chess960) = (self.game.position(), self.chess960);
        self.console.run(LIMITED, |control| perft::divide(position, depth, chess960, &|| control.is_cancelled()));
    }

    fn bench(&mut self, depth: usize) {
        let (weights, params) = (&self.weights, self.pool.params());
        let result = self
            .console
            .run(LIMITED, |control| bench::run(depth, weights, params, &control.signals, &|| control.is_cancelled()));
        if let Some(Err(error)) = result {
            info_string(error);
        }
    }
}

/// A task that ends by itself.
const LIMITED: Nature = Nature { limited: true, ponders: false };

fn nature(limits: &Limits) -> Nature {
    let has_limit =
        limits.depth.is_some() || limits.nodes.is_some() || limits.move_time.is_some() || limits.clock.is_some();
    Nature { limited: has_limit && !limits.infinite, ponders: limits.ponder }
}

fn read_game(setup: &Setup, chess960: bool) -> Result<Game, SetupError> {
    let start = match &setup.fen {
        Some(fen) => Position::from_fen(fen, chess960)?,
        None => Position::default(),
    };
    let mut game = Game::new(start);
    let total = setup.moves.len();
    for (index, text) in setup.moves.iter().enumerate() {
        let m =
            game.position().parse_move(text).map_err(|reason| SetupError::Move { number: index + 1, total, reason })?;
        game.play(m);
    }
    Ok(game)
}

fn read_weights(path: &Path) -> Result<Weights, SettingError> {
    let text = read_file("EvalParams", path)?;
    Weights::from_toml(&text).map_err(|reason| SettingError::Weights { path: path.to_owned(), reason })
}

fn read_search_params(path: &Path) -> Result<SearchParams, SettingError> {
    let text = read_file("SearchParams", path)?;
    SearchParams::from_toml(&text).map_err(|reason| SettingError::SearchParams { path: path.to_owned(), reason })
}

fn read_profiles(path: &Path) -> Result<Profiles, SettingError> {
    let text = read_file("WDL_ProfileFile", path)?;
    let profiles = Profiles::from_toml(&text);
    let filled = profiles.and_then(|read| if read.is_empty() { Err(ProfilesError::Empty) } else { Ok(read) });
    filled.map_err(|reason| SettingError::Profiles { path: path.to_owned(), reason })
}

fn read_file(option: &'static str, path: &Path) -> Result<String, SettingError> {
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(MAX_FILE_BYTES).read_to_string(&mut text))
        .map_err(|reason| SettingError::Unreadable { option, path: path.to_owned(), reason })?;
    Ok(text)
}

/// Answers `uci`.
fn introduce() {
    line(concat!("id name Halfpoint ", env!("CARGO_PKG_VERSION")));
    line("id author the Halfpoint authors");
    options::declarations().for_each(line);
    line("uciok");
}

/// Answers `help`.
fn help() {
    line(HELP);
    options::descriptions().for_each(line);
}

const HELP: &str = "\
Commands:
  uci                    introduces the engine and its options
  isready                is answered with readyok once everything before is done, during a search at once
  ucinewgame             forgets what earlier searches found
  position startpos|fen FEN [moves M...]
                         sets up a position
  go [searchmoves M...] [ponder] [wtime T] [btime T] [winc T] [binc T] [movestogo N]
     [depth N] [nodes N] [mate N] [movetime T] [infinite]
                         searches; times T in milliseconds
  go perft DEPTH         counts move sequences
  stop, ponderhit        end the search, or let it go on with the clock running
  setoption name NAME [value VALUE]
                         changes an option
  debug on|off           says how a go was understood and which commands wait
  d                      draws the board, with FEN, key and checkers
  eval                   explains the evaluation of the position
  bench [DEPTH]          searches fixed positions; the node count is a signature
  help                   prints this
  quit                   ends the session, as the end of input does
Options:";
