//! The engine as a child process, and what is read from its lines.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// Longest wait for any answer.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// Longest wait for an answer that takes no time, on a machine that is busy.
pub const AT_ONCE: Duration = Duration::from_secs(10);

pub const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

pub struct Engine {
    pub child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Engine {
    pub fn start() -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_halfpoint"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, output) = channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Engine { child, input, output }
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Lines up to and including the first one that begins with `start`.
    pub fn until_within(&mut self, start: &str, patience: Duration) -> Vec<String> {
        let deadline = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("no '{start}' ({error}) after {lines:#?}"),
            }
            if lines.last().unwrap().starts_with(start) {
                return lines;
            }
        }
    }

    pub fn until(&mut self, start: &str) -> Vec<String> {
        self.until_within(start, PATIENCE)
    }

    /// Lines that the engine prints before `readyok`.
    pub fn settle(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Lines that answer one line.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.settle()
    }

    pub fn search(&mut self, go: &str) -> Vec<String> {
        self.send(go);
        self.until("bestmove")
    }

    pub fn perft(&mut self, depth: u32) -> Vec<String> {
        self.send(&format!("go perft {depth}"));
        self.until("Nodes searched: ")
    }

    pub fn fen(&mut self) -> String {
        let lines = self.ask("d");
        lines.iter().find_map(|line| line.strip_prefix("Fen: ")).unwrap().to_owned()
    }

    /// Asserts that nothing is printed for `moment`.
    pub fn assert_silent(&mut self, moment: Duration) {
        assert_eq!(self.output.recv_timeout(moment), Err(RecvTimeoutError::Timeout));
    }

    /// Closes the input, and returns the remaining lines and the exit status.
    pub fn close(mut self) -> (Vec<String>, ExitStatus) {
        drop(self.input.take());
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the end of input did not end the engine: {lines:#?}"),
            }
        }
        (lines, self.child.wait().unwrap())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The words after `key` in an info line.
pub fn words<'a>(line: &'a str, key: &str) -> Vec<&'a str> {
    line.split_whitespace().skip_while(|word| *word != key).skip(1).collect()
}

pub fn number(line: &str, key: &str) -> i64 {
    words(line, key).first().unwrap_or_else(|| panic!("no {key} in {line}")).parse().unwrap()
}

/// The last info line with a score.
pub fn last_score(lines: &[String]) -> &str {
    lines.iter().rev().find(|line| line.contains(" score ")).unwrap()
}

/// A parameter file, removed when it goes out of scope.
pub fn parameter_file(text: &str) -> NamedTempFile {
    let file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file
}

/// Asserts that `lines`, the answer to `asked`, are a single `info string`.
pub fn assert_one_info_string(lines: &[String], asked: &str) {
    assert!(lines.len() == 1 && lines[0].starts_with("info string "), "{asked:?}: {lines:#?}");
}

/// Lines of a search to a fixed number of nodes, without times and W/D/L; and the W/D/L of each.
pub fn at_fixed_nodes(engine: &mut Engine, position: &str) -> (Vec<String>, Vec<String>) {
    engine.ask("ucinewgame");
    engine.ask(position);
    let lines = engine.search("go nodes 5000");
    let (mut rest, mut wdl) = (Vec::new(), Vec::new());
    for line in lines {
        let mut words: Vec<_> = line.split_whitespace().collect();
        for (key, length) in [("nps", 2), ("time", 2), ("wdl", 4)] {
            if let Some(at) = words.iter().position(|word| *word == key) {
                let removed: Vec<_> = words.drain(at..at + length).collect();
                if key == "wdl" {
                    let sum: u32 = removed[1..].iter().map(|word| word.parse::<u32>().unwrap()).sum();
                    assert_eq!(sum, 1000, "{line}");
                    wdl.push(removed.join(" "));
                }
            }
        }
        rest.push(words.join(" "));
    }
    (rest, wdl)
}
