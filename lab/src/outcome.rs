//! How games end for the players.

use shakmaty::{Color, KnownOutcome};

/// How a game ended, for one of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    Win,
    Draw,
    Loss,
}

impl Outcome {
    /// The outcomes in the order in which they are printed.
    pub const ALL: [Outcome; 3] = [Outcome::Win, Outcome::Draw, Outcome::Loss];

    /// The same for the player of `color`, if this is White's.
    pub fn of(self, color: Color) -> Outcome {
        match self {
            Outcome::Win if color.is_black() => Outcome::Loss,
            Outcome::Loss if color.is_black() => Outcome::Win,
            outcome => outcome,
        }
    }

    /// `W`, `D` or `L`.
    pub fn letter(self) -> char {
        ['W', 'D', 'L'][self as usize]
    }

    /// What it is worth: 1, ½ or 0.
    pub fn points(self) -> f64 {
        [1.0, 0.5, 0.0][self as usize]
    }
}

impl From<KnownOutcome> for Outcome {
    fn from(outcome: KnownOutcome) -> Outcome {
        match outcome {
            KnownOutcome::Draw => Outcome::Draw,
            KnownOutcome::Decisive { winner } => Outcome::Win.of(winner),
        }
    }
}
