//! Wrong commands, options, positions and moves; strange bytes and very long lines.

use crate::engine::{Engine, assert_one_info_string, last_score};
use std::time::Duration;

/// Invalid lines; each is answered by one `info string`.
const BAD_INPUT: &[&str] = &[
    // Commands.
    "hello",
    "UCI",
    "\u{0}",
    "\u{1b}[31mred",
    "debug",
    "debug maybe",
    "bench x",
    "bench 0",
    // Options.
    "setoption",
    "setoption name",
    "setoption name value 5",
    "setoption Hash 5",
    "setoption name NoSuchOption value 1",
    "setoption name Hash",
    "setoption name Hash value",
    "setoption name Hash value 0",
    "setoption name Hash value -1",
    "setoption name Hash value many",
    "setoption name Hash value 99999999999999999999",
    "setoption name Threads value 0",
    "setoption name Threads value 1000000",
    "setoption name MultiPV value 0",
    "setoption name MultiPV value 257",
    "setoption name Move Overhead value -1",
    "setoption name Move Overhead value 5001",
    "setoption name Ponder value perhaps",
    "setoption name UCI_ShowWDL value 1",
    "setoption name UCI_Chess960 value",
    "setoption name EvalParams value no/such/file.toml",
    "setoption name SyzygyPath value no/such/folder",
    "setoption name SyzygyProbeDepth value 0",
    "setoption name SyzygyProbeLimit value 8",
    "setoption name Syzygy50MoveRule value 1",
    "setoption name WDL_Profile",
    "setoption name WDL_Profile value nobody",
    "setoption name WDL_ProfileFile value no/such/file.toml",
    "setoption name WDL_NominalFile value no/such/file.toml",
    "setoption name WDL_WhiteElo value -1",
    "setoption name WDL_BlackElo value 10001",
    "setoption name WDL_TimeControl value slow",
    "setoption name WDL_Profile value file",
    "setoption name Contempt value 1001",
    "setoption name Contempt value some",
    "setoption name AutoContempt value 1",
    "setoption name UCI_RatingAdv value +-5",
    "setoption name UCI_Opponent value GM human Somebody",
    "setoption name OwnElo value -1",
    "setoption name ContemptSide value both",
    "setoption name ShowContempt",
    "go perft",
    "go perft x",
    "go perft 1000",
];

/// Positions that cannot be searched.
const BAD_POSITIONS: &[&str] = &[
    // Form.
    "position",
    "position nowhere",
    "position fen",
    "position fen moves e2e4",
    "position startpos e2e4",
    "position fen 8",
    "position fen 9/8/8/8/8/8/8/8 w - - 0 1",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQxq - 0 1",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq z9 0 1",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQXBNR w KQkq - 0 1",
    // Rules.
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "position fen 8/8/8/8/8/8/8/K7 w - - 0 1",
    "position fen k7/8/8/8/8/8/8/KK6 w - - 0 1",
    "position fen kk6/8/8/8/8/8/8/K7 w - - 0 1",
    "position fen k6P/8/8/8/8/8/8/K7 w - - 0 1",
    "position fen k7/8/8/8/8/8/8/K6p w - - 0 1",
    "position fen k7/8/8/8/8/8/8/R3K3 w - - 0 1",
    "position fen 8/8/8/8/8/8/kK6/8 w - - 0 1",
    "position fen qqqqkqqq/qqqqqqqq/q7/8/8/Q7/QQQQQQQQ/QQQQKQQQ w - - 0 1",
    // Moves.
    "position startpos moves e2e5",
    "position startpos moves e2e4 e7e5 e4e5",
    "position startpos moves e2e4 nonsense",
    "position startpos moves 0000",
    "position startpos moves e7e8q",
    "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e1g1",
];

/// Searches that are understood in part.
const BAD_SEARCHES: &[&str] = &[
    "go depth",
    "go depth x",
    "go depth 0",
    "go depth -5",
    "go nodes 0",
    "go nodes",
    "go mate x",
    "go movetime soon",
    "go movetime",
    "go wtime x btime 5",
    "go btime 1000",
    "go btime 100 depth",
    "go depth 2 movestogo -1",
    "go movetime 100 movestogo -1",
    "go depth 2 quickly",
    "go quickly nodes 100",
    "go searchmoves depth 2",
    "go searchmoves e2e5 depth 2",
    "go searchmoves e7e5 nonsense depth 2",
];

