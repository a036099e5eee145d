//! Syzygy tables: what is printed with them, and what is wrong with them.

use crate::engine::Engine;
use halfpoint::position::{GameHistory, Position};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
const KRK: &str = "8/8/8/4k3/8/8/8/KR6 w - - 0 1";

/// An engine with the tables of a folder, that prints W/D/L.
fn engine(folder: &Path) -> (Engine, Vec<String>) {
    let mut engine = Engine::start();
    engine.send("setoption name UCI_ShowWDL value true");
    engine.send(&format!("setoption name SyzygyPath value {}", folder.display()));
    let lines = engine.settle();
    (engine, lines)
}

/// The last `info` line of a search with a score, and the best move.
fn search(engine: &mut Engine, fen: &str, go: &str) -> (String, String) {
    engine.send(&format!("position fen {fen}"));
    engine.send(go);
    let mut lines = engine.until("bestmove");
    let best = lines.pop().unwrap();
    (lines.into_iter().rfind(|line| line.contains(" score ")).unwrap(), best)
}

#[test]
fn results_of_tables_are_printed() {
    let (mut engine, lines) = engine(Path::new(FOLDER));
    assert_eq!(lines, ["info string 8 WDL and 8 DTZ tables of up to 4 pieces"]);
    let (won, _) = search(&mut engine, KRK, "go nodes 100");
    assert!(won.contains(" score cp 199") && won.contains(" wdl 1000 0 0 "), "{won}");
    let (lost, _) = search(&mut engine, "8/8/8/4k3/8/8/8/KR6 b - - 0 1", "go nodes 100");
    assert!(lost.contains(" score cp -199") && lost.contains(" wdl 0 0 1000 "), "{lost}");
    let (drawn, best) = search(&mut engine, "4k3/8/3KP3/8/8/8/8/8 b - - 0 1", "go nodes 100");
    assert!(drawn.contains(" score cp 0 wdl 0 1000 0 ") && best.starts_with("bestmove e8d8"), "{drawn} {best}");
    // The rule of fifty moves, and without it.
    let late = "8/8/8/4k3/8/8/8/KR6 w - - 90 99";
    assert!(search(&mut engine, late, "go nodes 100").0.contains(" wdl 0 1000 0 "));
    engine.send("setoption name Syzygy50MoveRule value false");
    for clock in [90, 99, 100, 110] {
        let (won, _) = search(&mut engine, &late.replace("90", &clock.to_string()), "go nodes 100");
        assert!(won.contains(" wdl 1000 0 0 "), "{won}");
    }
    // A level's players may miss it.
    engine.send("setoption name WDL_Profile value club-rapid");
    let (missed, _) = search(&mut engine, "8/8/8/3b4/4k3/8/8/KR6 w - - 0 1", "go nodes 100");
    assert!(missed.contains(" score cp 0 wdl ") && !missed.contains(" wdl 0 1000 0 "), "{missed}");
}

#[test]
fn names_may_be_in_small_letters() {
    let folder = tempfile::tempdir().unwrap();
    for file in fs::read_dir(FOLDER).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_lowercase();
        fs::copy(&path, folder.path().join(name)).unwrap();
    }
    let (mut engine, lines) = engine(folder.path());
    assert_eq!(lines, ["info string 8 WDL and 8 DTZ tables of up to 4 pieces"]);
    let (won, _) = search(&mut engine, KRK, "go nodes 100");
    assert!(won.contains(" score cp 199") && won.contains(" wdl 1000 0 0 "), "{won}");
}

