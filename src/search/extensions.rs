//! Extensions: moves that are searched deeper, or with a negative extension less deep.

use super::histories::{Histories, OrderingContext};
use super::node::{Candidate, MoveLoop, NodeInfo, NodeType, NonPvNode};
use super::params::SearchParams;
use super::path::Path;
use super::statistics::{Counted, count};
use super::tt_entry::TtEntry;
use super::worker::Worker;
use crate::position::{Move, Position};
use crate::wdl::score::Score;

/// What the search without the TT move found.
pub enum Singular {
    /// Search the TT move this many plies deeper.
    Extend(i32),
    /// The node is refuted anyway.
    Cut(Score),
}

/// The TT entry, if its move may be singular.
#[inline]
pub fn singular_entry<N: NodeType>(params: &SearchParams, info: &NodeInfo, depth: i32, m: Move) -> Option<TtEntry> {
    let more = if N::PV { params.singular_depth_pv } else { 0 };
    info.tt_entry.filter(|entry| {
        m == info.tt_move
            // The search without the move has half the depth, which must be enough to see anything.
            && depth >= params.singular_depth + if entry.pv { more } else { 0 }
            // The score must be about as deep as what it is compared with.
            && entry.depth >= depth - params.singular_entry_depth
            // An upper bound does not say that the move is good.
            && entry.bounds_below()
            && entry.score.is_heuristic()
    })
}

impl Worker<'_> {
    /// Singular extensions (SE): the TT move is searched deeper if a search without it finds nothing nearly as good, and less
    /// deep (negative extension) if the search does well without it.
    pub fn singular_extension<N: NodeType>(
        &mut self,
        position: &Position,
        info: &NodeInfo,
        state: &MoveLoop,
        entry: &TtEntry,
    ) -> Singular {
        let params = self.shared.params();
        let (depth, ply) = (state.depth, info.ply);
        let margin = params.singular_score + if info.was_pv && !N::PV { params.singular_was_pv_score } else { 0 };
        count(Counted::Singular, depth);
        let target = entry.score.plus_score_cp(-margin * depth / 10);
        self.path.entry_mut(ply).excluded = info.tt_move;
        let shallow = (depth - 1) * params.singular_search_share / 100;
        let score = self.search::<NonPvNode>(position, target.next_down(), target, shallow, ply, info.cut_node);
        self.path.entry_mut(ply).excluded = Move::NONE;
        if score < target {
            // Double extension: nothing else comes near. Few on one path, or the search may never come back.
            let clearly = target.plus_score_cp(-params.singular_double_score_cp);
            let doubles = self.path.entry(ply).double_extensions;
            let double = !N::PV && score < clearly && doubles < params.singular_double_limit;
            count(if double { Counted::DoubleExtended } else { Counted::SingularExtended }, depth);
            Singular::Extend(1 + i32::from(double))
        } else if target >= state.node.beta {
            // Multi-cut: the TT move and another one are above beta, so the node very likely fails high.
            count(Counted::MultiCut, depth);
            Singular::Cut(target)
        } else if entry.score >= state.node.beta {
            // Negative extension: the node fails high by the TT move, which other moves come near.
            Singular::Extend(-2)
        } else {
            // Negative extension: the TT move is not expected to raise alpha.
            Singular::Extend(-i32::from(entry.score <= state.node.alpha && entry.score <= score))
        }
    }
}

/// Extension of moves that cannot be singular, plies.
#[inline]
pub fn other_extension<N: NodeType>(
    params: &SearchParams,
    histories: &Histories,
    path: &Path,
    info: &NodeInfo,
    state: &MoveLoop,
    candidate: &Candidate,
    context: &OrderingContext,
) -> i32 {
    // Check extensions: near an even score most checks only put off what happens.
    let decided = info.static_cp.is_none_or(|cp| cp.abs() >= params.check_extension_score_cp);
    let check = candidate.check && state.depth >= params.check_extension_depth && decided;
    // Killer extensions: a TT move of the principal variation that is best in sibling nodes and did well as a reply.
    let killer = N::PV
        && candidate.m == info.tt_move
        && candidate.m == path.entry(info.ply).killers[0]
        && histories.quiets(context).continuations(candidate.m)[0] >= params.killer_extension_history;
    i32::from(check || killer)
}
