//! Extensions: moves that are searched deeper.

use super::histories::OrderingContext;
use super::node::{Candidate, NodeInfo, NodeType, NonPv};
use super::tt::{Bound, TtEntry};
use super::worker::Worker;
use crate::position::{Move, Position};
use crate::wdl::score::Score;

/// What the search without the table's move found.
pub enum Singular {
    /// Search the table's move this many plies deeper.
    Extend(i32),
    /// The node is refuted anyway.
    Cut(Score),
}

impl Worker<'_> {
    /// The table's entry, if its move may be singular.
    #[inline]
    pub fn singular_entry<N: NodeType>(&self, info: &NodeInfo, m: Move) -> Option<TtEntry> {
        let params = self.shared.params();
        let more = if N::PV { params.singular_depth_pv } else { 0 };
        info.tt_entry.filter(|entry| {
            m == info.tt_move
                && info.depth >= params.singular_depth + if entry.pv { more } else { 0 }
                && entry.depth >= info.depth - params.singular_entry_depth
                && entry.bound != Bound::Upper
                && entry.score.is_heuristic()
        })
    }

    /// Singular extension: the table's move is searched deeper if a search without it finds nothing nearly as good, and less
    /// deep if the search does well without it. If another move is above beta too, the node is cut (multi-cut).
    pub fn singular_extension<N: NodeType>(
        &mut self,
        position: &Position,
        info: &NodeInfo,
        entry: &TtEntry,
        alpha: Score,
        beta: Score,
    ) -> Singular {
        let params = self.shared.params();
        let (depth, ply) = (info.depth, info.ply);
        let margin = params.singular_score + if info.was_pv && !N::PV { params.singular_was_pv_score } else { 0 };
        let target = entry.score.plus_score_cp(-margin * depth / 10);
        self.entry(ply).excluded = info.tt_move;
        let shallow = (depth - 1) * params.singular_search_share / 100;
        let score = self.search::<NonPv>(position, target.next_down(), target, shallow, ply, info.cut_node);
        self.entry(ply).excluded = Move::NONE;
        if score < target {
            let clearly = target.plus_score_cp(-params.singular_double_score_cp);
            let doubles = self.entry(ply).double_extensions;
            let double = !N::PV && score < clearly && doubles < params.singular_double_limit;
            Singular::Extend(1 + i32::from(double))
        } else if target >= beta {
            // Multi-cut: several moves would refute the node.
            Singular::Cut(target)
        } else if entry.score >= beta {
            Singular::Extend(-2)
        } else {
            Singular::Extend(-i32::from(entry.score <= alpha && entry.score <= score))
        }
    }

    /// Extension of other moves, plies: of checks where much is decided already, and of a killer move in the principal
    /// variation that did well.
    #[inline]
    pub fn other_extension<N: NodeType>(
        &mut self,
        info: &NodeInfo,
        candidate: &Candidate,
        context: &OrderingContext,
    ) -> i32 {
        let params = self.shared.params();
        let decided = info.static_cp.is_none_or(|cp| cp.abs() >= params.check_extension_score_cp);
        let check = candidate.check && info.depth >= params.check_extension_depth && decided;
        let killer = N::PV
            && candidate.m == info.tt_move
            && candidate.m == self.entry(info.ply).killers[0]
            && self.data.histories.quiets(context).continuations(candidate.m)[0] >= params.killer_extension_history;
        i32::from(check || killer)
    }
}
