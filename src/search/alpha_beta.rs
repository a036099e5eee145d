//! Principal variation search with its pruning, reductions and extensions.

use super::history::{Bonus, Context};
use super::params::{ONCE, PLY};
use super::picker::Picker;
use super::table::{Bound, Entry};
use super::worker::{Frame, Worker};
use crate::eval::Evaluation;
use crate::position::{CheckSquares, Move, Position};
use crate::wdl::score::Score;
use arrayvec::ArrayVec;

/// Halfmove clock from which the table, which knows it in steps of ten plies only, no longer ends a search.
pub const CLOCK_NEARS_DRAW: u32 = 90;

/// What a node is to the search.
pub trait NodeType {
    /// The position to move from.
    const ROOT: bool;
    /// The window is open: the node may become part of the principal variation.
    const PV: bool;
}

/// The position to move from: its moves are the root moves, of which each one's line and score are kept.
pub struct Root;
/// Another node of the principal variation.
pub struct Pv;
/// A node with a window of no width.
pub struct NonPv;

impl NodeType for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl NodeType for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl NodeType for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
}

/// Moves of one sort that were searched at a node.
type Tried = ArrayVec<Move, 64>;

/// Window and best move of a node.
pub struct Node {
    /// Alpha as the node was entered.
    pub entered: Score,
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
    /// A node of which no move has been searched.
    #[inline]
    pub fn new(alpha: Score, beta: Score) -> Node {
        Node { entered: alpha, alpha, beta, best: -Score::INFINITE, best_move: Move::NONE }
    }

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

