//! Searches of single positions, and what is kept of them.

use super::people::PeopleReport;
use super::second_look::{DEEPER, LOOKS, WIDE_LINES, WIDE_LOOK};
use crate::eval::Weights;
use crate::human::Valuer;
use crate::position::{GameHistory, Move};
use crate::search::{DEFAULT_HASH_MIB, Event, Limits, OutOfMemory, Pool, Settings, Signals};
use crate::tablebase::Tables;
use crate::wdl::score::{MAX_PLY, Score};
use std::fmt;
use std::ops::{ControlFlow, RangeFrom, RangeInclusive};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// How each position is searched.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SearchOptions {
    /// Most nodes.
    pub nodes: Option<u64>,
    /// Most time.
    pub time: Option<Duration>,
    /// Iterations, in plies.
    pub depth: Option<usize>,
    /// Number of best lines, from 1.
    pub multi_pv: usize,
    /// Transposition table of each searcher, MiB.
    pub hash_mib: usize,
    /// Endgame tables.
    pub tables: Option<Arc<Tables>>,
}

impl Default for SearchOptions {
    /// [`SearchOptions::DEFAULT_NODES`], one line, 16 MiB, no endgame tables.
    fn default() -> SearchOptions {
        let nodes = Some(SearchOptions::DEFAULT_NODES);
        SearchOptions { nodes, time: None, depth: None, multi_pv: 1, hash_mib: DEFAULT_HASH_MIB, tables: None }
    }
}

impl SearchOptions {
    /// Nodes of a position where there is no limit of nodes, time or depth.
    pub const DEFAULT_NODES: u64 = 100_000;
    /// The limits of nodes that there can be.
    pub const NODES: RangeFrom<u64> = 1..;
    /// The limits of depth that there can be, plies.
    pub const DEPTHS: RangeInclusive<u64> = 1..=MAX_PLY as u64 - 1;
    /// The numbers of best lines that there can be.
    pub const LINES: RangeInclusive<u64> = 1..=256;
    /// The least limit of time.
    pub const LEAST_TIME: Duration = Duration::from_millis(1);

    /// Whether the same search finds the same again: there is no limit of time.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        self.time.is_none()
    }

    /// The limit of nodes, if there is one.
    fn nodes(&self) -> Option<u64> {
        let is_limited = self.time.is_some() || self.depth.is_some();
        self.nodes.or((!is_limited).then_some(SearchOptions::DEFAULT_NODES))
    }

    /// The limits in words, also a part of the key that unfinished work is known by.
    #[must_use]
    pub fn describe(&self) -> String {
        let parts = [
            self.nodes().map(|nodes| format!("{nodes} nodes")),
            self.time.map(|time| format!("{} ms", time.as_millis())),
            self.depth.map(|depth| format!("depth {depth}")),
            (self.multi_pv > 1).then(|| format!("{} lines", self.multi_pv)),
            self.tables.as_ref().map(|tables| format!("tables of up to {} pieces", tables.max_pieces())),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// The same for the search.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits { nodes: self.nodes(), move_time: self.time, depth: self.depth, ..Limits::default() }
    }
}

/// A line of a search, best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLine {
    /// Score for the side to move.
    pub score: Score,
    /// Whether the score is that of the endgame tables.
    pub from_tables: bool,
    /// Depth of the iteration, plies.
    pub depth: usize,
    /// Nodes in which one thread reaches as far.
    pub nodes: u64,
    /// Its moves.
    pub pv: Vec<Move>,
}

impl FoundLine {
    /// With the score of a line that is known to be at least as good, if its own is better.
    fn at_most(self, best: &FoundLine) -> FoundLine {
        if self.score <= best.score {
            return self;
        }
        FoundLine { score: best.score, from_tables: best.from_tables, nodes: best.nodes, ..self }
    }
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The best lines; none if the game is over.
    pub lines: Vec<FoundLine>,
    /// All nodes.
    pub nodes: u64,
    /// How often the position was searched, each time with more nodes; 0 if the game is over.
    pub looks: usize,
    /// Whether it was searched for several lines where one was asked for.
    pub is_wide: bool,
    /// What people do there; missing where it was not asked for.
    pub people: Option<PeopleReport>,
}

impl Found {
    /// Whether the position was not searched before.
    #[must_use]
    pub fn is_first_look(&self) -> bool {
        self.looks < 2 && !self.is_wide && self.people.is_none()
    }

