//! Principal variation search: the move loop of all nodes above quiescence.

use super::extensions::Singular;
use super::histories::OrderingContext;
use super::node::{Candidate, Node, NodeInfo, NodeType, NonPv, SearchedMoves};
use super::picker::Picker;
use super::pruning::Pruning;
use super::tt::{Bound, CLOCK_NEARS_DRAW, TtEntry};
use super::worker::Worker;
use crate::eval::Evaluation;
use crate::position::{CheckSquares, Move, Position};
use crate::wdl::score::{MAX_PLY, Score};

impl Worker<'_> {
    /// Searches a child with a zero window: is it above the parent's alpha? The score is the child's.
    #[inline]
    pub fn zero_window(&mut self, child: &Position, alpha: Score, depth: i32, ply: usize, cut_node: bool) -> Score {
        self.search::<NonPv>(child, (-alpha).next_down(), -alpha, depth, ply, cut_node)
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
            return if N::PV {
                self.quiescence::<true>(position, alpha, beta, ply)
            } else {
                self.quiescence::<false>(position, alpha, beta, ply)
            };
        }
        if N::PV {
            self.entry(ply).pv.clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        if N::ROOT {
            if self.count_node() {
                return Score::DRAW;
            }
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
            && entry.depth >= depth
            && entry.decides(alpha, beta)
            && position.halfmoves() < CLOCK_NEARS_DRAW
        {
            if entry.score >= beta {
                self.update_histories_by_table(position, ply, entry.m, depth);
            }
            return entry.score;
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
        let mut info = self.node_info::<N>(position, depth, ply, entry, cut_node);
        self.entry(ply + 1).killer = Move::NONE;
        self.entry(ply + 2).cutoffs = 0;
        self.entry(ply + 1).excluded = Move::NONE;
        self.entry(ply + 1).double_extensions = self.entry(ply).double_extensions;

        if !N::PV
            && let Some(score) = self.prune_node(position, &info, beta)
        {
            return score;
        }

        if excluded.is_none() {
            info.depth += self.hindsight_extension(ply);
            info.depth -= self.internal_iterative_reduction(&info, N::PV);
        }
        let depth = info.depth;

        let mut node = Node { best: floor, ..Node::new(alpha, beta) };
        let mut picker = Picker::new(position, info.tt_move, self.entry(ply).killer);
        let checks = CheckSquares::of(position);
        let context = OrderingContext::new(position, self.earlier_moves(ply), self.shared.params);
        let (mut quiets, mut noisies) = (SearchedMoves::new(), SearchedMoves::new());
        // Nothing is learnt of the root from only some of its moves.
        let is_complete = !(N::ROOT && self.is_partial());
        let mut move_count = 0;
        loop {
            let next = if N::ROOT {
                self.next_root_move(move_count)
            } else {
                picker.next(position, &self.data.histories, &context)
            };
            let Some(m) = next else { break };
            if !N::ROOT && (m == excluded || !position.is_legal(m)) {
                continue;
            }
            self.shared.tt.prefetch(position.likely_key_after(m));
            move_count += 1;
            let candidate = self.candidate(position, m, move_count, picker.keeps_material(), &checks, &context);
            if !N::ROOT && !node.best.is_loss() && position.has_non_pawn_material(position.turn()) {
                let pruning = self.prune_move(position, &mut info, &candidate, node.alpha);
                if pruning == Pruning::Quiets {
                    picker.keep_checks(position, &checks);
                }
                if pruning != Pruning::None {
                    continue;
                }
            }

            let mut extension = 0;
            if !N::ROOT && m == info.tt_move && excluded.is_none() {
                match self.singular_extension(position, &info, beta) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::Cut(score) => return score,
                }
                if self.is_stopped() {
                    return Score::DRAW;
                }
            }
            if extension == 0 {
                extension = self.check_extension(position, &candidate);
            }

            let progress = if N::ROOT { Some(self.begin_root_move(move_count, m)) } else { None };
            let child = position.play(m);
            let new_depth = depth - 1 + extension;
            self.push_move(position, m, ply);
            self.entry(ply).move_count = move_count;
            self.entry(ply).butterfly = candidate.quiet.then(|| context.butterfly(m));
            if extension > 1 {
                self.entry(ply + 1).double_extensions += 1;
            }
            let score = self.search_move::<N>(&child, &info, &candidate, &node, new_depth);
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
            if node.raise(score, m) {
                self.entry(ply).cutoffs += 1;
                if is_complete {
                    self.update_histories(position, &info, &candidate, &quiets, &noisies, &context);
                }
                break;
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
        if excluded.is_none() && is_complete {
            if node.best_move.is_none() {
                self.update_fail_low_history(position, ply, depth);
            }
            self.update_correction_history(position, &info, &node);
            self.store_tt(position, ply, &node, depth, info.eval, info.was_pv);
        }
        node.best
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
        let eval = match entry.and_then(|entry| entry.eval) {
            _ if position.is_check() => None,
            Some(known) => Some(known),
            None => Some(self.evaluate(position)),
        };
        let corrected_eval = eval.map(|eval| self.corrected_eval(position, eval));
        let wilo = corrected_eval.map(|eval| eval.wilo);
        self.entry(ply).static_wilo = wilo;
        if let Some(eval) = eval {
            self.update_eval_history(position, ply, eval.wilo);
        }
        let tt_move = if N::ROOT {
            self.root_moves[self.first_root_move].ranked.m
        } else {
            entry.map_or(Move::NONE, |entry| entry.m)
        };
        NodeInfo {
            depth,
            ply,
            cut_node,
            was_pv: N::PV || entry.is_some_and(|entry| entry.pv),
            eval,
            corrected_eval,
            futility_score: None,
            static_score: corrected_eval.map_or(Score::DRAW, Evaluation::score),
            tt_entry: entry,
            tt_move,
            tt_noisy: !tt_move.is_none() && position.is_noisy(tt_move),
            improving: matches!((wilo, self.earlier_wilo(ply)), (Some(now), Some(before)) if now > before),
        }
    }

    /// Gathers what is known of a move.
    #[inline(always)]
    fn candidate(
        &self,
        position: &Position,
        m: Move,
        move_count: usize,
        keeps_material: bool,
        checks: &CheckSquares,
        context: &OrderingContext,
    ) -> Candidate {
        let quiet = !position.is_noisy(m);
        let histories = &self.data.histories;
        let history =
            if quiet { histories.quiets(position, context).of(position, m) } else { histories.noisy(position, m) };
        Candidate { m, quiet, check: checks.contains(position, m), keeps_material, move_count, history }
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
        let bound = node.bound();
        let m = if bound == Bound::Upper { Move::NONE } else { node.best_move };
        let entry = TtEntry { m, score: node.best, bound, depth, eval, pv };
        self.shared.tt.store(position.table_key(), ply, entry);
    }
}
