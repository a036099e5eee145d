//! Fitting level profiles.
//!
//! With the scores given, a profile is two logistic regressions: of wins against losses on `w`, and of draws against the
//! rest on `d`. Beyond a factor on `w` and an offset on `d` it takes only numbers that lower the loss on games held out,
//! one after the other.

use super::sample::Sample;
use super::scoring::{games, log_losses, mean};
use super::{Outcome, Verdict};
use crate::stats::{Case, Regression, cross_validate};
use halfpoint::wdl::model::{C, Wdl, sigmoid};
use halfpoint::wdl::profile::{NAMES, NUMBERS, Profile, Scores, Sight, near_even};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rayon::prelude::*;

/// Parts for cross-validation.
pub const FOLDS: usize = 5;
/// Names of the numbers that each profile has.
const ALWAYS: [&str; 2] = ["wilo_factor", "draw_offset"];
/// Standard deviation of a weak prior about where a profile starts, which keeps numbers finite that few games tell.
const PRIOR: f64 = 5.0;
/// Gain that a further number must have at least, nats: mates that are always won gain from more certainty, but nothing that
/// would be printed.
const LEAST_GAIN: f64 = 5e-5;
/// Sets of games drawn with repetition for the intervals.
const RESAMPLES: usize = 200;

/// Positions with what the engine says about them and how they ended.
#[derive(Clone, Debug, Default)]
pub struct Observations {
    /// The positions.
    pub samples: Vec<Sample>,
    /// The engine's probabilities.
    wdl: Vec<Wdl>,
    scores: Vec<Scores>,
}

impl Observations {
    /// Those positions for which the engine printed W/D/L.
    #[must_use]
    pub fn new(samples: &[Sample], verdicts: &[Verdict]) -> Observations {
        let mut all = Observations::default();
        for (sample, verdict) in samples.iter().zip(verdicts) {
            if let Some(wdl) = verdict.wdl {
                let sum = f64::from(wdl.iter().sum::<u32>());
                let [win, draw, loss] = wdl.map(|x| f64::from(x) / sum);
                let wdl = Wdl { win, draw, loss };
                all.samples.push(sample.clone());
                all.wdl.push(wdl);
                let mate = |moves| Scores::mate(moves, sample.traits);
                all.scores.push(verdict.mate.map_or_else(|| Scores::new(wdl, sample.traits), mate));
            }
        }
        all
    }

    /// Those at the given places.
    #[must_use]
    pub fn at(&self, chosen: &[usize]) -> Observations {
        Observations {
            samples: chosen.iter().map(|&index| self.samples[index].clone()).collect(),
            wdl: chosen.iter().map(|&index| self.wdl[index]).collect(),
            scores: chosen.iter().map(|&index| self.scores[index]).collect(),
        }
    }

    /// The engine's own probabilities.
    #[must_use]
    pub fn printed(&self) -> Vec<[f64; 3]> {
        self.wdl.iter().map(|wdl| [wdl.win, wdl.draw, wdl.loss]).collect()
    }

    /// What a profile makes of one of them.
    #[must_use]
    pub fn predict(&self, profile: &Profile, index: usize) -> [f64; 3] {
        let Wdl { win, draw, loss } = profile.predict(self.scores[index], self.samples[index].traits);
        [win, draw, loss]
    }

    /// The likeliest profile with the numbers that are free; the others are those of `start`. Each position counts as often
    /// as its weight says.
    fn fit(&self, start: &Profile, free: &[usize], weights: &[f64]) -> Profile {
        let mut numbers = start.numbers();
        let (of_wilo, of_draw): (Vec<usize>, Vec<usize>) = free.iter().copied().partition(|number| is_of_wilo(*number));
        for (free, of_wilo) in [(of_wilo, true), (of_draw, false)] {
            let mut cases = Vec::new();
            for (index, scores) in self.scores.iter().enumerate() {
                let (outcome, weight) = (self.samples[index].outcome, weights[index]);
                // Against a bare king there is nothing to lose, whatever the scores are.
                let is_open = self.samples[index].traits.can_win == [true; 2];
                if (of_wilo && (outcome == Outcome::Draw || !is_open)) || weight == 0.0 {
                    continue;
                }
                let features = features(scores, of_wilo);
                let happened = outcome == if of_wilo { Outcome::Win } else { Outcome::Draw };
                cases.push(Case::<NUMBERS> {
                    before: (0..NUMBERS).map(|number| numbers[number] * features[number]).sum(),
                    features: std::array::from_fn(|i| free.get(i).map_or(0.0, |&number| features[number])),
                    yes: if happened { weight } else { 0.0 },
                    no: if happened { 0.0 } else { weight },
                });
            }
            let changes = Regression::fit(cases.iter(), free.len(), Some(PRIOR)).coefficients;
            for (number, change) in free.iter().zip(changes) {
                numbers[*number] += change;
            }
        }
        Profile::from_numbers(numbers)
    }
}

