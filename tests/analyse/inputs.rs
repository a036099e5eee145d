//! What can be read, and what is said of the rest.

use crate::run::{Run, failure, objects};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const FAST: &str = "--nodes 100 --threads 1";

fn plies(games: &[serde_json::Value]) -> Vec<usize> {
    games.iter().map(|game| game["analysis"].as_array().unwrap().len()).collect()
}

#[test]
fn games_of_all_kinds_are_analysed() {
    let long = format!("1. Nf3 Nf6 {} *", "Ng1 Ng8 Nf3 Nf6 ".repeat(249));
    let games = format!(
        "1. e4 *\n\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n[SetUp \"1\"]\n\n7... Kd7 8. Kd2 1/2-1/2\n\n\
         [Variant \"Chess960\"]\n[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]\n\n1. f4 f5 2. O-O *\n\n\
         [Event \"none\"]\n\n*\n\n{long}\n"
    );
    let run = Run::new(games);
    let found = run.json(&format!("games.pgn {FAST} --pgn out.pgn"));
    assert_eq!(plies(&found), [1, 2, 3, 0, 998]);
    assert_eq!(found[1]["variant"], "fromPosition");
    assert_eq!((&found[2]["variant"], &found[2]["analysis"][2]["uci"]), (&"chess960".into(), &"f1g1".into()));
    assert_eq!(found[4]["analysis"][997]["wdl"], serde_json::json!([0, 1000, 0]), "a repetition at the end");
    let again = Run::new(run.read("out.pgn")).json(&format!("games.pgn {FAST}"));
    assert_eq!(plies(&again), [1, 2, 3, 0, 998]);
}

#[test]
fn all_cases_of_the_reader_are_read() {
    for entry in fs::read_dir("tests/data/cases").unwrap() {
        let path = entry.unwrap().path();
        let run = Run::new("");
        fs::copy(&path, run.path("case")).unwrap();
        let output = run.run(&format!("case {FAST} --games 1-3 --json out.json --html out.html"));
        let text = String::from_utf8(output.stderr).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let has_broken = [
            "german-letters.pgn",
            "unterminated-brace.pgn",
            "variant-names.pgn",
            "06a-chess960-fen-unknown.pgn",
            "06c-chess960-without-fen.pgn",
            "12c-iccf.pgn",
        ]
        .contains(&name);
        assert_eq!(output.status.code(), Some(i32::from(has_broken)), "{name}: {text}");
        assert_eq!(text.contains("error: case: game "), has_broken, "{name}: {text}");
    }
}

#[test]
fn compressed_files_and_standard_input_are_read() {
    let games = "1. e4 e5 *\n\n1. d4 *\n";
    let run = Run::new(games);
    let mut gzip = GzEncoder::new(File::create(run.path("a.pgn.gz")).unwrap(), Compression::fast());
    gzip.write_all(games.as_bytes()).unwrap();
    gzip.finish().unwrap();
    // Two frames.
    let halves: Vec<Vec<u8>> = games.as_bytes().chunks(9).map(zstandard).collect();
    fs::write(run.path("a.pgn.zst"), halves.concat()).unwrap();
    for name in ["a.pgn.gz", "a.pgn.zst"] {
        assert_eq!(plies(&run.json(&format!("{name} {FAST}"))), [2, 1], "{name}");
    }
    let mut child =
        run.command(&format!("- {FAST} --json -")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(games.as_bytes()).unwrap();
    assert_eq!(plies(&objects(&child.wait_with_output().unwrap().stdout)), [2, 1]);
    assert_eq!(plies(&run.json(&format!("games.pgn {FAST} --games 2"))), [1]);
}

fn zstandard(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Uncompressed)
}

#[test]
fn what_stands_before_a_fault_is_analysed() {
    let games = "1. e4 e5 1-0\n1. d4 *\n";
    for (name, mut packed) in [
        ("a.gz", {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
            gzip.write_all(games.as_bytes()).unwrap();
            gzip.finish().unwrap()
        }),
        ("a.zst", zstandard(games.as_bytes())),
    ] {
        let run = Run::new("");
        // Behind what can be read, one more member or frame that is cut.
        packed.extend(packed.clone());
        packed.truncate(packed.len() - 12);
        fs::write(run.path(name), packed).unwrap();
        let output = run.run(&format!("{name} {FAST} --json -"));
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(&format!("{name}: the rest of it cannot be read: the ")), "{error}");
        assert!(plies(&objects(&output.stdout)).starts_with(&[2, 1]), "{name}");
    }
}

