//! How closely the moves of a game tell a player's rating, by their likelihood.

use super::judge::Judged;
use super::report::section;
use halfpoint::human::{Decision, HumanModel, MoveValues, Player, Recent};
use halfpoint::position::{GameHistory, Move};
use halfpoint::printing::Profiles;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::AddAssign;

/// Lowest rating whose likelihood is known, and the step to the next, Elo.
const GRID: (f64, f64) = (400.0, 200.0);
/// Ratings whose likelihoods are known.
const RATINGS: usize = 13;
/// Parts of a step of the grid that an interval is made of.
const PARTS: usize = 20;
/// Chance that an interval holds the rating.
const SHARE: f64 = 0.8;
/// Width from which on an interval tells nothing to a reader, Elo.
const NARROW: f64 = 500.0;
/// Weights of a likelihood that are tried: moves are not independent of each other, and the model is not exact.
const WEIGHTS: [f64; 10] = [1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1];
/// Games that are taken together.
const TOGETHER: [usize; 4] = [1, 4, 8, 16];

/// Logarithms of the likelihoods of some moves, by rating.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence([f64; RATINGS]);

impl Evidence {
    /// Of a move of a game, by the values of all moves. `None` if it is none of them. The rating of `player` does not count.
    pub fn of_move(
        game: &GameHistory,
        recent: Recent,
        values: &[MoveValues],
        (m, player): (Move, &Player),
        (model, profiles): (&HumanModel, &Profiles),
    ) -> Option<Evidence> {
        let index = values.iter().position(|values| values.m == m)?;
        let at = |place: usize| {
            let player = Player { elo: rating(place as f64), ..*player };
            let decision = Decision::new(game, recent, values, &player, profiles);
            model.probabilities(&decision, &player)[index].max(f64::MIN_POSITIVE).ln()
        };
        Some(Evidence(std::array::from_fn(at)))
    }

    /// The ratings that the middle [`SHARE`] of the weighed likelihood lies between, Elo, where every rating is as likely
    /// before.
    fn interval(&self, weight: f64) -> [f64; 2] {
        let most = self.0.iter().fold(f64::NEG_INFINITY, |most, &x| most.max(x));
        let density = |part: usize| {
            let (place, share) = (part / PARTS, (part % PARTS) as f64 / PARTS as f64);
            let next = self.0[(place + 1).min(RATINGS - 1)];
            (weight * (self.0[place] + share * (next - self.0[place]) - most)).exp()
        };
        let densities: Vec<f64> = (0..=(RATINGS - 1) * PARTS).map(density).collect();
        let all: f64 = densities.iter().sum();
        let tail = (1.0 - SHARE) / 2.0;
        [tail, 1.0 - tail].map(|share| {
            let mut sum = 0.0;
            let reaches = |density: &f64| {
                sum += density;
                sum >= share * all
            };
            let part = densities.iter().position(reaches).unwrap_or(densities.len() - 1);
            rating(part as f64 / PARTS as f64)
        })
    }
}

impl AddAssign for Evidence {
    fn add_assign(&mut self, other: Evidence) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, x)| *sum += x);
    }
}

/// The rating at a place of the grid.
fn rating(place: f64) -> f64 {
    GRID.0 + place * GRID.1
}

/// An interval, with the rating that it is to hold.
struct Told {
    interval: [f64; 2],
    elo: f64,
}

impl Told {
    fn width(&self) -> f64 {
        self.interval[1] - self.interval[0]
    }

    fn holds(&self) -> bool {
        (self.interval[0]..=self.interval[1]).contains(&self.elo)
    }
}

/// Share of those that something is true of; 0 of nothing.
fn share(of: &[&Told], is: impl Fn(&Told) -> bool) -> f64 {
    of.iter().filter(|told| is(told)).count() as f64 / of.len().max(1) as f64
}

