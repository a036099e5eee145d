//! Pruning: nodes and moves that are not searched.
//!
//! | of whole nodes | of moves |
//! |---|---|
//! | razoring | late move pruning (LMP) |
//! | reverse futility pruning (RFP) | futility pruning (FP) |
//! | null move pruning (NMP) | history pruning |
//! | ProbCut | SEE pruning |
//!
//! Mate distance pruning (MDP) is in the [search](super::alpha_beta) itself, delta pruning in
//! [quiescence](super::quiescence).

use super::histories::{Histories, OrderingContext};
use super::node::{Candidate, MoveLoop, Node, NodeInfo, NodeType, NonPvNode};
use super::params::{PLY, SearchParams};
use super::picker::Picker;
use super::reductions::base_reduction;
use super::shared::Shared;
use super::statistics::{Counted, count};
use super::worker::Worker;
use crate::eval::Evaluation;
use crate::position::{Move, Position};
use crate::wdl::score::Score;
use shakmaty::Color;

/// Whether mate is all that is left to find for `winner`, who has this score or more: then a line is not done with because
/// it looks a little better or worse. Bare kings are left out, as the evaluation knows the way to their mates.
#[inline]
pub fn is_mate_left(position: &Position, winner: Color, score: Score) -> bool {
    score.is_nearly_won() && !position.is_bare_king(!winner)
}

