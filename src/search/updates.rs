//! What the histories learn at the end of a node, and from its static evaluation.

use super::histories::{Bonus, OrderingContext};
use super::node::{Candidate, Node, NodeInfo, SearchedMoves};
use super::params::ONCE;
use super::stack::StackEntry;
use super::tt::Bound;
use super::worker::Worker;
use crate::eval::Evaluation;
use crate::position::{Move, Position};

impl Worker<'_> {
    /// Static evaluation with the correction histories.
    #[inline(always)]
    pub fn corrected_eval(&self, position: &Position, eval: Evaluation) -> Evaluation {
        Evaluation { wilo: eval.wilo + self.data.corrections.get(position, self.shared.params), ..eval }
    }

    /// Updates the history of the quiet move that led here by what it changed in the static evaluation, now `wilo`. Each
    /// evaluation counts the tempo of its side to move, so a move that changes nothing else gets a malus.
    #[inline]
    pub fn update_eval_history(&mut self, position: &Position, ply: usize, wilo: i32) {
        let params = self.shared.params;
        let last = self.previous_entry(ply);
        if let (Some(butterfly), Some(before)) = (last.butterfly, last.static_wilo) {
            let limit = params.history_evaluation_limit;
            let amount = (-(before + wilo) * params.history_evaluation).clamp(-limit, limit);
            let bonus = Bonus::new(params, amount);
            self.data.histories.update_last_butterfly(position, butterfly, bonus);
        }
    }

    /// Bonus for the move that caused a beta cutoff, malus for those searched before it.
    pub fn update_histories(
        &mut self,
        position: &Position,
        info: &NodeInfo,
        candidate: &Candidate,
        quiets: &SearchedMoves,
        noisies: &SearchedMoves,
        context: &OrderingContext,
    ) {
        let params = self.shared.params;
        let bonus = Bonus::new(params, params.history_bonus(info.depth));
        let histories = &mut self.data.histories;
        if candidate.quiet {
            histories.update_quiet(position, candidate.m, context, bonus);
            for &searched in quiets {
                histories.update_quiet(position, searched, context, -bonus);
            }
            self.entry(info.ply).killer = candidate.m;
        } else {
            histories.update_noisy(position, candidate.m, bonus);
        }
        for &searched in noisies {
            self.data.histories.update_noisy(position, searched, -bonus);
        }
        if info.ply > 0 {
            self.update_refuted_history(info.ply, 1, -bonus);
        }
    }

    /// Updates the histories by a node that the table cuts off: a bonus for its quiet move, and a malus for an early quiet
    /// move that led to it.
    pub fn update_histories_by_table(&mut self, position: &Position, ply: usize, m: Move, depth: i32) {
        let params = self.shared.params;
        if m.is_none() || !position.is_pseudo_legal(m) {
            return;
        }
        if !position.is_noisy(m) {
            let context = OrderingContext::new(position, self.earlier_moves(ply), params);
            let bonus = Bonus::new(params, params.history_bonus(depth));
            self.data.histories.update_quiet(position, m, &context, bonus);
        }
        self.update_refuted_history(ply, 2, -Bonus::new(params, params.history_bonus(depth + 1)));
    }

    /// A malus for the quiet move that led to a node that failed high, if it was among the first `max_count` of its node.
    fn update_refuted_history(&mut self, ply: usize, max_count: usize, malus: Bonus) {
        let StackEntry { butterfly, piece_to, move_count, .. } = *self.previous_entry(ply);
        if butterfly.is_some() && move_count <= max_count {
            let before = self.earlier_moves(ply - 1);
            self.data.histories.update_continuations(before, piece_to, malus);
        }
    }

    /// Bonus for the quiet move that led to a node that failed low.
    pub fn update_fail_low_history(&mut self, position: &Position, ply: usize, depth: i32) {
        let params = self.shared.params;
        let StackEntry { butterfly, piece_to, .. } = *self.previous_entry(ply);
        if let Some(butterfly) = butterfly {
            let bonus = Bonus::new(params, params.history_bonus(depth) * params.history_fail_low / ONCE);
            let before = self.earlier_moves(ply - 1);
            self.data.histories.update_last_butterfly(position, butterfly, bonus);
            self.data.histories.update_continuations(before, piece_to, bonus);
        }
    }

    /// Updates the correction histories by what the search found, unless the best move is a capture or promotion.
    pub fn update_correction_history(&mut self, position: &Position, info: &NodeInfo, node: &Node) {
        if info.corrected_eval.is_none() {
            return;
        }
        let quiet = node.best_move.is_none() || !position.is_noisy(node.best_move);
        if !quiet || !node.best.is_heuristic() {
            return;
        }
        let known = info.static_score;
        let informative = match node.bound() {
            Bound::Exact => true,
            Bound::Lower => node.best > known,
            Bound::Upper => node.best < known,
        };
        if informative {
            let error = node.best.wilo_at(known.d()) - known.wilo_at(known.d());
            self.data.corrections.update(position, self.shared.params, info.depth, error);
        }
    }
}
