//! Reductions: moves and nodes that are searched less deep.

use super::node::{Candidate, Node, NodeInfo, NodeType, Pv};
use super::params::PLY;
use super::pruning::is_mate_left;
use super::worker::Worker;
use crate::position::Position;
use crate::wdl::score::Score;

impl Worker<'_> {
    /// Internal iterative reduction, plies: without a move of the table the move order is poor, and the next visit has one.
    #[inline]
    pub fn internal_iterative_reduction(&self, info: &NodeInfo, pv: bool) -> i32 {
        i32::from(
            info.depth >= self.shared.params.internal_reduction_depth
                && info.tt_move.is_none()
                && (pv || info.cut_node),
        )
    }

    /// Principal variation search of a move: all but the first are searched with a zero window, and late ones less deep at
    /// first. What scores above alpha is searched again.
    #[inline(always)]
    pub fn search_move<N: NodeType>(
        &mut self,
        child: &Position,
        info: &NodeInfo,
        candidate: &Candidate,
        node: &Node,
        mut new_depth: i32,
    ) -> Score {
        let params = self.shared.params;
        let (depth, ply) = (info.depth, info.ply);
        let move_count = candidate.move_count;
        let mut score = -Score::INFINITE;
        let mut full = !N::PV || move_count > 1;
        let late = |count: i32| move_count as i32 > count;
        if depth >= params.late_move_depth
            && late(if N::PV { params.late_move_count_pv } else { params.late_move_count })
            && (candidate.quiet || info.cut_node || late(params.late_move_count_noisy))
        {
            let mut reduction = self.late_move_reduction(info, candidate, N::PV);
            // Mates are mostly given by checks and captures.
            if candidate.quiet && !candidate.check && is_mate_left(child, !child.turn(), node.alpha) {
                reduction += PLY;
            }
            let reduced = (new_depth - reduction / PLY).clamp(1, new_depth.max(1));
            if reduced < new_depth {
                self.entry(ply).reduction = new_depth - reduced;
                score = -self.zero_window(child, node.alpha, reduced, ply + 1, true);
                self.entry(ply).reduction = 0;
                full = score > node.alpha;
                if full {
                    // A score well above the best so far is worth a deeper search.
                    let deeper = node.best.plus_score_cp(params.late_move_deeper_score_cp);
                    new_depth += i32::from(score > deeper && reduced + 1 < new_depth);
                }
            }
        }
        if full {
            score = -self.zero_window(child, node.alpha, new_depth, ply + 1, !info.cut_node);
        }
        if N::PV && (move_count == 1 || score > node.alpha) {
            score = -self.search::<Pv>(child, -node.beta, -node.alpha, new_depth, ply + 1, false);
        }
        score
    }

    /// Late move reduction: moves late in the order are rarely best. 1/1024 ply.
    #[inline]
    fn late_move_reduction(&self, info: &NodeInfo, candidate: &Candidate, pv: bool) -> i32 {
        let params = self.shared.params;
        let mut reduction = self.shared.reductions.get(info.depth, candidate.move_count);
        reduction -= if pv || info.was_pv { params.late_move_pv } else { 0 };
        reduction += if info.cut_node { params.late_move_cut_node } else { 0 };
        reduction += if info.improving { 0 } else { params.late_move_not_improving };
        reduction += if info.tt_noisy { params.late_move_table_capture } else { 0 };
        reduction -= if candidate.quiet { 0 } else { params.late_move_noisy };
        reduction -= if candidate.check { params.late_move_check } else { 0 };
        let many_cutoffs = self.next_entry(info.ply).cutoffs > params.late_move_cutoff_count;
        reduction += if many_cutoffs { params.late_move_cutoffs } else { 0 };
        reduction - candidate.history * PLY / params.late_move_history
    }
}
