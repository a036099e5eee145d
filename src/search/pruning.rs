//! Pruning: nodes and moves that are not searched.
//!
//! Of whole nodes: reverse futility pruning, null move pruning, ProbCut. Of moves: late move pruning, futility pruning,
//! history pruning, and pruning by static exchange evaluation. Mate distance pruning is in the search itself.

use super::histories::OrderingContext;
use super::node::{Candidate, Node, NodeInfo, NonPv};
use super::params::PLY;
use super::picker::Picker;
use super::worker::Worker;
use crate::position::{Move, Position};
use crate::wdl::score::Score;
use shakmaty::Color;

/// Whether a move is to be left out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pruning {
    /// It is searched.
    None,
    /// It is left out.
    Move,
    /// It and all later quiet moves that give no check are left out.
    Quiets,
}

/// Whether mate is all that is left to find for `winner`, who has this score or more: then a line is not done with because
/// it looks a little better or worse. Bare kings are left out, as the evaluation knows the way to their mates.
#[inline]
pub fn is_mate_left(position: &Position, winner: Color, score: Score) -> bool {
    score.is_nearly_won() && !position.is_bare_king(!winner)
}

impl Worker<'_> {
    /// Prunes the whole node by its static evaluation. Returns its score then.
    pub fn prune_node(&mut self, position: &Position, info: &NodeInfo, beta: Score) -> Option<Score> {
        let params = self.shared.params;
        let (depth, ply) = (info.depth, info.ply);
        let corrected = info.corrected_eval?;
        let eval = info.static_score;
        // The table's score is a better estimate if its bound is on the right side of the static evaluation.
        let estimate = match info.tt_entry {
            Some(entry) if entry.decides(eval.next_down(), eval.next_up()) => entry.score,
            _ => eval,
        };
        if beta.is_loss() || is_mate_left(position, !position.turn(), -beta) || !estimate.is_heuristic() {
            return None;
        }

        // Reverse futility pruning: the evaluation is so far above beta that the node will fail high. Not for what was on a
        // principal variation.
        if depth <= params.reverse_futility_depth && !info.was_pv {
            let margin = params.reverse_futility_wilo * (depth - i32::from(info.improving)).max(0);
            let lowered = self.shared.margins.add(-margin, corrected, eval, position);
            if estimate.plus_difference(lowered, eval) >= beta {
                return Some(estimate);
            }
        }

        if !self.entry(ply).excluded.is_none() {
            return None;
        }
        // Null move pruning: the node fails high even if the other side moves twice in a row.
        let after_null = self.previous_entry(ply).played.is_none();
        if depth >= params.null_move_depth
            && !after_null
            && estimate >= beta
            && eval >= beta
            && position.has_non_pawn_material(position.turn())
            && ply >= self.null_move_from
            && let Some(score) = self.null_move(position, info, estimate, beta)
        {
            return Some(score);
        }
        if self.is_stopped() {
            return Some(Score::DRAW);
        }

        self.probcut(position, info, beta)
    }

    /// Null move pruning: passes, and returns a score that still reaches beta. At high depth a search without null moves
    /// must agree.
    fn null_move(&mut self, position: &Position, info: &NodeInfo, estimate: Score, beta: Score) -> Option<Score> {
        let params = self.shared.params;
        let (depth, ply) = (info.depth, info.ply);
        let above = estimate.wilo_at(estimate.d()) - beta.wilo_at(estimate.d());
        let reduction = (params.null_move_base
            + depth * params.null_move_slope
            + (above * PLY / params.null_move_wilo).clamp(0, params.null_move_wilo_limit))
            / PLY;
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
        let verified = self.search::<NonPv>(position, beta.next_down(), beta, depth - reduction, ply, false);
        self.null_move_from = 0;
        (!self.is_stopped() && verified >= beta).then_some(score)
    }

    /// ProbCut: a capture that a shallower search finds well above beta will be above beta at full depth.
    fn probcut(&mut self, position: &Position, info: &NodeInfo, beta: Score) -> Option<Score> {
        let params = self.shared.params;
        let (depth, ply) = (info.depth, info.ply);
        if depth < params.probcut_depth || beta.is_win() || is_mate_left(position, position.turn(), beta) {
            return None;
        }
        let target = beta.plus_wilo_at(params.probcut_wilo, info.static_score.d());
        if target <= beta {
            return None;
        }
        let shallow = depth - params.probcut_reduction;
        if info.tt_entry.is_some_and(|entry| entry.depth > shallow && entry.score < target) {
            return None;
        }
        let missing = target.wilo_at(info.static_score.d()) - info.corrected_eval?.wilo;
        let see_cp = (missing * params.probcut_see_share / 100).max(0);
        let mut picker = Picker::gaining(position, info.tt_move, see_cp);
        while let Some(m) = picker.next(position, &self.data.histories, &OrderingContext::NOISY) {
            if !position.is_legal(m) {
                continue;
            }
            let child = position.play(m);
            self.shared.tt.prefetch(child.table_key());
            self.push_move(position, m, ply);
            let mut score = -self.quiescence::<false>(&child, -target, (-target).next_up(), ply + 1);
            if score >= target {
                score = -self.zero_window(&child, target.next_down(), shallow, ply + 1, !info.cut_node);
            }
            self.pop_move();
            if self.is_stopped() {
                return Some(Score::DRAW);
            }
            if score >= target {
                let mut node = Node::new(beta.next_down(), beta);
                node.raise(score, m);
                self.store_tt(position, ply, &node, shallow + 1, info.eval, info.was_pv);
                return Some(score);
            }
        }
        None
    }

    /// Score that no quiet move is taken to exceed: the static evaluation with the futility margin. Infinite where there is no
    /// such pruning.
    #[inline]
    fn futility_score(&self, position: &Position, info: &NodeInfo) -> Score {
        let params = self.shared.params;
        match info.corrected_eval {
            Some(eval) if info.depth <= params.futility_depth => {
                let margin = params.futility_base_wilo + params.futility_slope_wilo * info.depth;
                self.shared.margins.add(margin, eval, info.static_score, position)
            }
            _ => Score::INFINITE,
        }
    }

    /// Whether a move can be left out, and with it all later quiet ones.
    #[inline(always)]
    pub fn prune_move(&self, position: &Position, info: &mut NodeInfo, candidate: &Candidate, alpha: Score) -> Pruning {
        let params = self.shared.params;
        let &Candidate { m, quiet, check, keeps_material, move_count, history } = candidate;
        let depth = info.depth;
        if !quiet {
            // Static exchange pruning of captures: the move loses too much material.
            let threshold = -params.see_noisy_see_cp * depth;
            let loses = !keeps_material && depth <= params.see_noisy_depth && !position.see(m, threshold);
            return if loses { Pruning::Move } else { Pruning::None };
        }
        let reduced_depth = (depth - self.shared.reductions.get(depth, move_count) / PLY).max(0);
        if !check {
            // Late move pruning: enough moves were searched for this depth.
            let max_count = (params.late_move_pruning_base + depth * depth) / (2 - i32::from(info.improving));
            if depth <= params.late_move_pruning_depth && move_count as i32 > max_count {
                return Pruning::Quiets;
            }
            // Futility pruning: a quiet move will not lift the evaluation to alpha.
            if !alpha.is_win() {
                let most = info.futility_score.unwrap_or_else(|| self.futility_score(position, info));
                info.futility_score = Some(most);
                if most <= alpha {
                    return Pruning::Quiets;
                }
            }
            // History pruning: the move has failed too often.
            if depth <= params.history_pruning_depth && history < -params.history_pruning * depth {
                return Pruning::Move;
            }
        }
        // Static exchange pruning of quiet moves: the piece is lost where it goes.
        if reduced_depth <= params.see_quiet_depth && !position.see(m, -params.see_quiet_see_cp * reduced_depth) {
            return Pruning::Move;
        }
        Pruning::None
    }
}