/// Searches with numbers out of the ordinary.
const STRANGE_NUMBERS: &[&str] = &[
    "go wtime 1000.5 btime 1000.5",
    "go wtime 9223372036854775808 btime 1 depth 2",
    "go wtime 99999999999999999999 btime 99999999999999999999 depth 2",
    "go nodes 99999999999999999999999 depth 2",
    "go movetime -5",
    "go wtime -5 btime -5 winc -1 binc -1 movestogo 0",
];

#[test]
fn invalid_lines_print_one_info_string_and_change_nothing() {
    let mut engine = Engine::start();
    engine.ask("position startpos moves g1f3 g8f6");
    let before = engine.ask("d");
    for line in BAD_INPUT {
        let answer = engine.ask(line);
        assert_one_info_string(&answer, line);
        assert_eq!(engine.ask("d"), before, "{line}");
    }
    let lines = engine.search("go depth 2");
    let info = last_score(&lines);
    assert!(info.contains(" multipv 1 ") && !info.contains(" wdl "), "{info}");
}

#[test]
fn a_refused_position_is_answered_when_its_search_would_be() {
    for (go, end) in [("go infinite", "stop"), ("go ponder wtime 1000 btime 1000", "ponderhit")] {
        let mut engine = Engine::start();
        engine.send("position fen bad");
        engine.settle();
        engine.send(go);
        engine.until("info string");
        engine.assert_silent(Duration::from_millis(100));
        engine.send(end);
        assert_eq!(engine.until("bestmove"), ["bestmove 0000"], "{go}");
    }
}

#[test]
fn letters_that_are_not_utf_8_are_said() {
    let mut engine = Engine::start();
    engine.send_bytes(b"setoption name SyzygyPath value caf\xe9\n");
    let lines = engine.settle();
    assert!(lines[0].ends_with("letters that are not UTF-8 are read as '\u{fffd}'"), "{lines:?}");
}

#[test]
fn a_refused_position_is_not_searched() {
    let mut engine = Engine::start();
    for line in BAD_POSITIONS {
        let refusal = engine.ask(line);
        assert_one_info_string(&refusal, line);
        let lines = engine.search("go wtime 1000 btime 1000");
        assert!(lines.len() == 2 && lines[1] == "bestmove 0000", "{line}: {lines:#?}");
        assert!(lines[0].starts_with("info string no position to search: position"), "{line}: {lines:#?}");
        for other in ["d", "eval", "go perft 1"] {
            assert_one_info_string(&engine.ask(other), other);
        }
    }
    // A good position ends it.
    engine.ask("position startpos moves e2e4");
    assert!(engine.fen().contains("/4P3/"));
    let lines = engine.search("go depth 1");
    assert_ne!(lines.last().unwrap(), "bestmove 0000");
}

#[test]
fn what_is_plainly_meant_is_mended() {
    let mut engine = Engine::start();
    for (fen, said) in [
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling rights"),
        ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "castling rights"),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "en passant"),
        ("4k3/8/8/8/8/8/8/4K3 w - - bm Ke2; id \"e2\";", "operations"),
    ] {
        let answer = engine.ask(&format!("position fen {fen}"));
        assert_one_info_string(&answer, fen);
        assert!(answer[0].contains(said), "{fen}: {answer:#?}");
        assert!(engine.search("go depth 1").last().unwrap().starts_with("bestmove "), "{fen}");
    }
    assert!(engine.ask("position fen 4k3/8/8/8/8/8/8/4K3 w").is_empty(), "missing fields are common");
}

#[test]
fn every_go_is_answered_by_a_move() {
    let mut engine = Engine::start();
    for line in BAD_SEARCHES.iter().chain(STRANGE_NUMBERS) {
        let lines = engine.search(line);
        let best = lines.last().unwrap().split_whitespace().nth(1).unwrap();
        assert!(best.len() == 4 && best != "0000", "{line}: {lines:#?}");
        let said = lines.iter().filter(|line| line.starts_with("info string go: ")).count();
        assert_eq!(said, usize::from(BAD_SEARCHES.contains(line)), "{line}: {lines:#?}");
    }
    // The board is still that of the start.
    assert!(engine.fen().starts_with("rnbqkbnr/pppppppp/8/8/8/8/"));
}

