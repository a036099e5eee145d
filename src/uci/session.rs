//! The session: the engine's state, and what each command does to it.

use super::command::{PositionCommand, UciCommand};
use super::console::{Console, TaskKind, parse_line};
use super::contempt::Contempt;
use super::error::CommandError;
use super::genfens::GenFens;
use super::go::{Go, describe};
use super::help::{help, introduce};
use super::report::Reporter;
use super::wdl_choice::WdlChoice;
use super::{bench, display, evaluation, perft};
use crate::eval::{self, Weights};
use crate::output::{flush, info_string, line, progress, start_queue};
use crate::position::{GameHistory, InvalidFen, InvalidMove, Position};
use crate::printing::Nominal;
use crate::printing::{Lines, Printer};
use crate::search::{DEFAULT_HASH_MIB, Limits, OutOfMemory, Pool, STACK_BYTES, Settings, Signals};
use crate::tablebase::Tables;
use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use thiserror::Error;

/// Nodes of a search for which no thread can be started.
const WITHOUT_THREAD: u64 = 1000;

/// Why a session cannot begin.
#[derive(Debug, Error)]
pub enum StartError {
    /// There is no memory for the transposition table.
    #[error("{0}")]
    Hash(#[from] OutOfMemory),
    /// No thread can be started to read the input.
    #[error("cannot read the input: {0}")]
    Input(#[from] io::Error),
}

/// Why a `position` is refused.
#[derive(Debug, Error)]
enum PositionError {
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error("position: {0}")]
    Fen(#[from] InvalidFen),
    #[error("position: move {number} of {total}: {reason}")]
    Move { number: usize, total: usize, reason: InvalidMove },
}

/// Runs a session on standard input and output until `quit` or the end of input.
///
/// # Errors
///
/// [`StartError`] if there is no memory or no thread to begin with.
pub fn run() -> Result<(), StartError> {
    start_queue()?;
    let run = || {
        let mut session = Session::new(Console::open()?)?;
        loop {
            match session.console.next() {
                UciCommand::Quit => return Ok(()),
                command => session.execute(command),
            }
        }
    };
    let result = on_large_stack(run);
    flush();
    result
}

/// Executes commands from the command line, each after the end of the one before.
///
/// # Errors
///
/// [`StartError`] if there is no memory or no thread to begin with.
pub fn run_arguments(lines: &[String]) -> Result<(), StartError> {
    on_large_stack(|| {
        let mut session = Session::new(Console::without_input())?;
        for input in lines.iter().flat_map(|line| parse_line(line, false)) {
            match input {
                Ok(UciCommand::Quit) => break,
                Ok(command) => session.execute(command),
                Err(error) => info_string(error),
            }
        }
        Ok(())
    })
}

/// Runs `session` on a thread with the stack of a search, as it searches itself where no thread can be started.
fn on_large_stack(session: impl FnOnce() -> Result<(), StartError> + Send) -> Result<(), StartError> {
    thread::scope(|scope| {
        let session = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, session)?;
        session.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// The engine between two commands.
pub struct Session {
    console: Console,
    pub pool: Pool,
    pub tables: Option<Arc<Tables>>,
    pub weights: Arc<Weights>,
    game: GameHistory,
    /// Why the last `position` was refused: there is nothing to search until a good one comes.
    refused: Option<String>,
    pub settings: Settings,
    pub chess960: bool,
    pub show_wdl: bool,
    pub pgn_comment: bool,
    pub wdl_choice: WdlChoice,
    pub nominal: Nominal,
    pub contempt: Contempt,
    pub analyse_mode: bool,
    /// The last message about contempt.
    reported_contempt: String,
    /// Whether a new game has begun since that message.
    new_game: bool,
}

impl Session {
    fn new(console: Console) -> Result<Session, StartError> {
        let weights = Weights::shipped();
        Ok(Session {
            pool: Pool::new(weights.clone(), DEFAULT_HASH_MIB, 1)?,
            tables: None,
            console,
            weights,
            game: GameHistory::default(),
            refused: None,
            settings: Settings::default(),
            chess960: false,
            show_wdl: false,
            pgn_comment: false,
            wdl_choice: WdlChoice::default(),
            nominal: Nominal::shipped().clone(),
            contempt: Contempt::default(),
            analyse_mode: false,
            reported_contempt: String::new(),
            new_game: false,
        })
    }

    fn execute(&mut self, command: UciCommand) {
        match command {
            UciCommand::Uci => introduce(),
            UciCommand::IsReady => line("readyok"),
            UciCommand::Help => help(),
            UciCommand::Debug(on) => self.console.debug = on,
            UciCommand::NewGame => {
                self.pool.clear();
                self.new_game = true;
            }
            UciCommand::Position(command) => self.set_position(command),
            UciCommand::SetOption(option) => {
                if let Err(error) = self.set_option(option) {
                    info_string(error);
                }
            }
            UciCommand::Go(_) | UciCommand::Perft(_) | UciCommand::Display | UciCommand::Eval
                if let Some(reason) = &self.refused =>
            {
                info_string(reason);
                if matches!(command, UciCommand::Go(_)) {
                    line("bestmove 0000");
                }
            }
            UciCommand::Go(go) => self.go(&go),
            UciCommand::Perft(depth) => self.perft(depth),
            UciCommand::Bench(depth) => self.bench(depth.unwrap_or(bench::DEFAULT_DEPTH)),
            UciCommand::GenFens(asked) => self.gen_fens(&asked),
            UciCommand::Display => line(display::diagram(self.game.position())),
            UciCommand::Eval => {
                let explanation = eval::Explanation::of(self.game.position(), &self.weights);
                let printed = evaluation::printed(&explanation, &self.nominal, &self.wdl_choice.wdl_for());
                line(evaluation::text(&explanation, &printed, evaluation::Style::Plain).trim_end());
            }
            // No task runs, so there is nothing to stop; the caller ends the session.
            UciCommand::Stop | UciCommand::PonderHit | UciCommand::Quit => {}
        }
    }

    fn set_position(&mut self, command: Result<PositionCommand, CommandError>) {
        let game = command.map_err(PositionError::from).and_then(|command| read_game(&command, self.chess960));
        self.refused = game.as_ref().err().map(|error| format!("no position to search: {error}"));
        match game {
            Ok((game, mends)) => {
                self.game = game;
                if !mends.is_empty() {
                    info_string(format_args!("position: {}", mends.join(", ")));
                }
            }
            Err(error) => info_string(error),
        }
    }

    fn go(&mut self, go: &Go) {
        let (limits, notes) = go.limits(self.game.position());
        if !notes.is_empty() {
            info_string(format_args!("go: {}", notes.join("; ")));
        }
        if self.console.debug {
            info_string(describe(&limits, self.settings.move_overhead));
        }
        let kind = TaskKind::of_search(&limits);
        self.set_contempt(kind);
        let wdl_for = self.wdl_choice.wdl_for_with(go.clocks());
        let mut reporter = Reporter {
            printer: Printer { game: &self.game, nominal: &self.nominal, wdl_for: &wdl_for },
            chess960: self.chess960,
            show_wdl: self.show_wdl,
            shows_contempt: self.contempt.shown,
            lines: Lines::default(),
            last: None,
        };
        let (pool, game, settings, tables) = (&mut self.pool, &self.game, &self.settings, &self.tables);
        let answer = self.console.run(kind, |control| {
            pool.search(game, &limits, settings, &control.signals, &mut |event| {
                report_faults(tables.as_deref());
                progress(reporter.event(&event));
            })
        });
        // Without a thread to search on, there is little time before the client is listened to again.
        let answer = answer.unwrap_or_else(|| {
            let limits = Limits { depth: Some(1), nodes: Some(WITHOUT_THREAD), ..limits };
            let limits = Limits { infinite: false, ponder: false, ..limits };
            pool.search(game, &limits, settings, &Signals::new(), &mut |event| progress(reporter.event(&event)))
        });
        report_faults(tables.as_deref());
        if answer.best.is_none() {
            line(reporter.game_over());
        }
        if self.pgn_comment {
            reporter.pgn_comment().into_iter().for_each(line);
        }
        line(reporter.best_move(&answer));
    }

    /// Reports what was found wrong with the tables.
    pub fn report_faults(&self) {
        report_faults(self.tables.as_deref());
    }

    /// Sets the contempt of the next search. Reports it if it has changed, or if a new game has begun.
    fn set_contempt(&mut self, kind: TaskKind) {
        let turn = self.game.position().turn();
        let analysis = self.analyse_mode || !(kind.limited || kind.ponders);
        let force = self.contempt.in_force(turn, analysis);
        let white = eval::Contempt::from_elo(i32::from(force.white_elo), self.pool.contempt_scale());
        let message = force.message(white, self.contempt.shown);
        // A user who has never asked for contempt gets no message.
        let asked = !force.reason.is_empty();
        let changed = message != self.reported_contempt && (asked || !self.reported_contempt.is_empty());
        if changed || self.new_game && asked {
            info_string(&message);
            self.reported_contempt = message;
        }
        self.new_game = false;
        self.settings.contempt = force.white_elo;
    }

    fn perft(&mut self, depth: u32) {
        let (position, chess960) = (self.game.position(), self.chess960);
        self.console
            .run(TaskKind::LIMITED, |control| perft::divide(position, depth, chess960, &|| control.is_cancelled()));
    }

    fn bench(&mut self, depth: usize) {
        let pool = &self.pool;
        let result = self
            .console
            .run(TaskKind::LIMITED, |control| bench::run(depth, pool, &control.signals, &|| control.is_cancelled()));
        if let Some(Err(error)) = result {
            info_string(error);
        }
    }

    fn gen_fens(&mut self, asked: &GenFens) {
        let pool = &self.pool;
        let result = self
            .console
            .run(TaskKind::LIMITED, |control| asked.run(pool, &control.signals, &|| control.is_cancelled()));
        if let Some(Err(error)) = result {
            info_string(error);
        }
    }
}

fn report_faults(tables: Option<&Tables>) {
    tables.map(Tables::take_faults).unwrap_or_default().into_iter().for_each(info_string);
}

/// The game, and what was mended in the FEN.
fn read_game(command: &PositionCommand, chess960: bool) -> Result<(GameHistory, Vec<&'static str>), PositionError> {
    let (start, mends) = match &command.fen {
        Some(fen) => Position::from_fen_mended(fen, chess960)?,
        None => (Position::default(), Vec::new()),
    };
    let mut game = GameHistory::new(start);
    for (index, text) in command.moves.split_whitespace().enumerate() {
        let total = || command.moves.split_whitespace().count();
        let m = game.position().parse_move(text);
        game.play(m.map_err(|reason| PositionError::Move { number: index + 1, total: total(), reason })?);
    }
    Ok((game, mends))
}
