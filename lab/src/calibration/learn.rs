//! Fitting level profiles.
//!
//! Beyond a factor on `w` and an offset on `d` a profile takes only numbers that lower the loss on games held out, one
//! after the other.

use super::observations::{Observations, name};
use super::scoring::{games, log_loss, log_losses, mean};
use crate::stats::cross_validate;
use halfpoint::printing::profile::{COUNT, ProfileNumbers};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rayon::prelude::*;

/// Folds for cross-validation.
pub const FOLDS: usize = 5;
/// Names of the numbers that each profile has.
const ALWAYS: [&str; 2] = ["wilo_factor", "draw_offset"];
/// Gain that a further number must have at least, nats: mates that are always won gain from more certainty, but nothing that
/// would be printed.
const LEAST_GAIN: f64 = 5e-5;
/// Sets of games drawn with repetition for the intervals.
const RESAMPLES: usize = 200;

/// A step on the way to a profile.
#[derive(Clone, Debug)]
pub struct Step {
    pub added: String,
    /// Log loss on games held out, nats.
    pub loss: f64,
    /// How much that is less than at the step before.
    pub gain: f64,
    /// Standard error of the gain, over games.
    pub gain_error: f64,
    pub accepted: bool,
}

/// A profile with how it came about.
#[derive(Clone, Debug)]
pub struct Learned {
    pub profile: ProfileNumbers,
    /// Where it started; numbers that were not fitted are as there.
    pub start: ProfileNumbers,
    pub free: Vec<usize>,
    /// The steps, from what the engine prints on.
    pub steps: Vec<Step>,
}

/// Fits a profile from each start, choosing its numbers among those allowed by cross-validation, and takes the one that does
/// best on games held out, of those that pass their [check](ProfileNumbers::check) if there are any; from the defaults
/// without starts.
pub fn learn(observations: &Observations, allowed: &[usize], starts: &[ProfileNumbers], seed: u64) -> Learned {
    let from = |start: &ProfileNumbers| learn_from(observations, allowed, start, seed);
    let loss = |learned: &Learned| learned.steps.iter().rev().find(|step| step.accepted).map_or(0.0, |step| step.loss);
    let faulty = |learned: &Learned| learned.profile.check().is_err();
    let better = |a: &Learned, b: &Learned| faulty(a).cmp(&faulty(b)).then(loss(a).total_cmp(&loss(b)));
    starts.iter().map(from).min_by(better).unwrap_or_else(|| from(&ProfileNumbers::default()))
}

/// A part of the games that is held out, and the others, which are fitted to. Nothing in it comes from the games held out.
struct Fold {
    held_out: Vec<usize>,
    others: Observations,
}

impl Fold {
    fn all(observations: &Observations, seed: u64) -> Vec<Fold> {
        let folds = games(&observations.samples).folds(FOLDS, seed);
        let part = |fold: usize| {
            let (held_out, others): (Vec<_>, Vec<_>) = (0..folds.len()).partition(|&index| folds[index] == fold);
            Fold { held_out, others: observations.at(&others) }
        };
        (0..FOLDS).map(part).filter(|fold| !fold.held_out.is_empty()).collect()
    }

    /// What the other games teach.
    fn fit(&self, start: &ProfileNumbers, free: &[usize]) -> ProfileNumbers {
        self.others.fit(start, free, &vec![1.0; self.others.samples.len()])
    }
}

