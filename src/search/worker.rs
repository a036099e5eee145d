//! One thread of the search: its parts, and what a node needs of several of them.

use super::control::Control;
use super::events::Event;
use super::node::Node;
use super::path::Path;
use super::reporter::Reporter;
use super::root::{Root, RootEffort};
use super::shared::Shared;
use super::thread_data::ThreadData;
use super::updates::Learner;
use crate::position::{Move, Position};
use crate::wdl::score::{MAX_PLY, Score};

/// The search of one thread.
pub struct Worker<'a> {
    /// What all threads share.
    pub shared: &'a Shared<'a>,
    /// What the thread keeps from search to search: evaluator and histories.
    pub data: &'a mut ThreadData,
    /// The way from the root to the current node.
    pub path: Path,
    /// The root moves, and how far the iterations are.
    pub root: Root,
    /// Nodes, time, and whether the search has to end.
    pub control: Control,
    /// What was reported.
    pub reporter: Reporter<'a>,
}

/// Counts of the search as a root move begins.
pub struct RootProgress {
    nodes: u64,
    selective_depth: usize,
}

impl<'a> Worker<'a> {
    /// A worker for one search. Thread 0 keeps the time; `report` takes the reports of a thread that makes some.
    pub fn new(
        shared: &'a Shared,
        data: &'a mut ThreadData,
        thread: usize,
        report: Option<&'a mut dyn FnMut(Event)>,
    ) -> Worker<'a> {
        Worker {
            data,
            path: Path::new(shared.game.keys()),
            root: Root::new(shared.root_moves),
            control: Control::new(shared, thread),
            reporter: Reporter::new(report),
            shared,
        }
    }

    /// Whether the search has to end; scores that come back then mean nothing.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }

    /// Counts a node; returns whether the search has to end.
    #[inline]
    pub fn count_node(&mut self) -> bool {
        if self.control.count_node() {
            self.check_limits();
        }
        self.is_stopped()
    }

    #[cold]
    fn check_limits(&mut self) {
        self.control.publish_counts(self.shared);
        self.reporter.report_progress(self.shared, self.root.depth());
        self.control.check_limits(self.shared, &self.root);
    }

    /// The score of a node below the root where there is nothing to search: the position is drawn by rule, or the line has
    /// the largest length.
    #[inline(always)]
    pub fn leaf_score(&mut self, position: &Position, ply: usize) -> Option<Score> {
        if self.path.is_draw(position, ply) {
            Some(Score::DRAW)
        } else if ply < MAX_PLY - 1 {
            None
        } else if position.is_check() {
            Some(Score::DRAW)
        } else {
            Some(self.data.evaluate(position, self.shared, ply).score())
        }
    }

    /// What the histories learn by.
    #[inline]
    pub fn learner(&mut self) -> Learner<'_> {
        Learner { histories: &mut self.data.histories, path: &mut self.path, params: self.shared.params() }
    }

    /// Begins with a root move; `move_count` counts from the first of the line.
    pub fn begin_root_move(&mut self, move_count: usize, m: Move) -> RootProgress {
        self.reporter.report_current(self.shared, self.root.depth(), self.root.line_index() + move_count, m);
        RootProgress { nodes: self.control.nodes(), selective_depth: self.path.replace_selective_depth(0) }
    }

    /// Takes the score of a root move; `node` is that of the moves before.
    pub fn finish_root_move(&mut self, move_count: usize, score: Score, node: &Node, before: RootProgress) {
        #[cfg(debug_assertions)]
        self.check_pv();
        let reached = self.path.selective_depth();
        self.path.replace_selective_depth(before.selective_depth.max(reached));
        let effort = RootEffort { nodes: self.control.nodes() - before.nodes, selective_depth: reached };
        self.root.finish_move(move_count, score, node, &effort, &self.path.entry(0).pv);
    }

    /// Panics unless each move of the root's line is legal after the ones before.
    #[cfg(debug_assertions)]
    fn check_pv(&self) {
        let mut position = *self.shared.game.position();
        for &m in &self.path.entry(0).pv {
            assert!(position.legal_moves().contains(&m), "the principal variation is legal");
            position = position.play(m);
        }
    }
}
