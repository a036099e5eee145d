//! Syzygy tablebases: exact results of positions with few pieces.
//!
//! | module | holds |
//! |---|---|
//! | [`tables`] | the files, the look-ups, and what is wrong with them |
//! | [`rank`] | the moves of a position in the order of the tables |
//! | [`listing()`] | the same as text |
//!
//! WDL tables say who wins right after a capture or a pawn move, DTZ tables in how many plies the next such move comes
//! with best play. A *cursed win* is one that the fifty-move rule turns into a draw, a *blessed loss* the other side of it.
//!
//! ```
//! use halfpoint::position::Position;
//! use halfpoint::tablebase::Tables;
//! use shakmaty::KnownOutcome;
//!
//! let tables = Tables::open("tests/data/syzygy".as_ref());
//! let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", false).unwrap();
//! assert_eq!(tables.outcome(&position), Some(KnownOutcome::Draw));
//! assert!(tables.take_faults().is_empty());
//! ```

mod check;
mod listing;
pub mod rank;
pub mod tables;
mod view;

pub use listing::listing;
pub use rank::{ProbeSettings, RankedMove, Ranking};
pub use shakmaty_syzygy::{AmbiguousWdl, Wdl};
pub use tables::{TableFault, Tables};

#[cfg(test)]
mod tests;
