//! The value that the search compares: expected result and draw probability in one word.
//!
//! ```text
//!  lost mate ─ lost table ─ heuristic … draw … heuristic ─ won table ─ won mate
//! ```
//!
//! The ranges are disjoint. Scores are ordered by `P` alone; negation mirrors `P` about one half and keeps `D`.
//!
//! ```
//! use halfpoint::wdl::score::Score;
//!
//! let better = Score::heuristic(150, 20); // wilo in centipawns, draw score in hundredths of a logit
//! assert!(better > Score::DRAW && -better < Score::DRAW);
//! assert_eq!((-better).draw_probability(), better.draw_probability());
//! assert!(Score::mate_in(5) > Score::tablebase_win(3) && Score::tablebase_win(3) > better);
//! ```

use crate::wdl::fixed::{self, D_ONE, P_ONE};
use crate::wdl::model::{self, Wdl, WiloDraw};
use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

/// `P` from which a game is as good as won.
const NEARLY_WON: i32 = (0.92 * P_ONE as f64) as i32;

/// Longest line, in plies from the root, that the search follows; mate and tablebase scores count up to it.
pub const MAX_PLY: usize = 246;

/// Value of a table win at the root; the distance is subtracted.
const TABLEBASE: i32 = P_ONE + 2 * RANGE;
/// Value of a mate at the root; the distance is subtracted.
const MATE: i32 = P_ONE + 4 * RANGE;
/// Room for each of the exact ranges.
const RANGE: i32 = 1 << 12;

/// Largest estimate in printed centipawns.
pub const MAX_SCORE_CP: i32 = 15_000;
/// A tablebase win at the root in printed centipawns.
const TABLEBASE_CENTIPAWNS: i32 = 20_000;
/// A mate at the root in centipawns.
const MATE_CENTIPAWNS: i32 = 32_000;

/// Least probability of win, draw and loss in an estimate, so that its scores are finite.
const LEAST_PROBABILITY: f64 = 1e-9;

/// Expected result and draw probability of a position for the side to move, in one 64-bit word: the fixed-point
/// `P − ½` in the upper half (see [`fixed::combine`]), `D` in the lower.
///
/// Equality and order look at `P` alone.
#[derive(Clone, Copy)]
pub struct Score(i64);

/// An expected result in whole centipawns, at most [`MAX_SCORE_CP`] either way.
#[must_use]
pub fn printed_score_cp(expected: f64) -> i32 {
    let limit = f64::from(MAX_SCORE_CP);
    model::centipawns(expected).clamp(-limit, limit).round() as i32
}

/// What a score stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An estimate of the evaluation, or a draw.
    Heuristic,
    /// A tablebase win (positive) or loss (negative) this many plies from the root.
    Tablebase(i32),
    /// Mate given (positive) or suffered (negative) this many plies from the root; mated on the board is zero.
    Mate(i32),
}

impl Score {
    /// A game-theoretic draw: `P` = ½, `D` = 1.
    pub const DRAW: Score = Score::new(0, D_ONE);
    /// Above every score.
    pub const INFINITE: Score = Score::new(MATE + RANGE, 0);

    pub(super) const fn new(p: i32, d: i32) -> Score {
        Score((p as i64) << 32 | d as i64)
    }

    /// From wilo in centipawns and a draw score in hundredths of a logit.
    #[inline]
    #[must_use]
    pub fn heuristic(wilo: i32, draw: i32) -> Score {
        let (p, d) = fixed::combine(wilo, draw);
        Score::new(p, d)
    }

    /// The side to move mates `plies` from the root.
    #[must_use]
    pub const fn mate_in(plies: usize) -> Score {
        Score::new(MATE - plies as i32, 0)
    }

    /// The side to move is mated `plies` from the root.
    #[must_use]
    pub const fn mated_in(plies: usize) -> Score {
        Score::new(plies as i32 - MATE, 0)
    }

    /// A tablebase win whose table position is `plies` from the root.
    #[must_use]
    pub const fn tablebase_win(plies: usize) -> Score {
        Score::new(TABLEBASE - plies as i32, 0)
    }

    /// Fixed-point `P − ½`: `±P_ONE` is certainty, exact scores lie beyond it.
    #[inline]
    #[must_use]
    pub const fn p(self) -> i32 {
        (self.0 >> 32) as i32
    }

    /// Fixed-point draw probability, 0 to [`D_ONE`].
    #[inline]
    #[must_use]
    pub const fn d(self) -> i32 {
        self.0 as u32 as i32
    }