/// The same from one start.
fn learn_from(observations: &Observations, allowed: &[usize], start: &ProfileNumbers, seed: u64) -> Learned {
    let samples = &observations.samples;
    let folds = Fold::all(observations, seed);
    let losses = |free: &[usize]| {
        let mut losses = vec![0.0; samples.len()];
        for fold in &folds {
            let profile = fold.fit(start, free);
            for &index in &fold.held_out {
                losses[index] = log_loss(observations.predict(&profile, index), &samples[index]);
            }
        }
        losses
    };
    let step = |added: &str, before: &[f64], after: &[f64]| {
        let gains: Vec<_> = before.iter().zip(after).map(|(before, after)| before - after).collect();
        let gain = mean(&gains, samples);
        Step {
            added: added.to_owned(),
            loss: mean(after, samples).mean(),
            gain: gain.mean(),
            gain_error: gain.standard_error(),
            accepted: true,
        }
    };
    let everywhere = vec![1.0; samples.len()];
    let printed = log_losses(&observations.printed(), samples);
    let mut free: Vec<_> = (0..COUNT).filter(|&number| ALWAYS.contains(&name(number))).collect();
    let mut best = losses(&free);
    let mut steps = vec![step("uncorrected", &printed, &printed), step(&ALWAYS.join(", "), &printed, &best)];
    // Some numbers are of use only together.
    let mut together = 1;
    while together <= 2 {
        let others: Vec<_> = allowed.iter().copied().filter(|number| !free.contains(number)).collect();
        let candidates: Vec<Vec<usize>> = match together {
            1 => others.iter().map(|&number| vec![number]).collect(),
            _ => {
                others.iter().flat_map(|&a| others.iter().filter(move |&&b| a < b).map(move |&b| vec![a, b])).collect()
            }
        };
        let widened = candidates.into_par_iter().filter_map(|numbers| {
            let wider = [free.as_slice(), &numbers].concat();
            observations.fit(start, &wider, &everywhere).check().is_ok().then(|| (numbers, losses(&wider)))
        });
        let loss = |losses: &[f64]| losses.iter().sum::<f64>();
        let Some((numbers, after)) = widened.min_by(|a, b| loss(&a.1).total_cmp(&loss(&b.1))) else { break };
        let names: Vec<_> = numbers.iter().map(|&number| name(number)).collect();
        let mut last = step(&names.join(", "), &best, &after);
        last.accepted = last.gain > last.gain_error.max(LEAST_GAIN);
        if last.accepted {
            free.extend(numbers);
            best = after;
            together = 1;
        } else {
            together += 1;
        }
        steps.push(last);
    }
    free.sort_unstable();
    Learned { profile: observations.fit(start, &free, &everywhere), start: start.clone(), free, steps }
}

/// 95 % intervals of the fitted numbers, by drawing games with repetition.
pub fn intervals(observations: &Observations, learned: &Learned, seed: u64) -> Vec<(f64, f64)> {
    let Learned { start, free, .. } = learned;
    let (mut random, games) = (StdRng::seed_from_u64(seed), games(&observations.samples));
    let weights: Vec<_> = (0..RESAMPLES).map(|_| games.resample(&mut random)).collect();
    let draws: Vec<_> = weights.par_iter().map(|weights| observations.fit(start, free, weights).values()).collect();
    let interval = |number: usize| {
        let mut values: Vec<_> = draws.iter().map(|numbers| numbers[number]).collect();
        values.sort_by(f64::total_cmp);
        (values[RESAMPLES / 40], values[RESAMPLES - 1 - RESAMPLES / 40])
    };
    free.iter().map(|&number| interval(number)).collect()
}

/// Predictions for each position by the profile that the other folds teach, numbers chosen anew for each.
pub fn held_out(observations: &Observations, allowed: &[usize], starts: &[ProfileNumbers], seed: u64) -> Vec<[f64; 3]> {
    let folds = games(&observations.samples).folds(FOLDS, seed);
    let fit = |train: &[usize]| learn(&observations.at(train), allowed, starts, seed).profile;
    cross_validate(&folds, fit, |profile, index| observations.predict(profile, index))
}

#[cfg(test)]
mod tests {
    use super::super::observations::features;
    use super::super::sample::Sample;
    use super::super::verdict::Verdict;
    use super::*;
    use crate::outcome::Outcome;
    use halfpoint::params::NumberTable;
    use halfpoint::printing::profile::{Inputs, Target, is_of_mates};
    use halfpoint::printing::{BoardFacts, Ratings};
    use halfpoint::printing::{predict, printed_inputs};
    use halfpoint::wdl::model::{C, Wdl, WiloDraw};
    use rand::RngExt;
    use shakmaty::Color;

    const ALL: [usize; COUNT] = {
        let mut all = [0; COUNT];
        let mut number = 0;
        while number < COUNT {
            all[number] = number;
            number += 1;
        }
        all
    };

    fn sample(board: BoardFacts, outcome: Outcome, game: usize) -> Sample {
        Sample {
            fen: String::new(),
            turn: Color::White,
            outcome,
            board,
            game,
            file: 0,
            ratings: Ratings::default(),
            are_rated_after: false,
            time_class: None,
            is_told: false,
            seconds: None,
            clocks: None,
        }
    }

