//! The pool of workers around the shared table.

use super::limits::{Limits, Stopwatch};
use super::params::{Reductions, SearchParams};
use super::table::{HashError, Table};
use super::worker::{Memory, Vote, Worker};
use super::{Answer, Event, Settings, Signals};
use crate::clock;
use crate::eval::{Contempt, Weights, terms};
use crate::position::{GameHistory, Move};
use crate::wdl::contempt::ContemptScale;
use crate::wdl::score::Score;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// Most threads that may be asked for.
pub const MAX_THREADS: usize = 256;

/// Stack that a thread needs for [`Pool::search`]: a node's move lists take some kilobytes.
pub const STACK_BYTES: usize = 16 << 20;

/// Everything that lives from search to search: parameters, the shared table, and each thread's memory.
pub struct Pool {
    weights: Arc<Weights>,
    params: SearchParams,
    reductions: Reductions,
    table: Table,
    memories: Vec<Memory>,
    contempt_scale: ContemptScale,
    /// That of the last search, see [`Settings::contempt`].
    contempt: i16,
}

/// A node counter on a cache line of its own.
#[derive(Default)]
#[repr(align(128))]
pub struct Counter(AtomicU64);

/// What all threads of one search share.
pub struct Shared<'a> {
    pub weights: &'a Weights,
    pub params: &'a SearchParams,
    pub reductions: &'a Reductions,
    pub table: &'a Table,
    pub game: &'a GameHistory,
    pub root_moves: &'a [Move],
    pub limits: &'a Limits,
    pub settings: &'a Settings,
    pub signals: &'a Signals,
    pub stopwatch: Stopwatch,
    /// Endgame or middlegame value of each role, whichever is more, centipawns of wilo.
    pub piece_wilo: [i32; 7],
    /// White's contempt.
    pub contempt: Contempt,
    counters: Vec<Counter>,
    finished: AtomicBool,
}

impl Shared<'_> {
    /// Ends the search for all threads.
    pub fn finish(&self) {
        self.finished.store(true, Relaxed);
    }

    /// Whether a limit or a signal has ended the search.
    pub fn is_finished(&self) -> bool {
        self.finished.load(Relaxed) || self.signals.is_stopped()
    }

    /// Publishes a thread's node count.
    pub fn publish_nodes(&self, thread: usize, nodes: u64) {
        self.counters[thread].0.store(nodes, Relaxed);
    }

    /// Nodes of all threads, as far as published.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }

    /// Threads of this search.
    pub fn threads(&self) -> usize {
        self.counters.len()
    }

    /// Time that counts for the time limits; `None` while pondering.
    pub fn clock_time(&self) -> Option<Duration> {
        if self.limits.ponder { self.signals.since_ponder_hit() } else { Some(self.stopwatch.elapsed()) }
    }

    /// Whether the search must go on until it is told otherwise.
    pub fn must_wait(&self) -> bool {
        !self.signals.is_stopped() && (self.limits.infinite || self.clock_time().is_none())
    }
}

impl Pool {
    /// A pool with empty memory.
    ///
    /// # Errors
    ///
    /// [`HashError`] if the table's memory cannot be had.
    pub fn new(
        weights: Arc<Weights>,
        params: SearchParams,
        hash_mib: usize,
        threads: usize,
    ) -> Result<Pool, HashError> {
        let mut pool = Pool {
            weights,
            reductions: params.late_move_reductions(),
            table: Table::new(hash_mib)?,
            params,
            memories: Vec::new(),
            contempt_scale: ContemptScale::default(),
            contempt: 0,
        };
        pool.table.set_params(&pool.params);
        pool.set_threads(threads);
        Ok(pool)
    }

    /// Searches with other constants from now on; forgets everything that the old ones found.
    pub fn set_params(&mut self, params: SearchParams) {
        self.reductions = params.late_move_reductions();
        self.table.set_params(&params);
        self.params = params;
        self.clear();
    }