impl Worker<'_> {
    /// Prunes the whole node by its static evaluation. Returns its score then.
    pub fn prune_node<N: NodeType>(
        &mut self,
        position: &Position,
        info: &NodeInfo,
        depth: i32,
        alpha: Score,
        beta: Score,
    ) -> Option<Score> {
        let params = self.shared.params();
        let ply = info.ply;
        let static_cp = info.static_cp?;
        // Draws by rule: the evaluation knows the result, and no line from here changes it.
        if !N::PV && info.eval.is_some_and(Evaluation::is_certain_draw) {
            return Some(info.static_score);
        }
        // The TT score is a better estimate if its bound is on the right side of the static evaluation.
        let (estimate, estimate_cp) = match info.tt_entry {
            Some(entry) if entry.refines(info.static_score) => (entry.score, entry.score.margin_cp()),
            _ => (info.static_score, static_cp),
        };

        // Razoring: the evaluation is so far below alpha that only captures can help, and quiescence sees those.
        if estimate < alpha && alpha.is_heuristic() && estimate_cp + razoring_margin(params, depth) < alpha.margin_cp()
        {
            let score = self.quiescence_of_counted::<false>(position, alpha.next_down(), alpha, ply, 0);
            if score < alpha || self.is_stopped() {
                count(Counted::Razored, depth);
                return Some(score);
            }
        }

        // An estimate is no answer where a mate is asked for.
        if beta.is_loss() || is_mate_left(position, !position.turn(), -beta) || !estimate.is_heuristic() {
            return None;
        }
        // What follows shows that the node fails high, which a search of less depth does not where the evaluation is below beta.
        if estimate >= beta {
            let beta_cp = beta.margin_cp();
            let last_history = self.path.parent(ply).late_move_history;

            // Reverse futility pruning (RFP): the evaluation is so far above beta that the node will fail high. Not for what was
            // on a principal variation, which is to be searched with care.
            if depth <= params.reverse_futility_depth
                && !info.was_pv
                && estimate_cp - reverse_futility_margin(params, info, depth, last_history) >= beta_cp
            {
                count(Counted::ReverseFutility, depth);
                return Some(estimate);
            }

            // Null move pruning (NMP): passing is hardly ever the best move, so a node that fails high by it fails high.
            // Not twice in a row, nor with a move left out, nor after a move that is usually good.
            if !N::PV
                && !self.path.parent(ply).played.is_none()
                && self.path.entry(ply).excluded.is_none()
                && last_history < params.null_move_history
                && estimate >= info.static_score
                && static_cp + null_move_slack(params, info, depth) >= beta_cp
                // In pawn endings zugzwang is common: passing would be the best move.
                && position.has_non_pawn_material(position.turn())
                // Whoever has passed in a null move that is verified does not do so again.
                && self.path.allows_null_move(ply, position.turn())
                && let Some(score) = self.null_move(position, info, depth, estimate_cp - beta_cp, beta)
            {
                count(Counted::NullMoveCutoff, depth);
                return Some(score);
            }
        }
        if N::PV {
            return None;
        }
        if self.is_stopped() {
            return Some(Score::DRAW);
        }

        // ProbCut. At low depth its searches are no shorter than those of the moves.
        if depth < params.probcut_depth { None } else { self.probcut(position, info, depth, static_cp, beta) }
    }

    /// Null move pruning (NMP): passes, and returns a score that still reaches beta, where the evaluation is `above`
    /// centipawns above it. At high depth a search in which this side does not pass must agree.
    fn null_move(
        &mut self,
        position: &Position,
        info: &NodeInfo,
        depth: i32,
        above: i32,
        beta: Score,
    ) -> Option<Score> {
        let params = self.shared.params();
        let ply = info.ply;
        let reduced = depth - null_move_reduction(params, depth, above);
        count(Counted::NullMove, depth);
        let child = position.play_null();
        self.shared.tt.prefetch(child.tt_key());
        self.path.push(position, Move::NONE, ply, None);
        let score = -self.zero_window(&child, beta.next_down(), reduced, ply + 1, !info.cut_node);
        self.path.pop();
        if self.is_stopped() || score < beta {
            return None;
        }
        // A mate after passing is not proven.
        let score = if score.is_win() { beta } else { score };
        if self.path.is_verifying() || depth < params.null_move_verification_depth {
            return Some(score);
        }
        // Verification: in zugzwang passing is better than any move.
        let reduced = reduced.max(1);
        let without_null = reduced * params.null_move_verification_share / 100;
        self.path.begin_verification(ply, ply + 1 + without_null as usize, position.turn());
        let verified = self.search::<NonPvNode>(position, beta.next_down(), beta, reduced, ply, false);
        self.path.end_verification();
        (!self.is_stopped() && verified >= beta).then_some(score)
    }

    /// ProbCut: a capture that a shallower search finds well above beta will be above beta at full depth.
    // Not inlined: its lists of moves are large, and few nodes are deep enough.
    #[inline(never)]
    fn probcut(
        &mut self,
        position: &Position,
        info: &NodeInfo,
        depth: i32,
        static_cp: i32,
        beta: Score,
    ) -> Option<Score> {
        let params = self.shared.params();
        let ply = info.ply;
        if beta.is_win() || is_mate_left(position, position.turn(), beta) {
            return None;
        }
        let less = if info.improving() { params.probcut_improving_score_cp } else { 0 };
        let target = beta.plus_score_cp(params.probcut_score_cp - less);
        let shallow = depth - params.probcut_reduction;
        // Nothing lies well above a beta near certainty; and what the TT says that the search will not find is not searched for.
        if target <= beta || info.tt_entry.is_some_and(|entry| entry.depth > shallow && entry.score < target) {
            return None;
        }
        // Only captures that win about what is missing.
        let see_cp = (target.margin_cp() - static_cp) * params.probcut_see_share / 100;
        let mut picker = Picker::gaining(position, info.tt_move, see_cp);
        let excluded = self.path.entry(ply).excluded;
        let context = OrderingContext::new(position, self.path.earlier_moves(ply));
        while let Some(m) = picker.next(&self.data.histories, &context) {
            if m == excluded || !position.is_legal(m) {
                continue;
            }
            let mut child = *position;
            child.make(m);
            self.shared.tt.prefetch(child.tt_key());
            self.path.push(position, m, ply, None);
            count(Counted::ProbCut, depth);
            // Quiescence first: it is cheap, and most captures fail in it.
            let mut score = -self.quiescence::<false>(&child, -target, (-target).next_up(), ply + 1, 0);
            if score >= target {
                score = -self.zero_window(&child, target.next_down(), shallow, ply + 1, !info.cut_node);
            }
            self.path.pop();
            if self.is_stopped() {
                return Some(Score::DRAW);
            }
            if score >= target {
                count(Counted::ProbCutCutoff, depth);
                if excluded.is_none() {
                    let mut node = Node::new(beta.next_down(), beta);
                    node.raise(score, m);
                    let entry = node.tt_entry(shallow + 1, info.eval, info.was_pv);
                    self.shared.tt.store(position.tt_key(), ply, entry);
                }
                return Some(score);
            }
        }
        None
    }
}

/// Razoring margin, centipawns of score.
fn razoring_margin(params: &SearchParams, depth: i32) -> i32 {
    params.razoring_base_score_cp + params.razoring_slope_score_cp * depth * depth
}

