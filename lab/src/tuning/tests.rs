use super::block::{Block, Outcome, Row, SearchEval, Target};
use super::coefficients::{Coefficient, Dictionary, Tally};
use super::held::Held;
use super::information::Subset;
use super::measure::Prediction;
use super::prior::Prior;
use super::source::TrainingGame;
use super::variables::Variables;
use super::vector::WEIGHTS;
use super::*;
use clap::Parser;
use halfpoint::eval::evaluate;
use halfpoint::eval::tuning::terms::{
    BARE_KING_CORNER, BARE_KING_DISTANCE, BARE_KING_EDGE, DRAW_CURVE, MATERIAL, MATING_FORCE, PST_KING, SPACE, TEMPO,
    TERMS, Term, WILO_KNOTS, WILO_SIZE,
};
use halfpoint::position::Position;
use halfpoint::wdl::model::{C, DRAW_UNITS, WILO_LIMIT, WILO_UNITS, Wdl, sigmoid};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::Color;
use std::fs;

/// `halfpoint tune` by itself.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
}

fn options(arguments: &[&str]) -> Options {
    Arguments::parse_from(std::iter::once("tune").chain(arguments.iter().copied())).options
}

const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/pp3p1p/2n5/8/2B5/8/PP3PPP/4K3 w - - 0 1",
    "4k3/3bn3/8/8/8/8/8/3NNK2 w - - 0 1",
    "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQ2/8/5K2/8/7k b - - 0 1",
];

/// Positions on a random walk from a start.
fn walk(start: usize, choices: impl Iterator<Item = u32>) -> Vec<Position> {
    let mut positions = vec![Position::from_fen(STARTS[start % STARTS.len()], false).unwrap()];
    for choice in choices {
        let position = positions.last().unwrap();
        let moves = position.legal_moves();
        if moves.is_empty() || position.halfmoves() > 90 {
            break;
        }
        positions.push(position.play(moves[choice as usize % moves.len()]));
    }
    positions
}

/// One row for each position, with nothing but features.
fn block(positions: &[Position], dictionary: &Dictionary) -> Block {
    let mut block = Block::default();
    let (mut tally, mut codes) = (Tally::default(), Default::default());
    for (number, position) in positions.iter().enumerate() {
        let phase = dictionary.encode(position, &mut tally, &mut codes);
        let row = Row {
            codes: 0,
            runs: [0; 2],
            phase,
            group: 0,
            outcome: Outcome::Draw,
            move_number: 1,
            size: 0,
            draw: 0,
            game: number as u32,
            search: None,
            target: Outcome::Draw.into(),
            is_held: false,
        };
        block.push(row, &codes);
    }
    block
}

