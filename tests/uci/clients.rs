//! Clients that die, do not read, or talk too much; and what every client sees at the end of a search.

use crate::engine::{AT_ONCE, Engine, KIWIPETE, last_score, number, words};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

fn spawn(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_halfpoint"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Asserts that the process ends by itself in time.
fn assert_ends(mut child: Child, patience: Duration, what: &str) {
    let deadline = Instant::now() + patience;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("{what}: still running after {patience:?}");
        }
        thread::sleep(Duration::from_millis(10));
    }
}

const ENDLESS: [&str; 5] = ["go depth 245", "go nodes 1000000000000000000", "go perft 30", "bench 100", "go mate 50"];

#[test]
fn the_end_of_input_ends_everything() {
    for command in ENDLESS {
        let mut child = spawn(&[]);
        child.stdin.take().unwrap().write_all(format!("{command}\n{command}\n").as_bytes()).unwrap();
        let mut output = child.stdout.take().unwrap();
        let reader = thread::spawn(move || output.read_to_string(&mut String::new()));
        assert_ends(child, AT_ONCE, command);
        reader.join().unwrap().unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_closed_output_ends_everything() {
    for command in ENDLESS {
        let mut child = spawn(&[]);
        child.stdin.as_mut().unwrap().write_all(format!("{command}\n").as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(50));
        drop(child.stdout.take());
        // The input stays open.
        let input = child.stdin.take();
        assert_ends(child, AT_ONCE, command);
        drop(input);
    }
    for arguments in [&["perft", "30"][..], &["bench", "100"], &["go", "depth", "245"]] {
        let mut child = spawn(arguments);
        drop(child.stdout.take());
        assert_ends(child, AT_ONCE, arguments[0]);
    }
}

#[test]
fn a_client_that_does_not_read_can_still_stop_and_quit() {
    let mut child = spawn(&[]);
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"setoption name MultiPV value 256\ngo movetime 300\nuci\n").unwrap();
    // More answers than a pipe holds.
    input.write_all(&b"help\n".repeat(100)).unwrap();
    thread::sleep(Duration::from_millis(200));
    input.write_all(b"stop\nposition startpos moves e2e4\ngo infinite\nstop\nquit\n").unwrap();
    let output = child.stdout.take().unwrap();
    assert_ends(child, AT_ONCE, "quit");
    drop(output);
}

#[test]
fn a_client_that_reads_late_misses_no_answer() {
    let mut child = spawn(&[]);
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"setoption name MultiPV value 256\ngo movetime 200\n").unwrap();
    input.write_all(&b"isready\nhelp\n".repeat(100)).unwrap();
    thread::sleep(Duration::from_millis(600));
    let reader = child.stdout.take().unwrap();
    let collected = thread::spawn(move || {
        let mut text = String::new();
        { reader }.read_to_string(&mut text).unwrap();
        text
    });
    input.write_all(b"quit\n").unwrap();
    let text = collected.join().unwrap();
    let count = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((count("bestmove "), count("readyok"), count("Commands:")), (1, 100, 100));
    // The last line before the move is still that of its search.
    let before = text.lines().take_while(|line| !line.starts_with("bestmove ")).collect::<Vec<_>>();
    assert!(before.iter().any(|line| line.contains(" multipv 1 score ")));
    child.wait().unwrap();
}

#[test]
fn a_flood_during_a_search_stops_it_and_is_read_to_its_end() {
    let long_game = format!("position startpos moves {}\n", "g1f3 g8f6 f3g1 f6g8 ".repeat(10_000));
    for (line, times) in [(long_game.as_str(), 100), ("position startpos\n", 15_000)] {
        let mut engine = Engine::start();
        engine.send("go depth 200");
        engine.send_bytes(line.repeat(times).as_bytes());
        engine.send("position startpos moves e2e4");
        let lines = engine.until("bestmove");
        assert_eq!(lines.iter().filter(|line| line.contains("too many commands wait")).count(), 1, "{}", lines.len());
        assert!(engine.fen().contains("/4P3/"));
    }
}

