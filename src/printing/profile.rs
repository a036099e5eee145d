//! The numbers of a profile, in one table: name, default, range, unit, meaning, and what each is multiplied with.
//!
//! A profile turns the scores (w, d) of a search into those of the games that W/D/L are printed for:
//!
//! ```text
//! v = 3·ln(1 + |w|/3) of the sign of w
//! w' = (wilo_factor + wilo_endgame·e)·v + wilo_large·l + wilo_far·u + wilo_turn·4e(1 − e) + wilo_elo·a
//! d' = (draw_factor + draw_factor_endgame·e)·d + draw_offset + draw_endgame·e + draw_few·f + draw_pawns·e·(p − 8)/8
//!      + draw_idle·i + draw_sharp·(1 − D)·|w'|
//! ```
//!
//! with a the hundreds of Elo by which the side to move is rated higher, cut smoothly by [`RatingGap`], 0 where ratings are
//! not known, D the draw probability of d, e from 0 (all pieces) to 1 (kings only), i from 0 to 1 over 16 plies
//! without a capture or a pawn move, f from 0 to 1 as the last quarter of the pieces leaves the board, p the pawns of both
//! sides, and l = |v|³/36 of the sign of v, with |v| of 6 at most: large advantages. Of larger ones still, u tells how far
//! logit(P)/C is beyond ten pawns, in units of ten. Where the search sees a draw by the rules, such as a repetition, players
//! may deviate from it:
//!
//! ```text
//! w' = wilo_elo·a
//! d' = draw_certain + draw_certain_endgame·e
//! ```
//!
//! Where it sees a mate in n moves (10 at most), players may miss it:
//!
//! ```text
//! w' = ±(wilo_mate + wilo_mate_moves·ln n)
//! d' = draw_mate + draw_mate_moves·ln n
//! ```
//!
//! So w' and d' are sums of products: each number times one [`Feature`]. [`printing`](crate::printing) adds them up,
//! and a fit of profiles reads the same features. A new number is one entry in the table.
//!
//! Draws get rarer with the size of w', whatever it is made of, so a better position or a better player never counts for
//! less.

use super::{BoardFacts, FLOOR, RatingGap};
use crate::number_table;
use crate::params::{DeValue, Fault, NumberTable, Spanned, set_number};
use crate::wdl::model::{Wdl, WiloDraw, centipawns, sigmoid};
use std::ops::RangeInclusive;

/// Largest size of a number.
const LIMIT: f64 = 100.0;
/// The range of most numbers.
const ANY: RangeInclusive<f64> = -LIMIT..=LIMIT;
/// The range of numbers that are not negative.
const POSITIVE: RangeInclusive<f64> = 0.0..=LIMIT;
/// The range of numbers that are not positive, so that a larger advantage never counts for less.
const NEGATIVE: RangeInclusive<f64> = -LIMIT..=0.0;

/// Least factor that a cut leaves, and most that other numbers may take away of one.
const LEAST_FACTOR: f64 = 0.05;
const MOST_TAKEN: f64 = 0.9;

/// Pawns above which `v` grows clearly slower than `w`.
const BEND: f64 = 3.0;
/// `|v|` beyond which `l` grows no more; no search prints a larger one. There `l` is `v`.
const LARGEST: f64 = 6.0;
/// Pawns of `logit(P)/C` beyond which an advantage is far, which are also the unit of `u`, and most that count.
const FAR: f64 = 10.0;
const FARTHEST: f64 = 20.0;
/// `e` from which on few pieces are left.
const FEW: f64 = 0.75;
/// Moves from which on a mate counts as no farther.
const FAR_MATE: u32 = 10;

/// Which score a number is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// `w'`.
    Wilo,
    /// `d'`.
    Draw,
}

/// Where a search has its score from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An evaluation.
    Evaluation,
    /// A draw by the rules, such as a repetition; not an evaluation that is all but drawn.
    RuleDraw,
    /// A mate.
    Mate,
}

