//! Syzygy tablebases: exact results of positions with few pieces.
//!
//! | item | is |
//! |---|---|
//! | [`Tables`] | the files, the look-ups, and what is wrong with them |
//! | [`Tables::rank`] | the moves of a position in the order of the tables |
//! | [`listing()`] | the same as text |
//!
//! Without the feature `syzygy` no tables are found.
//!
//! WDL tables say who wins right after a capture or a pawn move, DTZ tables in how many plies the next such move comes
//! with best play; where a DTZ table of up to four pieces is missing, its distances are computed. A *cursed win* is one that
//! the fifty-move rule turns into a draw, a *blessed loss* the other side of it.
//!
//! ```
//! # #[cfg(feature = "syzygy")] {
//! use halfpoint::position::Position;
//! use halfpoint::tablebase::Tables;
//! use shakmaty::KnownOutcome;
//!
//! let tables = Tables::open("tests/data/syzygy".as_ref());
//! let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", false).unwrap();
//! assert_eq!(tables.outcome(&position), Some(KnownOutcome::Draw));
//! assert!(tables.take_faults().is_empty());
//! # }
//! ```

#[cfg(not(feature = "syzygy"))]
mod absent;
#[cfg(feature = "syzygy")]
mod check;
#[cfg(feature = "syzygy")]
mod computed;
#[cfg(feature = "syzygy")]
mod construction;
mod fault;
#[cfg(all(feature = "syzygy", any(unix, windows)))]
mod files;
#[cfg(feature = "syzygy")]
mod listing;
#[cfg(feature = "syzygy")]
mod rank;
mod ranking;
mod result;
#[cfg(feature = "syzygy")]
mod slice;
#[cfg(feature = "syzygy")]
mod tables;
#[cfg(feature = "syzygy")]
mod view;

#[cfg(not(feature = "syzygy"))]
pub use absent::{Tables, listing};
pub use fault::TableFault;
#[cfg(feature = "syzygy")]
pub use listing::listing;
pub use ranking::{RankedMove, Ranking};
pub use result::TableResult;
#[cfg(feature = "syzygy")]
pub use tables::Tables;

/// When the search uses tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeSettings {
    /// Least remaining depth, in plies, at which positions with [`pieces`](ProbeSettings::pieces) are looked up; those with
    /// fewer always are.
    pub depth: i32,
    /// Most pieces, kings and pawns included; 0 for no use of tables.
    pub pieces: usize,
    /// Whether a win that takes more than fifty moves is a draw.
    pub fifty_move_rule: bool,
}

impl Default for ProbeSettings {
    fn default() -> ProbeSettings {
        ProbeSettings { depth: 1, pieces: 7, fifty_move_rule: true }
    }
}

#[cfg(all(test, feature = "syzygy"))]
mod tests;