#[test]
fn what_is_wrong_with_a_game_that_is_read_is_said() {
    let run = Run::new("[White Elo \"2000\"]\n[White \"a\u{202e}b\"]\n[TimeControl \"soon\"]\n\n1. e4 1-0\n");
    let output = run.run(&format!("games.pgn {FAST} --html out.html"));
    let (code, error) = failure(&output);
    assert_eq!(code, 0);
    for warning in ["line 1: malformed tag '[White Elo", "line 1: the time control 'soon' is not understood"] {
        assert!(error.contains(&format!("warning: games.pgn: game 1, {warning}")), "{error}");
    }
    assert!(String::from_utf8(output.stdout).unwrap().contains("a\\u{202e}b"));
}

#[test]
fn the_end_on_the_board_counts_before_the_result_in_the_file() {
    for (fen, moves, result, winner, ending) in [
        ("", "1. f3 e5 2. g4 Qh4#", "0-1", Some("black"), "mate"),
        ("[FEN \"7k/8/5K2/8/8/8/8/6Q1 w - - 0 1\"]\n", "1. Qg6", "1/2-1/2", None, "stalemate"),
        ("[FEN \"8/8/8/8/8/8/2k1p3/4K1N1 w - - 0 1\"]\n", "1. Nxe2", "1/2-1/2", None, "insufficientMaterial"),
    ] {
        for in_file in ["1-0", "1/2-1/2", "0-1", "0-0", "*"] {
            let run = Run::new(format!("{fen}[Result \"{in_file}\"]\n\n{moves} {in_file}\n"));
            let (code, error) = failure(&run.run(&format!("games.pgn {FAST} --json out.json --pgn out.pgn")));
            let found = &objects(run.read("out.json").as_bytes())[0];
            let is_known = !["0-0", "*"].contains(&in_file);
            let warning = format!(
                "warning: games.pgn: game 1, line 1: the result is {in_file}, but the board shows {result}; the board counts\n"
            );
            assert_eq!((code, error), (0, if is_known && in_file != result { warning } else { String::new() }));
            assert_eq!(
                (found["result"].as_str(), &found["ending"]),
                (Some(if is_known { result } else { in_file }), &ending.into())
            );
            assert_eq!(
                found.get("winner").and_then(|winner| winner.as_str()),
                winner.filter(|_| is_known),
                "{in_file}"
            );
            // The file keeps its own.
            let annotated = run.read("out.pgn");
            assert!(annotated.contains(&format!("[Result \"{in_file}\"]")), "{annotated}");
            assert_eq!(annotated.split_whitespace().last(), Some(in_file), "{annotated}");
        }
    }
}

#[test]
fn a_result_that_both_lose_is_kept() {
    let run = Run::new("[Result \"0-0\"]\n\n1. e4 0-0\n");
    let found = run.json(&format!("games.pgn {FAST} --pgn out.pgn"));
    assert_eq!(found[0]["result"], "0-0");
    let again = Run::new(run.read("out.pgn")).json(&format!("games.pgn {FAST}"));
    assert_eq!((&again[0]["result"], plies(&again)), (&"0-0".into(), vec![1]));
}

#[test]
fn long_inputs_take_no_longer_than_they_are() {
    let tags: String = (0..60_000).map(|n| format!("[T{n} \"x\"]\n")).collect();
    let operations: String = (0..60_000).map(|n| format!(" c{n} x;")).collect();
    let braces = "{{}".repeat(60_000);
    let evaluations = "[%eval 0.1] ".repeat(60_000);
    for text in [
        format!("{tags}\n1. e4 *\n"),
        format!("{}\n1. e4 *\n", tags.replace('\n', "\n\n")),
        format!("4k3/8/8/8/8/8/4P3/4K3 w - -{operations}\n"),
        format!("1. e4 {braces} *\n"),
        format!("1. e4 {{{evaluations}}} *\n"),
        format!("1. e4 {} *\n", "(1. d4 ".repeat(20_000) + &")".repeat(20_000)),
    ] {
        let start = Instant::now();
        let run = Run::new(&text);
        assert!(run.run(&format!("games.pgn {FAST} --pgn out.pgn --json out.json")).status.success(), "{:.40}", text);
        assert!(start.elapsed() < Duration::from_secs(20), "{:.40}: {:?}", text, start.elapsed());
    }
}

