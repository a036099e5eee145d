//! The binary as a client sees it: every test starts it and talks UCI.

use halfpoint::position::Position;
use halfpoint::wdl::model::Wdl;
use halfpoint::wdl::profile::{Profiles, Traits};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Longest wait for any answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// An answer that comes at once, on a busy machine.
const AT_ONCE: Duration = Duration::from_secs(3);

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Engine {
    fn start() -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_halfpoint"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, output) = channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Engine { child, input, output }
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Lines up to and with the first one that begins with `start`.
    fn until_within(&mut self, start: &str, patience: Duration) -> Vec<String> {
        let deadline = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("no '{start}' ({error}) after {lines:#?}"),
            }
            if lines.last().unwrap().starts_with(start) {
                return lines;
            }
        }
    }

    fn until(&mut self, start: &str) -> Vec<String> {
        self.until_within(start, PATIENCE)
    }

    /// What the engine has said by the time it is ready.
    fn settle(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// What the engine says to one line.
    fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.settle()
    }

    fn search(&mut self, go: &str) -> Vec<String> {
        self.send(go);
        self.until("bestmove")
    }

    fn perft(&mut self, depth: u32) -> Vec<String> {
        self.send(&format!("go perft {depth}"));
        self.until("Nodes searched: ")
    }

    fn fen(&mut self) -> String {
        let lines = self.ask("d");
        lines.iter().find_map(|line| line.strip_prefix("Fen: ")).unwrap().to_owned()
    }

    /// Asserts silence for a moment.
    fn is_silent(&mut self, moment: Duration) {
        assert_eq!(self.output.recv_timeout(moment), Err(RecvTimeoutError::Timeout));
    }

    /// Closes the input, and returns the remaining lines and how the engine ended.
    fn close(mut self) -> (Vec<String>, ExitStatus) {
        drop(self.input.take());
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the end of input did not end the engine: {lines:#?}"),
            }
        }
        (lines, self.child.wait().unwrap())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The words after `key` in an info line.
fn words<'a>(line: &'a str, key: &str) -> Vec<&'a str> {
    line.split_whitespace().skip_while(|word| *word != key).skip(1).collect()
}

fn number(line: &str, key: &str) -> i64 {
    words(line, key).first().unwrap_or_else(|| panic!("no {key} in {line}")).parse().unwrap()
}

/// The last info line with a score.
fn last_score(lines: &[String]) -> &str {
    lines.iter().rev().find(|line| line.contains(" score ")).unwrap()
}

fn assert_one_info_string(lines: &[String], asked: &str) {
    assert!(lines.len() == 1 && lines[0].starts_with("info string "), "{asked:?}: {lines:#?}");
}

#[test]
fn the_handshake_names_engine_and_options() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Halfpoint "));
    assert!(lines[1].starts_with("id author "));
    for option in [
        "Hash type spin default 16 min 1 max ",
        "Clear Hash type button",
        "Threads type spin default 1 min 1 max ",
        "MultiPV type spin default 1 min 1 max 256",
        "Ponder type check default false",
        "Move Overhead type spin default 10 min 0 max 5000",
        "UCI_ShowWDL type check default false",
        "UCI_Chess960 type check default false",
        "EvalParams type string default <empty>",
        "SearchParams type string default <empty>",
        "WDL_Profile type combo default nominal var nominal var uncorrected var ",
        "WDL_ProfileFile type string default <empty>",
        "WDL_Elo type spin default 0 min 0 max 4000",
        "WDL_TimeControl type combo default classical var classical var rapid var blitz var bullet",
        "Contempt type spin default 0 min -1000 max 1000",
        "AutoContempt type check default false",
        "UCI_RatingAdv type spin default 0 min -10000 max 10000",
        "UCI_Opponent type string default <empty>",
        "OwnElo type spin default 0 min 0 max 4000",
        "ContemptSide type combo default play var play var white var black var off",
        "ShowContempt type check default false",
        "UCI_AnalyseMode type check default false",
    ] {
        let start = format!("option name {option}");
        assert_eq!(lines.iter().filter(|line| line.starts_with(&start)).count(), 1, "{option}");
    }
    assert_eq!(lines.iter().filter(|line| line.starts_with("option ")).count(), 22);
    assert!(engine.settle().is_empty());
}