    /// The moves of the best line.
    pub(super) fn best_line(&self) -> &[Move] {
        self.lines.first().map_or(&[], |line| &line.pv)
    }

    /// With the lines of a search for several. The best line stays, unless that search has proven a better one: the other
    /// lines are those that begin with other moves, and count at most as much as it, for they were searched for less long.
    pub(super) fn widened(mut self, wide: Found) -> Found {
        let best = self
            .lines
            .first()
            .filter(|best| wide.lines.first().is_none_or(|first| !first.score.is_win() || first.score <= best.score));
        self.lines = match best.cloned() {
            Some(best) => {
                let others = wide.lines.into_iter().filter(|line| line.pv.first() != best.pv.first());
                let others: Vec<_> = others.map(|line| line.at_most(&best)).collect();
                [vec![best], others].concat()
            }
            None => wide.lines,
        };
        self.nodes += wide.nodes;
        self.is_wide = true;
        self
    }
}

/// What a running search says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchProgress {
    /// Depth of the iteration, plies.
    pub depth: usize,
    /// Nodes so far.
    pub nodes: u64,
    /// The best line, if it is new.
    pub line: Option<FoundLine>,
    /// All lines, best first, if the last of them is new; otherwise none.
    pub lines: Vec<FoundLine>,
}

/// Sees what a running search says, at each best line, when the last line is new, and about every second, and may stop it.
pub type Watch<'a> = dyn FnMut(&SearchProgress) -> ControlFlow<()> + 'a;

/// A search was stopped by who watched it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the search was stopped")]
pub struct Stopped;

/// An engine with one thread, that of the caller. It needs [`STACK_BYTES`](crate::search::STACK_BYTES) of stack.
pub struct Searcher {
    pool: Pool,
    /// For moves that people play.
    valuer: Valuer,
    options: SearchOptions,
    signals: Arc<Signals>,
}

impl fmt::Debug for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Searcher {
    /// An engine that knows nothing yet.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the memory for its table cannot be had.
    pub fn new(options: &SearchOptions) -> Result<Searcher, OutOfMemory> {
        let mut pool = Pool::new(Weights::shipped(), options.hash_mib, 1)?;
        pool.set_syzygy(options.tables.clone());
        let valuer = Valuer::new()?;
        Ok(Searcher { pool, valuer, options: options.clone(), signals: Signals::new() })
    }

    /// New signals, which stop the next search, or the running one, from any thread. A search that was stopped takes them
    /// with it.
    pub fn signals(&mut self) -> Arc<Signals> {
        self.signals = Signals::new();
        Arc::clone(&self.signals)
    }

    /// Forgets earlier searches.
    pub fn clear(&mut self) {
        self.pool.clear();
    }

    /// Searches the last position of a game by the usual limits.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `watch` or the [`signals`](Searcher::signals) break it off.
    pub fn search(&mut self, game: &GameHistory, watch: &mut Watch<'_>) -> Result<Found, Stopped> {
        let limits = self.options.limits();
        self.search_with(game, &limits, self.options.multi_pv, watch)
    }

