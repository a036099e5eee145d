use super::{board, counts, pawns};
use crate::eval::material::PieceCounts;
use crate::eval::sink::{FeatureCount, FeatureRecord};
use crate::eval::term_list::STRUCTURE;
use crate::eval::tests::positions;
use crate::eval::{Weights, evaluate};
use crate::position::Position;
use proptest::strategy::{Strategy as _, ValueTree as _};

#[test]
fn structure_is_what_pawns_and_kings_emit() {
    let strategy = positions();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let is_structure = |entry: &FeatureCount| STRUCTURE.iter().any(|term| term.features().contains(&entry.feature));
    for _ in 0..2000 {
        let position = strategy.new_tree(&mut runner).unwrap().current();
        let (mut structure, mut rest) = (FeatureRecord::default(), FeatureRecord::default());
        let info = pawns::features(&position, &mut structure);
        let counts = PieceCounts::of(position.material());
        counts::features(&counts, &mut rest);
        board::piece_features(&position, &mut rest, counts.info(), info);
        assert!(structure.counts.iter().all(is_structure));
        assert!(!rest.counts.iter().any(is_structure));
    }
}

#[test]
fn opposite_bishops_with_more_pawns_are_drawn_if_king_and_bishop_stop_them() {
    let draw =
        |fen: &str| evaluate(&Position::from_fen(fen, false).unwrap(), &Weights::terms()).score().draw_probability();
    assert!(draw("8/4k3/6Pp/p1pB1P1P/1p1b1K2/1P1P1P2/P7/8 w - - 3 43") > 0.5);
    assert!(draw("8/4k1b1/6Pp/p1pB1K1P/1p3P2/1P1P4/P7/8 w - - 9 54") > 0.5);
    // The king stands before one pawn and beside the way of the other; elsewhere he does not.
    assert!(draw("8/8/2B2kPp/p1p4P/1p1b2K1/1P1P1P2/P7/8 w - - 10 49") > 0.5);
    assert!(draw("8/4k3/2B3Pp/p1p4P/1p1b2K1/1P1P1P2/P7/8 w - - 10 49") < 0.5);
    // The king is elsewhere; the other king helps where the bishop stands guard alone; another passed pawn; two that
    // support each other.
    assert!(draw("8/k7/6Pp/p1pB1P1P/1p1b1K2/1P1P1P2/P7/8 w - - 3 43") < 0.2);
    assert!(draw("8/4k3/6PK/p1pB1P2/1p1b4/1P1P1P2/P7/8 w - - 3 43") < 0.2);
    assert!(draw("8/4k3/P5Pp/2pB1P1P/1p1b1K2/1P1P1P2/8/8 w - - 3 43") < 0.2);
    assert!(draw("8/8/3bk3/p7/P3PP2/3BK3/8/8 w - - 0 1") < 0.9);
}

#[test]
fn a_rook_before_its_rook_pawn_draws_if_the_king_is_safe_from_checks() {
    let draw =
        |fen: &str| evaluate(&Position::from_fen(fen, false).unwrap(), &Weights::terms()).score().draw_probability();
    assert!(draw("R7/6k1/P7/8/8/7K/r7/8 w - - 0 1") > 0.5);
    assert!(draw("R7/P5k1/1K6/8/8/8/r7/8 w - - 0 1") > 0.5);
    // The other rook attacks the pawn from the side, or can do so, or the rook checks from the seventh.
    assert!(draw("R7/6k1/P3r3/8/3K4/8/8/8 w - - 0 1") > 0.5);
    assert!(draw("R7/6k1/P7/8/3K4/8/8/4r3 b - - 0 1") > 0.5);
    assert!(draw("8/R6k/P3r3/8/3K4/8/8/8 b - - 0 1") > 0.5);
    // Another pawn ahead.
    assert!(draw("R7/6k1/P3r3/8/3K4/8/6P1/8 w - - 0 1") < draw("R7/6k1/P3r3/8/3K4/8/8/8 w - - 0 1"));
    // The king is beside the pawn, or the other king can be checked.
    assert!(draw("R7/6k1/PK6/8/8/8/r7/8 w - - 0 1") < draw("R7/6k1/P7/8/8/7K/r7/8 w - - 0 1"));
    assert!(draw("R7/8/P4k2/8/8/7K/r7/8 w - - 0 1") < draw("R7/6k1/P7/8/8/7K/r7/8 w - - 0 1"));
}

#[test]
fn a_locked_board_is_drawn_unless_a_piece_gets_at_a_pawn() {
    let draw =
        |fen: &str| evaluate(&Position::from_fen(fen, false).unwrap(), &Weights::terms()).score().draw_probability();
    assert!(draw("4k3/1b6/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/3B4/R3K3 w - - 0 1") > 0.99);
    // A bishop that can be given for two pawns; a knight that jumps; a lever.
    assert!(draw("4k3/1b6/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/2B5/R3K3 w - - 0 1") < 0.9);
    assert!(draw("4k3/1b6/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/3N4/R3K3 w - - 0 1") < 0.9);
    assert!(draw("4k3/1b6/p1p1p1p1/PpPpPpPp/1P1P1P2/7P/3B4/R3K3 w - - 0 1") < 0.9);
    // A queen that can only be given for a protected pawn, and is all the lead; with a rook more it is not all.
    assert!(draw("3kb3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/2BQK3 w - - 0 1") > 0.8);
    assert!(draw("3kb3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/R1BQK3 w - - 0 1") < 0.2);
    // A pawn that no pawn protects.
    assert!(draw("2k5/8/p2p1p1p/Pp1P1PpP/QPp1p1P1/2P1P3/8/5K2 w - - 0 1") < 0.2);
}
