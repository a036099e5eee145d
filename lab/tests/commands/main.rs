//! `halfpoint-lab` as a user runs it.

mod calibration;
mod cases;
mod counts;
mod datagen;
mod faults;
mod kinds;
mod law;
mod losses;
mod wdl_model;

use std::fs::{self, File};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a command may take here.
const PATIENCE: Duration = Duration::from_secs(600);
/// What an engine of [`Folder::engine`] answers to `go`.
const ANSWER: &str = "echo info score cp 300 wdl 900 90 10; echo bestmove e2e4";

/// A folder of its own for each test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self.path(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// An engine that does `first` when it is started, and `go` when it is to search.
    fn engine(&self, name: &str, first: &str, go: &str) -> String {
        let script = format!(
            "{first}\nwhile read -r line; do case \"$line\" in \
             uci) echo option name WDL_Profile type string default x; echo option name UCI_Chess960 type check; \
             echo uciok;; isready) echo readyok;; quit) exit;; go*) {go};; esac; done\n"
        );
        self.write(name, script);
        format!("'sh {name}'")
    }

    /// Starts a command with the words of a line, as a shell would; files lie in the folder.
    fn start(&self, line: &str, out: impl Into<Stdio>, error: impl Into<Stdio>) -> Child {
        self.start_with(line, Stdio::null(), out, error)
    }

    /// The same with something on standard input.
    fn start_with(&self, line: &str, input: Stdio, out: impl Into<Stdio>, error: impl Into<Stdio>) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_halfpoint-lab"));
        command.args(shlex::split(line).unwrap()).current_dir(&self.0);
        command.stdin(input).stdout(out).stderr(error).spawn().unwrap()
    }

    /// What a command prints.
    fn lab(&self, line: &str) -> Run {
        let [out, log] = ["stdout.txt", "stderr.txt"].map(|name| self.path(name));
        let code = end(self.start(line, File::create(&out).unwrap(), File::create(&log).unwrap())).code();
        let [out, error] = [out, log].map(|path| fs::read_to_string(path).unwrap());
        assert!(!error.contains("panicked"), "{line}: {error}");
        Run { out, error, code }
    }

    /// Standard output of a command that succeeds.
    fn done(&self, line: &str) -> String {
        let Run { out, error, code } = self.lab(line);
        assert_eq!(code, Some(0), "{line}: {error}");
        out
    }

    /// Asserts that a command fails with one line on standard error, after notes on what was read, that holds `why`.
    fn assert_refused(&self, line: &str, why: &str) {
        let Run { out, error, code } = self.lab(line);
        assert!(code == Some(1) || code == Some(2), "{line}: {out}");
        let lines: Vec<_> = error.lines().skip_while(|line| line.starts_with("note: ")).collect();
        let is_one = lines.len() == 1 && lines[0].starts_with("error: ") && lines[0].contains(why);
        assert!(is_one, "{line}: {error}");
    }
}

/// What a command printed, and its exit code.
struct Run {
    out: String,
    error: String,
    code: Option<i32>,
}

/// How a command ends; it is ended if it does not by itself.
fn end(mut child: Child) -> ExitStatus {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    panic!("no end within {} s", PATIENCE.as_secs());
}

/// A file of the test data.
macro_rules! data {
    ($name:literal) => {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/", $name)
    };
}
use data;
