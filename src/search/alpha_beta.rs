//! Principal variation search with its pruning and reductions.

use super::Event;
use super::picker::Picker;
use super::table::{Bound, Entry};
use super::worker::Worker;
use crate::eval::Scores;
use crate::position::{CheckSquares, Move, Position};
use crate::score::{MAX_PLY, Score};
use arrayvec::ArrayVec;

/// One ply in the unit of reductions.
const PLY: i32 = 1024;
/// Halfmove clock from which the table, which does not know it, no longer ends a search.
const CLOCK_NEARS_DRAW: u32 = 90;

/// Moves of one sort that were searched at a node.
pub type Tried = ArrayVec<Move, 64>;

impl Worker<'_> {
    /// Searches the root moves of the current line.
    pub fn search_root(
        &mut self,
        position: &Position,
        alpha: Score,
        beta: Score,
        depth: i32,
        report: &mut dyn FnMut(Event),
    ) -> Score {
        if self.count_node() {
            return alpha;
        }
        let eval = if position.is_check() { None } else { Some(self.evaluate(position)) };
        self.frame(0).wilo = eval.map(|eval| eval.wilo);
        self.frame(0).pv.clear();
        let mut node = Node { alpha, beta, best: -Score::INFINITE, best_move: Move::NONE };
        for index in self.first_root_move..self.root_moves.len() {
            let m = self.root_moves[index].m;
            let number = index - self.first_root_move + 1;
            self.report_current(report, number, m);
            let deepest = std::mem::replace(&mut self.selective_depth, 0);
            let child = position.play(m);
            let new_depth = depth - 1 + i32::from(child.is_check());
            self.enter(position, m, 0);
            let mut score = -Score::INFINITE;
            if number > 1 {
                let quiet = !position.is_noisy(m);
                let reduction = if depth >= 3 && number > 3 && quiet && !child.is_check() {
                    (self.shared.reductions.get(depth, number) / PLY - 1).max(0)
                } else {
                    0
                };
                score = -self.zero_window(&child, node.alpha, new_depth - reduction, 1, true);
                if score > node.alpha && reduction > 0 {
                    score = -self.zero_window(&child, node.alpha, new_depth, 1, false);
                }
            }
            if number == 1 || score > node.alpha {
                score = -self.search::<true>(&child, -beta, -node.alpha, new_depth, 1, false);
            }
            self.leave();
            if self.is_stopped() {
                return node.best;
            }
            let reached = self.selective_depth;
            self.selective_depth = deepest.max(reached);
            let improves = number == 1 || score > node.alpha;
            if improves {
                self.extend_pv(m, 0);
            }
            let line = self.frame(0).pv.clone();
            let root_move = &mut self.root_moves[index];
            if improves {
                root_move.score = score;
                root_move.selective_depth = reached;
                root_move.pv = line;
            } else {
                root_move.score = -Score::INFINITE;
            }
            if node.raise(score, m) {
                break;
            }
        }
        self.remember(position, 0, &node, alpha, depth, eval, true);
        node.best
    }

    /// Searches a child with a window of no width: is it above the parent's alpha? Seen from the child.
    #[inline]
    pub fn zero_window(&mut self, child: &Position, alpha: Score, depth: i32, ply: usize, cut_node: bool) -> Score {
        self.search::<false>(child, (-alpha).next_down(), -alpha, depth, ply, cut_node)
    }

    /// Searches a position below the root to `depth` plies and returns its score, exact between `alpha` and `beta` and
    /// a bound beyond them. `PV`: the window is open. `cut_node`: expected to fail high.
    pub fn search<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        debug_assert!(alpha < beta && (PV || alpha.next_up() == beta));
        if depth <= 0 {
            return self.quiescence::<PV>(position, alpha, beta, ply);
        }
        if PV {
            self.frame(ply).pv.clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        if self.count_node() {
            return Score::DRAW;
        }
        if self.is_draw(position, ply) {
            return Score::DRAW;
        }
        let in_check = position.is_check();
        if ply >= MAX_PLY - 1 {
            return if in_check { Score::DRAW } else { self.evaluate(position).score() };
        }

        // Mate distance pruning: no line from here beats a shorter mate that is already known.
        alpha = alpha.max(Score::mated_in(ply));
        beta = beta.min(Score::mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        let original_alpha = alpha;

        let entry = self.shared.table.probe(position.key(), ply);
        if !PV
            && let Some(entry) = entry
            && entry.depth >= depth
            && entry.decides(alpha, beta)
            && position.halfmoves() < CLOCK_NEARS_DRAW
        {
            return entry.score;
        }
        let table_move = entry.map_or(Move::NONE, |entry| entry.m);
        let eval = match entry.and_then(|entry| entry.eval) {
            _ if in_check => None,
            Some(known) => Some(known),
            None => Some(self.evaluate(position)),
        };
        let wilo_before = self.wilo_before(ply);
        let frame = self.frame(ply);
        frame.wilo = eval.map(|eval| eval.wilo);
        let improving = matches!((frame.wilo, wilo_before), (Some(now), Some(before)) if now > before);
        self.frame(ply + 1).killer = Move::NONE;

        if !PV
            && let Some(eval) = eval
            && let Some(score) = self.prune_node(position, eval, entry, beta, depth, ply, improving, cut_node)
        {
            return score;
        }

        let mut node = Node { alpha, beta, best: -Score::INFINITE, best_move: Move::NONE };
        let mut picker = Picker::new(position, table_move, self.frame(ply).killer);
        let checks = CheckSquares::of(position);
        let before = self.before(ply);
        let (mut quiets, mut noisies) = (Tried::new(), Tried::new());
        let mut number = 0;
        while let Some(m) = picker.next(position, &self.memory.histories, &before) {
            if !position.is_legal(m) {
                continue;
            }
            self.shared.table.prefetch(position.likely_key_after(m));
            number += 1;
            let quiet = !position.is_noisy(m);
            let mut reduction = self.shared.reductions.get(depth, number);
            if !node.best.is_loss() && position.has_pieces(position.turn()) {
                let check = checks.contains(position, m);
                let pruning =
                    self.prune_move(position, m, quiet, check, eval, node.alpha, depth, reduction, improving, number);
                if pruning == Pruning::Quiets {
                    picker.skip_quiets();
                }
                if pruning != Pruning::None {
                    continue;
                }
            }

            let child = position.play(m);
            // Check extension: checks that do not lose material.
            let extension = i32::from(child.is_check() && position.see(m, 0));
            let new_depth = depth - 1 + extension;
            let history = if quiet { self.memory.histories.quiets(position, &before).of(position, m) } else { 0 };
            self.enter(position, m, ply);

            let mut score = -Score::INFINITE;
            let mut reduced = false;
            if depth >= 3 && number > 1 + usize::from(PV) && quiet {
                // Late move reductions: moves that come late are searched less deep at first.
                reduction += if PV { -PLY } else { 0 };
                reduction += if cut_node { PLY } else { 0 };
                reduction += if improving { 0 } else { PLY / 2 };
                reduction -= history * PLY / self.shared.params.late_move_history;
                reduction -= if child.is_check() { PLY } else { 0 };
                let reduced_depth = (new_depth - reduction / PLY).clamp(1, new_depth.max(1));
                if reduced_depth < new_depth {
                    reduced = true;
                    score = -self.zero_window(&child, node.alpha, reduced_depth, ply + 1, true);
                }
            }
            if if reduced { score > node.alpha } else { !PV || number > 1 } {
                score = -self.zero_window(&child, node.alpha, new_depth, ply + 1, !cut_node);
            }
            if PV && (number == 1 || score > node.alpha) {
                score = -self.search::<true>(&child, -beta, -node.alpha, new_depth, ply + 1, false);
            }
            self.leave();
            if self.is_stopped() {
                return Score::DRAW;
            }

            if PV && score > node.alpha {
                self.extend_pv(m, ply);
            }
            if node.raise(score, m) {
                self.reward(position, m, quiet, &quiets, &noisies, depth, ply);
                break;
            }
            let tried = if quiet { &mut quiets } else { &mut noisies };
            let _ = tried.try_push(m);
        }

        if number == 0 {
            return if in_check { Score::mated_in(ply) } else { Score::DRAW };
        }
        self.remember(position, ply, &node, original_alpha, depth, eval, PV);
        node.best
    }

    /// Prunes the whole node from its static evaluation. Returns the score that stands for it.
    #[allow(clippy::too_many_arguments)]
    fn prune_node(
        &mut self,
        position: &Position,
        eval: Scores,
        entry: Option<Entry>,
        beta: Score,
        depth: i32,
        ply: usize,
        improving: bool,
        cut_node: bool,
    ) -> Option<Score> {
        let params = self.shared.params;
        // What the table has found is a better estimate than the static evaluation where it bounds from the right side.
        let mut estimate = eval.score();
        if let Some(entry) = entry
            && entry.decides(estimate.next_down(), estimate.next_up())
        {
            estimate = entry.score;
        }
        if beta.is_loss() || !estimate.is_heuristic() {
            return None;
        }

        // Reverse futility pruning: so far above beta that no quiet reply matters.
        if depth <= params.reverse_futility_depth {
            let margin = params.reverse_futility_wilo * (depth - i32::from(improving)).max(0);
            if estimate.plus_wilo(-margin) >= beta {
                return Some(estimate);
            }
        }

        // Null move pruning: good enough even if the other side moves twice.
        let after_null = self.frame(ply - 1).m.is_none();
        if depth >= params.null_move_depth
            && !after_null
            && estimate >= beta
            && eval.score().plus_wilo(20 * depth) >= beta
            && position.has_pieces(position.turn())
        {
            let above = estimate.wilo_at(estimate.d()) - beta.wilo_at(estimate.d());
            let reduction =
                params.null_move_base + depth / params.null_move_divisor + (above / params.null_move_wilo).min(3);
            let child = position.play_null();
            self.shared.table.prefetch(child.key());
            self.enter(position, Move::NONE, ply);
            let score = -self.zero_window(&child, beta.next_down(), depth - reduction, ply + 1, !cut_node);
            self.leave();
            if self.is_stopped() {
                return Some(Score::DRAW);
            }
            if score >= beta {
                return Some(if score.is_win() { beta } else { score });
            }
        }
        None
    }

    /// Whether a move, or with it all later quiet ones, can be left out.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    fn prune_move(
        &self,
        position: &Position,
        m: Move,
        quiet: bool,
        check: bool,
        eval: Option<Scores>,
        alpha: Score,
        depth: i32,
        reduction: i32,
        improving: bool,
        number: usize,
    ) -> Pruning {
        let params = self.shared.params;
        if !quiet {
            // Captures that lose too much.
            let threshold = -params.see_noisy_centipawns * depth;
            return if depth <= 8 && !position.see(m, threshold) { Pruning::Move } else { Pruning::None };
        }
        let left = (depth - reduction / PLY).max(0);
        if check {
            return if left <= 8 && !position.see(m, -params.see_quiet_centipawns * left) {
                Pruning::Move
            } else {
                Pruning::None
            };
        }
        // Late move pruning: enough quiet moves were tried for this depth.
        let enough = (params.late_move_pruning_base + depth * depth) / (2 - i32::from(improving));
        if depth <= params.late_move_pruning_depth && number as i32 > enough {
            return Pruning::Quiets;
        }
        // Futility pruning: a quiet move will not lift the evaluation to alpha.
        if let Some(eval) = eval
            && left <= params.futility_depth
            && !alpha.is_win()
            && eval.score().plus_wilo(params.futility_base_wilo + params.futility_slope_wilo * left) <= alpha
        {
            return Pruning::Quiets;
        }
        // Quiet moves onto squares where they are lost.
        if left <= 8 && !position.see(m, -params.see_quiet_centipawns * left) {
            return Pruning::Move;
        }
        Pruning::None
    }

    /// Rewards the move that refuted a node and blames those tried before it.
    #[allow(clippy::too_many_arguments)]
    fn reward(
        &mut self,
        position: &Position,
        m: Move,
        quiet: bool,
        quiets: &Tried,
        noisies: &Tried,
        depth: i32,
        ply: usize,
    ) {
        let bonus = self.shared.params.history_bonus(depth);
        let before = self.before(ply);
        let histories = &mut self.memory.histories;
        if quiet {
            histories.update_quiet(position, m, &before, bonus);
            for &tried in quiets {
                histories.update_quiet(position, tried, &before, -bonus);
            }
            self.frame(ply).killer = m;
        } else {
            histories.update_noisy(position, m, bonus);
        }
        for &tried in noisies {
            self.memory.histories.update_noisy(position, tried, -bonus);
        }
    }

    /// Stores a finished node in the table.
    #[allow(clippy::too_many_arguments)]
    pub fn remember(
        &mut self,
        position: &Position,
        ply: usize,
        node: &Node,
        alpha: Score,
        depth: i32,
        eval: Option<Scores>,
        pv: bool,
    ) {
        let bound = if node.best >= node.beta {
            Bound::Lower
        } else if node.best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let m = if bound == Bound::Upper { Move::NONE } else { node.best_move };
        let entry = Entry { m, score: node.best, bound, depth, eval, pv };
        self.shared.table.store(position.key(), ply, entry);
    }
}

/// Whether a move is to be left out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pruning {
    /// It is searched.
    None,
    /// It is left out.
    Move,
    /// It and all later quiet moves are left out.
    Quiets,
}

/// Window and best move of a node.
pub struct Node {
    /// Raised as moves are found.
    pub alpha: Score,
    /// Upper end of the window.
    pub beta: Score,
    /// Best score so far.
    pub best: Score,
    /// Best move so far; none while no move is above the first alpha.
    pub best_move: Move,
}

impl Node {
    /// Takes a move's score; returns whether it refutes the node.
    #[inline]
    pub fn raise(&mut self, score: Score, m: Move) -> bool {
        if score > self.best {
            self.best = score;
            if score > self.alpha {
                self.best_move = m;
                self.alpha = score;
                return score >= self.beta;
            }
        }
        false
    }
}

impl Entry {
    /// Whether the stored bound answers a search with this window.
    #[inline]
    pub fn decides(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }
}
