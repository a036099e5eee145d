//! One thread of the search: its memory, and iterative deepening.

use super::alpha_beta::{Node, Root};
use super::history::{Before, Histories, PieceTo};
use super::limits::{Pace, TimeBudget};
use super::params::SearchParams;
use super::pool::Shared;
use super::table::Bound;
use super::{Answer, Event, Report};
use crate::eval::{Evaluation, Evaluator};
use crate::position::{FIFTY_MOVES, Move, Position};
use crate::wdl::score::{Kind, MAX_PLY, Score};
use arrayvec::ArrayVec;
use std::time::Duration;

/// Information about the running iteration comes only after this long.
const QUIET_TIME: Duration = Duration::from_secs(3);
/// Nodes between two looks at the clock.
const CHECK_INTERVAL: u64 = 1024;
/// The same when time is short.
const SHORT_CHECK_INTERVAL: u64 = 64;
/// Time for a move that counts as short.
const SHORT_TIME: Duration = Duration::from_millis(5);
/// Earlier moves that a frame may be asked for.
const LOOK_BACK: usize = 4;

/// What a thread remembers from search to search.
#[derive(Default)]
pub struct Memory {
    evaluator: Evaluator,
    pub histories: Histories,
}

impl Memory {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.evaluator.clear();
        self.histories.clear();
    }
}

/// A line of moves.
pub type Line = ArrayVec<Move, MAX_PLY>;

/// What the search keeps of each ply of the current path.
#[derive(Clone)]
pub struct Frame {
    /// Corrected static wilo for the side to move, centipawns; `None` in check.
    pub wilo: Option<i32>,
    /// The move made here; none for a null move.
    pub m: Move,
    /// Place of that move in the butterfly history, if it is a quiet one of the main search.
    pub butterfly: Option<usize>,
    /// Plies by which that move is searched less deep than others, while it is.
    pub reduction: i32,
    /// Piece and target of that move.
    pub piece_to: PieceTo,
    /// Quiet move that refuted a sibling node at this ply.
    pub killer: Move,
    /// Move left out by the search that asks whether it is the only good one; none otherwise.
    pub excluded: Move,
    /// Extensions by more than one ply on the path to here.
    pub double_extensions: i32,
    /// Best line from here.
    pub pv: Line,
}

impl Default for Frame {
    fn default() -> Frame {
        Frame {
            wilo: None,
            m: Move::NONE,
            butterfly: None,
            reduction: 0,
            piece_to: PieceTo::NONE,
            killer: Move::NONE,
            excluded: Move::NONE,
            double_extensions: 0,
            pv: Line::new(),
        }
    }
}

/// A move at the root with what is known of it.
#[derive(Clone)]
pub struct RootMove {
    /// The move.
    pub m: Move,
    /// Score of the running iteration; below all if it only was shown not to be best.
    pub score: Score,
    /// What the score means.
    pub bound: Bound,
    /// Score of the last iteration that was finished.
    pub previous: Score,
    /// Deepest ply reached below it.
    pub selective_depth: usize,
    /// Nodes searched below it so far.
    pub nodes: u64,
    /// Its line, itself included.
    pub pv: Line,
}

impl RootMove {
    fn new(m: Move) -> RootMove {
        RootMove {
            m,
            score: -Score::INFINITE,
            bound: Bound::Exact,
            previous: -Score::INFINITE,
            selective_depth: 0,
            nodes: 0,
            pv: Line::from_iter([m]),
        }
    }
}

/// How far the search was as a root move was begun.
pub struct RootProgress {
    nodes: u64,
    selective_depth: usize,
}

/// The choice of one worker.
pub struct Vote {
    root_move: RootMove,
    score: Score,
    /// Last completed iteration, plies.
    depth: usize,
}

impl Vote {
    /// The vote that wins: the deepest for the move on which most weight falls. The first vote wins ties, and always if
    /// its score is proven.
    pub fn elect(votes: Vec<Vote>, params: &SearchParams) -> Option<Vote> {
        let value = |vote: &Vote| vote.score.centipawns();
        let lowest = votes.iter().map(value).min()?;
        let weight = |vote: &Vote| i64::from(value(vote) - lowest + params.vote_floor_score_cp) * vote.depth as i64;
        let for_move = |m: Move| votes.iter().filter(|vote| vote.root_move.m == m).map(weight).sum::<i64>();
        let mut best = 0;
        if votes[0].score.is_heuristic() {
            for (index, vote) in votes.iter().enumerate() {
                let rank = |vote: &Vote| (for_move(vote.root_move.m), vote.depth);
                if rank(vote) > rank(&votes[best]) {
                    best = index;
                }
            }
        }
        votes.into_iter().nth(best)
    }

