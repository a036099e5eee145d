//! Faults of the world around: full files, dead readers, numbers without sense, engines that never stop talking.

use halfpoint::position::Position;
use halfpoint_lab::files::dataset::{Ending, Eval, Game, Ply, Writer};
use shakmaty::KnownOutcome;
use std::fs::{self, File};
use std::io::pipe;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a command may take here.
const PATIENCE: Duration = Duration::from_secs(120);
/// Most memory that a command which streams may have used, in KiB; what these tests feed it is more.
const MAX_KIB: u64 = 60_000;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data").join(name)
}

fn start(arguments: &[&str], error: impl Into<Stdio>) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_halfpoint-lab"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(error).spawn().unwrap()
}

/// How a command ends; it is ended if it does not by itself.
fn end(mut child: Child) -> ExitStatus {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    panic!("no end within {} s", PATIENCE.as_secs());
}

/// What the command says on standard error, and its exit code. `folder` takes the text.
fn lab(folder: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let log = folder.join("stderr.txt");
    let status = end(start(arguments, File::create(&log).unwrap()));
    let error = fs::read_to_string(&log).unwrap();
    assert!(!error.contains("panicked"), "{arguments:?}: {error}");
    (error, status.code())
}

/// An engine that does `first` when it is started, and `go` when it is to search.
fn engine(folder: &Path, name: &str, first: &str, go: &str) -> String {
    let path = folder.join(name);
    let script = format!(
        "{first}\nwhile read -r line; do case \"$line\" in \
         uci) echo option name WDL_Profile type string default x; echo uciok;; isready) echo readyok;; quit) exit;; \
         go*) {go};; esac; done\n"
    );
    fs::write(&path, script).unwrap();
    format!("sh {}", path.display())
}

const ANSWER: &str = "echo info score cp 300 wdl 900 90 10; echo bestmove e2e4";

/// Lines with distinct positions, each of a game of its own.
fn positions(count: usize) -> String {
    let mut lines = String::new();
    let patterns = (1_u32..1 << 24).filter(|pattern| pattern.count_ones() <= 8);
    for (index, pattern) in patterns.take(count).enumerate() {
        let row = |rank: u32| -> String {
            (0..8).map(|file| if pattern >> (8 * rank + file) & 1 == 1 { 'P' } else { '1' }).collect()
        };
        let result = ["1", "0", "0.5"][index % 3];
        lines += &format!("r3k3/8/8/{}/{}/{}/8/4K3 w - - 0 1;{result}\n", row(2), row(1), row(0));
    }
    lines
}

#[test]
fn profiles_fitted_at_the_same_time_are_all_kept() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("games.txt"), positions(60)).unwrap();
    let (games, output) = (path("games.txt"), path("profiles.toml"));
    let (begun, done) = (path("begun"), path("done"));
    // The first has read the file when it asks its engine, and waits there until the second is through.
    let wait = format!("touch {}; until [ -e {} ]; do sleep 0.05; done", begun.display(), done.display());
    let engines = [engine(folder.path(), "slow.sh", &wait, ANSWER), engine(folder.path(), "fast.sh", "", ANSWER)];
    let profile = |name: &str, engine: &str| {
        let fixed = ["profile", text(&games), "--skip-first", "0", "--spacing", "1", "--min-games", "10"];
        let arguments = [&fixed[..], &["-o", text(&output), "--name", name, "--engine", engine]].concat();
        start(&arguments, File::create(path(&format!("{name}.log"))).unwrap())
    };
    let first = profile("slow", &engines[0]);
    let deadline = Instant::now() + PATIENCE;
    while !begun.exists() && Instant::now() < deadline {
        sleep(Duration::from_millis(10));
    }
    let second = end(profile("fast", &engines[1]));
    fs::write(&done, "").unwrap();
    let first = end(first);
    let log = |name: &str| fs::read_to_string(path(name)).unwrap();
    assert!(second.success() && first.success(), "{}{}", log("fast.log"), log("slow.log"));
    let written = fs::read_to_string(&output).unwrap();
    assert!(written.contains("[slow]") && written.contains("[fast]"), "{written}");
}

