//! The lines of a stopped search: all searched, in order, with distinct first moves, and the best move first.

use crate::engine::{AT_ONCE, Engine, KIWIPETE, last_score, number, words};
use crate::random_input::Random;

/// An attack with several good moves.
const ATTACK: &str = "2r3k1/1p3pp1/p4q1p/8/bP3P1P/P2B2Q1/2P2P1K/4R3 b - - 4 27";

const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    KIWIPETE,
    ATTACK,
    // Mates, draws by stalemate and by the fifty-move rule.
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "7k/5Q2/8/8/8/8/8/K6b w - - 99 80",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/8/8/8/8/8/4r3/R3K3 w - - 98 90",
    "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1",
    "4k3/8/8/8/8/8/8/R3K3 w - - 100 90",
];

/// A printed score as one number, mates beyond all others.
fn value(line: &str) -> i64 {
    match words(line, "score")[..2] {
        ["cp", cp] => cp.parse().unwrap(),
        ["mate", moves] => {
            let moves: i64 = moves.parse().unwrap();
            assert!(moves.abs() < 200, "no such mate: {line}");
            if moves > 0 { 100_000 - moves } else { -100_000 - moves }
        }
        _ => panic!("no score: {line}"),
    }
}

/// Asserts that all lines are right and in order, at most `most` at a time; returns the scores of those printed last.
fn check_lines(lines: &[String], most: usize, asked: &str) -> Vec<i64> {
    let (best, lines) = lines.split_last().unwrap();
    let reports: Vec<_> = lines.iter().filter(|line| line.contains(" multipv ")).collect();
    let mut scores = Vec::new();
    let mut first = "";
    for together in reports.chunk_by(|_, next| number(next, "multipv") != 1) {
        assert!(together.len() <= most, "{asked}: {together:#?}");
        for (index, line) in together.iter().enumerate() {
            assert!(
                number(line, "multipv") == index as i64 + 1 && number(line, "depth") >= 1,
                "{asked}: {together:#?}"
            );
        }
        scores = together.iter().map(|line| value(line)).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "out of order, {asked}: {together:#?}");
        let mut moves: Vec<_> = together.iter().map(|line| words(line, "pv")[0]).collect();
        first = moves[0];
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), together.len(), "the same move twice, {asked}: {together:#?}");
    }
    assert_eq!(words(best, "bestmove")[0], first, "{asked}: {reports:#?}");
    scores
}

#[test]
fn lines_without_a_search_have_static_scores() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 3");
    let scores = check_lines(&engine.search("go nodes 1"), 3, "go nodes 1");
    assert!(scores.len() == 3 && scores.iter().all(|score| score.abs() < 200), "{scores:?}");
    engine.send("setoption name MultiPV value 5");
    for _ in 0..5 {
        engine.send_bytes(b"ucinewgame\ngo infinite\nstop\n");
        let lines = engine.until_within("bestmove", AT_ONCE);
        assert_eq!(check_lines(&lines, 5, "go infinite").len(), 5);
    }
    // A mate on the board is seen without a search.
    engine.send("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    assert_eq!(check_lines(&engine.search("go nodes 1"), 5, "mate in one")[0], 99_999);
}

#[test]
fn a_move_that_was_not_searched_is_not_mated_as_another_one_is() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 4");
    // Qg3 mates after a2a3 and other moves, not after d2d3.
    engine.send("position fen r1bq2nr/ppppkpp1/n2bp3/6Pp/7P/5P2/PPPPP3/RNBQKBNR w KQ - 1 7");
    for nodes in 1..=30 {
        engine.send("ucinewgame");
        for line in engine.search(&format!("go nodes {nodes}")) {
            assert!(!line.contains(" mate -1 ") || words(&line, "pv").len() == 2, "{line}");
        }
    }
}

