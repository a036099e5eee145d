//! Principal variation search (PVS): the move loop of all nodes above quiescence.

use super::extensions::{Singular, other_extension, singular_entry};
use super::histories::OrderingContext;
use super::history_tables::EarlierMove;
use super::node::{Candidate, MoveLoop, Node, NodeInfo, NodeType, NonPvNode, PvNode};
use super::picker::Picker;
use super::pruning::{late_move_pruning_count, probcut_in_check, prune_move};
use super::reductions::{internal_iterative_reduction, late_move_reduction, window_reduction};
use super::statistics::{Counted, count};
use super::syzygy;
use super::tt_entry::{Bound, TtEntry};
use super::updates::update_correction;
use super::worker::Worker;
use crate::eval::Evaluation;
use crate::position::{Move, Position};
use crate::wdl::score::{MAX_PLY, Score};

/// Counts a node whose moves are searched.
#[inline(always)]
fn count_expanded(info: &NodeInfo, depth: i32) {
    count(Counted::Expanded, depth);
    for (is_so, counted) in [
        (!info.tt_move.is_none(), Counted::TtMove),
        (info.improving(), Counted::Improving),
        (info.cut_node, Counted::CutNode),
    ] {
        if is_so {
            count(counted, depth);
        }
    }
}

impl Worker<'_> {
    /// Searches a child with a zero window: is it above the parent's alpha? The score is the child's.
    #[inline]
    pub fn zero_window(&mut self, child: &Position, alpha: Score, depth: i32, ply: usize, cut_node: bool) -> Score {
        let (alpha, beta) = ((-alpha).next_down(), -alpha);
        // Asked here too, as the search has a large frame.
        if depth <= 0 {
            self.quiescence::<false>(child, alpha, beta, ply, 0)
        } else {
            self.search::<NonPvNode>(child, alpha, beta, depth, ply, cut_node)
        }
    }

    /// Searches a position to `depth` plies and returns its score, exact between `alpha` and `beta` and a bound beyond
    /// them. At the root the moves from the first of the current line on are searched. `cut_node`: expected to fail high.
    pub fn search<N: NodeType>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        let shared = self.shared;
        let params = shared.params();
        debug_assert!(-Score::INFINITE <= alpha && alpha < beta && beta <= Score::INFINITE);
        debug_assert!(N::PV || alpha.next_up() == beta, "off the principal variation the window is zero");
        debug_assert!(depth <= 2 * MAX_PLY as i32 && ply < MAX_PLY && N::ROOT == (ply == 0));
        debug_assert_eq!(self.path.earlier_positions(), shared.game.keys().len() + ply, "a key for each position");
        if depth <= 0 {
            return self.enter_quiescence::<N>(position, alpha, beta, ply);
        }
        if N::PV {
            self.path.begin_pv(ply);
        }
        if self.count_node() {
            return Score::DRAW;
        }
        count(Counted::Node, depth);
        if N::ROOT {
            self.root.set_window(alpha, beta);
        } else {
            if let Some(score) = self.leaf_score(position, ply) {
                return score;
            }
            // Upcoming repetition: a draw is at hand.
            if self.path.has_draw_at_hand(position, alpha, ply) {
                alpha = Score::DRAW;
                if alpha >= beta {
                    count(Counted::UpcomingRepetition, depth);
                    return alpha;
                }
            }
            // Mate distance pruning (MDP): no line from here beats a shorter mate that is already known.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // Transposition table (TT) cutoff: the position was searched as deep before if the score is exact, or deeper, and the bound
        // decides. A singular search leaves a move out, so that entries do not hold for it.
        let excluded = self.path.entry(ply).excluded;
        let tt_entry = if excluded.is_none() { shared.probe_tt(position, ply) } else { None };
        if tt_entry.is_some() {
            count(Counted::TtHit, depth);
        }
        if !N::PV
            && let Some(entry) = tt_entry
            && entry.depth + i32::from(entry.bound == Some(Bound::Exact)) > depth
            && entry.decides(alpha, beta)
        {
            count(Counted::TtCutoff, depth);
            self.learner().learn_from_tt_cutoff(position, ply, entry.m, depth, entry.score >= beta);
            return entry.score;
        }

        // Endgame tables.
        let (mut floor, mut ceiling) = (-Score::INFINITE, Score::INFINITE);
        if !N::ROOT
            && excluded.is_none()
            && let Some((score, bound)) = shared.syzygy.probe(position, depth, ply)
        {
            self.control.count_syzygy_hit();
            let depth = syzygy::stored_depth(depth);
            let result = TtEntry { m: Move::NONE, score, bound: Some(bound), depth, eval: None, pv: N::PV };
            if result.decides(alpha, beta) {
                shared.tt.store(position.tt_key(), ply, result);
                return score;
            }
            // In an open window the search may still find a mate.
            if bound == Bound::Lower {
                floor = score;
                alpha = alpha.max(score);
            } else {
                ceiling = score;
            }
        }

        // What the endgame tables leave possible.
        let bounded = |score: Score| score.max(floor).min(ceiling);
        self.path.enter_node::<N>(ply, tt_entry);
        let info = self.enter_node::<N>(position, ply, tt_entry, cut_node);
        if tt_entry.is_none()
            && excluded.is_none()
            && let Some(eval) = info.eval
        {
            // Kept even if the node is pruned: it may come again.
            shared.tt.store(position.tt_key(), ply, TtEntry::of_evaluation(eval, info.was_pv));
        }
        let mut depth = depth;
        if !N::ROOT {
            // Razoring, reverse futility pruning (RFP), null move pruning (NMP), ProbCut.
            if let Some(score) = self.prune_node::<N>(position, &info, depth, alpha, beta) {
                return bounded(score);
            }
            // Internal iterative reductions (IIR). A singular search asks the table for no move.
            if excluded.is_none() {
                depth -= internal_iterative_reduction::<N>(params, &info, depth);
            }
            if depth <= 0 {
                return bounded(if N::PV {
                    self.quiescence_of_counted::<true>(position, alpha, beta, ply, 0)
                } else {
                    self.quiescence_of_counted::<false>(position, alpha, beta, ply, 0)
                });
            }
            if !N::PV
                && let Some(score) = probcut_in_check(params, &info, depth, beta)
            {
                return bounded(score);
            }
        }
        let tt_fails_low = N::PV
            && !info.tt_move.is_none()
            && tt_entry.is_some_and(|entry| entry.bounds_above() && entry.depth >= depth);

        count_expanded(&info, depth);
        let mut state = MoveLoop::new(Node { best: floor, ..Node::new(alpha, beta) }, depth, tt_fails_low);
        let [first, second] = self.path.entry(ply).killers;
        let last = if N::ROOT { EarlierMove::NONE } else { self.path.parent(ply).earlier };
        let refutations = [first, second, self.data.histories.counter(last.piece_to())];
        let mut picker = Picker::new(position, info.tt_move, refutations);
        let context = OrderingContext::new(position, self.path.earlier_moves(ply));
        // Nothing is learnt of the root from only some of its moves.
        let is_complete = !(N::ROOT && (self.root.is_partial(shared.limits) || !shared.drawn.is_empty()));
        let teaches = is_complete && !self.path.is_searched_within(ply);
        let mut move_count = 0;
        loop {
            let next =
                if N::ROOT { self.root.next_move(move_count) } else { picker.next(&self.data.histories, &context) };
            let Some(m) = next else { break };
            if !N::ROOT && (m == excluded || !position.is_legal(m)) {
                continue;
            }
            shared.tt.prefetch(position.likely_key_after(m));
            move_count += 1;
            count(Counted::Move, depth);
            self.path.entry_mut(ply).move_count = move_count;
            let candidate = Candidate {
                m,
                quiet: !position.is_noisy(m),
                check: context.checks().contains(position, m),
                known_see_cp: picker.known_see_cp(),
                move_count,
            };
            if N::PV {
                state.alpha_cp = state.node.alpha.margin_cp();
                state.window_reduction = window_reduction(params, &state.node, self.root.window());
            }
            // Pruning of moves, once one is known that does not lose by force; not in pawn endings, where zugzwang is common.
            if !N::ROOT && !state.node.best.is_loss() && position.has_non_pawn_material(position.turn()) {
                // Late move pruning (LMP).
                if move_count >= late_move_pruning_count(params, &info, state.depth) {
                    picker.skip_quiets();
                }
                // Futility pruning (FP), history pruning, SEE pruning.
                if prune_move::<N>(shared, &self.data.histories, &info, &state, &candidate, &context) {
                    count(Counted::MovePruned, depth);
                    continue;
                }
            }

            // Singular extensions (SE) and multi-cut, check and killer extensions; not far beyond the depth of the iteration, or the search may never come back.
            let mut extension = 0;
            if !N::ROOT && (ply as i32) < params.extension_ply_factor * self.root.depth() {
                if excluded.is_none()
                    && let Some(entry) = singular_entry::<N>(params, &info, state.depth, m)
                {
                    match self.singular_extension::<N>(position, &info, &state, &entry) {
                        Singular::Extend(plies) => extension = plies,
                        Singular::Cut(score) => return bounded(score),
                    }
                    if self.is_stopped() {
                        return Score::DRAW;
                    }
                    state.is_singular = extension > 0;
                    self.path.entry_mut(ply).move_count = move_count;
                } else {
                    extension = other_extension::<N>(
                        params,
                        &self.data.histories,
                        &self.path,
                        &info,
                        &state,
                        &candidate,
                        &context,
                    );
                }
            }
            let progress = if N::ROOT { Some(self.begin_root_move(move_count, m)) } else { None };
            let reduction = late_move_reduction::<N>(
                shared,
                &self.data.histories,
                &mut self.path,
                &info,
                &state,
                &candidate,
                &context,
            );
            let mut child = *position;
            child.make(m);
            self.data.corrections.prefetch(&child);
            let new_depth = state.depth - 1 + extension;
            self.path.push(position, m, ply, candidate.quiet.then(|| context.butterfly(m)));
            if extension > 1 {
                self.path.entry_mut(ply + 1).double_extensions += 1;
            }
            if N::PV {
                // A move that a zero window alone shows to be above beta has no line.
                self.path.entry_mut(ply + 1).pv.clear();
            }
            let score = if N::ROOT && shared.drawn.contains(&m) {
                Score::DRAW
            } else {
                self.search_move::<N>(&child, &info, &state, &candidate, new_depth, reduction)
            };
            if extension > 1 {
                self.path.entry_mut(ply + 1).double_extensions -= 1;
            }
            self.path.pop();
            if self.is_stopped() {
                return Score::DRAW;
            }

            if N::PV && (score > state.node.alpha || N::ROOT && move_count == 1) {
                self.path.update_pv(m, ply);
            }
            if let Some(progress) = progress {
                self.finish_root_move(move_count, score, &state.node, progress);
            }
            let raises_alpha = score > state.node.alpha;
            if state.node.raise(score, m) {
                count(Counted::Cutoff, depth);
                if move_count == 1 {
                    count(Counted::FirstCutoff, depth);
                }
                self.path.entry_mut(ply).cutoffs += 1;
                break;
            }
            if raises_alpha {
                // Other moves are searched less deep: one still better is hardly found.
                let shallow = 2..=params.raised_alpha_depth;
                if shallow.contains(&state.depth) && !beta.is_win() && !score.is_loss() {
                    state.depth -= 1;
                }
                continue;
            }
            let searched = if candidate.quiet { &mut state.quiets } else { &mut state.noisies };
            let _ = searched.try_push(m);
        }

        if move_count == 0 {
            return if !excluded.is_none() {
                alpha
            } else if position.is_check() {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            };
        }
        state.node.best = bounded(state.node.best);
        if teaches {
            if !state.node.best_move.is_none() {
                self.learner().learn_from_best_move(&info, &state, &context);
            } else if !N::ROOT {
                self.learner().learn_from_fail_low::<N>(&info, &state);
            }
        }
        if excluded.is_none() && is_complete {
            // Where all moves fail below a node of the principal variation, the move that led here may be part of it.
            let may_join = state.node.best <= alpha && !N::ROOT && state.depth > 3 && self.path.parent(ply).was_pv;
            if teaches {
                update_correction(&mut self.data.corrections, params, position, &info, &state);
            }
            let entry = state.node.tt_entry(state.depth, info.eval, info.was_pv || may_join);
            shared.tt.store(position.tt_key(), ply, entry);
        }
        state.node.best
    }

    /// Searches a move of a node: all but the first with a zero window, and late ones less deep at first. What scores above
    /// alpha is searched again.
    #[inline(always)]
    fn search_move<N: NodeType>(
        &mut self,
        child: &Position,
        info: &NodeInfo,
        state: &MoveLoop,
        candidate: &Candidate,
        mut new_depth: i32,
        reduction: Option<i32>,
    ) -> Score {
        let params = self.shared.params();
        let (ply, node) = (info.ply, &state.node);
        let move_count = candidate.move_count;
        let mut score = -Score::INFINITE;
        if let Some(reduction) = reduction {
            // Late move reductions (LMR): a shallow search is enough to see that a late move is no better.
            let reduced = (new_depth - reduction).clamp(1, (new_depth + 1).max(1));
            count(Counted::Reduced, state.depth);
            score = -self.zero_window(child, node.alpha, reduced, ply + 1, true);
            if score > node.alpha && reduced < new_depth && !self.is_stopped() {
                count(Counted::Researched, state.depth);
                // A score well above alpha is worth a deeper search, one hardly above the best so far a shallower one.
                let margin =
                    params.late_move_deeper_score_cp + params.late_move_deeper_slope_score_cp * (new_depth - reduced);
                let deeper = score > node.alpha.plus_score_cp(margin);
                let margin = params.late_move_shallower_score_cp * new_depth / 10;
                let shallower = score < node.best.plus_score_cp(margin);
                new_depth += i32::from(deeper) - i32::from(shallower);
                if new_depth > reduced {
                    score = -self.zero_window(child, node.alpha, new_depth, ply + 1, !info.cut_node);
                }
                if !self.path.is_searched_within(ply) && !self.is_stopped() {
                    self.learner().learn_from_reduced(ply, candidate, new_depth, score > node.alpha);
                }
            }
        } else if !N::PV || move_count > 1 {
            score = -self.zero_window(child, node.alpha, new_depth, ply + 1, !info.cut_node);
        }
        if N::PV && (move_count == 1 || score > node.alpha && (N::ROOT || score < node.beta)) {
            let most = state.depth + i32::from(!N::ROOT);
            score = -self.search::<PvNode>(child, -node.beta, -node.alpha, new_depth.min(most), ply + 1, false);
        }
        score
    }

    /// Quiescence at a node of the main search.
    #[inline(always)]
    fn enter_quiescence<N: NodeType>(&mut self, position: &Position, alpha: Score, beta: Score, ply: usize) -> Score {
        if N::PV {
            self.quiescence::<true>(position, alpha, beta, ply, 0)
        } else {
            self.quiescence::<false>(position, alpha, beta, ply, 0)
        }
    }

    /// Gathers what is known of a node, on the path, too. The history of the move that led here learns from its static evaluation.
    #[inline(always)]
    fn enter_node<N: NodeType>(
        &mut self,
        position: &Position,
        ply: usize,
        tt_entry: Option<TtEntry>,
        cut_node: bool,
    ) -> NodeInfo {
        let tt_move = if N::ROOT { self.root.line().ranked.m } else { tt_entry.map_or(Move::NONE, |entry| entry.m) };
        // What is likely to be looked up first.
        if !tt_move.is_none() {
            self.shared.tt.prefetch(position.likely_key_after(tt_move));
        }
        let eval = self.data.static_eval(position, tt_entry, self.shared, ply);
        let corrected = eval.map(|eval| self.data.corrections.correct(position, eval, self.shared.params()));
        let static_score = corrected.map_or(Score::DRAW, Evaluation::score);
        let static_cp = corrected.map(|_| static_score.margin_cp());
        let here = self.path.entry_mut(ply);
        (here.static_cp, here.static_score) = (static_cp, static_score);
        if let Some(cp) = static_cp
            && !self.path.is_searched_within(ply)
        {
            self.learner().learn_from_evaluation(position, ply, cp);
        }
        NodeInfo {
            ply,
            cut_node,
            was_pv: self.path.entry(ply).was_pv,
            eval,
            static_score,
            static_cp,
            improvement: self.path.improvement(ply),
            tt_entry,
            tt_move,
            tt_noisy: !tt_move.is_none() && position.is_noisy(tt_move),
        }
    }
}
