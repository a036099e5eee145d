//! Endgame tables in the search: look-ups at nodes, and the moves of the root in the order of the tables.

use super::root_move::RootMove;
use super::tt::{Bound, TtEntry};
use super::worker::Worker;
use crate::position::{GameHistory, Move, Position};
use crate::tablebase::{ProbeSettings, RankedMove, Ranking, TableResult, Tables};
use crate::wdl::score::{MAX_PLY, Score};

/// Plies of depth by which a result of the tables counts for more than that of a search.
const TABLE_DEPTH: i32 = 6;

/// The tables of one search.
#[derive(Clone, Copy)]
pub struct SearchTables<'a> {
    tables: Option<&'a Tables>,
    /// When nodes are looked up; their pieces are those that the tables have at most, 0 for no look-ups.
    settings: ProbeSettings,
}

impl<'a> SearchTables<'a> {
    /// The tables for a search, and the root moves as they rank them.
    pub fn new(
        tables: Option<&'a Tables>,
        game: &GameHistory,
        moves: Vec<Move>,
        mut settings: ProbeSettings,
    ) -> (SearchTables<'a>, Vec<RankedMove>) {
        settings.pieces = settings.pieces.min(tables.map_or(0, Tables::max_pieces));
        let ranking = tables.and_then(|tables| tables.rank(game, &moves, &settings));
        if let Some(Ranking { moves, by_distance }) = &ranking
            && (*by_distance || !moves.iter().any(|ranked| ranked.score.is_some_and(Score::is_win)))
        {
            // Nothing is left to find out. The search plays for mate, or for mistakes, by its own lights.
            settings.pieces = 0;
        }
        let moves =
            ranking.map_or_else(|| moves.into_iter().map(RankedMove::unknown).collect(), |ranking| ranking.moves);
        (SearchTables { tables, settings }, moves)
    }

    /// Whether a node is to be looked up.
    #[inline(always)]
    fn reach(&self, position: &Position, depth: i32) -> bool {
        let pieces = position.board().occupied().count();
        pieces <= self.settings.pieces
            && position.halfmoves() == 0
            && (pieces < self.settings.pieces || depth >= self.settings.depth)
            && position.castling_rights().is_empty()
    }
}

impl Worker<'_> {
    /// The result of a node by WDL tables, and what it is: a win is at least so good, as a mate may be nearer, and a loss
    /// at most. The distance is that of the node, so that wins come soon.
    #[inline(always)]
    pub fn probe_tables(&mut self, position: &Position, depth: i32, ply: usize) -> Option<(Score, Bound)> {
        if self.shared.tables.reach(position, depth) { self.look_up(position, ply) } else { None }
    }

    #[cold]
    fn look_up(&mut self, position: &Position, ply: usize) -> Option<(Score, Bound)> {
        let SearchTables { tables, settings } = self.shared.tables;
        let wdl = tables?.wdl(position)?;
        self.table_hits += 1;
        let win = Score::tablebase_win(ply);
        Some(match wdl {
            TableResult::Win => (win, Bound::Lower),
            TableResult::Loss => (-win, Bound::Upper),
            TableResult::CursedWin if !settings.fifty_move_rule => (win, Bound::Lower),
            TableResult::BlessedLoss if !settings.fifty_move_rule => (-win, Bound::Upper),
            TableResult::Draw | TableResult::CursedWin | TableResult::BlessedLoss => (Score::DRAW, Bound::Exact),
        })
    }

    /// Keeps a result of the tables in the transposition table.
    pub fn store_table_result(&mut self, position: &Position, ply: usize, entry: TtEntry) {
        let depth = (entry.depth + TABLE_DEPTH).min(MAX_PLY as i32 - 1);
        self.shared.tt.store(position.table_key(), ply, TtEntry { depth, ..entry });
    }
}

impl RootMove {
    /// The score to report, and whether it is that of the tables: a mate or a table win that the search has found is nearer.
    pub fn table_score(&self, found: Score) -> Option<Score> {
        let table = self.ranked.score?;
        let nearer = table.is_win() && found.is_win() || table.is_loss() && found.is_loss();
        (!nearer).then_some(table)
    }
}
