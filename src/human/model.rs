//! The model: a conditional logit over the legal moves.
//!
//! ```text
//! p(m) ∝ exp(u(m))
//! u(m) = Σ_f x_f(m)·(constant + rating·r + rating_square·r² + pace·s + clock·c + endgame·e)
//!      + o·(opening[to] − opening[from]) + (1 − o)·(later[to] − later[from])
//! ```
//!
//! with `x` the [`FEATURES`], `r` the rating in units of 500 Elo from 1500, `s` the logarithm of the pace against ten minutes
//! for a game, `c` = ln(1 + 30 / (seconds left + 1)), 0 where they are not known, `e` from 0 (all pieces) to 1 (kings only),
//! and `o` = 1 − 4e, at least 0, for the opening.

use super::decision::Decision;
use super::difficulty::{Difficulty, ErrorChances};
use super::features::{COUNT, FEATURES};
use super::level::Levels;
use super::player::Player;
use super::think::ThinkingTime;
use crate::number_table;
use crate::params::{self, DeTable, DeValue, Fault, NumberTable, Parameters, Spanned, set_number};
use once_cell::sync::Lazy;
use shakmaty::Role;

/// The model that ships with the engine.
const SHIPPED: &str = include_str!("../../engine-params/human.toml");

/// Rating that the file's constants are for, and how many Elo a unit is.
const RATING: (f64, f64) = (1500.0, 500.0);
/// Pace that the file's constants are for, seconds for a game.
const PACE: f64 = 600.0;
/// Seconds left at which the clock counts for ln 2.
const LITTLE_TIME: f64 = 30.0;
/// How fast the opening ends as pieces leave the board.
const OPENING_END: f64 = 4.0;
/// Largest size of a number of the file.
const LIMIT: f64 = 100.0;

number_table! {
    /// What a feature adds to the utility of a move, for each part of the context.
    pub struct FeatureWeights {
        /// For 1500 Elo, ten minutes for a game, time enough and all pieces on the board.
        constant: f64 = 0.0, -LIMIT..=LIMIT, step 0, "logits";
        /// For each 500 Elo above 1500.
        rating: f64 = 0.0, -LIMIT..=LIMIT, step 0, "logits";
        /// For the square of that.
        rating_square: f64 = 0.0, -LIMIT..=LIMIT, step 0, "logits";
        /// For each e-fold of the time for a game.
        pace: f64 = 0.0, -LIMIT..=LIMIT, step 0, "logits";
        /// For each unit of ln(1 + 30 / (seconds left + 1)).
        clock: f64 = 0.0, -LIMIT..=LIMIT, step 0, "logits";
        /// For kings only.
        endgame: f64 = 0.0, -LIMIT..=LIMIT, step 0, "logits";
    }
}

/// Parts of the context.
pub const CONTEXT: usize = FeatureWeights::NUMBERS.len();

/// What the weights are multiplied with, in the order of [`FeatureWeights`].
#[must_use]
pub fn context(player: &Player, endgame: f64) -> [f64; CONTEXT] {
    let rating = (player.elo - RATING.0) / RATING.1;
    let pace = (player.pace.max(1.0) / PACE).ln();
    let clock = player.seconds_left.map_or(0.0, |left| (LITTLE_TIME / (left.max(0.0) + 1.0)).ln_1p());
    [1.0, rating, rating * rating, pace, clock, endgame]
}

/// How much the opening's preference for squares counts, 0 to 1.
#[must_use]
pub fn opening_share(endgame: f64) -> f64 {
    (1.0 - OPENING_END * endgame).max(0.0)
}

/// How much a role prefers each square, logits, a1 first, as its owner sees the board.
#[derive(Clone, Debug, PartialEq)]
pub struct SquareWeights {
    /// In the opening.
    pub opening: [f64; 64],
    /// Later.
    pub later: [f64; 64],
}

impl Default for SquareWeights {
    fn default() -> SquareWeights {
        SquareWeights { opening: [0.0; 64], later: [0.0; 64] }
    }
}

/// Probabilities of moves by rating and time. File: `engine-params/human.toml`.
#[derive(Clone, Debug, PartialEq)]
pub struct HumanModel {
    /// Of each of [`FEATURES`].
    pub features: Vec<FeatureWeights>,
    /// Of each role, the pawn first.
    pub squares: [SquareWeights; 6],
    /// How opponents of a rating choose.
    pub levels: Levels,
    /// How long they think.
    pub thinking: ThinkingTime,
    /// What corrects chances of errors.
    pub errors: ErrorChances,
}

