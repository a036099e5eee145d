//! Contempt: what a colour is taken to have beyond what the board says, because it is the better player.
//!
//! It is part of `w` like any feature, so the draw score by the size of `w` takes it into account, too: against a weaker
//! opponent the most drawish positions are those in which the opponent is better.

use super::curves::{draw_curve, wilo_size};
use super::phase::{FULL_PHASE, phase, taper};
use super::sink::{BLENDED_UNIT, Sum};
use super::weights::Weights;
use crate::position::Position;
use crate::wdl::contempt::ContemptScale;
use crate::wdl::model::{DRAW_UNITS, WILO_UNITS, WiloDraw};
use std::ops::Neg;

/// Largest draw score before the curve that is looked for, in hundredths of a logit.
const LARGEST_DRAW: i32 = 4000;

/// Contempt as centipawns of wilo for one colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contempt {
    /// With all pieces on the board.
    pub middlegame: i32,
    /// With none but pawns and kings.
    pub endgame: i32,
}

impl Contempt {
    /// Nobody is the better player.
    pub const NONE: Contempt = Contempt { middlegame: 0, endgame: 0 };

    /// Contempt of a rating advantage in Elo; antisymmetric.
    #[must_use]
    pub fn from_elo(elo: i32, scale: &ContemptScale) -> Contempt {
        let [middlegame, endgame] = scale.wilo(elo);
        Contempt { middlegame, endgame }
    }

    /// Takes the contempt of the side to move out of scores: `w` loses it, and `d` becomes what belongs to that `w`. `leaf`
    /// is the position whose evaluation the scores are, at the end of the line.
    #[must_use]
    pub fn remove_from(self, scores: WiloDraw, leaf: &Position, weights: &Weights) -> WiloDraw {
        if self == Contempt::NONE {
            return scores;
        }
        let phase = phase(leaf);
        let share = |emit: &dyn Fn(&mut Sum)| {
            let mut sum = Sum::new(weights);
            emit(&mut sum);
            sum.blended(phase) as f64 / BLENDED_UNIT as f64
        };
        // Both have their corners at whole numbers.
        let size = |wilo: f64| interpolate(wilo, |wilo| share(&|sum| wilo_size(sum, wilo)));
        let curved = |draw: i32| f64::from(draw) + share(&|sum| draw_curve(sum, draw));
        let (wilo, draw) = (WILO_UNITS * scores.wilo, DRAW_UNITS * scores.draw);
        let own = f64::from(taper(self.middlegame, self.endgame, phase)) / f64::from(FULL_PHASE);
        let before_curve = inverse(draw, curved);
        let objective = interpolate(before_curve - size(wilo) + size(wilo - own), curved);
        WiloDraw { wilo: (wilo - own) / WILO_UNITS, draw: objective / DRAW_UNITS }
    }
}

/// A function of whole numbers between two of them.
fn interpolate(x: f64, of: impl Fn(i32) -> f64) -> f64 {
    let below = x.floor();
    let (low, high) = (of(below as i32), of(below as i32 + 1));
    low + (x - below) * (high - low)
}

/// The place at which a function of whole numbers that never falls reaches a value: the first, if there are several.
fn inverse(value: f64, of: impl Fn(i32) -> f64) -> f64 {
    let (mut low, mut high) = (-LARGEST_DRAW, LARGEST_DRAW);
    while low < high {
        let middle = (low + high).div_euclid(2);
        if of(middle) < value { low = middle + 1 } else { high = middle }
    }
    let (before, here) = (of(low - 1), of(low));
    if before < value && value < here { f64::from(low) - (here - value) / (here - before) } else { f64::from(low) }
}

impl Neg for Contempt {
    type Output = Contempt;

    fn neg(self) -> Contempt {
        Contempt { middlegame: -self.middlegame, endgame: -self.endgame }
    }
}
