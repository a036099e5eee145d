//! The two regressions: derivatives, optima, errors, knots, cross-validation.

use super::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn coefficients_times_weights_are_the_evaluation(
        start in 0..STARTS.len(), choices in prop::collection::vec(any::<u32>(), 0..90), seed in any::<u64>()
    ) {
        let weights = if seed % 2 == 0 { (*Weights::terms()).clone() } else { changed_weights(seed, "none") };
        let (positions, dictionary) = (walk(start, choices.into_iter()), Dictionary::default());
        let splits = [vec![block(&positions, &dictionary)], Vec::new(), Vec::new()];
        let (options, coefficients) = (options(&["x.pgn"]), dictionary.coefficients().clone());
        let mut tuner = Tuner { options: &options, coefficients, knots: Knots::default(), groups: 1, splits };
        let parameters = Vector::BOTH.map(|vector| variables::parameters(vector, &weights, 1));
        tuner.set_sizes(&parameters[0]);
        tuner.set_draws(&parameters[1]);
        let logits = Vector::BOTH.map(|vector| tuner.objective(vector, 0).logits(&parameters[vector as usize]));
        for (index, position) in positions.iter().enumerate() {
            let scores = evaluate(position, &weights);
            let white = position.turn().fold_wb(scores.wilo, -scores.wilo);
            let wilo = f64::from(logits[0][index]) / halfpoint::wdl::model::C * WILO_UNITS;
            let draw = f64::from(logits[1][index]) * DRAW_UNITS;
            // The evaluation drops fractions; single precision adds a little.
            prop_assert!((wilo - f64::from(white)).abs() < 1.02, "{wilo} {white} {}", position.fen());
            // Here a second time, before the curve.
            prop_assert!((draw - f64::from(scores.draw)).abs() < 2.9, "{draw} {scores:?} {}", position.fen());
            let last = WILO_KNOTS[WILO_KNOTS.len() - 1] - 1;
            prop_assert_eq!(i32::from(tuner.splits[0][0].rows[index].size), scores.wilo.abs().min(last), "{}", position.fen());
        }
    }
}

#[test]
fn gradient_and_hessian_are_derivatives() {
    let options = options(&["x.pgn"]);
    let mut tuner = tuner(&options, 300, &Weights::terms());
    tuner.groups = 2;
    for row in tuner.splits.iter_mut().flatten().flat_map(|block| &mut block.rows) {
        row.group = (row.game % 2) as u8;
        row.advantage = (row.game % 5) as i16 * 100 - 150;
        // Soft targets.
        let soft = |share: f32| 0.7 * share + 0.1;
        let Target { win, loss, draw } = row.target;
        row.target = Target { win: soft(win), loss: soft(loss), draw: soft(draw) };
    }
    for vector in Vector::BOTH {
        let objective = tuner.objective(vector, 0);
        let mut parameters = variables::parameters(vector, &Weights::terms(), 2);
        *parameters.last_mut().unwrap() = 0.3;
        parameters[WORTH_OF_RATINGS] = 40.0;
        let variables = Variables::of_vector(vector, |_| false, 2);
        let (loss, gradient) = objective.gradient(&parameters);
        assert!((loss - objective.loss(&parameters)).abs() < 1e-9 * loss);
        let information = objective.information(&parameters, &variables, Subset::Games(usize::MAX));
        let diagonal = objective.diagonal(&parameters);
        let level = WEIGHTS + 1;
        let other = 2 * MATERIAL.at(0) + 1;
        for parameter in [2 * MATERIAL.at(0), other, 2 * MATERIAL.at(3), 2 * WILO_SIZE.at(3), WORTH_OF_RATINGS, level] {
            let Some(variable) = variables.of(parameter) else { continue };
            let step = 1e-3;
            let at = |change: f64| {
                let mut moved = parameters.clone();
                moved[parameter] += change;
                objective.gradient(&moved)
            };
            let ((above, slopes_above), (below, slopes_below)) = (at(step), at(-step));
            let slope = (above - below) / (2.0 * step);
            assert!((slope - gradient[parameter]).abs() < 1e-5 * (1.0 + slope.abs()), "{vector:?} {parameter}");
            // The factor on wilo is not linear, its Hessian is that of Gauss and Newton.
            if parameter == level && vector == Vector::Wilo {
                continue;
            }
            let curvature = |of: usize| (slopes_above[of] - slopes_below[of]) / (2.0 * step);
            let close = |a: f64, b: f64| (a - b).abs() < 1e-5 * (1e-3 + b.abs());
            assert!(close(information.hessian[(variable, variable)], curvature(parameter)), "{vector:?} {parameter}");
            assert!(close(diagonal[parameter], curvature(parameter)), "{vector:?} {parameter}");
            let mixed = information.hessian[(variables.of(other).unwrap(), variable)];
            assert!(close(mixed, curvature(other)), "{vector:?} {parameter}: {mixed} {}", curvature(other));
        }
    }
}

