//! The two vectors of weights, and what a position comes to in the regression of each.

use super::block::Row;
use super::coefficients::Coefficient;
use crate::stats::log_losses;
use halfpoint::eval::tuning::Word;
use halfpoint::eval::tuning::terms::COUNT;
use halfpoint::wdl::model::{C, DRAW_UNITS, WILO_UNITS};

/// One of the two vectors of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vector {
    /// Who wins, given that somebody wins: centipawns.
    Wilo,
    /// Whether the game is drawn: hundredths of a logit.
    Draw,
}

/// Weights of a vector: middlegame and endgame of each feature in turn.
pub const WEIGHTS: usize = 2 * COUNT;

impl Vector {
    /// Both, as arrays have them.
    pub const BOTH: [Vector; 2] = [Vector::Wilo, Vector::Draw];

    /// As it stands in tables.
    pub fn name(self) -> &'static str {
        match self {
            Vector::Wilo => "wilo",
            Vector::Draw => "draw",
        }
    }

    /// Logits for one unit of a weight.
    pub fn logits_per_unit(self) -> f64 {
        match self {
            Vector::Wilo => C / WILO_UNITS,
            Vector::Draw => 1.0 / DRAW_UNITS,
        }
    }

    /// Middlegame and endgame weight.
    pub fn lanes(self, word: Word) -> [i32; 2] {
        match self {
            Vector::Wilo => [word.wilo_mg(), word.wilo_eg()],
            Vector::Draw => [word.draw_mg(), word.draw_eg()],
        }
    }

    /// How often the weight of a feature counts, White's view.
    pub fn count(self, coefficient: Coefficient) -> f64 {
        let (black, white) = (f64::from(coefficient.black), f64::from(coefficient.white));
        match self {
            Vector::Wilo => white - black,
            Vector::Draw => white + black,
        }
    }

    /// Whether the target of a position says anything for the regression.
    #[inline]
    pub fn has_target(self, row: &Row) -> bool {
        let (yes, no) = self.target(row);
        yes + no > 0.0
    }

    /// The part of a position in the regression.
    #[inline]
    pub fn fit(self, row: &Row, logit: f64) -> Fitted {
        let (yes, no) = self.target(row);
        let (p, loss_yes, loss_no) = log_losses(logit);
        Fitted {
            logit,
            loss: yes * loss_yes + no * loss_no,
            slope: (yes + no) * p - yes,
            curvature: (yes + no) * p * (1.0 - p),
        }
    }

    /// Target for and against: win and loss, or draw and the rest. Both are zero if the regression can do nothing about
    /// the position.
    pub fn target(self, row: &Row) -> (f64, f64) {
        match self {
            Vector::Draw if row.is_saturated => (0.0, 0.0),
            Vector::Wilo => (f64::from(row.target.win), f64::from(row.target.loss)),
            Vector::Draw => (f64::from(row.target.draw), 1.0 - f64::from(row.target.draw)),
        }
    }
}

/// A position as a regression sees it.
pub struct Fitted {
    pub logit: f64,
    pub loss: f64,
    pub slope: f64,
    pub curvature: f64,
}
