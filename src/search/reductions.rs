//! Reductions: moves and nodes that are searched less deep.

use super::histories::OrderingContext;
use super::node::{Candidate, Node, NodeInfo, NodeType, Pv};
use super::params::PLY;
use super::worker::Worker;
use crate::position::Position;
use crate::wdl::score::Score;

impl Worker<'_> {
    /// Internal iterative reduction, plies: without a move of the table the move order is poor, and the next visit has one.
    #[inline]
    pub fn internal_iterative_reduction<N: NodeType>(&self, info: &NodeInfo) -> i32 {
        let params = self.shared.params();
        if info.in_check() || !info.tt_move.is_none() {
            0
        } else if N::PV {
            params.internal_reduction_pv
        } else if info.cut_node && info.depth >= params.internal_reduction_cut_depth {
            params.internal_reduction_cut
        } else {
            0
        }
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
        reduction: Option<i32>,
    ) -> Score {
        let params = self.shared.params();
        let ply = info.ply;
        let move_count = candidate.move_count;
        let mut score = -Score::INFINITE;
        if let Some(reduction) = reduction {
            let reduced = (new_depth - reduction).clamp(1, (new_depth + 1).max(1));
            score = -self.zero_window(child, node.alpha, reduced, ply + 1, true);
            if score > node.alpha && reduced < new_depth && !self.is_stopped() {
                // A score well above alpha is worth a deeper search, one hardly above the best so far a shallower one.
                let margin =
                    params.late_move_deeper_score_cp + params.late_move_deeper_slope_score_cp * (new_depth - reduced);
                let deeper = score > node.alpha.plus_score_cp(margin);
                let margin = params.late_move_shallower_score_cp * new_depth / 10;
                let shallower = score < node.best.plus_score_cp(margin);
                new_depth += i32::from(deeper) - i32::from(shallower);
                if new_depth > reduced {
                    score = -self.zero_window(child, node.alpha, new_depth, ply + 1, !info.cut_node);
                }
                self.update_reduced(ply, candidate, new_depth, score > node.alpha);
            }
        } else if !N::PV || move_count > 1 {
            score = -self.zero_window(child, node.alpha, new_depth, ply + 1, !info.cut_node);
        }
        if N::PV && (move_count == 1 || score > node.alpha && (N::ROOT || score < node.beta)) {
            let most = info.depth + i32::from(!N::ROOT);
            score = -self.search::<Pv>(child, -node.beta, -node.alpha, new_depth.min(most), ply + 1, false);
        }
        score
    }

    /// Late move reduction before all that concerns the move itself, 1/1024 ply: moves late in the order are rarely best.
    #[inline]
    pub fn reduction(&self, info: &NodeInfo, move_count: usize) -> i32 {
        let params = self.shared.params();
        let product = self.shared.reductions.get(info.depth, move_count);
        let not_improving = !info.improving() && product > params.late_move_not_improving;
        product + params.late_move_base - info.window + if not_improving { PLY } else { 0 }
    }

    /// Late move reduction, plies; `None` for a move that is searched to full depth at once. Keeps the history of the move for
    /// the nodes below.
    #[inline]
    pub fn late_move_reduction<N: NodeType>(
        &mut self,
        info: &NodeInfo,
        candidate: &Candidate,
        context: &OrderingContext,
    ) -> Option<i32> {
        let params = self.shared.params();
        let depth = info.depth;
        let last_count = self.previous_entry(info.ply).move_count;
        // Near the root the first two moves are searched to full depth, elsewhere the first.
        let full = 1 + usize::from(N::PV && info.ply <= 1);
        if depth < params.late_move_depth
            || candidate.move_count <= full
            || info.was_pv && !candidate.quiet && !(info.cut_node && last_count > 1)
        {
            return None;
        }
        let mut reduction = self.reduction(info, candidate.move_count) / PLY;
        if info.was_pv && !info.fails_low {
            reduction -= params.late_move_was_pv;
        }
        if N::PV {
            reduction -= params.late_move_pv + params.late_move_pv_shallow / (depth + 3);
        }
        if info.cut_node {
            reduction += params.late_move_cut_node;
        }
        reduction += i32::from(info.tt_noisy);
        reduction -= i32::from(info.is_singular && !info.tt_noisy);
        reduction -= i32::from(last_count as i32 >= params.late_move_last_count);
        if depth >= params.late_move_threatened_depth {
            reduction -= i32::from(context.threats().threatened.contains(candidate.m.from()));
        }
        reduction += i32::from(self.next_entry(info.ply).cutoffs > params.late_move_cutoff_count);
        let scores = self.data.histories.quiets(context);
        let continuations: i32 = scores.continuations(candidate.m).iter().sum();
        let history = 2 * scores.butterfly(candidate.m) + continuations - params.late_move_history_offset;
        self.entry(info.ply).late_move_history = history;
        let scale = params.late_move_history;
        // Two branches, each with a constant divisor, for which the compiler multiplies.
        reduction -= if (8..=18).contains(&depth) {
            history / (scale + params.late_move_history_middle)
        } else {
            history / scale
        };
        Some(reduction)
    }
}
