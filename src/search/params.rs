//! Constants of the search, from engine-params/search.toml.

use super::history::HISTORY_LIMIT;
use serde::Deserialize;
use thiserror::Error;

const SHIPPED: &str = include_str!("../../engine-params/search.toml");

/// Largest value of a constant, so that products with depths stay within a word.
const LARGEST: i64 = 20_000;
/// Largest value of those that multiply scores or statistics.
const LARGEST_FACTOR: i64 = 1024;
/// Constants that multiply scores or statistics.
const FACTORS: [&str; 10] = [
    "history_butterfly",
    "history_continuation_1",
    "history_continuation_2",
    "history_continuation_4",
    "history_evaluation",
    "history_fail_low",
    "correction_pawns",
    "correction_minors",
    "correction_pieces",
    "correction_rate",
];
/// Most that one search changes of a statistic.
const BONUSES: [&str; 2] = ["history_bonus_limit", "history_evaluation_limit"];
/// Constants without which a search would divide by zero or not end.
const POSITIVE: [&str; 4] = ["null_move_wilo", "late_move_history", "aspiration_centipawns", "hindsight_reduction"];

/// Least and largest value of a constant.
fn range(name: &str) -> (i64, i64) {
    let largest = match name {
        _ if FACTORS.contains(&name) => LARGEST_FACTOR,
        _ if BONUSES.contains(&name) => i64::from(HISTORY_LIMIT),
        _ => LARGEST,
    };
    (i64::from(POSITIVE.contains(&name)), largest)
}

/// Why a text does not hold constants of the search.
#[derive(Debug, Error)]
pub enum SearchParamsError {
    /// It is no TOML, a name is unknown or missing, or a value is no whole number.
    #[error("{}", one_line(.0))]
    Toml(#[from] toml::de::Error),
    /// A value is out of range.
    #[error("{name} = {value} is not from {least} to {largest}")]
    Range {
        /// The constant.
        name: String,
        /// Its value.
        value: i64,
        /// The least that is allowed.
        least: i64,
        /// The most that is allowed.
        largest: i64,
    },
}

/// An error of the parser with its line.
fn one_line(error: &toml::de::Error) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Constants of the search. Units are in the names: centipawns of wilo, printed centipawns,
/// thousandths of the game, plies, or 1/1024 of a ply.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchParams {
    /// Least depth for aspiration windows.
    pub aspiration_depth: i32,
    /// First half-width of the aspiration window.
    pub aspiration_centipawns: i32,
    /// Most plies that an iteration is shortened by after scores above the window.
    pub aspiration_fail_high_depth: i32,
    /// Largest depth for reverse futility pruning.
    pub reverse_futility_depth: i32,
    /// Reverse futility margin per ply.
    pub reverse_futility_wilo: i32,
    /// Least depth for null move pruning.
    pub null_move_depth: i32,
    /// What a null move search is shorter by, 1/1024 of a ply.
    pub null_move_base: i32,
    /// What each ply of depth shortens it by, 1/1024 of a ply.
    pub null_move_slope: i32,
    /// Evaluation above beta that shortens it by one more ply; parts count, three plies at most.
    pub null_move_wilo: i32,
    /// Least depth at which a null move cutoff is verified.
    pub null_move_verification_depth: i32,
    /// Least depth for ProbCut.
    pub probcut_depth: i32,
    /// How far above beta ProbCut looks.
    pub probcut_wilo: i32,
    /// Least depth for singular extensions.
    pub singular_depth: i32,
    /// Share of the game by which the other moves must stay below the table's score, per ply of depth.
    pub singular_permille: i32,
    /// How much further below for an extension by two plies, share of the game.
    pub singular_double_permille: i32,
    /// Extensions by two plies allowed on one path.
    pub singular_double_limit: i32,
    /// Largest depth for history pruning.
    pub history_pruning_depth: i32,
    /// History below minus this per ply of depth prunes a quiet move.
    pub history_pruning: i32,
    /// Least depth for internal iterative reduction.
    pub internal_reduction_depth: i32,
    /// Reduction, plies, from which a move that has done well is searched a ply deeper.
    pub hindsight_reduction: i32,
    /// Largest sum of the static evaluations before and after a move, each for its side to move and with its tempo, at
    /// which the move counts as having done well.
    pub hindsight_wilo: i32,
    /// Largest depth for futility pruning.
    pub futility_depth: i32,
    /// Futility margin at depth zero.
    pub futility_base_wilo: i32,
    /// Futility margin per ply.
    pub futility_slope_wilo: i32,
    /// Largest depth for late move pruning.
    pub late_move_pruning_depth: i32,
    /// Moves searched before late move pruning, beside the square of the depth; half of both where the side is not
    /// improving.
    pub late_move_pruning_base: i32,
    /// Exchange loss per ply of remaining depth that prunes a quiet move.
    pub see_quiet_centipawns: i32,
    /// Exchange loss per ply of depth that prunes a capture.
    pub see_noisy_centipawns: i32,
    /// Late move reduction before depth and move number count, 1/1024 ply.
    pub late_move_base: i32,
    /// Late move reduction per product of the logarithms of depth and move number, 1/1024 ply.
    pub late_move_factor: i32,
    /// History that changes the reduction by one ply.
    pub late_move_history: i32,
    /// Added at nodes that are expected to fail high, 1/1024 ply.
    pub late_move_cut_node: i32,
    /// Added where the evaluation is not improving, 1/1024 ply.
    pub late_move_not_improving: i32,
    /// Subtracted at nodes that are or were on the principal variation, 1/1024 ply.
    pub late_move_pv: i32,
    /// Added where the table's move is a capture, 1/1024 ply.
    pub late_move_table_capture: i32,
    /// Subtracted for captures and promotions, 1/1024 ply.
    pub late_move_noisy: i32,
    /// Subtracted for moves that give check, 1/1024 ply.
    pub late_move_check: i32,
    /// Result of the reduced search above the best so far that makes the full search a ply deeper.
    pub late_move_deeper_centipawns: i32,
    /// Gain beside the captured man that quiescence hopes for.
    pub delta_wilo: i32,
    /// History bonus per ply of depth.
    pub history_bonus_slope: i32,
    /// Subtracted from the history bonus.
    pub history_bonus_offset: i32,
    /// Largest history bonus.
    pub history_bonus_limit: i32,
    /// Weight of the butterfly history among the histories of a quiet move, sixty-fourths.
    pub history_butterfly: i32,
    /// Weight of the continuation history of one ply ago, sixty-fourths.
    pub history_continuation_1: i32,
    /// Weight of the continuation history of two plies ago, sixty-fourths.
    pub history_continuation_2: i32,
    /// Weight of the continuation history of four plies ago, sixty-fourths.
    pub history_continuation_4: i32,
    /// Weight of the correction history by pawns, sixty-fourths.
    pub correction_pawns: i32,
    /// Weight of the correction history by minor pieces and kings, sixty-fourths.
    pub correction_minors: i32,
    /// Weight of the correction history by the pieces of each colour, sixty-fourths.
    pub correction_pieces: i32,
    /// What each correction history takes of an error for each ply of depth, 1/1024 of a tenth of the error.
    pub correction_rate: i32,
    /// Bonus of the move that led to a node for each centipawn of wilo that the static evaluation gained by it.
    pub history_evaluation: i32,
    /// Largest such bonus.
    pub history_evaluation_limit: i32,
    /// Bonus of the quiet move that led to a node in which nothing is good enough, sixty-fourths of the usual one.
    pub history_fail_low: i32,
}