#[test]
fn good_settings_are_taken_in_silence() {
    let mut engine = Engine::start();
    for line in [
        "setoption name hash value 8",
        "setoption name Threads value 2",
        "setoption name CLEAR HASH",
        "setoption name MultiPV value 2",
        "setoption name Ponder value true",
        "setoption name Move Overhead value 50",
        "setoption name UCI_ShowWDL value true",
        "setoption name UCI_Chess960 value false",
        "setoption name EvalParams value <empty>",
        "setoption name EvalParams",
        "setoption name SearchParams value <empty>",
        "setoption name WDL_Profile value nominal",
        "setoption name WDL_ProfileFile value <empty>",
        "setoption name WDL_Elo value 2500",
        "setoption name WDL_Elo value 0",
        "setoption name WDL_TimeControl value blitz",
        "setoption name WDL_TimeControl value classical",
        "setoption name Contempt value -20",
        "setoption name Contempt value 0",
        "setoption name AutoContempt value false",
        "setoption name UCI_RatingAdv value -150",
        "setoption name UCI_Opponent value none 2400 computer Some Engine 1.0",
        "setoption name UCI_Opponent value <empty>",
        "setoption name OwnElo value 3000",
        "setoption name ContemptSide value PLAY",
        "setoption name ShowContempt value false",
        "setoption name UCI_AnalyseMode value false",
        "ucinewgame",
        "debug off",
        "stop",
        "ponderhit",
        "",
    ] {
        assert!(engine.ask(line).is_empty(), "{line}");
    }
    let lines = engine.search("go depth 3");
    assert!(lines.iter().any(|line| line.contains(" multipv 2 ") && line.contains(" wdl ")), "{lines:#?}");
}

