//! Iterative deepening, and the aspiration windows of an iteration.

use super::node::Root;
use super::root_move::sort_root_moves;
use super::worker::Worker;
use crate::position::Move;
use crate::wdl::score::{MAX_PLY, Score};

impl Worker<'_> {
    /// Iterative deepening until a limit or a signal ends it.
    pub fn run(&mut self) {
        let last = self.shared.limits.depth.unwrap_or(MAX_PLY - 1).clamp(1, MAX_PLY - 1);
        let lines = self.lines();
        let mut reported = Move::NONE;
        // Every other helper thread runs a ply ahead, so that the threads differ.
        let first = (1 + self.thread % 2).min(last);
        for depth in first..=last {
            self.root_depth = depth as i32;
            for root_move in &mut self.root_moves {
                root_move.previous = std::mem::replace(&mut root_move.score, -Score::INFINITE);
            }
            for line in 0..lines {
                self.first_root_move = line;
                self.selective_depth = 0;
                self.aspiration_search();
                if self.stopped {
                    break;
                }
                sort_root_moves(&mut self.root_moves[..=line]);
            }
            if self.stopped {
                break;
            }
            self.completed = depth;
            self.stable_iterations =
                if self.root_moves[0].ranked.m == reported { self.stable_iterations + 1 } else { 0 };
            self.publish_nodes();
            for line in 0..lines {
                self.report(line);
            }
            reported = self.root_moves[0].ranked.m;
            if self.is_done() {
                break;
            }
            self.last_score = self.root_moves[0].score;
        }
        self.publish_nodes();
        if self.completed == 0 && self.root_moves[0].score == -Score::INFINITE {
            let position = self.shared.game.position();
            let estimate = if position.is_check() { Score::DRAW } else { self.evaluate(position).score() };
            self.root_moves[0].score = estimate;
        }
    }

    /// Aspiration windows: searches the root with a window around the last score, wider each time the score is outside.
    fn aspiration_search(&mut self) {
        let params = self.shared.params();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        let previous = self.root_moves[self.first_root_move].average;
        let mut width = params.aspiration_score_cp;
        let mut shallower = 0;
        if self.root_depth >= params.aspiration_depth && previous.is_heuristic() {
            let size = previous.margin_cp();
            width += size * size / params.aspiration_square;
            alpha = previous.plus_score_cp(-width);
            beta = previous.plus_score_cp(width);
        }
        loop {
            let position = *self.shared.game.position();
            let depth = (self.root_depth - shallower).max(1);
            let score = self.search::<Root>(&position, alpha, beta, depth, 0, false);
            let first = self.first_root_move;
            sort_root_moves(&mut self.root_moves[first..]);
            if self.stopped {
                return;
            }
            if score <= alpha && alpha > -Score::INFINITE {
                self.report_late(first);
                shallower = 0;
                beta = alpha.midpoint(beta);
                alpha = if score.is_heuristic() { score.plus_score_cp(-width) } else { -Score::INFINITE };
            } else if score >= beta && beta < Score::INFINITE {
                self.report_late(first);
                // A move that fails high is confirmed at less depth.
                shallower += i32::from(score.is_heuristic());
                beta = if score.is_heuristic() { score.plus_score_cp(width) } else { Score::INFINITE };
            } else {
                return;
            }
            width += (width * (params.aspiration_growth - 100) / 100).max(1);
        }
    }
}
