//! The pool of threads: Lazy SMP. Each thread searches the root for itself, and they share the transposition table.

use super::events::{Answer, Event};
use super::limits::{Limits, Settings, Spent, Stopwatch};
#[cfg(any(test, feature = "spsa"))]
use super::params::SearchParams;
use super::params::{Constants, Reductions};
use super::shared::{NodeCounter, PieceGains, Shared};
use super::signals::Signals;
use super::system_memory::available_memory;
use super::syzygy::Syzygy;
use super::thread_data::ThreadData;
use super::tt::{OutOfMemory, TranspositionTable};
use super::voting::Vote;
use super::worker::Worker;
use crate::eval::{Contempt, Weights, prepare_endings};
use crate::position::{FIFTY_MOVES, GameHistory, Move};
use crate::tablebase::Tables;
use crate::wdl::contempt::ContemptScale;
use crate::wdl::score::Score;
use rayon_core::{ThreadPool, ThreadPoolBuilder};
use shakmaty::Role;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Most threads that may be asked for.
pub const MAX_THREADS: usize = 256;

/// Share of the time for a move that missing distances of endgame tables get at most: one in so many.
const TABLES_SHARE: u32 = 2;

/// Nodes that tell whether to play on where a draw may be claimed.
const CLAIM_NODES: u64 = 2000;
/// Least score, centipawns, for which that is done.
const CLAIM_SCORE_CP: i32 = 100;

/// Stack that a thread needs for [`Pool::search`]: a node's move lists take some kilobytes.
pub const STACK_BYTES: usize = 16 << 20;

/// Everything that lives from search to search: parameters, the transposition table, and the data of each thread.
pub struct Pool {
    weights: Arc<Weights>,
    constants: Constants,
    reductions: Reductions,
    tt: TranspositionTable,
    thread_data: Vec<ThreadData>,
    /// The threads but for the first, which is that of the caller. They are kept from search to search, since a new thread
    /// may share a processor with the one that starts it for ten milliseconds.
    helpers: Option<ThreadPool>,
    syzygy: Option<Arc<Tables>>,
    contempt_scale: ContemptScale,
    /// That of the last search, see [`Settings::contempt`].
    contempt: i16,
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("threads", &self.thread_data.len()).finish_non_exhaustive()
    }
}

impl Pool {
    /// A pool that knows nothing of earlier searches.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the memory of the transposition table or of the threads cannot be had.
    pub fn new(weights: Arc<Weights>, hash_mib: usize, threads: usize) -> Result<Pool, OutOfMemory> {
        Pool::with_constants(weights, Constants::default(), hash_mib, threads)
    }

    /// A pool of its own with the same weights and constants.
    ///
    /// # Errors
    ///
    /// As for [`Pool::new`].
    pub fn like(&self, hash_mib: usize, threads: usize) -> Result<Pool, OutOfMemory> {
        Pool::with_constants(Arc::clone(&self.weights), self.constants.clone(), hash_mib, threads)
    }

    fn with_constants(
        weights: Arc<Weights>,
        constants: Constants,
        hash_mib: usize,
        threads: usize,
    ) -> Result<Pool, OutOfMemory> {
        // Not within a search, which may have less time than that takes.
        prepare_endings();
        let mut pool = Pool {
            weights,
            reductions: Reductions::new(constants.get()),
            tt: TranspositionTable::new(hash_mib, constants.get())?,
            constants,
            thread_data: Vec::new(),
            helpers: None,
            syzygy: None,
            contempt_scale: ContemptScale::default(),
            contempt: 0,
        };
        pool.thread_data.push(ThreadData::default());
        pool.set_threads(threads)?;
        Ok(pool)
    }

    /// Searches with other constants from now on; forgets everything that the old ones found.
    #[cfg(any(test, feature = "spsa"))]
    pub fn set_params(&mut self, params: SearchParams) {
        self.reductions = Reductions::new(&params);
        self.tt.set_params(&params);
        self.constants.set(params);
        self.clear();
    }

