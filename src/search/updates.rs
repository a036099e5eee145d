//! What the histories learn at the end of a node, and from its static evaluation.

use super::correction::Corrections;
use super::histories::{Histories, OrderingContext};
use super::history_tables::EarlierMove;
use super::node::{Candidate, MoveLoop, NodeInfo, NodeType};
use super::params::SearchParams;
use super::path::{Path, StackEntry};
use super::tt_entry::Bound;
use crate::position::{Move, Position};
use crate::wdl::fixed::D_ONE;

/// What learns from searched moves: the histories, and the killer moves of the path.
pub struct Learner<'a> {
    /// Histories of moves.
    pub histories: &'a mut Histories,
    /// The current path. Its killer moves alone change.
    pub path: &'a mut Path,
    /// Bonuses.
    pub params: &'a SearchParams,
}

impl Learner<'_> {
    /// Updates the history of the quiet move that led here by what it changed in the static evaluation, now `cp`. Each
    /// evaluation counts the tempo of its side to move, so a move that changes nothing else gets a malus.
    #[inline]
    pub fn learn_from_evaluation(&mut self, position: &Position, ply: usize, cp: i32) {
        let last = self.path.parent(ply);
        if let (Some(butterfly), Some(before)) = (last.butterfly, last.static_cp) {
            let limit = self.params.history_evaluation_limit;
            let bonus = (-self.params.history_evaluation * (before + cp)).clamp(-limit, limit);
            self.histories.update_last_butterfly(position, butterfly, bonus);
        }
    }

    /// Bonus for the best move of a node, malus for those searched before it.
    pub fn learn_from_best_move(&mut self, info: &NodeInfo, state: &MoveLoop, context: &OrderingContext) {
        let position = context.position();
        let MoveLoop { node, depth, quiets, noisies, .. } = state;
        let params = self.params;
        let bonus = params.history_bonus(depth + 1);
        if position.is_noisy(node.best_move) {
            self.histories.update_noisy(position, node.best_move, bonus);
        } else {
            let large = node.best > node.beta.plus_score_cp(params.history_bonus_score_cp);
            let quiet_bonus = if large { bonus } else { params.history_bonus(*depth) };
            self.learn_best_quiet(info.ply, node.best_move, context, quiet_bonus);
            for &searched in quiets {
                self.histories.update_quiet(searched, context, -quiet_bonus);
            }
        }
        // The first quiet move after that of the transposition table, or the first killer, seemed good where it was played
        // and was refuted.
        if info.ply > 0 {
            let last = self.path.parent(info.ply);
            if last.butterfly.is_some()
                && (last.move_count == 1 + usize::from(last.has_tt_move) || last.played == last.killers[0])
            {
                self.update_last_continuations(info.ply, -bonus);
            }
        }
        for &searched in noisies {
            self.histories.update_noisy(position, searched, -bonus);
        }
    }

    /// Bonus for a quiet move that is best, which becomes killer and counter move.
    fn learn_best_quiet(&mut self, ply: usize, m: Move, context: &OrderingContext, bonus: i32) {
        self.path.set_killer(ply, m);
        self.histories.update_quiet(m, context, bonus);
        let last = self.path.parent(ply).earlier;
        if last != EarlierMove::NONE {
            self.histories.set_counter(last.piece_to(), m);
        }
    }

    /// Updates the histories by a node that the transposition table cuts off, with a score at or above beta (`high`) or below:
    /// bonus or malus for its quiet move, and a malus for an early quiet move that led to what is refuted.
    pub fn learn_from_tt_cutoff(&mut self, position: &Position, ply: usize, m: Move, depth: i32, high: bool) {
        if m.is_none() || !position.is_pseudo_legal(m) {
            return;
        }
        let bonus = self.params.history_bonus(depth);
        if !position.is_noisy(m) {
            let context = OrderingContext::new(position, self.path.earlier_moves(ply));
            if high {
                self.learn_best_quiet(ply, m, &context, bonus);
            } else {
                self.histories.update_quiet(m, &context, -bonus);
            }
        }
        let last = self.path.parent(ply);
        if high && last.butterfly.is_some() && last.move_count <= 2 {
            self.update_last_continuations(ply, -self.params.history_bonus(depth + 1));
        }
    }

    /// Updates the continuation histories by the full search of a reduced move.
    pub fn learn_from_reduced(&mut self, ply: usize, candidate: &Candidate, depth: i32, good: bool) {
        let bonus = self.params.history_bonus(depth);
        let bonus = if good { bonus } else { -bonus };
        self.update_last_continuations(ply + 1, if candidate.quiet { bonus } else { bonus / 6 });
    }

    /// Bonus for the quiet move that led to a node that failed low.
    pub fn learn_from_fail_low<N: NodeType>(&mut self, info: &NodeInfo, state: &MoveLoop) {
        let (params, depth) = (self.params, state.depth);
        if (N::PV || depth >= params.history_fail_low_depth) && self.path.parent(info.ply).butterfly.is_some() {
            let far_below = state.node.original_alpha.plus_score_cp(-params.history_fail_low_score_cp * depth);
            let twice = N::PV || info.cut_node || state.node.best < far_below;
            self.update_last_continuations(info.ply, params.history_bonus(depth) * (1 + i32::from(twice)));
        }
    }

    /// Updates the continuation histories of the move that led to a node.
    fn update_last_continuations(&mut self, ply: usize, bonus: i32) {
        let StackEntry { earlier, static_cp, .. } = *self.path.parent(ply);
        let before = self.path.earlier_moves(ply - 1);
        let learning = if static_cp.is_none() { 2 } else { 4 };
        self.histories.update_continuations(&before[..learning], earlier.piece_to(), bonus);
    }
}

/// An error of the score, times the probability that the game is not drawn: so much changes with a correction of wilo. In wilo
/// itself a small error of the score would be a large one where the draw is near, and the corrections of like positions with it.
fn weigh_by_decisive(error_cp: i32, d: i32) -> i32 {
    (i64::from(error_cp) * i64::from(D_ONE - d) / i64::from(D_ONE)) as i32
}

/// Updates the correction histories by what the search found, unless the best move is a capture or promotion: those change
/// what the static evaluation counts.
pub fn update_correction(
    corrections: &mut Corrections,
    params: &SearchParams,
    position: &Position,
    info: &NodeInfo,
    state: &MoveLoop,
) {
    let node = &state.node;
    let Some(static_cp) = info.static_cp else { return };
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
        let error = weigh_by_decisive(node.best.margin_cp() - static_cp, known.d());
        corrections.update(position, params, state.depth, error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wdl::score::Score;

    #[test]
    fn corrections_learn_little_where_the_draw_is_near() {
        // An expected result of 0.523 with a static evaluation of wilo 0 and D 0.95 would be some seven pawns of wilo.
        let known = Score::heuristic(0, 294);
        let found = known.plus_score_cp(16);
        assert!((found.expected() - 0.523).abs() < 0.002);
        let learnt = |known: Score| weigh_by_decisive(found.margin_cp() - known.margin_cp(), known.d());
        assert!((0..=2).contains(&learnt(known)));
        assert!((14..=16).contains(&learnt(Score::heuristic(0, -294))));
    }
}
