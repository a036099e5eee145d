//! Endgame tables in the search: look-ups at nodes, and the moves of the root in the order of the tables.

use super::tt_entry::Bound;
use crate::position::{GameHistory, Move, Position};
use crate::tablebase::{ProbeSettings, RankedMove, Ranking, TableResult, Tables};
use crate::wdl::score::{MAX_PLY, Score};

/// Plies of depth by which a result of the endgame tables counts for more than that of a search.
const DEPTH_BONUS: i32 = 6;

/// The endgame tables of one search.
#[derive(Clone, Copy)]
pub struct Syzygy<'a> {
    tables: Option<&'a Tables>,
    /// When nodes are looked up; their pieces are those that the tables have at most, 0 for no look-ups.
    settings: ProbeSettings,
}

impl<'a> Syzygy<'a> {
    /// The tables for a search, and the root moves as they rank them. Missing distances are computed as long as `may_go_on`
    /// says so.
    pub fn new(
        tables: Option<&'a Tables>,
        game: &GameHistory,
        moves: Vec<Move>,
        mut settings: ProbeSettings,
        may_go_on: &dyn Fn() -> bool,
    ) -> (Syzygy<'a>, Vec<RankedMove>) {
        settings.pieces = settings.pieces.min(tables.map_or(0, Tables::max_pieces));
        let ranking = tables.and_then(|tables| tables.rank(game, &moves, &settings, may_go_on));
        if let Some(Ranking { moves, by_distance }) = &ranking
            && (*by_distance || !moves.iter().any(|ranked| ranked.score.is_none_or(Score::is_win)))
        {
            // Nothing is left to find out. The search plays for mate, or for mistakes, by its own lights.
            settings.pieces = 0;
        }
        let moves =
            ranking.map_or_else(|| moves.into_iter().map(RankedMove::unknown).collect(), |ranking| ranking.moves);
        (Syzygy { tables, settings }, moves)
    }

    /// The result of a node by WDL tables, and what it is: a win is at least so good, as a mate may be nearer, and a loss
    /// at most. The distance is that of the node, so that wins come soon.
    #[inline(always)]
    pub fn probe(&self, position: &Position, depth: i32, ply: usize) -> Option<(Score, Bound)> {
        if self.reaches(position, depth) { self.look_up(position, ply) } else { None }
    }

    /// Whether a node is to be looked up.
    #[inline(always)]
    fn reaches(&self, position: &Position, depth: i32) -> bool {
        let pieces = position.board().occupied().count();
        pieces <= self.settings.pieces
            && position.halfmoves() == 0
            && (pieces < self.settings.pieces || depth >= self.settings.depth)
            && position.castling_rights().is_empty()
    }

    #[cold]
    fn look_up(&self, position: &Position, ply: usize) -> Option<(Score, Bound)> {
        let wdl = self.tables?.wdl(position)?;
        let win = Score::tablebase_win(ply);
        Some(match wdl {
            TableResult::Win => (win, Bound::Lower),
            TableResult::Loss => (-win, Bound::Upper),
            TableResult::CursedWin if !self.settings.fifty_move_rule => (win, Bound::Lower),
            TableResult::BlessedLoss if !self.settings.fifty_move_rule => (-win, Bound::Upper),
            TableResult::Draw | TableResult::CursedWin | TableResult::BlessedLoss => (Score::DRAW, Bound::Exact),
        })
    }
}

/// The depth at which the transposition table keeps a result that the endgame tables gave at `depth`.
pub fn stored_depth(depth: i32) -> i32 {
    (depth + DEPTH_BONUS).min(MAX_PLY as i32 - 1)
}
