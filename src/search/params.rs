//! The constants of the search in one table, and the table of late move reductions that they give.

use crate::number_table;

/// One ply in the unit of reductions.
pub const PLY: i32 = 1024;
/// A weight that counts once.
pub const ONCE: i32 = 64;

number_table! {
    /// Constants of the search. [`params`](crate::params) reads them from a file and prints them.
    ///
    /// Suffixes are units: `_score_cp` centipawns of the score as it is printed; `_see_cp` centipawns of static exchange
    /// evaluation. A step of 0 says that a tuner leaves the constant alone.
    pub struct SearchParams {
        /// Least depth for aspiration windows.
        aspiration_depth: i32 = 4, 1..=30, step 0, "plies";
        /// First half-width of the aspiration window at an even score.
        aspiration_score_cp: i32 = 6, 2..=60, step 2, "centipawns of score";
        /// Score that adds as many centipawns to it, if squared and divided by this.
        aspiration_square: i32 = 9372, 2000..=100000, step 0, "centipawns of score";
        /// Half-width after each score outside of the window, as a share of the one before.
        aspiration_growth: i32 = 133, 110..=400, step 0, "percent";

        /// Razoring margin at depth zero.
        razoring_base_score_cp: i32 = 221, 50..=1000, step 30, "centipawns of score";
        /// Razoring margin for the square of the depth.
        razoring_slope_score_cp: i32 = 152, 30..=600, step 20, "centipawns of score";

        /// Largest depth for reverse futility pruning.
        reverse_futility_depth: i32 = 7, 0..=20, step 0, "plies";
        /// Reverse futility margin for each ply of depth.
        reverse_futility_score_cp: i32 = 99, 40..=250, step 12, "centipawns of score";
        /// History of the last move that is worth a centipawn of that margin.
        reverse_futility_history: i32 = 505, 100..=2000, step 50, "history";

        /// History from which the last move is not answered by a null move.
        null_move_history: i32 = 17139, 5000..=40000, step 2000, "history";
        /// How far the static evaluation may be below beta at depth zero.
        null_move_base_score_cp: i32 = -140, -400..=100, step 20, "centipawns of score";
        /// How much further below for each ply of depth.
        null_move_slope_score_cp: i32 = 12, 0..=50, step 2, "centipawns of score";
        /// How much further below for what the static evaluation has improved by.
        null_move_improvement: i32 = 8, 0..=50, step 2, "percent";
        /// Null move reduction before depth and evaluation.
        null_move_base: i32 = 4, 1..=8, step 0, "plies";
        /// Depth that adds a ply to the null move reduction.
        null_move_depth: i32 = 3, 1..=10, step 0, "plies";
        /// Evaluation above beta that adds a ply to the null move reduction.
        null_move_score_cp: i32 = 101, 40..=600, step 15, "centipawns of score";
        /// Most plies that the evaluation adds to the null move reduction.
        null_move_score_limit: i32 = 7, 0..=12, step 0, "plies";
        /// Least depth at which a null move cutoff is verified.
        null_move_verification_depth: i32 = 14, 1..=100, step 0, "plies";
        /// Share of the verification's depth in which its side tries no null move.
        null_move_verification_share: i32 = 75, 0..=100, step 0, "percent";

        /// Least depth for ProbCut.
        probcut_depth: i32 = 5, 3..=20, step 0, "plies";
        /// How far above beta ProbCut looks.
        probcut_score_cp: i32 = 115, 50..=400, step 20, "centipawns of score";
        /// How much less far where the side to move is improving.
        probcut_improving_score_cp: i32 = 32, 0..=150, step 8, "centipawns of score";
        /// Plies by which the ProbCut search is shorter.
        probcut_reduction: i32 = 4, 2..=8, step 0, "plies";
        /// Exchange value that a capture must bring, as a share of the score that is missing.
        probcut_see_share: i32 = 68, 0..=150, step 0, "percent";
        /// How far above beta the score of a capture in the transposition table (TT) must be to end a node in check.
        probcut_check_score_cp: i32 = 250, 50..=800, step 30, "centipawns of score";

        /// Internal iterative reduction of a node of the principal variation.
        internal_reduction_pv: i32 = 3, 0..=6, step 0, "plies";
        /// Least depth for that of a node that is expected to fail high.
        internal_reduction_cut_depth: i32 = 9, 1..=20, step 0, "plies";
        /// Internal iterative reduction of such a node.
        internal_reduction_cut: i32 = 2, 0..=6, step 0, "plies";

        /// Least depth for singular extensions.
        singular_depth: i32 = 7, 4..=20, step 0, "plies";
        /// How much more in a node that is and was of the principal variation.
        singular_depth_pv: i32 = 2, 0..=20, step 0, "plies";
        /// Plies by which the TT's entry may be less deep than the node.
        singular_entry_depth: i32 = 3, 0..=8, step 0, "plies";
        /// Depth of the search without the TT's move, as a share of that of a move.
        singular_search_share: i32 = 50, 25..=75, step 0, "percent";
        /// How far the other moves must stay below the TT's score, for each ply of depth.
        singular_score: i32 = 18, 0..=100, step 2, "tenths of a centipawn of score";
        /// How much further below in a node that only was of the principal variation.
        singular_was_pv_score: i32 = 6, 0..=100, step 1, "tenths of a centipawn of score";
        /// How much further below for an extension by two plies.
        singular_double_score_cp: i32 = 15, 0..=80, step 2, "centipawns of score";
        /// Extensions by two plies allowed on one path.
        singular_double_limit: i32 = 10, 0..=20, step 0, "extensions";
        /// Ply from which no move is extended, as a multiple of the depth of the iteration.
        extension_ply_factor: i32 = 2, 1..=4, step 0, "iterations";
        /// Least depth for check extensions.
        check_extension_depth: i32 = 10, 1..=20, step 0, "plies";
        /// Distance of the static evaluation from even from which checks are extended.
        check_extension_score_cp: i32 = 50, 0..=300, step 8, "centipawns of score";
        /// Continuation history from which the TT's quiet move is extended, if it is a killer move too.
        killer_extension_history: i32 = 5177, 0..=20000, step 500, "history";

        /// Moves before late move pruning, beside the square of the depth; half of both where the side to move is not
        /// improving.
        late_move_pruning_base: i32 = 3, 1..=24, step 1, "moves";

        /// Largest reduced depth for futility pruning of quiet moves.
        futility_depth: i32 = 12, 0..=20, step 0, "plies";
        /// Futility margin at reduced depth zero.
        futility_base_score_cp: i32 = 64, 20..=400, step 12, "centipawns of score";
        /// Futility margin for each ply of reduced depth.
        futility_slope_score_cp: i32 = 87, 30..=300, step 12, "centipawns of score";
        /// History that adds a centipawn to the futility margin.
        futility_history: i32 = 87, 20..=300, step 10, "history";
        /// Largest reduced depth for futility pruning of captures.
        futility_noisy_depth: i32 = 6, 0..=20, step 0, "plies";
        /// Futility margin of captures at reduced depth zero, beside the captured piece.
        futility_noisy_base_score_cp: i32 = 108, 20..=400, step 15, "centipawns of score";
        /// Futility margin of captures for each ply of reduced depth.
        futility_noisy_slope_score_cp: i32 = 121, 30..=400, step 15, "centipawns of score";
        /// Capture history that adds a centipawn to that margin.
        futility_noisy_history: i32 = 10, 2..=40, step 1, "history";

        /// Largest reduced depth for history pruning.
        history_pruning_depth: i32 = 4, 0..=20, step 0, "plies";
        /// History below minus this for each ply of depth after the first prunes a quiet move.
        history_pruning: i32 = 3875, 1500..=9000, step 400, "history";

        /// Exchange loss for the square of the reduced depth that prunes a quiet move.
        see_quiet_square_see_cp: i32 = 10, 0..=40, step 1, "centipawns of exchange";
        /// Exchange loss for each ply of reduced depth that prunes a quiet move.
        see_quiet_see_cp: i32 = 6, 0..=160, step 2, "centipawns of exchange";
        /// Exchange loss for each ply of depth that prunes a capture or a check.
        see_noisy_see_cp: i32 = 130, 40..=250, step 10, "centipawns of exchange";

        /// Least depth for late move reductions.
        late_move_depth: i32 = 2, 2..=20, step 0, "plies";
        /// Late move reduction before depth and move count.
        late_move_base: i32 = 1642, 200..=3000, step 120, "1/1024 ply";
        /// Late move reduction for each unit of the product of the logarithms of depth and move count.
        late_move_factor: i32 = 410, 200..=800, step 25, "1/1024 ply";
        /// Subtracted for a window as wide as that of the root.
        late_move_window: i32 = 1024, 0..=2048, step 100, "1/1024 ply";
        /// Product from which the reduction is a ply more where the side to move is not improving.
        late_move_not_improving: i32 = 916, 0..=3000, step 90, "1/1024 ply";
        /// Subtracted at nodes that are or were on the principal variation, unless the TT says that they fail low.
        late_move_was_pv: i32 = 2, 0..=4, step 0, "plies";
        /// Subtracted at nodes of the principal variation, beside what is less the deeper they are.
        late_move_pv: i32 = 1, 0..=4, step 0, "plies";
        /// This, divided by the depth and three more, is subtracted too.
        late_move_pv_shallow: i32 = 11, 0..=40, step 0, "plies";
        /// Moves of the node before from which its move, a late one, is answered with less reduction.
        late_move_last_count: i32 = 8, 1..=60, step 0, "moves";
        /// Added at nodes that are expected to fail high.
        late_move_cut_node: i32 = 2, 0..=4, step 0, "plies";
        /// Least depth at which a piece that a lesser one attacks is reduced by a ply less.
        late_move_threatened_depth: i32 = 10, 1..=30, step 0, "plies";
        /// Cutoffs of the children that leave a move its reduction.
        late_move_cutoff_count: i32 = 3, 0..=20, step 0, "cutoffs";
        /// What the history of a late move usually is.
        late_move_history_offset: i32 = 4433, 0..=10000, step 500, "history";
        /// History that changes the reduction by one ply.
        late_move_history: i32 = 13628, 4000..=30000, step 1300, "history";
        /// How much more at depths from 8 to 18.
        late_move_history_middle: i32 = 4000, 0..=12000, step 500, "history";
        /// Score of the reduced search above alpha that makes the full search a ply deeper.
        late_move_deeper_score_cp: i32 = 38, 5..=150, step 5, "centipawns of score";
        /// How much more for each ply of reduction.
        late_move_deeper_slope_score_cp: i32 = 7, 0..=40, step 1, "centipawns of score";
        /// Score of the reduced search above the best, for each ten plies, below which the full search is a ply shallower.
        late_move_shallower_score_cp: i32 = 6, 0..=40, step 1, "centipawns of score";
        /// Largest depth at which other moves are searched a ply less deep once one has raised alpha.
        raised_alpha_depth: i32 = 5, 0..=20, step 0, "plies";

        /// What quiescence search adds to the captured piece's value: the delta margin.
        delta_score_cp: i32 = 92, 30..=500, step 15, "centipawns of score";
        /// Value of a captured piece for margins, as a share of its wilo.
        piece_share: i32 = 60, 20..=150, step 5, "percent";
        /// Captures in quiescence search, recaptures and checks aside.
        quiescence_captures: i32 = 2, 1..=10, step 0, "moves";
        /// Quiet evasions in quiescence search.
        quiescence_evasions: i32 = 2, 1..=10, step 0, "moves";

        /// History bonus for the square of the depth.
        history_bonus_square: i32 = 12, 0..=40, step 2, "history";
        /// History bonus for each ply of depth.
        history_bonus_slope: i32 = 282, 60..=500, step 25, "history";
        /// Subtracted from the history bonus.
        history_bonus_offset: i32 = 349, 0..=800, step 40, "history";
        /// Largest history bonus.
        history_bonus_limit: i32 = 1594, 800..=3600, step 150, "history";
        /// Score above beta from which a best quiet move gets the bonus of a ply more.
        history_bonus_score_cp: i32 = 82, 20..=400, step 10, "centipawns of score";
        /// Bonus of the last move for what the static evaluation gained by it.
        history_evaluation: i32 = 32, 0..=80, step 3, "history for each centipawn of score";
        /// Largest such bonus.
        history_evaluation_limit: i32 = 1914, 300..=4000, step 200, "history";
        /// Least depth of a node off the principal variation that rewards the last move as it fails low.
        history_fail_low_depth: i32 = 5, 1..=20, step 0, "plies";
        /// Score below alpha, for each ply of depth, from which that bonus is doubled.
        history_fail_low_score_cp: i32 = 37, 0..=200, step 5, "centipawns of score";

        /// Weight of the correction history by pawns.
        correction_pawns: i32 = 48, 0..=200, step 8, "sixty-fourths";
        /// Weight of the correction history by minor pieces and kings.
        correction_minors: i32 = 55, 0..=200, step 8, "sixty-fourths";
        /// Weight of the correction history by the pieces of each colour.
        correction_pieces: i32 = 58, 0..=200, step 8, "sixty-fourths";
        /// What a correction history takes of an error for each ply of depth.
        correction_rate: i32 = 160, 20..=600, step 25, "1/1024 of a tenth of the error";
        /// Most that one search changes a correction history.
        correction_change: i32 = 256, 16..=512, step 0, "tenths of a centipawn of wilo";
        /// Largest correction of one history, as a power of two.
        correction_limit_log2: i32 = 10, 9..=12, step 0, "bits";

        /// Plies that an entry of the same position must be deeper to stay in the TT.
        replacement_depth: i32 = 4, 0..=20, step 0, "plies";
        /// Plies more where the new entry is of the principal variation.
        replacement_pv: i32 = 2, 0..=20, step 0, "plies";
        /// Depth that an entry of another position is worth less for each search since.
        replacement_age: i32 = 8, 0..=64, step 0, "plies";

        /// Weight of the vote with the lowest score; others weigh more by the difference.
        vote_floor_score_cp: i32 = 14, 1..=200, step 0, "centipawns of score";

        /// Moves that the rest of the game is planned for.
        time_moves: i32 = 24, 5..=100, step 0, "moves";
        /// Moves whose overhead is kept back.
        time_overhead_moves: i32 = 5, 1..=50, step 0, "moves";
        /// Part of the increment spent with each move.
        time_increment: f64 = 0.75, 0.0..=1.0, step 0, "share";
        /// No iteration begins after this much of the planned time.
        time_soft: f64 = 0.7, 0.1..=2.0, step 0, "share";
        /// No node is searched after this much of the planned time.
        time_hard: f64 = 3.0, 1.0..=10.0, step 0, "share";
        /// Most of the remaining time that one move takes.
        time_ceiling: f64 = 0.6, 0.1..=0.9, step 0, "share";
        /// The same for the last move before time is added.
        time_last_move_ceiling: f64 = 0.9, 0.1..=0.95, step 0, "share";
        /// Soft limit of a player who thinks on the opponent's time too.
        time_ponder: f64 = 1.25, 1.0..=2.0, step 0, "share";
        /// Soft limit as the best move has just changed.
        time_unstable: f64 = 1.5, 0.5..=3.0, step 0, "share";
        /// Taken from that for each iteration with the same best move.
        time_stable: f64 = 0.1, 0.0..=0.3, step 0, "share";
        /// Most iterations that count for it.
        time_stable_limit: i32 = 8, 0..=30, step 0, "iterations";
        /// Soft limit if no node were below the best move.
        time_effort_base: f64 = 1.7, 0.5..=3.0, step 0, "share";
        /// Taken from that if all nodes are below the best move.
        time_effort_slope: f64 = 1.1, 0.0..=3.0, step 0, "share";
        /// Added to the soft limit for what the score fell by since the last iteration.
        time_trend: f64 = 0.01, 0.0..=0.1, step 0, "share for each centipawn of score";
        /// Largest fall of the score that counts.
        time_fall_limit_score_cp: f64 = 40.0, 0.0..=200.0, step 0, "centipawns of score";
        /// Largest rise of the score that counts.
        time_rise_limit_score_cp: f64 = 15.0, 0.0..=200.0, step 0, "centipawns of score";
        /// Distance of the expected result from one half at which a lead on the clock counts in full.
        time_lead_range: f64 = 0.25, 0.05..=0.5, step 0, "points";
        /// Most that a lead on the clock adds to the soft limit of who is behind: that of an opponent without time.
        time_lead_slower: f64 = 0.5, 0.0..=2.0, step 0, "share";
        /// Least factor of the soft limit that these give together.
        time_factor_min: f64 = 0.2, 0.05..=1.0, step 0, "share";
        /// Largest factor of the soft limit that these give together.
        time_factor_max: f64 = 3.0, 1.0..=10.0, step 0, "share";
    }
    renamed {
        "aspiration_centipawns" => aspiration_score_cp;
        "see_quiet_centipawns" => see_quiet_see_cp;
        "see_noisy_centipawns" => see_noisy_see_cp;
        "late_move_deeper_centipawns" => late_move_deeper_score_cp;
    }
}

