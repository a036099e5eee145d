//! The level of the games: what it makes of the w and d of terms and searches, which speak of other games.

use super::row::Row;
use crate::outcome::Outcome;
use crate::stats::{Case, Regression, log_losses};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A factor on w, and a factor and a constant on d.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// On the log odds that White wins.
    pub wilo_factor: f64,
    /// On the log odds of a draw.
    pub draw_factor: f64,
    /// Added to them.
    pub draw_constant: f64,
}

impl Level {
    /// As they are.
    pub const NONE: Level = Level { wilo_factor: 1.0, draw_factor: 1.0, draw_constant: 0.0 };

    /// The level of games with these outcomes, whose w and d are given as log odds. `is_free`: whether d has a factor, too.
    pub fn fit(cases: &[(Outcome, f64, f64)], is_free: bool) -> Level {
        let decisive = cases.iter().filter(|(outcome, ..)| *outcome != Outcome::Draw).map(|&(outcome, wilo, _)| {
            let yes = f64::from(u8::from(outcome == Outcome::Win));
            Case { offset: wilo, features: [wilo], yes, no: 1.0 - yes }
        });
        let drawn = cases.iter().map(|&(outcome, _, draw)| {
            let yes = f64::from(u8::from(outcome == Outcome::Draw));
            Case { offset: draw, features: [1.0, draw], yes, no: 1.0 - yes }
        });
        let wilo = Regression::fit(decisive, 1, None).coefficients[0];
        let draw = Regression::fit(drawn, if is_free { 2 } else { 1 }, None).coefficients;
        Level {
            wilo_factor: 1.0 + wilo,
            draw_factor: 1.0 + draw.get(1).copied().unwrap_or_default(),
            draw_constant: draw[0],
        }
    }

    /// The log odds of both at this level.
    #[inline]
    pub fn of(&self, wilo: f64, draw: f64) -> (f64, f64) {
        (self.wilo_factor * wilo, self.draw_factor * draw + self.draw_constant)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "w × {:.3}, d × {:.3} {:+.3}", self.wilo_factor, self.draw_factor, self.draw_constant)
    }
}

/// Parts of the log loss of a result, by who won and by whether it was drawn, in nats.
pub fn losses(outcome: Outcome, (wilo, draw): (f64, f64)) -> [f64; 2] {
    let (_, won, lost) = log_losses(wilo);
    let (_, drawn, decided) = log_losses(draw);
    match outcome {
        Outcome::Win => [won, decided],
        Outcome::Draw => [0.0, drawn],
        Outcome::Loss => [lost, decided],
    }
}

/// The level of searches, from training rows.
pub fn of_searches(rows: &[Row]) -> Level {
    let case = |row: &Row| (row.outcome, f64::from(row.search_wilo), f64::from(row.search_draw));
    Level::fit(&rows.iter().map(case).collect::<Vec<_>>(), true)
}
