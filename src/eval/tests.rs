use super::curves::{draw_curve, wilo_size};
use super::evaluator::features_and_curves;
use super::sink::{BLENDED_UNIT, Sum};
use super::term_list::{Owner, TERMS};
use super::tuning::{FeatureCount, FeatureRecord, features};
use super::*;
use crate::position::Position;
use crate::wdl::model::Wdl;
use crate::wdl::score::{Score, printed_score_cp};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use shakmaty::{Color, EnPassantMode, Position as _, Role};

/// The position after random moves from a few starts.
pub(super) fn positions() -> impl Strategy<Value = Position> {
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "4k3/pp3p1p/2n5/8/2B5/8/PP3PPP/4K3 w - - 0 1",
        "8/5k2/8/8/3BK3/8/2N5/8 w - - 0 1",
        "4k3/3bn3/8/8/8/8/8/3NNK2 w - - 0 1",
        "4k3/ppppp3/8/8/8/8/8/3BK3 b - - 0 1",
        "6k1/5ppp/8/3r4/8/8/7P/6K1 b - - 0 1",
        "8/1P3k2/8/2b5/P3K3/6B1/p5P1/8 b - - 12 40",
    ];
    (prop::sample::select(starts.to_vec()), prop::collection::vec(any::<u8>(), 0..100)).prop_map(|(start, choices)| {
        let mut position = Position::from_fen(start, false).unwrap();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[choice as usize % moves.len()]);
        }
        position
    })
}

/// The same position with the colours exchanged.
pub(super) fn flipped(position: &Position) -> Position {
    let mut setup = position.to_chess().to_setup(EnPassantMode::Legal);
    setup.mirror();
    let chess =
        setup.position(shakmaty::CastlingMode::Standard).or_else(shakmaty::PositionError::ignore_impossible_check);
    Position::from_chess(&chess.unwrap())
}

/// Evaluation from the recorded coefficients, as a tuner computes them.
fn from_record(position: &Position, weights: &Weights) -> (f64, f64) {
    let mut record = FeatureRecord::default();
    let phase = features_and_curves(position, weights, &mut record);
    let share = f64::from(phase) / 24.0;
    let (mut w, mut d) = (0.0, 0.0);
    for entry in record.counts {
        let word = weights[entry.feature];
        let taper = |mg: i32, eg: i32| f64::from(mg) * share + f64::from(eg) * (1.0 - share);
        let sign = entry.color.map_or(0.0, |color| if color == position.turn() { 1.0 } else { -1.0 });
        w += sign * entry.count * taper(word.wilo_mg(), word.wilo_eg());
        d += entry.count * taper(word.draw_mg(), word.draw_eg());
    }
    (w, d)
}