/// The largest weight whose intervals hold the rating as often as they say, or else the least, with these intervals.
fn intervals(pools: &[(f64, Evidence)]) -> (f64, Vec<Told>) {
    let told = |weight: f64| -> Vec<Told> {
        pools.iter().map(|(elo, evidence)| Told { interval: evidence.interval(weight), elo: *elo }).collect()
    };
    let is_true = |weight: &f64| share(&told(*weight).iter().collect::<Vec<_>>(), Told::holds) >= SHARE;
    let weight = WEIGHTS.into_iter().find(is_true).unwrap_or(WEIGHTS[WEIGHTS.len() - 1]);
    (weight, told(weight))
}

/// How wide intervals are that hold the rating as often as they say, as Markdown.
pub fn tell(judged: &[Judged], text: &mut String) {
    let mut by_side: BTreeMap<(usize, usize), (f64, Evidence)> = BTreeMap::new();
    for judged in judged {
        let (elo, evidence) = by_side.entry((judged.place.game, judged.place.ply % 2)).or_default();
        *elo = judged.elo;
        *evidence += judged.evidence;
    }
    let mut sides: Vec<(f64, Evidence)> = by_side.into_values().collect();
    sides.sort_by(|a, b| a.0.total_cmp(&b.0));
    section(text, "What the moves of a player tell of the rating");
    let _ = writeln!(
        text,
        "Intervals of {:.0} % by likelihood, widened by a weight of the likelihood until they hold the rating so often. Several \
         games: of players of about the same rating.\n\n\
         | games | intervals | weight | hold the rating | median width | narrower than {NARROW} | of these hold it |\n\
         |---|---|---|---|---|---|---|",
        100.0 * SHARE
    );
    for count in TOGETHER {
        let pool = |sides: &[(f64, Evidence)]| {
            let mut all = Evidence::default();
            sides.iter().for_each(|(_, evidence)| all += *evidence);
            (sides.iter().map(|(elo, _)| elo).sum::<f64>() / count as f64, all)
        };
        let (weight, mut told) = intervals(&sides.chunks_exact(count).map(pool).collect::<Vec<_>>());
        told.sort_by(|a, b| a.width().total_cmp(&b.width()));
        let all: Vec<&Told> = told.iter().collect();
        let narrow: Vec<&Told> = told.iter().filter(|told| told.width() < NARROW).collect();
        let _ = writeln!(
            text,
            "| {count} | {} | {weight} | {:.2} | {:.0} | {:.3} | {:.2} |",
            all.len(),
            share(&all, Told::holds),
            all.get(all.len() / 2).map_or(0.0, |told| told.width()),
            narrow.len() as f64 / all.len().max(1) as f64,
            share(&narrow, Told::holds)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evidence of a normal likelihood.
    fn normal(mean: f64, deviation: f64) -> Evidence {
        Evidence(std::array::from_fn(|place| -((rating(place as f64) - mean) / deviation).powi(2) / 2.0))
    }

    #[test]
    fn intervals_are_those_of_the_likelihood_and_wider_with_less_weight() {
        // 80 % of a normal distribution lie within 1.28 standard deviations.
        let [low, high] = normal(1600.0, 300.0).interval(1.0);
        assert!((low - 1216.0).abs() < 25.0 && (high - 1984.0).abs() < 25.0, "{low} {high}");
        let [wide_low, wide_high] = normal(1600.0, 300.0).interval(0.25);
        assert!(wide_low < low && wide_high > high);
        let mut both = normal(1600.0, 300.0);
        both += normal(1600.0, 300.0);
        let [near_low, near_high] = both.interval(1.0);
        assert!(near_low > low && near_high < high);
    }

    #[test]
    fn the_weight_is_the_largest_that_is_true() {
        // Ratings that scatter twice as far as the likelihoods say need a quarter of the weight.
        let scatter = [-1.5, -1.0, -0.6, -0.3, 0.0, 0.3, 0.6, 1.0, 1.2, 1.6].map(|x| 1600.0 + 400.0 * x);
        let pools: Vec<_> = scatter.into_iter().map(|elo| (elo, normal(1600.0, 200.0))).collect();
        let (weight, told) = intervals(&pools);
        assert!(weight < 0.5 && told.iter().filter(|told| told.holds()).count() >= 8, "{weight}");
    }
}