/// What the features of a position are made of. What does not belong to its origin is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inputs {
    /// Where the score is from.
    pub origin: Origin,
    /// From 0 with all pieces on the board to 1 with kings only.
    pub endgame: f64,
    /// From 0 after a capture or a pawn move to 1 after 16 plies without one.
    pub idle: f64,
    /// `(p − 8)/8`: from −1 without pawns to 1 with all.
    pub pawns: f64,
    /// Rating of the side to move less that of the other, what counts of it by [`RatingGap`], hundreds of Elo; 0 if it is not
    /// known.
    pub advantage: f64,
    /// `v`, in pawns: `w` with large values compressed, as large advantages are less often real.
    pub v: f64,
    /// `u`: advantages beyond ten pawns, which per mille of W/D/L soon do not tell apart.
    pub far: f64,
    /// `w'`, in pawns; 0 until [`ahead`](Inputs::ahead) sets it.
    pub adjusted: f64,
    /// `d`, a logit.
    pub d: f64,
    /// Draw probability of `d`.
    pub draw_probability: f64,
    /// 1 if the side to move mates, -1 if it is mated.
    pub mate_side: f64,
    /// Natural logarithm of the moves to mate, of ten at most.
    pub log_moves: f64,
}

impl Inputs {
    fn new(origin: Origin, board: BoardFacts) -> Inputs {
        let (endgame, idle) = (board.endgame(), board.idle());
        let pawns = f64::from(board.pawns) / 8.0 - 1.0;
        let advantage = RatingGap::shipped().effective(f64::from(board.advantage)) / 100.0;
        let (v, far, adjusted, d, draw_probability, mate_side, log_moves) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        Inputs { origin, endgame, idle, pawns, advantage, v, far, adjusted, d, draw_probability, mate_side, log_moves }
    }

    /// The same with `w'` by these numbers, since `d'` goes by its size.
    #[must_use]
    pub fn ahead(self, numbers: &ProfileNumbers) -> Inputs {
        Inputs { adjusted: self.sum(numbers, Target::Wilo), ..self }
    }

    /// What the numbers of a target come to.
    #[must_use]
    pub fn sum(&self, numbers: &ProfileNumbers, target: Target) -> f64 {
        let of_target = numbers.values().into_iter().zip(&FEATURES).filter(|(_, feature)| feature.target == target);
        of_target.map(|(number, feature)| number * feature.value(self)).sum()
    }

    /// Of the scores of an evaluation.
    #[must_use]
    pub fn evaluation(WiloDraw { wilo, draw }: WiloDraw, board: BoardFacts) -> Inputs {
        let v = (BEND * (wilo.abs() / BEND).ln_1p()).copysign(wilo);
        let far = far(Wdl::from_scores(wilo, draw).expected());
        Inputs { v, far, d: draw, draw_probability: sigmoid(draw), ..Inputs::new(Origin::Evaluation, board) }
    }

    /// Of a draw by the rules.
    #[must_use]
    pub fn rule_draw(board: BoardFacts) -> Inputs {
        Inputs { draw_probability: 1.0, ..Inputs::new(Origin::RuleDraw, board) }
    }

    /// Of a mate in so many moves, negative if the side to move is mated.
    #[must_use]
    pub fn mate(moves: i32, board: BoardFacts) -> Inputs {
        let mate_side = if moves > 0 { 1.0 } else { -1.0 };
        let log_moves = f64::from(moves.unsigned_abs().clamp(1, FAR_MATE)).ln();
        Inputs { mate_side, log_moves, ..Inputs::new(Origin::Mate, board) }
    }

    /// Of the printed probabilities of an evaluation, with the expected result, which tells large advantages apart where per
    /// mille do not.
    #[must_use]
    pub fn printed(wdl: Wdl, expected: f64, board: BoardFacts) -> Inputs {
        Inputs { far: far(expected), ..Inputs::evaluation(WiloDraw::of(wdl.floored(FLOOR)), board) }
    }

    /// `l`: large advantages, in pawns.
    fn large(&self) -> f64 {
        self.v.clamp(-LARGEST, LARGEST).powi(3) / LARGEST.powi(2)
    }

    /// `f`: from 0 to 1 as the last pieces leave the board.
    fn few(&self) -> f64 {
        (self.endgame - FEW).max(0.0) / (1.0 - FEW)
    }
}

/// `u` of an expected result.
fn far(expected: f64) -> f64 {
    let pawns = centipawns(expected) / 100.0;
    ((pawns.abs().min(FARTHEST) - FAR).max(0.0) / FAR).copysign(pawns)
}

/// What a number is multiplied with.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// The score that the product is added to.
    pub target: Target,
    /// The scores that it is for.
    origins: &'static [Origin],
    of: fn(&Inputs) -> f64,
}

impl Feature {
    /// Its value; zero for scores of another origin.
    #[must_use]
    pub fn value(&self, inputs: &Inputs) -> f64 {
        if self.is_of(inputs.origin) { (self.of)(inputs) } else { 0.0 }
    }

    /// Whether it is for scores of this origin.
    #[must_use]
    pub fn is_of(&self, origin: Origin) -> bool {
        self.origins.contains(&origin)
    }
}

