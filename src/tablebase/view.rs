//! The engine's position as the tables' reader sees it.

use crate::position::{Move, MoveList, Position};
use shakmaty::{
    Bitboard, Board, ByColor, ByRole, Castles, CastlingMode, Chess, Color, Outcome, RemainingChecks, Square,
};
use shakmaty_syzygy::{Syzygy, TableType};
use std::num::NonZeroU32;

/// Tables have no positions with castling rights.
static NO_CASTLES: Castles = Castles::empty(CastlingMode::Standard);

/// A position without castling rights: the engine's own, with its moves, and shakmaty's board of the same pieces.
#[derive(Clone)]
pub struct View {
    position: Position,
    board: Board,
}

impl View {
    /// The view of a position without castling rights.
    pub fn new(position: &Position) -> View {
        debug_assert!(position.castling_rights().is_empty());
        View { position: *position, board: Board::from(position.board()) }
    }

    fn list(&self, mut moves: MoveList) -> shakmaty::MoveList {
        moves.retain(|m| self.position.is_legal(*m));
        moves.into_iter().map(|m| self.position.to_shakmaty(m)).collect()
    }
}

impl Syzygy for View {
    const TBW: TableType = <Chess as Syzygy>::TBW;
    const TBZ: TableType = <Chess as Syzygy>::TBZ;
    const ONE_KING: bool = <Chess as Syzygy>::ONE_KING;
    const CONNECTED_KINGS: bool = <Chess as Syzygy>::CONNECTED_KINGS;
    const CAPTURES_COMPULSORY: bool = <Chess as Syzygy>::CAPTURES_COMPULSORY;
    const MAX_PIECES: usize = <Chess as Syzygy>::MAX_PIECES;
}

impl shakmaty::Position for View {
    fn board(&self) -> &Board {
        &self.board
    }

    fn promoted(&self) -> Bitboard {
        Bitboard::EMPTY
    }

    fn pockets(&self) -> Option<&ByColor<ByRole<u8>>> {
        None
    }

    fn turn(&self) -> Color {
        self.position.turn()
    }

    fn castles(&self) -> &Castles {
        &NO_CASTLES
    }

    fn maybe_ep_square(&self) -> Option<Square> {
        self.position.en_passant()
    }

    fn remaining_checks(&self) -> Option<&ByColor<RemainingChecks>> {
        None
    }

    fn halfmoves(&self) -> u32 {
        self.position.halfmoves()
    }

    fn fullmoves(&self) -> NonZeroU32 {
        NonZeroU32::MIN.saturating_add(self.position.fullmoves().saturating_sub(1))
    }

    fn legal_moves(&self) -> shakmaty::MoveList {
        self.list(self.position.pseudo_legal_moves())
    }

    fn capture_moves(&self) -> shakmaty::MoveList {
        let mut moves = MoveList::new();
        self.position.generate_noisy(&mut moves);
        moves.retain(|m: &mut Move| self.position.captured(*m).is_some());
        self.list(moves)
    }

    fn is_variant_end(&self) -> bool {
        false
    }

    fn has_insufficient_material(&self, color: Color) -> bool {
        self.board.by_color(color).count() == 1 || self.position.is_insufficient_material()
    }

    fn variant_outcome(&self) -> Outcome {
        Outcome::Unknown
    }

    fn play_unchecked(&mut self, m: shakmaty::Move) {
        *self = View::new(&self.position.play(Position::from_shakmaty(m)));
    }
}