    /// Replaces the transposition table by an empty one of another size.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the memory cannot be had; the size stays.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), OutOfMemory> {
        self.tt.resize(mib)
    }

    /// Takes another scale of contempt from now on; forgets everything that the old one found.
    pub fn set_contempt_scale(&mut self, scale: ContemptScale) {
        self.contempt_scale = scale;
        self.clear();
    }

    /// Uses other endgame tables from now on, or none; forgets everything that came from the old ones.
    pub fn set_syzygy(&mut self, tables: Option<Arc<Tables>>) {
        self.syzygy = tables;
        self.clear();
    }

    /// What a rating advantage is worth.
    #[must_use]
    pub fn contempt_scale(&self) -> &ContemptScale {
        &self.contempt_scale
    }

    /// The constants of the search.
    #[must_use]
    #[cfg(any(test, feature = "spsa"))]
    pub fn params(&self) -> &SearchParams {
        self.constants.get()
    }

    /// Sets the number of threads, 1 to [`MAX_THREADS`].
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is no memory for their data or their stacks; the number stays.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), OutOfMemory> {
        let threads = threads.clamp(1, MAX_THREADS);
        let now = self.thread_data.len();
        let more = threads.saturating_sub(now);
        // The first thread is always there.
        if threads > 1 && available_memory().is_some_and(|bytes| more * ThreadData::BYTES > bytes) {
            return Err(OutOfMemory { mib: (more * ThreadData::BYTES) >> 20, purpose: "the data of the threads" });
        }
        if threads != now {
            self.helpers = start_helpers(threads - 1)?;
        }
        self.thread_data.resize_with(threads, ThreadData::default);
        Ok(())
    }

    /// Evaluates with other weights from now on; forgets everything that came from the old ones.
    pub fn set_weights(&mut self, weights: Arc<Weights>) {
        self.weights = weights;
        self.clear();
    }

    /// Forgets everything, as before a new game.
    pub fn clear(&mut self) {
        self.tt.clear();
        self.thread_data.iter_mut().for_each(ThreadData::clear);
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
        // A player who goes on does not claim the draw: moves are chosen as if the clock began anew, so that none is thrown
        // away.
        let is_claimable = game.position().halfmoves() >= FIFTY_MOVES;
        let game = if is_claimable { &game.without_claim() } else { game };
        let mut root_moves: Vec<Move> = game.position().legal_moves().into_iter().collect();
        let all_moves = Limits { search_moves: Vec::new(), ..limits.clone() };
        let limits = if root_moves.iter().any(|m| limits.search_moves.contains(m)) { limits } else { &all_moves };
        if !limits.search_moves.is_empty() {
            root_moves.retain(|m| limits.search_moves.contains(m));
        }
        let stopwatch = Stopwatch::start_at(limits.spent.time);
        let (winning, nodes) =
            if is_claimable { self.beyond_claim(game, &root_moves, limits, settings, signals) } else { (None, 0) };
        let spent = Spent { nodes: limits.spent.nodes + nodes, ..limits.spent };
        let limits = if nodes > 0 { &Limits { spent, ..limits.clone() } } else { limits };
        let is_claimable = is_claimable && winning.is_none();
        // Beside moves that win, all others are the draw; only several lines show them.
        let (winning, drawn) = match winning {
            Some(winning) => root_moves.iter().partition(|m| winning.contains(m)),
            None => (root_moves, Vec::new()),
        };
        let root_moves = if settings.multi_pv > 1 { [&winning[..], &drawn[..]].concat() } else { winning };
        let budget = limits.time_budget(settings, self.constants.get());
        let has_time = || budget.is_none_or(|budget| stopwatch.elapsed() < budget.soft / TABLES_SHARE);
        let may_go_on = || !signals.is_stopped() && has_time();
        let (syzygy, root_moves) = Syzygy::new(self.syzygy.as_deref(), game, root_moves, settings.syzygy, &may_go_on);
        // Tables that are to leave the fifty moves out leave out the claim, too.
        let is_by_tables = root_moves.iter().all(|ranked| ranked.score.is_some());
        let is_claimable = is_claimable && (settings.syzygy.fifty_move_rule || !is_by_tables);
        // Scores with another contempt must not come in, neither from the transposition table nor as corrections of the evaluation.
        self.tt.new_search(settings.contempt);
        if settings.contempt != self.contempt {
            self.contempt = settings.contempt;
            self.thread_data.iter_mut().for_each(|data| data.corrections.clear());
        }
        let shared = Shared {
            weights: &self.weights,
            constants: &self.constants,
            reductions: &self.reductions,
            tt: &self.tt,
            game,
            is_claimable,
            drawn: &drawn,
            root_moves: &root_moves,
            syzygy,
            limits,
            settings,
            signals,
            stopwatch,
            gains: PieceGains::new(&self.weights, self.constants.get().piece_share),
            contempt: Contempt::from_elo(i32::from(settings.contempt), &self.contempt_scale),
            counters: self.thread_data.iter().map(|_| NodeCounter::default()).collect(),
            finished: AtomicBool::new(false),
        };
        if root_moves.is_empty() {
            shared.wait();
            let score = if game.position().is_check() { Score::mated_in(0) } else { Score::DRAW };
            return Answer { best: None, ponder: None, score, nodes: limits.spent.nodes };
        }
        run(&shared, self.helpers.as_ref(), &mut self.thread_data, report)
    }

    /// The captures and pawn moves, which begin the clock anew, if a short search finds one that is clearly better than the draw
    /// that may be claimed; and the nodes of that search. `game` is without the claim.
    fn beyond_claim(
        &mut self,
        game: &GameHistory,
        root_moves: &[Move],
        limits: &Limits,
        settings: &Settings,
        signals: &Signals,
    ) -> (Option<Vec<Move>>, u64) {
        let position = game.position();
        let begins_anew = |m: &&Move| position.is_noisy(**m) || position.moving(**m) == Role::Pawn;
        let moves: Vec<Move> = root_moves.iter().filter(begins_anew).copied().collect();
        if moves.is_empty() || limits.nodes.is_some_and(|nodes| nodes < 2 * CLAIM_NODES) {
            return (None, 0);
        }
        // The clock limits how long missing distances are computed.
        let limits = Limits {
            nodes: Some(CLAIM_NODES),
            move_time: limits.move_time,
            clock: limits.clock,
            search_moves: moves.clone(),
            ..Limits::default()
        };
        let settings = Settings { multi_pv: 1, ..settings.clone() };
        let found = self.search(game, &limits, &settings, signals, &mut |_| ());
        ((found.score.margin_cp() >= CLAIM_SCORE_CP).then_some(moves), found.nodes)
    }
}

