//! `halfpoint wdl` as a user runs it.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Games of match runner fastchess with evaluations in their comments, and what scoreWDLstat counts in them.
const GAMES: &str = "tests/data/engine-games.pgn";
const COUNTS: &str = "tests/data/engine-games-counts.json";

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        self.path(name)
    }
}

/// Standard output, standard error and exit code of `halfpoint wdl`.
fn wdl(arguments: &[&str]) -> (String, String, Option<i32>) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_halfpoint")).arg("wdl").args(arguments).stdin(Stdio::null()).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap(), output.status.code())
}

/// Asserts that a command fails with one line on standard error that holds `why`.
fn assert_refused(arguments: &[&str], why: &str) {
    let (out, error, code) = wdl(arguments);
    assert_ne!(code, Some(0), "{arguments:?}: {out}");
    assert!(
        error.starts_with("error: ") && error.lines().count() == 1 && error.contains(why),
        "{arguments:?}: {error}"
    );
}

#[test]
fn counts_are_those_of_the_reference_whatever_the_compression() {
    let folder = Folder::new("count-compression");
    let games = fs::read(GAMES).unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(&games).unwrap();
    let plain = folder.write("plain.pgn", &games);
    let gz = folder.write("gz.pgn.gz", gz.finish().unwrap());
    let zst = folder.write("zst.pgn.zst", zstd::encode_all(games.as_slice(), 0).unwrap());
    for path in [plain, gz, zst] {
        let output = folder.path("counts.json");
        let (out, error, code) = wdl(&["count", &path, "-o", &output]);
        assert_eq!(code, Some(0), "{error}");
        assert!(out.contains("5 counted") && out.contains("1 without a result on the board"), "{out}");
        assert_eq!(fs::read_to_string(output).unwrap(), fs::read_to_string(COUNTS).unwrap());
    }
}

#[test]
fn folders_and_filters_choose_games() {
    let folder = Folder::new("count-filters");
    let games = fs::read(GAMES).unwrap();
    folder.write("a.pgn", &games);
    folder.write("notes.txt", "no games");
    folder.write("deep/b-1.pgn", &games);
    folder.write(
        "deep/b.json",
        r#"{"args": {"book": "noob.epd", "tc": "60+0.6", "new_tc": "60+0.6", "threads": 1, "resolved_base": "abc",
            "resolved_new": "def", "sprt": {}}, "results": {"pentanomial": [1, 10, 50, 12, 1]}}"#,
    );
    let (root, output) = (folder.path(""), folder.path("counts.json"));
    let positions = |options: &[&str]| -> u64 {
        let (out, error, code) = wdl(&[&["count", &root, "-o", &output], options].concat());
        if code != Some(0) {
            assert!(error.contains("nothing to count"), "{error}");
            return 0;
        }
        out.lines().last().unwrap().split_once(' ').unwrap().0.parse().unwrap()
    };
    let all = positions(&[]);
    assert_eq!(positions(&["-r"]), 2 * all);
    let (one, others) = (positions(&["--match-engine", "stock.*"]), positions(&["--matchEngine", "[^s].*"]));
    assert!(one > 0 && others > 0);
    assert_eq!(one + others, all);
    assert_eq!(positions(&["--match-engine", "stock"]), 0, "the whole name must match");
    // The file without metadata is judged by its tags, if they can tell.
    assert_eq!(positions(&["-r", "--match-tc", "60\\+0.6"]), all);
    assert_eq!(positions(&["-r", "--match-tc", "0.5\\+0.005"]), all);
    for options in [
        &["--match-book", "noob.*"][..],
        &["--match-rev", "abc", "--match-engine", ".*"],
        &["--match-threads", "1"],
        &["--EloDiffMax", "30"],
        &["--elo-diff-min", "1", "--elo-diff-max", "30", "--sprt-only"],
    ] {
        assert_eq!(positions(&[&["-r"], options].concat()), all, "{options:?}");
    }
    for options in
        [&["--match-book", "noob.*", "--match-book-invert"][..], &["--match-threads", "2"], &["--EloDiffMax", "3"]]
    {
        assert_eq!(positions(&[&["-r"], options].concat()), 0, "{options:?}");
    }
}

#[test]
fn what_cannot_be_counted_is_told() {
    let folder = Folder::new("count-refusals");
    let output = folder.path("counts.json");
    let silent = folder.write("silent.pgn", "[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
    assert_refused(&["count", &silent, "-o", &output], "1 without evaluations");
    assert_refused(&["count", &folder.path("missing.pgn")], "missing.pgn");
    assert_refused(&["count", &Folder::new("count-empty").path("")], "no .pgn");
    assert_refused(&["count", &silent, "--match-engine", "("], "--match-engine");
    assert_refused(&["count", &silent, "--bin-width", "0"], "--bin-width");
    let counted = folder.write("games.pgn", fs::read(GAMES).unwrap());
    assert_refused(&["count", &counted, "-o", &folder.path("no/folder/counts.json")], "counts.json");
    folder.write("games.pgn.gz", "");
    assert_refused(&["count", &folder.path(""), "-o", &output], "the same games");
}

#[test]
fn broken_games_are_skipped_and_told() {
    let folder = Folder::new("count-broken");
    let mut file = File::create(folder.path("mixed.pgn")).unwrap();
    file.write_all(&fs::read(GAMES).unwrap()).unwrap();
    file.write_all(b"\n[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 {+0.1/1} e5 2. Qh6 {+9/1} 1-0\n").unwrap();
    file.write_all(b"\n[Event \"y\"]\n[Result \"1-0\"]\n\n1. e4 {+0.1/1 never closed 1-0\n").unwrap();
    file.write_all(&fs::read(GAMES).unwrap()).unwrap();
    let (out, error, code) = wdl(&["count", &folder.path("mixed.pgn"), "-o", &folder.path("counts.json")]);
    assert_eq!(code, Some(0));
    assert!(out.contains("10 counted") && out.contains("2 broken"), "{out}");
    assert!(error.contains("move 2. Qh6") && error.contains("unterminated comment"), "{error}");
}
