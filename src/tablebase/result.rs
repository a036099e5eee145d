//! Results of positions.

/// The result of a position with best play right after a capture or a pawn move, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TableResult {
    /// A loss.
    Loss,
    /// A loss that the fifty-move rule turns into a draw.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the fifty-move rule turns into a draw.
    CursedWin,
    /// A win.
    Win,
}

#[cfg(feature = "syzygy")]
impl TableResult {
    /// What the reader of the tables says.
    pub(super) fn of(wdl: shakmaty_syzygy::Wdl) -> TableResult {
        use shakmaty_syzygy::Wdl;
        match wdl {
            Wdl::Loss => TableResult::Loss,
            Wdl::BlessedLoss => TableResult::BlessedLoss,
            Wdl::Draw => TableResult::Draw,
            Wdl::CursedWin => TableResult::CursedWin,
            Wdl::Win => TableResult::Win,
        }
    }
}
