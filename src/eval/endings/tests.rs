use super::*;
use crate::eval::material::PieceCounts;
use crate::eval::sink::FeatureRecord;
use crate::eval::term_list::{ENDINGS, Owner, TERMS};
use crate::eval::{Weights, evaluate};
use crate::tablebase::Tables;
use proptest::prelude::*;
use shakmaty::KnownOutcome;
use std::sync::LazyLock;

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables::open("tests/data/syzygy".as_ref()));

/// A position with two kings and a white or black piece, if it is legal; squares are counted from a1.
fn three_pieces(
    piece: char,
    squares: [u32; 3],
    white_has_piece: bool,
    white_to_move: bool,
    clock: u32,
) -> Option<Position> {
    let [strong, bare, at] = squares.map(Square::new);
    let mut board = shakmaty::Board::empty();
    let owner = Color::from_white(white_has_piece);
    board.set_piece_at(strong, Role::King.of(owner));
    board.set_piece_at(bare, Role::King.of(!owner));
    board.set_piece_at(at, Role::from_char(piece)?.of(owner));
    let turn = if white_to_move { 'w' } else { 'b' };
    Position::from_fen(&format!("{board} {turn} - - {clock} 60"), false).ok().filter(|_| board.occupied().count() == 3)
}

/// White's pieces and then Black's, of each kind of ending.
const ENDING_PIECES: [&str; 19] = [
    "KQk", "KRk", "KPk", "KNNk", "KBNk", "KRBk", "KQRk", "KQkp", "KRkp", "KRkn", "KRkb", "KQkn", "KQkb", "KQkr",
    "KBBk", "KBPk", "KBPkp", "KRPkb", "KQkrp",
];

/// A position with pieces on squares, counted from a1, if it is legal and an ending.
fn placed(pieces: &str, squares: &[u32], white_to_move: bool, clock: u32) -> Option<Position> {
    let mut board = shakmaty::Board::empty();
    for (piece, &square) in pieces.chars().zip(squares) {
        board.set_piece_at(Square::new(square), shakmaty::Piece::from_char(piece)?);
    }
    let turn = if white_to_move { 'w' } else { 'b' };
    let position = Position::from_fen(&format!("{board} {turn} - - {clock} 60"), false).ok()?;
    // Two bishops on squares of one colour are no ending.
    (pieces != "KBBk" || position.material().has_bishop_pair(Color::White)).then_some(position)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn queen_and_rook_mate_in_time_or_it_is_a_draw(
        piece in prop::sample::select(vec!['q', 'r']), squares in [0..64_u32, 0..64, 0..64],
        has_piece in any::<bool>(), turn in any::<bool>(),
    ) {
        let weights = Weights::shipped();
        for clock in 0..100 {
            let Some(position) = three_pieces(piece, squares, has_piece, turn, clock) else { return Ok(()) };
            if position.has_no_moves() {
                return Ok(());
            }
            let wdl = evaluate(&position, &weights).score().wdl();
            // No answer where the tables' distances are rounded.
            match TABLES.outcome(&position) {
                None => {}
                Some(KnownOutcome::Draw) => prop_assert!(wdl.draw > 0.999, "{} {wdl:?}", position.fen()),
                Some(KnownOutcome::Decisive { winner }) => {
                    let won = if position.turn() == winner { wdl.win } else { wdl.loss };
                    prop_assert!(won > 0.98, "{} {wdl:?}", position.fen());
                }
            }
        }
    }

    #[test]
    fn endings_stay_within_what_the_lanes_are_proven_for(
        pieces in prop::sample::select(ENDING_PIECES.to_vec()),
        squares in prop::sample::subsequence((0..64_u32).collect::<Vec<_>>(), 5).prop_shuffle(),
        turn in any::<bool>(), clock in 0..100_u32,
    ) {
        let Some(position) = placed(pieces, &squares, turn, clock) else { return Ok(()) };
        let mut record = FeatureRecord::default();
        features(&position, &mut record, PieceCounts::of(position.material()).info().ending.expect(pieces));
        let mut sums = vec![0.0; TERMS.len()];
        for entry in record.counts {
            sums[TERMS.iter().position(|term| term.features().contains(&entry.feature)).unwrap()] += entry.count;
        }
        let emitted: Vec<_> = TERMS.iter().zip(sums).filter(|&(_, sum)| sum > 0.0).collect();
        for (term, sum) in &emitted {
            prop_assert!(term.owner == Owner::Ending && *sum <= f64::from(term.max_count), "{} {}", position.fen(), term.name);
        }
        let is_proven = ENDINGS.iter().any(|together| {
            emitted.iter().all(|(term, _)| together.iter().any(|other| other.name == term.name))
        });
        prop_assert!(is_proven, "{} {emitted:?}", position.fen());
    }

    #[test]
    fn a_pawn_against_a_bare_king_is_won_or_drawn_as_in_the_tables(
        squares in [0..64_u32, 0..64, 8..56], has_piece in any::<bool>(), turn in any::<bool>(),
    ) {
        let Some(position) = three_pieces('p', squares, has_piece, turn, 0) else { return Ok(()) };
        if position.has_no_moves() {
            return Ok(());
        }
        let wdl = evaluate(&position, &Weights::shipped()).score().wdl();
        match TABLES.outcome(&position).expect("the table is there") {
            KnownOutcome::Draw => prop_assert!(wdl.draw > 0.999, "{} {wdl:?}", position.fen()),
            KnownOutcome::Decisive { winner } => {
                let won = if position.turn() == winner { wdl.win } else { wdl.loss };
                prop_assert!(won > 0.98, "{} {wdl:?}", position.fen());
            }
        }
    }
}

