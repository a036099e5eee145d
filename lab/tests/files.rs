//! Files of games and positions in every command that reads them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the commands make of a file of `tests/data/cases`.
struct Case {
    file: &'static str,
    /// Positions that `count` counts.
    counted: usize,
    /// Distinct positions before a move that `verify` takes, and their games.
    verified: (usize, usize),
    /// Games that `tune` takes, and all their positions.
    tuned: (usize, usize),
    openings: usize,
    /// What is said of the file.
    message: &'static str,
}

const fn case(
    file: &'static str,
    counted: usize,
    verified: (usize, usize),
    tuned: (usize, usize),
    openings: usize,
    message: &'static str,
) -> Case {
    Case { file, counted, verified, tuned, openings, message }
}

const CASES: [Case; 18] = [
    case("quotes-in-tag.pgn", 7, (6, 2), (2, 7), 2, ""),
    case("space-before-tags.pgn", 4, (3, 2), (2, 4), 2, ""),
    case("blank-line-and-tags-in-comment.pgn", 4, (4, 1), (1, 4), 1, ""),
    case("headerless-second-game.pgn", 4, (3, 2), (2, 4), 2, ""),
    case("ep-suffix.pgn", 12, (6, 1), (2, 12), 2, ""),
    case("promotion-as-last-move.pgn", 3, (3, 1), (1, 3), 1, ""),
    case("german-letters.pgn", 0, (0, 0), (0, 0), 0, "german-letters.pgn: game 1, line 6: 'Sf3' is no move"),
    case("result-only-in-movetext.pgn", 8, (7, 2), (2, 8), 2, ""),
    case("result-mismatch.pgn", 8, (7, 2), (2, 8), 2, "result-mismatch.pgn: game 1, line 1: the tag says 1-0, but"),
    case("time-forfeit.pgn", 0, (0, 0), (0, 0), 1, "1 lost on time"),
    case("spaces-in-comments.pgn", 6, (6, 1), (1, 6), 1, ""),
    case("long-tag-minimal.pgn", 0, (3, 2), (322, 644), 322, ""),
    case("no-movetext-then-game.pgn", 2, (2, 1), (1, 2), 2, "1 without a result"),
    case("variant-names.pgn", 6, (4, 2), (3, 6), 3, "2 of other variants"),
    case("semicolon-lines-between-games.pgn", 7, (5, 2), (2, 7), 2, ""),
    case(
        "unterminated-brace.pgn",
        4,
        (3, 2),
        (2, 4),
        2,
        "unterminated-brace.pgn: game 1, line 6: unterminated comment",
    ),
    case("bom-crlf.txt", 0, (2, 2), (2, 2), 2, ""),
    case("no-space-before-semicolon.epd", 0, (0, 0), (0, 0), 2, "no-space-before-semicolon.epd: line 1: no result"),
];

/// Games of other positions, one on each line, since `verify` wants five at least.
const OTHERS: usize = 6;

fn others() -> String {
    (1..=OTHERS).map(|left| format!("4k3/8/8/8/8/8/{left}P{}/4K3 w - - 0 1;1\n", 7 - left)).collect()
}

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/cases")
}

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Standard output, standard error, and whether the command was successful.
fn lab(arguments: &[&str]) -> (String, String, bool) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_halfpoint-lab")).args(arguments).stdin(Stdio::null()).output().unwrap();
    let [out, error] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(!error.contains("panicked"), "{arguments:?}: {error}");
    (out, error, output.status.success())
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// An engine that prints the same of all positions.
fn engine(folder: &Path) -> String {
    let script = "while read -r line; do case \"$line\" in uci) echo option name UCI_Chess960 type check default false; echo uciok;; isready) echo readyok;; quit) exit;; \
                  go*) echo info score cp 10 wdl 300 400 300; echo bestmove e2e4;; esac; done\n";
    let path = folder.join("engine.sh");
    fs::write(&path, script).unwrap();
    format!("sh {}", path.display())
}

#[test]
fn count_reads_all_cases() {
    let folder = folder("cases-count");
    let output = folder.join("counts.json");
    for case in CASES.iter().filter(|case| case.file.ends_with(".pgn")) {
        let (out, error, is_done) = lab(&["count", text(&cases().join(case.file)), "-o", text(&output)]);
        assert_eq!(is_done, case.counted > 0, "{}: {error}", case.file);
        if is_done {
            let last = out.lines().last().unwrap();
            assert!(last.starts_with(&format!("{} positions", case.counted)), "{}: {out}", case.file);
        }
        // What does not count is in the summary.
        let in_summary = case.message.starts_with(|c: char| c.is_ascii_digit());
        assert!(in_summary || error.contains(case.message), "{}: {error}", case.file);
    }
}