#[test]
fn positions_are_games_without_moves() {
    let run =
        Run::new("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"back rank\";\n# no\n4k3/8/8/8/8/8/8/4K3 b - - 0 1\n");
    let found = run.json(&format!("games.pgn {FAST} --html out.html --pgn out.pgn"));
    assert_eq!(plies(&found), [0, 0]);
    assert_eq!((&found[0]["tags"]["Event"], &found[0]["start"]["mate"]), (&"back rank".into(), &1.into()));
    assert_eq!(found[0]["start"]["lines"][0]["san"], "Rd8#");
    assert_eq!((&found[1]["number"], &found[1]["start"]["wdl"]), (&3.into(), &serde_json::json!([0, 1000, 0])));
    assert!(run.read("out.html").contains("data-kind=\"positions\""));
    assert!(run.read("out.pgn").contains("[FEN \"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\"]\n"));
}

#[test]
fn broken_input_is_named_and_the_rest_is_done() {
    for (text, games, message) in [
        ("hello world\n", 0, "games.pgn: neither games in PGN nor positions in FEN or EPD"),
        ("", 0, "games.pgn: is empty"),
        ("\x7fELF\x02\x01\0\0\x01", 0, "games.pgn: neither games"),
        ("[Event \"a\"]\n\n1. e4 e5 2. Nf", 0, "games.pgn: game 1, line 3: 'Nf' is no move"),
        ("[Event \"a\"]\n\n1. e4 Ke5 0-1\n\n[Event \"b\"]\n\n1. d4 *\n", 1, "game 1, line 3: move 1... Ke5 is illegal"),
        ("[Event \"a\"]\n\n1. e4 -- 2. d4 *\n", 0, "game 1, line 3: '--' is a null move"),
        ("[Variant \"Atomic\"]\n\n1. e4 *\n", 0, "game 1, line 1: the variant 'Atomic' is not known"),
        ("4k3/8/8/8/8/8/8/4K3 w - -\n4k3/9/8/8/8/8/8/4K3 w - -\n", 1, "games.pgn: line 2: malformed FEN"),
    ] {
        let run = Run::new(text);
        let (code, error) = failure(&run.run(&format!("games.pgn {FAST} --json out.json")));
        assert!(code == 1 && error.contains(message) && error.lines().count() == 1, "{text}: {error}");
        let found = fs::read_to_string(run.path("out.json")).unwrap_or_default();
        assert_eq!(found.lines().count(), games, "{text}");
    }
}

#[test]
fn bad_arguments_are_told_before_the_work_begins() {
    let run = Run::new("1. e4 *");
    fs::create_dir(run.path("folder")).unwrap();
    for (arguments, code, message) in [
        ("missing.pgn", 1, "missing.pgn: No such file"),
        ("games.pgn --html no/x.html", 1, "cannot write 'no/x.html'"),
        ("games.pgn --pgn folder", 1, "cannot write 'folder'"),
        ("games.pgn --profile x", 1, "there is no profile 'x'"),
        ("games.pgn --games 0", 2, "--games"),
        ("games.pgn --games 3", 1, "none of those chosen"),
        ("games.pgn --time 0", 2, "--time"),
        ("games.pgn --nodes 0", 2, "--nodes"),
        ("games.pgn --depth 246", 2, "--depth"),
        ("games.pgn --multipv 257", 2, "--multipv"),
        ("games.pgn --thresholds 3,2,1", 2, "--thresholds"),
        ("games.pgn --time-control fast", 2, "--time-control"),
        ("", 2, "FILE"),
    ] {
        let (found, error) = failure(&run.run(arguments));
        assert!(found == code && error.contains(message) && error.lines().count() == 1, "{arguments}: {found} {error}");
    }
    assert_eq!(run.files(), ["folder", "games.pgn"]);
    assert!(Path::new("tests/data").exists());
}
