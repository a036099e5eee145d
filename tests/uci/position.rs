//! Positions: unreachable ones, finished games, Chess960.

use crate::engine::{Engine, assert_one_info_string};

#[test]
fn unreachable_positions_have_a_best_move() {
    let mut engine = Engine::start();
    for fen in [
        "qqqqk3/qqqqqq2/8/8/8/8/QQQQQQ2/QQQQK3 w - - 0 1",
        "4k3/8/8/8/1b6/8/4r3/4K2q w - - 0 1",
        "8/PPPPPPPP/8/8/8/8/k7/4K3 w - - 0 1",
        "8/8/8/8/8/5k2/8/5K2 w - - 140 200",
    ] {
        assert!(engine.ask(&format!("position fen {fen}")).is_empty(), "{fen}");
        assert!(engine.search("go depth 1 movetime 1000").last().unwrap().starts_with("bestmove "), "{fen}");
    }
}

#[test]
fn finished_games_have_no_best_move() {
    let mut engine = Engine::start();
    for (fen, score) in [("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0"), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0")] {
        engine.send(&format!("position fen {fen}"));
        for go in ["go depth 5", "go movetime 50", "go wtime 100 btime 100"] {
            let lines = engine.search(go);
            assert_eq!(lines.last().unwrap(), "bestmove (none)");
            assert!(lines[lines.len() - 2].contains(&format!(" score {score}")), "{lines:#?}");
        }
    }
}

#[test]
fn chess960_castles_by_king_takes_rook() {
    let mut engine = Engine::start();
    let shuffled = "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1";
    assert_one_info_string(&engine.ask(&format!("position fen {shuffled}")), "rights on other files are left out");
    engine.send("setoption name UCI_Chess960 value true");
    assert!(engine.ask(&format!("position fen {shuffled} moves f1g3 f8g6 g1h1")).is_empty());
    assert!(engine.fen().contains("NRBBQRK1 b "));
    engine.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert!(engine.perft(1).contains(&"e1h1: 1".to_owned()));
    engine.send("setoption name UCI_Chess960 value false");
    engine.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let lines = engine.perft(1);
    assert!(lines.contains(&"e1g1: 1".to_owned()) && lines.contains(&"Nodes searched: 15".to_owned()), "{lines:#?}");
}
