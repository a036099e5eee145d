//! Kinds of nodes, and what is known of a node and of its moves.

use super::tt::{Bound, TtEntry};
use crate::eval::Evaluation;
use crate::position::Move;
use crate::wdl::score::Score;
use arrayvec::ArrayVec;

/// What a node is to the search; see the [module's page](super).
pub trait NodeType {
    /// The position to move from.
    const ROOT: bool;
    /// The window is open: the node may become part of the principal variation.
    const PV: bool;
}

/// The position to move from. Its moves are the root moves.
pub struct Root;
/// Another node of the principal variation.
pub struct Pv;
/// A node with a zero window.
pub struct NonPv;

impl NodeType for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl NodeType for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl NodeType for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
}

/// Moves of one kind that were searched at a node.
pub type SearchedMoves = ArrayVec<Move, 64>;

/// Window, best score and best move of a node while its moves are searched.
pub struct Node {
    /// Lower end of the window before the first move.
    pub original_alpha: Score,
    /// Lower end of the window; raised by better moves.
    pub alpha: Score,
    /// Upper end of the window.
    pub beta: Score,
    /// Best score so far.
    pub best: Score,
    /// Best move so far; none while no move is above the original alpha.
    pub best_move: Move,
}

impl Node {
    /// A node of which no move has been searched.
    #[inline]
    pub fn new(alpha: Score, beta: Score) -> Node {
        Node { original_alpha: alpha, alpha, beta, best: -Score::INFINITE, best_move: Move::NONE }
    }

    /// Takes the score of a move. Returns whether it is a beta cutoff.
    #[inline]
    pub fn raise(&mut self, score: Score, m: Move) -> bool {
        if score > self.best {
            self.best = score;
            if score > self.alpha {
                self.best_move = m;
                self.alpha = score;
                return score >= self.beta;
            }
        }
        false
    }

    /// What the best score means.
    #[inline]
    pub fn bound(&self) -> Bound {
        if self.best >= self.beta {
            Bound::Lower
        } else if self.best > self.original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// What is known of a node before its moves are searched.
#[derive(Clone, Copy)]
pub struct NodeInfo {
    /// Remaining depth, plies.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    /// Expected to fail high.
    pub cut_node: bool,
    /// On the principal variation now or, by the table, before.
    pub was_pv: bool,
    /// Static evaluation as the table keeps it; `None` in check.
    pub eval: Option<Evaluation>,
    /// Score of the static evaluation with the correction histories; meaningless in check.
    pub static_score: Score,
    /// The same in centipawns of score; `None` in check.
    pub static_cp: Option<i32>,
    /// Entry of the transposition table.
    pub tt_entry: Option<TtEntry>,
    /// Move of the transposition table; at the root the first move of the current line.
    pub tt_move: Move,
    /// Whether that move is a capture or promotion.
    pub tt_noisy: bool,
    /// What the static evaluation is better than two plies ago, centipawns of score; 0 in check.
    pub improvement: i32,
    /// Whether the table says that the node will fail low.
    pub fails_low: bool,
    /// Whether its move was found singular.
    pub is_singular: bool,
    /// What the late move reduction is less by for the width of the window, 1/1024 ply.
    pub window: i32,
}

/// A move that is about to be searched.
#[derive(Clone, Copy)]
pub struct Candidate {
    /// The move.
    pub m: Move,
    /// Neither capture nor promotion.
    pub quiet: bool,
    /// Gives check, as far as that is foreseen.
    pub check: bool,
    /// What it is known to gain at least by exchange, centipawns.
    pub known_see_cp: i32,
    /// Legal moves of the node up to this one, itself included.
    pub move_count: usize,
}

impl NodeInfo {
    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.static_cp.is_none()
    }

    /// Whether the static evaluation is better than two plies ago.
    #[inline]
    pub fn improving(&self) -> bool {
        self.improvement > 0
    }
}