#[test]
fn the_last_ply_counts() {
    // Mate in one and in two moves; the mate itself may be the hundredth ply.
    for (placement, plies) in [("7k/8/6K1/8/8/8/8/1Q6", 1), ("7k/8/5K2/8/8/8/8/R7", 3)] {
        let at = |clock: u32| draw(&format!("{placement} w - - {clock} 60"));
        assert!(at(100 - plies) < 0.01 && at(101 - plies) > 0.999, "{placement}");
    }
}

/// Draw probability of the static evaluation.
fn draw(fen: &str) -> f64 {
    evaluate(&Position::from_fen(fen, false).unwrap(), &Weights::shipped()).score().draw_probability()
}

#[test]
fn a_bare_king_is_safe_when_the_clock_runs_out() {
    for placement in ["8/8/8/3k4/8/8/8/KBN5", "8/8/8/3k4/8/8/8/KBB5", "8/8/8/3k4/8/8/8/KRB5", "8/8/8/3k4/8/8/8/KQR5"] {
        let at = |clock: u32| draw(&format!("{placement} w - - {clock} 60"));
        assert!(at(0) < 0.01 && at(99) > 0.95, "{placement} {} {}", at(0), at(99));
        assert!((0..99).all(|clock| at(clock) <= at(clock + 1)), "{placement}");
    }
}

#[test]
fn a_pawn_needs_time_to_win() {
    // Drawn at 96: the king cannot make way for the pawn before the hundredth ply.
    let at = |clock: u32| draw(&format!("4k3/8/3K4/4P3/8/8/8/8 w - - {clock} 90"));
    assert!(at(0) < 0.01 && at(80) < 0.01 && at(96) > 0.05, "{} {}", at(80), at(96));
}

#[test]
fn a_pawn_on_the_seventh_can_hold_against_a_queen() {
    let drawn = ["3Q3K/8/8/8/8/8/p7/k7 w - - 0 1", "K2Q4/8/8/8/8/8/5p2/5k2 w - - 0 1"];
    let won = ["3Q3K/8/8/8/8/8/1p6/1k6 w - - 0 1", "3Q4/8/8/8/8/2K5/p7/1k6 w - - 0 1"];
    assert!(drawn.iter().all(|fen| draw(fen) > 0.7), "{:?}", drawn.map(draw));
    assert!(won.iter().all(|fen| draw(fen) < 0.4), "{:?}", won.map(draw));
}

#[test]
fn a_queen_wins_from_a_rook_the_sooner_the_further_its_king_is_driven() {
    // Kings near each other, the rook's king in a corner and the rook away from it are near the win.
    let near = draw("k7/8/2K5/8/8/8/5Q2/7r w - - 0 60");
    let far = draw("8/8/8/3k4/3r4/8/8/KQ6 w - - 0 60");
    assert!(near < 0.02 && near < far && far < 0.5, "{near} {far}");
    let late = draw("8/8/8/3k4/3r4/8/8/KQ6 w - - 80 60");
    assert!(late > 0.5, "{late}");
}

#[test]
fn longest_mates_are_the_known_ones() {
    // Mate in ten with a queen, in sixteen with a rook, at most.
    for (table, moves) in [(MateDistances::queen(), 10), (MateDistances::rook(), 16)] {
        let longest = |is_bare_to_move| {
            let squares = Square::ALL.into_iter();
            let places = squares.flat_map(|king| Square::ALL.into_iter().map(move |piece| (king, piece)));
            let plies = places.filter_map(|(king, piece)| {
                Square::ALL.into_iter().filter_map(|bare| table.plies(bare, king, piece, is_bare_to_move)).max()
            });
            plies.max()
        };
        assert_eq!((longest(false), longest(true)), (Some(2 * moves - 1), Some(2 * moves)));
    }
}