#[test]
fn no_reply_is_expected_to_a_move_that_ends_the_game() {
    let mut engine = Engine::start();
    // So that the table knows a reply.
    engine.search("go depth 6");
    engine.send("position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    let lines = engine.search("go depth 4 searchmoves f6g8");
    assert_eq!(lines.last().unwrap(), "bestmove f6g8", "{lines:#?}");
    let result = lines.iter().rev().find(|line| line.contains(" pv ")).unwrap();
    assert_eq!(words(result, "pv"), ["f6g8"]);
}

#[test]
fn every_search_ends_with_a_line_of_its_result() {
    let mut engine = Engine::start();
    for (position, go) in [
        ("startpos", "go nodes 1"),
        ("startpos", "go nodes 777"),
        ("startpos", "go nodes 20000"),
        ("startpos", "go depth 7"),
        ("startpos moves e2e4 e7e5", "go movetime 60"),
        (&format!("fen {KIWIPETE}"), "go nodes 12345"),
        // A forced move.
        ("fen 7k/8/8/8/8/8/1q6/K7 w - - 0 1", "go wtime 10000 btime 10000"),
    ] {
        for multi_pv in [1, 3] {
            engine.send(&format!("setoption name MultiPV value {multi_pv}"));
            engine.send("ucinewgame");
            engine.send(&format!("position {position}"));
            let lines = engine.search(go);
            let [.., _, best] = &lines[..] else { panic!("two lines at least: {lines:#?}") };
            let result = lines.iter().rev().find(|line| line.contains(" multipv 1 score ")).unwrap();
            let pv = words(result, "pv");
            let best: Vec<_> = best.split_whitespace().collect();
            assert_eq!(best[1], pv[0], "{position}, {go}: {lines:#?}");
            assert_eq!(best.get(3), pv.get(1), "{position}, {go}: {lines:#?}");
            let nodes = lines.iter().filter(|line| line.contains(" nodes ")).map(|line| number(line, "nodes")).max();
            assert_eq!(Some(number(result, "nodes")), nodes, "{position}, {go}: {lines:#?}");
        }
    }
}

#[test]
fn an_immediate_ponder_hit_is_followed_by_a_line() {
    let mut engine = Engine::start();
    for _ in 0..5 {
        engine.send("position startpos moves e2e4 e7e5");
        engine.send("go ponder wtime 1000 btime 1000");
        thread::sleep(Duration::from_millis(150));
        engine.settle();
        engine.send("ponderhit");
        let lines = engine.until("bestmove");
        assert!(lines.iter().any(|line| line.contains(" score ") && line.contains(" pv ")), "{lines:#?}");
    }
}

#[test]
fn an_exact_score_is_not_followed_by_a_bound_of_the_same_move() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {KIWIPETE}"));
    for nodes in (20_000..60_000).step_by(1_111) {
        engine.send("ucinewgame");
        let lines = engine.search(&format!("go nodes {nodes}"));
        let result = last_score(&lines);
        let exact = lines.iter().rev().find(|line| line.contains(" score ") && !line.contains("bound"));
        let same_move = exact.is_some_and(|exact| words(exact, "pv")[0] == words(result, "pv")[0]);
        assert!(!(result.contains("bound") && same_move), "{nodes}: {lines:#?}");
    }
}

#[test]
fn a_forced_move_gets_a_score() {
    let mut engine = Engine::start();
    engine.send("position fen 7k/8/8/8/8/8/1q6/K7 w - - 0 1");
    let start = Instant::now();
    // Minutes for a move that can be chosen.
    let lines = engine.search("go wtime 6000000 btime 6000000");
    assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
    assert!(last_score(&lines).contains(" score cp 0 "), "{lines:#?}");
    engine.send("position fen 4k3/8/8/8/8/q7/8/1K5R w - - 0 1 moves h1h8 e8e7 h8h7 e7f6 h7h6 f6g5 h6h1 a3b3");
    let lines = engine.search("go wtime 60000 btime 60000");
    assert!(number(last_score(&lines), "depth") >= 4, "{lines:#?}");
}

#[test]
fn long_iterations_show_signs_of_life() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 200");
    engine.send(&format!("position fen {KIWIPETE}"));
    let lines = engine.search("go movetime 4500");
    let times: Vec<_> = lines.iter().filter(|line| line.contains(" time ")).map(|line| number(line, "time")).collect();
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] < 2500), "{times:?}");
}

#[test]
fn commands_of_the_protocol_can_be_arguments() {
    for (arguments, last) in [
        (&["go", "depth", "4"][..], "bestmove "),
        (&["uci"], "uciok"),
        (&["isready"], "readyok"),
        (&["position startpos moves e2e4", "go depth 3", "quit", "go infinite"], "bestmove "),
    ] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_halfpoint")).args(arguments).stdin(Stdio::null()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.lines().last().unwrap().starts_with(last) && output.status.success(), "{arguments:?}: {text}");
    }
}

/// No thread can be started once the process may have no more memory.
#[cfg(target_os = "linux")]
#[test]
fn a_search_without_a_thread_still_has_a_move() {
    let mut engine = Engine::start();
    engine.settle();
    let status = std::fs::read_to_string(format!("/proc/{}/statm", engine.child.id())).unwrap();
    let pages: u64 = status.split_whitespace().next().unwrap().parse().unwrap();
    // The stack of a search has 16 MiB.
    let most = libc::rlimit { rlim_cur: pages * 4096 + (8 << 20), rlim_max: pages * 4096 + (8 << 20) };
    // SAFETY: a valid structure, and the process is a child of this one.
    let set =
        unsafe { libc::prlimit(engine.child.id() as i32, libc::RLIMIT_AS, &raw const most, std::ptr::null_mut()) };
    assert_eq!(set, 0);
    let lines = engine.ask("setoption name Threads value 4");
    assert_eq!(lines, ["info string option Threads: cannot allocate 48 MiB for the stacks of the threads"]);
    let lines = engine.search("go infinite");
    assert!(lines[0].starts_with("info string no thread for the search: "), "{lines:#?}");
    assert_eq!(lines.last().unwrap().split_whitespace().nth(1).unwrap().len(), 4);
    engine.settle();
}