#[test]
fn lines_of_an_iteration_that_is_broken_off_are_in_order() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 4");
    for nodes in [5_000, 10_000, 15_000, 20_000, 25_000] {
        engine.send("ucinewgame");
        engine.send(&format!("position fen {ATTACK}"));
        let go = format!("go nodes {nodes}");
        assert_eq!(check_lines(&engine.search(&go), 4, &go).len(), 4);
    }
}

#[test]
fn lines_of_an_older_iteration_stand_behind_those_of_the_last() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 3");
    for position in POSITIONS {
        for nodes in (2_000..30_000).step_by(4_000) {
            engine.send("ucinewgame");
            engine.send(&format!("position fen {position}"));
            let lines = engine.search(&format!("go nodes {nodes}"));
            let reports: Vec<_> = lines.iter().rev().filter(|line| line.contains(" multipv ")).collect();
            let last: Vec<_> = reports.iter().take_while(|line| number(line, "multipv") > 1).collect();
            let depths = last.iter().map(|line| number(line, "depth"));
            let best = reports.get(last.len()).map(|line| number(line, "depth"));
            assert!(depths.chain(best).is_sorted(), "{lines:#?}");
        }
    }
}

#[test]
fn no_line_stands_behind_a_loss() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 256");
    engine.send("position fen 1nbR4/2B4r/p6k/N5q1/8/N4p2/8/2n2K2 w - - 6 76");
    for nodes in (3_000..8_000).step_by(500) {
        engine.send("ucinewgame");
        let lines = engine.search(&format!("go depth 5 nodes {nodes}"));
        let reports: Vec<_> = lines.iter().filter(|line| line.contains(" multipv ")).collect();
        let first = reports.iter().rposition(|line| line.contains(" multipv 1 ")).unwrap();
        let are_lost = reports[first..].iter().map(|line| line.contains(" score mate -"));
        assert!(are_lost.is_sorted(), "{lines:#?}");
    }
}

#[test]
fn several_threads_keep_to_small_limits_of_nodes() {
    let mut engine = Engine::start();
    engine.send("setoption name Threads value 4");
    for limit in [2_000, 5_000] {
        engine.send("ucinewgame");
        let nodes = number(last_score(&engine.search(&format!("go nodes {limit}"))), "nodes");
        // A thread that waits for a processor has not told its nodes: at most half of the limit by all of them.
        assert!((limit..limit + limit / 2 + 300).contains(&nodes), "{nodes}");
    }
}

#[test]
fn stopped_searches_have_right_lines() {
    let mut engine = Engine::start();
    let mut random = Random(56);
    for _ in 0..60 {
        let (most, threads) = (2 + random.below(7), 1 + random.below(2));
        let position = random.pick(POSITIONS);
        let most_nodes = if random.below(3) == 0 { 100 } else { 5_000 };
        let nodes = 1 + random.below(most_nodes);
        let go = match random.below(6) {
            0 => "go movetime 5".to_owned(),
            1 => "go infinite\nstop".to_owned(),
            2 => format!("go ponder nodes {nodes}\nponderhit"),
            _ => format!("go nodes {nodes}"),
        };
        let options = format!("setoption name MultiPV value {most}\nsetoption name Threads value {threads}");
        let asked = format!("{options}\nposition fen {position}\n{go}");
        engine.send(&format!("ucinewgame\n{asked}"));
        check_lines(&engine.until("bestmove"), most, &asked);
    }
}

#[test]
fn the_current_move_is_counted_among_all_root_moves() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 3");
    engine.send("position fen 8/pp2r1k1/2p1p3/3pP2p/1P1P1P1P/P5KR/8/8 w - - 0 1");
    let lines = engine.search("go movetime 4500");
    let numbers: Vec<_> = lines.iter().filter(|line| line.contains(" currmove ")).collect();
    let numbers: Vec<i64> = numbers.into_iter().map(|line| number(line, "currmovenumber")).collect();
    // A later line begins with the number after those of the lines before.
    assert!(numbers.windows(2).any(|pair| pair[1] <= pair[0] && pair[1] > 1), "{numbers:?}");
}