impl HumanModel {
    /// The one that ships with the engine.
    #[must_use]
    pub fn shipped() -> &'static HumanModel {
        static MODEL: Lazy<HumanModel> =
            Lazy::new(|| params::read("human.toml", SHIPPED).expect("a test reads the embedded file"));
        &MODEL
    }

    /// Utilities of the moves of a decision, logits.
    #[must_use]
    pub fn utilities(&self, decision: &Decision, player: &Player) -> Vec<f64> {
        let context = context(player, decision.endgame);
        let weigh = |weights: &FeatureWeights| {
            context.iter().enumerate().map(|(index, part)| part * weights.get(index)).sum::<f64>()
        };
        let weights: Vec<f64> = self.features.iter().map(weigh).collect();
        let opening = opening_share(decision.endgame);
        let utility = |choice: &super::Choice| {
            let (role, from, to) = choice.step;
            let SquareWeights { opening: first, later } = &self.squares[role_index(role)];
            let [from, to] = [usize::from(from), usize::from(to)];
            let squares = opening * (first[to] - first[from]) + (1.0 - opening) * (later[to] - later[from]);
            squares + weights.iter().zip(&choice.features).map(|(weight, x)| weight * f64::from(*x)).sum::<f64>()
        };
        decision.choices.iter().map(utility).collect()
    }

    /// Probability of each move of a decision; their sum is 1.
    #[must_use]
    pub fn probabilities(&self, decision: &Decision, player: &Player) -> Vec<f64> {
        softmax(&self.utilities(decision, player))
    }

    /// How hard a decision is, by the probabilities of its moves, with corrected chances of errors.
    #[must_use]
    pub fn difficulty(&self, decision: &Decision, probabilities: &[f64]) -> Difficulty {
        self.errors.corrected(Difficulty::of(decision, probabilities))
    }
}

/// Probabilities in proportion to exp(utility).
#[must_use]
pub fn softmax(utilities: &[f64]) -> Vec<f64> {
    let most = utilities.iter().fold(f64::NEG_INFINITY, |most, &utility| most.max(utility));
    let powers: Vec<f64> = utilities.iter().map(|utility| (utility - most).exp()).collect();
    let sum: f64 = powers.iter().sum();
    powers.iter().map(|power| power / sum).collect()
}

/// The tables beside the features.
const SQUARES: &str = "squares";
const LEVELS: &str = "levels";
const THINKING: &str = "thinking";
const ERRORS: &str = "errors";

impl Parameters for HumanModel {
    /// A table for each feature, named by it, a table `squares` with one for each role, and the tables `levels`,
    /// `thinking` and `errors`. What is missing has its default.
    fn from_document(document: &Spanned<DeTable<'_>>) -> Result<HumanModel, Fault> {
        let mut model = HumanModel {
            features: vec![FeatureWeights::default(); COUNT],
            squares: Default::default(),
            levels: Levels::default(),
            thinking: ThinkingTime::default(),
            errors: ErrorChances::default(),
        };
        if document.get_ref().is_empty() {
            return Err(Fault::new(0..0, "there is no feature"));
        }
        for (name, value) in document.get_ref() {
            let fault = |reason: &str| Fault::new(name.span(), format!("[{}]: {reason}", name.get_ref()));
            let DeValue::Table(entries) = value.get_ref() else { return Err(fault("not a table")) };
            match name.get_ref().as_ref() {
                SQUARES => read_squares(&mut model.squares, entries)?,
                LEVELS => model.levels = Levels::from_table(entries)?,
                THINKING => set_numbers(&mut model.thinking, entries)?,
                ERRORS => set_numbers(&mut model.errors, entries)?,
                name => {
                    let index = FEATURES.iter().position(|feature| feature.name == name);
                    let index = index.ok_or_else(|| fault("there is no such feature"))?;
                    set_numbers(&mut model.features[index], entries)?;
                }
            }
        }
        Ok(model)
    }
}

/// Names of the roles, in the order of the squares' tables.
pub const ROLE_NAMES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

fn set_numbers(table: &mut impl NumberTable, entries: &DeTable<'_>) -> Result<(), Fault> {
    entries.iter().try_for_each(|(key, value)| set_number(table, key.get_ref(), value))
}

fn read_squares(squares: &mut [SquareWeights; 6], roles: &DeTable<'_>) -> Result<(), Fault> {
    for (role, table) in roles {
        let fault = |reason: &str| Fault::new(role.span(), format!("squares.{}: {reason}", role.get_ref()));
        let index = ROLE_NAMES.iter().position(|name| *name == role.get_ref());
        let index = index.ok_or_else(|| fault("there is no such role"))?;
        let DeValue::Table(entries) = table.get_ref() else { return Err(fault("not a table")) };
        for (name, value) in entries {
            let place = match name.get_ref().as_ref() {
                "opening" => &mut squares[index].opening,
                "later" => &mut squares[index].later,
                other => return Err(fault(&format!("'{other}' is neither opening nor later"))),
            };
            let numbers = read_numbers(value).filter(|numbers| numbers.len() == place.len());
            let numbers = numbers.ok_or_else(|| fault("not 64 numbers from -100 to 100"))?;
            place.copy_from_slice(&numbers);
        }
    }
    Ok(())
}

/// The numbers of an array; `None` if it is none, or one of them is no number in range.
fn read_numbers(value: &Spanned<DeValue<'_>>) -> Option<Vec<f64>> {
    let DeValue::Array(items) = value.get_ref() else { return None };
    let number = |item: &Spanned<DeValue<'_>>| {
        let number: f64 = match item.get_ref() {
            DeValue::Integer(integer) => integer.as_str().parse().ok()?,
            DeValue::Float(float) => float.as_str().parse().ok()?,
            _ => return None,
        };
        (-LIMIT..=LIMIT).contains(&number).then_some(number)
    };
    items.iter().map(number).collect()
}

/// The place of a role in the squares' tables.
#[must_use]
pub fn role_index(role: Role) -> usize {
    role as usize - 1
}
