//! Perft: move generation against known counts and against shakmaty. `cargo run --release --example perft_file`
//! compares the counts of another file.

mod counts;

use counts::Counts;
use halfpoint::position::Position;

#[test]
fn counts_are_the_known_ones() {
    let positions = Counts::parse(include_str!("../data/perft.epd")).unwrap();
    let compared: usize = positions.iter().map(|counts| counts.compare(3).unwrap()).sum();
    assert_eq!((positions.len(), compared), (25, 75));
    let deeper: usize = positions[..2].iter().map(|counts| counts.compare(4).unwrap()).sum();
    assert_eq!(deeper, 8);
}

#[test]
fn wrong_counts_and_broken_lines_are_errors() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let wrong = Counts::parse(&format!("{start} ;D1 20 ;D2 401")).unwrap();
    assert_eq!(wrong[0].compare(1), Ok(1));
    assert_eq!(wrong[0].compare(2), Err(format!("{start} D2: 400, not 401")));
    for line in ["nonsense ;D1 20", start, &format!("{start} ;D1"), &format!("{start} ;1 20")] {
        let error = Counts::parse(&format!("{start} ;D1 20\n\n{line}")).err().unwrap();
        assert!(error.starts_with("line 3: "), "{line}: {error}");
    }
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