    /// Positions of games that end as a profile says, a tenth of them with a mate in sight.
    fn simulated(truth: &ProfileNumbers, games: usize) -> Observations {
        let mut random = StdRng::seed_from_u64(3);
        let (mut samples, mut verdicts) = (Vec::new(), Vec::new());
        for game in 0..games {
            let material = random.random_range(4..79);
            let (w, d) = (random.random_range(-5.0..5.0), random.random_range(-3.0..3.0));
            let mate = (game % 10 == 1).then(|| random.random_range(1..9) * if w > 0.0 { 1 } else { -1 });
            let wdl = match mate {
                Some(moves) if moves > 0 => [1000, 0, 0],
                Some(_) => [0, 0, 1000],
                None if game % 20 == 0 => [0, 1000, 0],
                None => Wdl::from_scores(w, d).per_mille(),
            };
            let [win, draw, loss] = wdl.map(|x| f64::from(x) / 1000.0);
            let board = BoardFacts {
                material,
                pawns: game as u32 % 17,
                can_win: [true; 2],
                clock: game as u32 % 40,
                advantage: game as i32 * 7 % 401 - 200,
            };
            let printed = || printed_inputs(Wdl { win, draw, loss }, win + draw / 2.0, board);
            let real = predict(truth, &mate.map_or_else(printed, |moves| Inputs::mate(moves, board)), board);
            let chance: f64 = random.random_range(0.0..1.0);
            let outcome = match chance {
                x if x < real.win => Outcome::Win,
                x if x < real.win + real.draw => Outcome::Draw,
                _ => Outcome::Loss,
            };
            samples.push(sample(board, outcome, game));
            verdicts.push(Verdict { wdl: Some(wdl), centipawns: Some(0), mate });
        }
        Observations::new(&samples, &verdicts)
    }

    #[test]
    fn the_profile_behind_the_games_is_found() {
        let doubts =
            ProfileNumbers { draw_certain: -2.0, wilo_mate: 4.0, draw_mate: -3.0, ..ProfileNumbers::default() };
        let truth = ProfileNumbers { wilo_elo: 2.0, wilo_factor: 0.6, draw_offset: -0.8, ..doubts };
        let observations = simulated(&truth, 2000);
        let learned = learn(&observations, &ALL, &[], 1);
        for name in ["wilo_elo", "draw_certain", "wilo_mate", "draw_mate"] {
            assert!(learned.free.iter().any(|&number| super::name(number) == name), "{name}: {:?}", learned.steps);
        }
        let intervals = intervals(&observations, &learned, 1);
        for (number, (low, high)) in learned.free.iter().zip(&intervals) {
            let (found, real) = (learned.profile.get(*number), truth.get(*number));
            assert!(low < &found && &found < high, "{}: {found} {low} {high}", name(*number));
            assert!((found - real).abs() < 1.2 * (high - low), "{}: {found} {real} {low} {high}", name(*number));
        }
        let samples = &observations.samples;
        let loss = |rates: &[[f64; 3]]| mean(&log_losses(rates, samples), samples).mean();
        let best: Vec<_> = (0..2000).map(|index| observations.predict(&truth, index)).collect();
        let (printed, held_out) = (loss(&observations.printed()), loss(&held_out(&observations, &ALL, &[], 1)));
        assert!(held_out < printed - 0.05 && held_out < loss(&best) + 0.01, "{held_out} {printed} {}", loss(&best));
    }

    #[test]
    fn what_is_fitted_is_what_is_printed() {
        let mut random = StdRng::seed_from_u64(5);
        let board = BoardFacts { material: 40, pawns: 5, can_win: [true; 2], clock: 7, advantage: 0 };
        for _ in 0..100 {
            let numbers = ProfileNumbers::from_values(std::array::from_fn(|_| random.random_range(0.1..1.0)));
            let wdl = Wdl::from_scores(random.random_range(-5.0..5.0), random.random_range(-3.0..3.0));
            let draw = Wdl { win: 0.0, draw: 1.0, loss: 0.0 };
            for inputs in [
                printed_inputs(wdl, wdl.expected(), board),
                printed_inputs(draw, 0.5, board),
                Inputs::mate(3, board),
                Inputs::mate(-8, board),
            ] {
                let inputs = inputs.ahead(&numbers);
                let logit = |target| -> f64 {
                    features(&inputs, target).iter().zip(numbers.values()).map(|(x, number)| x * number).sum()
                };
                let printed = WiloDraw::of(predict(&numbers, &inputs, board));
                assert!((C * printed.wilo - logit(Target::Wilo)).abs() < 1e-6, "{inputs:?}");
                assert!((printed.draw - logit(Target::Draw)).abs() < 1e-6, "{inputs:?}");
            }
        }
    }

