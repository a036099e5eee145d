//! The draw model: from two scores to win, draw and loss, and back.
//!
//! A position has a *wilo* score `w` (who wins, given that somebody wins; in pawns, positive for the side to move) and
//! a *draw* score `d` (whether the game is drawn; a logit, the same for both sides). With `C = ln(10) / 4`:
//!
//! | quantity | formula | meaning |
//! |---|---|---|
//! | `Wp` | `1 / (1 + exp(-C·w))` | win share among decisive games |
//! | `D` | `1 / (1 + exp(-d))` | draw probability |
//! | `W`, `L` | `(1 − D)·Wp`, `(1 − D)·(1 − Wp)` | win and loss probability |
//! | `P` | `D/2 + Wp − Wp·D` | expected result |
//!
//! This is the only module that knows these formulas. The search has them in whole numbers, by the tables of
//! [`fixed`](crate::wdl::fixed).
//!
//! ```
//! use halfpoint::wdl::model::{Wdl, centipawns};
//!
//! let wdl = Wdl::from_scores(1.0, 0.0); // one pawn up in a position that is drawn half of the time
//! assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-12);
//! assert!((centipawns(wdl.expected()) - 49.0).abs() < 1.0); // the draws drag the score towards zero
//! ```

/// Aligns the pawn scale of wilo: `ln(10) / 4`, logits per pawn.
pub const C: f64 = std::f64::consts::LN_10 / 4.0;

/// Wilo integers of the engine per pawn: wilo is counted in centipawns.
pub const WILO_UNITS: f64 = 100.0;

/// Draw integers of the engine per logit: the draw score is counted in hundredths of a logit.
pub const DRAW_UNITS: f64 = 100.0;

/// `1 / (1 + exp(-x))`.
#[must_use]
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The inverse of [`sigmoid`]: `ln(p / (1 − p))`.
#[must_use]
pub fn logit(p: f64) -> f64 {
    (p / (1.0 - p)).ln()
}

/// Win share among decisive games, `Wp`, of a wilo score in pawns.
#[must_use]
pub fn win_share(wilo: f64) -> f64 {
    sigmoid(C * wilo)
}

/// Expected result `P = D/2 + Wp − Wp·D` of a win share and a draw probability.
#[must_use]
pub fn expected(win_share: f64, draw: f64) -> f64 {
    draw / 2.0 + win_share - win_share * draw
}

/// The pawn-scale score of an expected result in centipawns: `100 · ln(P / (1 − P)) / C`.
#[must_use]
pub fn centipawns(expected: f64) -> f64 {
    100.0 * logit(expected) / C
}

/// The two scores of the model for one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WiloDraw {
    /// `w`, in pawns, positive for the side to move.
    pub wilo: f64,
    /// `d`, a logit.
    pub draw: f64,
}

impl WiloDraw {
    /// From probabilities: `w = ln(W / L) / C`, `d = ln(D / (W + L))`. Only their ratios count; all must be positive.
    #[must_use]
    pub fn of(Wdl { win, draw, loss }: Wdl) -> WiloDraw {
        WiloDraw { wilo: (win / loss).ln() / C, draw: (draw / (win + loss)).ln() }
    }
}

/// Win, draw and loss probability of the side to move. They sum to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wdl {
    /// Probability that the side to move wins.
    pub win: f64,
    /// Probability of a draw.
    pub draw: f64,
    /// Probability that the side to move loses.
    pub loss: f64,
}

impl Wdl {
    /// From wilo in pawns and the draw score in logits.
    #[must_use]
    pub fn from_scores(wilo: f64, draw: f64) -> Wdl {
        let decisive = sigmoid(-draw);
        Wdl { win: decisive * win_share(wilo), draw: sigmoid(draw), loss: decisive * win_share(-wilo) }
    }

    /// From an expected result and a draw probability; rounding beyond what the result allows is cut off.
    #[must_use]
    pub fn from_expected(expected: f64, draw: f64) -> Wdl {
        let draw = draw.min(2.0 * expected.min(1.0 - expected)).max(0.0);
        Wdl { win: expected - draw / 2.0, draw, loss: 1.0 - expected - draw / 2.0 }
    }