/// Sums of an explanation's terms, tapered: hundredths of a pawn in White's view, and of a logit.
fn term_sums(explanation: &Explanation) -> (f64, f64) {
    let totals: Vec<_> = explanation.terms.iter().map(TermContribution::total).collect();
    let sum = |part: &dyn Fn(&Contribution) -> [f64; 2]| {
        totals.iter().map(|total| explanation.taper(part(total))).sum::<f64>()
    };
    (100.0 * sum(&|total| total.wilo), 100.0 * sum(&|total| total.draw))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn positions_with_one_key_have_one_evaluation(
        board in prop::sample::select(vec![
            "8/8/8/4k3/8/8/8/KR6",
            "8/8/8/4k3/8/8/8/KBN5",
            "8/8/8/4k3/8/8/8/KBB5",
            "8/8/8/4k3/3r4/8/8/KQ6",
            "8/8/3b4/4k3/8/8/8/KR6",
            "8/8/3n4/4k3/8/8/8/KQ6",
            "4k3/pp3ppp/8/8/8/8/PP3PPP/R3K3",
            "8/8/4k3/4p3/8/8/8/KQ6",
        ]),
        clocks in [0..100_u32, 0..100],
    ) {
        let [a, b] = clocks.map(|clock| Position::from_fen(&format!("{board} w - - {clock} 60"), false).unwrap());
        let weights = Weights::shipped();
        prop_assert!(a.tt_key() != b.tt_key() || evaluate(&a, &weights) == evaluate(&b, &weights));
        prop_assert!(clocks[0] == clocks[1] || clocks.into_iter().min() < Some(80) || a.tt_key() != b.tt_key());
    }

    #[test]
    fn evaluation_is_colour_symmetric(position in positions()) {
        let weights = Weights::shipped();
        prop_assert_eq!(evaluate(&position, &weights), evaluate(&flipped(&position), &weights), "{}", position.fen());
    }

    #[test]
    fn counts_stay_within_what_the_lanes_are_proven_for(position in positions()) {
        let mut record = FeatureRecord::default();
        features(&position, &mut record);
        for term in TERMS {
            for color in [None, Some(Color::White), Some(Color::Black)] {
                let is_of = |entry: &&FeatureCount| {
                    entry.color == color && term.features().contains(&entry.feature)
                };
                let count: f64 = record.counts.iter().filter(is_of).map(|entry| entry.count).sum();
                let pieces = |role| color.map_or(0, |color| position.pieces(color, role).count());
                let owners = match term.owner {
                    Owner::Counts => continue,
                    Owner::Shared | Owner::Side | Owner::Mover | Owner::Ending => 1,
                    Owner::Piece(role) => pieces(role),
                    Owner::Minor => pieces(Role::Knight) + pieces(Role::Bishop),
                };
                prop_assert!(count <= f64::from(term.max_count) * owners as f64, "{} {}", position.fen(), term.name);
            }
        }
    }

    #[test]
    fn the_three_readers_agree(position in positions()) {
        let weights = Weights::terms();
        let scores = evaluate(&position, &weights);
        let (w, d) = from_record(&position, &weights);
        prop_assert!((w - f64::from(scores.wilo)).abs() <= 1.0, "{} {w} {scores:?}", position.fen());
        // Fractions are dropped before the curve and after it.
        prop_assert!((d - f64::from(scores.draw)).abs() <= 2.0, "{} {d} {scores:?}", position.fen());
        let explanation = Explanation::of(&position, &weights);
        let (white, draw) = term_sums(&explanation);
        let white_wilo = position.turn().fold_wb(scores.wilo, -scores.wilo);
        prop_assert_eq!(explanation.evaluation, scores);
        prop_assert!((draw - f64::from(scores.draw)).abs() <= 2.0, "{draw} {scores:?}");
        prop_assert!((white - f64::from(white_wilo)).abs() <= 1.0, "{white} {scores:?}");
    }

    #[test]
    fn caches_change_nothing(walk in prop::collection::vec(positions(), 1..6)) {
        let weights = Weights::shipped();
        let mut evaluator = Evaluator::default();
        for position in walk.iter().chain(&walk) {
            prop_assert_eq!(evaluator.evaluate(position, &weights, Contempt::NONE, 0), evaluate(position, &weights));
            if !position.is_check() {
                let passed = position.play_null();
                prop_assert_eq!(evaluator.evaluate(&passed, &weights, Contempt::NONE, 1), evaluate(&passed, &weights));
            }
        }
    }

    #[test]
    fn contempt_is_wilo_and_can_be_taken_out_again(
        position in positions(), middlegame in -300..=300i32, endgame in -300..=300i32,
    ) {
        let weights = Weights::shipped();
        let white = Contempt { middlegame, endgame };
        let own = position.turn().fold_wb(white, -white);
        let (plain, with) = (evaluate(&position, &weights), Evaluator::default().evaluate(&position, &weights, white, 0));
        let phase = phase(&position);
        let added = f64::from(own.middlegame * phase + own.endgame * (24 - phase)) / 24.0;
        prop_assert!((f64::from(with.wilo - plain.wilo) - added).abs() < 2.0, "{plain:?} {with:?} {added}");
        // The more lopsided the less drawish, whoever is the better player.
        prop_assert!((with.draw <= plain.draw) == (with.wilo.abs() >= plain.wilo.abs()) || with.draw == plain.draw);
        if with.wilo.abs() < 700 && with.draw.abs() < 600 {
            let objective = own.remove_from(with.score().estimate().unwrap(), &position, &weights);
            let wdl = Wdl::from_scores(objective.wilo, objective.draw);
            // Both evaluations are whole numbers, and a score keeps D to one in 65,535.
            let around = [(-1, -4), (-1, 4), (1, -4), (1, 4)]
                .map(|(wilo, draw)| Score::heuristic(plain.wilo + wilo, plain.draw + draw).printed_score_cp());
            let (low, high) = (around.iter().min().unwrap() - 1, around.iter().max().unwrap() + 1);
            prop_assert!((low..=high).contains(&printed_score_cp(wdl.expected())), "{wdl:?} {plain:?} {around:?}");
            let (wdl, expected) = (wdl.per_mille(), plain.score().wdl().per_mille());
            prop_assert!(wdl.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 8), "{wdl:?} {expected:?}");
        }
    }

    #[test]
    fn draw_score_never_falls_with_more_evidence(phase in 0..=24i32, draw in -700..700i32) {
        let weights = Weights::terms();
        let curved = |draw: i32| {
            let mut sum = Sum::new(&weights);
            draw_curve(&mut sum, draw);
            draw + sum.blended(phase).div_euclid(BLENDED_UNIT) as i32
        };
        prop_assert!(curved(draw + 1) >= curved(draw));
    }

    #[test]
    fn draw_score_never_rises_with_the_size_of_wilo(phase in 0..=24i32, wilo in -7000..7000i32) {
        let weights = Weights::terms();
        let draw = |wilo: i32| {
            let mut sum = Sum::new(&weights);
            wilo_size(&mut sum, wilo);
            sum.blended(phase)
        };
        prop_assert_eq!(draw(wilo), draw(-wilo));
        prop_assert!(draw(wilo.abs() + 1) <= draw(wilo.abs()));
        let (here, above) = (Score::heuristic(wilo, (draw(wilo) / 192_000) as i32), Score::heuristic(wilo + 1, (draw(wilo + 1) / 192_000) as i32));
        prop_assert!(above >= here);
    }
}

