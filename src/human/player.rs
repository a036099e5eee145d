//! Whose moves are foreseen.

use crate::printing::{Pace, Profiles, TimeClass, TimeControl, WdlFor};
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
        let pace = Pace::of_class(class).seconds;
        Player { elo, class, pace, seconds_left: None }
    }

    /// The same player with a time control; one that gives no time changes nothing, and one of days counts as classical.
    #[must_use]
    pub fn with(self, control: TimeControl) -> Player {
        let Some(Pace { class, seconds }) = Pace::of(control) else { return self };
        let is_timed = TimeClass::TIMED.contains(&class);
        Player { class, pace: if is_timed { seconds } else { Pace::of_class(class).seconds }, ..self }
    }

    /// Games between equals of this level; exhibitions and correspondence games count as classical ones.
    #[must_use]
    pub fn wdl_for(&self, profiles: &Profiles) -> WdlFor {
        let known = |pace| profiles.at(self.elo, pace);
        let numbers = known(Pace { class: self.class, seconds: self.pace });
        numbers.or_else(|| known(Pace::of_class(TimeClass::Classical))).map_or(WdlFor::Nominal, WdlFor::of_equals)
    }
}
