//! Limits of a search and the choice of root moves.

use crate::engine::{AT_ONCE, Engine, KIWIPETE, last_score, number, words};
use std::time::{Duration, Instant};

#[test]
fn limits_are_kept() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {KIWIPETE}"));
    let lines = engine.search("go nodes 60000");
    assert!(number(last_score(&lines), "nodes") <= 60_000, "{lines:#?}");
    let lines = engine.search("go depth 3");
    assert_eq!(number(last_score(&lines), "depth"), 3);
    let start = Instant::now();
    engine.search("go movetime 300");
    assert!(start.elapsed() >= Duration::from_millis(100) && start.elapsed() < AT_ONCE);
    // A single move from `searchmoves` is searched for the whole time; a single legal move is not.
    let lines = engine.search("go movetime 300 searchmoves e1g1");
    assert!(number(last_score(&lines), "depth") > 3, "{lines:#?}");
    engine.search("go btime 1000 movetime 100");
    let start = Instant::now();
    engine.search("go wtime -50 btime -50 winc 0 binc 0");
    assert!(start.elapsed() < AT_ONCE);
    engine.send("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let lines = engine.search("go mate 1");
    assert!(last_score(&lines).contains("score mate 1 "), "{lines:#?}");
    assert_eq!(lines.last().unwrap().split_whitespace().nth(1), Some("d1d8"));
}

#[test]
fn only_searchmoves_are_searched() {
    let mut engine = Engine::start();
    let lines = engine.search("go searchmoves a2a3 h2h4 depth 3");
    let best = lines.last().unwrap().split_whitespace().nth(1).unwrap();
    assert!(["a2a3", "h2h4"].contains(&best));
    for line in lines.iter().filter(|line| line.contains(" pv ")) {
        assert!(["a2a3", "h2h4"].contains(&words(line, "pv")[0]), "{line}");
    }
}

/// Deepest iteration, plies.
fn depth(lines: &[String]) -> i64 {
    lines.iter().filter(|line| line.contains(" score ")).map(|line| number(line, "depth")).max().unwrap()
}

#[test]
fn a_limited_search_ends_with_a_confirmed_mate() {
    let mut engine = Engine::start();
    for (fen, score) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "mate 1"),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "mate 1"),
        ("k7/8/2K5/8/8/8/8/6R1 b - - 0 1", "mate -2"),
        ("8/8/8/8/k7/2K5/8/1R6 b - - 0 1", "mate -5"),
    ] {
        for limit in ["depth 200", "nodes 1000000000", "movetime 600000", "wtime 6000000 btime 6000000"] {
            engine.send(&format!("position fen {fen}"));
            let lines = engine.search(&format!("go {limit}"));
            let last = last_score(&lines);
            assert!(last.contains(&format!(" score {score} ")) && depth(&lines) <= 50, "{fen}, {limit}: {last}");
        }
    }
    // Where the line is one of several, or the search is to go on, it does.
    engine.send("position fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1");
    engine.send("setoption name MultiPV value 2");
    assert_eq!(depth(&engine.search("go depth 30")), 30);
    engine.send("setoption name MultiPV value 1");
    engine.send("go infinite");
    std::thread::sleep(Duration::from_millis(300));
    assert!(depth(&engine.search("stop")) > 60);
}