/// Weights with small random changes that the engine takes.
fn changed_weights(seed: u64) -> Weights {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut text = SHIPPED.to_owned();
    for vector in [Vector::Wilo, Vector::Draw] {
        let variables = Variables::of_vector(vector, |_| false, 0);
        let mut weights = variables::parameters(vector, &Weights::shipped(), 0);
        let is_of = |term: Term, parameter: usize| (term.offset..term.offset + term.len).contains(&(parameter / 2));
        for (parameter, weight) in weights.iter_mut().enumerate() {
            if variables.of(parameter).is_some() && !is_of(WILO_SIZE, parameter) {
                *weight += f64::from(random.random_range(-3..=3));
            } else if vector == Vector::Draw && is_of(DRAW_CURVE, parameter) {
                *weight += f64::from(random.random_range(-20..=20));
            }
        }
        text = output::with_weights(&text, vector, &weights);
    }
    Weights::from_toml(&text).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn coefficients_times_weights_are_the_evaluation(
        start in 0..STARTS.len(), choices in prop::collection::vec(any::<u32>(), 0..90), seed in any::<u64>()
    ) {
        let weights = if seed % 2 == 0 { (*Weights::shipped()).clone() } else { changed_weights(seed) };
        let (positions, dictionary) = (walk(start, choices.into_iter()), Dictionary::default());
        let splits = [vec![block(&positions, &dictionary)], Vec::new(), Vec::new()];
        let (options, coefficients) = (options(&["x.pgn"]), dictionary.coefficients().clone());
        let mut tuner = Tuner { options: &options, coefficients, knots: Knots::default(), levels: 0, splits };
        let parameters = [Vector::Wilo, Vector::Draw].map(|vector| variables::parameters(vector, &weights, 0));
        tuner.set_sizes(&parameters[0]);
        tuner.set_draws(&parameters[1]);
        let logits = [Vector::Wilo, Vector::Draw].map(|vector| tuner.objective(vector, 0).logits(&parameters[vector as usize]));
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

/// Positions with results as `truth` has them: games of a few positions each, split into three.
fn synthetic(games: u32, seed: u64, truth: &Weights) -> ([Vec<Block>; 3], Vec<Coefficient>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (dictionary, mut splits) = (Dictionary::default(), <[Vec<Block>; 3]>::default());
    for game in 0..games {
        let length = random.random_range(4..60);
        let choices: Vec<u32> = (0..length).map(|_| random.random()).collect();
        let positions = walk(random.random_range(0..5), choices.into_iter());
        let chosen = &positions[positions.len().saturating_sub(4)..];
        let mut block = block(chosen, &dictionary);
        for (row, position) in block.rows.iter_mut().zip(chosen) {
            row.game = game;
            let scores = evaluate(position, truth);
            let wdl = Wdl::from_scores(f64::from(scores.wilo) / WILO_UNITS, f64::from(scores.draw) / DRAW_UNITS);
            let (first, second) = match position.turn() {
                Color::White => (wdl.win, wdl.draw),
                Color::Black => (wdl.loss, wdl.draw),
            };
            // Each position has a result of its own: these games are no games, so that errors are those of the Hessian.
            let dice: f64 = random.random();
            row.outcome = match dice {
                _ if dice < first => Outcome::Win,
                _ if dice < first + second => Outcome::Draw,
                _ => Outcome::Loss,
            };
            row.target = row.outcome.into();
        }
        let blocks = &mut splits[[0, 0, 0, 1, 2][game as usize % 5]];
        match blocks.last_mut().filter(|block| block.rows.len() < 500) {
            Some(last) => last.append(&block),
            None => blocks.push(block),
        }
    }
    let coefficients = dictionary.coefficients().clone();
    (splits, coefficients)
}

fn tuner<'a>(options: &'a Options, games: u32, truth: &Weights) -> Tuner<'a> {
    let (splits, coefficients) = synthetic(games, 7, truth);
    let mut tuner = Tuner { options, coefficients, knots: Knots::default(), levels: 0, splits };
    tuner.set_sizes(&variables::parameters(Vector::Wilo, truth, 0));
    tuner
}

