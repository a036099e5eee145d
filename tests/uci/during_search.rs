//! Commands that set up the next search while one runs that does not end by itself: none is lost.

use crate::engine::{AT_ONCE, Engine, KIWIPETE, last_score, words};

const ENDLESS: [&str; 4] = ["go infinite", "go", "go mate 200", "go ponder wtime 600000 btime 600000"];

/// Starts a search that does not end by itself, and waits until it runs.
fn searching(go: &str) -> Engine {
    let mut engine = Engine::start();
    engine.send(go);
    engine.until("info depth 1 ");
    engine
}

/// Asserts that the best move of the last search is Black's.
fn assert_black_moves(lines: &[String], what: &str) {
    let best = words(lines.last().unwrap(), "bestmove")[0];
    assert!(best.as_bytes()[1] >= b'5', "{what}: {lines:#?}");
}

#[test]
fn a_position_waits_for_stop() {
    for go in ENDLESS {
        let mut engine = searching(go);
        engine.send("position startpos moves e2e4");
        engine.settle();
        engine.send("stop");
        engine.until_within("bestmove", AT_ONCE);
        assert_black_moves(&engine.search("go depth 2"), go);
    }
}

#[test]
fn a_position_waits_when_all_comes_at_once() {
    for go in ENDLESS {
        for new_game in ["", "ucinewgame\n"] {
            let mut engine = Engine::start();
            let lines = format!("{go}\n{new_game}position startpos moves e2e4\nstop\ngo depth 2\n");
            engine.send_bytes(lines.as_bytes());
            engine.until_within("bestmove", AT_ONCE);
            assert_black_moves(&engine.until("bestmove"), &lines);
        }
    }
}

#[test]
fn a_position_waits_for_the_ponder_hit() {
    let mut engine = searching("go ponder movetime 50");
    engine.send("ucinewgame");
    engine.send("position startpos moves e2e4");
    engine.send("ponderhit");
    engine.until("bestmove");
    assert_black_moves(&engine.search("go depth 2"), "ponderhit");
}

#[test]
fn another_search_stops_the_one_without_end() {
    for go in ENDLESS {
        let mut engine = searching(go);
        engine.send("position startpos moves e2e4");
        engine.send("go depth 2");
        let first = engine.until_within("bestmove", AT_ONCE);
        assert!(words(first.last().unwrap(), "bestmove")[0].as_bytes()[1] <= b'2', "{first:#?}");
        assert_black_moves(&engine.until("bestmove"), go);
    }
    // So do counts and the bench.
    let mut engine = searching("go infinite");
    engine.send("position startpos moves e2e4");
    engine.send("go perft 2");
    engine.until_within("bestmove", AT_ONCE);
    assert_eq!(engine.until("Nodes searched: ").last().unwrap(), "Nodes searched: 600");
    engine.send("go infinite");
    engine.send("bench 1");
    engine.until_within("bestmove", AT_ONCE);
    while !engine.until("").last().unwrap().ends_with(" nps") {}
}

#[test]
fn the_last_of_several_positions_counts() {
    let mut engine = Engine::start();
    engine.send_bytes(
        b"go infinite\nposition startpos moves e2e4\ngo infinite\nposition startpos moves d2d4\n\
          position startpos moves d2d4 d7d5 c2c4\nstop\ngo depth 1\n",
    );
    for _ in 0..3 {
        engine.until_within("bestmove", AT_ONCE);
    }
    assert!(engine.fen().contains("/3p4/2PP4/"));
}

#[test]
fn options_wait_for_the_end_of_the_search() {
    for go in ENDLESS {
        let mut engine = searching(go);
        engine.send("setoption name MultiPV value 3");
        engine.send(&format!("setoption name UCI_ShowWDL value true\nposition fen {KIWIPETE}"));
        let said = engine.settle();
        let waiting = said.iter().filter(|line| line.contains(" waits for the end of the search")).count();
        assert_eq!(waiting, 3, "{said:#?}");
        engine.send("stop");
        let lines = engine.until_within("bestmove", AT_ONCE);
        assert!(!lines.iter().any(|line| line.contains(" multipv 2 ")), "{lines:#?}");
        let lines = engine.search("go depth 2");
        assert!(last_score(&lines).contains(" wdl ") && lines.iter().any(|line| line.contains(" multipv 3 ")));
    }
}

#[test]
fn a_position_that_waits_is_shown_when_its_turn_comes() {
    let mut engine = searching("go infinite");
    assert!(engine.fen().contains(" w "), "nothing waits");
    engine.send("position startpos moves e2e4");
    engine.send("d");
    engine.send("stop");
    let lines = engine.until("Fen: ");
    assert!(lines.last().unwrap().contains(" b "), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("bestmove")), "{lines:#?}");
}
