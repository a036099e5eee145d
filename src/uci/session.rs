//! The session: the engine's state, and what each command does to it.

use super::commands::{Action, Change, Look, Signal, Task};
use super::console::{Console, TaskControl, TaskKind, parse_line};
use super::current_game::CurrentGame;
use super::go::{Go, describe};
use super::help::greet;
use super::opponent::{Opponent, Play, Turn};
use super::option_values::OptionValues;
use super::report::Reporter;
use super::{bench, display, evaluation, perft};
use crate::analysis::printed_evaluation;
use crate::eval;
use crate::output::{flush, info_string, line, progress, start_queue};
use crate::position::Position;
use crate::printing::Printer;
#[cfg(feature = "statistics")]
use crate::search::statistics;
use crate::search::{DEFAULT_HASH_MIB, Limits, OutOfMemory, Pool, STACK_BYTES, Settings, Signals};
use crate::wdl::contempt::ContemptScale;
use shakmaty::Color;
use std::fmt::Display;
use std::io::{self, IsTerminal as _};
use std::panic::resume_unwind;
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

/// Runs a session on standard input and output until `quit` or the end of input.
///
/// # Errors
///
/// [`StartError`] if there is no memory or no thread to begin with.
pub fn run() -> Result<(), StartError> {
    start_queue()?;
    if io::stdin().is_terminal() {
        greet();
    }
    let run = || {
        let mut session = Session::new(Console::open()?)?;
        loop {
            match session.console.next() {
                Action::Signal(Signal::Quit) => return Ok(()),
                action => session.execute(action),
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
            match input.map(|command| command.action) {
                Ok(Action::Signal(Signal::Quit)) => break,
                Ok(action) => session.execute(action),
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
struct Session {
    console: Console,
    pool: Pool,
    game: CurrentGame,
    options: OptionValues,
    contempt_report: ContemptReport,
    opponent: Opponent,
}

impl Session {
    fn new(console: Console) -> Result<Session, StartError> {
        let options = OptionValues::default();
        Ok(Session {
            pool: Pool::new(options.weights.clone(), DEFAULT_HASH_MIB, 1)?,
            console,
            game: CurrentGame::default(),
            options,
            contempt_report: ContemptReport::default(),
            opponent: Opponent::new(),
        })
    }

    fn execute(&mut self, action: Action) {
        match action {
            // No task runs, so there is nothing to stop; the caller ends the session.
            Action::Signal(_) => {}
            Action::Answer(answer) => self.console.answer(answer),
            Action::Look(look) => show(look, &self.game, &self.options),
            Action::Change(change) => self.change(change),
            Action::Task(Task::Go(go)) => self.go(&go),
            Action::Task(Task::Perft(depth)) => self.perft(depth),
            Action::Task(Task::Bench(depth)) => {
                self.run(|pool, control| bench::run(depth, pool, control.signals(), &|| control.is_cancelled()));
            }
            Action::Task(Task::GenFens(asked)) => {
                self.run(|pool, control| asked.run(pool, control.signals(), &|| control.is_cancelled()));
            }
        }
    }

    fn change(&mut self, change: Change) {
        match change {
            Change::NewGame => {
                self.pool.clear();
                self.contempt_report.is_new_game = true;
                self.opponent.new_game();
            }
            Change::Position(command) => self.game.set(command, self.options.chess960),
            Change::SetOption(option) => {
                if option.changes_tables() {
                    self.opponent.reset();
                }
                if let Err(error) = self.options.set(option, &mut self.pool) {
                    info_string(error);
                }
                if self.options.strength.is_limited {
                    // Not within the first move, which may have less time than that takes.
                    self.opponent.prepare(self.options.tables.as_ref());
                    self.options.human_model();
                }
            }
        }
    }

    /// Answers `go` where the last position was refused, when it may be answered.
    fn go_without_position(&mut self, go: &Go) {
        let (limits, _) = go.limits(&Position::default());
        if limits.infinite || limits.ponder {
            let look = |look| show(look, &self.game, &self.options);
            self.console.run(TaskKind::of_search(&limits), &look, |control| {
                limits.wait(control.signals());
            });
        }
        line("bestmove 0000");
    }

    fn go(&mut self, go: &Go) {
        let Some(game) = self.game.accepted_or_report() else { return self.go_without_position(go) };
        let options = &self.options;
        let (limits, notes) = go.limits(game.position());
        if !notes.is_empty() {
            info_string(format_args!("go: {}", notes.join("; ")));
        }
        if self.console.is_debug() {
            info_string(describe(&limits, options.settings.move_overhead));
        }
        let kind = TaskKind::of_search(&limits);
        let is_analysis = options.analyse_mode || limits.is_analysis();
        let (turn, scale) = (game.position().turn(), self.pool.contempt_scale());
        let contempt = self.contempt_report.contempt(options, turn, is_analysis, scale);
        let settings = Settings { contempt, ..options.settings.clone() };
        let wdl_for = options.wdl_choice.wdl_for_with(go.clocks());
        let printer = Printer { game, nominal: &options.nominal, wdl_for: &wdl_for };
        let mut reporter = Reporter::new(printer, options.chess960, options.show_wdl, options.contempt.shown);
        let (pool, look) = (&mut self.pool, |look| show(look, &self.game, options));
        let opponent = &mut self.opponent;
        let is_limited = options.strength.is_limited && !is_analysis && opponent.prepare(options.tables.as_ref());
        let (recent, class) = (self.game.recent(), options.wdl_choice.time_class());
        // The model takes time to build, so only where it plays.
        let person = is_limited.then(|| {
            let model = options.human_model();
            Turn { game, recent, limits: &limits, settings: &settings, class, model }
        });
        #[cfg(feature = "statistics")]
        statistics::reset();
        let answer = self.console.run(kind, &look, |control| {
            let signals = control.signals();
            let play =
                person.as_ref().and_then(|person| Some((person, opponent.play(options.strength, person, signals)?)));
            let limits = match &play {
                Some((person, Play::Move(chosen))) => {
                    options.report_table_faults();
                    progress(reporter.event(&chosen.report()));
                    chosen.think(person, signals);
                    if person.limits.ponder {
                        // Clients forget the lines before the hit.
                        progress(reporter.event(&chosen.report()));
                    }
                    return chosen.answer();
                }
                Some((_, Play::Search(limits))) => limits,
                None => &limits,
            };
            pool.search(game, limits, &settings, signals, &mut |event| {
                options.report_table_faults();
                progress(reporter.event(&event));
            })
        });
        // Without a thread to search on, there is little time before the client is listened to again.
        let answer = answer.unwrap_or_else(|| {
            let limits = Limits { depth: Some(1), nodes: Some(WITHOUT_THREAD), ..limits };
            let limits = Limits { infinite: false, ponder: false, ..limits };
            pool.search(game, &limits, &settings, &Signals::new(), &mut |event| progress(reporter.event(&event)))
        });
        options.report_table_faults();
        #[cfg(feature = "statistics")]
        statistics::table().into_iter().for_each(info_string);
        if answer.best.is_none() {
            line(reporter.game_over());
        }
        if options.pgn_comment {
            reporter.pgn_comment().into_iter().for_each(line);
        }
        line(reporter.best_move(&answer));
    }

    fn perft(&mut self, depth: u32) {
        let Some(game) = self.game.accepted_or_report() else { return };
        let (position, chess960) = (game.position(), self.options.chess960);
        let look = |look| show(look, &self.game, &self.options);
        self.console.run(TaskKind::LIMITED, &look, |control| {
            perft::divide(position, depth, chess960, &|| control.is_cancelled());
        });
    }

    /// Runs a task that needs no position.
    fn run<E: Display + Send>(&mut self, task: impl FnOnce(&Pool, &TaskControl) -> Result<(), E> + Send) {
        let (pool, look) = (&self.pool, |look| show(look, &self.game, &self.options));
        if let Some(Err(error)) = self.console.run(TaskKind::LIMITED, &look, |control| task(pool, control)) {
            info_string(error);
        }
    }
}

/// Shows the position.
fn show(look: Look, game: &CurrentGame, options: &OptionValues) {
    let Some(game) = game.accepted_or_report() else { return };
    match look {
        Look::Display => line(display::diagram(game.position())),
        Look::Eval => {
            let explanation = eval::Explanation::of(game.position(), &options.weights);
            let wdl_for = options.wdl_choice.wdl_for();
            let printed = printed_evaluation(game.position(), explanation.evaluation, &options.nominal, &wdl_for);
            line(evaluation::text(&explanation, &printed, evaluation::Style::Plain).trim_end());
        }
    }
}

/// What the user was last told about contempt.
#[derive(Default)]
struct ContemptReport {
    message: String,
    /// Whether a new game has begun since.
    is_new_game: bool,
}

impl ContemptReport {
    /// White's contempt in the next search, Elo. Reports it if it has changed, or if a new game has begun.
    fn contempt(&mut self, options: &OptionValues, turn: Color, is_analysis: bool, scale: &ContemptScale) -> i16 {
        let force = options.contempt.in_force(turn, is_analysis);
        let white = eval::Contempt::from_elo(i32::from(force.white_elo), scale);
        let message = force.message(white, options.contempt.shown);
        // A user who has never asked for contempt gets no message.
        let asked = !force.reason.is_empty();
        let changed = message != self.message && (asked || !self.message.is_empty());
        if changed || self.is_new_game && asked {
            info_string(&message);
            self.message = message;
        }
        self.is_new_game = false;
        force.white_elo
    }
}