#[test]
fn verify_and_profile_read_all_cases() {
    let folder = folder("cases-verify");
    let other = folder.join("others.txt");
    fs::write(&other, others()).unwrap();
    let engine = engine(&folder);
    for case in &CASES {
        let path = cases().join(case.file);
        let files = [text(&path), text(&other), "--spacing", "1", "--skip-first", "0"];
        let (out, error, is_done) =
            lab(&[&["verify"], &files[..], &["--nodes", "1", "--no-refit", "--engine", &engine]].concat());
        let (positions, games) = (case.verified.0 + OTHERS, case.verified.1 + OTHERS);
        assert!(is_done, "{}: {error}", case.file);
        assert!(out.starts_with(&format!("{positions} positions of {games} games")), "{}: {out}", case.file);
        assert!(error.contains(case.message), "{}: {error}", case.file);
        let is_broken = case.message.contains("line") && !case.message.contains("the tag says");
        assert_eq!(error.contains("warning"), is_broken, "{error}");
        let output = folder.join("profiles.toml");
        let (_, error, is_done) = lab(&[&["profile"], &files[..], &["--name", "a", "-o", text(&output)]].concat());
        assert!(!is_done && error.contains(&format!("for a: {games} games, 100 are needed")), "{}: {error}", case.file);
    }
}

#[test]
fn tune_reads_all_cases() {
    let folder = folder("cases-tune");
    let out = folder.join("new.toml");
    for case in &CASES {
        let path = cases().join(case.file);
        let (_, error, is_done) = lab(&[
            "tune",
            text(&path),
            "--out",
            text(&out),
            "--validation",
            "0",
            "--test",
            "0",
            "--noisy",
            "keep",
            "--checks",
            "keep",
            "--mates",
            "keep",
            // More than there are positions for, so that nothing is fitted.
            "--folds",
            "100",
        ]);
        assert!(!is_done);
        let (games, positions) = case.tuned;
        let expected = match games {
            0 => "no game with a result in it".to_owned(),
            _ => format!("{games} games, {positions} of {positions} positions used"),
        };
        assert!(error.contains(&expected) && error.contains(case.message), "{}: {error}", case.file);
    }
}

#[test]
fn datagen_takes_openings_from_all_cases() {
    let folder = folder("cases-datagen");
    for case in &CASES {
        let path = cases().join(case.file);
        let out = folder.join(format!("{}.vf", case.file));
        let (_, error, is_done) =
            lab(&["datagen", "--games", "1", "--nodes", "1", "--openings", text(&path), "--out", text(&out)]);
        assert_eq!(is_done, case.openings > 0, "{}: {error}", case.file);
        if is_done {
            let settings = fs::read_to_string(folder.join(format!("{}.vf.toml", case.file))).unwrap();
            let expected = format!("\"{}, {} positions, ", case.file, case.openings);
            assert!(settings.contains(&expected), "{settings}");
        } else {
            assert!(error.contains(case.message), "{error}");
        }
    }
}

#[test]
fn formats_are_known_by_their_content() {
    let folder = folder("contents");
    let games = folder.join("games.txt");
    fs::copy(cases().join("quotes-in-tag.pgn"), &games).unwrap();
    let lines = folder.join("lines.pgn");
    fs::write(&lines, format!("# positions\n{}", others())).unwrap();
    let engine = engine(&folder);
    let (out, error, is_done) = lab(&[
        "verify",
        text(&games),
        text(&lines),
        "--spacing",
        "1",
        "--skip-first",
        "0",
        "--nodes",
        "1",
        "--no-refit",
        "--engine",
        &engine,
    ]);
    assert!(is_done && out.starts_with("12 positions of 8 games"), "{out}{error}");
    let unknown = folder.join("unknown.doc");
    fs::write(&unknown, "nothing").unwrap();
    let (weights, played) = (folder.join("new.toml"), folder.join("x.vf"));
    for arguments in [
        &["verify"][..],
        &["tune", "--out", text(&weights)],
        &["datagen", "--games", "1", "--out", text(&played), "--openings"],
    ] {
        let (_, error, is_done) = lab(&[arguments, &[text(&unknown)]].concat());
        assert!(!is_done && error.contains("unknown.doc' holds neither games nor positions"), "{arguments:?}: {error}");
    }
}

#[test]
fn exported_positions_are_verified() {
    let folder = folder("exported");
    let [games, epd, fen] = ["games.vf", "positions.epd.gz", "positions.txt.zst"].map(|name| folder.join(name));
    let (_, error, is_done) = lab(&["datagen", "--games", "6", "--nodes", "1", "--out", text(&games)]);
    assert!(is_done, "{error}");
    let engine = engine(&folder);
    let positions = |file: &Path, format: &str| {
        let (_, error, is_done) = lab(&["data", "export", text(&games), "--format", format, "--out", text(file)]);
        assert!(is_done, "{error}");
        let (out, error, is_done) = lab(&["verify", text(file), "--nodes", "1", "--no-refit", "--engine", &engine]);
        assert!(is_done && !error.contains("warning"), "{error}");
        out.split(" of ").next().unwrap().to_owned()
    };
    assert_eq!(positions(&epd, "epd"), positions(&fen, "fen"));
}
