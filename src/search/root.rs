//! The root moves and what is reported of them.

use super::node::Node;
use super::report::{Answer, Event, SearchReport};
use super::root_move::RootMove;
use super::stack::LOOK_BACK;
use super::tt::Bound;
use super::worker::Worker;
use crate::position::Move;
use crate::wdl::score::Score;
use std::time::Duration;

/// Information about the running iteration comes only after this long.
const QUIET_TIME: Duration = Duration::from_secs(3);

/// Counts of the search as a root move begins.
pub struct RootProgress {
    nodes: u64,
    selective_depth: usize,
}

impl Worker<'_> {
    /// The result so far.
    pub fn answer(&self) -> Answer {
        let best = &self.root_moves[0];
        let score = best.table_score(self.score_of(best)).unwrap_or_else(|| self.score_of(best));
        let ponder = best.pv.get(1).copied().or_else(|| self.tt_reply(best.ranked.m));
        Answer { best: Some(best.ranked.m), ponder, score, nodes: self.shared.nodes() }
    }

    /// The score of a root move, that of the last iteration if this one has not reached it.
    pub fn score_of(&self, root_move: &RootMove) -> Score {
        if root_move.score == -Score::INFINITE { root_move.previous } else { root_move.score }
    }

    /// A legal reply from the table.
    fn tt_reply(&self, m: Move) -> Option<Move> {
        let child = self.shared.game.position().play(m);
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

    /// Reports a line.
    pub fn report(&mut self, line: usize) {
        if self.thread != 0 {
            return;
        }
        let root_move = &self.root_moves[line];
        let found = self.score_of(root_move);
        let of_tables = root_move.table_score(found);
        (self.report)(Event::Report(SearchReport {
            depth: self.root_depth as usize,
            selective_depth: root_move.selective_depth,
            line: line + 1,
            score: of_tables.unwrap_or(found),
            bound: if of_tables.is_some() { Bound::Exact } else { root_move.bound },
            from_tables: of_tables.is_some(),
            nodes: self.shared.nodes(),
            table_hits: self.shared.table_hits(),
            hashfull: self.shared.tt.hashfull(),
            elapsed: self.shared.stopwatch.elapsed(),
            pv: &root_move.pv,
        }));
    }
}
