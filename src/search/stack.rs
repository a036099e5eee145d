//! What the search keeps for each ply of the current path.

use super::histories::PieceTo;
use crate::position::Move;
use crate::wdl::score::MAX_PLY;
use arrayvec::ArrayVec;

/// Entries before that of the root: earlier moves that a node asks for.
pub const LOOK_BACK: usize = 6;
/// Entries after its own that a node touches: those of its children and of theirs.
pub const LOOK_AHEAD: usize = 2;

/// A line of moves.
pub type PvLine = ArrayVec<Move, MAX_PLY>;

/// What the search keeps for a ply.
#[derive(Clone)]
pub struct StackEntry {
    /// Corrected static evaluation for the side to move, centipawns of score; `None` in check.
    pub static_cp: Option<i32>,
    /// The move made here; none for a null move.
    pub played: Move,
    /// Place of the move made here in the butterfly history, if it is a quiet one of the main search.
    pub butterfly: Option<usize>,
    /// History of the last move here that late move reduction looked at, less what is usual.
    pub late_move_history: i32,
    /// On the principal variation now or, by the table, before.
    pub was_pv: bool,
    /// Whether the table knew the position.
    pub is_known: bool,
    /// Piece and target of the move made here.
    pub piece_to: PieceTo,
    /// Killer moves: quiet moves that refuted sibling nodes, the last one first.
    pub killers: [Move; 2],
    /// Move that a singular search leaves out; none otherwise.
    pub excluded: Move,
    /// Extensions by two plies on the path to here.
    pub double_extensions: i32,
    /// Number of the move made here among those of its node, from 1.
    pub move_count: usize,
    /// Beta cutoffs of the nodes at this ply below the present node two plies above.
    pub cutoffs: i32,
    /// Principal variation from here.
    pub pv: PvLine,
}

impl Default for StackEntry {
    fn default() -> StackEntry {
        StackEntry {
            static_cp: None,
            played: Move::NONE,
            butterfly: None,
            late_move_history: 0,
            was_pv: false,
            is_known: false,
            piece_to: PieceTo::NONE,
            killers: [Move::NONE; 2],
            excluded: Move::NONE,
            double_extensions: 0,
            move_count: 0,
            cutoffs: 0,
            pv: PvLine::new(),
        }
    }
}