impl SearchParams {
    /// The constants that ship with the engine.
    #[must_use]
    pub fn shipped() -> SearchParams {
        SearchParams::from_toml(SHIPPED).expect("a test reads the embedded file")
    }

    /// Reads the constants from a text like `engine-params/search.toml`: each of them, and nothing else.
    ///
    /// # Errors
    ///
    /// [`SearchParamsError`] with the name or place.
    pub fn from_toml(text: &str) -> Result<SearchParams, SearchParamsError> {
        let params = toml::from_str(text)?;
        for (name, value) in toml::from_str::<toml::Table>(text)? {
            let (least, largest) = range(&name);
            if let Some(value) = value.as_integer()
                && !(least..=largest).contains(&value)
            {
                return Err(SearchParamsError::Range { name, value, least, largest });
            }
        }
        Ok(params)
    }

    /// Late move reductions by depth and number of moves searched, 1/1024 ply.
    #[must_use]
    pub fn late_move_reductions(&self) -> Reductions {
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, entry) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (number as f64).ln();
                *entry = self.late_move_base + (f64::from(self.late_move_factor) * product) as i32;
            }
        }
        Reductions(table)
    }

    /// Bonus, and malus, of a cutoff at this depth for the histories.
    #[must_use]
    pub fn history_bonus(&self, depth: i32) -> i32 {
        (self.history_bonus_slope * depth - self.history_bonus_offset).min(self.history_bonus_limit)
    }
}

/// Table of late move reductions.
#[derive(Clone, Debug)]
pub struct Reductions(Box<[[i32; 64]; 64]>);

impl Reductions {
    /// Reduction in 1/1024 ply of the move with this number (from 1) at this depth.
    #[inline]
    #[must_use]
    pub fn get(&self, depth: i32, number: usize) -> i32 {
        self.0[depth.clamp(0, 63) as usize][number.min(63)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_constants_are_read_and_unknown_ones_refused() {
        assert!(SearchParams::shipped().null_move_depth > 0);
        let refusal = |text: &str| SearchParams::from_toml(text).unwrap_err().to_string();
        assert!(refusal(&format!("{SHIPPED}\nnonsense = 1")).contains("nonsense"));
        assert!(refusal("aspiration_depth = 1").contains("missing field"));
        let with = |name: &str, value: &str| {
            let lines = SHIPPED.lines().map(|line| match line.split_once(" = ") {
                Some((known, _)) if known == name => format!("{name} = {value}\n"),
                _ => format!("{line}\n"),
            });
            lines.collect::<String>()
        };
        for (name, value) in [
            ("aspiration_depth", "-5"),
            ("null_move_wilo", "0"),
            ("correction_rate", "1025"),
            ("history_bonus_limit", "16385"),
        ] {
            assert!(refusal(&with(name, value)).contains(&format!("{name} = {value} is not from")), "{name}");
        }
        assert!(SearchParams::from_toml(&with("aspiration_depth", "7")).is_ok());
    }

    #[test]
    fn reductions_rise_with_depth_and_number() {
        let table = SearchParams::shipped().late_move_reductions();
        assert!(table.get(20, 30) > table.get(10, 30) && table.get(20, 30) > table.get(20, 10));
    }
}
