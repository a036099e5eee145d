//! The search: iterative deepening alpha-beta over pairs of expected result and draw probability.
//!
//! ```
//! use halfpoint::eval::Weights;
//! use halfpoint::position::GameHistory;
//! use halfpoint::search::{Limits, Pool, Settings, Signals};
//!
//! let mut pool = Pool::new(Weights::shipped(), 1, 1).unwrap();
//! let limits = Limits { depth: Some(4), ..Limits::default() };
//! let answer = pool.search(&GameHistory::default(), &limits, &Settings::default(), &Signals::new(), &mut |_| ());
//! assert!(answer.best.is_some());
//! ```
//!
//! # Flow
//!
//! A [`Pool`] runs one worker on each thread, around the shared [`TranspositionTable`], TT for short. Each worker deepens its
//! iterations until something stops it; the first one keeps the time and reports. Then the threads vote on the move.
//!
//! ```text
//!  pool ─ iteration ─ alpha_beta ─ quiescence ─ eval
//!            │           ├─ syzygy        results of endgame tables
//!            │           ├─ picker        move ordering, by the histories
//!            │           ├─ pruning       nodes and moves that are left out
//!            │           ├─ reductions    moves that are searched less deep
//!            │           ├─ extensions    moves that are searched deeper
//!            │           └─ updates       what the histories learn
//!            └─ aspiration windows, root moves, stopping
//! ```
//!
//! # Parts of a worker
//!
//! Only what recurses takes the whole worker, `&mut self`. All other functions take the parts that they read or change:
//!
//! - `Path`: the way from the root to the current node, with an entry for each ply, and the keys of earlier positions.
//! - `Root`: the root moves with their lines, and how far the iterations are.
//! - `Control`: nodes, time, and whether the search has to end.
//!
//! Beside them stand `ThreadData`, which is kept from search to search (evaluator, histories, correction histories), the
//! `Reporter` of the first thread, and `Shared`, which no thread changes but by atomics.
//!
//! What is known of a node before its moves are searched is its `NodeInfo`, which does not change. `MoveLoop` is what does:
//! window, best move, depth, moves searched.
//!
//! # Kinds of nodes
//!
//! There is one move loop for all nodes above quiescence. The type of the node is known to the compiler:
//!
//! - **Root**: the position to move from. It searches the root moves in the order of the last iteration, keeps line and
//!   score of each, and is never pruned or cut by the TT.
//! - **PV**: another node with an open window, on the way to the principal variation. Its score can be exact.
//! - **Non-PV**: a node with a zero window, which only asks whether it is above alpha. *Cut nodes* are those of them that
//!   are expected to fail high; the others are expected to fail low.
//!
//! A *fail high* is a score at or above beta, a lower bound; a *fail low* is one at or below alpha, an upper bound.
//!
//! # Units
//!
//! Depths are plies, some reductions 1/1024 of a ply. A margin's suffix is its unit, see [`SearchParams`]: most are
//! printed centipawns, so they are the same share of the odds P / (1 − P) at any draw probability.

mod alpha_beta;
mod control;
mod correction;
mod events;
mod extensions;
mod gravity;
mod histories;
mod history_tables;
mod iteration;
mod limits;
mod node;
mod params;
mod path;
mod picker;
mod pool;
mod pruning;
mod quiescence;
mod reductions;
mod reporter;
mod root;
mod root_move;
mod scored_list;
mod shared;
mod signals;
pub(crate) mod statistics;
mod system_memory;
mod syzygy;
mod thread_data;
mod time;
mod tt;
mod tt_entry;
mod tt_memory;
mod updates;
mod voting;
mod worker;

pub use events::{Answer, Event, SearchReport};
pub use limits::{Clock, Limits, Settings, Spent, Stopwatch};
pub use params::SearchParams;
pub use pool::{MAX_THREADS, Pool, STACK_BYTES};
pub use signals::Signals;
pub use tt::{DEFAULT_HASH_MIB, MAX_HASH_MIB, OutOfMemory, TranspositionTable};
pub use tt_entry::{Bound, TtEntry};

#[cfg(test)]
mod tests;