impl SearchParams {
    /// Bonus, and malus, of a cutoff at this depth for the histories.
    #[must_use]
    pub(crate) fn history_bonus(&self, depth: i32) -> i32 {
        let slope = self.history_bonus_square * depth + self.history_bonus_slope;
        (slope * depth - self.history_bonus_offset).min(self.history_bonus_limit)
    }
}

/// The constants of a search. With the feature `spsa`, and in tests, they can be set. In other builds they are those of the
/// table, which the compiler then knows: that makes searches about a percent faster.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    #[cfg(any(test, feature = "spsa"))]
    params: SearchParams,
}

impl Constants {
    /// The constants.
    #[inline(always)]
    #[cfg_attr(not(any(test, feature = "spsa")), expect(clippy::unused_self, reason = "other builds keep them there"))]
    pub fn get(&self) -> &SearchParams {
        #[cfg(any(test, feature = "spsa"))]
        return &self.params;
        #[cfg(not(any(test, feature = "spsa")))]
        const {
            &<SearchParams as crate::params::NumberTable>::DEFAULT
        }
    }

    /// Takes other constants.
    #[cfg(any(test, feature = "spsa"))]
    pub fn set(&mut self, params: SearchParams) {
        self.params = params;
    }
}

/// Late move reductions before their conditions, by depth and move count.
#[derive(Clone, Debug)]
pub struct Reductions(Box<[[i32; 64]; 64]>);

