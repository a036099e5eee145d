//! Contempt: what a colour is taken to have beyond what the board says, because it is the better player.
//!
//! It is part of `w` like any feature, so the draw score by the size of `w` takes it into account, too: against a weaker
//! opponent the most drawish positions are those in which the opponent is better.

use super::sink::BLENDED_UNIT;
use super::{FULL_PHASE, Sum, Weights, draw_curve, phase, taper, wilo_size};
use crate::position::Position;
use crate::wdl::contempt::ContemptScale;
use crate::wdl::model::{WILO_LIMIT, invert};
use crate::wdl::score::Score;
use std::ops::Neg;

/// Draw scores beyond this, in hundredths of a logit, are certainties.
const DRAW_LIMIT: i32 = 2000;

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

    /// Takes the contempt of the side that a score is for out of it: `w` loses it, and `d` becomes what belongs to that `w`.
    /// `leaf` is the position whose evaluation the score is, at the end of the line. Exact scores do not move.
    #[must_use]
    pub fn removed(self, score: Score, leaf: &Position, weights: &Weights) -> Score {
        let wdl = score.wdl();
        if self == Contempt::NONE || !score.is_heuristic() || wdl.draw >= 1.0 {
            return score;
        }
        let phase = phase(leaf);
        let share = |emit: &dyn Fn(&mut Sum)| {
            let mut sum = Sum::new(weights);
            emit(&mut sum);
            sum.blended(phase).div_euclid(BLENDED_UNIT) as i32
        };
        let size = |wilo: i32| share(&|sum| wilo_size(sum, wilo));
        let curved = |draw: i32| draw + share(&|sum| draw_curve(sum, draw));
        let (wilo, draw) = invert(wdl.expected(), wdl.draw);
        let whole = |number: f64, limit: i32| ((100.0 * number).round() as i32).clamp(-limit, limit);
        let (wilo, draw) = (whole(wilo, WILO_LIMIT), whole(draw, DRAW_LIMIT));
        let objective = wilo - taper(self.middlegame, self.endgame, phase) / FULL_PHASE;
        // The curve never falls, so the least sum that it lifts so far can be searched for.
        let (mut low, mut high) = (-2 * DRAW_LIMIT, 2 * DRAW_LIMIT);
        while low < high {
            let middle = (low + high).div_euclid(2);
            if curved(middle) < draw { low = middle + 1 } else { high = middle }
        }
        Score::heuristic(objective, curved(low - size(wilo) + size(objective)))
    }
}

impl Neg for Contempt {
    type Output = Contempt;

    fn neg(self) -> Contempt {
        Contempt { middlegame: -self.middlegame, endgame: -self.endgame }
    }
}
