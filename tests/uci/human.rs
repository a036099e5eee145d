//! Play at the strength of people.

use crate::engine::{Engine, last_score, number, words};
use std::process::Command;
use std::time::{Duration, Instant};

fn limited(elo: u32) -> Engine {
    let mut engine = Engine::start();
    engine.ask(&format!("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value {elo}"));
    engine
}

fn best(lines: &[String]) -> String {
    let line = lines.iter().find(|line| line.starts_with("bestmove")).unwrap();
    words(line, "bestmove")[0].to_owned()
}

/// The moves of a game against itself.
fn game(engine: &mut Engine, seed: u32, plies: usize) -> Vec<String> {
    engine.ask(&format!("ucinewgame\nsetoption name HumanSeed value {seed}"));
    let mut moves: Vec<String> = Vec::new();
    for _ in 0..plies {
        engine.send(&format!("position startpos moves {}", moves.join(" ")));
        moves.push(best(&engine.search("go depth 4")));
    }
    moves
}

#[test]
fn a_seed_plays_the_same_game_and_another_one_another() {
    let mut engine = limited(1500);
    let first = game(&mut engine, 7, 12);
    assert_eq!(first, game(&mut engine, 7, 12));
    assert_ne!(first, game(&mut engine, 8, 12));
}

#[test]
fn openings_vary_without_a_seed() {
    let mut engine = limited(1500);
    let openings: std::collections::HashSet<_> = (0..6).map(|_| game(&mut engine, 0, 4)).collect();
    assert!(openings.len() > 2, "{openings:?}");
}

#[test]
fn the_move_has_its_line() {
    let mut engine = limited(1200);
    engine.ask("setoption name UCI_ShowWDL value true");
    engine.send("position startpos");
    let lines = engine.search("go nodes 20000");
    let info = lines.iter().rfind(|line| line.starts_with("info depth")).unwrap();
    assert_eq!(words(info, "pv")[0], best(&lines));
    assert_eq!(words(info, "wdl")[..3].iter().map(|word| word.parse::<u32>().unwrap()).sum::<u32>(), 1000);
}

#[test]
fn only_moves_asked_for_are_played() {
    let mut engine = limited(800);
    engine.send("position startpos");
    assert_eq!(best(&engine.search("go depth 3 searchmoves a2a3")), "a2a3");
}

#[test]
fn analysis_is_not_limited() {
    // The free queen is found in any case, at a depth that no opponent looks to.
    let queen = "position fen rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let mut engine = limited(600);
    engine.ask("setoption name UCI_AnalyseMode value true");
    engine.send(queen);
    let lines = engine.search("go depth 10");
    assert!(lines.iter().any(|line| line.starts_with("info depth 10 ")));
    engine.ask("setoption name UCI_AnalyseMode value false");
    engine.send("go infinite");
    engine.until("info depth 10 ");
    engine.send("stop");
    assert_eq!(best(&engine.until("bestmove")), "f3h4");
    // After `ponderhit` it still has no end.
    engine.send("go infinite ponder\nponderhit");
    engine.until("info depth 10 ");
    engine.send("stop");
    engine.until("bestmove");
    // A limit beside the mate does not make it a game.
    engine.ask("setoption name UCI_Elo value 600\nposition fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    for limit in ["", " nodes 20000", " movetime 1000", " wtime 60000 btime 60000"] {
        for seed in 1..=5 {
            engine.ask(&format!("setoption name HumanSeed value {seed}"));
            assert_eq!(best(&engine.search(&format!("go mate 1{limit}"))), "a1a8", "{limit}");
        }
    }
}

#[test]
fn moves_are_valued_however_little_time_there_is() {
    let mut engine = limited(2400);
    engine.ask("setoption name Move Overhead value 1000");
    // Mate in one.
    engine.send("position fen r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 3 3");
    for seed in 1..=8 {
        engine.ask(&format!("setoption name HumanSeed value {seed}"));
        let lines = engine.search("go wtime 1000 btime 1000");
        assert_eq!(best(&lines), "f3f7", "{lines:?}");
        assert!(!lines.iter().any(|line| line.starts_with("info depth 0 ")), "{lines:?}");
    }
}