#[test]
fn the_truth_is_found_from_any_start() {
    let truth = changed_weights(3, SQUARES);
    let options =
        options(&["x.pgn", "--prior-wilo", "20", "--prior-draw", "20", "--fix", SQUARES, "--random-starts", "2"]);
    let tuner = tuner(&options, 3000, &truth);
    for vector in Vector::BOTH {
        let first = tuner.tune(vector, &Weights::terms(), SHIPPED).unwrap().0;
        assert!(first.solution.converged, "{vector:?}");
        assert_eq!(first.others.len(), 2);
        for other in &first.others {
            assert!(other.converged && other.loss.abs() < 1e-6 && other.weight < 1e-2, "{vector:?}: {other:?}");
            // They did not start where the fit did.
            assert!(other.loss != 0.0, "{vector:?}");
        }
        // The true weights are as far away as the standard errors say.
        let truth = variables::parameters(vector, &truth, 1);
        let deviates: Vec<f64> = (0..WEIGHTS)
            .filter_map(|parameter| Some((parameter, first.uncertainty.of(parameter)?)))
            .map(|(parameter, error)| (first.solution.parameters[parameter] - truth[parameter]) / error)
            .collect();
        let mean_square = deviates.iter().map(|deviate| deviate * deviate).sum::<f64>() / deviates.len() as f64;
        assert!(mean_square < 1.2, "{vector:?}: {mean_square}");
        let material = 2 * MATERIAL.at(1);
        let error = first.uncertainty.of(material).unwrap();
        assert!((first.solution.parameters[material] - truth[material]).abs() < 4.0 * error, "{vector:?}");
        // Rounding weight by weight is better than each by itself.
        let mut plain = first.solution.parameters.clone();
        plain.iter_mut().for_each(|weight| *weight = weight.round());
        let prior = tuner.prior(vector, &Weights::terms(), first.deviation);
        let loss = |parameters: &[f64]| tuner.objective(vector, 0).loss(parameters) + prior.loss(parameters);
        let optimum = loss(&first.solution.parameters);
        let (lost, by_itself) = (loss(&first.rounded) - optimum, loss(&plain) - optimum);
        assert!(lost < by_itself, "{vector:?}: {lost} {by_itself}");
    }
}

#[test]
fn the_curve_of_the_draw_score_is_found() {
    let bent = |knot: usize| 30.0 * (knot as f64 - 6.0).abs().min(4.0);
    let mut weights = variables::parameters(Vector::Draw, &Weights::terms(), 1);
    for knot in 0..DRAW_CURVE.len {
        weights[2 * DRAW_CURVE.at(knot)..][..2].fill(bent(knot));
    }
    let truth = Weights::from_toml(&weights_file::with_weights(SHIPPED, Vector::Draw, &weights)).unwrap();
    let old = Weights::terms();
    for (fix, is_fixed) in [("none", false), ("draw_curve", true)] {
        let options = options(&["x.pgn", "--fix", fix, "--prior-draw", "300"]);
        let mut tuner = tuner(&options, 3000, &truth);
        let straight = variables::without_curve(weights.clone());
        let mut found = straight.clone();
        tuner.fit_curve(&mut found, &old, &mut |_| ()).unwrap();
        assert!(found.iter().zip(&straight).enumerate().all(|(parameter, (a, b))| {
            a == b || (DRAW_CURVE.offset..DRAW_CURVE.offset + DRAW_CURVE.len).contains(&(parameter / 2))
        }));
        if is_fixed {
            assert_eq!(found, variables::parameters(Vector::Draw, &old, 1));
            continue;
        }
        // Most positions are endgames with few draws.
        for knot in 3..=6 {
            let endgame = found[2 * DRAW_CURVE.at(knot) + 1];
            assert!((endgame - bent(knot)).abs() < 40.0, "{knot}: {endgame}");
        }
        let loss = |parameters: &[f64]| tuner.loss(Vector::Draw, 0, parameters);
        assert!(loss(&found) < loss(&straight), "{} {}", loss(&found), loss(&straight));
    }
}

