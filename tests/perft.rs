//! Perft: move generation against known counts and against shakmaty.
//!
//! `tests/data/perft.epd` is counted always. A longer file of the same form (`FEN ;D1 20 ;D2 400 …`) is counted when
//! `HALFPOINT_PERFT` names it, each position up to `HALFPOINT_PERFT_DEPTH` plies (5 if unset):
//!
//! ```text
//! HALFPOINT_PERFT=standard.epd HALFPOINT_PERFT_DEPTH=5 cargo test --release --test perft -- --nocapture
//! ```

use halfpoint::position::Position;
use std::env;
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Counts of one position.
struct Case {
    fen: String,
    /// Depth in plies and number of sequences.
    counts: Vec<(u32, u64)>,
}

fn parse(text: &str) -> Vec<Case> {
    let count = |field: &str| {
        let (depth, nodes) = field.trim().strip_prefix('D')?.split_once(' ')?;
        Some((depth.parse().ok()?, nodes.trim().parse().ok()?))
    };
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let mut fields = line.split(';');
            let fen = fields.next().unwrap_or_default().trim().to_owned();
            let counts = fields.map(|field| count(field).unwrap_or_else(|| panic!("bad count in {line}"))).collect();
            Case { fen, counts }
        })
        .collect()
}

/// Compares every count up to `max_depth` on two threads, and returns how many were compared.
fn compare(cases: &[Case], max_depth: u32) -> usize {
    let next = AtomicUsize::new(0);
    let compared = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let position = Position::from_fen(&case.fen, false).unwrap();
                    for &(depth, expected) in case.counts.iter().filter(|(depth, _)| *depth <= max_depth) {
                        let counted = position.perft(depth);
                        compared.fetch_add(1, Ordering::Relaxed);
                        if counted != expected {
                            wrong.lock().unwrap().push(format!("{} D{depth}: {counted}, not {expected}", case.fen));
                        }
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let compared = compared.into_inner();
    println!("{} positions, {compared} counts up to depth {max_depth} compared, all equal", cases.len());
    compared
}

#[test]
fn the_small_file_is_counted() {
    let cases = parse(include_str!("data/perft.epd"));
    assert_eq!(cases.len(), 25);
    assert_eq!(compare(&cases, 3), 75);
    assert_eq!(compare(&cases[..2], 4), 8);
}

#[test]
fn the_file_asked_for_is_counted() {
    let Ok(path) = env::var("HALFPOINT_PERFT") else { return };
    let depth = env::var("HALFPOINT_PERFT_DEPTH").map_or(5, |depth| depth.parse().expect("a depth in plies"));
    let cases = parse(&fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}")));
    assert!(compare(&cases, depth) > 0);
}

/// Chess960: start positions, kings and rooks on unusual files, castling into and out of the way.
const CHESS960: [&str; 12] = [
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
    "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9",
    "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1",
    "rkbbqnnr/pppppppp/8/8/8/8/PPPPPPPP/RKBBQNNR w HAha - 0 1",
    "brkrqnbn/pppppppp/8/8/8/8/PPPPPPPP/BRKRQNBN w DBdb - 0 1",
    "1rk4r/8/8/8/8/8/8/1RK4R w HBhb - 0 1",
    "rk5r/8/8/8/8/8/8/RK5R b HAha - 0 1",
    "5rkr/8/8/8/8/8/8/5RKR w HFhf - 0 1",
    "qrk3r1/8/8/8/8/8/8/QRK3R1 w GBgb - 0 1",
    "1r2k1r1/8/8/8/8/8/8/RR2K1RR w HBgb - 0 1",
    "rr2k2r/8/8/8/8/8/8/1RR1K1R1 w GCha - 0 1",
];

#[test]
fn chess960_counts_are_those_of_shakmaty() {
    for fen in CHESS960 {
        let position = Position::from_fen(fen, true).unwrap();
        for depth in 1..=3 {
            assert_eq!(position.perft(depth), shakmaty::perft(&position.to_chess(), depth), "{fen} D{depth}");
        }
    }
}