#[test]
fn gradient_and_hessian_are_derivatives() {
    let options = options(&["x.pgn"]);
    let mut tuner = tuner(&options, 300, &Weights::shipped());
    tuner.levels = 1;
    for row in tuner.splits.iter_mut().flatten().flat_map(|block| &mut block.rows) {
        row.group = (row.game % 2) as u8;
        // Soft targets.
        let soft = |share: f32| 0.7 * share + 0.1;
        let Target { win, loss, draw } = row.target;
        row.target = Target { win: soft(win), loss: soft(loss), draw: soft(draw) };
    }
    for vector in [Vector::Wilo, Vector::Draw] {
        let objective = tuner.objective(vector, 0);
        let mut parameters = variables::parameters(vector, &Weights::shipped(), 1);
        *parameters.last_mut().unwrap() = 0.3;
        let variables = Variables::of_vector(vector, |_| false, 1);
        let (loss, gradient) = objective.gradient(&parameters);
        assert!((loss - objective.loss(&parameters)).abs() < 1e-9 * loss);
        let information = objective.information(&parameters, &variables, Subset::Games(usize::MAX));
        let diagonal = objective.diagonal(&parameters);
        let level = WEIGHTS;
        let other = 2 * MATERIAL.at(0) + 1;
        for parameter in [2 * MATERIAL.at(0), other, 2 * MATERIAL.at(3), 2 * WILO_SIZE.at(3), level] {
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
    let truth = changed_weights(3);
    let options =
        options(&["x.pgn", "--prior-wilo", "20", "--prior-draw", "20", "--hold", "none", "--random-starts", "2"]);
    let tuner = tuner(&options, 3000, &truth);
    for vector in [Vector::Wilo, Vector::Draw] {
        let first = tuner.tune(vector, &Weights::shipped(), SHIPPED).unwrap().0;
        assert!(first.solution.converged, "{vector:?}");
        assert_eq!(first.others.len(), 2);
        for other in &first.others {
            assert!(other.converged && other.loss.abs() < 1e-6 && other.weight < 1e-2, "{vector:?}: {other:?}");
            // They did not start where the fit did.
            assert!(other.loss != 0.0, "{vector:?}");
        }
        // The true weights are as far away as the standard errors say.
        let truth = variables::parameters(vector, &truth, 0);
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
        let prior = tuner.prior(vector, &Weights::shipped(), first.deviation);
        let loss = |parameters: &[f64]| tuner.objective(vector, 0).loss(parameters) + prior.loss(parameters);
        let optimum = loss(&first.solution.parameters);
        let (lost, by_itself) = (loss(&first.rounded) - optimum, loss(&plain) - optimum);
        assert!(lost < by_itself, "{vector:?}: {lost} {by_itself}");
    }
}

#[test]
fn the_curve_of_the_draw_score_is_found() {
    let bent = |knot: usize| 30.0 * (knot as f64 - 6.0).abs().min(4.0);
    let mut weights = variables::parameters(Vector::Draw, &Weights::shipped(), 0);
    for knot in 0..DRAW_CURVE.len {
        weights[2 * DRAW_CURVE.at(knot)..][..2].fill(bent(knot));
    }
    let truth = Weights::from_toml(&output::with_weights(SHIPPED, Vector::Draw, &weights)).unwrap();
    let old = Weights::shipped();
    for (hold, is_held) in [("none", false), ("draw_curve", true)] {
        let options = options(&["x.pgn", "--hold", hold, "--prior-draw", "300"]);
        let mut tuner = tuner(&options, 3000, &truth);
        let straight = variables::without_curve(weights.clone());
        let mut found = straight.clone();
        tuner.fit_curve(&mut found, &old, &mut |_| ()).unwrap();
        assert!(found.iter().zip(&straight).enumerate().all(|(parameter, (a, b))| {
            a == b || (DRAW_CURVE.offset..DRAW_CURVE.offset + DRAW_CURVE.len).contains(&(parameter / 2))
        }));
        if is_held {
            assert_eq!(found, variables::parameters(Vector::Draw, &old, 0));
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
    let mut chosen = options(&["games.vf", "--prior", "zero", "--prior-wilo", "300", "--prior-draw", "300"]);
    chosen.tolerance = 1e-2;
    let mut tuner = tuner(&chosen, 100, &Weights::shipped());
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for row in tuner.splits.iter_mut().flatten().flat_map(|block| &mut block.rows) {
        row.outcome = [Outcome::Loss, Outcome::Draw, Outcome::Win][random.random_range(0..3)];
        row.target = row.outcome.into();
    }
    let old = Weights::shipped();
    let fits = [Vector::Wilo, Vector::Draw].map(|vector| tuner.tune(vector, &old, SHIPPED).unwrap().0);
    let parameters = fits.each_ref().map(|fit| fit.rounded.clone());
    let seen = measure::measures(&tuner.splits[0], &tuner.predictions(0, &parameters));
    let positions: usize = tuner.splits.iter().flatten().map(|block| block.rows.len()).sum();
    let folds = tuner.cross_validate(3, &old, &fits).unwrap();
    let chance = 3f64.ln();
    assert!(seen.log_loss < 0.8 * chance, "{seen:?}");
    assert!(folds.measures.log_loss > chance, "{:?}", folds.measures);
    assert_eq!(folds.measures.positions, positions);
    for bins in &folds.measures.bins {
        assert_eq!(bins.iter().map(|bin| bin.positions).sum::<usize>(), positions);
    }
}

#[test]
fn knots_that_would_rise_are_held_together() {
    let options = options(&["x.pgn", "--prior-draw", "300"]);
    let mut tuner = tuner(&options, 1500, &Weights::shipped());
    // Large advantages are drawn, small ones are not.
    for row in tuner.splits.iter_mut().flatten().flat_map(|block| &mut block.rows) {
        let draw = if row.size > 250 && row.size < 900 { 1.0 } else { 0.3 };
        row.target = Target { win: 0.0, loss: 1.0 - draw, draw };
    }
    let objective = tuner.objective(Vector::Draw, 0);
    let start = variables::parameters(Vector::Draw, &Weights::shipped(), 0);
    let prior = Prior::new(Vector::Draw, start.clone(), 300.0, None);
    let variables = Variables::of_vector(Vector::Draw, |_| false, 0);
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
fn weights_are_written_as_they_were() {
    let weights = [Vector::Wilo, Vector::Draw].map(|vector| variables::parameters(vector, &Weights::shipped(), 0));
    let text = output::with_weights(SHIPPED, Vector::Wilo, &weights[0]);
    assert_eq!(output::with_weights(&text, Vector::Draw, &weights[1]), SHIPPED);
    let text = "# Top\n[tempo] # why\nwilo_mg = 7 # this\nwilo_eg = [ 30 ]\n\n[material]\nwilo_mg = [\n     1,  -20,\n   300,    4, 5\n]\n";
    let mut values = weights[0].clone();
    for (index, value) in [-11.0, 2.0, 33.0, -4.6, 5.0].into_iter().enumerate() {
        values[2 * MATERIAL.at(index)] = value;
    }
    let tempo = 2 * halfpoint::eval::tuning::terms::TEMPO.at(0);
    (values[tempo], values[tempo + 1]) = (-8.0, 9.4);
    let written = output::with_weights(text, Vector::Wilo, &values);
    let expected = "# Top\n[tempo] # why\nwilo_mg = -8 # this\nwilo_eg = [ 9 ]\n\n[material]\nwilo_mg = [\n   -11,    2,\n    33,   -5, 5\n]\n";
    assert!(written.starts_with(expected), "{written}");
}

/// Games of a file in a directory of its own, and what is said of it.
fn games_of(name: &str, text: &str) -> (Vec<TrainingGame>, String) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    fs::write(&path, text).unwrap();
    let mut report = crate::files::ReadReport::default();
    let mut games = Vec::new();
    let result = source::read(&path, &mut report, |game| {
        games.push(game);
        true
    });
    result.unwrap();
    (games, report.explanation().replace(&format!("{}/", directory.path().display()), ""))
}

fn parse(text: &str) -> Result<(String, Outcome, Option<i16>), String> {
    let (games, problem) = games_of("data.epd", text);
    let Some(TrainingGame::Listed(lines)) = games.first() else { return Err(problem) };
    Ok((lines[0].position.fen(), lines[0].outcome, lines[0].eval.map(|eval| eval.centipawns())))
}

#[test]
fn lines_are_read_with_results_and_evaluations() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 20";
    let short = "4k3/8/8/8/8/8/4P3/4K3 b - -";
    for (result, outcome) in [("1-0", Outcome::Win), ("0.5", Outcome::Draw), ("0-1", Outcome::Loss)] {
        assert_eq!(parse(&format!("# note\n{fen};{result}")), Ok((fen.to_owned(), outcome, None)));
        assert_eq!(parse(&format!("{fen} c9 \"{result}\";")), Ok((fen.to_owned(), outcome, None)));
    }
    let epd = format!("{short} hmvc 3; ce -45; fmvn 20; id \"x; y\"; c9 \"1-0\";");
    assert_eq!(parse(&epd), Ok((fen.to_owned(), Outcome::Win, Some(45))));
    // A large score is no mate, unless it is as large as that of one.
    for (written, read) in [("20000", -15_000), ("-31990", 31_990), ("32767", -32_000)] {
        let epd = epd.replace("-45", written);
        assert_eq!(parse(&epd), Ok((fen.to_owned(), Outcome::Win, Some(read))));
    }
    for (text, reason) in [(fen.to_owned(), "no result"), (format!("{fen};2-0"), "'2-0' is no result")] {
        let error = parse(&text).unwrap_err();
        assert!(error.starts_with(&format!("; data.epd: line 1: {reason}")), "{error}");
    }
}

#[test]
fn games_of_pgn_are_read_with_their_scores() {
    let text = "[Result \"1-0\"]\n\n1. e4 {+0.35/12 0.05s} e5 {-0.20/11 0.1s} 2. Qh5 {book} (2. Nf3) Nc6 {+M5/20 1s} 1-0\n\n\
                [FEN \"k7/8/1K6/8/8/8/8/7R w - - 0 1\"]\n\n1. Rh8# {+M1/1 0s} 1-0\n\n1. d4 *\n\n1. c4 1/2-1/2\n\n[Result \"0-1\"]\n\n1. d4 d5\n";
    let (games, problem) = games_of("games.txt", text);
    let TrainingGame::Played { plies, outcome, .. } = &games[0] else { panic!() };
    let evals: Vec<Option<i16>> = plies.iter().map(|(_, eval)| eval.map(|eval| eval.centipawns())).collect();
    assert_eq!((*outcome, evals), (Outcome::Win, vec![Some(35), Some(20), None, Some(-31_995)]));
    let TrainingGame::Played { start, plies, .. } = &games[1] else { panic!() };
    assert_eq!(start.fen(), "k7/8/1K6/8/8/8/8/7R w - - 0 1");
    assert_eq!(plies[0].1.map(|eval| eval.centipawns()), Some(31_999));
    // The game without a result is left out; one has it in its tags alone.
    assert_eq!((games.len(), problem.as_str()), (4, "; 1 without a result"));
    let TrainingGame::Played { plies, outcome, .. } = &games[3] else { panic!() };
    assert_eq!((*outcome, plies.len()), (Outcome::Loss, 2));
    // One broken game does not end the others.
    let (games, problem) = games_of("games.pgn", "1. e4 e5 2. Ke3 1-0\n\n[FEN \"x\"]\n\n*\n\n1. c4 1-0\n");
    assert_eq!(games.len(), 1);
    assert!(problem.starts_with("; games.pgn: game 1, line 1: move 2. Ke3 is illegal"), "{problem}");
    assert!(problem.ends_with(" and 1 more"), "{problem}");
}

#[test]
fn lines_of_a_game_stay_together() {
    let line =
        |turn: &str, number: u32, result: &str| format!("4k3/8/8/8/8/8/4P3/4K3 {turn} - - 0 {number};{result}\n");
    let text = [
        line("w", 1, "1-0"),
        line("b", 1, "1-0"),
        line("w", 4, "1-0"),
        // Another result, then a lower number.
        line("w", 5, "0-1"),
        "\n# comment\n".to_owned(),
        line("b", 5, "0-1"),
        line("w", 5, "0-1"),
        line("w", 5, "0-1;A;B"),
        line("b", 4, "0-1;A;B"),
    ];
    let (games, _) = games_of("x.epd", &text.concat());
    let lengths: Vec<usize> =
        games.iter().map(|game| if let TrainingGame::Listed(lines) = game { lines.len() } else { 0 }).collect();
    assert_eq!(lengths, [3, 2, 1, 2]);
}

#[test]
fn quiescence_goes_to_the_end_of_the_captures() {
    let weights = Weights::shipped();
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
        let (weights, knots) = (Weights::shipped(), Knots::default());
        let reader = target::Reader::new(&weights, &knots);
        let mut tally = Tally::default();
        for position in walk(start, choices.into_iter()) {
            let phase = halfpoint::eval::tuning::features(&position, &mut tally) as u8;
            let eval = crate::files::dataset::Eval::from_centipawns(centipawns);
            let search = reader.search_eval(eval, &position, phase);
            let Target { win, loss, draw } = target::blended(Outcome::Win, search, 1.0, [lambda, other]);
            // Of three shares with the same λ, and of the difference of wins and losses, the expected result is known, as
            // exactly as wilo tells it in whole centipawns and up to its limit.
            let expected = lambda + (1.0 - lambda) * eval.expected();
            let is_limit = f64::from(search.log_odds.abs()) > 0.99 * C * f64::from(WILO_LIMIT) / WILO_UNITS;
            let told = (f64::from(win - loss) / 2.0 + 0.5 - expected).abs() < 1e-3;
            prop_assert!(is_limit || told, "{win} {loss} {expected}");
            // What wilo leaves to draws is the search's draw probability, of which the draw vector has a share of its own.
            let of_wilo = f64::from(1.0 - win - loss);
            prop_assert!((of_wilo * (1.0 - other) - f64::from(draw) * (1.0 - lambda)).abs() < 1e-5, "{win} {loss} {draw}");
            let same = target::blended(Outcome::Win, search, 1.3, [lambda; 2]);
            prop_assert!((same.win + same.draw + same.loss - 1.0).abs() < 1e-6);
            // The draw probability is the evaluation's own where the search agrees with it.
            let scores = evaluate(&position, &weights);
            let own = scores.score();
            if own.centipawns().abs() < 900 {
                let white = position.turn().fold_wb(own.centipawns(), -own.centipawns());
                let eval = crate::files::dataset::Eval::from_centipawns(white as i16);
                let SearchEval { draw, .. } = reader.search_eval(eval, &position, phase);
                prop_assert!((f64::from(draw) - own.draw_probability()).abs() < 0.02, "{draw} {own:?}");
            }
        }
    }
}

#[test]
fn searches_are_brought_to_the_scale_of_the_results() {
    let (mut splits, _) = synthetic(8000, 11, &Weights::shipped());
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
    let measures = measure::measures(&blocks, &predictions);
    let log_loss = -(0.5f64.ln() + 0.6f64.ln() + 0.7f64.ln() + 0.25f64.ln()) / 4.0;
    assert!((measures.log_loss - log_loss).abs() < 1e-12);
    assert_eq!(measure::base_rates(&blocks), [0.5, 0.25, 0.25]);
    let bins = &measures.bins[1];
    assert_eq!(bins.len(), 4);
    assert!(bins.iter().all(|bin| bin.positions == 1 && (bin.observed == 0.0 || bin.observed == 1.0)));
    let behind = measure::log_loss_difference(&blocks, &predictions, &predictions);
    assert_eq!((behind.mean(), behind.error()), (0.0, 0.0));
    // Logits come back as the probabilities they are made from.
    let logit = |p: f64| halfpoint::wdl::model::logit(p) as f32;
    let [win, draw, loss] = measure::predictions(&[logit(0.75)], &[logit(0.2)])[0];
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
    let fit = measure::calibration(&blocks, &predictions, Vector::Draw);
    let logit = halfpoint::wdl::model::logit;
    // Through (logit 0.5, logit 0.25) and (logit 0.8, logit 0.75).
    assert!((fit.offset - logit(0.25)).abs() < 1e-8, "{fit:?}");
    assert!((fit.slope - (logit(0.75) - logit(0.25)) / logit(0.8)).abs() < 1e-8, "{fit:?}");
    // Each of 400 positions is a game: the errors are those of two shares of 200, 1 / sqrt(200 · 3/16) logits each.
    let error = (400.0 / 399.0 / (200.0f64 * 3.0 / 16.0)).sqrt();
    assert!((fit.errors[1] - error).abs() < 1e-6, "{fit:?}");
    assert!((fit.errors[0] - 2f64.sqrt() * error / logit(0.8)).abs() < 1e-6, "{fit:?}");
    // What is held has no part.
    blocks[0].rows.iter_mut().step_by(8).for_each(|row| row.is_held = true);
    let fit = measure::calibration(&blocks, &predictions, Vector::Draw);
    assert!(fit.offset < -10.0, "{fit:?}");
}

/// Self-play without a search: random legal moves, then the result as the evaluation has it.
fn random_games(games: u32) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut text = String::new();
    for _ in 0..games {
        let choices: Vec<u32> = (0..random.random_range(10..70)).map(|_| random.random()).collect();
        let positions = walk(random.random_range(0..5), choices.into_iter());
        let last = positions.last().unwrap();
        let scores = evaluate(last, &Weights::shipped());
        let result = match position_sign(last) * scores.wilo {
            150.. => "1-0",
            ..=-150 => "0-1",
            _ => "1/2-1/2",
        };
        for position in positions {
            text += &format!("{};{result}\n", position.fen());
        }
    }
    text
}

fn position_sign(position: &Position) -> i32 {
    position.turn().fold_wb(1, -1)
}

#[test]
fn a_tuning_from_file_to_report() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).display().to_string();
    let text = random_games(120);
    let half = text.len() / 2 + text[text.len() / 2..].find('\n').unwrap() + 1;
    fs::write(path("slow.epd"), &text[..half]).unwrap();
    fs::write(path("fast.epd"), &text[half..]).unwrap();
    let (slow, fast) = (format!("slow={}", path("slow.epd")), format!("fast={}", path("fast.epd")));
    let (out, report) = (path("new.toml"), path("report"));
    let common = [&slow, &fast, "--out", &out, "--report", &report, "--prior-wilo", "5", "--smooth-wilo", "5"];
    let mut chosen = options(&common);
    chosen.noisy = options::Noisy::Resolve;
    chosen.folds = Some(3);
    run(&chosen).unwrap();

    let weights = Weights::from_toml(&fs::read_to_string(&out).unwrap()).unwrap();
    assert_ne!(weights, *Weights::shipped());
    let record = fs::read_to_string(path("new.record.md")).unwrap();
    assert!(record.starts_with("# Record of the weights\n"), "{record}");
    for part in [
        "slow: slow.epd, fast: fast.epd",
        "| converged after",
        "| level of fast |",
        "| material only |",
        "| new weights |",
        "| cross-validation by 3 parts: ",
    ] {
        assert!(record.contains(part), "{part} in {record}");
    }
    // A second record takes the place of the first.
    run(&chosen).unwrap();
    let again = fs::read_to_string(path("new.record.md")).unwrap();
    assert_eq!(again.lines().count(), record.lines().count());
    let page = fs::read_to_string(path("report/index.html")).unwrap();
    assert!(page.matches("<svg").count() >= 16 && page.ends_with("</body></html>\n") && !page.contains("NaN"));
    let csv = fs::read_to_string(path("report/weights.csv")).unwrap();
    let free = [Vector::Wilo, Vector::Draw]
        .map(|vector| Variables::of_vector(vector, |feature| chosen.holds(vector, feature), 0).len());
    assert_eq!(csv.lines().count(), 1 + free[0] + free[1]);
}

