//! What the histories learn at the end of a node, and from its static evaluation.

use super::histories::{OrderingContext, PieceTo};
use super::node::{Candidate, Node, NodeInfo, NodeType, SearchedMoves};
use super::stack::StackEntry;
use super::tt::Bound;
use super::worker::Worker;
use crate::eval::Evaluation;
use crate::position::{Move, Position};
use crate::wdl::score::Score;

impl Worker<'_> {
    /// Static evaluation with the correction histories.
    #[inline(always)]
    pub fn corrected_eval(&self, position: &Position, eval: Evaluation) -> Evaluation {
        Evaluation { wilo: eval.wilo + self.data.corrections.get(position, self.shared.params()), ..eval }
    }

    /// Updates the history of the quiet move that led here by what it changed in the static evaluation, now `cp`. Each
    /// evaluation counts the tempo of its side to move, so a move that changes nothing else gets a malus.
    #[inline]
    pub fn update_eval_history(&mut self, position: &Position, ply: usize, cp: i32) {
        let last = self.previous_entry(ply);
        if let (Some(butterfly), Some(before)) = (last.butterfly, last.static_cp) {
            let params = self.shared.params();
            let limit = params.history_evaluation_limit;
            let bonus = (-params.history_evaluation * (before + cp)).clamp(-limit, limit);
            self.data.histories.update_last_butterfly(position, butterfly, bonus);
        }
    }

    /// Bonus for the best move of a node, malus for those searched before it.
    pub fn update_histories(
        &mut self,
        info: &NodeInfo,
        node: &Node,
        quiets: &SearchedMoves,
        noisies: &SearchedMoves,
        context: &OrderingContext,
    ) {
        let position = context.position();
        let params = self.shared.params();
        let bonus = params.history_bonus(info.depth + 1);
        if position.is_noisy(node.best_move) {
            self.data.histories.update_noisy(position, node.best_move, bonus);
        } else {
            let large = node.best > node.beta.plus_score_cp(params.history_bonus_score_cp);
            let quiet_bonus = if large { bonus } else { params.history_bonus(info.depth) };
            self.update_best_quiet(info.ply, node.best_move, context, quiet_bonus);
            for &searched in quiets {
                self.data.histories.update_quiet(searched, context, -quiet_bonus);
            }
        }
        if info.ply > 0 {
            let last = self.previous_entry(info.ply);
            if last.butterfly.is_some()
                && (last.move_count == 1 + usize::from(last.is_known) || last.played == last.killers[0])
            {
                self.update_last_continuations(info.ply, -bonus);
            }
        }
        for &searched in noisies {
            self.data.histories.update_noisy(position, searched, -bonus);
        }
    }

    /// Bonus for a quiet move that is best, which becomes killer and counter move.
    fn update_best_quiet(&mut self, ply: usize, m: Move, context: &OrderingContext, bonus: i32) {
        let last = self.previous_entry(ply).piece_to;
        let killers = &mut self.entry(ply).killers;
        if killers[0] != m {
            *killers = [m, killers[0]];
        }
        self.data.histories.update_quiet(m, context, bonus);
        if last != PieceTo::NONE {
            self.data.histories.set_counter(last, m);
        }
    }

    /// Updates the histories by a node that the table cuts off, with a score at or above beta (`high`) or below: bonus or malus
    /// for its quiet move, and a malus for an early quiet move that led to what is refuted.
    pub fn update_histories_by_table(&mut self, position: &Position, ply: usize, m: Move, depth: i32, high: bool) {
        if m.is_none() || !position.is_pseudo_legal(m) {
            return;
        }
        let params = self.shared.params();
        let bonus = params.history_bonus(depth);
        if !position.is_noisy(m) {
            let context = OrderingContext::new(position, self.earlier_moves(ply));
            if high {
                self.update_best_quiet(ply, m, &context, bonus);
            } else {
                self.data.histories.update_quiet(m, &context, -bonus);
            }
        }
        let last = self.previous_entry(ply);
        if high && last.butterfly.is_some() && last.move_count <= 2 {
            self.update_last_continuations(ply, -params.history_bonus(depth + 1));
        }
    }

    /// Updates the continuation histories by the full search of a reduced move.
    pub fn update_reduced(&mut self, ply: usize, candidate: &Candidate, depth: i32, good: bool) {
        let bonus = self.shared.params().history_bonus(depth);
        let bonus = if good { bonus } else { -bonus };
        self.update_last_continuations(ply + 1, if candidate.quiet { bonus } else { bonus / 6 });
    }

    /// Bonus for the quiet move that led to a node that failed low, below `alpha`.
    pub fn update_fail_low_history<N: NodeType>(&mut self, info: &NodeInfo, best: Score, alpha: Score) {
        let params = self.shared.params();
        if (N::PV || info.depth >= params.history_fail_low_depth) && self.previous_entry(info.ply).butterfly.is_some() {
            let far_below = alpha.plus_score_cp(-params.history_fail_low_score_cp * info.depth);
            let twice = N::PV || info.cut_node || best < far_below;
            self.update_last_continuations(info.ply, params.history_bonus(info.depth) * (1 + i32::from(twice)));
        }
    }

    /// Updates the continuation histories of the move that led to a node.
    fn update_last_continuations(&mut self, ply: usize, bonus: i32) {
        let StackEntry { piece_to, static_cp, .. } = *self.previous_entry(ply);
        let before = self.earlier_moves(ply - 1);
        let learning = if static_cp.is_none() { 2 } else { 4 };
        self.data.histories.update_continuations(&before[..learning], piece_to, bonus);
    }

    /// Updates the correction histories by what the search found, unless the best move is a capture or promotion.
    pub fn update_correction_history(&mut self, position: &Position, info: &NodeInfo, node: &Node) {
        if info.in_check() {
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
            self.data.corrections.update(position, self.shared.params(), info.depth, error);
        }
    }
}