    /// The move voted for.
    pub fn m(&self) -> Move {
        self.root_move.m
    }
}

/// One thread's search.
pub struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub memory: &'a mut Memory,
    report: &'a mut dyn FnMut(Event),
    frames: Vec<Frame>,
    keys: Vec<u64>,
    pub root_moves: Vec<RootMove>,
    /// First root move of the line that is searched now.
    pub first_root_move: usize,
    pub root_depth: i32,
    pub nodes: u64,
    node_limit: u64,
    next_check: u64,
    pub selective_depth: usize,
    /// Ply from which null moves are tried; above zero while one is verified.
    pub null_move_from: usize,
    budget: Option<TimeBudget>,
    thread: usize,
    stopped: bool,
    completed: usize,
    stable_iterations: usize,
    /// Best score of the iteration before.
    last_score: Score,
    /// Whether the opponent's time has been enough for the move when the last iteration ended.
    pondered_enough: bool,
}

impl<'a> Worker<'a> {
    /// A worker for one search.
    pub fn new(
        shared: &'a Shared,
        memory: &'a mut Memory,
        thread: usize,
        report: &'a mut dyn FnMut(Event),
    ) -> Worker<'a> {
        let root_moves = shared.root_moves.iter().map(|&m| RootMove::new(m));
        Worker {
            root_moves: root_moves.collect(),
            memory,
            report,
            frames: vec![Frame::default(); MAX_PLY + LOOK_BACK + 1],
            keys: shared.game.keys().to_vec(),
            first_root_move: 0,
            root_depth: 0,
            nodes: 0,
            node_limit: if shared.threads() == 1 { shared.limits.nodes.unwrap_or(u64::MAX) } else { u64::MAX },
            next_check: SHORT_CHECK_INTERVAL,
            selective_depth: 0,
            null_move_from: 0,
            budget: shared
                .limits
                .time_budget(shared.settings.move_overhead, shared.params)
                .map(|budget| if shared.settings.ponders { budget.pondering(shared.params) } else { budget }),
            thread,
            stopped: false,
            completed: 0,
            stable_iterations: 0,
            last_score: Score::DRAW,
            pondered_enough: false,
            shared,
        }
    }

    /// Iterative deepening until a limit or a signal ends it.
    pub fn run(&mut self) {
        let last = self.shared.limits.depth.unwrap_or(MAX_PLY - 1).clamp(1, MAX_PLY - 1);
        let lines = self.shared.settings.multi_pv.clamp(1, self.root_moves.len());
        let mut reported = Move::NONE;
        // Every other helper runs a ply ahead, so that the threads differ.
        let first = (1 + self.thread % 2).min(last);
        for depth in first..=last {
            self.root_depth = depth as i32;
            for root_move in &mut self.root_moves {
                root_move.previous = std::mem::replace(&mut root_move.score, -Score::INFINITE);
            }
            for line in 0..lines {
                self.first_root_move = line;
                self.selective_depth = 0;
                self.aspiration();
                if self.stopped {
                    break;
                }
                sort(&mut self.root_moves[..=line]);
            }
            if self.stopped {
                break;
            }
            self.completed = depth;
            self.stable_iterations = if self.root_moves[0].m == reported { self.stable_iterations + 1 } else { 0 };
            self.publish();
            for line in 0..lines {
                self.report(line);
            }
            reported = self.root_moves[0].m;
            if self.is_done() {
                break;
            }
            self.last_score = self.root_moves[0].score;
        }
        self.publish();
        if self.completed == 0 && self.root_moves[0].score == -Score::INFINITE {
            let position = self.shared.game.position();
            let estimate = if position.is_check() { Score::DRAW } else { self.evaluate(position).score() };
            self.root_moves[0].score = estimate;
        }
        if self.root_moves[0].m != reported {
            self.report(0);
        }
    }

    /// The result so far.
    pub fn answer(&self) -> Answer {
        let best = &self.root_moves[0];
        let score = self.score_of(best);
        let ponder = best.pv.get(1).copied().or_else(|| self.table_reply(best.m));
        Answer { best: Some(best.m), ponder, score, nodes: self.shared.nodes() }
    }

    /// What this worker would play.
    pub fn vote(&self) -> Vote {
        let root_move = self.root_moves[0].clone();
        Vote { score: self.score_of(&root_move), depth: self.completed, root_move }
    }

    /// Takes over the choice of another worker, and tells of it.
    pub fn adopt(&mut self, vote: Vote) {
        self.root_depth = vote.depth as i32;
        self.root_moves[0] = RootMove { score: vote.score, ..vote.root_move };
        self.report(0);
    }

    /// The score of a root move, that of the last iteration if this one has not reached it.
    fn score_of(&self, root_move: &RootMove) -> Score {
        if root_move.score == -Score::INFINITE { root_move.previous } else { root_move.score }
    }

    /// A legal reply from the table.
    fn table_reply(&self, m: Move) -> Option<Move> {
        let child = self.shared.game.position().play(m);
        let reply = self.shared.table.probe(child.table_key(), 1)?.m;
        child.legal_moves().contains(&reply).then_some(reply)
    }

    /// Searches the root with a window around the last score, in printed centipawns, wider each time it fails.
    fn aspiration(&mut self) {
        let params = self.shared.params;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        let previous = self.root_moves[self.first_root_move].previous;
        let mut width = params.aspiration_score_cp;
        let mut shallower = 0;
        if self.root_depth >= params.aspiration_depth && previous.is_heuristic() {
            alpha = previous.plus_centipawns(-width);
            beta = previous.plus_centipawns(width);
        }
        loop {
            let position = *self.shared.game.position();
            let depth = (self.root_depth - shallower).max(1);
            let score = self.search::<Root>(&position, alpha, beta, depth, 0, false);
            let first = self.first_root_move;
            sort(&mut self.root_moves[first..]);
            if self.stopped {
                return;
            }
            let wide = width > params.aspiration_limit_score_cp;
            if score <= alpha && alpha > -Score::INFINITE {
                self.report_late(first);
                shallower = 0;
                beta = if wide { beta } else { alpha.max(beta.plus_centipawns(-width)) };
                alpha = if wide || !score.is_heuristic() { -Score::INFINITE } else { score.plus_centipawns(-width) };
            } else if score >= beta && beta < Score::INFINITE {
                self.report_late(first);
                // The move is good; how good shows at less depth.
                if score.is_heuristic() {
                    shallower = (shallower + 1).min(params.aspiration_fail_high_depth);
                }
                beta = if wide || !score.is_heuristic() { Score::INFINITE } else { score.plus_centipawns(width) };
            } else {
                return;
            }
            width = width * params.aspiration_growth / 100;
        }
    }

    /// Whether no further iteration should start.
    fn is_done(&mut self) -> bool {
        if self.thread != 0 {
            return self.shared.is_finished();
        }
        if self.shared.must_wait() {
            let spent = self.shared.stopwatch.elapsed();
            self.pondered_enough = !self.has_fixed_time()
                && self.budget.is_some_and(|budget| {
                    self.is_forced() || spent >= budget.soft_after(self.pace(), self.shared.params)
                });
            return self.shared.is_finished();
        }
        if self.shared.limits.soft_nodes.is_some_and(|limit| self.shared.nodes() >= limit) {
            return true;
        }
        if let Some(moves) = self.shared.limits.mate
            && let Kind::Mate(plies) = self.root_moves[0].score.kind()
            && plies > 0
            && (plies.unsigned_abs() as usize) < 2 * moves
        {
            return true;
        }
        let (Some(budget), Some(time)) = (self.budget, self.shared.clock_time()) else { return false };
        self.is_forced()
            || time
                >= if self.has_fixed_time() { budget.hard } else { budget.soft_after(self.pace(), self.shared.params) }
    }

    /// Whether the time is for this move alone, so that nothing is saved by ending early.
    fn has_fixed_time(&self) -> bool {
        self.shared.limits.move_time.is_some() && self.shared.limits.clock.is_none()
    }

    /// Whether the rules leave no choice, so that time has nothing to gain.
    fn is_forced(&self) -> bool {
        let limits = &self.shared.limits;
        self.root_moves.len() == 1 && limits.search_moves.is_empty() && !limits.infinite
    }

    /// How settled the root is after an iteration.
    fn pace(&self) -> Pace {
        let best = &self.root_moves[0];
        let fall = f64::from(self.last_score.centipawns() - best.score.centipawns());
        let settled = self.last_score.is_heuristic() && best.score.is_heuristic();
        Pace {
            stable_iterations: self.stable_iterations,
            best_move_share: best.nodes as f64 / self.nodes.max(1) as f64,
            score_drop: if settled { fall } else { 0.0 },
        }
    }

    /// Counts a node; returns whether the search has to end.
    #[inline]
    pub fn count_node(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        if self.nodes >= self.next_check || self.nodes >= self.node_limit {
            self.check_limits();
        }
        self.stopped
    }

    #[cold]
    fn check_limits(&mut self) {
        let short = self.budget.is_some_and(|budget| budget.hard < SHORT_TIME);
        self.next_check = self.nodes + if short { SHORT_CHECK_INTERVAL } else { CHECK_INTERVAL };
        self.publish();
        let limits = self.shared.limits;
        let out_of_nodes = limits.nodes.is_some_and(|limit| self.shared.nodes() >= limit);
        let out_of_time = self.thread == 0
            && match (self.budget, self.shared.clock_time()) {
                (Some(budget), Some(time)) => {
                    let enough = self.pondered_enough && !self.shared.limits.infinite;
                    time >= budget.hard || enough || (self.is_forced() && self.completed > 0)
                }
                _ => false,
            };
        if out_of_nodes || out_of_time {
            self.shared.finish();
        }
        self.stopped = self.shared.is_finished();
        if self.shared.threads() > 1 {
            // With a thread on every core, whoever reads `stop` would otherwise wait for the system's next tick.
            std::thread::yield_now();
        }
    }

    fn publish(&self) {
        self.shared.publish_nodes(self.thread, self.nodes);
    }

    /// Whether the search has been told to end; scores that come back then mean nothing.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// The frame of a ply of the current path.
    #[inline]
    pub fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + LOOK_BACK]
    }

    /// The frame before that of a ply; that of no move at the root.
    #[inline]
    pub fn frame_before(&self, ply: usize) -> &Frame {
        &self.frames[ply + LOOK_BACK - 1]
    }

    /// Static wilo two plies ago, for the same side.
    #[inline]
    pub fn wilo_before(&self, ply: usize) -> Option<i32> {
        self.frames[ply + LOOK_BACK - 2].wilo.or(self.frames[ply + LOOK_BACK - 4].wilo)
    }

    /// Pieces and targets of the moves one, two and four plies ago, for the continuation histories.
    #[inline]
    pub fn before(&self, ply: usize) -> Before {
        [1, 2, 4].map(|back| self.frames[ply + LOOK_BACK - back].piece_to)
    }

    /// Enters the child position of a move (none: the null move).
    #[inline]
    pub fn enter(&mut self, position: &Position, m: Move, ply: usize) {
        let piece_to = if m.is_none() { PieceTo::NONE } else { PieceTo::of(position, m) };
        let frame = self.frame(ply);
        frame.m = m;
        frame.butterfly = None;
        frame.piece_to = piece_to;
        self.keys.push(position.key());
    }

    /// Leaves the child position.
    #[inline]
    pub fn leave(&mut self) {
        self.keys.pop();
    }

    /// Makes `m` and the line below it the best line of this ply.
    pub fn extend_pv(&mut self, m: Move, ply: usize) {
        let (above, below) = self.frames.split_at_mut(ply + LOOK_BACK + 1);
        let line = &mut above[ply + LOOK_BACK].pv;
        line.clear();
        line.push(m);
        line.extend(below[0].pv.iter().copied().take(MAX_PLY - 1));
    }

    /// Evaluates a position that is not in check, with contempt. What is drawn by rule is scored elsewhere and has none:
    /// that is how the side with the advantage avoids draws.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Evaluation {
        self.memory.evaluator.evaluate(position, self.shared.weights, self.shared.contempt)
    }

    /// Counts a node below the root. Returns its score if there is nothing to search: the search has to end (the score
    /// means nothing then), the position is drawn, or the line is as long as it may be.
    #[inline(always)]
    pub fn enter_node(&mut self, position: &Position, ply: usize) -> Option<Score> {
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

    /// Whether only some of the legal moves are searched at the root.
    pub fn is_partial(&self) -> bool {
        self.first_root_move > 0 || !self.shared.limits.search_moves.is_empty()
    }

    /// Begins with a root move; `number` counts from the first of the line.
    pub fn enter_root_move(&mut self, number: usize, m: Move) -> RootProgress {
        self.report_current(number, m);
        RootProgress { nodes: self.nodes, selective_depth: std::mem::replace(&mut self.selective_depth, 0) }
    }

    /// Takes the score of a root move, and its line where it is the first or better than those before it; `node` is that
    /// of the moves before.
    pub fn leave_root_move(&mut self, number: usize, score: Score, node: &Node, before: RootProgress) {
        let reached = self.selective_depth;
        self.selective_depth = before.selective_depth.max(reached);
        let searched = self.nodes - before.nodes;
        let root_move = &mut self.root_moves[self.first_root_move + number - 1];
        root_move.nodes += searched;
        if number > 1 && score <= node.alpha {
            root_move.score = -Score::INFINITE;
            return;
        }
        root_move.score = score;
        root_move.bound = if score >= node.beta {
            Bound::Lower
        } else if score <= node.entered {
            Bound::Upper
        } else {
            Bound::Exact
        };
        root_move.selective_depth = reached;
        root_move.pv = self.frames[LOOK_BACK].pv.clone();
    }

    /// Tells of the move that is searched at the root, in long searches.
    fn report_current(&mut self, number: usize, m: Move) {
        let elapsed = self.shared.stopwatch.elapsed();
        if self.thread == 0 && elapsed >= QUIET_TIME {
            (self.report)(Event::CurrentMove { depth: self.root_depth as usize, number, m, elapsed });
        }
    }

    /// Tells of a line before its iteration is finished, in long searches.
    fn report_late(&mut self, line: usize) {
        if self.shared.stopwatch.elapsed() >= QUIET_TIME {
            self.report(line);
        }
    }

    fn report(&mut self, line: usize) {
        if self.thread != 0 {
            return;
        }
        let root_move = &self.root_moves[line];
        let score = self.score_of(root_move);
        (self.report)(Event::Report(Report {
            depth: self.root_depth as usize,
            selective_depth: root_move.selective_depth,
            line: line + 1,
            score,
            bound: root_move.bound,
            nodes: self.shared.nodes(),
            hashfull: self.shared.table.hashfull(),
            elapsed: self.shared.stopwatch.elapsed(),
            pv: &root_move.pv,
        }));
    }
}