    /// The pair back from its two halves, as the transposition table stores them.
    #[inline]
    #[must_use]
    pub const fn from_parts(p: i32, d: u16) -> Score {
        Score::new(p, d as i32)
    }

    /// Expected result, 0 to 1.
    #[must_use]
    pub fn expected(self) -> f64 {
        0.5 + 0.5 * f64::from(self.p().clamp(-P_ONE, P_ONE)) / f64::from(P_ONE)
    }

    /// Draw probability, 0 to 1.
    #[must_use]
    pub fn draw_probability(self) -> f64 {
        f64::from(self.d()) / f64::from(D_ONE)
    }

    /// Win, draw and loss probability; certain for exact scores.
    #[must_use]
    pub fn wdl(self) -> Wdl {
        Wdl::from_expected(self.expected(), self.draw_probability())
    }

    /// The two scores of an estimate; `None` for draws by the rules, tablebase results and mates.
    #[must_use]
    pub fn estimate(self) -> Option<WiloDraw> {
        let wdl = self.wdl();
        (self.is_heuristic() && wdl.draw < 1.0).then(|| WiloDraw::of(wdl.floored(LEAST_PROBABILITY)))
    }

    /// The score in centipawns as it is printed and stored: `100·ln(P / (1 − P)) / C`, rounded, at most
    /// [`MAX_SCORE_CP`] either way. A tablebase win counts 20,000 and a mate 32,000, less the plies from the root.
    #[must_use]
    pub fn printed_score_cp(self) -> i32 {
        let exact =
            |at_root: i32, plies: i32| if self.is_win() { at_root - plies.abs() } else { plies.abs() - at_root };
        match self.kind() {
            Kind::Heuristic => printed_score_cp(self.expected()),
            Kind::Tablebase(plies) => exact(TABLEBASE_CENTIPAWNS, plies),
            Kind::Mate(plies) => exact(MATE_CENTIPAWNS, plies),
        }
    }

    /// Which range the score lies in, with the distance.
    #[must_use]
    pub const fn kind(self) -> Kind {
        let p = self.p();
        let distance = if p.abs() > TABLEBASE { MATE - p.abs() } else { TABLEBASE - p.abs() };
        let signed = if p < 0 { -distance } else { distance };
        if p.abs() > TABLEBASE {
            Kind::Mate(signed)
        } else if p.abs() > P_ONE {
            Kind::Tablebase(signed)
        } else {
            Kind::Heuristic
        }
    }

    /// Plies from a node at `ply` to a mate or to a position won by tables; 0 of an estimate.
    #[must_use]
    pub(crate) const fn plies_from(self, ply: usize) -> u32 {
        match self.kind() {
            Kind::Heuristic => 0,
            Kind::Mate(plies) | Kind::Tablebase(plies) => plies.unsigned_abs().saturating_sub(ply as u32),
        }
    }

    /// Whether this is an estimate or a draw, neither a mate nor a table result.
    #[inline]
    #[must_use]
    pub(crate) const fn is_heuristic(self) -> bool {
        self.p().abs() <= P_ONE
    }

    /// Whether this is a proven loss.
    #[inline]
    #[must_use]
    pub const fn is_loss(self) -> bool {
        self.p() < -P_ONE
    }

    /// Whether this is a proven win.
    #[inline]
    #[must_use]
    pub const fn is_win(self) -> bool {
        self.p() > P_ONE
    }

    /// Whether the game is as good as won: an expected result above 0.96.
    #[inline]
    #[must_use]
    pub(crate) const fn is_nearly_won(self) -> bool {
        self.p() > NEARLY_WON
    }

    /// The least step up, for zero-width windows.
    #[inline]
    #[must_use]
    pub(crate) const fn next_up(self) -> Score {
        Score::new(self.p() + 1, self.d())
    }

    /// The least step down, for zero-width windows.
    #[inline]
    #[must_use]
    pub(crate) const fn next_down(self) -> Score {
        Score::new(self.p() - 1, self.d())
    }

    /// Halfway between two scores, with the draw probability of the first.
    #[must_use]
    pub const fn midpoint(self, other: Score) -> Score {
        Score::new(i32::midpoint(self.p(), other.p()), self.d())
    }

    /// Mean of this score, which counts twice, and another, with the draw probability of this one.
    #[must_use]
    pub(crate) const fn two_thirds(self, other: Score) -> Score {
        Score::new(((2 * self.p() as i64 + other.p() as i64) / 3) as i32, self.d())
    }

    /// For the transposition table: distances count from the position at `ply`, not from the root.
    #[inline]
    #[must_use]
    pub const fn to_tt(self, ply: usize) -> Score {
        self.moved_from_even(ply as i32)
    }

