//! Reads commands on a thread of its own, and handles those that arrive while a task runs.

use super::commands::{Action, Answer, Change, Command, Look, Signal, Task, skip_unknown};
use super::error::CommandError;
use super::help::{help, introduce};
use crate::clock::Instant;
use crate::output::{info_string, is_closed, line};
use crate::search::{Limits, STACK_BYTES, Signals};
use crossbeam_channel::{Receiver, Sender, bounded, never, select_biased};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Longest line that is read, in bytes.
const MAX_LINE: usize = 1 << 20;
/// Lines read ahead.
const READ_AHEAD: usize = 16;
/// Most commands that wait for the end of a task.
const MAX_WAITING: usize = 10_000;
/// Most bytes of the positions that wait.
const MAX_WAITING_BYTES: usize = 16 << 20;
/// Time that tasks have after the end of input.
const GRACE: Duration = Duration::from_millis(500);
/// Time between two looks at whether somebody reads the output.
const LOOK_INTERVAL: Duration = Duration::from_millis(200);

/// A command, or what is wrong with it.
pub type Input = Result<Command, CommandError>;

/// The source of commands.
pub struct Console {
    input: Receiver<Input>,
    /// Commands that wait for the end of the running task.
    queue: VecDeque<Command>,
    /// Bytes of the positions in the queue.
    waiting_bytes: usize,
    /// When the input ended.
    ended: Option<Instant>,
    /// Whether `debug on` was sent.
    debug: bool,
}

/// Stops a running task.
pub struct TaskControl {
    signals: Arc<Signals>,
    cancelled: AtomicBool,
}

/// How a task ends.
#[derive(Clone, Copy, Debug)]
pub struct TaskKind {
    /// It has a limit, so it ends by itself unless it ponders.
    limited: bool,
    /// It waits for `ponderhit` or `stop`.
    ponders: bool,
}

impl TaskKind {
    /// Ends by itself.
    pub const LIMITED: TaskKind = TaskKind { limited: true, ponders: false };

    /// That of a search with these limits.
    pub fn of_search(limits: &Limits) -> TaskKind {
        TaskKind { limited: limits.ends_by_itself(), ponders: limits.ponder }
    }
}

/// A task that runs while commands come in.
struct RunningTask<'a> {
    control: &'a TaskControl,
    kind: TaskKind,
    stopped: bool,
}

impl TaskControl {
    fn new() -> TaskControl {
        TaskControl { signals: Signals::new(), cancelled: AtomicBool::new(false) }
    }

    fn stop(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.signals.stop();
    }

    /// Signals of the task's search.
    #[must_use]
    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Whether the task must end.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

impl RunningTask<'_> {
    fn stop(&mut self) {
        self.stopped = true;
        self.control.stop();
    }

    fn ponder_hit(&mut self) {
        self.kind.ponders = false;
        self.control.signals.ponder_hit();
    }

    /// Whether the task ends without another command.
    fn will_end(&self) -> bool {
        self.stopped || (self.kind.limited && !self.kind.ponders)
    }
}

impl Console {
    /// Starts to read standard input.
    ///
    /// # Errors
    ///
    /// An [`io::Error`] if no thread can be started.
    pub fn open() -> io::Result<Console> {
        let (sender, input) = bounded(READ_AHEAD);
        thread::Builder::new()
            .name("input".to_owned())
            .spawn(move || read_commands(&mut io::stdin().lock(), &sender))?;
        Ok(Console { input, ..Console::without_input() })
    }

    /// A console that gets no commands.
    pub fn without_input() -> Console {
        Console { input: never(), queue: VecDeque::new(), waiting_bytes: 0, ended: None, debug: false }
    }

    /// What the next command asks for; [`Signal::Quit`] at the end of input. Lines that are not understood are reported
    /// and skipped.
    pub fn next(&mut self) -> Action {
        if is_closed() {
            return Action::Signal(Signal::Quit);
        }
        if let Some(command) = self.queue.pop_front() {
            self.waiting_bytes -= command.action.bytes();
            return command.action;
        }
        loop {
            match self.input.recv() {
                Ok(Ok(command)) => return command.action,
                Ok(Err(error)) => info_string(error),
                Err(_) => return Action::Signal(Signal::Quit),
            }
        }
    }

    /// Whether `debug on` was sent.
    pub fn is_debug(&self) -> bool {
        self.debug
    }

    /// Answers what needs no position.
    pub fn answer(&mut self, answer: Answer) {
        match answer {
            Answer::Uci => introduce(),
            Answer::IsReady => line("readyok"),
            Answer::Help => help(),
            Answer::Debug(on) => self.debug = on,
        }
    }

