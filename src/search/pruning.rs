//! Pruning: nodes and moves that are not searched.
//!
//! Of whole nodes: razoring, reverse futility pruning, null move pruning, ProbCut. Of moves: late move pruning, futility
//! pruning, history pruning, and pruning by static exchange evaluation. Mate distance pruning is in the search itself.

use super::histories::OrderingContext;
use super::node::{Candidate, Node, NodeInfo, NodeType, NonPv};
use super::params::PLY;
use super::picker::Picker;
use super::tt::Bound;
use super::worker::Worker;
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
        alpha: Score,
        beta: Score,
    ) -> Option<Score> {
        let params = self.shared.params();
        let (depth, ply) = (info.depth, info.ply);
        let static_cp = info.static_cp?;
        let eval = info.static_score;
        // The table's score is a better estimate if its bound is on the right side of the static evaluation.
        let (estimate, estimate_cp) = match info.tt_entry {
            Some(entry) if entry.decides(eval.next_down(), eval.next_up()) => (entry.score, entry.score.margin_cp()),
            _ => (eval, static_cp),
        };

        // Razoring: the evaluation is so far below alpha that only captures can help.
        let margin = params.razoring_base_score_cp + params.razoring_slope_score_cp * depth * depth;
        if alpha.is_heuristic() && estimate_cp + margin < alpha.margin_cp() {
            let score = self.quiescence::<false>(position, alpha.next_down(), alpha, ply, 0);
            if score < alpha || self.is_stopped() {
                return Some(score);
            }
        }
        if beta.is_loss() || is_mate_left(position, !position.turn(), -beta) || !estimate.is_heuristic() {
            return None;
        }
        let beta_cp = beta.margin_cp();
        let last_history = self.previous_entry(ply).late_move_history;

        // Reverse futility pruning: the evaluation is so far above beta that the node will fail high. Not for what was on a
        // principal variation.
        if depth <= params.reverse_futility_depth && !info.was_pv && estimate >= beta {
            let margin = params.reverse_futility_score_cp * (depth - i32::from(info.improving()))
                + last_history / params.reverse_futility_history;
            if estimate_cp - margin >= beta_cp {
                return Some(estimate);
            }
        }
        if N::PV {
            return None;
        }

        // Null move pruning: the node fails high even if the other side moves twice in a row.
        let most_below = params.null_move_base_score_cp
            + params.null_move_slope_score_cp * depth
            + params.null_move_improvement * info.improvement / 100;
        if !self.previous_entry(ply).played.is_none()
            && self.entry(ply).excluded.is_none()
            && last_history < params.null_move_history
            && estimate >= beta
            && estimate >= eval
            && static_cp + most_below >= beta_cp
            && position.has_non_pawn_material(position.turn())
            && (ply >= self.null_move_from || position.turn() != self.null_move_color)
            && let Some(score) = self.null_move(position, info, estimate_cp - beta_cp, beta)
        {
            return Some(score);
        }
        if self.is_stopped() {
            return Some(Score::DRAW);
        }

        if depth < params.probcut_depth { None } else { self.probcut(position, info, static_cp, beta) }
    }

    /// Null move pruning: passes, and returns a score that still reaches beta, where the evaluation is `above` centipawns above
    /// it. At high depth a search in which this side does not pass must agree.
    fn null_move(&mut self, position: &Position, info: &NodeInfo, above: i32, beta: Score) -> Option<Score> {
        let params = self.shared.params();
        let (depth, ply) = (info.depth, info.ply);
        let reduction = params.null_move_base
            + depth / params.null_move_depth
            + (above / params.null_move_score_cp).min(params.null_move_score_limit);
        let child = position.play_null();
        self.shared.tt.prefetch(child.table_key());
        self.push_move(position, Move::NONE, ply);
        let score = -self.zero_window(&child, beta.next_down(), depth - reduction, ply + 1, !info.cut_node);
        self.pop_move();
        if self.is_stopped() || score < beta {
            return None;
        }
        let score = if score.is_win() { beta } else { score };
        if self.null_move_from > 0 || depth < params.null_move_verification_depth {
            return Some(score);
        }
        // Verification: in zugzwang passing is better than any move.
        let without_null = (depth - reduction).max(0) * params.null_move_verification_share / 100;
        self.null_move_from = ply + without_null as usize;
        self.null_move_color = position.turn();
        let verified = self.search::<NonPv>(position, beta.next_down(), beta, depth - reduction, ply, false);
        self.null_move_from = 0;
        (!self.is_stopped() && verified >= beta).then_some(score)
    }

    /// ProbCut: a capture that a shallower search finds well above beta will be above beta at full depth.
    // Not inlined: its lists of moves are large, and few nodes are deep enough.
    #[inline(never)]
    fn probcut(&mut self, position: &Position, info: &NodeInfo, static_cp: i32, beta: Score) -> Option<Score> {
        let params = self.shared.params();
        let (depth, ply) = (info.depth, info.ply);
        if beta.is_win() || is_mate_left(position, position.turn(), beta) {
            return None;
        }
        let less = if info.improving() { params.probcut_improving_score_cp } else { 0 };
        let target = beta.plus_score_cp(params.probcut_score_cp - less);
        let shallow = depth - params.probcut_reduction;
        if target <= beta || info.tt_entry.is_some_and(|entry| entry.depth > shallow && entry.score < target) {
            return None;
        }
        let see_cp = (target.margin_cp() - static_cp) * params.probcut_see_share / 100;
        let mut picker = Picker::gaining(position, info.tt_move, see_cp);
        let excluded = self.entry(ply).excluded;
        let context = OrderingContext::new(position, self.earlier_moves(ply));
        while let Some(m) = picker.next(&self.data.histories, &context) {
            if m == excluded || !position.is_legal(m) {
                continue;
            }
            let child = position.play(m);
            self.shared.tt.prefetch(child.table_key());
            self.push_move(position, m, ply);
            let mut score = -self.quiescence::<false>(&child, -target, (-target).next_up(), ply + 1, 0);
            if score >= target {
                score = -self.zero_window(&child, target.next_down(), shallow, ply + 1, !info.cut_node);
            }
            self.pop_move();
            if self.is_stopped() {
                return Some(Score::DRAW);
            }
            if score >= target {
                if excluded.is_none() {
                    let mut node = Node::new(beta.next_down(), beta);
                    node.raise(score, m);
                    self.store_tt(position, ply, &node, shallow + 1, info.eval, info.was_pv);
                }
                return Some(score);
            }
        }
        None
    }

    /// ProbCut in check, where the table says that a capture is well above beta. Returns the node's score then.
    pub fn probcut_in_check(&self, info: &NodeInfo, beta: Score) -> Option<Score> {
        let params = self.shared.params();
        let entry = info.tt_entry?;
        if !info.in_check()
            || !info.tt_noisy
            || entry.bound == Bound::Upper
            || entry.depth <= info.depth - params.probcut_reduction
            || !entry.score.is_heuristic()
            || !beta.is_heuristic()
        {
            return None;
        }
        let target = beta.plus_score_cp(params.probcut_check_score_cp);
        (entry.score >= target).then_some(target)
    }

    /// Moves after which no quiet one is searched any more.
    #[inline]
    pub fn late_move_count(&self, info: &NodeInfo) -> usize {
        let most = self.shared.params().late_move_pruning_base + info.depth * info.depth;
        (if info.improving() { most } else { most / 2 }) as usize
    }

    /// Whether a move can be left out; `alpha_cp` is alpha in centipawns of score.
    #[inline(always)]
    pub fn prune_move<N: NodeType>(
        &self,
        info: &NodeInfo,
        candidate: &Candidate,
        context: &OrderingContext,
        alpha_cp: i32,
    ) -> bool {
        let position = context.position();
        let params = self.shared.params();
        let &Candidate { m, quiet, check, move_count, .. } = candidate;
        let depth = info.depth;
        let reduced_depth = (depth - 1 - self.reduction(info, move_count) / PLY).max(0);
        if !quiet || check {
            // Futility pruning of captures: the captured piece does not lift the evaluation to alpha.
            if !check
                && !N::PV
                && reduced_depth <= params.futility_noisy_depth
                && let Some(static_cp) = info.static_cp
            {
                let margin = params.futility_noisy_base_score_cp
                    + params.futility_noisy_slope_score_cp * reduced_depth
                    + self.data.histories.noisy(position, m) / params.futility_noisy_history;
                if static_cp + margin + self.shared.piece_cp(position.captured(m)) < alpha_cp {
                    return true;
                }
            }
            // Static exchange pruning: the move loses too much material.
            let least = -params.see_noisy_see_cp * depth;
            return candidate.known_see_cp < least && !position.see(m, least);
        }
        // History pruning: the move has failed too often after the last ones.
        let scores = self.data.histories.quiets(context);
        let continuations: i32 = scores.continuations(m).iter().sum();
        if reduced_depth <= params.history_pruning_depth && continuations < -params.history_pruning * (depth - 1) {
            return true;
        }
        // Futility pruning: a quiet move will not lift the evaluation to alpha.
        if reduced_depth <= params.futility_depth
            && let Some(static_cp) = info.static_cp
        {
            let margin = params.futility_base_score_cp
                + params.futility_slope_score_cp * reduced_depth
                + (continuations + 2 * scores.butterfly(m)) / params.futility_history;
            if static_cp + margin <= alpha_cp {
                return true;
            }
        }
        // Static exchange pruning of quiet moves: the piece is lost where it goes.
        let loss = (params.see_quiet_square_see_cp * reduced_depth + params.see_quiet_see_cp) * reduced_depth;
        !position.see(m, -loss)
    }
}
