//! The network in floating point: gradient, symmetry, levels, and the engine's network that is made of it.

use super::super::adamw::AdamW;
use super::super::train::gradient;
use super::*;
use crate::stats::{Case, Regression, log_losses};
use std::sync::Arc;

const UNITS: usize = 16;
type Small = Model<UNITS>;

/// A network that adds to one score alone: 0 for wilo, 1 for draw.
fn of_one_score(score: usize) -> Small {
    let mut model = random_model::<UNITS>(4);
    for bucket in 0..8 {
        let other = Small::output(bucket)[1 - score];
        model.parameters[other..other + UNITS].fill(0.0);
    }
    model
}

fn losses(model: &Small, loss: &Loss, rows: &[Row]) -> [f64; 2] {
    let mut unused = vec![0.0; Small::COUNT];
    let add = |sum: [f64; 2], row: &Row| {
        let losses = model.add_gradient(row, loss, &mut unused);
        [sum[0] + f64::from(losses[0]), sum[1] + f64::from(losses[1])]
    };
    rows.iter().fold([0.0; 2], add)
}

#[test]
fn gradients_are_those_of_differences() {
    const STEP: f32 = 0.01;
    let mut loss = Loss::new([0.3, 0.4]);
    loss.level = Level { wilo_factor: 0.6, draw_factor: 1.0, draw_constant: -0.7 };
    loss.search_level = Level { wilo_factor: 0.5, draw_factor: 0.8, draw_constant: -0.7 };
    let outcomes = Outcome::ALL.into_iter().cycle();
    let rows: Vec<Row> = positions(8).iter().zip(outcomes).map(|(position, outcome)| row(position, outcome)).collect();
    // The loss of draws has no slope by wilo, although its value depends on it. So each score is tested by itself.
    for score in [0, 1] {
        let model = of_one_score(score);
        let mut gradient = vec![0.0; Small::COUNT];
        for row in &rows {
            model.add_gradient(row, &loss, &mut gradient);
        }
        let (mut compared, mut kinks) = (0, 0);
        for (index, &slope) in gradient.iter().enumerate().filter(|(_, slope)| slope.abs() > 1e-4) {
            let is_output_of_other = |bucket| (0..UNITS).any(|unit| Small::output(bucket)[1 - score] + unit == index);
            let is_other = (0..8).any(is_output_of_other) || score == 0 && index >= Small::CONSTANTS;
            if is_other {
                continue;
            }
            let at = |step: f32| {
                let mut moved = model.clone();
                moved.parameters[index] += step;
                losses(&moved, &loss, &rows)[score]
            };
            let (below, here, above) = (at(-STEP), at(0.0), at(STEP));
            let difference = (above - below) / f64::from(2.0 * STEP);
            // Where a unit is clamped, or a curve bends, both sides differ.
            let bend = (above + below - 2.0 * here).abs() / f64::from(STEP);
            if bend > 0.03 {
                kinks += 1;
                continue;
            }
            compared += 1;
            let distance = (difference - f64::from(slope)).abs();
            assert!(distance < 0.002 + 0.02 * slope.abs() as f64 + bend, "{index}: {slope} is {difference}");
        }
        assert!(compared > 400 && kinks < compared / 5, "{compared} compared, {kinks} left out");
    }
}

#[test]
fn a_thousand_positions_are_learnt_by_heart() {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    let mut known: Vec<Pieces> = Vec::new();
    let rows = positions(1200).into_iter().filter_map(|position| {
        let row = row(&position, Outcome::ALL[random.random_range(0..3)]);
        let is_new = !known.contains(&row.pieces);
        known.push(row.pieces);
        is_new.then(|| row.to_bytes())
    });
    let rows: Vec<_> = rows.take(1000).collect();
    let (loss, mut model) = (Loss::new([1.0; 2]), Model::<64>::random(1));
    let mut adamw = AdamW::new(Model::<64>::COUNT);
    let mut last = f64::INFINITY;
    for _ in 0..400 {
        let (losses, gradient) = gradient(&model, &loss, &rows);
        adamw.step(&mut model.parameters, &gradient, 0.01, 0.0);
        last = (losses[0] + losses[1]) / rows.len() as f64;
    }
    assert!(last < 0.1, "{last}");
}

/// How many more pieces of each role White has on each of his ranks than Black on his.
fn pieces_by_rank(position: &Position) -> [f64; 40] {
    let mut features = [0.0; 40];
    let pieces = position.board().occupied() & !position.board().kings();
    for (square, piece) in pieces.into_iter().filter_map(|square| Some((square, position.board().piece_at(square)?))) {
        let rank = piece.color.relative_rank(square.rank());
        features[8 * (piece.role as usize - 1) + rank as usize] += piece.color.fold_wb(1.0, -1.0);
    }
    features
}

