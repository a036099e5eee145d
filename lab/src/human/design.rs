//! The choices of people as rows: features of all legal moves, and which one was played.

use super::games::{Game, Place, Platform};
use super::run::is_main;
use super::valuation::{Values, key};
use halfpoint::human::{
    CONTEXT, COUNT, Decision, Moment, Player, ROLE_NAMES, Recent, context, opening_share, role_index,
};
use halfpoint::position::GameHistory;
use halfpoint::printing::{Profiles, TimeClass};
use rayon::prelude::*;

/// Parts of the context of the fit: those of the model, then one for each platform but the first, whose ratings the model
/// is for.
pub const COLUMNS: usize = CONTEXT + 2;
/// Parameters of the features, by feature and column.
pub const OF_FEATURES: usize = COUNT * COLUMNS;
/// Squares of a role.
const SQUARES: usize = 64;
/// Parameters of the preferences for squares: in the opening, then later, by role and square.
pub const OF_SQUARES: usize = 2 * ROLE_NAMES.len() * SQUARES;
/// All parameters.
pub const PARAMETERS: usize = OF_FEATURES + OF_SQUARES;

/// Ratings of people that count, Elo: somewhat more than opponents can have.
const RATINGS: std::ops::RangeInclusive<f64> = 400.0..=2800.0;

/// The choice of a person.
#[derive(Clone, Debug)]
pub struct Sample {
    pub place: Place,
    pub source: String,
    pub platform: Platform,
    pub class: TimeClass,
    pub player: Player,
    /// Number of who moved; the same for the same name on a platform.
    pub person: u64,
    pub context: [f64; COLUMNS],
    pub opening: f64,
    /// Index of the move that was played.
    pub played: usize,
    /// Features of each move, one after the other.
    pub features: Vec<f32>,
    /// Places of each move's origin and target among the squares of the roles.
    pub steps: Vec<[u16; 2]>,
    /// Loss of each move, expected points.
    pub losses: Vec<f64>,
    /// The move as the clock sees it, and the seconds that it took, if they are known.
    pub time: Option<(Moment, f64)>,
}

impl Sample {
    fn new(games: &[Game], place: Place, values: &Values, profiles: &Profiles) -> Option<Sample> {
        let game = &games[place.game];
        let history = game.history(place.ply);
        let values = values.get(&key(&history))?;
        let played = values.iter().position(|values| values.m == game.moves[place.ply])?;
        // Whoever has no choice tells nothing.
        let counts = values.len() > 1 && RATINGS.contains(&game.elo(place.ply));
        counts.then(|| Sample::of(game, place, &history, values, played, profiles))
    }

    fn of(
        game: &Game,
        place: Place,
        history: &GameHistory,
        values: &[halfpoint::human::MoveValues],
        played: usize,
        profiles: &Profiles,
    ) -> Sample {
        let player = game.player(place.ply);
        let recent = Recent::of(&game.start, &game.moves[..place.ply]);
        let decision = Decision::new(history, recent, values, &player, profiles);
        let own = context(&player, decision.endgame);
        let platform =
            [Platform::ChessCom, Platform::OverTheBoard].map(|other| f64::from(u8::from(game.platform == other)));
        Sample {
            place,
            source: game.source.clone(),
            platform: game.platform,
            class: game.class,
            player,
            person: game.person(place.ply),
            context: std::array::from_fn(|column| {
                own.get(column).copied().unwrap_or_else(|| platform[column - CONTEXT])
            }),
            opening: opening_share(decision.endgame),
            played,
            features: decision.choices.iter().flat_map(|choice| choice.features).collect(),
            steps: decision
                .choices
                .iter()
                .map(|choice| {
                    let (role, from, to) = choice.step;
                    [from, to].map(|square| (role_index(role) * SQUARES + usize::from(square)) as u16)
                })
                .collect(),
            losses: decision.choices.iter().map(|choice| choice.loss).collect(),
            time: time(game, place.ply, recent, history),
        }
    }

    /// Whether the main figures count it.
    pub fn is_main(&self) -> bool {
        is_main(self.platform, self.class, self.place.ply, self.player.seconds_left)
    }

    /// A feature of each move.
    pub fn feature(&self, index: usize) -> impl Iterator<Item = f64> {
        self.features.iter().skip(index).step_by(COUNT).map(|x| f64::from(*x))
    }

    /// Utilities of the moves.
    pub fn utilities(&self, parameters: &[f64]) -> Vec<f64> {
        let (of_features, of_squares) = parameters.split_at(OF_FEATURES);
        let weights: Vec<f32> = of_features
            .chunks_exact(COLUMNS)
            .map(|weights| weights.iter().zip(&self.context).map(|(weight, part)| weight * part).sum::<f64>() as f32)
            .collect();
        let (opening, later) = of_squares.split_at(OF_SQUARES / 2);
        let square = |at: u16| self.opening * opening[usize::from(at)] + (1.0 - self.opening) * later[usize::from(at)];
        let features = self.features.chunks_exact(COUNT).zip(&self.steps);
        let utility = |(features, [from, to]): (&[f32], &[u16; 2])| {
            let sum: f32 = features.iter().zip(&weights).map(|(x, weight)| x * weight).sum();
            f64::from(sum) + square(*to) - square(*from)
        };
        features.map(utility).collect()
    }

    /// Adds the slopes of the parameters: those of the utilities are `slopes`.
    pub fn add_slopes(&self, slopes: &[f64], gradient: &mut [f64]) {
        let mut of_weights = [0.0f32; COUNT];
        for (features, slope) in self.features.chunks_exact(COUNT).zip(slopes) {
            let slope = *slope as f32;
            of_weights.iter_mut().zip(features).for_each(|(sum, x)| *sum += slope * x);
        }
        let (of_features, of_squares) = gradient.split_at_mut(OF_FEATURES);
        for (sums, slope) in of_features.chunks_exact_mut(COLUMNS).zip(of_weights) {
            sums.iter_mut().zip(&self.context).for_each(|(sum, part)| *sum += f64::from(slope) * part);
        }
        let (opening, later) = of_squares.split_at_mut(OF_SQUARES / 2);
        for ([from, to], slope) in self.steps.iter().zip(slopes) {
            for (at, slope) in [(*to, *slope), (*from, -slope)] {
                opening[usize::from(at)] += self.opening * slope;
                later[usize::from(at)] += (1.0 - self.opening) * slope;
            }
        }
    }
}

/// The move at this ply as the clock sees it, and the seconds that it took.
fn time(game: &Game, ply: usize, recent: Recent, history: &GameHistory) -> Option<(Moment, f64)> {
    let (left, increment) = (game.seconds_left(ply)?, game.control?.increment);
    let seconds = left + increment - game.clocks[ply]?;
    let is_retake = recent.is_retake(game.moves[ply]);
    let moment = Moment { left, increment, plies: ply, is_check: history.position().is_check(), is_retake };
    (seconds >= 0.0).then_some((moment, seconds))
}

/// The choices at these places whose values are known, in their order.
pub fn samples(games: &[Game], places: &[Place], values: &Values) -> Vec<Sample> {
    let profiles = Profiles::shipped();
    places.par_iter().filter_map(|&place| Sample::new(games, place, values, &profiles)).collect()
}
