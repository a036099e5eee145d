use super::*;
use crate::eval::tests::{flipped, positions};
use crate::eval::{Contempt, Evaluator, Explanation, TermContribution, Weights, evaluate};
use proptest::prelude::*;

/// A network with pseudorandom weights of the size of trained ones.
pub fn random_parts(units: usize) -> NetworkParts {
    let mut state = 0x1234_5678_9abc_def0_u64;
    let mut next = move |most: i64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as i64 % (2 * most + 1) - most) as i16
    };
    let mut take = |count: usize, most: i64| (0..count).map(|_| next(most)).collect::<Vec<i16>>();
    let weights = take(INPUTS * units, 60).into_iter().map(|weight| weight as i8).collect();
    let biases = take(units, 90);
    let outputs = std::array::from_fn(|_| OutputBucket {
        wilo: take(units, 250),
        draw: take(units, 150),
        draw_constant: i32::from(take(1, 3000)[0]) * 100,
    });
    NetworkParts { wilo_shift: 1, draw_shift: 2, weights, biases, outputs }
}

fn with_network(units: usize) -> Weights {
    Weights::shipped().with_network(Some(Arc::new(Network::new(random_parts(units)).unwrap())))
}

/// The sums as docs/network.md gives them, by floating point.
fn by_definition(network: &Network, position: &Position) -> (f64, f64) {
    let units = network.units_of(position);
    let sum = |of: &dyn Fn((f64, f64)) -> f64| units.iter().map(|unit| of(unit.total())).sum::<f64>();
    let parts = network.parts();
    let constant = f64::from(parts.outputs[bucket(position.board().occupied().count())].draw_constant);
    let one = f64::from(i32::from(ACTIVATION_ONE).pow(2)) * f64::from(1 << parts.draw_shift);
    (100.0 * sum(&|(wilo, _)| wilo), (100.0 * sum(&|(_, draw)| draw) + constant / one).clamp(-800.0, 800.0))
}

proptest! {
    #[test]
    fn sums_are_those_of_the_definition_and_colours_are_symmetric(position in positions()) {
        for units in UNITS {
            let network = Network::new(random_parts(units)).unwrap();
            let sums = network.sums(&position);
            let (wilo, draw) = by_definition(&network, &position);
            prop_assert!((f64::from(sums.wilo) - wilo).abs() < 0.51 && (f64::from(sums.draw) - draw).abs() < 0.51);
            let of_flipped = network.sums(&flipped(&position));
            prop_assert_eq!(NetworkSums { wilo: -of_flipped.wilo, ..of_flipped }, sums);
        }
    }

    /// A walk through a tree: forwards, back and to other lines, so that sums come from parents, siblings and strangers.
    #[test]
    fn sums_kept_from_position_to_position_are_those_from_scratch(start in positions(), walk in prop::collection::vec(any::<u16>(), 1..80)) {
        let weights = with_network(64);
        let (mut evaluator, mut line) = (Evaluator::default(), vec![start]);
        for step in walk {
            let moves = line[line.len() - 1].legal_moves();
            if (step % 4 == 0 || moves.is_empty()) && line.len() > 1 {
                line.pop();
            } else if !moves.is_empty() {
                let next = line[line.len() - 1].play(moves[usize::from(step / 4) % moves.len()]);
                line.push(next);
            }
            // Some positions are not evaluated, as those in check.
            if step % 3 != 0 {
                let position = &line[line.len() - 1];
                prop_assert_eq!(evaluator.evaluate(position, &weights, Contempt::NONE, line.len() - 1), evaluate(position, &weights));
            }
        }
    }

    #[test]
    fn explained_terms_and_network_make_the_evaluation(position in positions()) {
        let explanation = Explanation::of(&position, &with_network(32));
        let totals: Vec<_> = explanation.terms.iter().map(TermContribution::total).collect();
        let (wilo, draw) = explanation.scores();
        prop_assert!((totals.iter().map(|total| explanation.taper(total.wilo)).sum::<f64>() - wilo).abs() < 0.021);
        prop_assert!((totals.iter().map(|total| explanation.taper(total.draw)).sum::<f64>() - draw).abs() < 0.021);
        prop_assert_eq!(explanation.terms.iter().any(|term| term.name == "network"), applies(&position));
        prop_assert_eq!(explanation.units.len(), if applies(&position) { 5 } else { 0 });
        let effects = explanation.units.iter().map(|unit| explanation.shift(unit.total()).map(f64::abs).iter().sum());
        prop_assert!(effects.collect::<Vec<f64>>().is_sorted_by(|one, other| one >= other));
    }
}

