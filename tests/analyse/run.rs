//! Runs of the command in a folder of their own.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder with a file of games.
pub struct Run {
    pub folder: TempDir,
}

impl Run {
    pub fn new(games: impl AsRef<[u8]>) -> Run {
        let run = Run { folder: TempDir::new().unwrap() };
        fs::write(run.path("games.pgn"), games).unwrap();
        run
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_halfpoint"));
        command.arg("analyse").args(arguments.split_whitespace()).current_dir(self.folder.path());
        command.stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The objects of a run that succeeds.
    pub fn json(&self, arguments: &str) -> Vec<Value> {
        let output = self.run(&format!("{arguments} --json -"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        objects(&output.stdout)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Names of all files.
    pub fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// JSON objects, one a line.
pub fn objects(text: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Exit code and standard error.
pub fn failure(output: &Output) -> (i32, String) {
    (output.status.code().unwrap(), String::from_utf8(output.stderr.clone()).unwrap())
}