/// Weights of a term in one vector, middlegame and endgame in turn.
fn of_term(weights: &Weights, term: Term, vector: Vector) -> Vec<[i32; 2]> {
    weights.term(&term).iter().map(|&word| vector.lanes(word)).collect()
}

#[test]
fn held_weights_stay() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).display().to_string();
    // Queens against a bare king, which the games say are drawn, among others.
    let text = random_games(60);
    let lines: String = (1..40).map(|n| format!("8/8/8/3k4/8/8/1Q6/4K3 w - - 0 {n};1/2-1/2\n")).collect();
    fs::write(path("games.epd"), text + &lines).unwrap();
    let tune = |arguments: &[&str]| {
        let common =
            ["--out", &path("new.toml"), "--noisy", "keep", "--prior-wilo", "9", "--validation", "0", "--test", "0"];
        let chosen = options(&[&[path("games.epd").as_str()], &common[..], arguments].concat());
        run(&chosen).unwrap();
        Weights::from_toml(&fs::read_to_string(path("new.toml")).unwrap()).unwrap()
    };
    let old = Weights::shipped();
    let same = |new: &Weights, term, vector| of_term(new, term, vector) == of_term(&old, term, vector);
    let weights = tune(&[]);
    for term in [MATING_FORCE, BARE_KING_EDGE, BARE_KING_DISTANCE, BARE_KING_CORNER] {
        assert!(same(&weights, term, Vector::Draw), "{term:?}");
    }
    assert!(of_term(&weights, MATING_FORCE, Vector::Draw)[0][1] < -1200);
    assert!(!same(&weights, PST_KING, Vector::Wilo) && !same(&weights, PST_KING, Vector::Draw));
    // A prior around zero pulls the others alone.
    let weights = tune(&["--prior", "zero", "--hold", "mating_force,pst_king:wilo"]);
    assert!(same(&weights, MATING_FORCE, Vector::Draw) && same(&weights, PST_KING, Vector::Wilo));
    assert!(!same(&weights, PST_KING, Vector::Draw));
    let weights = tune(&["--hold", "none"]);
    assert!(!same(&weights, MATING_FORCE, Vector::Draw));
    let weights = tune(&["--vectors", "draw"]);
    assert!(TERMS.iter().all(|&term| same(&weights, term, Vector::Wilo)) && !same(&weights, PST_KING, Vector::Draw));
    let weights = tune(&["--vectors", "wilo"]);
    assert!(TERMS.iter().all(|&term| same(&weights, term, Vector::Draw)) && !same(&weights, PST_KING, Vector::Wilo));
}