#[test]
fn words_before_a_command_are_skipped() {
    let mut engine = Engine::start();
    engine.send("joho isready");
    let lines = engine.until("readyok");
    assert!(lines.len() == 2 && lines[0].contains("'joho'"), "{lines:#?}");
    engine.ask("well then debug on");
    let lines = engine.search("joho go depth 1 wtime 2000 btime 1000 movestogo 3");
    let said = "info string search: depth 1, clock 2000 ms + 0 ms for 3 moves; overhead 10 ms";
    assert!(lines.iter().any(|line| line == said), "{lines:#?}");
}

#[test]
fn refusals_name_what_and_where() {
    let mut engine = Engine::start();
    for (line, parts) in [
        ("position startpos moves e2e4 e7e5 e4e5 d7d5", &["move 3 of 4", "'e4e5'"][..]),
        ("setoption name MultiPV value 300", &["MultiPV", "'300'", "1 to 256"]),
        ("setoption name EvalParams value no/such.toml", &["EvalParams", "no/such.toml"]),
        ("setoption name WDL_Profile value nobody", &["WDL_Profile", "'nobody'", "nominal, "]),
        ("setoption name WDL_ProfileFile value no/such.toml", &["WDL_ProfileFile", "no/such.toml"]),
        ("setoption name WDL_NominalFile value no/such.toml", &["WDL_NominalFile", "no/such.toml"]),
        ("go perft deep", &["go perft", "'deep'"]),
        ("position fen 8/8/8/8/8/8/8/K7 w - - 0 1", &["king", "8/8/8/8/8/8/8/K7"]),
    ] {
        let answer = engine.ask(line);
        assert!(parts.iter().all(|part| answer[0].contains(part)), "{line}: {answer:#?}");
    }
}

#[test]
fn strange_bytes_and_long_lines_are_survived() {
    let mut engine = Engine::start();
    engine.send_bytes(b"\xff\xfe\xfa\n");
    engine.send_bytes(b"position fen \xf0\x28\x8c\x28\n");
    engine.send_bytes(b"setoption name \0 value \0\n");
    assert_eq!(engine.settle().len(), 3);
    engine.send_bytes(b"\r\n\n   \n\t\r\n");
    assert!(engine.settle().is_empty());
    engine.send_bytes(b"position startpos moves e2e4\r\n");
    assert!(engine.fen().starts_with("rnbqkbnr/pppppppp/8/8/4P3/"));
    let mut long = vec![b'a'; 3_000_000];
    long.push(b'\n');
    engine.send_bytes(&long);
    let answer = engine.settle();
    assert_one_info_string(&answer, "a long line");
    let mut long = b"position startpos moves ".to_vec();
    long.extend(b"g1f3 g8f6 f3g1 f6g8 ".repeat(10_000));
    long.push(b'\n');
    engine.send_bytes(&long);
    assert!(engine.settle().is_empty());
    long.truncate(long.len() - 1);
    long.extend(b"e2e5\n");
    engine.send_bytes(&long);
    let answer = engine.settle();
    assert_one_info_string(&answer, "a long game");
    assert!(answer[0].contains("move 40001 of 40001"), "{answer:#?}");
    // A game of more than a megabyte is refused, and so are searches of it; a search is answered however long its line.
    let mut long = b"position startpos moves ".to_vec();
    long.extend(b"g1f3 g8f6 f3g1 f6g8 ".repeat(60_000));
    long.push(b'\n');
    engine.send_bytes(&long);
    assert_one_info_string(&engine.settle(), "a very long game");
    assert_eq!(engine.search("go depth 1").last().unwrap(), "bestmove 0000");
    engine.send("position startpos");
    let mut long = b"go depth 1 searchmoves ".to_vec();
    long.extend(b"e2e4 ".repeat(300_000));
    long.push(b'\n');
    engine.send_bytes(&long);
    assert_eq!(engine.until("bestmove").last().unwrap().split_whitespace().nth(1), Some("e2e4"));
}
