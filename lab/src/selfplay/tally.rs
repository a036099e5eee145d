//! What games add up to.

use crate::dataset::{Ending, Game};
use shakmaty::{Color, KnownOutcome};
use std::fmt;

/// Counts over games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub games: u64,
    pub positions: u64,
    /// Games that White won.
    pub white: u64,
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    pub resigned: u64,
    /// Games played on that would have been resigned.
    pub played_on: u64,
    /// Those of them that were not lost after all.
    pub wrong: u64,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.plies.len() as u64;
        match game.outcome {
            KnownOutcome::Decisive { winner: Color::White } => self.white += 1,
            KnownOutcome::Draw => self.draws += 1,
            KnownOutcome::Decisive { winner: Color::Black } => self.black += 1,
        }
        match game.ending {
            Ending::Unknown | Ending::Rules | Ending::Tables => {}
            Ending::Resigned => self.resigned += 1,
            Ending::PlayedOn { right } => {
                self.played_on += 1;
                self.wrong += u64::from(!right);
            }
        }
    }

    /// Fractions of White's wins, draws and Black's wins in one line.
    pub fn results(&self) -> String {
        let [white, draws, black] = [self.white, self.draws, self.black].map(|count| percent(count, self.games));
        format!("W/D/L {white:.1}/{draws:.1}/{black:.1} %")
    }
}

/// A fraction in per cent; 0 of nothing.
pub fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Everything in one line, results as White sees them.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games, {} positions, {}", self.games, self.positions, self.results())?;
        if self.resigned + self.played_on > 0 {
            let wrong = percent(self.wrong, self.played_on);
            write!(
                f,
                ", {} resigned, {} more played on, of which {} wrong to resign ({wrong:.1} %)",
                self.resigned, self.played_on, self.wrong
            )?;
        }
        Ok(())
    }
}