/// Lines that are wrong; each is answered by one `info string`.
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
    "setoption name WDL_Profile",
    "setoption name WDL_Profile value nobody",
    "setoption name WDL_ProfileFile value no/such/file.toml",
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
fn bad_input_gets_one_line_and_changes_nothing() {
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
fn refusals_say_what_and_where() {
    let mut engine = Engine::start();
    for (line, parts) in [
        ("position startpos moves e2e4 e7e5 e4e5 d7d5", &["move 3 of 4", "'e4e5'"][..]),
        ("setoption name MultiPV value 300", &["MultiPV", "'300'", "1 to 256"]),
        ("setoption name EvalParams value no/such.toml", &["EvalParams", "no/such.toml"]),
        ("setoption name SearchParams value no/such.toml", &["SearchParams", "no/such.toml"]),
        ("setoption name WDL_Profile value nobody", &["WDL_Profile", "'nobody'", "nominal, "]),
        ("setoption name WDL_ProfileFile value no/such.toml", &["WDL_ProfileFile", "no/such.toml"]),
        ("go depth deep", &["go depth", "'deep'"]),
        ("position fen 8/8/8/8/8/8/8/K7 w - - 0 1", &["king", "8/8/8/8/8/8/8/K7"]),
    ] {
        let answer = engine.ask(line);
        assert!(parts.iter().all(|part| answer[0].contains(part)), "{line}: {answer:#?}");
    }
}

#[test]
fn a_bad_file_of_weights_is_refused() {
    let path = std::env::temp_dir().join(format!("halfpoint-weights-{}.toml", std::process::id()));
    std::fs::write(&path, "this is = not [ weights").unwrap();
    let mut engine = Engine::start();
    let before = engine.ask("eval");
    let answer = engine.ask(&format!("setoption name EvalParams value {}", path.display()));
    std::fs::remove_file(&path).unwrap();
    assert_one_info_string(&answer, "EvalParams");
    assert!(answer[0].contains(path.to_str().unwrap()), "{answer:#?}");
    assert_one_info_string(
        &engine.ask(&format!("setoption name EvalParams value {}", std::env::temp_dir().display())),
        "a directory",
    );
    assert_eq!(engine.ask("eval"), before);
}

#[test]
fn constants_of_the_search_come_from_a_file() {
    let path = std::env::temp_dir().join(format!("halfpoint-search-{}.toml", std::process::id()));
    let shipped = include_str!("../engine-params/search.toml");
    let mut engine = Engine::start();
    let nodes = |engine: &mut Engine, text: &str| {
        std::fs::write(&path, text).unwrap();
        let answer = engine.ask(&format!("setoption name SearchParams value {}", path.display()));
        engine.ask("ucinewgame");
        let lines = engine.search("go depth 8");
        (answer, last_score(&lines).split(" nodes ").nth(1).unwrap().split(' ').next().unwrap().to_owned())
    };
    let (answer, usual) = nodes(&mut engine, shipped);
    assert!(answer.is_empty());
    let (answer, other) = nodes(&mut engine, &shipped.replace("late_move_base = ", "late_move_base = 1"));
    assert!(answer.is_empty());
    assert_ne!(usual, other);
    let (answer, same) = nodes(&mut engine, &shipped.replace("null_move_wilo = ", "null_move_wilo = -"));
    assert_one_info_string(&answer, "SearchParams");
    assert!(answer[0].contains("null_move_wilo = -"), "{answer:#?}");
    assert_eq!(other, same, "the constants stay");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_hash_that_cannot_be_had_is_refused() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.until("uciok");
    let hash = lines.iter().find(|line| line.starts_with("option name Hash ")).unwrap();
    let max = number(hash, "max");
    assert_one_info_string(&engine.ask(&format!("setoption name Hash value {max}")), "Hash");
    assert_one_info_string(&engine.ask(&format!("setoption name Hash value {}", max + 1)), "Hash");
    assert!(engine.search("go depth 3").last().unwrap().starts_with("bestmove "));
}

#[test]
fn unreachable_positions_are_played() {
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
fn strange_bytes_and_lines_are_survived() {
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

/// Numbers that look random, the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32
    }

    fn below(&mut self, limit: usize) -> usize {
        self.next() as usize % limit
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

/// Words of the protocol and near it; without `quit`, and without what takes long.
const VOCABULARY: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "stop",
    "ponderhit",
    "setoption",
    "name",
    "value",
    "debug",
    "on",
    "off",
    "d",
    "eval",
    "help",
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
    "Hash",
    "Clear",
    "MultiPV",
    "Ponder",
    "Move",
    "Overhead",
    "UCI_ShowWDL",
    "UCI_Chess960",
    "EvalParams",
    "SearchParams",
    "true",
    "false",
    "<empty>",
    "0",
    "1",
    "2",
    "3",
    "-1",
    "-",
    "w",
    "b",
    "KQkq",
    "e2e4",
    "e7e5",
    "g1f3",
    "e1g1",
    "a7a8q",
    "0000",
    "e3",
    "8/8/8/8/8/8/8/8",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    "4k3/8/8/8/8/8/8/4K2R",
    "18446744073709551616",
    "1e9",
    "\u{0}",
];

/// Lines that make sense.
const SENSIBLE: &[&str] = &[
    "position startpos",
    "position startpos moves e2e4 e7e5",
    "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "go depth 1",
    "go depth 2",
    "go nodes 50",
    "go movetime 1",
    "go wtime 10 btime 10",
    "go infinite",
    "go ponder depth 1",
    "go",
    "stop",
    "ponderhit",
    "isready",
    "ucinewgame",
    "d",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_ShowWDL value true",
    "setoption name MultiPV value 3",
];

fn random_line(random: &mut Random) -> Vec<u8> {
    match random.below(10) {
        0..3 => random.pick(SENSIBLE).as_bytes().to_vec(),
        3..8 => {
            let words: Vec<_> = (0..1 + random.below(8)).map(|_| random.pick(VOCABULARY)).collect();
            words.join(" ").into_bytes()
        }
        8 => (0..random.below(60)).map(|_| random.next() as u8).filter(|byte| *byte != b'\n').collect(),
        _ => {
            const LETTERS: &[u8] = b"pnbrqkPNBRQK12345678/";
            let board: Vec<u8> = (0..20 + random.below(60)).map(|_| LETTERS[random.below(LETTERS.len())]).collect();
            [b"position fen ", &board[..], b" w - - 0 1"].concat()
        }
    }
}

#[test]
fn ten_thousand_random_lines_are_survived() {
    let mut engine = Engine::start();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for sent in 1..=10_000 {
        let mut line = random_line(&mut random);
        line.push(b'\n');
        engine.send_bytes(&line);
        if sent % 25 == 0 {
            engine.send("stop");
            engine.settle();
        }
    }
    engine.send("stop");
    engine.settle();
    // Whatever is still put off comes to its end.
    engine.send("ucinewgame");
    engine.send("stop");
    engine.settle();
    let (_, status) = engine.close();
    assert!(status.success(), "{status}");
}

#[test]
fn the_end_of_input_ends_the_engine() {
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
    for go in ["go infinite", "go depth 200", "go ponder", "go wtime 600000 btime 600000", "go", "go perft 12"] {
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
    // What waits for its turn is stopped, too.
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
    // Stopped before it has well begun, it still has a move.
    for _ in 0..50 {
        engine.send_bytes(b"go infinite\nstop\n");
        let lines = engine.until_within("bestmove", AT_ONCE);
        assert!(!lines.last().unwrap().contains("(none)"));
    }
}

#[test]
fn the_engine_answers_while_it_searches() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.send("isready");
    engine.until_within("readyok", AT_ONCE);
    engine.send("uci");
    engine.until_within("uciok", AT_ONCE);
    for line in ["position startpos moves e2e4", "go depth 1", "setoption name Hash value 1", "d", "eval", "bench"] {
        engine.send(line);
        let lines = engine.until("info string");
        assert!(lines.last().unwrap().contains("stop"), "{lines:#?}");
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    }
    engine.send("stop");
    engine.until("bestmove");
    assert!(engine.fen().starts_with("rnbqkbnr/pppppppp/8/8/8/8/"));
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
    // A stop ends what runs and what waits.
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

    // The opponent has taken longer than the move deserves.
    engine.send("go ponder wtime 10000 btime 10000");
    thread::sleep(Duration::from_millis(3000));
    engine.send("ponderhit");
    engine.until_within("bestmove", Duration::from_millis(600));

    // A time for the move is spent from the hit on, however long it was pondered on.
    engine.send("go ponder movetime 400");
    thread::sleep(Duration::from_millis(600));
    engine.send("ponderhit");
    let hit = Instant::now();
    engine.send("ponderhit");
    engine.until_within("bestmove", Duration::from_millis(900));
    assert!(hit.elapsed() > Duration::from_millis(250), "{:?}", hit.elapsed());

    engine.send("go ponder depth 1");
    engine.until("info depth 1 ");
    engine.is_silent(Duration::from_millis(150));
    engine.send("ponderhit");
    engine.until_within("bestmove", AT_ONCE);
    engine.is_silent(Duration::from_millis(50));
}

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
    // One move to look at is a choice of the user's, not of the rules.
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
fn info_lines_are_complete() {
    let mut engine = Engine::start();
    let lines = engine.search("go depth 4");
    let info = last_score(&lines);
    for key in ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"] {
        number(info, key);
    }
    assert_eq!(words(info, "score")[0], "cp");
    assert!(!words(info, "pv").is_empty());
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut engine = Engine::start();
    let lines = engine.search("go searchmoves a2a3 h2h4 depth 3");
    let best = lines.last().unwrap().split_whitespace().nth(1).unwrap();
    assert!(["a2a3", "h2h4"].contains(&best));
    for line in lines.iter().filter(|line| line.contains(" pv ")) {
        assert!(["a2a3", "h2h4"].contains(&words(line, "pv")[0]), "{line}");
    }
}

#[test]
fn several_lines_are_ordered_and_differ() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 4");
    engine.send(&format!("position fen {KIWIPETE}"));
    let lines = engine.search("go depth 3");
    let last: Vec<&String> = lines.iter().filter(|line| line.starts_with("info depth 3 ")).collect();
    let last = &last[last.len() - 4..];
    let mut moves: Vec<_> = last.iter().map(|line| words(line, "pv")[0]).collect();
    let scores: Vec<_> = last.iter().map(|line| number(line, "cp")).collect();
    assert_eq!(last.iter().map(|line| number(line, "multipv")).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");
    assert!(lines.last().unwrap().contains(moves[0]));
    moves.sort_unstable();
    moves.dedup();
    assert_eq!(moves.len(), 4);
    // No more lines than moves.
    engine.send("setoption name MultiPV value 256");
    engine.send("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1");
    let lines = engine.search("go depth 2");
    assert!(!lines.iter().any(|line| line.contains(" multipv 4 ")));
}

#[test]
fn results_are_certain_in_wdl() {
    let mut engine = Engine::start();
    engine.send("setoption name UCI_ShowWDL value true");
    let profiles = ["nominal", "uncorrected", "master"];
    for (position, score, wdl) in [
        ("fen 7k/8/8/8/8/8/8/K7 w - - 0 1", "cp 0", "0 1000 0"),
        ("fen 7k/8/8/8/8/8/8/KN6 w - - 0 1", "cp 0", "0 1000 0"),
        ("fen 4k3/8/8/8/8/8/8/R3K3 w - - 100 90", "cp 0", "0 1000 0"),
        ("fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "mate 1", "1000 0 0"),
        ("fen k7/8/1K6/8/8/8/8/7R b - - 0 1", "mate -1", "0 0 1000"),
        ("fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0", "0 0 1000"),
        ("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0", "0 1000 0"),
    ] {
        for profile in profiles {
            engine.send(&format!("setoption name WDL_Profile value {profile}"));
            engine.send(&format!("position {position}"));
            let lines = engine.search("go depth 4");
            let info = last_score(&lines);
            assert!(info.contains(&format!(" score {score} wdl {wdl}")), "{position}, {profile}: {info}");
        }
    }
}

/// What a search to a number of nodes says, without times and without W/D/L; and its W/D/L.
fn at_fixed_nodes(engine: &mut Engine, position: &str) -> (Vec<String>, Vec<String>) {
    engine.ask("ucinewgame");
    engine.ask(position);
    let lines = engine.search("go nodes 5000");
    let (mut rest, mut wdl) = (Vec::new(), Vec::new());
    for line in lines {
        let mut words: Vec<_> = line.split_whitespace().collect();
        for (key, length) in [("nps", 2), ("time", 2), ("wdl", 4)] {
            if let Some(at) = words.iter().position(|word| *word == key) {
                let removed: Vec<_> = words.drain(at..at + length).collect();
                if key == "wdl" {
                    let sum: u32 = removed[1..].iter().map(|word| word.parse::<u32>().unwrap()).sum();
                    assert_eq!(sum, 1000, "{line}");
                    wdl.push(removed.join(" "));
                }
            }
        }
        rest.push(words.join(" "));
    }
    (rest, wdl)
}

#[test]
fn profiles_change_printed_wdl_and_nothing_else() {
    let path = std::env::temp_dir().join(format!("halfpoint-profiles-{}.toml", std::process::id()));
    let extreme = "\
        [weak]\nelo = 1200\nwilo_factor = 0.2\ndraw_offset = -4.0\ndraw_certain = -8.0\n\
        [strong]\nelo = 3400\nwilo_factor = 2.0\nwilo_endgame = 0.5\ndraw_offset = 3.0\ndraw_factor = 0.5\n\
        draw_endgame = 1.0\ndraw_wilo = -0.1\n";
    std::fs::write(&path, extreme).unwrap();
    let mut engine = Engine::start();
    engine.send("uci");
    let declared = engine.until("uciok").into_iter().find(|line| line.contains("name WDL_Profile ")).unwrap();
    let mut shipped: Vec<_> = declared.split(" var ").skip(3).map(str::to_owned).collect();
    assert_eq!(shipped.pop().as_deref(), Some("file"));
    assert!(!shipped.is_empty(), "{declared}");
    engine.ask("setoption name UCI_ShowWDL value true");
    for position in ["position startpos".to_owned(), format!("position fen {KIWIPETE}")] {
        let (nominal, nominal_wdl) = at_fixed_nodes(&mut engine, &position);
        let check = |engine: &mut Engine, settings: &[&str], changes: bool| {
            for setting in settings {
                assert!(engine.ask(setting).is_empty(), "{setting}");
            }
            let (rest, wdl) = at_fixed_nodes(engine, &position);
            assert_eq!(rest, nominal, "{settings:?}");
            assert_eq!(wdl != nominal_wdl, changes, "{settings:?}");
        };
        for name in std::iter::once("uncorrected").chain(shipped.iter().map(String::as_str)) {
            check(&mut engine, &[&format!("setoption name WDL_Profile value {name}")], true);
        }
        let file = format!("setoption name WDL_ProfileFile value {}", path.display());
        check(&mut engine, &["setoption name WDL_Profile value nominal"], false);
        // A name that only the file has is taken with it.
        let wanted = "setoption name WDL_Profile value weak";
        assert_one_info_string(&engine.ask(wanted), wanted);
        check(&mut engine, &[], false);
        assert!(engine.ask(&file).is_empty());
        check(&mut engine, &[], true);
        assert!(engine.ask("setoption name WDL_Profile value nominal").is_empty());
        assert!(engine.ask("setoption name WDL_ProfileFile value").is_empty());
        engine.ask(&format!("setoption name WDL_Profile value {}", shipped[0]));
        // The profile that was chosen is not in the file, and comes back with one that has it.
        for _ in 0..2 {
            assert_one_info_string(&engine.ask(&file), &file);
            check(&mut engine, &[], false);
            check(&mut engine, &["setoption name WDL_ProfileFile value"], true);
        }
        assert_one_info_string(&engine.ask(&file), &file);
        for name in ["weak", "STRONG", "file"] {
            check(&mut engine, &[&format!("setoption name WDL_Profile value {name}")], true);
        }
        for elo in [1000, 2300, 4000] {
            check(&mut engine, &[&format!("setoption name WDL_Elo value {elo}")], true);
        }
        let nominal_again = ["setoption name WDL_Elo value 0", "setoption name WDL_Profile value nominal"];
        check(&mut engine, &nominal_again, false);
        check(&mut engine, &["setoption name WDL_ProfileFile value"], false);
    }
    std::fs::remove_file(&path).unwrap();
}

/// The lines that tell of contempt, and the others.
fn contempt_at_fixed_nodes(engine: &mut Engine, settings: &[&str]) -> (Vec<String>, Vec<String>) {
    for setting in settings {
        assert!(engine.ask(&format!("setoption name {setting}")).is_empty(), "{setting}");
    }
    let (rest, wdl) = at_fixed_nodes(engine, &format!("position fen {KIWIPETE}"));
    let (told, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(|line| line.starts_with("info string contempt"));
    (told, [rest, wdl].concat())
}

#[test]
fn contempt_is_told_and_gone_in_a_new_game() {
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_ShowWDL value true");
    let (told, plain) = contempt_at_fixed_nodes(&mut engine, &[]);
    assert!(told.is_empty(), "{told:?}");
    let mut check = |settings: &[&str], part: &str, same: bool| {
        let (told, lines) = contempt_at_fixed_nodes(&mut engine, settings);
        assert!(told.len() == 1 && told[0].contains(part), "{settings:?}: {told:?}");
        assert_eq!(lines == plain, same, "{settings:?}");
        lines
    };
    let a = check(&["Contempt value 120"], "contempt 120 Elo for White, by Contempt:", false);
    let b = check(&["Contempt value -120", "ContemptSide value black"], "contempt -120 Elo for Black", false);
    assert_eq!(a, b, "an advantage of White is a disadvantage of Black");
    check(&["ContemptSide value off"], "contempt 0: ContemptSide is off", true);
    check(&["ContemptSide value play", "UCI_AnalyseMode value true"], "contempt 0: this is analysis", true);
    check(&["Contempt value 120", "ContemptSide value white"], "contempt 120 Elo for White", false);
    let known = ["UCI_RatingAdv value 90", "UCI_Opponent value IM 2500 human A B", "OwnElo value 2620"];
    check(&[&known[..], &["AutoContempt value true"]].concat(), "contempt 120 Elo for White, by Contempt:", false);
    check(&["Contempt value 0"], "contempt 90 Elo for White, by UCI_RatingAdv 90:", false);
    let c = check(&["UCI_RatingAdv value 0"], "120 Elo for White, by OwnElo 2620 against IM A B (human) 2500:", false);
    assert_eq!(a, c, "where it comes from does not matter");
    check(&["UCI_Opponent value none none human A"], "contempt 0: by OwnElo 2620 against A (human)", true);
    check(&["UCI_Opponent"], "contempt 0: AutoContempt knows neither", true);
    let (told, lines) = contempt_at_fixed_nodes(&mut engine, &["AutoContempt value false"]);
    assert!(told == ["info string contempt 0"] && lines == plain, "{told:?}");
    let (told, _) = contempt_at_fixed_nodes(&mut engine, &[]);
    assert!(told.is_empty(), "{told:?}");
}

#[test]
fn contempt_is_told_once_and_not_in_analysis() {
    let mut engine = Engine::start();
    engine.ask("setoption name Contempt value 80");
    let mut told = |go: &str, until: &str| {
        engine.send(go);
        let mut lines = engine.until(until);
        if until != "bestmove" {
            engine.send("stop");
            lines.extend(engine.until("bestmove"));
        }
        lines.retain(|line| line.starts_with("info string"));
        lines
    };
    assert_one_info_string(&told("go depth 2", "bestmove"), "new");
    assert!(told("go depth 2", "bestmove").is_empty());
    assert!(told("go ponder wtime 1000 btime 1000", "info depth").is_empty(), "pondering is playing");
    for go in ["go infinite", "go"] {
        let lines = told(go, "info depth");
        assert_eq!(lines, ["info string contempt 0: this is analysis, and ContemptSide is play"], "{go}");
        assert_one_info_string(&told("go depth 2", "bestmove"), "again");
    }
}

#[test]
fn printed_scores_are_objective_unless_asked_otherwise() {
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_ShowWDL value true");
    // A move that leads to a quiet position, whose evaluation is the score.
    engine.ask("position fen 8/5k2/3p4/3P4/8/2K2P2/8/8 w - - 0 1");
    let mut printed = |contempt: i32, shown: bool| {
        engine.ask(&format!("setoption name Contempt value {contempt}"));
        engine.ask(&format!("setoption name ShowContempt value {shown}"));
        let lines = engine.search("go depth 1 searchmoves c3c4");
        let line = last_score(&lines).to_owned();
        let draws: i64 = words(&line, "wdl")[1].parse().unwrap();
        (number(&line, "cp"), draws)
    };
    let (plain, draws) = printed(0, false);
    assert_eq!(printed(0, true), (plain, draws));
    for contempt in [-1000, -300, -40, 40, 300, 1000] {
        let (objective, objective_draws) = printed(contempt, false);
        assert!(
            (objective - plain).abs() <= 3 && (objective_draws - draws).abs() <= 3,
            "{contempt}: {objective} {plain}, {objective_draws} {draws}"
        );
        let (with, _) = printed(contempt, true);
        assert_eq!(with > plain, contempt > 0, "{contempt}: {with} {plain}");
    }
}

#[test]
fn a_rating_lies_between_two_profiles() {
    let path = std::env::temp_dir().join(format!("halfpoint-rated-{}.toml", std::process::id()));
    std::fs::write(
        &path,
        "[a]\nelo = 1000\nwilo_factor = 1.0\ndraw_offset = -3.0\n[b]\nelo = 2000\nwilo_factor = 1.0\ndraw_offset = 3.0\n",
    )
    .unwrap();
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_ShowWDL value true");
    engine.ask(&format!("setoption name WDL_ProfileFile value {}", path.display()));
    let mut draws = |elo: u32| {
        engine.ask(&format!("setoption name WDL_Elo value {elo}"));
        let (_, wdl) = at_fixed_nodes(&mut engine, "position startpos");
        words(wdl.last().unwrap(), "wdl")[1].parse::<u32>().unwrap()
    };
    let series = [900, 1000, 1300, 1700, 2000, 2100].map(&mut draws);
    std::fs::remove_file(&path).unwrap();
    assert_eq!((series[0], series[4]), (series[1], series[5]));
    assert!(series[1] < series[2] && series[2] < series[3] && series[3] < series[4], "{series:?}");
}

#[test]
fn profiles_are_applied_to_what_they_are_fitted_to() {
    let profiles = Profiles::shipped();
    let profile = profiles.get("master").unwrap();
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_ShowWDL value true");
    for fen in [
        KIWIPETE,
        // Dead drawn by evaluation, by repetition, against a bare king.
        "8/8/4k3/8/8/3BK3/8/6b1 w - - 0 1",
        "8/5k2/3p4/3P4/5K2/8/8/8 w - - 0 1",
        "k7/8/K7/P7/8/8/8/8 w - - 0 1",
    ] {
        let mut printed = |name: &str| {
            engine.ask(&format!("setoption name WDL_Profile value {name}"));
            let (_, wdl) = at_fixed_nodes(&mut engine, &format!("position fen {fen}"));
            let number = |index: usize| words(wdl.last().unwrap(), "wdl")[index].parse::<f64>().unwrap() / 1000.0;
            Wdl { win: number(0), draw: number(1), loss: number(2) }
        };
        let (uncorrected, master) = (printed("uncorrected"), printed("master"));
        let position = Position::from_fen(fen, false).unwrap();
        let found =
            profile.apply(uncorrected, Traits::of(&position.board().into(), position.turn(), position.halfmoves()));
        let differences = [found.win - master.win, found.draw - master.draw, found.loss - master.loss];
        assert!(differences.iter().all(|x| x.abs() < 0.005), "{fen}: {uncorrected:?} {found:?} {master:?}");
    }
}

#[test]
fn bad_files_of_profiles_are_refused() {
    let path = std::env::temp_dir().join(format!("halfpoint-bad-profiles-{}.toml", std::process::id()));
    let mut engine = Engine::start();
    for (text, why) in [
        ("[a]\nwilo_factor = = 1", "line 2"),
        ("[a]\nwilo_factor = 1.0", "draw_offset"),
        ("[nominal]\nwilo_factor = 1.0\ndraw_offset = 0.0", "nominal"),
        ("", "there is no profile"),
    ] {
        std::fs::write(&path, text).unwrap();
        let answer = engine.ask(&format!("setoption name WDL_ProfileFile value {}", path.display()));
        assert_one_info_string(&answer, text);
        assert!(answer[0].contains(why) && answer[0].contains(path.to_str().unwrap()), "{answer:?}");
    }
    // Profiles without ratings serve no rating.
    std::fs::write(&path, "[a]\nwilo_factor = 1.0\ndraw_offset = 0.0").unwrap();
    assert!(engine.ask(&format!("setoption name WDL_ProfileFile value {}", path.display())).is_empty());
    assert_one_info_string(&engine.ask("setoption name WDL_Elo value 2000"), "no rating");
    // Nor do those of another pace, until that is told, too.
    std::fs::write(&path, "[a]\nelo = 1800\ntime_control = \"blitz\"\nwilo_factor = 0.2\ndraw_offset = 0.0").unwrap();
    let load = format!("setoption name WDL_ProfileFile value {}", path.display());
    assert_one_info_string(&engine.ask(&load), "another pace");
    engine.ask("setoption name UCI_ShowWDL value true");
    let (_, nominal) = at_fixed_nodes(&mut engine, "position startpos");
    assert!(engine.ask("setoption name WDL_TimeControl value blitz").is_empty());
    let (_, blitz) = at_fixed_nodes(&mut engine, "position startpos");
    assert_ne!(blitz.last(), nominal.last());
    assert!(engine.ask("setoption name WDL_Elo value 1500").is_empty());
    assert_one_info_string(&engine.ask("setoption name WDL_TimeControl value rapid"), "another pace");
    // The choice of the file's first profile goes with the file.
    assert!(engine.ask("setoption name WDL_Profile value file").is_empty());
    let answer = engine.ask("setoption name WDL_ProfileFile value");
    assert!(answer.iter().any(|line| line.contains("'file' needs a WDL_ProfileFile")), "{answer:?}");
    std::fs::remove_file(&path).unwrap();
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
    assert_one_info_string(&engine.ask(&format!("position fen {shuffled}")), "rights on other files");
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

#[test]
fn extra_commands_print_what_they_promise() {
    let mut engine = Engine::start();
    let lines = engine.ask("d");
    assert!(
        lines.iter().any(|line| line.starts_with("Key: ")) && lines.iter().any(|line| line.starts_with("Checkers:"))
    );
    assert!(!engine.ask("eval").is_empty());
    assert!(engine.ask("help").iter().any(|line| line.contains("setoption")));
    let start = engine.ask("debug on");
    assert!(start.is_empty());
    assert!(engine.search("go depth 1")[0].starts_with("info string "));
    engine.send("bench 1");
    while !engine.until("").last().unwrap().ends_with(" nps") {}
}

fn run(arguments: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_halfpoint")).args(arguments).stdin(Stdio::null()).output().unwrap();
    let mut stdout = String::new();
    output.stdout.as_slice().read_to_string(&mut stdout).unwrap();
    (stdout, String::from_utf8(output.stderr).unwrap(), output.status.code())
}

#[test]
fn the_command_line_works() {
    let (out, _, code) = run(&["perft", "3"]);
    assert!(out.contains("e2e4: 600\n") && out.ends_with("\n\nNodes searched: 8902\n"), "{out}");
    assert_eq!(code, Some(0));
    let (out, ..) = run(&["perft", "1", "--fen", "4k3/8/8/8/8/8/8/4K2R w H - 0 1", "--chess960"]);
    assert!(out.contains("e1h1: 1\n"), "{out}");

    let signature = |out: &str| {
        let words: Vec<_> = out.lines().last().unwrap().split_whitespace().map(str::to_owned).collect();
        assert_eq!((words.len(), &*words[1], &*words[3]), (4, "nodes", "nps"));
        words[2].parse::<u64>().unwrap();
        words[0].parse::<u64>().unwrap()
    };
    let (first, second) = (run(&["bench", "3"]).0, run(&["bench", "3"]).0);
    assert_eq!(signature(&first), signature(&second));

    assert!(!run(&["eval"]).0.is_empty());
    assert!(!run(&["eval", KIWIPETE]).0.is_empty());
    assert!(run(&["--version"]).0.starts_with("halfpoint "));
    assert!(run(&["--help"]).0.contains("perft"));
}

#[test]
fn mistakes_on_the_command_line_get_one_line() {
    for (arguments, expected) in [
        (&["fly"][..], 2),
        (&["perft"], 2),
        (&["perft", "x"], 2),
        (&["perft", "-1"], 2),
        (&["bench", "0"], 2),
        (&["--nonsense"], 2),
        (&["eval", "8/8/8/8/8/8/8/8 w - - 0 1"], 1),
        (&["perft", "2", "--fen", "nonsense"], 1),
        (&["perft", "1", "--fen", "4k3/8/8/8/8/8/8/1K4R1 w G - 0 1"], 1),
    ] {
        let (out, error, code) = run(arguments);
        assert_eq!(code, Some(expected), "{arguments:?}");
        assert!(out.is_empty() && error.lines().count() == 1 && error.starts_with("error: "), "{arguments:?}: {error}");
    }
}
