//! Reductions: nodes and moves that are searched less deep.

use super::histories::{Histories, OrderingContext};
use super::node::{Candidate, MoveLoop, Node, NodeInfo, NodeType};
use super::params::{PLY, SearchParams};
use super::path::Path;
use super::shared::Shared;

/// Internal iterative reductions (IIR), plies: without a TT move the move order is poor, and the next visit has one.
#[inline]
pub fn internal_iterative_reduction<N: NodeType>(params: &SearchParams, info: &NodeInfo, depth: i32) -> i32 {
    if info.in_check() || !info.tt_move.is_none() {
        0
    } else if N::PV {
        params.internal_reduction_pv
    } else if info.cut_node && depth >= params.internal_reduction_cut_depth {
        // A node that is expected to fail high depends on its first move most.
        params.internal_reduction_cut
    } else {
        0
    }
}

/// What late move reductions are less by for a window, as a share of that of the root; 1/1024 ply. In a wide window a late
/// move may still raise alpha.
#[inline]
pub fn window_reduction(params: &SearchParams, node: &Node, root_window: i64) -> i32 {
    let width = i64::from(node.beta.p()) - i64::from(node.alpha.p());
    (width * i64::from(params.late_move_window) / root_window) as i32
}

/// Late move reduction before all that concerns the move itself, 1/1024 ply: moves late in the order are rarely best.
#[inline]
pub fn base_reduction(shared: &Shared, info: &NodeInfo, state: &MoveLoop, move_count: usize) -> i32 {
    let params = shared.params();
    // The product of the logarithms of depth and move count.
    let product = shared.reductions.get(state.depth, move_count);
    // Where the position gets worse, few moves help; not in the first reductions, which are small.
    let not_improving = !info.improving() && product > params.late_move_not_improving;
    product + params.late_move_base - state.window_reduction + if not_improving { PLY } else { 0 }
}

/// Late move reductions (LMR), plies; `None` for a move that is searched to full depth at once. Keeps the history of the move
/// on the path, for the nodes below.
#[inline]
pub fn late_move_reduction<N: NodeType>(
    shared: &Shared,
    histories: &Histories,
    path: &mut Path,
    info: &NodeInfo,
    state: &MoveLoop,
    candidate: &Candidate,
    context: &OrderingContext,
) -> Option<i32> {
    let params = shared.params();
    let depth = state.depth;
    let last_count = path.parent(info.ply).move_count;
    // Near the root the first two moves are searched to full depth, elsewhere the first.
    let full = 1 + usize::from(N::PV && info.ply <= 1);
    if depth < params.late_move_depth
        || candidate.move_count <= full
        // Captures are searched in full where the principal variation was, unless a late move led here.
        || info.was_pv && !candidate.quiet && !(info.cut_node && last_count > 1)
    {
        return None;
    }
    let mut reduction = base_reduction(shared, info, state, candidate.move_count) / PLY;
    // Less where the principal variation is or was, unless the TT says that the node fails low.
    if info.was_pv && !state.tt_fails_low {
        reduction -= params.late_move_was_pv;
    }
    // Less at PV nodes, most at low depth.
    if N::PV {
        reduction -= params.late_move_pv + params.late_move_pv_shallow / (depth + 3);
    }
    // More at cut nodes: a move that fails high has most likely come already.
    if info.cut_node {
        reduction += params.late_move_cut_node;
    }
    // More where a capture is the TT move: quiet moves rarely surpass it.
    reduction += i32::from(info.tt_noisy);
    // Less where the TT move is singular and quiet: one that replaces it is worth finding.
    reduction -= i32::from(state.is_singular && !info.tt_noisy);
    // Less after a late move, which is itself reduced.
    reduction -= i32::from(last_count as i32 >= params.late_move_last_count);
    // Less for a piece that a lesser one attacks: it has a reason to move.
    if depth >= params.late_move_threatened_depth {
        reduction -= i32::from(context.threats().threatened.contains(candidate.m.from()));
    }
    // More where the children fail high often: the moves of this node are bad.
    reduction += i32::from(path.entry(info.ply + 1).cutoffs > params.late_move_cutoff_count);
    // Less with a good history, more with a bad one.
    let scores = histories.quiets(context);
    let continuations: i32 = scores.continuations(candidate.m).iter().sum();
    let history = 2 * scores.butterfly(candidate.m) + continuations - params.late_move_history_offset;
    path.entry_mut(info.ply).late_move_history = history;
    // Two branches, each with a constant divisor, for which the compiler multiplies.
    let scale = params.late_move_history;
    reduction -=
        if (8..=18).contains(&depth) { history / (scale + params.late_move_history_middle) } else { history / scale };
    Some(reduction)
}