#[test]
fn thinking_ends_at_stop_and_takes_no_time_without_a_clock() {
    let mut engine = limited(1500);
    engine.send("position startpos");
    let start = Instant::now();
    engine.search("go depth 4");
    engine.search("go nodes 5000");
    assert!(start.elapsed() < Duration::from_secs(5));
    // With hours on the clock a move may take minutes.
    engine.send("position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3");
    let start = Instant::now();
    engine.send("go wtime 36000000 btime 36000000");
    engine.until("info depth");
    engine.send("stop");
    engine.until("bestmove");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn the_overhead_comes_off_a_fixed_time() {
    let mut engine = limited(1500);
    engine.send("position startpos");
    let nodes = |engine: &mut Engine| number(last_score(&engine.search("go movetime 1000")), "nodes");
    let all = nodes(&mut engine);
    engine.ask("setoption name Move Overhead value 1000");
    let little = nodes(&mut engine);
    assert!(10 * little < all, "{little} {all}");
}

#[test]
fn the_values_of_moves_count_for_the_nodes_of_a_search_behind_them() {
    let mut engine = limited(1500);
    engine
        .ask(&format!("setoption name SyzygyPath value {}", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy")));
    engine.send("position fen 4k3/8/4K3/4P3/8/8/8/8 w - - 0 1");
    let lines = engine.search("go nodes 4000");
    let nodes: Vec<_> =
        lines.iter().filter(|line| line.contains(" score ")).map(|line| number(line, "nodes")).collect();
    assert!(nodes[0] > 1000 && nodes.iter().all(|&nodes| nodes <= 4000), "{nodes:?}");
}

#[test]
fn the_line_is_repeated_after_pondering() {
    let mut engine = limited(1500);
    engine.send("position startpos");
    for end in ["ponderhit", "stop"] {
        engine.send("go ponder movetime 50");
        let first = engine.until("info depth").pop().unwrap();
        engine.send(end);
        let lines = engine.until("bestmove");
        assert_eq!(words(last_score(&lines), "pv"), words(&first, "pv"), "{end}");
    }
}

#[test]
fn little_time_is_not_overstepped() {
    let mut engine = limited(1500);
    engine.send("position startpos");
    let start = Instant::now();
    engine.search("go wtime 300 btime 300");
    assert!(start.elapsed() < Duration::from_secs(3));
}

/// What `halfpoint human` prints of a position in JSON.
fn command(fen: &str, more: &[&str]) -> serde_json::Value {
    let words = ["human", fen, "--elo", "1500", "--json"];
    let output = Command::new(env!("CARGO_BIN_EXE_halfpoint")).args(words).args(more).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_command_tells_moves_and_how_hard_they_are() {
    // A free queen.
    let report = command("rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", &[]);
    let moves = report["moves"].as_array().unwrap();
    let sum: f64 = moves.iter().map(|m| m["probability"].as_f64().unwrap()).sum();
    assert!(moves[0]["move"] == "f3h4" && (sum - 1.0).abs() < 1e-9, "{report}");
    let [mistake, blunder] = ["mistake", "blunder"].map(|name| report[name].as_f64().unwrap());
    assert!(0.0 < blunder && blunder <= mistake && mistake < 1.0, "{report}");
}

#[test]
fn the_command_orders_moves_by_chances_against_the_opponent() {
    let moves = command("r4rk1/1pp2ppp/p7/3q4/8/2P5/PP3PPP/R3R1K1 w - - 0 20", &["--swindle"]);
    let number = |m: &serde_json::Value, name: &str| m[name].as_f64().unwrap();
    let moves = moves.as_array().unwrap();
    assert_eq!(moves.len(), 6);
    assert!(moves.is_sorted_by(|a, b| number(a, "points") >= number(b, "points")), "{moves:?}");
    for m in moves {
        let [points, value, loss] = ["points", "value", "replyLoss"].map(|name| number(m, name));
        assert!(value < 0.3 && loss >= 0.0 && (points - value - loss).abs() < 1e-9, "{m}");
    }
}