    #[test]
    fn what_is_held_out_teaches_nothing() {
        let truth = ProfileNumbers { wilo_elo: 2.0, ..ProfileNumbers::default() };
        let observations = simulated(&truth, 100);
        let (free, start) = ([ProfileNumbers::index("wilo_elo").unwrap()], ProfileNumbers::default());
        let fitted = |observations: &Observations| {
            Fold::all(observations, 1).iter().map(|fold| fold.fit(&start, &free).wilo_elo).collect::<Vec<_>>()
        };
        let before = fitted(&observations);
        // Other results in the first part change what is fitted with it, not what is fitted without it.
        let mut others = observations.clone();
        for &index in &Fold::all(&observations, 1)[0].held_out {
            others.samples[index].outcome = match others.samples[index].outcome {
                Outcome::Win => Outcome::Loss,
                _ => Outcome::Win,
            };
        }
        let after = fitted(&others);
        assert_eq!(before[0], after[0]);
        assert!(before[1..].iter().zip(&after[1..]).all(|(before, after)| before != after));
    }

    #[test]
    fn nothing_is_added_to_what_is_true() {
        let learned = learn(&simulated(&ProfileNumbers::default(), 4000), &ALL, &[], 1);
        let accepted = learned.steps.iter().skip(2).filter(|step| step.accepted).count();
        assert!(accepted <= 1, "{:?}", learned.steps);
        assert!((learned.profile.wilo_factor - 1.0).abs() < 0.1, "{:?}", learned.profile);
        assert!(learned.profile.draw_offset.abs() < 0.15, "{:?}", learned.profile);
    }

    #[test]
    fn the_better_start_is_taken() {
        let near = ProfileNumbers { draw_endgame: 3.0, draw_sharp: -1.0, ..ProfileNumbers::default() };
        let starts = [ProfileNumbers::default(), near.clone()];
        let truth = ProfileNumbers { wilo_factor: 1.5, ..near.clone() };
        let learned = learn(&simulated(&truth, 300), &[], &starts, 1);
        assert_eq!(learned.start, near);
        assert_eq!(learned.profile.draw_endgame, 3.0);
        assert!((learned.profile.wilo_factor - 1.5).abs() < 0.5, "{:?}", learned.profile);
        assert_eq!(
            learn(&simulated(&ProfileNumbers::default(), 300), &[], &starts, 1).start,
            ProfileNumbers::default()
        );
    }

    #[test]
    fn few_games_leave_numbers_finite() {
        let observations = simulated(&ProfileNumbers::default(), 12);
        assert!(observations.fit(&ProfileNumbers::default(), &ALL, &[1.0; 12]).values().iter().all(|x| x.abs() < 60.0));
    }

    #[test]
    fn mates_are_certain_unless_games_tell_otherwise() {
        let board = BoardFacts { material: 30, pawns: 5, can_win: [true; 2], clock: 0, advantage: 0 };
        let sample = sample(board, Outcome::Win, 0);
        let verdict = Verdict { wdl: Some([1000, 0, 0]), centipawns: Some(32_000), mate: Some(3) };
        let observations = Observations::new(&[sample], &[verdict]);
        let profile = ProfileNumbers { wilo_factor: 0.1, ..ProfileNumbers::default() };
        assert!(observations.predict(&profile, 0)[0] > 0.9999);
        let doubting = ProfileNumbers { wilo_mate: 2.0, wilo_mate_moves: -1.0, ..profile };
        assert!(observations.predict(&doubting, 0)[0] < 0.7);
        let others: Vec<_> = ALL.into_iter().filter(|&number| !is_of_mates(name(number))).collect();
        let missed = simulated(&ProfileNumbers { wilo_mate: 1.0, ..ProfileNumbers::default() }, 2000);
        assert!(!learn(&missed, &others, &[], 1).free.iter().any(|&number| is_of_mates(name(number))));
    }
}
