//! A root move with its score and line.

use super::path::PvLine;
use super::tt_entry::Bound;
use crate::tablebase::RankedMove;
use crate::wdl::score::Score;

/// A move at the root with what is known of it.
#[derive(Clone)]
pub struct RootMove {
    /// The move, with what the endgame tables say of it.
    pub ranked: RankedMove,
    /// Score in the running iteration; below all scores if the move was only shown not to be best.
    pub score: Score,
    /// Depth of the iteration that the score is of, plies.
    pub depth: usize,
    /// What the score means.
    pub bound: Bound,
    /// Score of the last iteration that was finished.
    pub previous: Score,
    /// Mean of its scores, in which each one counts twice as much as all before; below all scores without one.
    pub average: Score,
    /// Deepest ply reached below it.
    pub selective_depth: usize,
    /// Nodes searched below it so far.
    pub nodes: u64,
    /// Its line, itself included.
    pub pv: PvLine,
    /// The last exact result, if there is one.
    pub exact: Option<ExactResult>,
}

/// An exact result of a root move.
#[derive(Clone)]
pub struct ExactResult {
    /// Depth of the iteration, plies.
    pub depth: usize,
    /// The score.
    pub score: Score,
    /// Deepest ply reached.
    pub selective_depth: usize,
    /// The line, with the move.
    pub pv: PvLine,
}

impl RootMove {
    /// A move of which nothing is known.
    pub fn new(ranked: RankedMove) -> RootMove {
        RootMove {
            ranked,
            score: -Score::INFINITE,
            depth: 0,
            bound: Bound::Exact,
            previous: -Score::INFINITE,
            average: -Score::INFINITE,
            selective_depth: 0,
            nodes: 0,
            pv: PvLine::from_iter([ranked.m]),
            exact: None,
        }
    }

    /// Whether the running iteration has a score of it.
    pub fn is_searched(&self) -> bool {
        self.score != -Score::INFINITE
    }

    /// The score in the running iteration, or in the last one if this one has none.
    pub fn last_score(&self) -> Score {
        if self.is_searched() { self.score } else { self.previous }
    }

    /// The score to report by the endgame tables, if they know the move; a mate or a table win that the search has `found` is
    /// nearer.
    pub fn syzygy_score(&self, found: Score) -> Option<Score> {
        let known = self.ranked.score?;
        let nearer = known.is_win() && found.is_win() || known.is_loss() && found.is_loss();
        (!nearer).then_some(known)
    }
}

/// Sorts best first, by the rank of the endgame tables before all. Moves without a score in this iteration keep the order of
/// the last one.
pub fn sort_root_moves(root_moves: &mut [RootMove]) {
    root_moves.sort_by_key(|root_move| std::cmp::Reverse((root_move.ranked.rank, root_move.score, root_move.previous)));
}
