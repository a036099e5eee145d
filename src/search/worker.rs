//! One thread of the search: its data, its path, and its way down and up the tree.

use super::correction::Corrections;
use super::events::Event;
use super::histories::{EarlierMoves, Histories, PieceTo};
use super::limits::SHORT_CHECK_INTERVAL;
use super::root::Reported;
use super::root_move::{RootMove, sort_root_moves};
use super::shared::Shared;
use super::stack::{LOOK_AHEAD, LOOK_BACK, StackEntry};
use super::time::TimeBudget;
use crate::eval::{Evaluation, Evaluator};
use crate::position::{FIFTY_MOVES, Move, Position};
use crate::wdl::score::{MAX_PLY, Score};
use std::time::Duration;

/// What a thread keeps from search to search.
#[derive(Default)]
pub struct ThreadData {
    evaluator: Evaluator,
    /// Histories of moves.
    pub histories: Histories,
    /// Correction histories of the static evaluation.
    pub corrections: Corrections,
}

impl ThreadData {
    /// Memory of a thread, in bytes: its tables and what it uses of its stack, rounded up.
    pub const BYTES: usize = 4 << 20;

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.evaluator.clear();
        self.histories.clear();
        self.corrections.clear();
    }
}

/// The search of one thread.
pub struct Worker<'a> {
    /// What all threads share.
    pub shared: &'a Shared<'a>,
    /// What the thread keeps from search to search.
    pub data: &'a mut ThreadData,
    /// Takes the reports.
    pub report: &'a mut dyn FnMut(Event),
    /// The current path.
    pub stack: Vec<StackEntry>,
    /// Keys of the positions before the current one, from the start of the game.
    pub keys: Vec<u64>,
    /// The moves to search at the root, best first.
    pub root_moves: Vec<RootMove>,
    /// First root move of the line that is searched now.
    pub first_root_move: usize,
    /// Depth of the iteration, plies.
    pub root_depth: i32,
    /// Nodes of this thread.
    pub nodes: u64,
    /// Nodes that this thread may search.
    pub node_limit: u64,
    /// Nodes of this thread whose result the tables knew.
    pub table_hits: u64,
    /// Node count at which the limits are checked next.
    pub next_check: u64,
    /// Width of the window at the root.
    pub root_window: i64,
    /// Deepest ply reached.
    pub selective_depth: usize,
    /// Ply from which null moves are tried; above zero while one is verified.
    pub null_move_from: usize,
    /// Who passes when one is verified.
    pub null_move_color: shakmaty::Color,
    /// Time for the move, if it is limited.
    pub budget: Option<TimeBudget>,
    /// Number of the thread; 0 reports and keeps the time.
    pub thread: usize,
    /// Whether the search has to end.
    pub stopped: bool,
    /// Last completed iteration, plies.
    pub completed: usize,
    /// Iterations in a row with the same best move.
    pub stable_iterations: usize,
    /// Best score of the iteration before.
    pub last_score: Score,
    /// Whether the opponent's time has been enough for the move when the last iteration ended.
    pub pondered_enough: bool,
    /// The last report of the first line.
    pub reported: Option<Reported>,
    /// Time of the last report.
    pub reported_at: Duration,
}

