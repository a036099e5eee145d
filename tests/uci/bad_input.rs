//! Wrong commands, options, positions and moves; strange bytes and very long lines.

use crate::engine::{Engine, assert_one_info_string, last_score};

/// Invalid lines; each is answered by one `info string`.
const BAD_INPUT: &[&str] = &[
    // Commands.
    "hello",
    "UCI",
    "joho debug on",
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
    "setoption name SearchParams value no/such/file.toml",
    "setoption name SyzygyPath value no/such/folder",
    "setoption name SyzygyProbeDepth value 0",
    "setoption name SyzygyProbeLimit value 8",
    "setoption name Syzygy50MoveRule value 1",
    "setoption name WDL_Profile",
    "setoption name WDL_Profile value nobody",
    "setoption name WDL_ProfileFile value no/such/file.toml",
    "setoption name WDL_NominalFile value no/such/file.toml",
    "setoption name WDL_Elo value -1",
    "setoption name WDL_Elo value 4001",
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
    // Positions: form.
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
    // Positions: rules.
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "position fen 8/8/8/8/8/8/8/K7 w - - 0 1",
    "position fen k7/8/8/8/8/8/8/KK6 w - - 0 1",
    "position fen kk6/8/8/8/8/8/8/K7 w - - 0 1",
    "position fen k6P/8/8/8/8/8/8/K7 w - - 0 1",
    "position fen k7/8/8/8/8/8/8/K6p w - - 0 1",
    "position fen k7/8/8/8/8/8/8/R3K3 w - - 0 1",
    "position fen 8/8/8/8/8/8/kK6/8 w - - 0 1",
    "position fen 4k3/8/8/8/8/8/8/4K3 w K - 0 1",
    "position fen 4k3/8/8/8/8/8/8/3K3R w K - 0 1",
    "position fen 4k3/8/8/8/8/8/8/4K3 w - e3 0 1",
    "position fen qqqqkqqq/qqqqqqqq/q7/8/8/Q7/QQQQQQQQ/QQQQKQQQ w - - 0 1",
    // Moves.
    "position startpos moves e2e5",
    "position startpos moves e2e4 e7e5 e4e5",
    "position startpos moves e2e4 nonsense",
    "position startpos moves 0000",
    "position startpos moves e7e8q",
    "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e1g1",
    // Searches.
    "go depth",
    "go depth x",
    "go depth 0",
    "go depth -5",
    "go nodes 0",
    "go nodes 99999999999999999999999",
    "go mate x",
    "go movetime soon",
    "go movetime",
    "go wtime x btime 5",
    "go btime 1000",
    "go movestogo -1",
    "go quickly",
    "go searchmoves",
    "go searchmoves e2e5",
    "go searchmoves e7e5 depth 1",
    "go perft",
    "go perft x",
    "go perft 1000",
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
fn refusals_name_what_and_where() {
    let mut engine = Engine::start();
    for (line, parts) in [
        ("position startpos moves e2e4 e7e5 e4e5 d7d5", &["move 3 of 4", "'e4e5'"][..]),
        ("setoption name MultiPV value 300", &["MultiPV", "'300'", "1 to 256"]),
        ("setoption name EvalParams value no/such.toml", &["EvalParams", "no/such.toml"]),
        ("setoption name SearchParams value no/such.toml", &["SearchParams", "no/such.toml"]),
        ("setoption name WDL_Profile value nobody", &["WDL_Profile", "'nobody'", "nominal, "]),
        ("setoption name WDL_ProfileFile value no/such.toml", &["WDL_ProfileFile", "no/such.toml"]),
        ("setoption name WDL_NominalFile value no/such.toml", &["WDL_NominalFile", "no/such.toml"]),
        ("go depth deep", &["go depth", "'deep'"]),
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
}
