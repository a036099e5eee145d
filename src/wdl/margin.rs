//! Margins: scores that are so many printed centipawns higher or lower.

use crate::wdl::fixed::{self, P_ONE};
use crate::wdl::score::Score;

/// Where proven results lie for margins, centipawns of score.
const PROVEN_CP: i32 = 4000;

impl Score {
    /// The score whose printed value is `centipawns` higher, short of certainty. Exact scores do not move, others not the
    /// wrong way.
    #[inline]
    #[must_use]
    pub(crate) fn plus_score_cp(self, centipawns: i32) -> Score {
        if !self.is_heuristic() {
            return self;
        }
        let shifted = fixed::shift(self.p(), centipawns);
        Score::new(if centipawns >= 0 { shifted.max(self.p()) } else { shifted.min(self.p()) }, self.d())
    }

    /// The score in centipawns by tables, for margins: up to 37 pawns, ±40 pawns for proven results. What is printed is
    /// [`Score::printed_score_cp`].
    #[inline]
    #[must_use]
    pub(crate) fn margin_cp(self) -> i32 {
        if self.is_heuristic() {
            fixed::margin_cp(self.p().clamp(1 - P_ONE, P_ONE - 1))
        } else {
            PROVEN_CP * self.p().signum()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wdl::model;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn margins_go_their_way(p in 1 - P_ONE..P_ONE, d in 0..65_536i32, margin in 0..2500i32) {
            let score = Score::new(p, d);
            let (above, below) = (score.plus_score_cp(margin), score.plus_score_cp(-margin));
            prop_assert!(below <= score && score <= above, "{below:?} {above:?}");
            prop_assert!(above.d() == d && above.is_heuristic() && below.is_heuristic());
        }

        #[test]
        fn margin_cp_is_what_is_printed(p in 1 - P_ONE..P_ONE) {
            let score = Score::new(p, 0);
            let printed = score.printed_score_cp();
            prop_assert!((score.margin_cp() - printed).abs() <= 2, "{} {printed}", score.margin_cp());
        }
    }

    #[test]
    fn printed_scores_shift_by_what_is_asked() {
        for (wilo, draw) in [(0, 0), (300, -100), (-700, 50), (1200, -300)] {
            let score = Score::heuristic(wilo, draw);
            let gain = model::centipawns(score.plus_score_cp(40).expected()) - model::centipawns(score.expected());
            assert!((gain - 40.0).abs() < 0.1, "{gain}");
        }
        assert_eq!(Score::mate_in(3).plus_score_cp(-500), Score::mate_in(3));
    }

    #[test]
    fn proven_results_lie_beyond_all_estimates() {
        let most = Score::heuristic(12_000, -1200).margin_cp();
        assert!(most < Score::tablebase_win(3).margin_cp() && -most > Score::mated_in(3).margin_cp());
    }
}
