//! The constants of the search in one table, and the table of late move reductions that they give.

use crate::number_table;

/// One ply in the unit of reductions.
pub const PLY: i32 = 1024;
/// A weight, or a share of a bonus, that counts once.
pub const ONCE: i32 = 64;

number_table! {
    /// Constants of the search. [`params`](crate::params) reads them from a file and prints them.
    ///
    /// Suffixes are units: `_wilo` centipawns of wilo, which count less where a pawn decides less; `_score_cp` centipawns
    /// of the score as it is printed; `_see_cp` centipawns of static exchange evaluation; `_permille` thousandths of the
    /// game. A step of 0 says that a tuner leaves the constant alone.
    pub struct SearchParams {
        /// Least depth for aspiration windows.
        aspiration_depth: i32 = 5, 1..=30, step 0, "plies";
        /// First half-width of the aspiration window.
        aspiration_score_cp: i32 = 15, 8..=60, step 4, "centipawns of score";
        /// Half-width after each score outside of the window, as a share of the one before.
        aspiration_growth: i32 = 200, 120..=400, step 0, "percent";
        /// Half-width from which the side that failed is opened.
        aspiration_limit_score_cp: i32 = 600, 0..=2000, step 0, "centipawns of score";
        /// Most plies that an iteration is shortened by after scores above the window.
        aspiration_fail_high_depth: i32 = 3, 0..=10, step 0, "plies";

        /// Largest depth for reverse futility pruning.
        reverse_futility_depth: i32 = 8, 0..=20, step 0, "plies";
        /// Reverse futility margin for each ply of depth.
        reverse_futility_wilo: i32 = 118, 40..=250, step 12, "centipawns of wilo";

        /// Least depth for null move pruning.
        null_move_depth: i32 = 3, 1..=20, step 0, "plies";
        /// Null move reduction at depth zero.
        null_move_base: i32 = 4100, 2048..=7168, step 320, "1/1024 ply";
        /// Null move reduction for each ply of depth.
        null_move_slope: i32 = 268, 100..=500, step 28, "1/1024 ply";
        /// Evaluation above beta that adds a ply to the null move reduction; parts count.
        null_move_wilo: i32 = 270, 120..=600, step 40, "centipawns of wilo";
        /// Most that the evaluation adds to the null move reduction.
        null_move_wilo_limit: i32 = 3072, 0..=8192, step 256, "1/1024 ply";
        /// Least depth at which a null move cutoff is verified.
        null_move_verification_depth: i32 = 14, 1..=100, step 0, "plies";
        /// Share of the verification's depth in which no null move is tried.
        null_move_verification_share: i32 = 75, 0..=100, step 0, "percent";

        /// Least depth for ProbCut.
        probcut_depth: i32 = 5, 3..=20, step 0, "plies";
        /// How far above beta ProbCut looks.
        probcut_wilo: i32 = 322, 150..=600, step 40, "centipawns of wilo";
        /// Plies by which the ProbCut search is shorter.
        probcut_reduction: i32 = 4, 2..=8, step 0, "plies";
        /// Exchange value that a capture must bring, as a share of the wilo that is missing.
        probcut_see_share: i32 = 40, 0..=100, step 0, "percent";

        /// Least depth for singular extensions.
        singular_depth: i32 = 8, 4..=20, step 0, "plies";
        /// Plies by which the table's entry may be less deep than the node.
        singular_entry_depth: i32 = 3, 0..=8, step 0, "plies";
        /// Depth of the search without the table's move, as a share of that of a move.
        singular_search_share: i32 = 50, 25..=75, step 0, "percent";
        /// How far the other moves must stay below the table's score, for each ply of depth.
        singular_permille: i32 = 3, 0..=50, step 0, "thousandths of the game";
        /// How much further below for an extension by two plies.
        singular_double_permille: i32 = 37, 10..=80, step 7, "thousandths of the game";
        /// Extensions by two plies allowed on one path.
        singular_double_limit: i32 = 6, 0..=20, step 0, "extensions";
        /// Ply from which nothing is singular, as a multiple of the depth of the iteration.
        singular_ply_factor: i32 = 2, 1..=4, step 0, "iterations";

        /// Least depth for internal iterative reduction.
        internal_reduction_depth: i32 = 4, 1..=20, step 0, "plies";
        /// Reduction of the last move from which a node can get a hindsight extension.
        hindsight_reduction: i32 = 3, 1..=20, step 0, "plies";
        /// Largest sum of the static evaluations before and after the last move, each for its side to move and with its
        /// tempo, for a hindsight extension.
        hindsight_wilo: i32 = 60, -200..=400, step 0, "centipawns of wilo";

        /// Largest depth for futility pruning.
        futility_depth: i32 = 8, 0..=20, step 0, "plies";
        /// Futility margin at depth zero.
        futility_base_wilo: i32 = 222, 40..=400, step 30, "centipawns of wilo";
        /// Futility margin for each ply of depth.
        futility_slope_wilo: i32 = 138, 50..=300, step 20, "centipawns of wilo";

        /// Largest depth for late move pruning.
        late_move_pruning_depth: i32 = 8, 0..=20, step 0, "plies";
        /// Moves before late move pruning, beside the square of the depth; half of both where the side to move is not
        /// improving.
        late_move_pruning_base: i32 = 6, 3..=24, step 2, "moves";

        /// Largest depth for history pruning.
        history_pruning_depth: i32 = 4, 0..=20, step 0, "plies";
        /// History below minus this for each ply of depth prunes a quiet move.
        history_pruning: i32 = 3879, 1500..=9000, step 600, "history";

        /// Largest reduced depth at which quiet moves that lose material are pruned.
        see_quiet_depth: i32 = 8, 0..=20, step 0, "plies";
        /// Exchange loss for each ply of reduced depth that prunes a quiet move.
        see_quiet_see_cp: i32 = 74, 20..=160, step 12, "centipawns of exchange";
        /// Largest depth at which captures that lose material are pruned.
        see_noisy_depth: i32 = 8, 0..=20, step 0, "plies";
        /// Exchange loss for each ply of depth that prunes a capture.
        see_noisy_see_cp: i32 = 82, 40..=250, step 18, "centipawns of exchange";

        /// Least depth for late move reductions.
        late_move_depth: i32 = 3, 2..=20, step 0, "plies";
        /// Moves that are not reduced in a node off the principal variation.
        late_move_count: i32 = 1, 1..=10, step 0, "moves";
        /// Moves that are not reduced in a node of the principal variation.
        late_move_count_pv: i32 = 2, 1..=10, step 0, "moves";
        /// Moves before captures are reduced where the node is not expected to fail high.
        late_move_count_noisy: i32 = 4, 1..=20, step 0, "moves";
        /// Late move reduction before depth and move count.
        late_move_base: i32 = 782, 200..=1500, step 120, "1/1024 ply";
        /// Late move reduction for each unit of the product of the logarithms of depth and move count.
        late_move_factor: i32 = 521, 250..=800, step 35, "1/1024 ply";
        /// History that changes the reduction by one ply.
        late_move_history: i32 = 9471, 4000..=20000, step 1300, "history";
        /// Added at nodes that are expected to fail high.
        late_move_cut_node: i32 = 1512, 0..=2600, step 250, "1/1024 ply";
        /// Added where the evaluation is not improving.
        late_move_not_improving: i32 = 816, 0..=1600, step 180, "1/1024 ply";
        /// Subtracted at nodes that are or were on the principal variation.
        late_move_pv: i32 = 966, 200..=2400, step 220, "1/1024 ply";
        /// Added where the table's move is a capture.
        late_move_table_capture: i32 = 928, 0..=2000, step 200, "1/1024 ply";
        /// Subtracted for captures and promotions.
        late_move_noisy: i32 = 1132, 0..=2000, step 200, "1/1024 ply";
        /// Subtracted for moves that give check.
        late_move_check: i32 = 1118, 0..=2000, step 200, "1/1024 ply";
        /// Score of the reduced search above the best so far that makes the full search a ply deeper.
        late_move_deeper_score_cp: i32 = 26, 5..=90, step 10, "centipawns of score";
        /// Added where the children of the node have had more cutoffs than the following.
        late_move_cutoffs: i32 = 1024, 0..=2048, step 200, "1/1024 ply";
        /// Cutoffs of the children that leave a move its reduction.
        late_move_cutoff_count: i32 = 3, 0..=20, step 0, "cutoffs";

        /// What quiescence search adds to the captured piece's value: the delta margin.
        delta_wilo: i32 = 174, 80..=500, step 35, "centipawns of wilo";

        /// History bonus for each ply of depth.
        history_bonus_slope: i32 = 237, 60..=400, step 30, "history";
        /// Subtracted from the history bonus.
        history_bonus_offset: i32 = 33, 0..=300, step 40, "history";
        /// Largest history bonus.
        history_bonus_limit: i32 = 1640, 800..=3600, step 250, "history";
        /// Largest history, as a power of two.
        history_limit_log2: i32 = 14, 13..=14, step 0, "bits";
        /// Weight of the butterfly history in the order of quiet moves.
        history_butterfly: i32 = 53, 16..=160, step 7, "sixty-fourths";
        /// Weight of the continuation history of one ply ago.
        history_continuation_1: i32 = 63, 16..=160, step 7, "sixty-fourths";
        /// Weight of the continuation history of two plies ago.
        history_continuation_2: i32 = 66, 16..=160, step 7, "sixty-fourths";
        /// Weight of the continuation history of four plies ago.
        history_continuation_4: i32 = 57, 0..=160, step 7, "sixty-fourths";
        /// Weight of the continuation history of six plies ago.
        history_continuation_6: i32 = 24, 0..=160, step 7, "sixty-fourths";
        /// Bonus of the last move for what the static evaluation gained by it.
        history_evaluation: i32 = 9, 0..=24, step 2, "history for each centipawn of wilo";
        /// Largest such bonus.
        history_evaluation_limit: i32 = 1100, 300..=3000, step 250, "history";
        /// Bonus of the quiet move that led to a node that failed low, as a share of the usual one.
        history_fail_low: i32 = 33, 0..=128, step 7, "sixty-fourths";

        /// Weight of the correction history by pawns.
        correction_pawns: i32 = 48, 0..=200, step 8, "sixty-fourths";
        /// Weight of the correction history by minor pieces and kings.
        correction_minors: i32 = 55, 0..=200, step 8, "sixty-fourths";
        /// Weight of the correction history by the pieces of each colour.
        correction_pieces: i32 = 58, 0..=200, step 8, "sixty-fourths";
        /// What a correction history takes of an error for each ply of depth.
        correction_rate: i32 = 70, 20..=250, step 12, "1/1024 of a tenth of the error";
        /// Most that one search changes a correction history.
        correction_change: i32 = 256, 16..=512, step 0, "tenths of a centipawn of wilo";
        /// Largest correction of one history, as a power of two.
        correction_limit_log2: i32 = 10, 9..=12, step 0, "bits";

        /// Plies that an entry of the same position must be deeper to stay in the table.
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
    pub fn history_bonus(&self, depth: i32) -> i32 {
        (self.history_bonus_slope * depth - self.history_bonus_offset).min(self.history_bonus_limit)
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
                *entry = params.late_move_base + (f64::from(params.late_move_factor) * product) as i32;
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