#[test]
fn lines_and_search_moves_keep_the_order_of_the_tables() {
    let (mut engine, _) = engine(Path::new(FOLDER));
    engine.send("setoption name MultiPV value 3");
    engine.send("position fen 4k3/8/3KP3/8/8/8/8/8 b - - 0 1");
    engine.send("go depth 6");
    let lines = engine.until("bestmove");
    let last: Vec<_> = lines.iter().filter(|line| line.contains("info depth 6 ")).collect();
    assert!(last[0].contains(" multipv 1 score cp 0 wdl 0 1000 0 "), "{last:?}");
    assert!(last[1].contains(" multipv 2 score cp -199") || last[1].contains(" mate -"), "{last:?}");
    engine.send("setoption name MultiPV value 1");
    let (line, best) = search(&mut engine, "4k3/8/3KP3/8/8/8/8/8 b - - 0 1", "go depth 3 searchmoves e8f8");
    assert!(line.contains(" wdl 0 0 1000 ") && best.starts_with("bestmove e8f8"), "{line} {best}");
}

#[test]
fn the_search_looks_positions_up_unless_told_not_to() {
    let five = "8/8/2b5/2n1k3/8/8/8/KR6 w - - 0 1";
    let hits = |line: &str| {
        let mut words = line.split(' ').skip_while(|word| *word != "tbhits");
        words.nth(1).unwrap().parse::<u64>().unwrap()
    };
    let (mut with, _) = engine(Path::new(FOLDER));
    assert!(hits(&search(&mut with, five, "go nodes 20000").0) > 0);
    with.send("setoption name SyzygyProbeLimit value 0");
    assert_eq!(hits(&search(&mut with, five, "go nodes 20000").0), 0);
}

#[test]
fn a_capture_into_a_won_ending_is_won_at_any_depth() {
    // No table for the position, but for the one after Qxf2. Quiescence asks none.
    let (mut engine, _) = engine(Path::new(FOLDER));
    for depth in 2..=6 {
        let (line, best) = search(&mut engine, "8/8/8/8/8/1k6/3Q1p2/K7 w - - 0 1", &format!("go depth {depth}"));
        assert!(line.contains(" score cp 199") && best.starts_with("bestmove d2f2"), "{line} {best}");
        engine.send("ucinewgame");
    }
}

#[test]
fn people_are_valued_with_no_more_tables_than_the_option_allows() {
    let (mut engine, _) = engine(Path::new(FOLDER));
    engine.send("setoption name UCI_LimitStrength value true");
    engine.send("setoption name UCI_Elo value 1500");
    assert!(search(&mut engine, KRK, "go depth 2").0.contains(" score cp 199"));
    engine.send("setoption name SyzygyProbeLimit value 0");
    engine.send("ucinewgame");
    let (line, _) = search(&mut engine, KRK, "go depth 2");
    assert!(!line.contains(" score cp 199"), "{line}");
}

#[test]
fn a_broken_table_is_reported_once_and_play_goes_on() {
    let folder = TempDir::new().unwrap();
    for name in ["KRvK.rtbw", "KRvK.rtbz", "KRvKB.rtbw", "KRvKB.rtbz", "KBvK.rtbw"] {
        fs::copy(Path::new(FOLDER).join(name), folder.path().join(name)).unwrap();
    }
    let path = folder.path().join("KRvKB.rtbw");
    let mut bytes = fs::read(&path).unwrap();
    bytes.truncate(4096 + 16);
    fs::write(path, bytes).unwrap();
    let (mut engine, lines) = engine(folder.path());
    assert!(lines[1].starts_with("info string KBvK.rtbw: without a .rtbz beside it"), "{lines:?}");
    let mut faults = 0;
    for _ in 0..2 {
        engine.send("position fen 8/8/8/3bk3/8/8/8/KR6 w - - 0 1");
        engine.send("go nodes 5000");
        let lines = engine.until("bestmove");
        faults += lines.iter().filter(|line| line.starts_with("info string KRvKB.rtbw: ")).count();
    }
    assert_eq!(faults, 1);
    assert!(search(&mut engine, KRK, "go nodes 100").0.contains(" wdl 1000 0 0 "));
}

/// The tables of results alone: without distances.
fn without_distances() -> TempDir {
    let folder = TempDir::new().unwrap();
    for name in ["KQvK.rtbw", "KRvK.rtbw", "KPvK.rtbw", "KBvK.rtbw", "KNvK.rtbw"] {
        fs::copy(Path::new(FOLDER).join(name), folder.path().join(name)).unwrap();
    }
    folder
}

