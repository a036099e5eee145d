//! The draw model in whole numbers: the search needs neither `exp` nor `ln`.
//!
//! The tables are computed by the compiler, so a look-up has nothing to check first.

use crate::wdl::model::{C, DRAW_UNITS, WILO_UNITS};

/// Largest absolute wilo, in centipawns, that the tables tell apart.
pub const WILO_LIMIT: i32 = 12_000;

/// Largest absolute draw score, in hundredths of a logit, that the tables tell apart.
pub const DRAW_LIMIT: i32 = 1200;

/// Fixed-point distance of `P` from one half that stands for certainty (`P` = 1 is `+P_ONE`, `P` = 0 is `−P_ONE`).
pub const P_ONE: i32 = 1 << 30;

/// Fixed-point draw probability that stands for `D` = 1.
pub const D_ONE: i32 = u16::MAX as i32;

/// Largest shift, in centipawns of score, that [`shift`] tells apart.
pub(crate) const SHIFT_LIMIT: i32 = 4095;

/// `Wp − ½` at wilo 0, 1, … centipawns in units of `½ / P_ONE`, strictly rising.
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

/// `exp(C·m)`, the factor on the odds `P / (1 − P)`, of a shift by m = 0, 1, … centipawns.
static ODDS: [f64; SHIFT_LIMIT as usize + 1] = {
    let mut table = [0.0; SHIFT_LIMIT as usize + 1];
    let mut m = 0;
    while m < table.len() {
        table[m] = const_exp(C * m as f64 / WILO_UNITS);
        m += 1;
    }
    table
};

/// Binary digits after the first that [`logarithm`] looks at.
const MANTISSA_BITS: u32 = 10;

/// Parts of a centipawn of score that [`logarithm`] counts in.
const LOGARITHM_UNIT: i32 = 64;

/// A factor of two on the odds in the unit of [`logarithm`].
const DOUBLING: f64 = LOGARITHM_UNIT as f64 * WILO_UNITS / C * std::f64::consts::LN_2;

/// Logarithms of 1, 1 + 2⁻¹⁰, … below 2 in the unit of [`logarithm`].
static LOGARITHMS: [i32; 1 << MANTISSA_BITS] = {
    let mut table = [0; 1 << MANTISSA_BITS];
    let mut i = 0;
    while i < table.len() {
        // ln x = 2·artanh((x − 1) / (x + 1)), by its series.
        let x = 1.0 + i as f64 / table.len() as f64;
        let t = (x - 1.0) / (x + 1.0);
        let (mut sum, mut power, mut n) = (0.0, t, 1.0);
        while n < 40.0 {
            sum += power / n;
            power *= t * t;
            n += 2.0;
        }
        table[i] = (2.0 * sum / std::f64::consts::LN_2 * DOUBLING) as i32;
        i += 1;
    }
    table
};

/// [`sigmoid`](crate::wdl::model::sigmoid) in constants.
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

/// The fixed-point `p` whose printed score is `centipawns` higher.
///
/// This multiplies the odds `P / (1 − P)` by `exp(C·m)`.
#[inline(always)]
#[must_use]
pub fn shift(p: i32, centipawns: i32) -> i32 {
    let factor = ODDS[centipawns.unsigned_abs().min(SHIFT_LIMIT as u32) as usize];
    let one = f64::from(P_ONE);
    // Twice P and 1 − P.
    let (ours, theirs) = (one + f64::from(p), one - f64::from(p));
    let shifted = if centipawns >= 0 {
        (ours * factor - theirs) / (ours * factor + theirs)
    } else {
        (ours - theirs * factor) / (ours + theirs * factor)
    };
    ((one * shifted) as i32).clamp(1 - P_ONE, P_ONE - 1)
}

/// The score of a fixed-point `p` in centipawns by tables, for margins: `100·ln(P / (1 − P)) / C`, to about a centipawn.
/// [`Score::printed_score_cp`](crate::wdl::score::Score::printed_score_cp) is exact.
#[inline(always)]
#[must_use]
pub fn margin_cp(p: i32) -> i32 {
    (logarithm((P_ONE + p) as u32) - logarithm((P_ONE - p) as u32)) / LOGARITHM_UNIT
}

/// The logarithm of a number above 0.
#[inline(always)]
fn logarithm(x: u32) -> i32 {
    let shift = x.leading_zeros();
    let mantissa = (x << shift) >> (31 - MANTISSA_BITS) & ((1 << MANTISSA_BITS) - 1);
    (31 - shift) as i32 * DOUBLING as i32 + LOGARITHMS[mantissa as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wdl::model::{Wdl, logit};
    use proptest::prelude::*;

    /// Expected result of a fixed-point `p`.
    fn real(p: i32) -> f64 {
        0.5 + 0.5 * f64::from(p) / f64::from(P_ONE)
    }

    proptest! {
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
        fn shifting_adds_to_the_printed_score(w in -700..=700i32, m in -500..=500i32, d in -300..=300i32) {
            let p = combine(w, d).0;
            let odds = logit(real(p)) + C * f64::from(m) / WILO_UNITS;
            let direct = 1.0 / (1.0 + (-odds).exp());
            prop_assert!((real(shift(p, m)) - direct).abs() < 1e-6, "{direct}");
        }

        #[test]
        fn the_score_of_p_is_that_of_the_formula(p in 1 - P_ONE..P_ONE) {
            let exact = WILO_UNITS / C * logit(real(p));
            prop_assert!((f64::from(margin_cp(p)) - exact).abs() < 1.5, "{} {exact}", margin_cp(p));
            prop_assert!(margin_cp(p + 1) >= margin_cp(p) && margin_cp(-p) == -margin_cp(p));
        }

        #[test]
        fn shift_is_monotone(w in -2000..=2000i32, m in -1500..=1500i32, d in -900..=500i32) {
            let p = combine(w, d).0;
            let against = (p - shift(p, m)) * m.signum();
            prop_assert!(against <= 16, "{p} {against}");
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
    fn every_centipawn_shows_up_to_the_limit() {
        for wilo in 0..WILO_LIMIT {
            assert!(half_win_share(wilo + 1) >= half_win_share(wilo) + PROGRESS_STEP);
        }
        assert!(half_win_share(WILO_LIMIT) < P_ONE);
    }
}
