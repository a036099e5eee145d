//! Scores that a margin moves: by wilo, by printed centipawns, by shares of the game. Exact scores do not move.

use crate::wdl::fixed::{self, D_ONE, P_ONE};
use crate::wdl::score::Score;

/// Draw probability that margins of wilo count with at most: what gains so much in a drawish position mostly ends the
/// draw as well.
const MARGIN_DRAW: i32 = D_ONE / 4 * 3;

impl Score {
    /// The score with `centipawns` more wilo at the draw probability `d` (fixed point): worth less where a pawn decides
    /// less. Of `d` no more than three quarters count. Exact scores do not move, others not the wrong way.
    ///
    /// The `d` of a position is that of its evaluation: a bound of the window bears that of another line.
    #[inline(always)]
    #[must_use]
    pub fn plus_wilo_at(self, centipawns: i32, d: i32) -> Score {
        if !self.is_heuristic() || centipawns == 0 {
            return self;
        }
        let shifted = fixed::shift(self.p(), d.min(MARGIN_DRAW), centipawns);
        let p = if centipawns > 0 { shifted.max(self.p()) } else { shifted.min(self.p()) };
        Score::new(p, self.d())
    }

    /// An estimate that rises by what `after` is above `before`, short of certainty. Exact scores do not move.
    #[inline]
    #[must_use]
    pub fn plus_difference(self, after: Score, before: Score) -> Score {
        if !self.is_heuristic() {
            return self;
        }
        let p = i64::from(self.p()) + i64::from(after.p()) - i64::from(before.p());
        Score::new(p.clamp(i64::from(1 - P_ONE), i64::from(P_ONE - 1)) as i32, self.d())
    }

    /// The score whose printed value is `centipawns` higher. Exact scores do not move.
    #[inline]
    #[must_use]
    pub fn plus_score_cp(self, centipawns: i32) -> Score {
        if !self.is_heuristic() {
            return self;
        }
        Score::new(fixed::shift(self.p(), 0, centipawns), self.d())
    }

    /// The score that is worth `permille` thousandths of the game more, short of certainty. Exact scores do not move.
    #[inline]
    #[must_use]
    pub fn plus_permille(self, permille: i32) -> Score {
        if !self.is_heuristic() {
            return self;
        }
        let step = i64::from(permille) * 2 * i64::from(P_ONE) / 1000;
        let p = (i64::from(self.p()) + step).clamp(i64::from(1 - P_ONE), i64::from(P_ONE - 1));
        Score::new(p as i32, self.d())
    }

    /// Wilo in centipawns at the draw probability `d` (fixed point), roughly; ±15 pawns at most.
    #[inline]
    #[must_use]
    pub fn wilo_at(self, d: i32) -> i32 {
        fixed::wilo_of(self.p().clamp(1 - P_ONE, P_ONE - 1), d)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wdl::model;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn margins_go_their_way_at_any_draw_probability(p in 1 - P_ONE..P_ONE, own in 0..=D_ONE, d in 0..=D_ONE, margin in 0..2500i32) {
            let score = Score::new(p, own);
            let (above, below) = (score.plus_wilo_at(margin, d), score.plus_wilo_at(-margin, d));
            prop_assert!(below <= score && score <= above, "{below:?} {above:?}");
            prop_assert!(above.d() == own && above.is_heuristic() && below.is_heuristic());
        }
    }

    #[test]
    fn no_margin_moves_nothing() {
        // What such a draw probability leaves for P is a rounding less than this P.
        let score = Score::new(-268_472_320, 0);
        assert_eq!(score.plus_wilo_at(0, 49_149), score);
    }

    #[test]
    fn a_margin_from_a_draw_is_none_of_nothing() {
        assert!(
            Score::DRAW.plus_wilo_at(-100, D_ONE) < Score::DRAW && Score::DRAW.plus_wilo_at(100, D_ONE) > Score::DRAW
        );
    }

    #[test]
    fn printed_score_cp_shift_by_what_is_asked() {
        for (wilo, draw) in [(0, 0), (300, -100), (-700, 50), (1200, -300)] {
            let score = Score::heuristic(wilo, draw);
            let gain = model::centipawns(score.plus_score_cp(40).expected()) - model::centipawns(score.expected());
            assert!((gain - 40.0).abs() < 0.1, "{gain}");
        }
    }

    #[test]
    fn shares_of_the_game_add_up_short_of_certainty() {
        for score in [Score::DRAW, Score::heuristic(150, 20), Score::heuristic(-300, -50)] {
            let moved = score.plus_permille(40).expected() - score.expected();
            assert!((moved - 0.04).abs() < 1e-6, "{moved}");
            assert_eq!(score.plus_permille(-40).d(), score.d());
        }
        let won = Score::heuristic(5000, -500).plus_permille(900);
        assert!(won.is_heuristic() && won < Score::tablebase_win(100) && won.expected() < 1.0);
        assert_eq!(Score::mate_in(3).plus_permille(-500), Score::mate_in(3));
    }
}
