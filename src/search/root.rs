//! The root: its moves with their lines, and how far the iterations are.

use super::limits::{Limits, Settings};
use super::node::Node;
use super::path::PvLine;
use super::root_move::{ExactResult, RootMove, sort_root_moves};
use super::time::RootStability;
use super::tt_entry::Bound;
use crate::position::Move;
use crate::tablebase::RankedMove;
use crate::wdl::score::{Kind, Score};

/// What one thread knows of the root.
pub struct Root {
    /// The moves to search, best first.
    moves: Vec<RootMove>,
    /// First move of the line that is searched now.
    first: usize,
    /// Depth of the iteration, plies.
    depth: i32,
    /// Width of the window, at least 1.
    window: i64,
    /// Last completed iteration, plies.
    completed: usize,
    /// Iterations in a row with the same best move.
    stable_iterations: usize,
    /// Iterations in a row that ended with the same mate and were at least as deep as it is long.
    mate_iterations: usize,
    /// Best move of the iteration before.
    last_best: Move,
    /// Best score of the iteration before.
    last_score: Score,
}

/// What was spent on a root move.
pub struct RootEffort {
    /// Nodes searched.
    pub nodes: u64,
    /// Deepest ply reached.
    pub selective_depth: usize,
}

impl Root {
    /// A root of which nothing was searched. There is at least one move.
    pub fn new(moves: &[RankedMove]) -> Root {
        let mut moves: Vec<_> = moves.iter().map(|&ranked| RootMove::new(ranked)).collect();
        sort_root_moves(&mut moves);
        Root {
            moves,
            first: 0,
            depth: 0,
            window: 1,
            completed: 0,
            stable_iterations: 0,
            mate_iterations: 0,
            last_best: Move::NONE,
            last_score: Score::DRAW,
        }
    }

    /// The moves to search, best first.
    pub fn moves(&self) -> &[RootMove] {
        &self.moves
    }

    /// The best move so far.
    pub fn best(&self) -> &RootMove {
        &self.moves[0]
    }

    /// The first move of the line that is searched now.
    #[inline]
    pub fn line(&self) -> &RootMove {
        &self.moves[self.first]
    }

    /// Number of the line that is searched now, from 0.
    pub fn line_index(&self) -> usize {
        self.first
    }

    /// Lines that are searched and reported.
    pub fn line_count(&self, settings: &Settings) -> usize {
        settings.multi_pv.clamp(1, self.moves.len())
    }

    /// Depth of the iteration, plies.
    #[inline]
    pub fn depth(&self) -> i32 {
        self.depth
    }

    /// Last completed iteration, plies.
    pub fn completed(&self) -> usize {
        self.completed
    }

    /// Width of the window, in units of [`Score::p`], at least 1.
    #[inline]
    pub fn window(&self) -> i64 {
        self.window
    }

    /// Sets the window of the search that begins.
    pub fn set_window(&mut self, alpha: Score, beta: Score) {
        self.window = (i64::from(beta.p()) - i64::from(alpha.p())).max(1);
    }

    /// Begins an iteration.
    pub fn begin_iteration(&mut self, depth: i32) {
        if self.completed > 0 {
            (self.last_best, self.last_score) = (self.best().ranked.m, self.best().score);
        }
        self.depth = depth;
        for root_move in &mut self.moves {
            root_move.previous = std::mem::replace(&mut root_move.score, -Score::INFINITE);
        }
    }

    /// Begins a line, the first or the one after the last: its moves are those that are best in no line before.
    pub fn begin_line(&mut self, line: usize) {
        self.first = line;
    }

    /// Sorts the moves of the line that is searched now.
    pub fn sort_line(&mut self) {
        sort_root_moves(&mut self.moves[self.first..]);
    }

    /// Sorts the lines up to the one searched now.
    pub fn sort_lines(&mut self) {
        sort_root_moves(&mut self.moves[..=self.first]);
    }

    /// Ends an iteration that was searched to its end.
    pub fn complete_iteration(&mut self) {
        self.completed = self.depth as usize;
        self.stable_iterations = if self.best().ranked.m == self.last_best { self.stable_iterations + 1 } else { 0 };
        self.mate_iterations = match self.best().score.kind() {
            Kind::Mate(plies) if plies.unsigned_abs() as usize <= self.completed => {
                if self.best().score == self.last_score { self.mate_iterations + 1 } else { 1 }
            }
            _ => 0,
        };
    }

    /// Iterations in a row that ended with the same mate and were at least as deep as it is long.
    pub fn mate_iterations(&self) -> usize {
        self.mate_iterations
    }