/// All tables, one of distances of which is cut off.
fn with_a_damaged_table() -> TempDir {
    let folder = TempDir::new().unwrap();
    for entry in fs::read_dir(FOLDER).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    let path = folder.path().join("KRvK.rtbz");
    let mut bytes = fs::read(&path).unwrap();
    bytes.truncate(16);
    fs::write(path, bytes).unwrap();
    folder
}

/// The moves that mate in a position.
fn mates(fen: &str) -> Vec<String> {
    let position = Position::from_fen(fen, false).unwrap();
    let mates = position.legal_moves().into_iter().filter(|&m| {
        let child = position.play(m);
        child.is_check() && child.has_no_moves()
    });
    mates.map(|m| position.format_move(m, false)).collect()
}

#[test]
fn a_mate_at_hand_is_played_without_distances() {
    let folder = without_distances();
    let (mut engine, _) = engine(folder.path());
    for clock in [0, 19, 20, 40, 60, 80, 98] {
        for board in
            ["6k1/R7/6K1/8/8/8/8/8 w", "7k/8/6K1/8/8/8/Q7/8 w", "k7/8/1K6/8/8/8/8/7R w", "8/8/8/8/8/5k2/q7/5K2 b"]
        {
            let fen = format!("{board} - - {clock} 80");
            let (_, best) = search(&mut engine, &fen, "go nodes 2000");
            let played = best.split_whitespace().nth(1).unwrap();
            assert!(mates(&fen).iter().any(|mate| mate == played), "{fen}: {played}");
        }
    }
}

#[test]
fn the_clock_makes_draws_without_distances() {
    let folder = without_distances();
    let (mut engine, _) = engine(folder.path());
    for fen in
        ["1K6/8/8/8/8/8/1k6/6Q1 w - - 90 90", "8/8/8/3k4/8/8/8/KR6 w - - 92 90", "8/8/8/3k4/8/8/8/KR6 b - - 91 90"]
    {
        let (drawn, _) = search(&mut engine, fen, "go nodes 20000");
        assert!(drawn.contains(" wdl 0 1000 0 "), "{fen}: {drawn}");
    }
    let (won, _) = search(&mut engine, KRK, "go nodes 20000");
    assert!(won.contains(" wdl 1000 0 0 "), "{won}");
}

#[test]
fn won_endings_are_won_without_distances() {
    let folder = without_distances();
    let damaged_folder = with_a_damaged_table();
    let mut engines = [&folder, &damaged_folder].map(|folder| engine(folder.path()).0);
    for (number, fen) in [
        (0, "8/8/8/3k4/8/8/8/KR6 w - - 25 60"),
        (0, "1K6/8/8/3k4/8/8/8/6Q1 w - - 60 60"),
        (0, "4k3/8/4K3/4P3/8/8/8/8 w - - 50 60"),
        // Mate in fifteen moves, and a pawn that moves with the last ply.
        (0, "8/8/3k4/8/8/8/8/KR6 w - - 71 90"),
        (0, "8/8/8/8/4K3/8/4P2k/8 w - - 99 90"),
        (1, "8/8/3k4/8/8/8/8/KR6 w - - 71 90"),
    ] {
        let engine = &mut engines[number];
        let mut game = GameHistory::new(Position::from_fen(fen, false).unwrap());
        let mut moves = String::new();
        while game.outcome().is_none() {
            engine.send(&format!("position fen {fen} moves{moves}"));
            engine.send("go nodes 5000");
            let best = engine.until("bestmove").pop().unwrap();
            let played = best.split_whitespace().nth(1).unwrap();
            moves += &format!(" {played}");
            game.play(game.position().parse_move(played).unwrap());
        }
        assert!(game.outcome().unwrap().winner().is_some(), "{fen}{moves}");
    }
}
