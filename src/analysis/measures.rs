//! What a move cost, and how sharp a position is.

use crate::wdl::model::Wdl;
use serde::Serialize;
use std::fmt;

/// Expected points from which on a loss is an inaccuracy, a mistake, a blunder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// That of an inaccuracy.
    pub inaccuracy: f64,
    /// That of a mistake.
    pub mistake: f64,
    /// That of a blunder.
    pub blunder: f64,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds { inaccuracy: 0.05, mistake: 0.08, blunder: 0.16 }
    }
}

impl fmt::Display for Thresholds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.inaccuracy, self.mistake, self.blunder)
    }
}

impl std::str::FromStr for Thresholds {
    type Err = String;

    /// Reads three rising numbers from 0 to 1, between commas.
    fn from_str(text: &str) -> Result<Thresholds, String> {
        let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[inaccuracy, mistake, blunder])
                if 0.0 < inaccuracy && inaccuracy <= mistake && mistake <= blunder && blunder <= 1.0 =>
            {
                Ok(Thresholds { inaccuracy, mistake, blunder })
            }
            _ => Err("not three rising numbers above 0 and up to 1, such as 0.05,0.08,0.16".to_owned()),
        }
    }
}

/// How bad a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Judgment {
    /// A small loss.
    Inaccuracy,
    /// A loss.
    Mistake,
    /// A large loss.
    Blunder,
}

impl Judgment {
    /// That of a move that lost so many expected points.
    #[must_use]
    pub fn of(lost: f64, thresholds: &Thresholds) -> Option<Judgment> {
        let steps = [
            (thresholds.blunder, Judgment::Blunder),
            (thresholds.mistake, Judgment::Mistake),
            (thresholds.inaccuracy, Judgment::Inaccuracy),
        ];
        steps.into_iter().find(|&(least, _)| lost >= least).map(|(_, judgment)| judgment)
    }

    /// Its numeric annotation glyph: `?!`, `?`, `??`.
    #[must_use]
    pub fn glyph(self) -> u16 {
        match self {
            Judgment::Inaccuracy => 6,
            Judgment::Mistake => 2,
            Judgment::Blunder => 4,
        }
    }

    /// The sign behind the move.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Judgment::Inaccuracy => "?!",
            Judgment::Mistake => "?",
            Judgment::Blunder => "??",
        }
    }
}

impl fmt::Display for Judgment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Expected points that a move lost, and between which results they went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Loss {
    /// All of them: the sum of the other three.
    pub total: f64,
    /// From wins to draws, half a point each.
    pub win_to_draw: f64,
    /// From draws to losses, half a point each.
    pub draw_to_loss: f64,
    /// From wins to losses, a whole point each.
    pub win_to_loss: f64,
}

impl Loss {
    /// That of a move: the mover's chances before it, with best play, and after it. Zero if they did not fall.
    ///
    /// As little probability as possible changes hands: what wins lost and losses gained goes from wins to losses, and only
    /// the rest through draws. Where wins or losses moved against the fall, all of it is put to the other.
    #[must_use]
    pub fn between(before: Wdl, after: Wdl) -> Loss {
        let (fewer_wins, more_losses) = (before.win - after.win, after.loss - before.loss);
        let total = f64::midpoint(fewer_wins, more_losses);
        if total <= 0.0 {
            return Loss::default();
        }
        if fewer_wins < 0.0 {
            return Loss { total, draw_to_loss: total, ..Loss::default() };
        }
        if more_losses < 0.0 {
            return Loss { total, win_to_draw: total, ..Loss::default() };
        }
        let both = fewer_wins.min(more_losses);
        Loss {
            total,
            win_to_draw: (fewer_wins - both) / 2.0,
            draw_to_loss: (more_losses - both) / 2.0,
            win_to_loss: both,
        }
    }
}

impl std::ops::AddAssign for Loss {
    fn add_assign(&mut self, other: Loss) {
        self.total += other.total;
        self.win_to_draw += other.win_to_draw;
        self.draw_to_loss += other.draw_to_loss;
        self.win_to_loss += other.win_to_loss;
    }
}

/// Largest sharpness that is told.
pub const SHARPNESS_LIMIT: f64 = 10.0;

/// Smallest probability of a win for which a position counts as undecided.
const UNDECIDED: f64 = 0.0005;

