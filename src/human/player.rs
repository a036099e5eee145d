//! Whose moves are foreseen.

use crate::printing::{Profiles, TimeClass, TimeControl, WdlFor};
use std::ops::RangeInclusive;

/// Ratings that the model is asked for, Elo.
pub const RATINGS: RangeInclusive<u32> = 400..=3000;

/// A player at a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Player {
    /// Rating, Elo.
    pub elo: f64,
    /// Class of the time control.
    pub class: TimeClass,
    /// Seconds that the time control gives for 60 moves.
    pub pace: f64,
    /// Seconds left on the clock; `None` if they are not known.
    pub seconds_left: Option<f64>,
}

impl Player {
    /// A player in a game of a time class whose clock is not known.
    #[must_use]
    pub fn of_class(elo: f64, class: TimeClass) -> Player {
        let pace = match class {
            TimeClass::Bullet => 60.0,
            TimeClass::Blitz => 240.0,
            TimeClass::Rapid => 900.0,
            TimeClass::Classical | TimeClass::Exhibition | TimeClass::Correspondence => 7200.0,
        };
        Player { elo, class, pace, seconds_left: None }
    }

    /// The same player with a time control; one that gives no time changes nothing.
    #[must_use]
    pub fn with(self, control: TimeControl) -> Player {
        let pace = control.seconds_for_game();
        let class = TimeClass::from_time_control(control);
        class.map_or(self, |class| Player { class, pace, ..self })
    }

    /// Games between equals of this level.
    #[must_use]
    pub fn wdl_for(&self, profiles: &Profiles) -> WdlFor {
        profiles.at_elo(self.elo, self.class).map_or(WdlFor::Nominal, WdlFor::of_equals)
    }
}