#[test]
fn rules_name_drawn_positions_and_no_won_ones() {
    let certain = [
        // Any number of wrong bishops; a pawn of the other side that is stopped.
        "3b4/2b1b3/3b1b2/6b1/6kp/6bp/8/7K w - - 0 1",
        "7k/8/7p/7P/6K1/3B4/8/8 w - - 0 1",
        // A blocked pawn that the bishop cannot attack, with one pawn behind it or none.
        "2k5/1p6/1P6/2B5/1P4K1/8/8/8 w - - 3 6",
        "6k1/6p1/6P1/1B6/8/8/8/7K w - - 0 1",
        // The same with a rook's pawn.
        "1k6/p7/P1K5/8/8/8/8/5B2 w - - 0 1",
        "1k6/p7/P1K5/8/8/8/8/5B2 b - - 0 1",
        "k7/p7/P7/8/8/2K5/8/5B2 w - - 0 1",
        "1b6/8/8/8/8/p1k5/P7/1K6 b - - 0 1",
        "1B6/5k1p/7P/8/8/5K2/8/8 w - - 0 1",
        // A chain whose base the bishop cannot attack.
        "6k1/6p1/5pP1/5P2/8/5B2/8/6K1 w - - 0 1",
        "6k1/7p/6pP/4B1P1/8/1K6/8/8 w - - 0 1",
        "B5k1/6p1/6Pp/7P/8/4K3/8/8 b - - 0 1",
        "6k1/2K3p1/5pP1/4pP2/4P3/8/8/7B w - - 0 1",
        "6k1/K6p/6pP/5pP1/5P2/2B5/8/8 w - - 0 1",
        // A rook on its anchor with more pawns, or against one.
        "8/5pk1/2p1r3/8/2K5/3Q4/8/8 w - - 0 1",
        "6k1/p4p2/4r3/8/8/1Q6/2K5/8 w - - 0 1",
        "8/5pk1/4r3/8/8/8/Q5P1/K7 w - - 0 1",
        "6k1/5p2/4r3/8/6P1/8/5K2/Q7 w - - 0 1",
        // A king before his own pawn.
        "7K/7P/6k1/3b4/8/8/7R/8 w - - 0 1",
        "7r/8/8/8/4B3/1K6/p7/k7 b - - 0 1",
        "K1k5/PR6/8/3b4/8/8/8/8 w - - 0 1",
        // A rook that the pawn protects where it started.
        "8/1pk5/2r5/8/8/4K3/8/3Q4 w - - 0 1",
        "3q4/8/8/4k3/8/2R5/1PK5/8 b - - 0 1",
        "8/1k6/1p6/2r5/8/4K3/8/3Q4 w - - 0 1",
    ];
    for fen in certain {
        assert!(draw(fen) > 0.999, "{fen} {}", draw(fen));
    }
    let others = [
        // A right bishop; a king who is too far; a pawn that runs.
        "7k/8/7p/7P/6K1/4B3/8/8 w - - 0 1",
        "8/8/4k3/7P/6K1/3B4/8/8 w - - 0 1",
        "7k/8/8/7P/8/3B2Kp/8/8 b - - 0 1",
        // A bishop that attacks the blocker; a king who is shut out.
        "2k5/1p6/1P6/1B6/1P4K1/8/8/8 w - - 3 6",
        "5k2/6p1/6PK/1B6/8/8/8/8 w - - 0 1",
        "k7/p7/P1K5/8/8/8/8/5B2 w - - 0 1",
        "8/6p1/3k1pP1/5P2/8/5B2/8/6K1 w - - 0 1",
        "6k1/6p1/5pP1/5P2/8/4B3/8/6K1 w - - 0 1",
        "7k/7p/5KpP/4B1P1/8/8/8/8 w - - 0 1",
        "8/5pk1/4r3/8/8/8/Q4P2/K7 w - - 0 1",
        // A rook that takes the bishop; a bishop elsewhere.
        "7K/7P/6k1/3b4/8/8/3R4/8 w - - 0 1",
        "7K/7P/6k1/8/8/3b4/7R/8 w - - 0 1",
        // A rook's pawn; a pawn that has moved; a king behind the rook.
        "8/p1k5/1r6/8/8/4K3/8/3Q4 w - - 0 1",
        "8/3k4/3p4/4r3/8/4K3/8/3Q4 w - - 0 1",
        "8/1pk2K2/2r5/8/8/8/8/3Q4 w - - 0 1",
        "8/1k6/1p6/r7/8/4K3/8/3Q4 w - - 0 1",
    ];
    for fen in others {
        assert!(draw(fen) < 0.9, "{fen} {}", draw(fen));
    }
}