#[test]
fn a_closed_standard_error_ends_nothing() {
    let folder = TempDir::new().unwrap();
    let (games, out) = (data("cases/quotes-in-tag.pgn"), folder.path().join("new.toml"));
    let code = |arguments: &[&str]| {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        end(start(arguments, writer)).code()
    };
    // It says what it read, then that there are too few games for so many parts.
    let all = ["--validation", "0", "--test", "0", "--noisy", "keep", "--checks", "keep", "--mates", "keep"];
    let tune = ["tune", text(&games), "--out", text(&out), "--folds", "100"];
    assert_eq!(code(&[&tune[..], &all].concat()), Some(1));
    // A broken game and a good one: a warning, then the counts.
    let (broken, counts) = (data("cases/unterminated-brace.pgn"), folder.path().join("counts.json"));
    assert_eq!(code(&["count", text(&broken), "-o", text(&counts)]), Some(0));
    assert!(counts.exists());
    assert_eq!(code(&["count", "--nonsense"]), Some(2));
}

#[test]
fn files_of_others_are_replaced_only_when_asked() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mine.txt");
    let other = folder.path().join("other");
    let games = data("cases/quotes-in-tag.pgn");
    let (file, games, counts) = (text(&path), text(&games), data("engine-games-counts.json"));
    let lines = folder.path().join("lines.txt");
    fs::write(&lines, positions(6)).unwrap();
    let engine = engine(folder.path(), "engine.sh", "", ANSWER);
    let verify = ["verify", text(&lines), "--skip-first", "0", "--no-refit", "--engine", &engine];
    let commands: [(Vec<&str>, bool); 6] = [
        (vec!["count", games, "-o", file], true),
        (vec!["fit", text(&counts), "--win-min", "1", "--plot", file], true),
        (vec!["fit", text(&counts), "--win-min", "1", "--plot-counts", file], true),
        ([&verify[..], &["--json", file]].concat(), true),
        ([&verify[..], &["--plot", file]].concat(), true),
        (vec!["tune", games, "--out", file, "--folds", "100"], false),
    ];
    for (command, works) in commands {
        fs::write(&path, "mine").unwrap();
        let (error, code) = lab(folder.path(), &command);
        assert!(code == Some(1) && error.contains("--overwrite replaces it"), "{command:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{command:?}: {error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine", "{command:?}");
        let (error, code) = lab(folder.path(), &[&command[..], &["--overwrite"]].concat());
        assert!(!error.contains("--overwrite"), "{command:?}: {error}");
        if works {
            assert_eq!(code, Some(0), "{command:?}: {error}");
            // What the command made it replaces unasked.
            fs::copy(&path, &other).unwrap();
            let (error, code) = lab(folder.path(), &command);
            assert_eq!(code, Some(0), "{command:?}: {error}");
            assert_eq!(fs::read(&path).unwrap(), fs::read(&other).unwrap(), "{command:?}");
        }
    }
}