/// Starts the threads beside the first.
fn start_helpers(count: usize) -> Result<Option<ThreadPool>, OutOfMemory> {
    if count == 0 {
        return Ok(None);
    }
    let builder = ThreadPoolBuilder::new().num_threads(count).stack_size(STACK_BYTES);
    let failed = |_| OutOfMemory { mib: (count * STACK_BYTES) >> 20, purpose: "the stacks of the threads" };
    builder.build().map(Some).map_err(failed)
}

/// Ends a search for all threads at the end of its scope, also when that is left by a panic.
struct FinishOnDrop<'a>(&'a Shared<'a>);

impl Drop for FinishOnDrop<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// Runs all workers. The first reports and keeps the time; all fill the transposition table and vote on the move.
fn run(
    shared: &Shared,
    threads: Option<&ThreadPool>,
    thread_data: &mut [ThreadData],
    report: &mut dyn FnMut(Event),
) -> Answer {
    let Some((main, helpers)) = thread_data.split_first_mut() else { unreachable!("a pool has at least one thread") };
    let mut worker = Worker::new(shared, main, 0, Some(report));
    let mut run_first = || {
        // A panic of `report` waits for the helpers.
        let _finish = FinishOnDrop(shared);
        worker.run();
        shared.wait();
    };
    let mut votes = Vec::new();
    votes.resize_with(helpers.len(), || None);
    if let Some(threads) = threads {
        threads.in_place_scope(|scope| {
            for (index, (data, vote)) in helpers.iter_mut().zip(&mut votes).enumerate() {
                scope.spawn(move |_| {
                    let mut worker = Worker::new(shared, data, index + 1, None);
                    worker.run();
                    *vote = Some(Vote::of(&worker.root));
                });
            }
            run_first();
        });
    } else {
        run_first();
    }
    let own = Vote::of(&worker.root);
    let m = own.m();
    if shared.settings.multi_pv == 1
        && let Some(elected) =
            Vote::elect([own].into_iter().chain(votes.into_iter().flatten()).collect(), shared.params())
        && elected.m() != m
    {
        elected.adopt(&mut worker.root);
    }
    worker.answer()
}