    /// How stable the root is after an iteration; `nodes` are those of this thread.
    pub fn stability(&self, nodes: u64) -> RootStability {
        let best = self.best();
        let drop = f64::from(self.last_score.printed_score_cp() - best.score.printed_score_cp());
        let comparable = self.last_score.is_heuristic() && best.score.is_heuristic();
        RootStability {
            stable_iterations: self.stable_iterations,
            best_move_share: best.nodes as f64 / nodes.max(1) as f64,
            score_drop_cp: if comparable { drop } else { 0.0 },
            expected: best.score.expected(),
        }
    }

    /// Whether only some of the legal moves are searched.
    pub fn is_partial(&self, limits: &Limits) -> bool {
        let ranks = [self.moves.first(), self.moves.last()].map(|found| found.map(|found| found.ranked.rank));
        self.first > 0 || !limits.search_moves.is_empty() || ranks[0] != ranks[1]
    }

    /// The move after `move_count` of the current line, unless the endgame tables rank it lower than the first.
    #[inline]
    pub fn next_move(&self, move_count: usize) -> Option<Move> {
        let next = self.moves.get(self.first + move_count)?;
        (next.ranked.rank == self.line().ranked.rank).then_some(next.ranked.m)
    }

    /// Takes the score of a move, and its line where it is the first or better than those before it. `move_count` counts from
    /// the first of the current line, and `node` is that of the moves before.
    pub fn finish_move(&mut self, move_count: usize, score: Score, node: &Node, effort: &RootEffort, pv: &PvLine) {
        let root_move = &mut self.moves[self.first + move_count - 1];
        root_move.nodes += effort.nodes;
        // What is proven is no estimate to take a mean with.
        root_move.average = if !root_move.average.is_heuristic() || !score.is_heuristic() {
            score
        } else {
            score.two_thirds(root_move.average)
        };
        if move_count > 1 && score <= node.alpha {
            root_move.score = -Score::INFINITE;
            return;
        }
        root_move.score = score;
        root_move.depth = self.depth as usize;
        root_move.bound = if score >= node.beta {
            Bound::Lower
        } else if score <= node.original_alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        root_move.selective_depth = effort.selective_depth;
        root_move.pv = pv.clone();
        if root_move.bound == Bound::Exact {
            root_move.exact = Some(ExactResult {
                depth: self.depth as usize,
                score,
                selective_depth: effort.selective_depth,
                pv: root_move.pv.clone(),
            });
        }
    }

    /// Puts the exact results of the last iteration back where the present one left a window or did not come to.
    pub fn restore_exact(&mut self) {
        let (completed, is_broken_off) = (self.completed, self.depth as usize > self.completed);
        for root_move in &mut self.moves {
            let is_searched = root_move.is_searched();
            // What an iteration found and took back before its end does not count after it.
            let had_score = is_searched || is_broken_off && root_move.previous != -Score::INFINITE;
            let counts = |exact: &mut ExactResult| exact.depth > completed || exact.depth == completed && had_score;
            if !(is_searched && root_move.bound == Bound::Exact)
                && let Some(exact) = root_move.exact.take_if(counts)
            {
                root_move.score = exact.score;
                root_move.depth = exact.depth;
                root_move.bound = Bound::Exact;
                root_move.selective_depth = exact.selective_depth;
                root_move.pv = exact.pv;
            }
        }
    }

    /// Adds the expected reply to the best line.
    pub fn add_reply(&mut self, reply: Move) {
        self.moves[0].pv.push(reply);
    }

    /// Gives a move that no search came to a score.
    pub fn set_score(&mut self, index: usize, score: Score) {
        let root_move = &mut self.moves[index];
        (root_move.score, root_move.depth) = (score, 1);
    }

    /// Puts moves that the last iteration found lost behind those that it did not reach and that were no loss in the one before.
    pub fn sink_losses(&mut self) {
        let is_lost = |root_move: &RootMove| root_move.last_score().is_loss();
        self.moves.sort_by_key(|root_move| (std::cmp::Reverse(root_move.ranked.rank), is_lost(root_move)));
    }

    /// Sorts all moves by the scores to report.
    pub fn sort_results(&mut self) {
        self.moves.sort_by_key(|root_move| std::cmp::Reverse((root_move.ranked.rank, root_move.score)));
    }

    /// Takes over the best move of another thread, which completed this depth.
    pub fn adopt(&mut self, best: RootMove, depth: usize) {
        (self.depth, self.completed) = (depth as i32, depth);
        self.moves[0] = RootMove { depth, ..best };
    }
}
