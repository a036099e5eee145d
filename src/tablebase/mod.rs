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
pub use rank::{RankedMove, Ranking};
pub use shakmaty_syzygy::{AmbiguousWdl, Wdl};
pub use tables::{TableFault, Tables};

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

#[cfg(test)]
mod tests;