/// Whether a number of a profile belongs to `w`; the others belong to `d`.
fn is_of_wilo(number: usize) -> bool {
    NAMES[number].starts_with("wilo")
}

/// What each number is multiplied with in the logit of `Wp`, or of `D`.
fn features(scores: &Scores, of_wilo: bool) -> [f64; NUMBERS] {
    let Scores { wilo, draw, endgame, idle, sight } = *scores;
    let behind = (-wilo).max(0.0);
    let mut features = [0.0; NUMBERS];
    match (of_wilo, sight) {
        (true, Sight::Estimate) => {
            features[..5].copy_from_slice(&[wilo, wilo * endgame, -behind, 1.0 - endgame, wilo * sigmoid(draw)]);
        }
        (false, Sight::Estimate) => {
            let (late, size, open) = (endgame.powi(3), wilo.abs(), sigmoid(-draw));
            let near = open * near_even(wilo);
            let of_estimates = [1.0, draw, draw * endgame, endgame, late, idle, size, open * size, near, behind];
            features[5..15].copy_from_slice(&of_estimates);
        }
        (true, Sight::Draw) => {}
        (false, Sight::Draw) => features[15..17].copy_from_slice(&[1.0, endgame]),
        (true, Sight::Mate { side, distance }) => features[17..19].copy_from_slice(&[side, side * distance]),
        (false, Sight::Mate { distance, .. }) => features[19..].copy_from_slice(&[1.0, distance]),
    }
    if of_wilo { features.map(|wilo| C * wilo) } else { features }
}

/// A step on the way to a profile.
#[derive(Clone, Debug)]
pub struct Step {
    /// What was added.
    pub added: String,
    /// Log loss on games held out, nats.
    pub loss: f64,
    /// How much that is less than at the step before.
    pub gain: f64,
    /// Standard error of the gain, over games.
    pub gain_error: f64,
    /// Whether it stays.
    pub accepted: bool,
}

/// A profile with how it came about.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The profile.
    pub profile: Profile,
    /// Where it started; numbers that were not fitted are as there.
    pub start: Profile,
    /// The numbers that were fitted.
    pub free: Vec<usize>,
    /// The steps, from what the engine prints on.
    pub steps: Vec<Step>,
}

/// Fits a profile from each start, choosing its numbers among those allowed by cross-validation, and takes the one that does
/// best on games held out, of those without [fault](Profile::fault) if there are any; [`Profile::PLAIN`] without starts.
#[must_use]
pub fn learn(observations: &Observations, allowed: &[usize], starts: &[Profile], seed: u64) -> Learned {
    let from = |start: &Profile| learn_from(observations, allowed, start, seed);
    let loss = |learned: &Learned| learned.steps.iter().rev().find(|step| step.accepted).map_or(0.0, |step| step.loss);
    let faulty = |learned: &Learned| learned.profile.fault().is_some();
    let better = |a: &Learned, b: &Learned| faulty(a).cmp(&faulty(b)).then(loss(a).total_cmp(&loss(b)));
    starts.iter().map(from).min_by(better).unwrap_or_else(|| from(&Profile::PLAIN))
}