    /// Runs `task` on a thread of its own. Commands that arrive meanwhile are answered (`show` shows the position), stop the
    /// task, or wait for its end. `None` if no thread can be started.
    pub fn run<T: Send>(
        &mut self,
        kind: TaskKind,
        show: &dyn Fn(Look),
        task: impl FnOnce(&TaskControl) -> T + Send,
    ) -> Option<T> {
        let control = &TaskControl::new();
        thread::scope(|scope| {
            let (sender, done) = bounded(1);
            let worker = thread::Builder::new().name("search".to_owned()).stack_size(STACK_BYTES);
            let started = worker.spawn_scoped(scope, move || {
                // The receiver lives until the task is over.
                let _ = sender.send(task(control));
            });
            if let Err(error) = started {
                info_string(format_args!("no thread for the search: {error}"));
                return None;
            }
            self.attend(RunningTask { control, kind, stopped: false }, show, &done)
        })
    }

    /// Handles input until the task is done.
    fn attend<T>(&mut self, mut running: RunningTask<'_>, show: &dyn Fn(Look), done: &Receiver<T>) -> Option<T> {
        // Commands that waited for this task are handled as if they arrived now.
        self.waiting_bytes = 0;
        for command in std::mem::take(&mut self.queue) {
            self.handle(&mut running, show, command);
        }
        let mut input = self.input.clone();
        loop {
            if self.is_full() && !running.stopped {
                info_string("too many commands wait: the search is stopped");
                running.stop();
                // Further commands wait in the pipe.
                input = never();
            }
            select_biased! {
                recv(done) -> result => return result.ok(),
                recv(input) -> message => match message {
                    Ok(Ok(command)) => self.handle(&mut running, show, command),
                    Ok(Err(error)) => info_string(error),
                    Err(_) => {
                        input = never();
                        self.ended.get_or_insert_with(Instant::now);
                        if !running.will_end() {
                            running.stop();
                        }
                    }
                },
                default(LOOK_INTERVAL) => {}
            }
            if self.ended.is_some_and(|at| at.elapsed() >= GRACE) || is_closed() {
                self.quit(&mut running);
            }
        }
    }

    /// Handles a command while a task runs. None is lost.
    fn handle(&mut self, running: &mut RunningTask<'_>, show: &dyn Fn(Look), command: Command) {
        match command.action {
            Action::Answer(answer) => self.answer(answer),
            Action::Look(look) if self.queue.is_empty() => show(look),
            Action::Signal(Signal::Quit) => self.quit(running),
            Action::Signal(signal) => {
                if signal == Signal::Stop {
                    running.stop();
                } else {
                    running.ponder_hit();
                }
                // It also applies to a task that waits in the queue.
                if self.queue.iter().any(|waiting| matches!(waiting.action, Action::Task(_))) {
                    self.queue.push_back(command);
                }
            }
            Action::Look(_) | Action::Change(_) => {
                if self.debug || !running.will_end() {
                    info_string(format_args!("'{}' waits for the end of the search", command.name));
                }
                self.defer(command);
            }
            Action::Task(_) => {
                if !running.will_end() {
                    info_string(format_args!("the search is stopped for '{}'", command.name));
                    running.stop();
                } else if self.debug {
                    info_string(format_args!("'{}' waits for the end of the search", command.name));
                }
                self.defer(command);
            }
        }
    }

    /// Stops the task and forgets what waits for its end.
    fn quit(&mut self, running: &mut RunningTask<'_>) {
        running.stop();
        self.queue.clear();
        self.waiting_bytes = 0;
        self.queue.push_back(Command { name: "quit", action: Action::Signal(Signal::Quit) });
    }

    fn defer(&mut self, command: Command) {
        self.waiting_bytes += command.action.bytes();
        self.queue.push_back(command);
    }

    /// Whether so much waits that no further commands are read.
    fn is_full(&self) -> bool {
        self.queue.len() >= MAX_WAITING || self.waiting_bytes >= MAX_WAITING_BYTES
    }
}

