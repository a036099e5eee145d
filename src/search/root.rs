//! The root moves and what is reported of them.

use super::events::{Answer, Event, SearchReport};
use super::node::Node;
use super::root_move::{ExactResult, RootMove};
use super::stack::LOOK_BACK;
use super::tt::Bound;
use super::worker::Worker;
use crate::position::Move;
use crate::wdl::score::Score;
use std::time::Duration;

/// Information about the running iteration comes only after this long.
const QUIET_TIME: Duration = Duration::from_secs(3);

/// Longest time without a report.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// What identifies the last report of the first line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Reported {
    nodes: u64,
    pv_len: usize,
    m: Move,
}

/// Counts of the search as a root move begins.
pub struct RootProgress {
    nodes: u64,
    selective_depth: usize,
}

impl Worker<'_> {
    /// The result at the end of the search, after a last report of it.
    pub fn answer(&mut self) -> Answer {
        let score = self.score_of(&self.root_moves[0]);
        self.report_result();
        let best = &self.root_moves[0];
        let ponder = best.pv.get(1).copied();
        let score = self.known_score(best, score).unwrap_or(score);
        Answer { best: Some(best.ranked.m), ponder, score, nodes: self.shared.nodes() }
    }

    /// Reports all lines as they stand at the end of the search: exact if they were within the last iteration, and the
    /// first with the expected reply. Nothing is repeated, except after pondering: clients forget the lines before the hit.
    fn report_result(&mut self) {
        let lines = self.lines();
        for root_move in &mut self.root_moves[..lines] {
            let inexact = root_move.bound != Bound::Exact && root_move.score != -Score::INFINITE;
            if inexact && let Some(exact) = root_move.exact.take_if(|exact| exact.depth >= self.completed) {
                root_move.score = exact.score;
                root_move.bound = Bound::Exact;
                root_move.selective_depth = exact.selective_depth;
                root_move.pv = exact.pv;
            }
        }
        if let [m] = self.root_moves[0].pv[..] {
            let reply = self.tt_reply(m);
            self.root_moves[0].pv.extend(reply);
        }
        let best = &self.root_moves[0];
        let result = Reported { nodes: self.shared.nodes(), pv_len: best.pv.len(), m: best.ranked.m };
        if self.shared.limits.ponder || self.reported != Some(result) {
            (0..lines).for_each(|line| self.report(line));
        }
    }

    /// Lines that are searched and reported.
    pub fn lines(&self) -> usize {
        self.shared.settings.multi_pv.clamp(1, self.root_moves.len())
    }

    /// The score of a root move, that of the last iteration if this one has not reached it.
    pub fn score_of(&self, root_move: &RootMove) -> Score {
        if root_move.score == -Score::INFINITE { root_move.previous } else { root_move.score }
    }

    /// A legal reply from the table, unless the move ends the game as a draw.
    fn tt_reply(&mut self, m: Move) -> Option<Move> {
        let position = self.shared.game.position();
        let child = position.play(m);
        self.keys.push(position.key());
        let is_drawn = self.is_draw(&child, 1);
        self.keys.pop();
        if is_drawn {
            return None;
        }
        let reply = self.shared.tt.probe(child.table_key(), 1)?.m;
        child.legal_moves().contains(&reply).then_some(reply)
    }

    /// Whether only some of the legal moves are searched at the root.
    pub fn is_partial(&self) -> bool {
        let ranks = [self.root_moves.first(), self.root_moves.last()].map(|found| found.map(|found| found.ranked.rank));
        self.first_root_move > 0 || !self.shared.limits.search_moves.is_empty() || ranks[0] != ranks[1]
    }

    /// The root move after `move_count` of the current line, unless the tables rank it lower than the first.
    #[inline]
    pub fn next_root_move(&self, move_count: usize) -> Option<Move> {
        let next = self.root_moves.get(self.first_root_move + move_count)?;
        (next.ranked.rank == self.root_moves[self.first_root_move].ranked.rank).then_some(next.ranked.m)
    }

    /// Begins with a root move; `move_count` counts from the first of the line.
    pub fn begin_root_move(&mut self, move_count: usize, m: Move) -> RootProgress {
        self.report_current(move_count, m);
        RootProgress { nodes: self.nodes, selective_depth: std::mem::replace(&mut self.selective_depth, 0) }
    }

    /// Takes the score of a root move, and its line where it is the first or better than those before it; `node` is that
    /// of the moves before.
    pub fn finish_root_move(&mut self, move_count: usize, score: Score, node: &Node, before: RootProgress) {
        #[cfg(debug_assertions)]
        self.check_pv();
        let reached = self.selective_depth;
        self.selective_depth = before.selective_depth.max(reached);
        let searched = self.nodes - before.nodes;
        let root_move = &mut self.root_moves[self.first_root_move + move_count - 1];
        root_move.nodes += searched;
        root_move.average = if root_move.average == -Score::INFINITE || !score.is_heuristic() {
            score
        } else {
            score.two_thirds(root_move.average)
        };
        if move_count > 1 && score <= node.alpha {
            root_move.score = -Score::INFINITE;
            return;
        }
        root_move.score = score;
        root_move.bound = if score >= node.beta {
            Bound::Lower
        } else if score <= node.original_alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        root_move.selective_depth = reached;
        root_move.pv = self.stack[LOOK_BACK].pv.clone();
        if root_move.bound == Bound::Exact {
            root_move.exact = Some(ExactResult {
                depth: self.root_depth as usize,
                score,
                selective_depth: reached,
                pv: root_move.pv.clone(),
            });
        }
    }

    /// Panics unless each move of the root's line is legal after the ones before.
    #[cfg(debug_assertions)]
    fn check_pv(&self) {
        let mut position = *self.shared.game.position();
        for &m in &self.stack[LOOK_BACK].pv {
            assert!(position.legal_moves().contains(&m), "the principal variation is legal");
            position = position.play(m);
        }
    }

    /// Reports the move that is searched at the root, in long searches.
    fn report_current(&mut self, move_count: usize, m: Move) {
        let elapsed = self.shared.stopwatch.elapsed();
        if self.thread == 0 && elapsed >= QUIET_TIME {
            (self.report)(Event::CurrentMove { depth: self.root_depth as usize, number: move_count, m, elapsed });
        }
    }

    /// Reports a line before its iteration is finished, in long searches.
    pub fn report_late(&mut self, line: usize) {
        if self.shared.stopwatch.elapsed() >= QUIET_TIME {
            self.report(line);
        }
    }

    /// The score of a root move by the tables or by the fifty-move rule, if they know it.
    fn known_score(&self, root_move: &RootMove, found: Score) -> Option<Score> {
        if self.shared.is_claimable { Some(Score::DRAW) } else { root_move.table_score(found) }
    }

    /// Reports a line.
    pub fn report(&mut self, line: usize) {
        if self.thread != 0 {
            return;
        }
        let root_move = &self.root_moves[line];
        let found = self.score_of(root_move);
        let known = self.known_score(root_move, found);
        let nodes = self.shared.nodes();
        let elapsed = self.shared.stopwatch.elapsed();
        if line == 0 {
            self.reported = Some(Reported { nodes, pv_len: root_move.pv.len(), m: root_move.ranked.m });
        }
        self.reported_at = elapsed;
        // What this iteration has not reached is of the last one.
        let depth = if root_move.score == -Score::INFINITE { self.completed } else { self.root_depth as usize };
        let score = known.unwrap_or(found);
        let estimate = score.estimate();
        (self.report)(Event::Report(SearchReport {
            depth,
            selective_depth: root_move.selective_depth,
            line: line + 1,
            score,
            estimate,
            objective: estimate.map(|estimate| self.shared.without_contempt(estimate, &root_move.pv)),
            bound: if known.is_some() { Bound::Exact } else { root_move.bound },
            from_tables: known.is_some() && !self.shared.is_claimable,
            nodes,
            table_hits: self.shared.table_hits(),
            hashfull: self.shared.tt.hashfull(),
            elapsed,
            pv: &root_move.pv,
        }));
    }

    /// Reports how far the search is if nothing was reported for a second.
    pub fn report_progress(&mut self) {
        if self.thread != 0 {
            return;
        }
        let elapsed = self.shared.stopwatch.elapsed();
        if elapsed < self.reported_at + PROGRESS_INTERVAL {
            return;
        }
        self.reported_at = elapsed;
        (self.report)(Event::Progress {
            depth: self.root_depth as usize,
            nodes: self.shared.nodes(),
            hashfull: self.shared.tt.hashfull(),
            elapsed,
        });
    }
}