/// The same from one start.
fn learn_from(observations: &Observations, allowed: &[usize], start: &Profile, seed: u64) -> Learned {
    let samples = &observations.samples;
    let parts = games(samples).folds(FOLDS, seed);
    let losses = |free: &[usize]| {
        let fit = |train: &[usize]| observations.at(train).fit(start, free, &vec![1.0; train.len()]);
        log_losses(&cross_validate(&parts, fit, |profile, index| observations.predict(profile, index)), samples)
    };
    let step = |added: &str, before: &[f64], after: &[f64]| {
        let gains: Vec<_> = before.iter().zip(after).map(|(before, after)| before - after).collect();
        let gain = mean(&gains, samples);
        Step {
            added: added.to_owned(),
            loss: mean(after, samples).mean(),
            gain: gain.mean(),
            gain_error: gain.error(),
            accepted: true,
        }
    };
    let everywhere = vec![1.0; samples.len()];
    let printed = log_losses(&observations.printed(), samples);
    let mut free: Vec<_> = (0..NUMBERS).filter(|&number| ALWAYS.contains(&NAMES[number])).collect();
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
            observations.fit(start, &wider, &everywhere).fault().is_none().then(|| (numbers, losses(&wider)))
        });
        let loss = |losses: &[f64]| losses.iter().sum::<f64>();
        let Some((numbers, after)) = widened.min_by(|a, b| loss(&a.1).total_cmp(&loss(&b.1))) else { break };
        let names: Vec<_> = numbers.iter().map(|&number| NAMES[number]).collect();
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
#[must_use]
pub fn intervals(observations: &Observations, learned: &Learned, seed: u64) -> Vec<(f64, f64)> {
    let Learned { start, free, .. } = learned;
    let (mut random, games) = (StdRng::seed_from_u64(seed), games(&observations.samples));
    let weights: Vec<_> = (0..RESAMPLES).map(|_| games.resample(&mut random)).collect();
    let draws: Vec<_> = weights.par_iter().map(|weights| observations.fit(start, free, weights).numbers()).collect();
    let interval = |number: usize| {
        let mut values: Vec<_> = draws.iter().map(|numbers| numbers[number]).collect();
        values.sort_by(f64::total_cmp);
        (values[RESAMPLES / 40], values[RESAMPLES - 1 - RESAMPLES / 40])
    };
    free.iter().map(|&number| interval(number)).collect()
}