/// Declares [`ProfileNumbers`] and [`FEATURES`] from one entry for each number:
/// `name: default, range, "unit", target of origins, feature;`.
macro_rules! profile_numbers {
    ($(
        $(#[doc = $meaning:literal])+
        $name:ident: $default:expr, $range:expr, $unit:literal, $target:ident of $($origin:ident)|+, $feature:expr;
    )+) => {
        number_table! {
            /// The numbers of a profile. With the defaults small advantages stay as they are and large ones are compressed.
            pub struct ProfileNumbers {
                $(
                    $(#[doc = $meaning])+
                    $name: f64 = $default, $range, step 0.1, $unit;
                )+
            }
        }

        /// What each number of [`ProfileNumbers`] is multiplied with, in their order.
        pub static FEATURES: [Feature; COUNT] =
            [$(Feature { target: Target::$target, origins: &[$(Origin::$origin),+], of: $feature }),+];
    };
}

/// How many numbers there are.
pub const COUNT: usize = ProfileNumbers::NUMBERS.len();

profile_numbers! {
    /// Added to `w` for each 100 Elo by which the side to move is rated higher; the default is that of Elo's formula.
    wilo_elo: 1.0, POSITIVE, "pawns for 100 Elo", Wilo of Evaluation | RuleDraw, |x| x.advantage;
    /// Factor on `v`.
    wilo_factor: 1.0, POSITIVE, "factor", Wilo of Evaluation, |x| x.v;
    /// Added to the factor on `v` as pieces leave the board.
    wilo_endgame: 0.0, ANY, "factor", Wilo of Evaluation, |x| x.endgame * x.v;
    /// Factor on `l`; with the default large advantages stay compressed.
    wilo_large: 0.0, POSITIVE, "factor", Wilo of Evaluation, Inputs::large;
    /// Factor on `u`; with the default the largest advantages, which per mille do not tell apart, count alike.
    wilo_far: 0.0, POSITIVE, "pawns", Wilo of Evaluation, |x| x.far;
    /// Added to `w` of the side to move, who may err, with half of the pieces on the board, and less with more or fewer.
    wilo_turn: 0.0, ANY, "pawns", Wilo of Evaluation, |x| 4.0 * x.endgame * (1.0 - x.endgame);
    /// Added to `d`.
    draw_offset: 0.0, ANY, "logits", Draw of Evaluation, |_| 1.0;
    /// Factor on `d`.
    draw_factor: 1.0, POSITIVE, "factor", Draw of Evaluation, |x| x.d;
    /// Added to the factor on `d` as pieces leave the board.
    draw_factor_endgame: 0.0, ANY, "factor", Draw of Evaluation, |x| x.endgame * x.d;
    /// Added to `d` as pieces leave the board.
    draw_endgame: 0.0, ANY, "logits", Draw of Evaluation, |x| x.endgame;
    /// Added to `d` as the last quarter of the pieces leaves the board.
    draw_few: 0.0, ANY, "logits", Draw of Evaluation, Inputs::few;
    /// Added to `d` as pieces leave the board: in full with all pawns, half with twelve, with fewer than eight taken from it.
    draw_pawns: 0.0, ANY, "logits", Draw of Evaluation, |x| x.endgame * x.pawns;
    /// Added to `d` after 16 plies without a capture or a pawn move, in proportion before.
    draw_idle: 0.0, ANY, "logits", Draw of Evaluation, |x| x.idle;
    /// Added to `d` for each pawn of |w'|, in proportion to 1 − D: an advantage says little where a draw is all but certain.
    draw_sharp: 0.0, NEGATIVE, "logits per pawn", Draw of Evaluation, |x| (1.0 - x.draw_probability) * x.adjusted.abs();
    /// `d` of a draw by the rules with all pieces on the board; the default is about that of the engine's own games.
    draw_certain: 0.0, ANY, "logits", Draw of RuleDraw, |_| 1.0;
    /// Added to `draw_certain` as pieces leave the board.
    draw_certain_endgame: 4.5, ANY, "logits", Draw of RuleDraw, |x| x.endgame;
    /// `w` of the side that mates in one; the default is a certain win.
    wilo_mate: 20.0, POSITIVE, "pawns", Wilo of Mate, |x| x.mate_side;
    /// Added to `wilo_mate` for each e-fold of the moves to mate.
    wilo_mate_moves: 0.0, ANY, "pawns", Wilo of Mate, |x| x.mate_side * x.log_moves;
    /// `d` of a mate in one; the default is never drawn.
    draw_mate: -10.0, ANY, "logits", Draw of Mate, |_| 1.0;
    /// Added to `draw_mate` for each e-fold of the moves to mate.
    draw_mate_moves: 0.0, ANY, "logits", Draw of Mate, |x| x.log_moves;
}

/// A condition on several numbers together, and what is wrong where it does not hold.
type Condition = (fn(&ProfileNumbers) -> bool, &'static str);

/// With these a better position never counts for less.
const CONDITIONS: [Condition; 3] = [
    (|n| n.wilo_factor + n.wilo_endgame.min(0.0) > 0.0, "wilo_factor must be positive, also with wilo_endgame added"),
    (
        |n| n.draw_factor + n.draw_factor_endgame >= 0.0,
        "draw_factor with draw_factor_endgame added must not be negative",
    ),
    (
        |n| n.wilo_mate.min(n.wilo_mate + n.wilo_mate_moves * f64::from(FAR_MATE).ln()) > 0.0,
        "wilo_mate must be positive, also with wilo_mate_moves for ten moves added",
    ),
];

impl ProfileNumbers {
    /// All numbers, in the order of the table.
    #[must_use]
    pub fn values(&self) -> [f64; COUNT] {
        std::array::from_fn(|index| self.get(index))
    }

    /// From all numbers, in the order of the table.
    #[must_use]
    pub fn from_values(values: [f64; COUNT]) -> ProfileNumbers {
        let mut numbers = ProfileNumbers::default();
        values.into_iter().enumerate().for_each(|(index, value)| numbers.set(index, value));
        numbers
    }

    /// Cuts what makes a better position count for less, as [`check`](ProfileNumbers::check) finds it.
    pub(super) fn cut(&mut self) {
        for (index, number) in Self::NUMBERS.iter().enumerate() {
            self.set(index, self.get(index).clamp(number.min, number.max));
        }
        self.wilo_factor = self.wilo_factor.max(LEAST_FACTOR);
        self.wilo_endgame = self.wilo_endgame.max(-MOST_TAKEN * self.wilo_factor);
        self.draw_factor_endgame = self.draw_factor_endgame.max(-self.draw_factor);
        self.wilo_mate = self.wilo_mate.max(LEAST_FACTOR);
        self.wilo_mate_moves = self.wilo_mate_moves.max(-MOST_TAKEN * self.wilo_mate / f64::from(FAR_MATE).ln());
    }

    /// Checks all ranges, and that a better position never counts for less.
    ///
    /// # Errors
    ///
    /// What is wrong, with the names of the numbers.
    pub fn check(&self) -> Result<(), String> {
        let mut checked = ProfileNumbers::default();
        for (number, value) in Self::NUMBERS.iter().zip(self.values()) {
            checked.set_checked(number.name, value)?;
        }
        CONDITIONS.iter().find(|(holds, _)| !holds(self)).map_or(Ok(()), |(_, wrong)| Err((*wrong).to_owned()))
    }
}

/// Whether a number is for mates, by its name.
#[must_use]
pub fn is_of_mates(name: &str) -> bool {
    ProfileNumbers::index(name).is_some_and(|index| FEATURES[index].is_of(Origin::Mate))
}

/// Whether a number is for the difference of the players' ratings, by its name.
#[must_use]
pub fn is_of_ratings(name: &str) -> bool {
    name == "wilo_elo"
}

/// Sets a number from an entry of a profile's table. The table `fit` is for the reader and is skipped.
pub(super) fn set_entry(numbers: &mut ProfileNumbers, key: &str, value: &Spanned<DeValue<'_>>) -> Result<(), Fault> {
    match (key, value.get_ref()) {
        ("fit", DeValue::Table(_)) => Ok(()),
        _ => set_number(numbers, key, value),
    }
}

/// The numbers at a place between known ones at ascending places, or those of the nearest; `None` if none is known.
pub(super) fn between(known: &[(f64, &ProfileNumbers)], place: f64) -> Option<ProfileNumbers> {
    let above = known.partition_point(|&(at, _)| at < place);
    let (low, high) = (known.get(above.saturating_sub(1))?, known.get(above).or(known.last())?);
    let part = if high.0 > low.0 { ((place - low.0) / (high.0 - low.0)).clamp(0.0, 1.0) } else { 0.0 };
    let (a, b) = (low.1.values(), high.1.values());
    Some(ProfileNumbers::from_values(std::array::from_fn(|i| a[i] + part * (b[i] - a[i]))))
}