    /// Replaces the table by an empty one of another size.
    ///
    /// # Errors
    ///
    /// [`HashError`] if the memory cannot be had; the size stays.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), HashError> {
        self.table.resize(mib)
    }

    /// Takes another scale of contempt from now on; forgets everything that the old one found.
    pub fn set_contempt_scale(&mut self, scale: ContemptScale) {
        self.contempt_scale = scale;
        self.clear();
    }

    /// What a rating advantage is worth.
    #[must_use]
    pub fn contempt_scale(&self) -> &ContemptScale {
        &self.contempt_scale
    }

    /// The constants of the search.
    #[must_use]
    pub fn params(&self) -> &SearchParams {
        &self.params
    }

    /// Sets the number of threads, 1 to [`MAX_THREADS`].
    pub fn set_threads(&mut self, threads: usize) {
        self.memories.resize_with(threads.clamp(1, MAX_THREADS), Memory::default);
    }

    /// Evaluates with other weights from now on; forgets everything that came from the old ones.
    pub fn set_weights(&mut self, weights: Arc<Weights>) {
        self.weights = weights;
        self.clear();
    }

    /// Forgets everything, as before a new game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.memories.iter_mut().for_each(Memory::clear);
    }

    /// Searches the last position of a game and returns when a limit is reached, or at [`Signals::stop`].
    pub fn search(
        &mut self,
        game: &GameHistory,
        limits: &Limits,
        settings: &Settings,
        signals: &Signals,
        report: &mut dyn FnMut(Event),
    ) -> Answer {
        let legal = game.position().legal_moves();
        let root_moves: Vec<Move> =
            legal.into_iter().filter(|m| limits.search_moves.is_empty() || limits.search_moves.contains(m)).collect();
        let term = self.weights.term(&terms::MATERIAL);
        let mut piece_wilo = [0; 7];
        for (value, word) in piece_wilo[1..6].iter_mut().zip(term) {
            *value = word.wilo_mg().max(word.wilo_eg());
        }
        // Evaluation with another contempt must not come in, neither from the table nor as corrections of the evaluation.
        self.table.new_search(settings.contempt);
        if settings.contempt != self.contempt {
            self.contempt = settings.contempt;
            self.memories.iter_mut().for_each(|memory| memory.histories.forget_corrections());
        }
        let shared = Shared {
            weights: &self.weights,
            params: &self.params,
            reductions: &self.reductions,
            table: &self.table,
            game,
            root_moves: &root_moves,
            limits,
            settings,
            signals,
            stopwatch: Stopwatch::start(),
            piece_wilo,
            contempt: Contempt::from_elo(i32::from(settings.contempt), &self.contempt_scale),
            counters: self.memories.iter().map(|_| Counter::default()).collect(),
            finished: AtomicBool::new(false),
        };
        if root_moves.is_empty() {
            wait(&shared);
            let score = if game.position().is_check() { Score::mated_in(0) } else { Score::DRAW };
            return Answer { best: None, ponder: None, score, nodes: 0 };
        }
        run(&shared, &mut self.memories, report)
    }
}

/// Runs all workers: the first reports and keeps the time, the others fill the table and vote on the move.
fn run(shared: &Shared, memories: &mut [Memory], report: &mut dyn FnMut(Event)) -> Answer {
    let Some((main, helpers)) = memories.split_first_mut() else { unreachable!("a pool has at least one thread") };
    thread::scope(|scope| {
        let mut handles = Vec::new();
        for (index, memory) in helpers.iter_mut().enumerate() {
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            let work = move || {
                let mut ignore = |_: Event| ();
                let mut worker = Worker::new(shared, memory, index + 1, &mut ignore);
                worker.run();
                worker.vote()
            };
            // Without the thread the others search on.
            handles.extend(builder.spawn_scoped(scope, work));
        }
        let mut worker = Worker::new(shared, main, 0, report);
        worker.run();
        wait(shared);
        shared.finish();
        let helpers: Vec<Vote> = handles.into_iter().filter_map(|handle| handle.join().ok()).collect();
        let own = worker.vote();
        let m = own.m();
        if shared.settings.multi_pv == 1
            && let Some(elected) = Vote::elect([own].into_iter().chain(helpers).collect(), shared.params)
            && elected.m() != m
        {
            worker.adopt(elected);
        }
        worker.answer()
    })
}

/// Blocks while the search may not end yet.
fn wait(shared: &Shared) {
    while shared.must_wait() {
        clock::pause(Duration::from_millis(1));
    }
}