/// Reads lines and sends the commands on until either side is closed.
fn read_commands(input: &mut impl BufRead, sender: &Sender<Input>) {
    let mut buffer = Vec::new();
    let mut is_first = true;
    while let Ok(length) = read_line(input, &mut buffer) {
        if length == 0 {
            return;
        }
        let text = String::from_utf8_lossy(&buffer);
        // The name of a file is then that of another one.
        let is_other_value = matches!(text, Cow::Owned(_)) && text.contains("setoption");
        if is_other_value && sender.send(Err(CommandError::NotUtf8)).is_err() {
            return;
        }
        // Editors put a byte order mark before a file of commands.
        let text = if std::mem::take(&mut is_first) { text.trim_start_matches('\u{feff}') } else { &text };
        for input in parse_line(text, length > MAX_LINE) {
            if sender.send(input).is_err() {
                return;
            }
        }
    }
}

/// What a line says: words that are skipped, and the command. Of a line that is too long only `go` is obeyed.
pub fn parse_line(text: &str, is_cut: bool) -> impl Iterator<Item = Input> {
    let (skipped, rest) = skip_unknown(text);
    let skipped = (!skipped.is_empty()).then(|| Err(CommandError::Skipped(skipped.trim().to_owned())));
    let too_long = is_cut.then_some(CommandError::TooLong(MAX_LINE));
    let command = match (too_long, Command::parse(rest)) {
        (None, command) => command.transpose(),
        (Some(_), Ok(Some(command @ Command { action: Action::Task(Task::Go(_)), .. }))) => Some(Ok(command)),
        (Some(error), Ok(Some(Command { name, action: Action::Change(Change::Position(_)) }))) => {
            Some(Ok(Command { name, action: Action::Change(Change::Position(Err(error))) }))
        }
        (Some(error), _) => Some(Err(error)),
    };
    skipped.into_iter().chain(command)
}

/// Reads a line with its end into `buffer`, which keeps at most [`MAX_LINE`] bytes. Returns the line's length in bytes; 0
/// at the end of input.
fn read_line(input: &mut impl BufRead, buffer: &mut Vec<u8>) -> io::Result<usize> {
    buffer.clear();
    let mut length = 0;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(chunk.len(), |index| index + 1);
        buffer.extend_from_slice(&chunk[..used.min(MAX_LINE - buffer.len())]);
        length += used;
        input.consume(used);
        if end.is_some() || used == 0 {
            return Ok(length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossbeam_channel::unbounded;
    use std::cell::Cell;

    fn read(bytes: &[u8]) -> Vec<Input> {
        let (sender, receiver) = unbounded();
        read_commands(&mut &bytes[..], &sender);
        drop(sender);
        receiver.iter().collect()
    }

    fn command(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    #[test]
    fn lines_end_in_any_way() {
        assert_eq!(read(b"uci\r\n\n  \nisready"), [Ok(command("uci")), Ok(command("isready"))]);
    }

    #[test]
    fn strange_bytes_are_unknown_commands() {
        let commands = read(b"\xff\xfe\n\0\nstop\n");
        assert!(commands[0].is_err() && commands[1].is_err());
        assert_eq!(commands[2], Ok(command("stop")));
    }

    #[test]
    fn endless_lines_are_refused_as_a_whole() {
        let mut bytes = vec![b'x'; 3 * MAX_LINE];
        bytes.extend_from_slice(b" quit\nuci\n");
        assert_eq!(read(&bytes), [Err(CommandError::TooLong(MAX_LINE)), Ok(command("uci"))]);
    }

    #[test]
    fn commands_are_shown_wait_or_stop_the_task() {
        let mut console = Console::without_input();
        let kind = TaskKind { limited: true, ponders: true };
        let control = TaskControl::new();
        let mut running = RunningTask { control: &control, kind, stopped: false };
        let shown = Cell::new(0);
        let show = |_| shown.set(shown.get() + 1);
        let [d, position, go] = ["d", "position startpos", "go infinite"].map(command);
        console.handle(&mut running, &show, d.clone());
        assert_eq!((shown.get(), console.queue.len()), (1, 0));
        console.handle(&mut running, &show, position.clone());
        console.handle(&mut running, &show, d.clone());
        assert!(shown.get() == 1 && console.queue == [position.clone(), d.clone()] && !control.is_cancelled());
        console.handle(&mut running, &show, go.clone());
        assert!(console.queue == [position, d, go] && control.is_cancelled());
        console.handle(&mut running, &show, command("quit"));
        assert_eq!(console.queue, [command("quit")]);
    }

    #[test]
    fn a_task_that_ends_by_itself_is_not_stopped_by_another() {
        let mut console = Console::without_input();
        let control = TaskControl::new();
        let mut running = RunningTask { control: &control, kind: TaskKind::LIMITED, stopped: false };
        console.handle(&mut running, &|_| (), command("go infinite"));
        assert!(console.queue == [command("go infinite")] && !control.is_cancelled());
    }
}