#[test]
fn caches_tell_the_sides_to_move_apart() {
    let weights = Weights::shipped();
    // A rook tied to its pawn, and a pawn that outruns a king, each by the side to move.
    for board in ["R7/6k1/P7/8/8/2K5/8/5r2", "8/8/k3P3/8/8/p7/8/6K1"] {
        let mut evaluator = Evaluator::default();
        let [white, black] =
            ["w", "b"].map(|turn| Position::from_fen(&format!("{board} {turn} - - 0 1"), false).unwrap());
        let scores = [&white, &black].map(|position| evaluate(position, &weights));
        assert!((scores[0].wilo + scores[1].wilo).abs() > 50, "{board} {scores:?}");
        for (position, expected) in [&white, &black, &white].into_iter().zip([scores[0], scores[1], scores[0]]) {
            assert_eq!(evaluator.evaluate(position, &weights, Contempt::NONE, 0), expected, "{board}");
        }
    }
}

#[test]
fn every_term_can_arise() {
    let mut seen = vec![false; TERMS.len()];
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = positions();
    let mut look = |position: &Position| {
        let mut record = FeatureRecord::default();
        features_and_curves(position, &Weights::terms(), &mut record);
        for entry in record.counts {
            let term = TERMS.iter().position(|term| term.features().contains(&entry.feature));
            seen[term.unwrap()] = true;
        }
    };
    for _ in 0..3000 {
        look(&strategy.new_tree(&mut runner).unwrap().current());
    }
    for fen in [
        "8/5k2/8/8/3BK3/8/2N5/8 w - - 0 1",
        "k7/8/8/8/8/P7/1K1B4/8 w - - 0 1",
        "8/5k2/R7/8/5pp1/7r/5P2/5K2 w - - 0 1",
        "R7/5pk1/6p1/P6p/7P/r5P1/5PK1/8 w - - 0 1",
        "4k3/1b6/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/3B4/R3K3 w - - 0 1",
        "3k4/1p6/2r5/8/8/4K3/8/4Q3 w - - 0 1",
    ] {
        look(&Position::from_fen(fen, false).unwrap());
    }
    let missing: Vec<_> = TERMS.iter().zip(&seen).filter(|(_, seen)| !**seen).map(|(term, _)| term.name).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn too_many_pieces_do_not_overflow() {
    let weights = Weights::shipped();
    for fen in ["QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQ2/8/5K2/8/7k b - - 0 1", "RRRRRRRR/RRRRRR2/8/8/8/5k2/8/K7 b - - 0 1"]
    {
        let scores = evaluate(&Position::from_fen(fen, false).unwrap(), &weights);
        assert!(scores.wilo < -2000, "{fen} {scores:?}");
    }
}

#[test]
fn common_sense() {
    let weights = Weights::shipped();
    let scores = |fen: &str| evaluate(&Position::from_fen(fen, false).unwrap(), &weights);
    let start = scores("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((0..80).contains(&start.wilo), "{start:?}");
    let knight_up = scores("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((300..1200).contains(&knight_up.wilo), "{knight_up:?}");
    assert!(knight_up.draw < start.draw);
    let bishops = scores("4k3/2b5/1p3p2/p1p1p1p1/P1P1P1P1/1P3P2/3B4/4K3 w - - 0 1");
    let opposite = scores("4k3/3b4/1p3p2/p1p1p1p1/P1P1P1P1/1P3P2/3B4/4K3 w - - 0 1");
    assert!(opposite.draw > bishops.draw);
}
