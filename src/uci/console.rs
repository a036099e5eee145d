//! Reads commands on a thread of its own, and handles those that arrive while a task runs.

use super::command::{UciCommand, skip_unknown};
use super::error::CommandError;
use super::help::{help, introduce};
use crate::clock::Instant;
use crate::output::{info_string, is_closed, line};
use crate::search::{Limits, STACK_BYTES, Signals};
use crossbeam_channel::{Receiver, Sender, bounded, never, select_biased};
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
pub type Input = Result<UciCommand, CommandError>;

/// The source of commands.
pub struct Console {
    input: Receiver<Input>,
    /// Commands that wait for the end of the running task.
    queue: VecDeque<UciCommand>,
    /// Bytes of the positions in the queue.
    waiting_bytes: usize,
    /// When the input ended.
    ended: Option<Instant>,
    /// Whether `debug on` was sent.
    pub debug: bool,
}

/// Stops a running task.
pub struct TaskControl {
    /// Signals of its search.
    pub signals: Arc<Signals>,
    cancelled: AtomicBool,
}

/// How a task ends.
#[derive(Clone, Copy, Debug)]
pub struct TaskKind {
    /// It has a limit, so it ends by itself unless it ponders.
    pub limited: bool,
    /// It waits for `ponderhit` or `stop`.
    pub ponders: bool,
}

impl TaskKind {
    /// Ends by itself.
    pub const LIMITED: TaskKind = TaskKind { limited: true, ponders: false };

