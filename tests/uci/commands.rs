//! Commands beyond UCI and on the command line.

use crate::engine::{Engine, KIWIPETE};
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::ptr::null_mut;

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
    assert!(run(&["--help"]).0.contains("perft"));
}

#[test]
fn the_version_has_the_signature_of_bench() {
    let (out, ..) = run(&["--version"]);
    let told = out.trim_end().strip_prefix("halfpoint ").unwrap();
    let signature = include_str!("../data/bench.txt").trim_end();
    assert!(told.ends_with(&format!(" (bench {signature})")), "{told}");
    let (uci, ..) = run(&["uci"]);
    assert_eq!(uci.lines().next(), Some(&*format!("id name Halfpoint {told}")));
}

#[test]
fn the_evaluation_begins_with_its_result() {
    let (out, ..) = run(&["eval", "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1"]);
    let first = out.lines().next().unwrap();
    assert!(first.starts_with("score cp -") && first.contains(" wdl 0 ") && first.contains("black to move"), "{first}");
}

#[test]
fn openings_come_from_books_of_chess960_and_of_windows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.epd");
    let start = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    std::fs::write(&path, format!("\u{feff}{start}\r\n")).unwrap();
    let (out, ..) = run(&[&format!("genfens 2 seed 1 plies 0 book {}", path.display()), "quit"]);
    let openings: Vec<_> = out.lines().filter(|line| line.starts_with("info string genfens ")).collect();
    assert!(
        openings.len() == 2 && openings.iter().all(|line| line.contains(" HFhf ") || line.contains(" KQkq ")),
        "{out}"
    );
}

#[test]
fn tables_that_say_nothing_are_an_error() {
    const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    const KRK: &str = "8/8/8/4k3/8/8/8/KR6 w - - 0 1";
    let (out, error, code) = run(&["tb", KRK, "--syzygy", TABLES]);
    assert!(out.contains("\nwin, DTZ ") && error.is_empty() && code == Some(0), "{out}{error}");
    let (out, ..) = run(&["tb", "k7/8/1K6/8/8/8/8/6Q1 w - - 0 1", "--syzygy", TABLES]);
    assert!(out.lines().nth(2).is_some_and(|line| line.contains("g1g8") && line.ends_with(" mate")), "{out}");

    let empty = tempfile::tempdir().unwrap();
    let empty = empty.path().to_str().unwrap();
    let pawnless = tempfile::tempdir().unwrap();
    for name in ["KNvK.rtbw", "KNvK.rtbz"] {
        std::fs::copy(std::path::Path::new(TABLES).join(name), pawnless.path().join(name)).unwrap();
    }
    let pawnless = pawnless.path().to_str().unwrap();
    for (fen, folder, parts) in [
        (KRK, "/no/such", &["no tables"][..]),
        ("6k1/R7/6K1/8/8/8/8/8 w - - 0 1", "/no/such", &["no tables"]),
        (KRK, empty, &["no tables", "no Syzygy tables in it"]),
        (KIWIPETE, TABLES, &["32 pieces and castling rights", "up to 4 pieces"]),
        ("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", TABLES, &["10 pieces:", "up to 4 pieces"]),
        (KRK, pawnless, &["3 pieces:", "1 WDL and 1 DTZ tables of up to 3 pieces"]),
    ] {
        let (out, error, code) = run(&["tb", fen, "--syzygy", folder]);
        assert!(out.is_empty() && error.lines().count() == 1 && code == Some(1), "{folder}: {out}{error}");
        assert!(error.starts_with(&format!("error: {folder}: ")), "{error}");
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
}

#[test]
fn the_command_line_helps() {
    let (short, long) = (run(&["analyze", "--help"]).0, run(&["analyse", "--help"]).0);
    assert_eq!(short, long);
    for name in ["nominal", "uncorrected", "master", "club-rapid"] {
        assert!(long.contains(name), "{name}: {long}");
    }
    assert!(long.lines().all(|line| line.len() <= 100), "{long}");
    let (_, error, code) = run(&["analyse", "games.pgn", "--multpv", "3"]);
    assert!(error.contains("'--multipv'") && error.lines().count() == 1 && code == Some(2), "{error}");
    assert!(run(&["analyz"]).1.contains("'analyze'"));
}

/// The terminal side of a pseudoterminal, and the other one.
#[cfg(unix)]
fn terminal() -> (std::os::fd::OwnedFd, std::fs::File) {
    use std::os::fd::FromRawFd as _;
    let (mut main, mut terminal) = (-1, -1);
    // SAFETY: two valid places for descriptors; the rest may be null.
    let opened = unsafe { libc::openpty(&raw mut main, &raw mut terminal, null_mut(), null_mut(), null_mut()) };
    assert_eq!(opened, 0);
    // SAFETY: both descriptors are open and nobody else's.
    unsafe { (std::os::fd::OwnedFd::from_raw_fd(terminal), std::fs::File::from_raw_fd(main)) }
}

#[cfg(unix)]
#[test]
fn somebody_at_a_terminal_is_told_of_help() {
    use std::io::Write as _;
    let (input, mut keyboard) = terminal();
    let mut command = Command::new(env!("CARGO_BIN_EXE_halfpoint"));
    let child = command.stdin(input).stdout(Stdio::piped()).spawn().unwrap();
    // Its copy of the terminal is closed with it.
    drop(command);
    keyboard.write_all(b"quit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("Halfpoint ") && text.contains("'help'") && text.lines().count() == 1, "{text}");
    // A client is not.
    assert!(run(&[]).0.is_empty());
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