#[test]
fn numbers_without_sense_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x");
    let (games, lines) = (data("cases/quotes-in-tag.pgn"), folder.path().join("lines.txt"));
    fs::write(&lines, positions(6)).unwrap();
    for command in [
        &["datagen", "--nodes", "1", "--out", text(&path), "--games", "18446744073709551615"][..],
        &["count", text(&games), "-o", text(&path), "--concurrency", "100000"],
        &["count", text(&games), "-o", text(&path), "--concurrency", "0"],
        &["verify", text(&lines), "--concurrency", "100000", "--engine", "true"],
        &["profile", text(&lines), "--concurrency", "100000", "--engine", "true", "-o", text(&path)],
    ] {
        let (error, code) = lab(folder.path(), command);
        assert_eq!((code, error.lines().count()), (Some(2), 1), "{command:?}: {error}");
        assert!(!path.exists());
    }
    for (counts, why) in [
        (r#"{"('W', 1, 78, 35)": 18446744073709551615, "('D', 1, 78, 35)": 18446744073709551615}"#, "positions in all"),
        (r#"{"('W', 4294967295, 78, 35)": 3}"#, "not of the form"),
        (r#"{"('W', 1, 78, -2147483648)": 3}"#, "not of the form"),
    ] {
        let path = folder.path().join("counts.json");
        fs::write(&path, counts).unwrap();
        let (error, code) = lab(folder.path(), &["fit", text(&path)]);
        assert!(code == Some(1) && error.contains(why), "{counts}: {error}");
    }
}

#[test]
fn large_files_are_refused_before_they_are_read() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    // Files with holes take no room on the disk.
    let large = |name: &str, mib: u64| File::create(path(name)).unwrap().set_len(mib << 20).unwrap();
    fs::copy(data("cases/quotes-in-tag.pgn"), path("test.pgn")).unwrap();
    for (name, mib, command) in [
        ("counts.json", 1025, &["fit", text(&path("counts.json"))][..]),
        ("test.json", 65, &["count", text(&path("test.pgn")), "-o", text(&path("out.json"))]),
        ("profiles.toml", 5, &["profile", text(&path("test.pgn")), "-o", text(&path("profiles.toml"))]),
    ] {
        large(name, mib);
        let (error, code) = lab(folder.path(), command);
        assert!(code == Some(1) && error.contains("larger than"), "{command:?}: {error}");
    }
}

#[test]
fn a_game_without_end_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.vf");
    let start = Position::default();
    let mut now = start;
    let mut plies = Vec::new();
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle().take(20_001) {
        let m = now.parse_move(text).unwrap();
        plies.push(Ply { m, eval: Eval::default() });
        now = now.play(m);
    }
    let mut writer = Writer::create(&path).unwrap();
    writer.write(&Game { start, plies, outcome: KnownOutcome::Draw, ending: Ending::Unknown }).unwrap();
    writer.finish().unwrap();
    let weights = folder.path().join("new.toml");
    let (error, code) = lab(folder.path(), &["tune", text(&path), "--out", text(&weights)]);
    assert!(code == Some(1) && error.contains("more than 20000 moves"), "{error}");
}

/// What the command has used of memory at most, as its engine finds it.
#[cfg(target_os = "linux")]
mod memory {
    use super::*;

    fn look(folder: &Path) -> String {
        format!("grep VmHWM /proc/$PPID/status > {}", folder.join("memory").display())
    }

    fn kib(folder: &Path) -> u64 {
        let line = fs::read_to_string(folder.join("memory")).unwrap();
        line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// Verifies an engine on so many positions; what is said, and the exit code.
    fn verify(folder: &Path, count: usize, engine: &str, options: &[&str]) -> (String, Option<i32>) {
        let lines = folder.join("lines.txt");
        fs::write(&lines, positions(count)).unwrap();
        let fixed = ["verify", text(&lines), "--skip-first", "0", "--no-refit", "--engine", engine];
        lab(folder, &[&fixed[..], options].concat())
    }

    #[test]
    fn a_limit_holds_no_more_than_it_takes() {
        let folder = TempDir::new().unwrap();
        let engine = engine(folder.path(), "engine.sh", &look(folder.path()), ANSWER);
        let (error, code) = verify(folder.path(), 300_000, &engine, &["--limit", "20"]);
        assert_eq!(code, Some(0), "{error}");
        assert!(kib(folder.path()) < MAX_KIB, "{} KiB", kib(folder.path()));
    }

    #[test]
    fn an_endless_line_is_cut() {
        let folder = TempDir::new().unwrap();
        let long = format!("head -c 200000000 /dev/zero | tr '\\0' x; echo; {}; {ANSWER}", look(folder.path()));
        let engine = engine(folder.path(), "engine.sh", "", &long);
        let (error, code) = verify(folder.path(), 5, &engine, &[]);
        assert_eq!(code, Some(0), "{error}");
        assert!(kib(folder.path()) < MAX_KIB, "{} KiB", kib(folder.path()));
    }

    #[test]
    fn an_engine_that_never_stops_talking_fails() {
        let folder = TempDir::new().unwrap();
        let engine = engine(folder.path(), "engine.sh", "", "yes info score cp 10 wdl 300 400 300");
        let (error, code) = verify(folder.path(), 5, &engine, &["--timeout", "20"]);
        assert!(code == Some(1) && error.contains("before 'bestmove'"), "{error}");
    }
}