/// How sharp a position is, in the form used for Lc0: (2 / (ln(1/W − 1) + ln(1/L − 1)))². It is about 0.2 for 10 % wins of
/// either side, 1.4 for 30 %, and diverges as draws vanish, so that it is cut at [`SHARPNESS_LIMIT`]. Where one side has
/// practically no wins left, it is 0.
#[must_use]
pub fn sharpness(wdl: Wdl) -> f64 {
    if wdl.win < UNDECIDED || wdl.loss < UNDECIDED {
        return 0.0;
    }
    let width = (1.0 / wdl.win - 1.0).ln() + (1.0 / wdl.loss - 1.0).ln();
    if width <= 0.0 { SHARPNESS_LIMIT } else { (2.0 / width).powi(2).min(SHARPNESS_LIMIT) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wdl(win: f64, loss: f64) -> Wdl {
        Wdl { win, draw: 1.0 - win - loss, loss }
    }

    #[test]
    fn losses_are_split_by_results() {
        let split = |before, after| {
            let Loss { total, win_to_draw, draw_to_loss, win_to_loss } = Loss::between(before, after);
            [total, win_to_draw, draw_to_loss, win_to_loss].map(|part| (part * 1000.0).round() / 1000.0)
        };
        assert_eq!(split(wdl(0.8, 0.0), wdl(0.2, 0.0)), [0.3, 0.3, 0.0, 0.0]);
        assert_eq!(split(wdl(0.1, 0.1), wdl(0.1, 0.7)), [0.3, 0.0, 0.3, 0.0]);
        assert_eq!(split(wdl(0.8, 0.1), wdl(0.1, 0.8)), [0.7, 0.0, 0.0, 0.7]);
        assert_eq!(split(wdl(0.6, 0.1), wdl(0.2, 0.2)), [0.25, 0.15, 0.0, 0.1]);
        // Sharper and worse: wins rise, but losses more.
        assert_eq!(split(wdl(0.2, 0.2), wdl(0.3, 0.6)), [0.15, 0.0, 0.15, 0.0]);
        assert_eq!(split(wdl(0.2, 0.2), wdl(0.3, 0.2)), [0.0; 4]);
    }

    #[test]
    fn sharpness_is_that_of_lc0_with_a_limit() {
        for (win, loss, expected) in [(0.3, 0.3, 1.3929), (0.1, 0.1, 0.2071), (0.2, 0.5, 2.0814), (0.218, 0.4, 1.4125)]
        {
            assert!((sharpness(wdl(win, loss)) - expected).abs() < 1e-3, "{win} {loss}");
        }
        assert_eq!(sharpness(wdl(0.6, 0.3)), SHARPNESS_LIMIT);
        assert_eq!(sharpness(wdl(0.5, 0.5)), SHARPNESS_LIMIT);
        assert_eq!(sharpness(wdl(1.0, 0.0)), 0.0);
    }

    #[test]
    fn thresholds_rise() {
        assert_eq!(" 0.05, 0.08,0.16".parse(), Ok(Thresholds::default()));
        assert_eq!(Thresholds::default().to_string(), "0.05,0.08,0.16");
        for text in ["", "0.1", "0.2,0.1,0.3", "0,0.1,0.2", "0.1,0.2,1.5", "a,b,c", "0.1,0.2,nan"] {
            assert!(text.parse::<Thresholds>().is_err(), "{text}");
        }
        let of = |lost| Judgment::of(lost, &Thresholds::default());
        assert_eq!(
            [0.04, 0.05, 0.1, 0.5].map(of),
            [None, Some(Judgment::Inaccuracy), Some(Judgment::Mistake), Some(Judgment::Blunder)]
        );
    }

    proptest! {
        #[test]
        fn parts_add_up(a in 0.0..1.0f64, b in 0.0..1.0f64, c in 0.0..1.0f64, d in 0.0..1.0f64) {
            let before = wdl(a * (1.0 - b), b * (1.0 - a));
            let after = wdl(c * (1.0 - d), d * (1.0 - c));
            let loss = Loss::between(before, after);
            prop_assert!((loss.total - (before.expected() - after.expected()).max(0.0)).abs() < 1e-12);
            prop_assert!((loss.total - loss.win_to_draw - loss.draw_to_loss - loss.win_to_loss).abs() < 1e-12);
            prop_assert!([loss.win_to_draw, loss.draw_to_loss, loss.win_to_loss].iter().all(|&part| part >= 0.0));
        }
    }
}
