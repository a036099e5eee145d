//! Commands at random moments of searches: every `go` is answered once, and the engine stays ready.

use crate::engine::Engine;
use crate::random_input::Random;
use std::thread;
use std::time::{Duration, Instant};

/// How long commands are sent; `HALFPOINT_SECONDS` says otherwise.
const SECONDS: u64 = 4;

const GO: &[&str] = &[
    "go infinite",
    "go ponder wtime 50 btime 50",
    "go movetime 3",
    "go depth 3",
    "go nodes 2000",
    "go wtime 30 btime 30 winc 1 binc 1",
    "go mate 2",
    "go depth 245 searchmoves e2e4",
];
const OTHERS: &[&str] = &[
    "stop",
    "stop",
    "ponderhit",
    "isready",
    "ucinewgame",
    "position startpos",
    "position startpos moves e2e4 e7e5",
    "position fen QQQQQQBk/Q6B/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
    "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 90 4294967295",
    "position fen nonsense",
    "setoption name Threads value 2",
    "setoption name Threads value 1",
    "setoption name Hash value 2",
    "setoption name Clear Hash",
    "setoption name MultiPV value 256",
    "setoption name MultiPV value 1",
    "setoption name UCI_ShowWDL value true",
    "eval",
];

#[test]
fn every_go_is_answered_whatever_comes_between() {
    let seconds = std::env::var("HALFPOINT_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(SECONDS);
    let mut engine = Engine::start();
    let mut random = Random(7);
    let start = Instant::now();
    let (mut asked, mut answered, mut rounds) = (0, 0, 0);
    while start.elapsed() < Duration::from_secs(seconds) || rounds < 3 {
        for _ in 0..20 {
            let words = if random.below(3) == 0 { GO } else { OTHERS };
            let line = random.pick(words);
            asked += usize::from(line.starts_with("go"));
            engine.send(line);
            if random.below(3) == 0 {
                thread::sleep(Duration::from_millis(random.below(4) as u64));
            }
        }
        // After `stop` and `ponderhit` nothing may be searched for longer than its limit; and `d` prints a position.
        engine.send("stop");
        engine.send("position startpos");
        engine.send("isready");
        engine.send("d");
        let lines = engine.until("Fen: ");
        answered += lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        rounds += 1;
    }
    engine.send("quit");
    let (lines, status) = engine.close();
    answered += lines.iter().filter(|line| line.starts_with("bestmove ")).count();
    assert_eq!(asked, answered);
    assert!(status.success(), "{status}");
}