    /// Expected result `P = W + D/2`.
    #[must_use]
    pub fn expected(self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// The probabilities with none below `floor`; where one was, their sum exceeds one.
    #[must_use]
    pub fn floored(self, floor: f64) -> Wdl {
        Wdl { win: self.win.max(floor), draw: self.draw.max(floor), loss: self.loss.max(floor) }
    }

    /// The same in whole per mille, and cut to the expected result of a line that is at least as good, if it is better than
    /// that in whole per mille. As much is drawn as before where that is possible.
    #[must_use]
    pub fn at_most(self, better: Wdl) -> Wdl {
        let half_points = |[win, draw, _]: [u32; 3]| 2 * win + draw;
        let (own, limit) = (self.per_mille(), half_points(better.per_mille()));
        if half_points(own) <= limit {
            return self;
        }
        // An impossible loss stays impossible.
        let draw = match own {
            [_, _, 0] if limit >= 1000 => 2000 - limit,
            [_, draw, _] => draw.min(limit),
        };
        let draw = if (limit - draw).is_multiple_of(2) { draw } else { draw.abs_diff(1) };
        let win = (limit - draw) / 2;
        let [win, draw, loss] = [win, draw, 1000 - win - draw].map(|share| f64::from(share) / 1000.0);
        Wdl { win, draw, loss }
    }

    /// Whole per mille `[win, draw, loss]` that always sum to 1000 and keep the rounded expected result: the draws are
    /// rounded first, wins and losses share the rest.
    #[must_use]
    pub fn per_mille(self) -> [u32; 3] {
        self.in_parts(1000.0)
    }

    /// Whole per cent `[win, draw, loss]` that always sum to 100, rounded as [`per_mille`](Wdl::per_mille) rounds.
    #[must_use]
    pub fn per_cent(self) -> [u32; 3] {
        self.in_parts(100.0)
    }

    /// Whole parts that sum to `all`.
    fn in_parts(self, all: f64) -> [u32; 3] {
        let draw = (all * self.draw).round().clamp(0.0, all);
        let win = ((all - draw + all * (self.win - self.loss)) / 2.0).round().clamp(0.0, all - draw);
        [win as u32, draw as u32, (all - draw - win) as u32]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn outcomes_sum_to_one_and_keep_the_win_ratio(w in -12.0..12.0f64, d in -8.0..8.0f64) {
            let wdl = Wdl::from_scores(w, d);
            prop_assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-12);
            let (wp, lp) = (win_share(w), win_share(-w));
            prop_assert!((wp + lp - 1.0).abs() < 1e-12);
            prop_assert!((wdl.win / wdl.loss / (wp / lp) - 1.0).abs() < 1e-9);
            prop_assert!((wdl.expected() - expected(wp, sigmoid(d))).abs() < 1e-12);
        }

        #[test]
        fn expected_result_rises_with_wilo(w in -10.0..10.0f64, gain in 0.01..5.0f64, d in -6.0..6.0f64) {
            prop_assert!(Wdl::from_scores(w + gain, d).expected() > Wdl::from_scores(w, d).expected());
        }

        #[test]
        fn half_a_point_has_the_sign_of_wilo(w in -10.0..10.0f64, d in -6.0..6.0f64) {
            let p = Wdl::from_scores(w, d).expected() - 0.5;
            prop_assert!(p == 0.0 || p.signum() == (win_share(w) - 0.5).signum());
        }

        #[test]
        fn a_draw_shift_changes_no_comparison_with_a_draw(w in -10.0..10.0f64, d in -6.0..6.0f64, t in -4.0..4.0f64) {
            let (before, after) = (Wdl::from_scores(w, d).expected(), Wdl::from_scores(w, d + t).expected());
            prop_assert_eq!(before > 0.5, after > 0.5);
        }

        #[test]
        fn colour_flip_swaps_win_and_loss(w in -12.0..12.0f64, d in -8.0..8.0f64) {
            let (ours, theirs) = (Wdl::from_scores(w, d), Wdl::from_scores(-w, d));
            prop_assert!((ours.win - theirs.loss).abs() < 1e-15);
            prop_assert!((ours.draw - theirs.draw).abs() < 1e-15);
        }

        #[test]
        fn inverse_recovers_both_scores(w in -8.0..8.0f64, d in -6.0..6.0f64) {
            let wdl = Wdl::from_scores(w, d);
            let scores = WiloDraw::of(wdl);
            prop_assert!((w - scores.wilo).abs() < 1e-9 && (d - scores.draw).abs() < 1e-9);
            let floored = WiloDraw::of(wdl.floored(wdl.win.min(wdl.draw).min(wdl.loss) * 0.999));
            prop_assert!((w - floored.wilo).abs() < 1e-9 && (d - floored.draw).abs() < 1e-9);
        }

        #[test]
        fn likelihood_splits(w in -6.0..6.0f64, d in -4.0..4.0f64, tw in 0.0..1.0f64, share in 0.0..1.0f64) {
            let (td, tl) = ((1.0 - tw) * share, (1.0 - tw) * (1.0 - share));
            let wdl = Wdl::from_scores(w, d);
            let whole = -tw * wdl.win.ln() - td * wdl.draw.ln() - tl * wdl.loss.ln();
            let draw_part = -td * sigmoid(d).ln() - (1.0 - td) * sigmoid(-d).ln();
            let wilo_part = -tw * win_share(w).ln() - tl * win_share(-w).ln();
            prop_assert!((whole - draw_part - wilo_part).abs() < 1e-9);
        }

        #[test]
        fn per_mille_sums_to_a_thousand_and_keeps_the_result(w in -20.0..20.0f64, d in -12.0..12.0f64) {
            let wdl = Wdl::from_scores(w, d);
            let [win, draw, loss] = wdl.per_mille();
            prop_assert_eq!(wdl.per_cent().iter().sum::<u32>(), 100);
            prop_assert_eq!(win + draw + loss, 1000);
            let printed = (f64::from(win) + f64::from(draw) / 2.0) / 1000.0;
            prop_assert!((printed - wdl.expected()).abs() <= 0.000_501);
        }

        #[test]
        fn what_is_cut_is_no_better(better in (-9.0..9.0f64, -7.0..9.0f64), own in (-9.0..9.0f64, -7.0..9.0f64), loses: bool) {
            let wdl = |(w, d): (f64, f64)| {
                let wdl = Wdl::from_scores(w, d);
                if loses { wdl } else { Wdl { win: wdl.win, draw: 1.0 - wdl.win, loss: 0.0 } }
            };
            let (better, own) = (wdl(better), wdl(own));
            let points = |wdl: Wdl| { let [win, draw, loss] = wdl.per_mille(); (2 * win + draw, win + draw + loss) };
            let cut = own.at_most(better);
            prop_assert_eq!(points(cut), (points(own).0.min(points(better).0), 1000), "{:?}", cut);
            prop_assert!(loses || cut.loss == 0.0, "{:?}", cut);
        }
    }
}
