//! Commands beyond UCI and on the command line.

use crate::engine::{Engine, KIWIPETE};
use std::process::{Command, Stdio};

#[test]
fn commands_beyond_uci_print_something() {
    let mut engine = Engine::start();
    let lines = engine.ask("d");
    assert!(
        lines.iter().any(|line| line.starts_with("Key: ")) && lines.iter().any(|line| line.starts_with("Checkers:"))
    );
    assert!(!engine.ask("eval").is_empty());
    assert!(engine.ask("help").iter().any(|line| line.contains("setoption")));
    let start = engine.ask("debug on");
    assert!(start.is_empty());
    assert!(engine.search("go depth 1")[0].starts_with("info string "));
    engine.send("bench 1");
    while !engine.until("").last().unwrap().ends_with(" nps") {}
}

/// Standard output, standard error and exit code.
fn run(arguments: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_halfpoint")).args(arguments).stdin(Stdio::null()).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap(), output.status.code())
}

#[test]
fn each_command_prints_its_result() {
    let (out, _, code) = run(&["perft", "3"]);
    assert!(out.contains("e2e4: 600\n") && out.ends_with("\n\nNodes searched: 8902\n"), "{out}");
    assert_eq!(code, Some(0));
    let (out, ..) = run(&["perft", "1", "--fen", "4k3/8/8/8/8/8/8/4K2R w H - 0 1", "--chess960"]);
    assert!(out.contains("e1h1: 1\n"), "{out}");

    let signature = |out: &str| {
        let words: Vec<_> = out.lines().last().unwrap().split_whitespace().map(str::to_owned).collect();
        assert_eq!((words.len(), &*words[1], &*words[3]), (4, "nodes", "nps"));
        words[2].parse::<u64>().unwrap();
        words[0].parse::<u64>().unwrap()
    };
    let (first, second) = (run(&["bench", "3"]).0, run(&["bench", "3"]).0);
    assert_eq!(signature(&first), signature(&second));

    assert!(!run(&["eval"]).0.is_empty());
    assert!(!run(&["eval", KIWIPETE]).0.is_empty());
    assert!(run(&["--version"]).0.starts_with("halfpoint "));
    assert!(run(&["--help"]).0.contains("perft"));
}

#[test]
fn wrong_arguments_print_one_line() {
    for (arguments, expected) in [
        (&["fly"][..], 2),
        (&["perft"], 2),
        (&["perft", "x"], 2),
        (&["perft", "-1"], 2),
        (&["bench", "0"], 2),
        (&["--nonsense"], 2),
        (&["eval", "8/8/8/8/8/8/8/8 w - - 0 1"], 1),
        (&["perft", "2", "--fen", "nonsense"], 1),
        (&["perft", "1", "--fen", "4k3/8/8/8/8/8/8/1K4R1 w G - 0 1"], 1),
    ] {
        let (out, error, code) = run(arguments);
        assert_eq!(code, Some(expected), "{arguments:?}");
        assert!(out.is_empty() && error.lines().count() == 1 && error.starts_with("error: "), "{arguments:?}: {error}");
    }
}

#[test]
fn openings_and_constants_come_in_the_form_of_openbench() {
    let openings = |command: &str| run(&[command, "quit"]).0;
    let first = openings("genfens 6 seed 1 book None ");
    let fens: Vec<_> = first.lines().map(|line| line.strip_prefix("info string genfens ").unwrap()).collect();
    assert_eq!(fens.len(), 6, "{first}");
    assert!(fens.iter().all(|fen| fen.split(' ').count() == 6), "{first}");
    assert!(fens.iter().any(|fen| fen.contains(" w ")) && fens.iter().any(|fen| fen.contains(" b ")), "{first}");
    assert_eq!(openings("genfens 6 seed 1 book None "), first);
    assert_ne!(openings("genfens 6 seed 2 book None "), first);

    let game = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -";
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    std::fs::write(&book, format!("{game} hmvc 0; fmvn 3;\n\nno position\n")).unwrap();
    let drawn = openings(&format!("genfens 2 seed 5 book {} plies 0", book.display()));
    assert!(drawn.starts_with(&format!("info string genfens {game} 0 ")), "{drawn}");
    std::fs::write(&book, "no position\n").unwrap();
    let refused = openings(&format!("genfens 2 seed 5 book {}", book.display()));
    assert!(refused.contains("genfens: no balanced opening") && refused.contains("'no position'"), "{refused}");
    assert!(openings("genfens 1 book /").contains("genfens: /: not a regular file"));

    let told = run(&["setoption name PgnComment value true", "setoption name ShowWDL value true", "go nodes 3000"]).0;
    let lines: Vec<_> = told.lines().rev().take(3).collect();
    let wdl = lines[1].strip_prefix("info string pgncomment wdl ").unwrap();
    assert!(lines[0].starts_with("bestmove ") && lines[2].contains(&format!(" wdl {wdl} nodes ")), "{told}");

    let (out, _, code) = run(&["params", "--openbench"]);
    assert_eq!(code, Some(0));
    assert!(out.lines().count() > 20);
    assert!(out.lines().all(|line| line.split(", ").count() == 7 && !line.ends_with(", 0, 0.002")), "{out}");
    assert!(out.contains("futility_slope_score_cp, int, 87, 30, 300, 12, 0.002\n"), "{out}");
}