#[test]
fn a_file_holds_the_whole_network() {
    assert!(Network::from_bytes(SHIPPED).unwrap() == *Network::shipped());
    for units in UNITS {
        let parts = random_parts(units);
        assert!(Network::from_bytes(&parts.to_bytes()).unwrap().parts() == &parts);
    }
}

#[test]
fn a_network_that_is_none_is_refused() {
    let good = random_parts(16).to_bytes();
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good.clone();
        change(&mut bytes);
        Network::from_bytes(&bytes).unwrap_err()
    };
    assert_eq!(Network::from_bytes(b"HP"), Err(NetworkError::NoNetwork));
    assert_eq!(refused(&|bytes| bytes[0] = b'X'), NetworkError::NoNetwork);
    assert_eq!(refused(&|bytes| bytes[5] = 9), NetworkError::Version { version: 9 });
    assert_eq!(refused(&|bytes| bytes[1000] ^= 1), NetworkError::Checksum);
    assert!(matches!(refused(&|bytes| bytes[6] = 32), NetworkError::Length { units: 32, .. }));
    assert!(matches!(refused(&|bytes| bytes.truncate(5000)), NetworkError::Length { bytes: 5000, .. }));
    let changed = |change: &dyn Fn(&mut NetworkParts)| {
        let mut parts = random_parts(16);
        change(&mut parts);
        Network::new(parts).unwrap_err()
    };
    assert_eq!(changed(&|parts| parts.draw_shift = 13), NetworkError::Shift { shift: 13 });
    assert_eq!(changed(&|parts| parts.biases.truncate(15)), NetworkError::Shape { units: 15 });
}

#[test]
fn sums_that_could_overflow_are_refused() {
    let with = |weight: i8, bias: i16, outputs: i16, constant: i32| {
        let bucket = OutputBucket { wilo: vec![outputs; 16], draw: vec![outputs; 16], draw_constant: constant };
        Network::new(NetworkParts {
            wilo_shift: 0,
            draw_shift: 0,
            weights: vec![weight; INPUTS * 16],
            biases: vec![bias; 16],
            outputs: std::array::from_fn(|_| bucket.clone()),
        })
    };
    // 32 pieces of 127 and a bias of 28703 are 32767.
    assert!(with(127, 28_703, 0, 0).is_ok() && with(-128, -28_671, 0, 0).is_ok());
    assert_eq!(with(127, 28_704, 0, 0), Err(NetworkError::UnitOverflow { unit: 0, bound: 32_768 }));
    assert_eq!(with(-128, -28_672, 0, 0), Err(NetworkError::UnitOverflow { unit: 0, bound: 32_768 }));
    // Both views of 16 units with 2048 each are too much for the draw output, one view with twice that for wilo.
    assert!(with(0, 0, 2048, 0).is_ok());
    assert!(matches!(with(0, 0, 2049, 0), Err(NetworkError::OutputOverflow { output: "draw", bucket: 0, .. })));
    assert!(matches!(with(0, 0, 2047, i32::MIN), Err(NetworkError::OutputOverflow { output: "draw", .. })));
    assert!(matches!(with(0, 0, 4097, 0), Err(NetworkError::OutputOverflow { output: "wilo", .. })));
}

#[test]
fn the_network_keeps_out_of_endings_by_rule() {
    let applies = |fen| applies(&Position::from_fen(fen, true).unwrap());
    assert!(applies("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    assert!(applies("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"));
    assert!(!applies("8/5k2/8/8/3BK3/8/2N5/8 w - - 0 1") && !applies("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"));
    assert!(!applies("7k/QQQQQQQQ/QQQQQQQQ/8/8/8/8/K7 b - - 0 1"));
}