/// Best first; moves that this iteration has not raised keep the order of the last one.
fn sort(root_moves: &mut [RootMove]) {
    root_moves.sort_by_key(|root_move| std::cmp::Reverse((root_move.score, root_move.previous)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weight_and_depth_elect_unless_the_first_vote_is_proven() {
        let vote = |text: &str, wilo: i32, depth: usize| {
            let m = Position::default().parse_move(text).unwrap();
            Vote { root_move: RootMove::new(m), score: Score::heuristic(wilo, 0), depth }
        };
        let start = Position::default();
        let elected =
            |votes: Vec<Vote>| start.format_move(Vote::elect(votes, &SearchParams::default()).unwrap().m(), false);
        assert!(Vote::elect(Vec::new(), &SearchParams::default()).is_none());
        assert_eq!(elected(vec![vote("e2e4", 20, 9), vote("d2d4", 20, 9)]), "e2e4", "the first wins ties");
        assert_eq!(elected(vec![vote("e2e4", 20, 9), vote("d2d4", 20, 11)]), "d2d4", "depth counts");
        assert_eq!(elected(vec![vote("e2e4", 20, 9), vote("d2d4", 60, 9)]), "d2d4", "the score counts");
        let three = vec![vote("e2e4", 20, 9), vote("d2d4", 20, 10), vote("e2e4", 20, 9)];
        assert_eq!(elected(three), "e2e4", "two outweigh one");
        let proven = Vote { score: Score::mate_in(3), ..vote("e2e4", 0, 5) };
        assert_eq!(elected(vec![proven, vote("d2d4", 900, 20)]), "e2e4");
    }
}
