//! What all legal moves are worth to searches of several depths.

use crate::eval::Weights;
use crate::position::{GameHistory, Move};
use crate::search::{Event, Limits, OutOfMemory, Pool, Settings, Signals, Stopwatch};
use crate::tablebase::{ProbeSettings, Tables};
use crate::wdl::score::Score;
use arrayvec::ArrayVec;
use std::sync::Arc;
use std::time::Duration;

/// Depths at which moves are valued, plies.
pub const DEPTHS: [usize; 6] = [1, 2, 3, 4, 6, 8];

/// The searches: up to which depth, for how many of the best moves so far. What falls behind early is not searched deeper.
const STAGES: [(usize, usize); 3] = [(4, usize::MAX), (6, 12), (8, 5)];
/// Most nodes of each search; it is rarely reached.
const STAGE_NODES: u64 = 150_000;
/// Transposition table, MiB. It is emptied for each position, so that a value does not depend on what was searched before.
const HASH_MIB: usize = 1;

/// What a move is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveValues {
    /// The move.
    pub m: Move,
    /// Scores for the side to move at the first of [`DEPTHS`], as far as the move was searched.
    pub scores: ArrayVec<Score, { DEPTHS.len() }>,
}

impl MoveValues {
    /// Depth of the deepest search of the move, plies; 0 if there is none.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.scores.len().checked_sub(1).map_or(0, |last| DEPTHS[last])
    }
}

/// What a valuation may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Largest depth, plies.
    pub depth: Option<usize>,
    /// Most nodes.
    pub nodes: Option<u64>,
    /// Most time, all of which is used: an overhead is to be taken off before.
    pub time: Option<Duration>,
}

/// Values moves with searches of its own, apart from those that play.
pub struct Valuer {
    pool: Pool,
    /// How endgame tables are asked.
    syzygy: ProbeSettings,
    /// Nodes of the last valuation.
    nodes: u64,
}

impl Valuer {
    /// A valuer without endgame tables. It evaluates by the terms alone, as the model of people's moves was fitted.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the memory of its searches cannot be had.
    pub fn new() -> Result<Valuer, OutOfMemory> {
        let pool = Pool::new(Weights::terms(), HASH_MIB, 1)?;
        Ok(Valuer { pool, syzygy: ProbeSettings::default(), nodes: 0 })
    }

    /// Uses other endgame tables from now on, or none.
    pub fn set_syzygy(&mut self, tables: Option<Arc<Tables>>) {
        self.pool.set_syzygy(tables);
    }

    /// Asks them so from now on.
    pub fn set_probe_settings(&mut self, settings: ProbeSettings) {
        self.syzygy = settings;
    }

    /// Nodes of the last valuation.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// All legal moves with their values, the best of the deepest search first. A move that `effort` or `signals` cut off has
    /// fewer scores, but one at least.
    pub fn values(&mut self, game: &GameHistory, effort: Effort, signals: &Signals) -> Vec<MoveValues> {
        self.pool.clear();
        self.nodes = 0;
        let stopwatch = Stopwatch::start();
        let legal = game.position().legal_moves();
        let mut moves: Vec<_> = legal.into_iter().map(|m| MoveValues { m, scores: ArrayVec::new() }).collect();
        for (depth, count) in STAGES {
            let count = count.min(moves.len());
            let left = Effort {
                depth: Some(effort.depth.map_or(depth, |most| most.min(depth))),
                nodes: Some(effort.nodes.map_or(STAGE_NODES, |most| most.saturating_sub(self.nodes).min(STAGE_NODES))),
                time: effort.time.map(|most| most.saturating_sub(stopwatch.elapsed())),
            };
            // The first search values all moves, however little time there is.
            let is_over = self.nodes > 0 && (left.nodes == Some(0) || left.time == Some(Duration::ZERO));
            if is_over || !self.search(game, &mut moves[..count], left, signals) {
                break;
            }
        }
        moves
    }

    /// Searches these moves, adds their scores, and puts the best first. False if the search was cut off.
    fn search(&mut self, game: &GameHistory, moves: &mut [MoveValues], effort: Effort, signals: &Signals) -> bool {
        let limits = Limits {
            depth: effort.depth,
            nodes: effort.nodes,
            move_time: effort.time,
            search_moves: moves.iter().map(|values| values.m).collect(),
            ..Limits::default()
        };
        let settings = Settings {
            multi_pv: moves.len().max(1),
            move_overhead: Duration::ZERO,
            syzygy: self.syzygy,
            ..Settings::default()
        };
        let mut found = vec![[None; DEPTHS.len()]; moves.len()];
        let answer = self.pool.search(game, &limits, &settings, signals, &mut |event| {
            if let Event::Report(report) = event
                && let Some(at) = DEPTHS.iter().position(|&depth| depth == report.depth)
                && let Some(index) = moves.iter().position(|values| report.pv.first() == Some(&values.m))
            {
                found[index][at] = Some(report.score);
            }
        });
        self.nodes += answer.nodes;
        let known = moves.first().map_or(0, |values| values.scores.len());
        let wanted = DEPTHS.iter().filter(|&&of| effort.depth.is_none_or(|depth| of <= depth)).count();
        // A search that was cut off reports a part of the moves.
        let is_known = |&at: &usize| found.iter().all(|scores| scores[at].is_some());
        let searched = (known..wanted).take_while(is_known).count();
        for at in known..known + searched {
            moves.iter_mut().zip(&found).for_each(|(values, scores)| values.scores.extend(scores[at]));
        }
        moves.sort_by_key(|values| std::cmp::Reverse(values.scores.last().copied()));
        !moves.is_empty() && known + searched >= wanted
    }
}
