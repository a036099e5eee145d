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
//! This is the only module that knows these formulas. The search uses the
//! tables behind [`combine`], [`shift`] and [`wilo_of`]; everything else uses the exact functions.
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

/// Largest absolute wilo, in centipawns, that the tables tell apart.
pub const WILO_LIMIT: i32 = 12_000;

/// Largest absolute draw score, in hundredths of a logit, that the tables tell apart.
pub const DRAW_LIMIT: i32 = 1200;

/// Fixed-point distance of `P` from one half that stands for certainty (`P` = 1 is `+P_ONE`, `P` = 0 is `−P_ONE`).
pub const P_ONE: i32 = 1 << 30;

/// Fixed-point draw probability that stands for `D` = 1.
pub const D_ONE: i32 = u16::MAX as i32;

/// Largest shift, in centipawns of wilo, that [`shift`] tells apart.
pub const SHIFT_LIMIT: i32 = 4095;

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

/// `dP/dw = C·(1 − D)·Wp·(1 − Wp)`: what a pawn of wilo is worth in expected result.
#[must_use]
pub fn slope(win_share: f64, draw: f64) -> f64 {
    C * (1.0 - draw) * win_share * (1.0 - win_share)
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

    /// The scores with no outcome less likely than `floor`.
    #[must_use]
    pub fn floored(self, floor: f64) -> WiloDraw {
        WiloDraw::of(Wdl::from_scores(self.wilo, self.draw).floored(floor))
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
        let draw = (1000.0 * self.draw).round().clamp(0.0, 1000.0);
        let win = ((1000.0 - draw) / 2.0 + 500.0 * (self.win - self.loss)).round().clamp(0.0, 1000.0 - draw);
        [win as u32, draw as u32, (1000.0 - draw - win) as u32]
    }
}

// Tables over the integer scores: the search needs neither `exp` nor `ln`. They are computed by the compiler, so a
// look-up has nothing to check first.

/// `Wp − ½` at wilo 0, 1, … centipawns in units of `P_ONE / ½`, strictly rising.
static HALF_WIN_SHARE: [i32; WILO_LIMIT as usize + 1] = {
    let mut table = [0; WILO_LIMIT as usize + 1];
    let mut wilo = 1;
    while wilo < table.len() {
        let exact = (P_ONE as f64 * (2.0 * const_sigmoid(C * wilo as f64 / WILO_UNITS) - 1.0)) as i32;
        // The sigmoid runs flat long before the limit; a step for every centipawn keeps progress visible. The room
        // for these steps is taken from the top of the range.
        let ceiling = P_ONE - PROGRESS_STEP * (WILO_LIMIT + 1 - wilo as i32);
        let floor = table[wilo - 1] + PROGRESS_STEP;
        let value = if exact < ceiling { exact } else { ceiling };
        table[wilo] = if value > floor { value } else { floor };
        wilo += 1;
    }
    table
};

/// `D` at draw scores from `−DRAW_LIMIT`, in units of 2⁻³².
static DRAW: [u32; 2 * DRAW_LIMIT as usize + 1] = {
    let mut table = [0; 2 * DRAW_LIMIT as usize + 1];
    let mut i = 0;
    while i < table.len() {
        table[i] = (const_sigmoid((i as f64 - DRAW_LIMIT as f64) / DRAW_UNITS) * (1u64 << 32) as f64) as u32;
        i += 1;
    }
    table
};

/// `exp(C·m)`, the factor on the odds `Wp / Lp`, of a shift by m = 0, 1, … centipawns.
static ODDS: [f64; SHIFT_LIMIT as usize + 1] = {
    let mut table = [0.0; SHIFT_LIMIT as usize + 1];
    let mut m = 0;
    while m < table.len() {
        table[m] = const_exp(C * m as f64 / WILO_UNITS);
        m += 1;
    }
    table
};

/// Wilo in centipawns at win shares ½, ½ + 1/4096, …, rounded.
static WILO: [i16; 2049] = {
    let mut table = [0; 2049];
    let (mut i, mut wilo) = (0, 0);
    while i < table.len() {
        let share = 0.5 + if i < 2048 { i as f64 } else { 2047.5 } / 4096.0;
        while share / (1.0 - share) >= const_exp(C * (wilo as f64 + 0.5) / WILO_UNITS) {
            wilo += 1;
        }
        table[i] = wilo;
        i += 1;
    }
    table
};