    /// From the transposition table, for a position at `ply` from the root.
    #[inline]
    #[must_use]
    pub const fn from_tt(self, ply: usize) -> Score {
        self.moved_from_even(-(ply as i32))
    }

    const fn moved_from_even(self, plies: i32) -> Score {
        if self.is_win() {
            Score::new(self.p() + plies, self.d())
        } else if self.is_loss() {
            Score::new(self.p() - plies, self.d())
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score::new(-self.p(), self.d())
    }
}

impl PartialEq for Score {
    #[inline]
    fn eq(&self, other: &Score) -> bool {
        self.p() == other.p()
    }
}

impl Eq for Score {}

impl PartialOrd for Score {
    #[inline]
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    #[inline]
    fn cmp(&self, other: &Score) -> Ordering {
        self.p().cmp(&other.p())
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Score({:?}, P {:.5}, D {:.4})", self.kind(), self.expected(), self.draw_probability())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn order_is_that_of_the_expected_result(a in -3000..3000i32, b in -3000..3000i32, da in -900..900i32, db in -900..900i32) {
            let (x, y) = (Score::heuristic(a, da), Score::heuristic(b, db));
            prop_assert_eq!(x.cmp(&y), x.expected().partial_cmp(&y.expected()).unwrap());
        }

        #[test]
        fn negation_mirrors_p_and_keeps_d(w in -6000..6000i32, d in -1200..1200i32) {
            let score = Score::heuristic(w, d);
            prop_assert_eq!((-score).d(), score.d());
            prop_assert_eq!((-score).p(), -score.p());
            prop_assert_eq!((-(-score)).0, score.0);
            prop_assert_eq!(Score::from_parts(score.p(), score.d() as u16).0, score.0);
        }

        #[test]
        fn ranges_are_disjoint(w in -9000..9000i32, d in -2000..2000i32, a in 0..=MAX_PLY, b in 0..=MAX_PLY, margin in -2500..2500i32) {
            let heuristic = Score::heuristic(w, d).plus_score_cp(margin);
            prop_assert_eq!(heuristic.kind(), Kind::Heuristic);
            prop_assert!(heuristic.expected() > 0.0 && heuristic.expected() < 1.0);
            prop_assert!(heuristic < Score::tablebase_win(a) && Score::tablebase_win(a) < Score::mate_in(b));
            prop_assert!(-heuristic > -Score::tablebase_win(a) && -Score::tablebase_win(a) > Score::mated_in(b));
            prop_assert!(Score::mate_in(b) < Score::INFINITE);
            let centipawns = [heuristic, Score::tablebase_win(a), Score::mate_in(b)].map(Score::printed_score_cp);
            prop_assert!(centipawns[0].abs() <= MAX_SCORE_CP);
            prop_assert!(centipawns[1] > MAX_SCORE_CP && centipawns[2] > centipawns[1] && centipawns[2] <= i32::from(i16::MAX));
            prop_assert_eq!((-Score::mate_in(b)).printed_score_cp(), -centipawns[2]);
            prop_assert_eq!(Score::mate_in(b).kind(), Kind::Mate(b as i32));
            prop_assert_eq!(Score::tablebase_win(a).kind(), Kind::Tablebase(a as i32));
        }

        #[test]
        fn table_scores_keep_their_distance(ply in 0..100usize, distance in 0..100usize) {
            let here = Score::mate_in(ply + distance);
            prop_assert_eq!(here.to_tt(ply).0, Score::mate_in(distance).0);
            prop_assert_eq!(here.to_tt(ply).from_tt(ply).0, here.0);
            let lost = Score::mated_in(ply + distance);
            prop_assert_eq!(lost.to_tt(ply).from_tt(ply).0, lost.0);
            prop_assert_eq!(Score::DRAW.to_tt(ply).0, Score::DRAW.0);
        }
    }

    #[test]
    fn a_draw_is_half_a_point_and_certain() {
        assert_eq!(Score::DRAW.expected(), 0.5);
        assert_eq!(Score::DRAW.draw_probability(), 1.0);
        assert_eq!(Score::DRAW.wdl().per_mille(), [0, 1000, 0]);
        assert_eq!(Score::mate_in(3).wdl().per_mille(), [1000, 0, 0]);
        assert_eq!(Score::mated_in(2).wdl().per_mille(), [0, 0, 1000]);
    }

    #[test]
    fn progress_shows_a_queen_and_a_rook_up() {
        for wilo in 1500..4000 {
            assert!(Score::heuristic(wilo + 1, -400) > Score::heuristic(wilo, -400));
        }
    }
}
