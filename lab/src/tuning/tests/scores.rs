//! Quiescence, targets, scores and calibration.

use super::*;

#[test]
fn quiescence_goes_to_the_end_of_the_captures() {
    let weights = Weights::terms();
    let mut quiescence = quiet::Quiescence::new(&weights);
    let leaf = |fen: &str, quiescence: &mut quiet::Quiescence| {
        quiescence.leaf(&Position::from_fen(fen, false).unwrap()).map(|leaf| leaf.fen())
    };
    // A queen hangs; nothing hangs; the bait is poisoned.
    let taken = leaf("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", &mut quiescence);
    assert_eq!(taken.as_deref(), Some("4k3/8/8/3P4/8/8/8/4K3 b - - 0 1"));
    assert_eq!(leaf("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &mut quiescence), None);
    assert_eq!(leaf("4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1", &mut quiescence), None);
}

proptest! {
    #[test]
    fn targets_blend_result_and_search(
        start in 0..5usize, choices in prop::collection::vec(any::<u32>(), 0..60), centipawns in -900..900i16, lambda in 0.0..1.0f64,
        other in 0.0..=1.0f64
    ) {
        let (weights, knots) = (Weights::terms(), Knots::default());
        let reader = target::Reader::new(&weights, &knots);
        let mut tally = Tally::default();
        for position in walk(start, choices.into_iter()) {
            let phase = halfpoint::eval::tuning::features(&position, &mut tally) as u8;
            let eval = crate::dataset::Eval::from_centipawns(centipawns);
            let search = reader.search_eval(eval, &position, phase);
            let Target { win, loss, draw } = target::blended(Outcome::Win, search, 1.0, [lambda, other]);
            // Of three shares with the same λ, and of the difference of wins and losses, the expected result is known, as
            // exactly as wilo tells it in whole centipawns and up to its limit.
            let expected = lambda + (1.0 - lambda) * eval.expected();
            let is_limit = f64::from(search.log_odds.abs()) > 0.99 * C * f64::from(WILO_LIMIT) / WILO_UNITS;
            let reported = (f64::from(win - loss) / 2.0 + 0.5 - expected).abs() < 1e-3;
            prop_assert!(is_limit || reported, "{win} {loss} {expected}");
            // What wilo leaves to draws is the search's draw probability, of which the draw vector has a share of its own.
            let of_wilo = f64::from(1.0 - win - loss);
            prop_assert!((of_wilo * (1.0 - other) - f64::from(draw) * (1.0 - lambda)).abs() < 1e-5, "{win} {loss} {draw}");
            let same = target::blended(Outcome::Win, search, 1.3, [lambda; 2]);
            prop_assert!((same.win + same.draw + same.loss - 1.0).abs() < 1e-6);
            // The draw probability is the evaluation's own where the search agrees with it.
            let scores = evaluate(&position, &weights);
            let own = scores.score();
            if own.printed_score_cp().abs() < 900 {
                let white = position.turn().fold_wb(own.printed_score_cp(), -own.printed_score_cp());
                let eval = crate::dataset::Eval::from_centipawns(white as i16);
                let SearchEval { draw, .. } = reader.search_eval(eval, &position, phase);
                prop_assert!((f64::from(draw) - own.draw_probability()).abs() < 0.02, "{draw} {own:?}");
            }
        }
    }
}

#[test]
fn searches_are_brought_to_the_scale_of_the_results() {
    let (mut splits, _) = synthetic(8000, 11, &Weights::terms());
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let scales = [0.6, 1.5];
    for row in splits.iter_mut().flatten().flat_map(|block| &mut block.rows) {
        row.group = (row.game % 2) as u8;
        let log_odds: f64 = random.random_range(-4.0..4.0);
        row.outcome = match random.random::<f64>() {
            dice if dice < 0.2 => Outcome::Draw,
            dice if dice < 0.2 + 0.8 * sigmoid(log_odds) => Outcome::Win,
            _ => Outcome::Loss,
        };
        let seen = scales[usize::from(row.group)] * log_odds;
        row.search = (row.game % 7 != 0).then_some(SearchEval { log_odds: seen as f32, draw: 0.2 });
        row.target = row.outcome.into();
    }
    let factors = target::blend(&mut splits, 2, [0.25, 1.0]);
    for (factor, scale) in factors.iter().zip(scales) {
        assert!((factor * scale - 1.0).abs() < 0.1, "{factor} {scale}");
    }
    for row in splits.iter().flatten().flat_map(|block| &block.rows) {
        let result = Target::from(row.outcome);
        match row.search {
            None => assert_eq!(row.target, result),
            Some(SearchEval { log_odds, .. }) => {
                let share = sigmoid(factors[usize::from(row.group)] * f64::from(log_odds));
                let win = 0.25 * f64::from(result.win) + 0.75 * 0.8 * share;
                assert!((f64::from(row.target.win) - win).abs() < 1e-6 && row.target.draw == result.draw);
            }
        }
    }
    // A known winner says nothing of the scale, and without evaluations of searches there is none.
    for row in splits.iter_mut().flatten().flat_map(|block| &mut block.rows) {
        row.search = (row.group == 0).then_some(SearchEval { log_odds: f32::INFINITY, draw: 0.0 });
    }
    assert_eq!(target::blend(&mut splits, 2, [0.25, 1.0]), [1.0, 1.0]);
    assert!(splits.iter().flatten().flat_map(|block| &block.rows).all(|row| row.target.win.is_finite()));
}

#[test]
fn predictions_are_scored() {
    let outcomes = [Outcome::Win, Outcome::Draw, Outcome::Loss, Outcome::Win];
    let positions = vec![Position::default(); outcomes.len()];
    let mut block = block(&positions, &Dictionary::default());
    block.rows.iter_mut().zip(outcomes).for_each(|(row, outcome)| row.outcome = outcome);
    let blocks = [block];
    let predictions = [[0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7], [0.25, 0.5, 0.25]];
    let measures = predictions::measures(&blocks, &predictions);
    let log_loss = -(0.5f64.ln() + 0.6f64.ln() + 0.7f64.ln() + 0.25f64.ln()) / 4.0;
    assert!((measures.log_loss - log_loss).abs() < 1e-12);
    assert_eq!(predictions::base_rates(&blocks), [0.5, 0.25, 0.25]);
    let bins = &measures.bins[1];
    assert_eq!(bins.len(), 4);
    assert!(bins.iter().all(|bin| bin.positions == 1 && (bin.observed == 0.0 || bin.observed == 1.0)));
    let behind = predictions::log_loss_difference(&blocks, &predictions, &predictions);
    assert_eq!((behind.mean(), behind.standard_error()), (0.0, 0.0));
    // Logits come back as the probabilities they are made from.
    let logit = |p: f64| halfpoint::wdl::model::logit(p) as f32;
    let [win, draw, loss] = predictions::predictions(&[logit(0.75)], &[logit(0.2)])[0];
    assert!((win - 0.6).abs() < 1e-6 && (draw - 0.2).abs() < 1e-6 && (loss - 0.2).abs() < 1e-6);
}

#[test]
fn calibration_finds_the_line_over_the_log_odds() {
    // Half of the positions have D = 0.5 and are drawn in one of four games, half D = 0.8 and in three of four.
    let outcomes = [
        Outcome::Draw,
        Outcome::Win,
        Outcome::Loss,
        Outcome::Win,
        Outcome::Draw,
        Outcome::Draw,
        Outcome::Draw,
        Outcome::Win,
    ];
    let outcomes: Vec<Outcome> = outcomes.into_iter().cycle().take(400).collect();
    let positions = vec![Position::default(); outcomes.len()];
    let mut block = block(&positions, &Dictionary::default());
    block.rows.iter_mut().zip(&outcomes).for_each(|(row, &outcome)| row.outcome = outcome);
    let draws = (0..outcomes.len()).map(|index| if index % 8 < 4 { 0.5 } else { 0.8 });
    let predictions: Vec<Prediction> = draws.map(|draw| [(1.0 - draw) / 2.0, draw, (1.0 - draw) / 2.0]).collect();
    let mut blocks = [block];
    let fit = predictions::calibration(&blocks, &predictions, Vector::Draw).unwrap();
    let logit = halfpoint::wdl::model::logit;
    // Through (logit 0.5, logit 0.25) and (logit 0.8, logit 0.75).
    assert!((fit.offset - logit(0.25)).abs() < 1e-8, "{fit:?}");
    assert!((fit.slope - (logit(0.75) - logit(0.25)) / logit(0.8)).abs() < 1e-8, "{fit:?}");
    // Each of 400 positions is a game: the errors are those of two shares of 200, 1 / sqrt(200 · 3/16) logits each.
    let error = (400.0 / 399.0 / (200.0f64 * 3.0 / 16.0)).sqrt();
    assert!((fit.errors[1] - error).abs() < 1e-6, "{fit:?}");
    assert!((fit.errors[0] - 2f64.sqrt() * error / logit(0.8)).abs() < 1e-6, "{fit:?}");
    // What is saturated has no part.
    blocks[0].rows.iter_mut().step_by(8).for_each(|row| row.is_saturated = true);
    let fit = predictions::calibration(&blocks, &predictions, Vector::Draw).unwrap();
    assert!(fit.offset < -10.0, "{fit:?}");
}
