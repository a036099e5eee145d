//! Principal variation search: the move loop of all nodes above quiescence.

use super::extensions::Singular;
use super::histories::{OrderingContext, PieceTo};
use super::node::{Candidate, Node, NodeInfo, NodeType, NonPv, SearchedMoves};
use super::picker::Picker;
use super::tt::{Bound, CLOCK_NEARS_DRAW, TtEntry};
use super::worker::Worker;
use crate::eval::Evaluation;
use crate::position::{Move, Position};
use crate::wdl::score::{MAX_PLY, Score};

/// What the static evaluation is taken to have improved by where no earlier one is known, centipawns of score.
const UNKNOWN_IMPROVEMENT_CP: i32 = 100;

impl Worker<'_> {
    /// Searches a child with a zero window: is it above the parent's alpha? The score is the child's.
    #[inline]
    pub fn zero_window(&mut self, child: &Position, alpha: Score, depth: i32, ply: usize, cut_node: bool) -> Score {
        let (alpha, beta) = ((-alpha).next_down(), -alpha);
        // Asked here too, as the search has a large frame.
        if depth <= 0 {
            self.quiescence::<false>(child, alpha, beta, ply, 0)
        } else {
            self.search::<NonPv>(child, alpha, beta, depth, ply, cut_node)
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
        debug_assert!(-Score::INFINITE <= alpha && alpha < beta && beta <= Score::INFINITE);
        debug_assert!(N::PV || alpha.next_up() == beta, "off the principal variation the window is zero");
        debug_assert!(depth <= 2 * MAX_PLY as i32 && ply < MAX_PLY && N::ROOT == (ply == 0));
        debug_assert_eq!(self.keys.len(), self.shared.game.keys().len() + ply, "one key for each earlier position");
        if depth <= 0 {
            return self.enter_quiescence::<N>(position, alpha, beta, ply);
        }
        if N::PV {
            self.entry(ply).pv.clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        if N::ROOT {
            if self.count_node() {
                return Score::DRAW;
            }
            self.root_window = (i64::from(beta.p()) - i64::from(alpha.p())).max(1);
        } else {
            if let Some(score) = self.leaf_score(position, ply) {
                return score;
            }
            // Mate distance pruning: no line from here beats a shorter mate that is already known.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let excluded = self.entry(ply).excluded;
        let entry = if excluded.is_none() { self.shared.tt.probe(position.table_key(), ply) } else { None };
        if !N::PV
            && let Some(entry) = entry
            && entry.depth + i32::from(entry.bound == Bound::Exact) > depth
            && entry.decides(alpha, beta)
        {
            self.update_histories_by_table(position, ply, entry.m, depth, entry.score >= beta);
            if position.halfmoves() < CLOCK_NEARS_DRAW {
                return entry.score;
            }
        }
        let (mut floor, mut ceiling) = (-Score::INFINITE, Score::INFINITE);
        if !N::ROOT
            && excluded.is_none()
            && let Some((score, bound)) = self.probe_tables(position, depth, ply)
        {
            let result = TtEntry { m: Move::NONE, score, bound, depth, eval: None, pv: N::PV };
            if result.decides(alpha, beta) {
                self.store_table_result(position, ply, result);
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
        self.prepare_entries::<N>(ply, entry);
        let mut info = self.node_info::<N>(position, depth, ply, entry, cut_node);
        if !N::ROOT {
            if let Some(score) = self.prune_node::<N>(position, &info, alpha, beta) {
                return score;
            }
            info.depth -= self.internal_iterative_reduction::<N>(&info);
            if info.depth <= 0 {
                return self.enter_quiescence::<N>(position, alpha, beta, ply);
            }
            if !N::PV
                && let Some(score) = self.probcut_in_check(&info, beta)
            {
                return score;
            }
        }
        info.fails_low = N::PV
            && !info.tt_move.is_none()
            && entry.is_some_and(|entry| entry.bound != Bound::Lower && entry.depth >= info.depth);

        let mut node = Node { best: floor, ..Node::new(alpha, beta) };
        let [first, second] = self.entry(ply).killers;
        let last = if N::ROOT { PieceTo::NONE } else { self.previous_entry(ply).piece_to };
        let refutations = [first, second, self.data.histories.counter(last)];
        let mut picker = Picker::new(position, info.tt_move, refutations);
        let context = OrderingContext::new(position, self.earlier_moves(ply));
        let (mut quiets, mut noisies) = (SearchedMoves::new(), SearchedMoves::new());
        // Nothing is learnt of the root from only some of its moves.
        let is_complete = !(N::ROOT && self.is_partial());
        let mut move_count = 0;
        let mut alpha_cp = alpha.margin_cp();
        loop {
            let next =
                if N::ROOT { self.next_root_move(move_count) } else { picker.next(&self.data.histories, &context) };
            let Some(m) = next else { break };
            if !N::ROOT && (m == excluded || !position.is_legal(m)) {
                continue;
            }
            self.shared.tt.prefetch(position.likely_key_after(m));
            move_count += 1;
            self.entry(ply).move_count = move_count;
            let candidate = Candidate {
                m,
                quiet: !position.is_noisy(m),
                check: context.checks().contains(position, m),
                known_see_cp: picker.known_see_cp(),
                move_count,
            };
            if N::PV {
                alpha_cp = node.alpha.margin_cp();
                info.window = self.window_reduction(node.alpha, beta);
            }
            if !N::ROOT && !node.best.is_loss() && position.has_non_pawn_material(position.turn()) {
                if move_count >= self.late_move_count(&info) {
                    picker.skip_quiets();
                }
                if self.prune_move::<N>(&info, &candidate, &context, alpha_cp) {
                    continue;
                }
            }

            let mut extension = 0;
            if !N::ROOT && (ply as i32) < self.shared.params().extension_ply_factor * self.root_depth {
                if excluded.is_none()
                    && let Some(entry) = self.singular_entry::<N>(&info, m)
                {
                    match self.singular_extension::<N>(position, &info, &entry, node.alpha, beta) {
                        Singular::Extend(plies) => extension = plies,
                        Singular::Cut(score) => return score,
                    }
                    if self.is_stopped() {
                        return Score::DRAW;
                    }
                    info.is_singular = extension > 0;
                    self.entry(ply).move_count = move_count;
                } else {
                    extension = self.other_extension::<N>(&info, &candidate, &context);
                }
            }
            let progress = if N::ROOT { Some(self.begin_root_move(move_count, m)) } else { None };
            let reduction = self.late_move_reduction::<N>(&info, &candidate, &context);
            let child = position.play(m);
            self.data.corrections.prefetch(&child);
            let new_depth = info.depth - 1 + extension;
            self.push_move(position, m, ply);
            self.entry(ply).butterfly = candidate.quiet.then(|| context.butterfly(m));
            if extension > 1 {
                self.entry(ply + 1).double_extensions += 1;
            }
            if N::PV {
                // A move that a zero window alone shows to be above beta has no line.
                self.entry(ply + 1).pv.clear();
            }
            let score = self.search_move::<N>(&child, &info, &candidate, &node, new_depth, reduction);
            if extension > 1 {
                self.entry(ply + 1).double_extensions -= 1;
            }
            self.pop_move();
            if self.is_stopped() {
                return Score::DRAW;
            }

            if N::PV && (score > node.alpha || N::ROOT && move_count == 1) {
                self.update_pv(m, ply);
            }
            if let Some(progress) = progress {
                self.finish_root_move(move_count, score, &node, progress);
            }
            let raises_alpha = score > node.alpha;
            if node.raise(score, m) {
                self.entry(ply).cutoffs += 1;
                break;
            }
            if raises_alpha {
                // A better one than this is hardly found.
                let shallow = 2..=self.shared.params().raised_alpha_depth;
                if shallow.contains(&info.depth) && !beta.is_win() && !score.is_loss() {
                    info.depth -= 1;
                }
                continue;
            }
            let searched = if candidate.quiet { &mut quiets } else { &mut noisies };
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
        node.best = node.best.min(ceiling);
        if is_complete {
            if !node.best_move.is_none() {
                self.update_histories(&info, &node, &quiets, &noisies, &context);
            } else if !N::ROOT {
                self.update_fail_low_history::<N>(&info, node.best, alpha);
            }
        }
        if excluded.is_none() && is_complete {
            // Where all moves fail below a node of the principal variation, the move that led here may be part of it.
            let may_join = node.best <= alpha && !N::ROOT && info.depth > 3 && self.previous_entry(ply).was_pv;
            self.update_correction_history(position, &info, &node);
            self.store_tt(position, ply, &node, info.depth, info.eval, info.was_pv || may_join);
        }
        node.best
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

    /// Makes the entries of the stack ready for a node and its children.
    #[inline(always)]
    fn prepare_entries<N: NodeType>(&mut self, ply: usize, entry: Option<TtEntry>) {
        let here = self.entry(ply);
        here.is_known = entry.is_some();
        here.move_count = 0;
        if here.excluded.is_none() {
            here.was_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        }
        let double_extensions = here.double_extensions;
        let child = self.entry(ply + 1);
        child.excluded = Move::NONE;
        child.double_extensions = double_extensions;
        let grandchild = self.entry(ply + 2);
        grandchild.killers = [Move::NONE; 2];
        grandchild.cutoffs = 0;
        if !N::ROOT {
            grandchild.late_move_history = 0;
        }
    }

    /// What late move reductions are less by in a window, as a share of that of the root; 1/1024 ply.
    fn window_reduction(&self, alpha: Score, beta: Score) -> i32 {
        let width = i64::from(beta.p()) - i64::from(alpha.p());
        (width * i64::from(self.shared.params().late_move_window) / self.root_window) as i32
    }

    /// Gathers what is known of a node.
    #[inline(always)]
    fn node_info<N: NodeType>(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
        entry: Option<TtEntry>,
        cut_node: bool,
    ) -> NodeInfo {
        let tt_move = if N::ROOT {
            self.root_moves[self.first_root_move].ranked.m
        } else {
            entry.map_or(Move::NONE, |entry| entry.m)
        };
        // What is likely to be looked up first.
        if !tt_move.is_none() {
            self.shared.tt.prefetch(position.likely_key_after(tt_move));
        }
        let eval = match entry.and_then(|entry| entry.eval) {
            _ if position.is_check() => None,
            Some(known) => Some(known),
            None => Some(self.evaluate(position)),
        };
        let corrected_eval = eval.map(|eval| self.corrected_eval(position, eval));
        let static_score = corrected_eval.map_or(Score::DRAW, Evaluation::score);
        let cp = corrected_eval.map(|_| static_score.margin_cp());
        self.entry(ply).static_cp = cp;
        if let Some(cp) = cp {
            self.update_eval_history(position, ply, cp);
        }
        let improvement = match (cp, self.earlier_cp(ply)) {
            (Some(now), Some(before)) => now - before,
            (Some(_), None) => UNKNOWN_IMPROVEMENT_CP,
            (None, _) => 0,
        };
        NodeInfo {
            depth,
            ply,
            cut_node,
            was_pv: self.entry(ply).was_pv,
            eval,
            static_score,
            static_cp: cp,
            improvement,
            fails_low: false,
            is_singular: false,
            window: 0,
            tt_entry: entry,
            tt_move,
            tt_noisy: !tt_move.is_none() && position.is_noisy(tt_move),
        }
    }

    /// Stores a node in the transposition table.
    pub fn store_tt(
        &mut self,
        position: &Position,
        ply: usize,
        node: &Node,
        depth: i32,
        eval: Option<Evaluation>,
        pv: bool,
    ) {
        let entry = TtEntry { m: node.best_move, score: node.best, bound: node.bound(), depth, eval, pv };
        self.shared.tt.store(position.table_key(), ply, entry);
    }
}
