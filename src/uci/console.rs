//! Commands from the client: read on a thread of their own, obeyed or put off while something runs.

use super::command::{Command, CommandError};
use super::output::{info_string, line};
use super::{help, introduce};
use crate::search::{STACK_BYTES, Signals};
use crossbeam_channel::{Receiver, Sender, bounded, never, select_biased};
use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Longest line that is read, in bytes.
const MAX_LINE: usize = 1 << 20;
/// Lines read ahead.
const READ_AHEAD: usize = 64;

type Input = Result<Command, CommandError>;

/// Where commands come from.
pub struct Console {
    input: Receiver<Input>,
    /// Commands put off until the running task is over.
    queue: VecDeque<Command>,
    /// Whether to say more about what is done.
    pub debug: bool,
}

/// The handle on a running task.
pub struct Control {
    /// For the search.
    pub signals: Arc<Signals>,
    cancelled: AtomicBool,
}

/// What is known of a task when it begins.
#[derive(Clone, Copy, Debug)]
pub struct Nature {
    /// It has a limit, and so ends by itself unless it ponders.
    pub limited: bool,
    /// It waits for `ponderhit` or `stop`.
    pub ponders: bool,
}

/// A task that runs while commands come in.
struct Running<'a> {
    control: &'a Control,
    nature: Nature,
    stopped: bool,
}

impl Control {
    fn new() -> Control {
        Control { signals: Signals::new(), cancelled: AtomicBool::new(false) }
    }

    fn stop(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.signals.stop();
    }

    /// Whether the task has been told to end.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

impl Running<'_> {
    fn stop(&mut self) {
        self.stopped = true;
        self.control.stop();
    }

    fn ponder_hit(&mut self) {
        self.nature.ponders = false;
        self.control.signals.ponder_hit();
    }

    /// Whether the end will come without another command.
    fn will_end(&self) -> bool {
        self.stopped || (self.nature.limited && !self.nature.ponders)
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
        Ok(Console { input, queue: VecDeque::new(), debug: false })
    }

    /// The next command that is due; [`Command::Quit`] at the end of input. Says what was not understood.
    pub fn next(&mut self) -> Command {
        if let Some(command) = self.queue.pop_front() {
            return command;
        }
        loop {
            match self.input.recv() {
                Ok(Ok(command)) => return command,
                Ok(Err(error)) => info_string(error),
                Err(_) => return Command::Quit,
            }
        }
    }

    /// Runs `task` on a thread of its own, and meanwhile answers what can be answered, stops the task when told to,
    /// and puts the rest off. `None` if no thread could be started.
    pub fn run<T: Send>(&mut self, nature: Nature, task: impl FnOnce(&Control) -> T + Send) -> Option<T> {
        let control = &Control::new();
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
            self.attend(Running { control, nature, stopped: false }, &done)
        })
    }

    /// Handles input until the task is done.
    fn attend<T>(&mut self, mut running: Running<'_>, done: &Receiver<T>) -> Option<T> {
        // What was put off until this task began stands as if it came now.
        for command in std::mem::take(&mut self.queue) {
            self.during(&mut running, command);
        }
        let mut input = self.input.clone();
        loop {
            select_biased! {
                recv(done) -> result => return result.ok(),
                recv(input) -> message => match message {
                    Ok(Ok(command)) => self.during(&mut running, command),
                    Ok(Err(error)) => info_string(error),
                    Err(_) => {
                        input = never();
                        if !running.will_end() {
                            running.stop();
                        }
                    }
                },
            }
        }
    }

    /// Handles a command while a task runs.
    fn during(&mut self, running: &mut Running<'_>, command: Command) {
        match command {
            Command::Uci => introduce(),
            Command::IsReady => line("readyok"),
            Command::Help => help(),
            Command::Debug(on) => self.debug = on,
            Command::Quit => {
                running.stop();
                self.queue.clear();
                self.queue.push_back(Command::Quit);
            }
            Command::Stop | Command::PonderHit => {
                if command == Command::Stop {
                    running.stop();
                } else {
                    running.ponder_hit();
                }
                // It is also meant for a search that has not begun.
                let begins =
                    |waiting: &Command| matches!(waiting, Command::Go(_) | Command::Perft(_) | Command::Bench(_));
                if self.queue.iter().any(begins) {
                    self.queue.push_back(command);
                }
            }
            Command::NewGame
            | Command::Position(_)
            | Command::Go(_)
            | Command::Perft(_)
            | Command::SetOption(_)
            | Command::Display
            | Command::Eval
            | Command::Bench(_) => self.put_off(running, command),
        }
    }

    /// Keeps a command for later if the task will end by itself, and refuses it otherwise.
    fn put_off(&mut self, running: &Running<'_>, command: Command) {
        let name = command.name();
        if !running.will_end() {
            info_string(format_args!("the search is still running, '{name}' is ignored: send 'stop' first"));
            return;
        }
        if self.debug {
            info_string(format_args!("'{name}' waits for the end of the search"));
        }
        self.queue.push_back(command);
    }
}

/// Reads lines and sends them on until either side is closed.
fn read_commands(input: &mut impl BufRead, sender: &Sender<Input>) {
    let mut buffer = Vec::new();
    while let Ok(length) = read_line(input, &mut buffer) {
        if length == 0 {
            return;
        }
        let parsed = if length > MAX_LINE {
            Err(CommandError::TooLong(MAX_LINE))
        } else {
            match Command::parse(&String::from_utf8_lossy(&buffer)) {
                Ok(Some(command)) => Ok(command),
                Ok(None) => continue,
                Err(error) => Err(error),
            }
        };
        if sender.send(parsed).is_err() {
            return;
        }
    }
}

/// Reads a line with its end into `buffer`, of which at most [`MAX_LINE`] bytes are kept, and returns its length; zero
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
        let taken = end.map_or(chunk.len(), |index| index + 1);
        buffer.extend_from_slice(&chunk[..taken.min(MAX_LINE - buffer.len())]);
        length += taken;
        input.consume(taken);
        if end.is_some() || taken == 0 {
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
        assert_eq!(read(b"uci\r\n\n  \nisready"), [Ok(Command::Uci), Ok(Command::IsReady)]);
    }

    #[test]
    fn strange_bytes_are_unknown_commands() {
        let commands = read(b"\xff\xfe\n\0\nstop\n");
        assert!(commands[0].is_err() && commands[1].is_err());
        assert_eq!(commands[2], Ok(Command::Stop));
    }

    #[test]
    fn endless_lines_are_refused_as_a_whole() {
        let mut bytes = vec![b'x'; 3 * MAX_LINE];
        bytes.extend_from_slice(b" quit\nuci\n");
        assert_eq!(read(&bytes), [Err(CommandError::TooLong(MAX_LINE)), Ok(Command::Uci)]);
    }

    #[test]
    fn a_limited_task_puts_commands_off() {
        let mut console = Console { input: never(), queue: VecDeque::new(), debug: false };
        let nature = Nature { limited: true, ponders: true };
        let control = Control::new();
        let mut running = Running { control: &control, nature, stopped: false };
        console.during(&mut running, Command::Display);
        assert!(console.queue.is_empty());
        console.during(&mut running, Command::PonderHit);
        console.during(&mut running, Command::Display);
        assert_eq!(console.queue, [Command::Display]);
        assert!(!control.is_cancelled());
        console.during(&mut running, Command::Quit);
        assert_eq!(console.queue, [Command::Quit]);
        assert!(control.is_cancelled());
    }
}