impl<'a> Worker<'a> {
    /// A worker for one search.
    pub fn new(
        shared: &'a Shared,
        data: &'a mut ThreadData,
        thread: usize,
        report: &'a mut dyn FnMut(Event),
    ) -> Worker<'a> {
        let mut root_moves: Vec<_> = shared.root_moves.iter().map(|&ranked| RootMove::new(ranked)).collect();
        sort_root_moves(&mut root_moves);
        Worker {
            root_moves,
            data,
            report,
            stack: vec![StackEntry::default(); MAX_PLY + LOOK_BACK + LOOK_AHEAD],
            keys: shared.game.keys().to_vec(),
            first_root_move: 0,
            root_depth: 0,
            nodes: 0,
            table_hits: 0,
            node_limit: if shared.threads() == 1 { shared.limits.nodes.unwrap_or(u64::MAX) } else { u64::MAX },
            next_check: SHORT_CHECK_INTERVAL,
            root_window: 1,
            selective_depth: 0,
            null_move_from: 0,
            null_move_color: shakmaty::Color::White,
            budget: shared.limits.time_budget(shared.settings, shared.params()),
            thread,
            stopped: false,
            completed: 0,
            stable_iterations: 0,
            last_score: Score::DRAW,
            pondered_enough: false,
            reported: None,
            reported_at: Duration::ZERO,
            shared,
        }
    }

    /// The stack's entry for a ply of the current path.
    #[inline]
    pub fn entry(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.stack[ply + LOOK_BACK]
    }

    /// The entry one ply earlier; that of no move at the root.
    #[inline]
    pub fn previous_entry(&self, ply: usize) -> &StackEntry {
        &self.stack[ply + LOOK_BACK - 1]
    }

    /// The entry one ply later.
    #[inline]
    pub fn next_entry(&self, ply: usize) -> &StackEntry {
        &self.stack[ply + LOOK_BACK + 1]
    }

    /// Static evaluation at the last turn of the same side, or at the one before if it was in check, centipawns of score.
    #[inline]
    pub fn earlier_cp(&self, ply: usize) -> Option<i32> {
        self.stack[ply + LOOK_BACK - 2].static_cp.or(self.stack[ply + LOOK_BACK - 4].static_cp)
    }

    /// Pieces and targets of the moves one, two, four and six plies ago, for the continuation histories.
    #[inline]
    pub fn earlier_moves(&self, ply: usize) -> EarlierMoves {
        let earlier = |back: usize| self.stack[ply + LOOK_BACK - back].piece_to;
        [earlier(1), earlier(2), earlier(4), earlier(6)]
    }

    /// Goes down to the child position of a move (none: the null move).
    #[inline]
    pub fn push_move(&mut self, position: &Position, m: Move, ply: usize) {
        let piece_to = if m.is_none() { PieceTo::NONE } else { PieceTo::of(position, m) };
        let entry = self.entry(ply);
        entry.played = m;
        entry.butterfly = None;
        entry.piece_to = piece_to;
        self.keys.push(position.key());
    }

    /// Comes back from the child position.
    #[inline]
    pub fn pop_move(&mut self) {
        self.keys.pop();
    }

    /// Makes `m` and the line below it the principal variation of this ply.
    pub fn update_pv(&mut self, m: Move, ply: usize) {
        let (above, below) = self.stack.split_at_mut(ply + LOOK_BACK + 1);
        let line = &mut above[ply + LOOK_BACK].pv;
        line.clear();
        line.push(m);
        line.extend(below[0].pv.iter().copied().take(MAX_PLY - 1));
    }

    /// Evaluates a position that is not in check, with contempt. Draws by rule are scored elsewhere, without contempt, so
    /// the side with the advantage avoids them.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Evaluation {
        self.data.evaluator.evaluate(position, self.shared.weights, self.shared.contempt)
    }

    /// Counts a node below the root. Returns its score if there is nothing to search: the search has to end (the score
    /// means nothing then), the position is drawn, or the line has the largest length.
    #[inline(always)]
    pub fn leaf_score(&mut self, position: &Position, ply: usize) -> Option<Score> {
        if self.count_node() || self.is_draw(position, ply) {
            Some(Score::DRAW)
        } else if ply < MAX_PLY - 1 {
            None
        } else if position.is_check() {
            Some(Score::DRAW)
        } else {
            Some(self.evaluate(position).score())
        }
    }

    /// Whether the position is drawn by the fifty-move rule, by lack of material, or by repetition: once within the
    /// search, or twice in all.
    #[inline(always)]
    pub fn is_draw(&self, position: &Position, ply: usize) -> bool {
        if position.halfmoves() >= FIFTY_MOVES {
            // Mate on the last move takes precedence.
            return !position.is_check() || !position.has_no_moves();
        }
        self.is_repetition(position, ply) || position.is_insufficient_material()
    }

    #[inline]
    fn is_repetition(&self, position: &Position, ply: usize) -> bool {
        let reach = (position.reversible_plies() as usize).min(self.keys.len());
        let mut seen = false;
        for back in (4..=reach).step_by(2) {
            if self.keys[self.keys.len() - back] == position.key() {
                if back < ply || seen {
                    return true;
                }
                seen = true;
            }
        }
        false
    }

    /// Whether the search has to end; scores that come back then mean nothing.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }
}