impl Reductions {
    /// The table that these constants give.
    #[must_use]
    pub fn new(params: &SearchParams) -> Reductions {
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (move_count, entry) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (move_count as f64).ln();
                *entry = (f64::from(params.late_move_factor) * product) as i32;
            }
        }
        Reductions(table)
    }

    /// Reduction in 1/1024 ply at this depth; `move_count` counts from 1.
    #[inline]
    #[must_use]
    pub fn get(&self, depth: i32, move_count: usize) -> i32 {
        self.0[depth.clamp(0, 63) as usize][move_count.min(63)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{self, NumberTable};

    #[test]
    fn defaults_lie_in_their_ranges() {
        for number in SearchParams::NUMBERS {
            assert!((number.min..=number.max).contains(&number.default), "{}", number.name);
            assert!(number.step >= 0.0 && number.step <= number.max - number.min, "{}", number.name);
        }
    }

    #[test]
    fn the_printed_table_is_read_back() {
        let mut changed = SearchParams { late_move_base: 700, time_hard: 2.0, ..SearchParams::default() };
        let text = params::to_toml(&changed);
        assert_eq!(params::read("search.toml", &text), Ok(changed.clone()));
        changed.late_move_base = 701;
        assert_ne!(params::read("search.toml", &text), Ok(changed));
    }

    #[test]
    fn old_names_say_the_new_ones() {
        let error = params::read::<SearchParams>("search.toml", "see_quiet_centipawns = 74").unwrap_err();
        assert_eq!(error.to_string(), "search.toml, line 1: 'see_quiet_centipawns' is now called 'see_quiet_see_cp'");
    }

    #[test]
    fn reductions_rise_with_depth_and_move_count() {
        let table = Reductions::new(&SearchParams::default());
        assert!(table.get(20, 30) > table.get(10, 30) && table.get(20, 30) > table.get(20, 10));
    }
}
