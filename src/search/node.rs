//! Kinds of nodes, and what is known of a node and of its moves.

use super::path::Improvement;
use super::tt_entry::{Bound, TtEntry};
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
pub struct RootNode;
/// Another node of the principal variation.
pub struct PvNode;
/// A node with a zero window.
pub struct NonPvNode;

impl NodeType for RootNode {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl NodeType for PvNode {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl NodeType for NonPvNode {
    const ROOT: bool = false;
    const PV: bool = false;
}

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

    /// What the transposition table keeps of the node.
    #[inline]
    pub fn tt_entry(&self, depth: i32, eval: Option<Evaluation>, pv: bool) -> TtEntry {
        TtEntry { m: self.best_move, score: self.best, bound: Some(self.bound()), depth, eval, pv }
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

/// What is known of a node before its moves are searched; it does not change while they are.
#[derive(Clone, Copy)]
pub struct NodeInfo {
    /// Plies from the root.
    pub ply: usize,
    /// Expected to fail high.
    pub cut_node: bool,
    /// On the principal variation now or, by the transposition table, before.
    pub was_pv: bool,
    /// Static evaluation as the transposition table keeps it; `None` in check.
    pub eval: Option<Evaluation>,
    /// Score of the static evaluation with the correction histories; meaningless in check.
    pub static_score: Score,
    /// The same in centipawns of score; `None` in check.
    pub static_cp: Option<i32>,
    /// The static evaluation against that of two plies ago.
    pub improvement: Improvement,
    /// Entry of the transposition table.
    pub tt_entry: Option<TtEntry>,
    /// Move of the transposition table; at the root the first move of the current line.
    pub tt_move: Move,
    /// Whether that move is a capture or promotion.
    pub tt_noisy: bool,
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
        self.improvement.is_better
    }
}

/// Moves of one kind that were searched at a node.
pub type SearchedMoves = ArrayVec<Move, 64>;

/// What changes while the moves of a node are searched.
pub struct MoveLoop {
    /// Window, best score and best move.
    pub node: Node,
    /// Depth of the node after its own reductions, plies; less once a move has raised alpha.
    pub depth: i32,
    /// Alpha in centipawns of score, for margins.
    pub alpha_cp: i32,
    /// What late move reductions are less by for the width of the window, 1/1024 ply.
    pub window_reduction: i32,
    /// Whether the transposition table says that the node will fail low.
    pub tt_fails_low: bool,
    /// Whether the transposition table's move was found singular.
    pub is_singular: bool,
    /// Quiet moves that were searched and did not raise alpha.
    pub quiets: SearchedMoves,
    /// The same of captures and promotions.
    pub noisies: SearchedMoves,
}

impl MoveLoop {
    /// Before the first move of a node with this window and depth.
    #[inline]
    pub fn new(node: Node, depth: i32, tt_fails_low: bool) -> MoveLoop {
        MoveLoop {
            alpha_cp: node.alpha.margin_cp(),
            node,
            depth,
            window_reduction: 0,
            tt_fails_low,
            is_singular: false,
            quiets: SearchedMoves::new(),
            noisies: SearchedMoves::new(),
        }
    }
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