/// Predictions for each position by the profile that the other parts teach, numbers chosen anew for each.
#[must_use]
pub fn held_out(observations: &Observations, allowed: &[usize], starts: &[Profile], seed: u64) -> Vec<[f64; 3]> {
    let parts = games(&observations.samples).folds(FOLDS, seed);
    let fit = |train: &[usize]| learn(&observations.at(train), allowed, starts, seed).profile;
    cross_validate(&parts, fit, |profile, index| observations.predict(profile, index))
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfpoint::wdl::model;
    use halfpoint::wdl::profile::{Traits, is_of_mates};
    use rand::RngExt;

    const ALL: [usize; NUMBERS] = {
        let mut all = [0; NUMBERS];
        let mut number = 0;
        while number < NUMBERS {
            all[number] = number;
            number += 1;
        }
        all
    };

    /// Positions of games that end as a profile says, a tenth of them with a mate in sight.
    fn simulated(truth: &Profile, games: usize) -> Observations {
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
            let traits = Traits { material, can_win: [true; 2], clock: game as u32 % 40 };
            let seen =
                mate.map_or_else(|| Scores::new(Wdl { win, draw, loss }, traits), |moves| Scores::mate(moves, traits));
            let real = truth.predict(seen, traits);
            let chance: f64 = random.random_range(0.0..1.0);
            let outcome = match chance {
                x if x < real.win => Outcome::Win,
                x if x < real.win + real.draw => Outcome::Draw,
                _ => Outcome::Loss,
            };
            samples.push(Sample { fen: String::new(), outcome, traits, game, rating: None, pace: None });
            verdicts.push(Verdict { wdl: Some(wdl), centipawns: Some(0), mate });
        }
        Observations::new(&samples, &verdicts)
    }

    #[test]
    fn the_profile_behind_the_games_is_found() {
        let doubts = Profile { draw_certain: -2.0, wilo_mate: 4.0, draw_mate: -3.0, ..Profile::PLAIN };
        let truth = Profile { wilo_factor: 0.6, draw_offset: -0.8, ..doubts };
        let observations = simulated(&truth, 6000);
        let learned = learn(&observations, &ALL, &[], 1);
        for name in ["draw_certain", "wilo_mate", "draw_mate"] {
            assert!(learned.free.iter().any(|&number| NAMES[number] == name), "{name}: {:?}", learned.steps);
        }
        let intervals = intervals(&observations, &learned, 1);
        for (number, (low, high)) in learned.free.iter().zip(&intervals) {
            let (found, real) = (learned.profile.numbers()[*number], truth.numbers()[*number]);
            assert!(low < &found && &found < high, "{}: {found} {low} {high}", NAMES[*number]);
            assert!((found - real).abs() < 1.2 * (high - low), "{}: {found} {real} {low} {high}", NAMES[*number]);
        }
        let samples = &observations.samples;
        let loss = |rates: &[[f64; 3]]| mean(&log_losses(rates, samples), samples).mean();
        let best: Vec<_> = (0..6000).map(|index| observations.predict(&truth, index)).collect();
        let (printed, held_out) = (loss(&observations.printed()), loss(&held_out(&observations, &ALL, &[], 1)));
        assert!(held_out < printed - 0.05 && held_out < loss(&best) + 0.01, "{held_out} {printed} {}", loss(&best));
    }

    #[test]
    fn what_is_fitted_is_what_is_printed() {
        let mut random = StdRng::seed_from_u64(5);
        let traits = Traits { material: 40, can_win: [true; 2], clock: 7 };
        for _ in 0..100 {
            let profile = Profile::from_numbers(std::array::from_fn(|_| random.random_range(0.1..1.0)));
            let wdl = Wdl::from_scores(random.random_range(-5.0..5.0), random.random_range(-3.0..3.0));
            let draw = Wdl { win: 0.0, draw: 1.0, loss: 0.0 };
            for seen in
                [Scores::new(wdl, traits), Scores::new(draw, traits), Scores::mate(3, traits), Scores::mate(-8, traits)]
            {
                let logit = |of_wilo| -> f64 {
                    features(&seen, of_wilo).iter().zip(profile.numbers()).map(|(x, number)| x * number).sum()
                };
                let printed = profile.predict(seen, traits);
                let (wilo, draw) = model::invert(printed.expected(), printed.draw);
                assert!((C * wilo - logit(true)).abs() < 1e-6 && (draw - logit(false)).abs() < 1e-6, "{seen:?}");
            }
        }
    }

    #[test]
    fn nothing_is_added_to_what_is_true() {
        let learned = learn(&simulated(&Profile::PLAIN, 4000), &ALL, &[], 1);
        let accepted = learned.steps.iter().skip(2).filter(|step| step.accepted).count();
        assert!(accepted <= 1, "{:?}", learned.steps);
        assert!((learned.profile.wilo_factor - 1.0).abs() < 0.1, "{:?}", learned.profile);
        assert!(learned.profile.draw_offset.abs() < 0.15, "{:?}", learned.profile);
    }

    #[test]
    fn the_better_start_is_taken() {
        let near = Profile { draw_late: 3.0, draw_sharp: -1.0, ..Profile::PLAIN };
        let starts = [Profile::PLAIN, near.clone()];
        let truth = Profile { wilo_factor: 1.5, ..near.clone() };
        let learned = learn(&simulated(&truth, 300), &[], &starts, 1);
        assert_eq!(learned.start, near);
        assert_eq!(learned.profile.draw_late, 3.0);
        assert!((learned.profile.wilo_factor - 1.5).abs() < 0.5, "{:?}", learned.profile);
        assert_eq!(learn(&simulated(&Profile::PLAIN, 300), &[], &starts, 1).start, Profile::PLAIN);
    }

    #[test]
    fn few_games_leave_numbers_finite() {
        let observations = simulated(&Profile::PLAIN, 12);
        assert!(observations.fit(&Profile::PLAIN, &ALL, &[1.0; 12]).numbers().iter().all(|x| x.abs() < 60.0));
    }

    #[test]
    fn mates_are_certain_unless_games_tell_otherwise() {
        let traits = Traits { material: 30, can_win: [true; 2], clock: 0 };
        let sample = Sample { fen: String::new(), outcome: Outcome::Win, traits, game: 0, rating: None, pace: None };
        let verdict = Verdict { wdl: Some([1000, 0, 0]), centipawns: Some(32_000), mate: Some(3) };
        let observations = Observations::new(&[sample], &[verdict]);
        let profile = Profile { wilo_factor: 0.1, ..Profile::PLAIN };
        assert!(observations.predict(&profile, 0)[0] > 0.9999);
        let doubting = Profile { wilo_mate: 2.0, wilo_mate_moves: -1.0, ..profile };
        assert!(observations.predict(&doubting, 0)[0] < 0.7);
        let others: Vec<_> = ALL.into_iter().filter(|&number| !is_of_mates(number)).collect();
        let missed = simulated(&Profile { wilo_mate: 1.0, ..Profile::PLAIN }, 2000);
        assert!(!learn(&missed, &others, &[], 1).free.iter().copied().any(is_of_mates));
    }
}
