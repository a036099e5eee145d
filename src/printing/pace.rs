//! How fast a game is played: its class, and the seconds that each player has.

use super::{TimeClass, TimeControl};

/// How fast a game is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// The class.
    pub class: TimeClass,
    /// Seconds that each player has for 60 moves; what is no number counts as ten minutes.
    pub seconds: f64,
}

impl Pace {
    /// That of a class: about the geometric means of rated games, 1 minute in bullet, 4 in blitz, 12½ in rapid games, and two hours
    /// in all others.
    #[must_use]
    pub fn of_class(class: TimeClass) -> Pace {
        let seconds = match class {
            TimeClass::Bullet => 60.0,
            TimeClass::Blitz => 240.0,
            TimeClass::Rapid => 750.0,
            TimeClass::Classical | TimeClass::Exhibition | TimeClass::Correspondence => 7200.0,
        };
        Pace { class, seconds }
    }

    /// That of a time control; `None` if it gives no time.
    #[must_use]
    pub fn of(control: TimeControl) -> Option<Pace> {
        let class = TimeClass::from_time_control(control)?;
        Some(Pace { class, seconds: control.seconds_for_game() })
    }
}