    /// What the best score means.
    #[inline]
    fn bound(&self) -> Bound {
        if self.best >= self.beta {
            Bound::Lower
        } else if self.best > self.entered {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// What is known of a node before its moves are searched.
#[derive(Clone, Copy)]
struct Outlook {
    depth: i32,
    ply: usize,
    /// Expected to fail high.
    cut_node: bool,
    /// On the principal variation now or, by the table, before.
    was_pv: bool,
    /// Static evaluation as the table keeps it; `None` in check.
    eval: Option<Evaluation>,
    /// Static evaluation corrected by experience.
    corrected: Option<Evaluation>,
    /// What the corrected evaluation expects; meaningless in check.
    expects: Score,
    /// The table's entry.
    entry: Option<Entry>,
    /// The table's move; at the root the first move of the current line.
    table_move: Move,
    /// Whether the table's move is a capture or promotion.
    table_noisy: bool,
    /// Better than two plies ago.
    improving: bool,
}

/// A move that is about to be searched.
#[derive(Clone, Copy)]
struct Candidate {
    m: Move,
    quiet: bool,
    /// Gives check, as far as it is foreseen.
    check: bool,
    /// Known not to lose material by exchange.
    keeps_material: bool,
    /// Place in the order of legal moves, from 1.
    number: usize,
    /// History of a quiet move, capture history of others.
    history: i32,
}

/// Whether a move is to be left out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pruning {
    /// It is searched.
    None,
    /// It is left out.
    Move,
    /// It and all later quiet moves that give no check are left out.
    Quiets,
}

impl Worker<'_> {
    /// Searches a child with a window of no width: is it above the parent's alpha? Seen from the child.
    #[inline]
    pub fn zero_window(&mut self, child: &Position, alpha: Score, depth: i32, ply: usize, cut_node: bool) -> Score {
        self.search::<NonPv>(child, (-alpha).next_down(), -alpha, depth, ply, cut_node)
    }

    /// Searches a position to `depth` plies and returns its score, exact between `alpha` and `beta` and a bound beyond
    /// them. At the root only the moves from the first of the current line are searched. `cut_node`: expected to fail high.
    pub fn search<N: NodeType>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        debug_assert!(alpha < beta && (N::PV || alpha.next_up() == beta));
        if depth <= 0 {
            return if N::PV {
                self.quiescence::<true>(position, alpha, beta, ply)
            } else {
                self.quiescence::<false>(position, alpha, beta, ply)
            };
        }
        if N::PV {
            self.frame(ply).pv.clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        if N::ROOT {
            if self.count_node() {
                return Score::DRAW;
            }
        } else {
            if let Some(score) = self.enter_node(position, ply) {
                return score;
            }
            // Mate distance pruning: no line from here beats a shorter mate that is already known.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let excluded = self.frame(ply).excluded;
        let entry = if excluded.is_none() { self.shared.table.probe(position.table_key(), ply) } else { None };
        if !N::PV
            && let Some(entry) = entry
            && entry.depth >= depth
            && entry.decides(alpha, beta)
            && position.halfmoves() < CLOCK_NEARS_DRAW
        {
            return entry.score;
        }
        let mut outlook = self.outlook::<N>(position, depth, ply, entry, cut_node);
        self.frame(ply + 1).killer = Move::NONE;
        self.frame(ply + 1).excluded = Move::NONE;
        self.frame(ply + 1).double_extensions = self.frame(ply).double_extensions;

        if !N::PV
            && let Some(score) = self.prune_node(position, &outlook, beta)
        {
            return score;
        }

        // Hindsight: the move that led here was reduced, but it has done its side good.
        if excluded.is_none() && self.was_reduced_wrongly(ply) {
            depth += 1;
            outlook.depth = depth;
        }

        // Internal iterative reduction: without a move from the table the order is poor, and the next visit has one.
        if depth >= self.shared.params.internal_reduction_depth
            && outlook.table_move.is_none()
            && excluded.is_none()
            && (N::PV || cut_node)
        {
            depth -= 1;
            outlook.depth = depth;
        }

        let mut node = Node::new(alpha, beta);
        let mut picker = Picker::new(position, outlook.table_move, self.frame(ply).killer);
        let checks = CheckSquares::of(position);
        let context = Context::new(position, self.before(ply), self.shared.params);
        let (mut quiets, mut noisies) = (Tried::new(), Tried::new());
        // What some of the root moves are worth says nothing of the position.
        let learns = !(N::ROOT && self.is_partial());
        let mut number = 0;
        loop {
            let next = if N::ROOT {
                self.root_moves.get(self.first_root_move + number).map(|root_move| root_move.m)
            } else {
                picker.next(position, &self.memory.histories, &context)
            };
            let Some(m) = next else { break };
            if !N::ROOT && (m == excluded || !position.is_legal(m)) {
                continue;
            }
            self.shared.table.prefetch(position.likely_key_after(m));
            number += 1;
            let candidate = self.candidate(position, m, number, picker.keeps_material(), &checks, &context);
            if !N::ROOT && !node.best.is_loss() && position.has_non_pawn_material(position.turn()) {
                let pruning = self.prune_move(position, &outlook, &candidate, node.alpha);
                if pruning == Pruning::Quiets {
                    picker.keep_checks(position, &checks);
                }
                if pruning != Pruning::None {
                    continue;
                }
            }

            let mut extension = 0;
            if !N::ROOT && m == outlook.table_move && excluded.is_none() {
                match self.singularity(position, &outlook, beta) {
                    Singularity::Extend(plies) => extension = plies,
                    Singularity::Cut(score) => return score,
                }
                if self.is_stopped() {
                    return Score::DRAW;
                }
            }
            // Check extension: checks that do not lose material.
            if extension == 0 && candidate.check && (candidate.keeps_material || position.see(m, 0)) {
                extension = 1;
            }

            let before = if N::ROOT { Some(self.enter_root_move(number, m)) } else { None };
            let child = position.play(m);
            let new_depth = depth - 1 + extension;
            self.enter(position, m, ply);
            self.frame(ply).butterfly = candidate.quiet.then(|| context.butterfly(m));
            if extension > 1 {
                self.frame(ply + 1).double_extensions += 1;
            }
            let score = self.search_move::<N>(&child, &outlook, &candidate, &node, new_depth);
            if extension > 1 {
                self.frame(ply + 1).double_extensions -= 1;
            }
            self.leave();
            if self.is_stopped() {
                return Score::DRAW;
            }

            if N::PV && (score > node.alpha || N::ROOT && number == 1) {
                self.extend_pv(m, ply);
            }
            if let Some(before) = before {
                self.leave_root_move(number, score, &node, before);
            }
            if node.raise(score, m) {
                if learns {
                    self.reward(position, &outlook, &candidate, &quiets, &noisies, &context);
                }
                break;
            }
            let tried = if candidate.quiet { &mut quiets } else { &mut noisies };
            let _ = tried.try_push(m);
        }

        if number == 0 {
            return if !excluded.is_none() {
                alpha
            } else if position.is_check() {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            };
        }
        if excluded.is_none() && learns {
            if node.best_move.is_none() {
                self.reward_last_move(position, ply, depth);
            }
            self.learn(position, &outlook, &node);
            self.remember(position, ply, &node, depth, outlook.eval, outlook.was_pv);
        }
        node.best
    }

    /// Gathers what is known of a node.
    #[inline(always)]
    fn outlook<N: NodeType>(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
        entry: Option<Entry>,
        cut_node: bool,
    ) -> Outlook {
        let eval = match entry.and_then(|entry| entry.eval) {
            _ if position.is_check() => None,
            Some(known) => Some(known),
            None => Some(self.evaluate(position)),
        };
        let corrected = eval.map(|eval| self.correct(position, eval));
        let wilo = corrected.map(|eval| eval.wilo);
        self.frame(ply).wilo = wilo;
        if let Some(eval) = eval {
            self.judge_last_move(position, ply, eval.wilo);
        }
        let table_move =
            if N::ROOT { self.root_moves[self.first_root_move].m } else { entry.map_or(Move::NONE, |entry| entry.m) };
        Outlook {
            depth,
            ply,
            cut_node,
            was_pv: N::PV || entry.is_some_and(|entry| entry.pv),
            eval,
            corrected,
            expects: corrected.map_or(Score::DRAW, Evaluation::score),
            entry,
            table_move,
            table_noisy: !table_move.is_none() && position.is_noisy(table_move),
            improving: matches!((wilo, self.wilo_before(ply)), (Some(now), Some(before)) if now > before),
        }
    }

    /// Rewards or blames the quiet move that led here by what it changed in the static evaluation, now `wilo`. Either
    /// evaluation counts the tempo of its side to move, so a move that changes nothing else is blamed.
    #[inline]
    fn judge_last_move(&mut self, position: &Position, ply: usize, wilo: i32) {
        let params = self.shared.params;
        let last = self.frame_before(ply);
        if let (Some(butterfly), Some(before)) = (last.butterfly, last.wilo) {
            let limit = params.history_evaluation_limit;
            let amount = (-(before + wilo) * params.history_evaluation).clamp(-limit, limit);
            let bonus = Bonus::new(params, amount);
            self.memory.histories.update_last(position, butterfly, bonus);
        }
    }

    /// Whether the move that led here was much reduced, though by the static evaluations it cost its side nothing.
    #[inline]
    fn was_reduced_wrongly(&mut self, ply: usize) -> bool {
        let params = self.shared.params;
        let now = self.frame(ply).wilo;
        let last = self.frame_before(ply);
        last.reduction >= params.hindsight_reduction
            && matches!((now, last.wilo), (Some(now), Some(before)) if now + before <= params.hindsight_wilo)
    }

    /// Static evaluation shifted by what searches of like positions found.
    #[inline(always)]
    pub fn correct(&self, position: &Position, eval: Evaluation) -> Evaluation {
        Evaluation { wilo: eval.wilo + self.memory.histories.correction(position, self.shared.params), ..eval }
    }

    #[inline(always)]
    fn candidate(
        &self,
        position: &Position,
        m: Move,
        number: usize,
        keeps_material: bool,
        checks: &CheckSquares,
        context: &Context,
    ) -> Candidate {
        let quiet = !position.is_noisy(m);
        let histories = &self.memory.histories;
        let history =
            if quiet { histories.quiets(position, context).of(position, m) } else { histories.noisy(position, m) };
        Candidate { m, quiet, check: checks.contains(position, m), keeps_material, number, history }
    }

    /// Prunes the whole node from its static evaluation. Returns the score that stands for it.
    fn prune_node(&mut self, position: &Position, outlook: &Outlook, beta: Score) -> Option<Score> {
        let params = self.shared.params;
        let (depth, ply) = (outlook.depth, outlook.ply);
        outlook.corrected?;
        let eval = outlook.expects;
        // What the table has found is a better estimate than the static evaluation where it bounds from the right side.
        let estimate = match outlook.entry {
            Some(entry) if entry.decides(eval.next_down(), eval.next_up()) => entry.score,
            _ => eval,
        };
        if beta.is_loss() || !estimate.is_heuristic() {
            return None;
        }

        // Reverse futility pruning: so far above beta that no quiet reply matters. What was on a principal variation is
        // worth a look.
        if depth <= params.reverse_futility_depth && !outlook.was_pv {
            let margin = params.reverse_futility_wilo * (depth - i32::from(outlook.improving)).max(0);
            if estimate.plus_wilo_at(-margin, eval.d()) >= beta {
                return Some(estimate);
            }
        }

        if !self.frame(ply).excluded.is_none() {
            return None;
        }
        // Null move pruning: good enough even if the other side moves twice.
        let after_null = self.frame(ply - 1).m.is_none();
        if depth >= params.null_move_depth
            && !after_null
            && estimate >= beta
            && eval >= beta
            && position.has_non_pawn_material(position.turn())
            && ply >= self.null_move_from
            && let Some(score) = self.null_move(position, outlook, estimate, beta)
        {
            return Some(score);
        }
        if self.is_stopped() {
            return Some(Score::DRAW);
        }

        self.probcut(position, outlook, beta)
    }

    /// Passes the move; a score that still reaches beta stands for the node, at high depth only if a search without
    /// null moves agrees.
    fn null_move(&mut self, position: &Position, outlook: &Outlook, estimate: Score, beta: Score) -> Option<Score> {
        let params = self.shared.params;
        let (depth, ply) = (outlook.depth, outlook.ply);
        let above = estimate.wilo_at(estimate.d()) - beta.wilo_at(estimate.d());
        let reduction = (params.null_move_base
            + depth * params.null_move_slope
            + (above * PLY / params.null_move_wilo).clamp(0, params.null_move_wilo_limit))
            / PLY;
        let child = position.play_null();
        self.shared.table.prefetch(child.table_key());
        self.enter(position, Move::NONE, ply);
        let score = -self.zero_window(&child, beta.next_down(), depth - reduction, ply + 1, !outlook.cut_node);
        self.leave();
        if self.is_stopped() || score < beta {
            return None;
        }
        let score = if score.is_win() { beta } else { score };
        if self.null_move_from > 0 || depth < params.null_move_verification_depth {
            return Some(score);
        }
        // Zugzwang is the case that the null move cannot see.
        let without = (depth - reduction).max(0) * params.null_move_verification_share / 100;
        self.null_move_from = ply + without as usize;
        let verified = self.search::<NonPv>(position, beta.next_down(), beta, depth - reduction, ply, false);
        self.null_move_from = 0;
        (!self.is_stopped() && verified >= beta).then_some(score)
    }

    /// ProbCut: a capture that a shallow search finds well above beta will be above beta at full depth.
    fn probcut(&mut self, position: &Position, outlook: &Outlook, beta: Score) -> Option<Score> {
        let params = self.shared.params;
        let (depth, ply) = (outlook.depth, outlook.ply);
        if depth < params.probcut_depth || beta.is_win() {
            return None;
        }
        let target = beta.plus_wilo_at(params.probcut_wilo, outlook.expects.d());
        if target <= beta {
            return None;
        }
        let shallow = depth - params.probcut_reduction;
        if outlook.entry.is_some_and(|entry| entry.depth > shallow && entry.score < target) {
            return None;
        }
        let missing = target.wilo_at(outlook.expects.d()) - outlook.corrected?.wilo;
        let gain = (missing * params.probcut_see_share / 100).max(0);
        let mut picker = Picker::gaining(position, outlook.table_move, gain);
        while let Some(m) = picker.next(position, &self.memory.histories, &Context::NOISY) {
            if !position.is_legal(m) {
                continue;
            }
            let child = position.play(m);
            self.shared.table.prefetch(child.table_key());
            self.enter(position, m, ply);
            let mut score = -self.quiescence::<false>(&child, -target, (-target).next_up(), ply + 1);
            if score >= target {
                score = -self.zero_window(&child, target.next_down(), shallow, ply + 1, !outlook.cut_node);
            }
            self.leave();
            if self.is_stopped() {
                return Some(Score::DRAW);
            }
            if score >= target {
                let mut node = Node::new(beta.next_down(), beta);
                node.raise(score, m);
                self.remember(position, ply, &node, shallow + 1, outlook.eval, outlook.was_pv);
                return Some(score);
            }
        }
        None
    }

    /// Singular extensions: whether the table's move is so much better than all others that it is searched deeper.
    fn singularity(&mut self, position: &Position, outlook: &Outlook, beta: Score) -> Singularity {
        let params = self.shared.params;
        let (depth, ply) = (outlook.depth, outlook.ply);
        let Some(entry) = outlook.entry else { return Singularity::Extend(0) };
        if depth < params.singular_depth
            || entry.depth < depth - params.singular_entry_depth
            || entry.bound == Bound::Upper
            || !entry.score.is_heuristic()
            || ply as i32 >= params.singular_ply_factor * self.root_depth
        {
            return Singularity::Extend(0);
        }
        let target = entry.score.plus_permille(-params.singular_permille * depth);
        self.frame(ply).excluded = outlook.table_move;
        let shallow = (depth - 1) * params.singular_search_share / 100;
        let score = self.search::<NonPv>(position, target.next_down(), target, shallow, ply, outlook.cut_node);
        self.frame(ply).excluded = Move::NONE;
        if score < target {
            let clearly = target.plus_permille(-params.singular_double_permille);
            let doubles = self.frame(ply).double_extensions;
            let double = score < clearly && doubles < params.singular_double_limit && !outlook.was_pv;
            Singularity::Extend(1 + i32::from(double))
        } else if target >= beta {
            // Multi-cut: several moves would refute the node.
            Singularity::Cut(target)
        } else if entry.score >= beta {
            Singularity::Extend(-1)
        } else {
            Singularity::Extend(0)
        }
    }

    /// Whether a move, or with it all later quiet ones, can be left out.
    #[inline(always)]
    fn prune_move(&self, position: &Position, outlook: &Outlook, candidate: &Candidate, alpha: Score) -> Pruning {
        let params = self.shared.params;
        let &Candidate { m, quiet, check, keeps_material, number, history } = candidate;
        let depth = outlook.depth;
        if !quiet {
            // Captures that lose too much.
            let threshold = -params.see_noisy_see_cp * depth;
            let loses = !keeps_material && depth <= params.see_noisy_depth && !position.see(m, threshold);
            return if loses { Pruning::Move } else { Pruning::None };
        }
        let left = (depth - self.shared.reductions.get(depth, number) / PLY).max(0);
        if !check {
            // Late move pruning: enough quiet moves were tried for this depth.
            let enough = (params.late_move_pruning_base + depth * depth) / (2 - i32::from(outlook.improving));
            if depth <= params.late_move_pruning_depth && number as i32 > enough {
                return Pruning::Quiets;
            }
            // Futility pruning: a quiet move will not lift the evaluation to alpha.
            if outlook.corrected.is_some()
                && depth <= params.futility_depth
                && !alpha.is_win()
                && outlook.expects.plus_wilo(params.futility_base_wilo + params.futility_slope_wilo * depth) <= alpha
            {
                return Pruning::Quiets;
            }
            // History pruning: the move has failed too often.
            if depth <= params.history_pruning_depth && history < -params.history_pruning * depth {
                return Pruning::Move;
            }
        }
        // Moves onto squares where they are lost.
        if left <= params.see_quiet_depth && !position.see(m, -params.see_quiet_see_cp * left) {
            return Pruning::Move;
        }
        Pruning::None
    }

    /// Searches a move: late ones less deep at first, all but the first with a zero window.
    #[inline(always)]
    fn search_move<N: NodeType>(
        &mut self,
        child: &Position,
        outlook: &Outlook,
        candidate: &Candidate,
        node: &Node,
        mut new_depth: i32,
    ) -> Score {
        let params = self.shared.params;
        let (depth, ply) = (outlook.depth, outlook.ply);
        let number = candidate.number;
        let mut score = -Score::INFINITE;
        let mut full = !N::PV || number > 1;
        let late = |count: i32| number as i32 > count;
        if depth >= params.late_move_depth
            && late(if N::PV { params.late_move_count_pv } else { params.late_move_count })
            && (candidate.quiet || outlook.cut_node || late(params.late_move_count_noisy))
        {
            let reduction = self.late_move_reduction(outlook, candidate, N::PV);
            let reduced = (new_depth - reduction / PLY).clamp(1, new_depth.max(1));
            if reduced < new_depth {
                self.frame(ply).reduction = new_depth - reduced;
                score = -self.zero_window(child, node.alpha, reduced, ply + 1, true);
                self.frame(ply).reduction = 0;
                full = score > node.alpha;
                if full {
                    // A result well above the best deserves a deeper look.
                    let deeper = node.best.plus_centipawns(params.late_move_deeper_score_cp);
                    new_depth += i32::from(score > deeper && reduced + 1 < new_depth);
                }
            }
        }
        if full {
            score = -self.zero_window(child, node.alpha, new_depth, ply + 1, !outlook.cut_node);
        }
        if N::PV && (number == 1 || score > node.alpha) {
            score = -self.search::<Pv>(child, -node.beta, -node.alpha, new_depth, ply + 1, false);
        }
        score
    }

    /// Late move reduction, 1/1024 ply.
    #[inline]
    fn late_move_reduction(&self, outlook: &Outlook, candidate: &Candidate, pv: bool) -> i32 {
        let params = self.shared.params;
        let mut reduction = self.shared.reductions.get(outlook.depth, candidate.number);
        reduction -= if pv || outlook.was_pv { params.late_move_pv } else { 0 };
        reduction += if outlook.cut_node { params.late_move_cut_node } else { 0 };
        reduction += if outlook.improving { 0 } else { params.late_move_not_improving };
        reduction += if outlook.table_noisy { params.late_move_table_capture } else { 0 };
        reduction -= if candidate.quiet { 0 } else { params.late_move_noisy };
        reduction -= if candidate.check { params.late_move_check } else { 0 };
        reduction - candidate.history * PLY / params.late_move_history
    }

    /// Rewards the move that refuted a node and blames those tried before it.
    fn reward(
        &mut self,
        position: &Position,
        outlook: &Outlook,
        candidate: &Candidate,
        quiets: &Tried,
        noisies: &Tried,
        context: &Context,
    ) {
        let params = self.shared.params;
        let bonus = Bonus::new(params, params.history_bonus(outlook.depth));
        let histories = &mut self.memory.histories;
        if candidate.quiet {
            histories.update_quiet(position, candidate.m, context, bonus);
            for &tried in quiets {
                histories.update_quiet(position, tried, context, -bonus);
            }
            self.frame(outlook.ply).killer = candidate.m;
        } else {
            histories.update_noisy(position, candidate.m, bonus);
        }
        for &tried in noisies {
            self.memory.histories.update_noisy(position, tried, -bonus);
        }
    }

    /// Rewards the quiet move that led to a node in which nothing is good enough.
    fn reward_last_move(&mut self, position: &Position, ply: usize, depth: i32) {
        let params = self.shared.params;
        let Frame { butterfly, piece_to, .. } = *self.frame_before(ply);
        if let Some(butterfly) = butterfly {
            let bonus = Bonus::new(params, params.history_bonus(depth) * params.history_fail_low / ONCE);
            let before = self.before(ply - 1);
            self.memory.histories.update_last(position, butterfly, bonus);
            self.memory.histories.update_continuations(before, piece_to, bonus);
        }
    }

    /// Corrects the evaluation of like positions by what the search found, where nothing was captured.
    fn learn(&mut self, position: &Position, outlook: &Outlook, node: &Node) {
        if outlook.corrected.is_none() {
            return;
        }
        let quiet = node.best_move.is_none() || !position.is_noisy(node.best_move);
        if !quiet || !node.best.is_heuristic() {
            return;
        }
        let known = outlook.expects;
        let informative = match node.bound() {
            Bound::Exact => true,
            Bound::Lower => node.best > known,
            Bound::Upper => node.best < known,
        };
        if informative {
            let error = node.best.wilo_at(known.d()) - known.wilo_at(known.d());
            self.memory.histories.update_correction(position, self.shared.params, outlook.depth, error);
        }
    }

    /// Stores a finished node in the table.
    pub fn remember(
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
        let entry = Entry { m, score: node.best, bound, depth, eval, pv };
        self.shared.table.store(position.table_key(), ply, entry);
    }
}

/// What the search without the table's move found.
enum Singularity {
    /// Search the table's move this many plies deeper.
    Extend(i32),
    /// The node is refuted anyway.
    Cut(Score),
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