#[test]
fn the_optimum_of_piece_square_values_is_reached() {
    let mut random = ChaCha8Rng::seed_from_u64(12);
    let values: [f64; 40] = std::array::from_fn(|_| random.random_range(-0.7..0.7));
    let loss = Loss::new([1.0; 2]);
    let (mut rows, mut cases) = (Vec::new(), Vec::new());
    for position in positions(4000) {
        let features = pieces_by_rank(&position);
        let mut row = row(&position, Outcome::Win);
        let offset = loss.forecast_of_terms(&row).0;
        let logit = offset + features.iter().zip(values).map(|(count, value)| count * value).sum::<f64>();
        let is_won = random.random::<f64>() < log_losses(logit).0;
        row.outcome = if is_won { Outcome::Win } else { Outcome::Loss };
        rows.push(row.to_bytes());
        cases.push(Case { offset, features, yes: f64::from(is_won), no: f64::from(!is_won) });
    }
    // The convex optimum, by Newton's method. The wide prior is for ranks where no pawn ever stands.
    let optimum = Regression::fit(cases.iter(), 40, Some(10.0)).coefficients;
    let [before, best] = [&vec![0.0; 40], &optimum].map(|coefficients| -> f64 {
        let of_case = |case: &Case<40>| {
            let features = case.features.iter().zip(coefficients);
            let (_, won, lost) =
                log_losses(case.offset + features.map(|(x, coefficient)| x * coefficient).sum::<f64>());
            case.yes * won + case.no * lost
        };
        cases.iter().map(of_case).sum()
    });
    let mut model = Small::random(1);
    let mut adamw = AdamW::new(Small::COUNT);
    let mut reached = f64::INFINITY;
    for _ in 0..300 {
        let (losses, gradient) = gradient(&model, &loss, &rows);
        adamw.step(&mut model.parameters, &gradient, 0.01, 0.0);
        model.limit();
        reached = losses[0];
    }
    assert!(best < 0.9 * before && reached < best, "{before} {best} {reached}");
}

#[test]
fn colours_are_symmetric() {
    let model = random_model::<UNITS>(2);
    for position in positions(200) {
        let [sums, of_flipped] =
            [position, flipped(&position)].map(|position| model.sums(&Pieces::of(&position).unwrap().inputs()));
        assert!((sums.0 + of_flipped.0).abs() < 1e-4 && (sums.1 - of_flipped.1).abs() < 1e-4, "{}", position.fen());
    }
}

#[test]
fn the_engine_evaluates_as_the_model_does() {
    for seed in 0..3 {
        let model = random_model::<64>(seed);
        let network = export::export(&model).unwrap();
        assert!(network.parts().wilo_shift > 0 && network.parts().draw_shift > 0);
        let weights = Weights::terms().with_network(Some(Arc::new(network)));
        let loss = Loss::new([1.0; 2]);
        let mut squares = [0.0; 2];
        for position in positions(200) {
            let evaluation = evaluate(&position, &weights);
            let (wilo, draw) = loss.forecast_with(&row(&position, Outcome::Draw), &model);
            let wilo = 100.0 * wilo / halfpoint::wdl::model::C
                - f64::from(position.turn().fold_wb(evaluation.wilo, -evaluation.wilo));
            // The engine takes at most eight logits from a network.
            let draw = 100.0 * draw - f64::from(evaluation.draw);
            assert!(wilo.abs() < 12.0 && draw.abs() < 12.0, "{wilo} {draw} in {}", position.fen());
            squares = [squares[0] + wilo * wilo, squares[1] + draw * draw];
        }
        assert!(squares.iter().all(|squares| (squares / 200.0).sqrt() < 4.0), "{squares:?}");
    }
}

#[test]
fn a_file_is_read_as_it_was_written() {
    let network = export::export(&random_model::<UNITS>(3)).unwrap();
    let read = export::import::<UNITS>(&network).unwrap();
    let without_constants = |network: &halfpoint::eval::network::Network| {
        let mut parts = network.parts().clone();
        let constants = parts.outputs.each_mut().map(|output| std::mem::take(&mut output.draw_constant));
        (parts, constants.map(f64::from))
    };
    let [(parts, constants), (again, same)] = [&network, &export::export(&read).unwrap()].map(without_constants);
    assert!(again == parts && constants.iter().zip(same).all(|(one, other)| (one - other).abs() <= 1e-6 * one.abs()));
    assert!(export::import::<64>(&network).is_err());
}

#[test]
fn a_network_that_does_not_fit_is_refused() {
    let with = |at: usize, weight: f32| {
        let mut model = random_model::<UNITS>(1);
        model.parameters[at] = weight;
        export::export(&model).map(|network| [network.parts().wilo_shift, network.parts().draw_shift])
    };
    let [wilo, draw] = Small::output(3);
    let usual = with(wilo, 0.0).unwrap();
    assert!(with(wilo, 20.0).unwrap()[0] < usual[0] && with(draw, 20.0).unwrap()[1] < usual[1]);
    assert!(with(wilo, 1000.0).is_err() && with(0, 200.0).is_err() && with(0, f32::NAN).is_err());
}

#[test]
fn the_level_of_games_is_found() {
    let (truth, mut random) =
        (Level { wilo_factor: 0.6, draw_factor: 0.8, draw_constant: -0.7 }, ChaCha8Rng::seed_from_u64(6));
    let chance = |logit: f64| 1.0 / (1.0 + (-logit).exp());
    let cases: Vec<_> = (0..40_000)
        .map(|_| {
            let (wilo, draw) = (random.random_range(-4.0..4.0), random.random_range(-3.0..3.0));
            let (of_wilo, of_draw) = truth.of(wilo, draw);
            let (is_draw, is_win) =
                (random.random::<f64>() < chance(of_draw), random.random::<f64>() < chance(of_wilo));
            let outcome = if is_draw {
                Outcome::Draw
            } else if is_win {
                Outcome::Win
            } else {
                Outcome::Loss
            };
            (outcome, wilo, draw)
        })
        .collect();
    let found = Level::fit(&cases, true);
    assert!((found.wilo_factor - 0.6).abs() < 0.03, "{found}");
    assert!((found.draw_factor - 0.8).abs() < 0.03 && (found.draw_constant + 0.7).abs() < 0.04, "{found}");
    assert!((Level::fit(&cases, false).draw_factor - 1.0).abs() < 1e-12);
}