#[test]
fn held_out_games_are_unknown_to_the_weights_that_predict_them() {
    // Results by chance: weights can learn those that they see by heart, but foresee none.
    let mut chosen =
        options(&["games.vf", "--prior", "zero", "--prior-wilo", "300", "--prior-draw", "300", "--fix", SQUARES]);
    chosen.tolerance = 1e-2;
    let mut tuner = tuner(&chosen, 100, &Weights::terms());
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for row in tuner.splits.iter_mut().flatten().flat_map(|block| &mut block.rows) {
        row.outcome = [Outcome::Loss, Outcome::Draw, Outcome::Win][random.random_range(0..3)];
        row.target = row.outcome.into();
    }
    let old = Weights::terms();
    let fits = Vector::BOTH.map(|vector| tuner.tune(vector, &old, SHIPPED).unwrap().0);
    let parameters = fits.each_ref().map(|fit| fit.rounded.clone());
    let seen = predictions::measures(&tuner.splits[0], &tuner.predictions(0, &parameters));
    let positions: usize = tuner.splits.iter().flatten().map(|block| block.rows.len()).sum();
    let folds = tuner.cross_validate(2, &old, &fits).unwrap();
    let chance = 3f64.ln();
    assert!(seen.log_loss < 0.8 * chance, "{seen:?}");
    assert!(folds.measures.log_loss > chance, "{:?}", folds.measures);
    assert_eq!(folds.measures.positions, positions);
    for bins in &folds.measures.bins {
        assert_eq!(bins.iter().map(|bin| bin.positions).sum::<usize>(), positions);
    }
}

#[test]
fn knots_that_would_rise_are_joined() {
    let options = options(&["x.pgn", "--prior-draw", "300"]);
    let mut tuner = tuner(&options, 1500, &Weights::terms());
    // Large advantages are drawn, small ones are not.
    for row in tuner.splits.iter_mut().flatten().flat_map(|block| &mut block.rows) {
        let draw = if row.size > 250 && row.size < 900 { 1.0 } else { 0.3 };
        row.target = Target { win: 0.0, loss: 1.0 - draw, draw };
    }
    let objective = tuner.objective(Vector::Draw, 0);
    let start = variables::parameters(Vector::Draw, &Weights::terms(), 1);
    let prior = Prior::new(Vector::Draw, start.clone(), 300.0, None);
    let variables = Variables::of_vector(Vector::Draw, |_| false, 1);
    let solution = solve::solve(objective, &prior, &variables, &start, tuner.limits(), &mut |_| {}).unwrap();
    assert!(solution.converged && solution.variables.len() < variables.len());
    // The conditions of an optimum under constraints: the upper part of a run of equal knots may only want to sink, and
    // the lower part to rise, which the constraint forbids.
    let parameters = &solution.parameters;
    let (_, mut gradient) = objective.gradient(parameters);
    prior.add_gradient(parameters, &mut gradient);
    for phase in [0, 1] {
        let mut slope = 0.0;
        for knot in 0..WILO_SIZE.len {
            let at = 2 * WILO_SIZE.at(knot) + phase;
            slope += gradient[at];
            let is_last = knot + 1 == WILO_SIZE.len || parameters[at + 2] != parameters[at];
            assert!(knot + 1 == WILO_SIZE.len || parameters[at + 2] <= parameters[at]);
            assert!(if is_last { slope.abs() < 1e-4 } else { slope > -1e-4 }, "{phase} {knot}: {slope}");
            if is_last {
                slope = 0.0;
            }
        }
    }
}

