//! Extensions: moves and nodes that are searched deeper.

use super::node::{Candidate, NodeInfo, NonPv};
use super::tt::Bound;
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
    /// Hindsight extension, plies: the move that led here was much reduced, though by the static evaluations it cost its
    /// side nothing.
    #[inline]
    pub fn hindsight_extension(&mut self, ply: usize) -> i32 {
        let params = self.shared.params;
        let now = self.entry(ply).static_wilo;
        let last = self.previous_entry(ply);
        let is_earned = last.reduction >= params.hindsight_reduction
            && matches!((now, last.static_wilo), (Some(now), Some(before)) if now + before <= params.hindsight_wilo);
        i32::from(is_earned)
    }

    /// Check extension, plies: for checks that do not lose material.
    #[inline(always)]
    pub fn check_extension(&self, position: &Position, candidate: &Candidate) -> i32 {
        i32::from(candidate.check && candidate.is_safe(position))
    }

    /// Singular extension: the table's move is searched deeper if a search without it finds nothing nearly as good. If it
    /// finds another move above beta, the node is cut (multi-cut).
    pub fn singular_extension(&mut self, position: &Position, info: &NodeInfo, beta: Score) -> Singular {
        let params = self.shared.params;
        let (depth, ply) = (info.depth, info.ply);
        let Some(entry) = info.tt_entry else { return Singular::Extend(0) };
        if depth < params.singular_depth
            || entry.depth < depth - params.singular_entry_depth
            || entry.bound == Bound::Upper
            || !entry.score.is_heuristic()
            || ply as i32 >= params.singular_ply_factor * self.root_depth
        {
            return Singular::Extend(0);
        }
        let target = entry.score.plus_permille(-params.singular_permille * depth);
        self.entry(ply).excluded = info.tt_move;
        let shallow = (depth - 1) * params.singular_search_share / 100;
        let score = self.search::<NonPv>(position, target.next_down(), target, shallow, ply, info.cut_node);
        self.entry(ply).excluded = Move::NONE;
        if score < target {
            let clearly = target.plus_permille(-params.singular_double_permille);
            let doubles = self.entry(ply).double_extensions;
            let double = score < clearly && doubles < params.singular_double_limit && !info.was_pv;
            Singular::Extend(1 + i32::from(double))
        } else if target >= beta {
            // Multi-cut: several moves would refute the node.
            Singular::Cut(target)
        } else if entry.score >= beta {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        }
    }
}