/// [`sigmoid`] in constants.
const fn const_sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + const_exp(-x))
}

/// `exp(x)` for constants, where `f64::exp` is not available. Within a unit of the last place for |x| ≤ 100.
///
/// `x = k·ln 2 + r`, so `exp(x) = 2ᵏ·exp(r)`, and `exp(r)` is its Taylor series. `ln 2` is split in two, so that
/// `k` times its first part is exact.
const fn const_exp(x: f64) -> f64 {
    const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
    const LN_2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
    let k = (x * std::f64::consts::LOG2_E + if x < 0.0 { -0.5 } else { 0.5 }) as i64;
    let (high, low) = (x - k as f64 * LN_2_HIGH, k as f64 * LN_2_LOW);
    let r = high - low;
    // r²/2 + r³/6 + …, the smallest term first.
    let (mut tail, mut n) = (0.0, 18.0);
    while n > 1.0 {
        tail = (tail + 1.0) * r / n;
        n -= 1.0;
    }
    tail *= r;
    (1.0 + (high + (tail - low))) * f64::from_bits(((1023 + k) as u64) << 52)
}

/// Least difference in table units between neighbouring centipawns of wilo.
const PROGRESS_STEP: i32 = 4;

/// Win share of `wilo` centipawns less one half, in units where `P_ONE` is one half.
#[inline(always)]
fn half_win_share(wilo: i32) -> i32 {
    let wilo = wilo.clamp(-WILO_LIMIT, WILO_LIMIT);
    let half = HALF_WIN_SHARE[wilo.unsigned_abs() as usize];
    if wilo < 0 { -half } else { half }
}

/// Combines wilo (centipawns) and draw score (hundredths of a logit) to the fixed-point pair `(p, d)` that the search
/// compares: `p = 2·P_ONE·(P − ½)`, `d = D_ONE·D`.
///
/// Scores beyond the limits are cut; `p` is strictly between `−P_ONE` and `P_ONE`.
#[inline(always)]
#[must_use]
pub fn combine(wilo: i32, draw: i32) -> (i32, i32) {
    let d = DRAW[(draw.clamp(-DRAW_LIMIT, DRAW_LIMIT) + DRAW_LIMIT) as usize];
    // P − ½ = (1 − D)·(Wp − ½)
    let p = (i64::from(half_win_share(wilo)) * ((1 << 32) - i64::from(d))) / (1 << 32);
    // Rounded down, so that D/2 never exceeds what P leaves for it.
    (p as i32, ((i64::from(d) * i64::from(D_ONE)) >> 32) as i32)
}

/// Moves the fixed-point pair `(p, d)` by `centipawns` of wilo at the same draw probability, and returns the new `p`.
///
/// A shift of wilo multiplies the odds `W / L` by `exp(C·m)`; this is exact, so a margin in pawns means the same in
/// balanced, drawish and decided positions.
#[inline(always)]
#[must_use]
pub fn shift(p: i32, d: i32, centipawns: i32) -> i32 {
    let factor = ODDS[centipawns.unsigned_abs().min(SHIFT_LIMIT as u32) as usize];
    let one = f64::from(P_ONE);
    let decisive = one * (1.0 - f64::from(d) * (1.0 / f64::from(D_ONE)));
    // Twice the win and loss probability; rounding of d leaves at least one unit of each.
    let win = (decisive + f64::from(p)).max(1.0);
    let loss = (decisive - f64::from(p)).max(1.0);
    let shifted = if centipawns >= 0 {
        (win * factor - loss) / (win * factor + loss)
    } else {
        (win - loss * factor) / (win + loss * factor)
    };
    ((decisive * shifted) as i32).clamp(1 - P_ONE, P_ONE - 1)
}