    /// Searches it once more, after so many looks, with a multiple of the usual limits.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `watch` breaks it off.
    pub(super) fn look_again(
        &mut self,
        game: &GameHistory,
        looks: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Found, Stopped> {
        let (times, deeper) = (LOOKS.get(looks).copied().unwrap_or(1), DEEPER.get(looks).copied().unwrap_or(0));
        let found = self.search_with(game, &self.limits(times, deeper), self.options.multi_pv, watch)?;
        Ok(Found { looks: looks + 1, ..found })
    }

    /// Searches it for several lines.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `watch` breaks it off.
    pub(super) fn look_wide(&mut self, game: &GameHistory, watch: &mut Watch<'_>) -> Result<Found, Stopped> {
        let lines = WIDE_LINES.max(self.options.multi_pv);
        let found = self.search_with(game, &self.limits(WIDE_LOOK, 0), lines, watch)?;
        Ok(Found { is_wide: true, ..found })
    }

    /// Runs work that values moves.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if the [`signals`](Searcher::signals) break it off.
    pub(super) fn value_moves<T>(&mut self, work: impl FnOnce(&mut Valuer, &Signals) -> T) -> Result<T, Stopped> {
        let signals = Arc::clone(&self.signals);
        let result = work(&mut self.valuer, &signals);
        if signals.is_stopped() {
            self.signals = Signals::new();
            return Err(Stopped);
        }
        Ok(result)
    }

    /// A multiple of the usual limits, and of depth so many plies more.
    fn limits(&self, times: u64, deeper: usize) -> Limits {
        let usual = self.options.limits();
        Limits {
            nodes: usual.nodes.map(|nodes| nodes.saturating_mul(times)),
            move_time: usual.move_time.map(|time| time.saturating_mul(times as u32)),
            depth: usual.depth.map(|depth| depth.saturating_add(deeper)),
            ..usual
        }
    }

    /// Searches by other limits.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `watch` or the [`signals`](Searcher::signals) break it off.
    pub fn search_with(
        &mut self,
        game: &GameHistory,
        limits: &Limits,
        multi_pv: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Found, Stopped> {
        let settings = Settings { multi_pv, move_overhead: Duration::ZERO, ..Settings::default() };
        let signals = Arc::clone(&self.signals);
        let mut lines: Vec<FoundLine> = Vec::new();
        let count = multi_pv.min(game.position().legal_moves().len());
        let answer = self.pool.search(game, limits, &settings, &signals, &mut |event| {
            let mut tell = |progress: &SearchProgress| {
                if watch(progress).is_break() {
                    signals.stop();
                }
            };
            match event {
                Event::Progress { depth, nodes, .. } => {
                    tell(&SearchProgress { depth, nodes, ..SearchProgress::default() });
                }
                Event::Report(report) => {
                    let line = FoundLine {
                        score: report.score,
                        from_tables: report.from_syzygy,
                        depth: report.depth,
                        nodes: report.nodes_of_one_thread(),
                        pv: report.pv.to_vec(),
                    };
                    let first = (report.line == 1).then(|| line.clone());
                    // Lines are reported from the first on, so that none is left out.
                    match lines.get_mut(report.line - 1) {
                        Some(place) => *place = line,
                        None => lines.push(line),
                    }
                    let is_last = report.line == count;
                    if first.is_some() || is_last {
                        let all = if is_last { lines.clone() } else { Vec::new() };
                        tell(&SearchProgress { depth: report.depth, nodes: report.nodes, line: first, lines: all });
                    }
                }
                Event::CurrentMove { .. } => {}
            }
        });
        if signals.is_stopped() {
            self.signals = Signals::new();
            return Err(Stopped);
        }
        // A last iteration that was broken off may have moved another line to the front; it is reported once more.
        if let Some(first) = lines.first().and_then(|line| line.pv.first().copied()) {
            let mut index = 0;
            lines.retain(|line| {
                index += 1;
                index == 1 || line.pv.first() != Some(&first)
            });
        }
        Ok(Found { lines, nodes: answer.nodes, looks: 1, ..Found::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn lines_of_several_searches_are_in_order() {
        let found = |lines: &[(&str, Score)]| {
            let line = |&(m, score): &(&str, Score)| {
                let pv = vec![Position::default().parse_move(m).unwrap()];
                FoundLine { score, from_tables: false, depth: 9, nodes: 1, pv }
            };
            Found { lines: lines.iter().map(line).collect(), looks: 2, ..Found::default() }
        };
        let score = |wilo| Score::heuristic(wilo, 0);
        let deep = found(&[("e2e4", score(20)), ("a2a3", score(0))]);
        for (wide, expected) in [
            // The deeper search knows the best line better.
            (
                &[("d2d4", score(50)), ("e2e4", score(40)), ("c2c4", score(10))][..],
                &[("e2e4", score(20)), ("d2d4", score(20)), ("c2c4", score(10))][..],
            ),
            (&[("e2e4", score(40)), ("d2d4", score(30))], &[("e2e4", score(20)), ("d2d4", score(20))]),
            (&[("e2e4", score(-9)), ("d2d4", score(-10))], &[("e2e4", score(20)), ("d2d4", score(-10))]),
            // What is proven it cannot know better.
            (&[("d2d4", Score::mate_in(3)), ("e2e4", score(40))], &[("d2d4", Score::mate_in(3)), ("e2e4", score(40))]),
            (&[], &[("e2e4", score(20))]),
        ] {
            let all = deep.clone().widened(found(wide));
            assert_eq!(all.lines, found(expected).lines, "{wide:?}");
            assert!(all.is_wide && all.looks == 2);
        }
        let won = found(&[("e2e4", Score::mate_in(3))]);
        let slower = found(&[("d2d4", Score::mate_in(5))]);
        assert_eq!(won.clone().widened(slower).lines[0], won.lines[0]);
    }
}
