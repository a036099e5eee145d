//! What the tables say of the moves of a position.

use crate::position::Move;
use crate::wdl::score::Score;

/// A move with what the tables say of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedMove {
    /// The move.
    pub m: Move,
    /// Higher is better. The search never prefers a move of a lower rank.
    pub rank: i32,
    /// Its score with best play; `None` if the tables do not know it.
    pub score: Option<Score>,
}

impl RankedMove {
    /// A move of which the tables say nothing.
    #[must_use]
    pub fn unknown(m: Move) -> RankedMove {
        RankedMove { m, rank: 0, score: None }
    }
}

/// The moves of a position with what the tables say of them.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// In the order in which they were given.
    pub moves: Vec<RankedMove>,
    /// Whether distances are known, so that progress is certain and the search needs no tables. Without, it does.
    pub by_distance: bool,
}