/// Wilo in centipawns of the fixed-point pair `(p, d)`, by table: exact to a few centipawns within ±6 pawns, cut off at
/// about ±15.
#[inline(always)]
#[must_use]
pub fn wilo_of(p: i32, d: i32) -> i32 {
    let decisive = i64::from(P_ONE) * i64::from(D_ONE - d);
    if decisive == 0 {
        return 0;
    }
    let share = (i64::from(p.unsigned_abs()) * i64::from(D_ONE) * 2048) / decisive;
    let wilo = i32::from(WILO[share.min(2048) as usize]);
    if p < 0 { -wilo } else { wilo }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Expected result of a fixed-point `p`.
    fn real(p: i32) -> f64 {
        0.5 + 0.5 * f64::from(p) / f64::from(P_ONE)
    }

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
        fn slope_is_the_derivative(w in -10.0..10.0f64, d in -6.0..6.0f64) {
            let p = |w: f64| expected(win_share(w), sigmoid(d));
            let step = 1e-5;
            let numeric = (p(w + step) - p(w - step)) / (2.0 * step);
            prop_assert!((numeric - slope(win_share(w), sigmoid(d))).abs() < 1e-8);
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
            let floored = scores.floored(wdl.win.min(wdl.draw).min(wdl.loss) * 0.999);
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

        #[test]
        fn tables_agree_with_the_formulas(w in -1000..=1000i32, d in -600..=600i32) {
            let (p, draw) = combine(w, d);
            let exact = Wdl::from_scores(f64::from(w) / WILO_UNITS, f64::from(d) / DRAW_UNITS);
            prop_assert!((real(p) - exact.expected()).abs() < 2e-5 * (1.0 - exact.expected()).min(exact.expected()) + 1e-7);
            prop_assert!((f64::from(draw) / f64::from(D_ONE) - exact.draw).abs() < 4e-5);
        }

        #[test]
        fn combine_is_antisymmetric_and_never_certain(w in -40_000..=40_000i32, d in -20_000..=20_000i32) {
            let ((p, dp), (n, dn)) = (combine(w, d), combine(-w, d));
            prop_assert_eq!((p, dp), (-n, dn));
            prop_assert!(p.abs() < P_ONE && (0..=D_ONE).contains(&dp));
        }

        #[test]
        fn shifting_adds_to_wilo(w in -700..=700i32, m in -500..=500i32, d in -300..=300i32) {
            let (p, draw) = combine(w, d);
            let shifted = real(shift(p, draw, m));
            let direct = real(combine(w + m, d).0);
            prop_assert!((shifted - direct).abs() < 2e-4, "{shifted} {direct}");
        }

        #[test]
        fn shift_is_monotone(w in -2000..=2000i32, m in -1500..=1500i32, d in -900..=500i32) {
            let (p, draw) = combine(w, d);
            let shifted = shift(p, draw, m);
            let against = (p - shifted) * m.signum();
            prop_assert!(against <= 16, "{p} {shifted}");
        }

        #[test]
        fn wilo_table_inverts_combine(w in -600..=600i32, d in -300..=300i32) {
            let (p, draw) = combine(w, d);
            prop_assert!((wilo_of(p, draw) - w).abs() <= 8, "{} for {w}", wilo_of(p, draw));
        }
    }

    #[test]
    fn the_exponential_of_the_tables_is_that_of_std() {
        for hundredth in -7000..=7000 {
            let x = f64::from(hundredth) / 100.0;
            assert!((const_exp(x) / x.exp() - 1.0).abs() < 4.5e-16, "{x}");
        }
    }

    #[test]
    fn wilo_is_looked_up_rounded() {
        for (i, &wilo) in WILO.iter().enumerate() {
            let share = 0.5 + (i as f64).min(2047.5) / 4096.0;
            assert!((WILO_UNITS * logit(share) / C - f64::from(wilo)).abs() <= 0.5 + 1e-9, "{i}");
        }
    }

    #[test]
    fn every_centipawn_shows_up_to_the_limit() {
        for wilo in 0..WILO_LIMIT {
            assert!(half_win_share(wilo + 1) >= half_win_share(wilo) + PROGRESS_STEP);
        }
        assert!(half_win_share(WILO_LIMIT) < P_ONE);
    }
}