#[test]
fn lists_of_held_terms_are_read() {
    assert_eq!(options(&["x.vf"]).hold.to_string(), held::DEFAULT.replace(',', ", "));
    let held: Held = "tempo, space:wilo".parse().unwrap();
    assert_eq!(held.to_string(), "tempo, space:wilo");
    assert!(held.holds(Vector::Draw, TEMPO.at(0)) && held.holds(Vector::Wilo, SPACE.at(7)));
    assert!(!held.holds(Vector::Draw, SPACE.at(0)) && !held.holds(Vector::Wilo, PST_KING.at(0)));
    let error = |text: &str| text.parse::<Held>().unwrap_err().to_string();
    assert_eq!(error("tempo,knight_moves"), "unknown term 'knight_moves'");
    assert_eq!(error("tempo:mg"), "'mg' is neither wilo nor draw");
    assert_eq!(error(""), "unknown term ''");
}

#[test]
fn mistakes_are_told() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).display().to_string();
    let out = path("new.toml");
    fs::write(path("empty.epd"), "").unwrap();
    fs::write(path("empty.vf"), "").unwrap();
    fs::write(path("corrupt.vf"), [0xff; 4000]).unwrap();
    fs::write(path("corrupt.vf.gz"), [0xff; 4000]).unwrap();
    fs::write(path("empty.pgn"), "").unwrap();
    fs::write(path("corrupt.pgn.zst"), "1. e4 e5 1-0").unwrap();
    fs::write(path("games.doc"), "x").unwrap();
    fs::write(path("bad.epd"), "nonsense\n").unwrap();
    fs::write(path("one.epd"), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 9;1-0\n").unwrap();
    fs::write(path("unknown.toml"), format!("{SHIPPED}\n[knight_moves]\nwilo_mg = 1\n")).unwrap();
    let message = |arguments: &[&str]| {
        let error = run(&options(&[arguments, &["--out", &out]].concat())).unwrap_err().to_string();
        error.replace(&format!("{}/", directory.path().display()), "")
    };
    assert_eq!(message(&[&path("empty.epd")]), "empty.epd: no game with a result in it");
    assert_eq!(message(&[&path("empty.vf")]), "empty.vf: not one whole game in it");
    assert!(message(&[&path("corrupt.vf")]).starts_with("corrupt.vf: corrupt at byte "));
    assert!(message(&[&path("corrupt.vf.gz")]).starts_with("corrupt.vf.gz: "));
    assert_eq!(message(&[&path("empty.pgn")]), "empty.pgn: no game with a result in it");
    assert!(message(&[&path("corrupt.pgn.zst")]).starts_with("cannot read 'corrupt.pgn.zst': "));
    assert!(message(&[&path("games.doc")]).starts_with("'games.doc' holds neither games nor positions"));
    assert!(message(&[&path("missing.epd")]).starts_with("cannot read 'missing.epd': "));
    assert_eq!(
        message(&[&path("bad.epd")]),
        "bad.epd: no game with a result in it; bad.epd: line 1: malformed FEN 'nonsense': invalid board part in fen"
    );
    assert!(message(&[&path("one.epd")]).starts_with("no positions for "));
    assert_eq!(
        message(&[&path("one.epd"), "--start", &path("unknown.toml")]),
        "unknown.toml: unknown term 'knight_moves'"
    );
    // A wrong file after a right one.
    fs::write(path("right.epd"), random_games(30)).unwrap();
    assert!(message(&[&path("right.epd"), &path("corrupt.vf")]).starts_with("corrupt.vf: corrupt at byte "));
    assert!(
        message(&[&path("right.epd"), "--validation", "0.7", "--test", "0.6"]).starts_with("--validation 0.7 and ")
    );
    assert!(message(&[&path("right.epd"), "--folds", "90"]).starts_with("--folds 90: too few games, "));
    assert!(!Path::new(&out).exists());
    assert!(Arguments::try_parse_from(["tune", "x.vf", "--folds", "1"]).is_err());
    assert!(Arguments::try_parse_from(["tune", "x.vf", "--hold", "knight_moves"]).is_err());
    assert!(Arguments::try_parse_from(["tune", "x.vf", "--lambda-draw", "-0.1"]).is_err());
    assert!(Arguments::try_parse_from(["tune", "x.vf", "--lambda", "1.5"]).is_err());
    assert!(Arguments::try_parse_from(["tune", "x.vf", "--prior-wilo", "0"]).is_err());
}
