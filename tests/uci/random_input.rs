//! Random lines, the same ones every time.

use crate::engine::Engine;

/// A xorshift generator.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.next() as usize % limit
    }

    pub fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

/// Words of the protocol and others; without `quit` and commands that take long.
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
    "ShowWDL",
    "UCI_Chess960",
    "EvalParams",
    "Evaluation",
    "EvalFile",
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

/// Valid lines.
const VALID: &[&str] = &[
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
        0..3 => random.pick(VALID).as_bytes().to_vec(),
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
    // Commands that still wait come to their end.
    engine.send("ucinewgame");
    engine.send("stop");
    engine.settle();
    let (_, status) = engine.close();
    assert!(status.success(), "{status}");
}
