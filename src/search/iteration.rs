//! Iterative deepening, the aspiration windows of an iteration, and the answer at the end.

use super::events::Answer;
use super::node::RootNode;
use super::reporter::proven_score;
use super::worker::Worker;
use crate::position::{Move, Position};
use crate::wdl::score::{MAX_PLY, Score};

impl Worker<'_> {
    /// Iterative deepening until a limit or a signal ends it.
    pub fn run(&mut self) {
        let shared = self.shared;
        let last = shared.limits.depth.unwrap_or(MAX_PLY - 1).clamp(1, MAX_PLY - 1);
        let lines = self.root.line_count(shared.settings);
        // Every other helper thread runs a ply ahead, so that the threads differ.
        let first = (1 + self.control.thread() % 2).min(last);
        for depth in first..=last {
            self.root.begin_iteration(depth as i32);
            for line in 0..lines {
                self.root.begin_line(line);
                self.path.replace_selective_depth(0);
                self.aspiration_search();
                self.root.sort_lines();
                if self.is_stopped() {
                    break;
                }
            }
            if self.is_stopped() {
                break;
            }
            self.root.complete_iteration();
            self.control.publish_counts(shared);
            for line in 0..lines {
                self.reporter.report_line(shared, &self.root, line);
            }
            if self.control.is_done(shared, &self.root) {
                break;
            }
        }
        self.control.publish_counts(shared);
        if lines == 1 && !self.root.best().is_searched() && self.root.completed() == 0 {
            let score = self.static_root_score();
            self.root.set_score(0, score);
        }
    }

    /// Aspiration windows: searches the root with a window around the last score, wider each time the score is outside.
    fn aspiration_search(&mut self) {
        let shared = self.shared;
        let params = shared.params();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        let previous = self.root.line().average;
        let mut width = params.aspiration_score_cp;
        let mut shallower = 0;
        // Not in the first iterations, whose scores change most, and not around a proven score.
        if self.root.depth() >= params.aspiration_depth && previous.is_heuristic() {
            // Large scores change more from iteration to iteration.
            let size = previous.margin_cp();
            width += size * size / params.aspiration_square;
            alpha = previous.plus_score_cp(-width);
            beta = previous.plus_score_cp(width);
        }
        loop {
            let depth = (self.root.depth() - shallower).max(1);
            let score = self.search::<RootNode>(shared.game.position(), alpha, beta, depth, 0, false);
            self.root.sort_line();
            if self.is_stopped() {
                return;
            }
            if score <= alpha && alpha > -Score::INFINITE {
                self.reporter.report_late(shared, &self.root, self.root.line_index());
                shallower = 0;
                beta = alpha.midpoint(beta);
                alpha = if score.is_heuristic() { score.plus_score_cp(-width) } else { -Score::INFINITE };
            } else if score >= beta && beta < Score::INFINITE {
                self.reporter.report_late(shared, &self.root, self.root.line_index());
                // A move that fails high is confirmed at less depth.
                shallower += i32::from(score.is_heuristic());
                beta = if score.is_heuristic() { score.plus_score_cp(width) } else { Score::INFINITE };
            } else {
                return;
            }
            width += (width * (params.aspiration_growth - 100) / 100).max(1);
        }
    }

    /// The result at the end of the search, after a last report of it: exact if it was within the last iteration, and with the
    /// expected reply.
    pub fn answer(&mut self) -> Answer {
        self.root.restore_exact();
        let has_lines = self.root.line_count(self.shared.settings) > 1;
        if has_lines {
            self.root.sink_losses();
        }
        let mut score = self.root.best().last_score();
        // Later, moves stand in the order of the last iteration, and behind them those that it did not come to.
        if has_lines && self.root.completed() == 0 {
            self.score_unsearched();
            self.root.sort_results();
            score = self.root.best().score;
        }
        if let [m] = self.root.best().pv[..]
            && let Some(reply) = self.tt_reply(m)
        {
            self.root.add_reply(reply);
        }
        self.reporter.report_result(self.shared, &self.root);
        let best = self.root.best();
        let score = proven_score(self.shared, best, score).unwrap_or(score);
        Answer { best: Some(best.ranked.m), ponder: best.pv.get(1).copied(), score, nodes: self.shared.nodes() }
    }

    /// Gives the moves that the first iteration did not come to their static scores if it ended before there were all lines.
    fn score_unsearched(&mut self) {
        // Static scores know of no recapture, so a move that was searched is better than one that only seems so. A proven loss
        // is that of its move alone.
        let scores =
            self.root.moves().iter().filter(|root_move| root_move.is_searched()).map(|root_move| root_move.score);
        let limit = scores.filter(|score| !score.is_loss()).min().unwrap_or(Score::INFINITE);
        for index in 0..self.root.moves().len() {
            let root_move = &self.root.moves()[index];
            if !root_move.is_searched() {
                let score = self.static_score(root_move.ranked.m, limit);
                self.root.set_score(index, score);
            }
        }
    }

    /// The score of a root move without a search: mate or draw by the rules, or the static evaluation after it, which is at
    /// most `limit`. A check is not evaluated: it counts as the position before it.
    fn static_score(&mut self, m: Move, limit: Score) -> Score {
        let shared = self.shared;
        let child = shared.game.position().play(m);
        if child.has_no_moves() {
            if child.is_check() { Score::mate_in(1) } else { Score::DRAW }
        } else if shared.drawn.contains(&m) || self.is_drawn_after(m, &child) {
            Score::DRAW
        } else if child.is_check() {
            self.static_root_score().min(limit)
        } else {
            (-self.data.evaluate(&child, shared, 1).score()).min(limit)
        }
    }

    /// The static evaluation of the root; a draw in check.
    fn static_root_score(&mut self) -> Score {
        let position = self.shared.game.position();
        if position.is_check() { Score::DRAW } else { self.data.evaluate(position, self.shared, 0).score() }
    }

    /// Whether a root move ends the game as a draw; `child` is the position after it.
    fn is_drawn_after(&mut self, m: Move, child: &Position) -> bool {
        self.path.push(self.shared.game.position(), m, 0, None);
        let is_drawn = self.path.is_draw(child, 1);
        self.path.pop();
        is_drawn
    }

    /// A legal reply from the transposition table, unless the move ends the game as a draw.
    fn tt_reply(&mut self, m: Move) -> Option<Move> {
        let position = self.shared.game.position();
        let child = position.play(m);
        if self.is_drawn_after(m, &child) {
            return None;
        }
        let reply = self.shared.probe_tt(&child, 1)?.m;
        child.legal_moves().contains(&reply).then_some(reply)
    }
}