    /// That of a search with these limits.
    pub fn of_search(limits: &Limits) -> TaskKind {
        let has_limit =
            limits.depth.is_some() || limits.nodes.is_some() || limits.move_time.is_some() || limits.clock.is_some();
        TaskKind { limited: has_limit && !limits.infinite, ponders: limits.ponder }
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

    /// The next command; [`UciCommand::Quit`] at the end of input. Lines that are not understood are reported and
    /// skipped.
    pub fn next(&mut self) -> UciCommand {
        if is_closed() {
            return UciCommand::Quit;
        }
        if let Some(command) = self.queue.pop_front() {
            self.waiting_bytes -= command.bytes();
            return command;
        }
        loop {
            match self.input.recv() {
                Ok(Ok(command)) => return command,
                Ok(Err(error)) => info_string(error),
                Err(_) => return UciCommand::Quit,
            }
        }
    }

    /// Runs `task` on a thread of its own. Commands that arrive meanwhile are answered, stop the task, wait for its end,
    /// or are refused. `None` if no thread can be started.
    pub fn run<T: Send>(&mut self, kind: TaskKind, task: impl FnOnce(&TaskControl) -> T + Send) -> Option<T> {
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
            self.attend(RunningTask { control, kind, stopped: false }, &done)
        })
    }

    /// Handles input until the task is done.
    fn attend<T>(&mut self, mut running: RunningTask<'_>, done: &Receiver<T>) -> Option<T> {
        // Commands that waited for this task are handled as if they arrived now.
        self.waiting_bytes = 0;
        for command in std::mem::take(&mut self.queue) {
            self.handle(&mut running, command);
        }
        let mut input = self.input.clone();
        loop {
            select_biased! {
                recv(done) -> result => return result.ok(),
                recv(input) -> message => match message {
                    Ok(Ok(command)) => self.handle(&mut running, command),
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

    /// Handles a command while a task runs.
    fn handle(&mut self, running: &mut RunningTask<'_>, command: UciCommand) {
        match command {
            UciCommand::Uci => introduce(),
            UciCommand::IsReady => line("readyok"),
            UciCommand::Help => help(),
            UciCommand::Debug(on) => self.debug = on,
            UciCommand::Quit => self.quit(running),
            UciCommand::Stop | UciCommand::PonderHit => {
                if command == UciCommand::Stop {
                    running.stop();
                } else {
                    running.ponder_hit();
                }
                // It also applies to a search that waits in the queue.
                let begins = |waiting: &UciCommand| {
                    matches!(waiting, UciCommand::Go(_) | UciCommand::Perft(_) | UciCommand::Bench(_))
                };
                if self.queue.iter().any(begins) {
                    self.queue.push_back(command);
                }
            }
            UciCommand::NewGame
            | UciCommand::Position(_)
            | UciCommand::Go(_)
            | UciCommand::Perft(_)
            | UciCommand::SetOption(_)
            | UciCommand::Display
            | UciCommand::Eval
            | UciCommand::Bench(_)
            | UciCommand::GenFens(_) => self.defer(running, command),
        }
    }

    /// Stops the task and forgets what waits for its end.
    fn quit(&mut self, running: &mut RunningTask<'_>) {
        running.stop();
        self.queue.clear();
        self.waiting_bytes = 0;
        self.queue.push_back(UciCommand::Quit);
    }

    /// Queues a command if the task ends by itself and the queue has room, and refuses it otherwise.
    fn defer(&mut self, running: &RunningTask<'_>, command: UciCommand) {
        let name = command.name();
        if !running.will_end() {
            info_string(format_args!("the search is still running, '{name}' is ignored: send 'stop' first"));
            return;
        }
        let bytes = self.waiting_bytes + command.bytes();
        if self.queue.len() >= MAX_WAITING || bytes > MAX_WAITING_BYTES {
            info_string(format_args!("too many commands wait for the end of the search, '{name}' is ignored"));
            return;
        }
        if self.debug {
            info_string(format_args!("'{name}' waits for the end of the search"));
        }
        self.waiting_bytes = bytes;
        self.queue.push_back(command);
    }
}

/// Reads lines and sends the commands on until either side is closed.
fn read_commands(input: &mut impl BufRead, sender: &Sender<Input>) {
    let mut buffer = Vec::new();
    while let Ok(length) = read_line(input, &mut buffer) {
        if length == 0 {
            return;
        }
        for input in parse_line(&String::from_utf8_lossy(&buffer), length > MAX_LINE) {
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
    let command = match (too_long, UciCommand::parse(rest)) {
        (None, command) => command.transpose(),
        (Some(_), Ok(Some(UciCommand::Go(go)))) => Some(Ok(UciCommand::Go(go))),
        (Some(error), Ok(Some(UciCommand::Position(_)))) => Some(Ok(UciCommand::Position(Err(error)))),
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

    fn read(bytes: &[u8]) -> Vec<Input> {
        let (sender, receiver) = unbounded();
        read_commands(&mut &bytes[..], &sender);
        drop(sender);
        receiver.iter().collect()
    }

    #[test]
    fn lines_end_in_any_way() {
        assert_eq!(read(b"uci\r\n\n  \nisready"), [Ok(UciCommand::Uci), Ok(UciCommand::IsReady)]);
    }

    #[test]
    fn strange_bytes_are_unknown_commands() {
        let commands = read(b"\xff\xfe\n\0\nstop\n");
        assert!(commands[0].is_err() && commands[1].is_err());
        assert_eq!(commands[2], Ok(UciCommand::Stop));
    }

    #[test]
    fn endless_lines_are_refused_as_a_whole() {
        let mut bytes = vec![b'x'; 3 * MAX_LINE];
        bytes.extend_from_slice(b" quit\nuci\n");
        assert_eq!(read(&bytes), [Err(CommandError::TooLong(MAX_LINE)), Ok(UciCommand::Uci)]);
    }

    #[test]
    fn commands_wait_for_a_limited_task() {
        let mut console = Console::without_input();
        let kind = TaskKind { limited: true, ponders: true };
        let control = TaskControl::new();
        let mut running = RunningTask { control: &control, kind, stopped: false };
        console.handle(&mut running, UciCommand::Display);
        assert!(console.queue.is_empty());
        console.handle(&mut running, UciCommand::PonderHit);
        console.handle(&mut running, UciCommand::Display);
        assert_eq!(console.queue, [UciCommand::Display]);
        assert!(!control.is_cancelled());
        console.handle(&mut running, UciCommand::Quit);
        assert_eq!(console.queue, [UciCommand::Quit]);
        assert!(control.is_cancelled());
    }
}