#[test]
fn levels_and_the_worth_of_ratings_are_recovered() {
    let truth = Weights::terms();
    let (factor, offset, worth) = (0.7_f64, 80.0, 60.0);
    let fixed = all_but(&[MATERIAL, PST_KING, SPACE, TEMPO, WILO_SIZE, DRAW_CURVE]);
    let options = options(&["x.pgn", "--prior-wilo", "10", "--prior-draw", "10", "--fix", &fixed]);
    let mut tuner = tuner(&options, 6000, &truth);
    tuner.groups = 2;
    let mut random = ChaCha8Rng::seed_from_u64(9);
    for row in tuner.splits.iter_mut().flatten().flat_map(|block| &mut block.rows) {
        row.group = (row.game % 2) as u8;
        row.advantage = random.random_range(-400..=400);
    }
    let mut parameters = Vector::BOTH.map(|vector| variables::parameters(vector, &truth, 2));
    parameters[0][WEIGHTS + 1] = MAX_FACTOR.ln() * (factor.ln() / MAX_FACTOR.ln()).atanh();
    parameters[0][WORTH_OF_RATINGS] = worth;
    parameters[1][WEIGHTS + 1] = offset;
    // Results as two bands of players at two speeds would have them.
    tuner.set_sizes(&parameters[0]);
    tuner.set_draws(&parameters[1]);
    for split in 0..3 {
        let [wilo, draw] =
            Vector::BOTH.map(|vector| tuner.objective(vector, split).logits(&parameters[vector as usize]));
        let rows = tuner.splits[split].iter_mut().flat_map(|block| &mut block.rows);
        for (row, (w, d)) in rows.zip(wilo.into_iter().zip(draw)) {
            row.outcome = match (random.random_bool(sigmoid(d.into())), random.random_bool(sigmoid(w.into()))) {
                (true, _) => Outcome::Draw,
                (false, true) => Outcome::Win,
                (false, false) => Outcome::Loss,
            };
            row.target = row.outcome.into();
        }
    }
    let (wilo, _) = tuner.tune(Vector::Wilo, &truth, SHIPPED).unwrap();
    let (draw, _) = tuner.tune(Vector::Draw, &truth, SHIPPED).unwrap();
    for (fit, parameter, truth) in [
        (&wilo, WEIGHTS + 1, parameters[0][WEIGHTS + 1]),
        (&wilo, WORTH_OF_RATINGS, worth),
        (&draw, WEIGHTS + 1, offset),
    ] {
        let (found, error) = (fit.solution.parameters[parameter], fit.uncertainty.of(parameter).unwrap());
        assert!(
            (found - truth).abs() < 2.0 * error && error < 0.3 * truth.abs(),
            "{parameter}: {found} ± {error}, {truth}"
        );
    }
    assert!((Level::of(wilo.rounded[WEIGHTS + 1]).factor - factor).abs() < 0.1);
}

#[test]
fn the_factor_of_few_games_does_not_run_away() {
    for parameter in [-1e3, -7.0, 0.0, 7.0, 1e3] {
        let level = Level::of(parameter);
        assert!((1.0 / MAX_FACTOR..=MAX_FACTOR).contains(&level.factor), "{parameter}");
        assert_eq!(level.is_at_bound(), parameter != 0.0);
    }
    // Two groups of few games, whose results follow from their positions: every factor would be too small.
    let options = options(&["x.pgn"]);
    let mut tuner = tuner(&options, 100, &Weights::terms());
    tuner.groups = 2;
    for row in tuner.splits.iter_mut().flatten().flat_map(|block| &mut block.rows) {
        row.group = u8::from(row.game % 5 < 2);
    }
    let (fit, _) = tuner.tune(Vector::Wilo, &Weights::terms(), SHIPPED).unwrap();
    let losses = fit.losses_rounded;
    assert!(losses[2] < 2.0 * losses[0] + 0.5, "{losses:?}");
}
