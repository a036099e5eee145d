//! What a search reports while it runs, and when.

use super::events::{Event, SearchReport};
use super::root::Root;
use super::root_move::RootMove;
use super::shared::Shared;
use super::tt_entry::Bound;
use crate::position::Move;
use crate::wdl::score::{Kind, Score};
use std::time::Duration;

/// Information about the running iteration comes only after this long.
const QUIET_TIME: Duration = Duration::from_secs(3);

/// Longest time without a report.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// What identifies a report of the first line.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Reported {
    nodes: u64,
    pv_len: usize,
    m: Move,
}

impl Reported {
    fn of(shared: &Shared, root_move: &RootMove) -> Reported {
        Reported { nodes: shared.nodes(), pv_len: root_move.pv.len(), m: root_move.ranked.m }
    }
}

/// Reports the lines of one thread.
pub struct Reporter<'a> {
    /// Takes the reports; `None` for a thread that makes none.
    report: Option<&'a mut dyn FnMut(Event)>,
    /// The last report of the first line.
    last: Option<Reported>,
    /// Time of the last report.
    last_at: Duration,
}

impl<'a> Reporter<'a> {
    /// Of a thread that has reported nothing yet.
    pub fn new(report: Option<&'a mut dyn FnMut(Event)>) -> Reporter<'a> {
        Reporter { report, last: None, last_at: Duration::ZERO }
    }

    /// Reports a line.
    pub fn report_line(&mut self, shared: &Shared, root: &Root, line: usize) {
        let Some(report) = &mut self.report else { return };
        let root_move = &root.moves()[line];
        let found = root_move.last_score();
        let proven = proven_score(shared, root_move, found);
        let elapsed = shared.stopwatch.elapsed();
        let reported = Reported::of(shared, root_move);
        if line == 0 {
            self.last = Some(reported);
        }
        self.last_at = elapsed;
        // What this iteration has not reached is of the last one.
        let depth = if root_move.is_searched() { root_move.depth } else { root.completed() };
        let before = root.moves()[..line].iter().map(|root_move| reported_score(shared, root_move));
        let score = score_after(before, proven.unwrap_or(found));
        let estimate = score.estimate();
        report(Event::Report(SearchReport {
            depth,
            selective_depth: root_move.selective_depth,
            line: line + 1,
            score,
            estimate,
            objective: estimate.map(|estimate| shared.without_contempt(estimate, &root_move.pv)),
            bound: if proven.is_some() { Bound::Exact } else { root_move.bound },
            from_syzygy: proven.is_some() && !is_drawn_by_claim(shared, root_move),
            nodes: reported.nodes,
            threads: shared.threads(),
            syzygy_hits: shared.syzygy_hits(),
            hashfull: shared.tt.hashfull(),
            elapsed,
            pv: &root_move.pv,
        }));
    }

    /// Reports a line before its iteration is finished, in long searches.
    pub fn report_late(&mut self, shared: &Shared, root: &Root, line: usize) {
        if shared.stopwatch.elapsed() >= QUIET_TIME {
            self.report_line(shared, root, line);
        }
    }

    /// Reports all lines as they stand at the end of the search. Nothing is repeated, except after pondering: clients forget
    /// the lines before the hit.
    pub fn report_result(&mut self, shared: &Shared, root: &Root) {
        if shared.limits.ponder || self.last != Some(Reported::of(shared, root.best())) {
            (0..root.line_count(shared.settings)).for_each(|line| self.report_line(shared, root, line));
        }
    }

    /// Reports the move that is searched at the root, in long searches.
    pub fn report_current(&mut self, shared: &Shared, depth: i32, number: usize, m: Move) {
        let Some(report) = &mut self.report else { return };
        let elapsed = shared.stopwatch.elapsed();
        if elapsed >= QUIET_TIME {
            report(Event::CurrentMove { depth: depth as usize, number, m, elapsed });
        }
    }

    /// Reports how far the search is if nothing was reported for a second.
    pub fn report_progress(&mut self, shared: &Shared, depth: i32) {
        let Some(report) = &mut self.report else { return };
        let elapsed = shared.stopwatch.elapsed();
        if elapsed < self.last_at + PROGRESS_INTERVAL {
            return;
        }
        self.last_at = elapsed;
        report(Event::Progress {
            depth: depth as usize,
            nodes: shared.nodes(),
            hashfull: shared.tt.hashfull(),
            elapsed,
        });
    }
}

/// The score to report of a line after those of the lines before it. One that the endgame tables rank lower is not better, though
/// the search may know more of it; but a mate is that of its own line.
fn score_after(before: impl Iterator<Item = Score>, own: Score) -> Score {
    match before.min() {
        Some(limit) if !matches!(limit.kind(), Kind::Mate(_)) => own.min(limit),
        _ => own,
    }
}

/// The score to report of a root move.
fn reported_score(shared: &Shared, root_move: &RootMove) -> Score {
    let found = root_move.last_score();
    proven_score(shared, root_move, found).unwrap_or(found)
}

/// The score of a root move by the endgame tables or by the fifty-move rule, if they know it.
pub fn proven_score(shared: &Shared, root_move: &RootMove, found: Score) -> Option<Score> {
    if is_drawn_by_claim(shared, root_move) { Some(Score::DRAW) } else { root_move.syzygy_score(found) }
}

/// Whether the score of a root move is the draw that may be claimed.
fn is_drawn_by_claim(shared: &Shared, root_move: &RootMove) -> bool {
    shared.is_claimable || shared.drawn.contains(&root_move.ranked.m)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_takes_the_mate_of_another() {
        let [mated, lost, level] = [Score::mated_in(2), -Score::tablebase_win(9), Score::heuristic(20, 50)];
        let better = Score::heuristic(90, 50);
        for (before, own, score) in [
            (vec![], better, better),
            (vec![better, level], better, level),
            (vec![level], mated, mated),
            (vec![mated], lost, lost),
            (vec![lost], level, lost),
            (vec![Score::mate_in(9)], Score::mate_in(5), Score::mate_in(5)),
        ] {
            assert_eq!(score_after(before.into_iter(), own), score);
        }
    }
}
