//! The end of a search: `stop`, `quit`, the end of input, `ponderhit`; and commands that come during a search.

use crate::engine::{AT_ONCE, Engine, KIWIPETE};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn end_of_input_ends_the_engine() {
    let mut engine = Engine::start();
    engine.send("go depth 4");
    let (lines, status) = engine.close();
    assert!(lines.iter().any(|line| line.starts_with("info depth 4 ")), "{lines:#?}");
    assert!(lines.last().unwrap().starts_with("bestmove ") && status.success());

    for go in ["go infinite", "go ponder wtime 1000 btime 1000", "go"] {
        let mut engine = Engine::start();
        engine.send(go);
        let (lines, status) = engine.close();
        assert!(lines.last().unwrap().starts_with("bestmove ") && status.success(), "{go}: {lines:#?}");
    }
    assert!(Engine::start().close().1.success());
}

#[test]
fn quit_ends_a_search() {
    for go in ["go infinite", "go depth 100", "go ponder", "go perft 12", "bench 60"] {
        let mut engine = Engine::start();
        engine.send(go);
        let start = Instant::now();
        engine.send("quit");
        let status = engine.child.wait().unwrap();
        assert!(status.success() && start.elapsed() < AT_ONCE, "{go}: {status}");
    }
}

#[test]
fn stop_ends_a_search_at_once() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {KIWIPETE}"));
    for go in ["go infinite", "go depth 200", "go ponder", "go wtime 6000000 btime 6000000", "go", "go perft 12"] {
        engine.send(go);
        thread::sleep(Duration::from_millis(50));
        engine.send("stop");
        if go.contains("perft") {
            engine.send("isready");
            engine.until_within("readyok", AT_ONCE);
        } else {
            engine.until_within("bestmove", AT_ONCE);
        }
    }
    // Commands that wait for their turn are stopped, too.
    for waiting in ["go depth 60", "bench 60", "go perft 12"] {
        engine.send("go movetime 100");
        engine.send(waiting);
        engine.send("stop");
        engine.until_within("bestmove", AT_ONCE);
        if waiting.starts_with("go depth") {
            engine.until_within("bestmove", AT_ONCE);
        }
        let asked = Instant::now();
        engine.settle();
        assert!(asked.elapsed() < AT_ONCE, "{waiting}");
    }
    // A search stopped at its very start still has a move.
    for _ in 0..50 {
        engine.send_bytes(b"go infinite\nstop\n");
        let lines = engine.until_within("bestmove", AT_ONCE);
        assert!(!lines.last().unwrap().contains("(none)"));
    }
}

#[test]
fn commands_are_answered_during_a_search() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    for (line, answer) in [("isready", "readyok"), ("uci", "uciok"), ("d", "Checkers:"), ("eval", "term ")] {
        engine.send(line);
        let lines = engine.until_within(answer, AT_ONCE);
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:#?}");
    }
    engine.send("stop");
    engine.until("bestmove");
}

#[test]
fn commands_after_a_limited_search_wait_for_it() {
    let mut engine = Engine::start();
    engine.send_bytes(b"go movetime 200\nposition startpos moves e2e4\nd\ngo depth 2\nposition startpos moves d2d4\n");
    engine.until("bestmove");
    let lines = engine.until("Fen: ");
    assert!(lines.last().unwrap().contains("/8/8/4P3/"), "{lines:#?}");
    engine.until("bestmove");
    assert!(engine.fen().contains("/8/8/3P4/"));
    // A stop ends the running search and those that wait.
    engine.send_bytes(b"go depth 100\ngo infinite\nd\nstop\n");
    engine.until_within("bestmove", AT_ONCE);
    engine.until_within("bestmove", AT_ONCE);
    engine.settle();
}

#[test]
fn pondering_lasts_until_the_hit() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4 e7e5");
    engine.send("go ponder wtime 300 btime 300 winc 0 binc 0");
    thread::sleep(Duration::from_millis(400));
    engine.send("isready");
    let lines = engine.until("readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    engine.send("ponderhit");
    engine.until_within("bestmove", AT_ONCE);

    // Pondering lasted longer than any move may take by this clock, an eighth of it: the hit ends the search at once.
    engine.send("ucinewgame");
    engine.send("go ponder wtime 60000 btime 60000");
    thread::sleep(Duration::from_millis(7_600));
    engine.send("ponderhit");
    engine.until_within("bestmove", Duration::from_secs(1));

    // `movetime` counts from the hit.
    engine.send("go ponder movetime 400");
    thread::sleep(Duration::from_millis(600));
    engine.send("ponderhit");
    let hit = Instant::now();
    engine.send("ponderhit");
    engine.until_within("bestmove", AT_ONCE);
    assert!(hit.elapsed() > Duration::from_millis(250), "{:?}", hit.elapsed());

    engine.send("go ponder depth 1");
    engine.until("info depth 1 ");
    engine.assert_silent(Duration::from_millis(150));
    engine.send("ponderhit");
    engine.until_within("bestmove", AT_ONCE);
    engine.assert_silent(Duration::from_millis(50));
}
