//! Info lines, and scores and W/D/L of certain results.

use crate::engine::{Engine, KIWIPETE, last_score, number, words};

#[test]
fn info_lines_have_every_field() {
    let mut engine = Engine::start();
    let lines = engine.search("go depth 4");
    let info = last_score(&lines);
    for key in ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"] {
        number(info, key);
    }
    assert_eq!(words(info, "score")[0], "cp");
    assert!(!words(info, "pv").is_empty());
}

#[test]
fn multipv_lines_are_ordered_and_differ() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 4");
    engine.send(&format!("position fen {KIWIPETE}"));
    let lines = engine.search("go depth 3");
    let last: Vec<&String> = lines.iter().filter(|line| line.starts_with("info depth 3 ")).collect();
    let last = &last[last.len() - 4..];
    let mut moves: Vec<_> = last.iter().map(|line| words(line, "pv")[0]).collect();
    let scores: Vec<_> = last.iter().map(|line| number(line, "cp")).collect();
    assert_eq!(last.iter().map(|line| number(line, "multipv")).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");
    assert!(lines.last().unwrap().contains(moves[0]));
    moves.sort_unstable();
    moves.dedup();
    assert_eq!(moves.len(), 4);
    // At most one line a legal move.
    engine.send("setoption name MultiPV value 256");
    engine.send("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1");
    let lines = engine.search("go depth 2");
    assert!(!lines.iter().any(|line| line.contains(" multipv 4 ")));
}

#[test]
fn proven_results_have_certain_wdl() {
    let mut engine = Engine::start();
    engine.send("setoption name UCI_ShowWDL value true");
    let profiles = ["nominal", "uncorrected", "master"];
    for (position, score, wdl) in [
        ("fen 7k/8/8/8/8/8/8/K7 w - - 0 1", "cp 0", "0 1000 0"),
        ("fen 7k/8/8/8/8/8/8/KN6 w - - 0 1", "cp 0", "0 1000 0"),
        ("fen 4k3/8/8/8/8/8/8/R3K3 w - - 100 90", "cp 0", "0 1000 0"),
        ("fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "mate 1", "1000 0 0"),
        ("fen k7/8/1K6/8/8/8/8/7R b - - 0 1", "mate -1", "0 0 1000"),
        ("fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0", "0 0 1000"),
        ("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0", "0 1000 0"),
    ] {
        for profile in profiles {
            engine.send(&format!("setoption name WDL_Profile value {profile}"));
            engine.send(&format!("position {position}"));
            let lines = engine.search("go depth 4");
            let info = last_score(&lines);
            assert!(info.contains(&format!(" score {score} wdl ")), "{position}, {profile}: {info}");
            let printed: Vec<u32> = words(info, "wdl").iter().take(3).map(|x| x.parse().unwrap()).collect();
            let expected: Vec<u32> = wdl.split(' ').map(|x| x.parse().unwrap()).collect();
            // Masters may lose with a mate on the board, in few games.
            let most = if profile == "master" && score.starts_with("mate") { 15 } else { 0 };
            assert!(
                printed.iter().zip(&expected).all(|(a, b)| a.abs_diff(*b) <= most),
                "{position}, {profile}: {info}"
            );
        }
    }
}

#[test]
fn wdl_is_printed_by_either_option() {
    let mut engine = Engine::start();
    engine.send("position startpos");
    for option in ["ShowWDL", "UCI_ShowWDL"] {
        for (value, expected) in [("true", true), ("false", false)] {
            engine.send(&format!("setoption name {option} value {value}"));
            assert_eq!(last_score(&engine.search("go depth 1")).contains(" wdl "), expected, "{option} {value}");
        }
    }
}

/// Runs the binary with standard output to a file, or to a pipe that nobody reads.
#[cfg(target_os = "linux")]
fn run_into(arguments: &[&str], out: std::process::Stdio) -> (Option<i32>, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_halfpoint"));
    let output = command.args(arguments).stdin(std::process::Stdio::null()).stdout(out).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_an_error_but_for_a_closed_pipe() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/cases/03a-c9-moves.epd");
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    for arguments in [
        &["bench", "2"][..],
        &["eval"],
        &["eval", "--json"],
        &["params"],
        &["params", "--spsa"],
        &["params", "--openbench"],
        &["perft", "3"],
        &["tb", "4k3/4b3/8/8/8/8/4R3/4K3 b - - 0 1", "--syzygy", tables],
        &["suite", suite, "--nodes", "10"],
        &["analyse", "examples/game.pgn", "--nodes", "10", "--json", "-"],
        &["analyse", "examples/game.pgn", "--nodes", "10", "--html", "-"],
        &["uci"],
        &["go", "depth", "3"],
        &["--help"],
        &["--version"],
        &["suite", "--help"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let (code, error) = run_into(arguments, full.into());
        let is_said = error.starts_with("error: cannot write ") && error.contains("No space left");
        assert!(code == Some(1) && is_said && error.lines().count() == 1, "{arguments:?}: {code:?} {error}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(run_into(arguments, writer.into()), (Some(0), String::new()), "{arguments:?}");
    }
}