/// Reverse futility margin, centipawns of score: less where the position gets better, more after a good move.
fn reverse_futility_margin(params: &SearchParams, info: &NodeInfo, depth: i32, last_history: i32) -> i32 {
    params.reverse_futility_score_cp * (depth - i32::from(info.improving()))
        + last_history / params.reverse_futility_history
}

/// How far the static evaluation may be below beta for a null move, centipawns of score.
fn null_move_slack(params: &SearchParams, info: &NodeInfo, depth: i32) -> i32 {
    params.null_move_base_score_cp
        + params.null_move_slope_score_cp * depth
        + params.null_move_improvement * info.improvement.cp / 100
}

/// Reduction of the search after a null move, plies; the evaluation is `above` centipawns above beta.
fn null_move_reduction(params: &SearchParams, depth: i32, above: i32) -> i32 {
    params.null_move_base
        + depth / params.null_move_depth
        + (above / params.null_move_score_cp).min(params.null_move_score_limit)
}

/// ProbCut in check, where there is no static evaluation: the TT says that a capture is well above beta, by a search about as
/// deep as that of ProbCut. Returns the node's score then.
pub fn probcut_in_check(params: &SearchParams, info: &NodeInfo, depth: i32, beta: Score) -> Option<Score> {
    let entry = info.tt_entry?;
    if !info.in_check()
        || !info.tt_noisy
        || !entry.bounds_below()
        || entry.depth <= depth - params.probcut_reduction
        || !entry.score.is_heuristic()
        || !beta.is_heuristic()
    {
        return None;
    }
    let target = beta.plus_score_cp(params.probcut_check_score_cp);
    (entry.score >= target).then_some(target)
}

/// Late move pruning (LMP): moves after which no quiet one is searched any more, as the best ones come early. Half as many
/// where the position gets worse.
#[inline]
pub fn late_move_pruning_count(params: &SearchParams, info: &NodeInfo, depth: i32) -> usize {
    let most = params.late_move_pruning_base + depth * depth;
    (if info.improving() { most } else { most / 2 }) as usize
}

/// Whether a move is not searched.
#[inline(always)]
pub fn prune_move<N: NodeType>(
    shared: &Shared,
    histories: &Histories,
    info: &NodeInfo,
    state: &MoveLoop,
    candidate: &Candidate,
    context: &OrderingContext,
) -> bool {
    let position = context.position();
    let params = shared.params();
    let &Candidate { m, quiet, check, move_count, .. } = candidate;
    let depth = state.depth;
    // The depth that late move reductions would leave.
    let reduced_depth = (depth - 1 - base_reduction(shared, info, state, move_count) / PLY).max(0);

    if !quiet || check {
        // Futility pruning (FP) of captures: the captured piece does not lift the evaluation to alpha.
        if !check
            && !N::PV
            && reduced_depth <= params.futility_noisy_depth
            && let Some(static_cp) = info.static_cp
        {
            let margin = params.futility_noisy_base_score_cp
                + params.futility_noisy_slope_score_cp * reduced_depth
                + histories.noisy(position, m) / params.futility_noisy_history;
            if static_cp + margin + shared.gains.of(position, m) < state.alpha_cp {
                return true;
            }
        }
        // SEE pruning: the move loses too much material by static exchange evaluation.
        let least = -params.see_noisy_see_cp * depth;
        return candidate.known_see_cp < least && !position.see(m, least);
    }

    // History pruning: the move has failed too often after the last ones.
    let scores = histories.quiets(context);
    let continuations: i32 = scores.continuations(m).iter().sum();
    if reduced_depth <= params.history_pruning_depth && continuations < -params.history_pruning * (depth - 1) {
        return true;
    }

    // Futility pruning (FP): a quiet move will not lift the evaluation to alpha.
    if reduced_depth <= params.futility_depth
        && let Some(static_cp) = info.static_cp
    {
        let margin = params.futility_base_score_cp
            + params.futility_slope_score_cp * reduced_depth
            + (continuations + 2 * scores.butterfly(m)) / params.futility_history;
        if static_cp + margin <= state.alpha_cp {
            return true;
        }
    }

    // SEE pruning of quiet moves: the piece is lost where it goes.
    let loss = (params.see_quiet_square_see_cp * reduced_depth + params.see_quiet_see_cp) * reduced_depth;
    !position.see(m, -loss)
}
