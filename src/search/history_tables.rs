//! The tables of the histories: one type each, with its index and its limit.

use super::gravity::{update_within, zeroed};
use crate::position::{Move, Position, Threats};
use shakmaty::{Color, Role, Square};

/// Piece and target square of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    /// Roles, colours and squares.
    pub const COUNT: usize = 6 * 2 * 64;

    /// Of a piece that goes to a square.
    #[inline]
    #[must_use]
    pub fn new(color: Color, role: Role, to: Square) -> PieceTo {
        PieceTo((role as u16 - 1) << 7 | u16::from(color.is_black()) << 6 | to as u16)
    }

    /// Of a move of the side to move.
    #[inline]
    #[must_use]
    pub fn of(position: &Position, m: Move) -> PieceTo {
        PieceTo::new(position.turn(), position.moving(m), m.to())
    }

    /// Below [`PieceTo::COUNT`].
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An earlier move, as continuation histories tell it: piece and target, whether its side was in check, whether it captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EarlierMove(u16);

impl EarlierMove {
    /// Moves of four kinds.
    pub const COUNT: usize = 4 * PieceTo::COUNT;

    /// The null move, or no move: a white pawn never goes to a1.
    pub const NONE: EarlierMove = EarlierMove(0);

    /// Of a move of the side to move.
    #[inline]
    #[must_use]
    pub fn of(position: &Position, m: Move) -> EarlierMove {
        let kind = usize::from(position.is_check()) << 1 | usize::from(position.captured(m).is_some());
        EarlierMove((kind * PieceTo::COUNT + PieceTo::of(position, m).index()) as u16)
    }

    /// Below [`EarlierMove::COUNT`].
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Piece and target.
    #[inline]
    #[must_use]
    pub fn piece_to(self) -> PieceTo {
        PieceTo(self.0 % PieceTo::COUNT as u16)
    }
}

/// How well quiet moves did. Index: side to move; origin, target, and whether the other side attacks each of them.
pub struct ButterflyHistory(Box<[ButterflySide; 2]>);

/// Butterfly history of one side; its index is [`ButterflyHistory::index`].
pub type ButterflySide = [i16; 1 << 14];

impl ButterflyHistory {
    /// Largest value.
    const LIMIT: i32 = 7183;

    /// Place of a quiet move; the moves of a piece stand together.
    #[inline(always)]
    #[must_use]
    pub fn index(from: Square, to: Square, from_is_attacked: bool, to_is_attacked: bool) -> usize {
        (from as usize) << 6 | to as usize | usize::from(from_is_attacked) << 12 | usize::from(to_is_attacked) << 13
    }

    /// Place of a quiet move against the threats of the other side.
    #[inline]
    #[must_use]
    pub fn index_of(m: Move, threats: &Threats) -> usize {
        ButterflyHistory::index(m.from(), m.to(), threats.all.contains(m.from()), threats.all.contains(m.to()))
    }

    /// The moves of one side.
    #[inline]
    #[must_use]
    pub fn side(&self, turn: Color) -> &ButterflySide {
        &self.0[turn as usize]
    }

    /// Adds a bonus, or with a negative amount a malus.
    #[inline]
    pub fn update(&mut self, turn: Color, index: usize, bonus: i32) {
        update_within::<{ ButterflyHistory::LIMIT }>(&mut self.0[turn as usize][index], bonus);
    }
}

/// How well quiet moves did after an earlier move. Index: the earlier move; piece and target.
pub struct ContinuationHistory(Box<[ContinuationRow; EarlierMove::COUNT]>);

/// Continuation history after one earlier move.
pub type ContinuationRow = [i16; PieceTo::COUNT];

impl ContinuationHistory {
    /// Its size.
    pub const BYTES: usize = EarlierMove::COUNT * size_of::<ContinuationRow>();

    /// Largest value.
    const LIMIT: i32 = 29_952;

    /// The moves after an earlier one.
    #[inline]
    #[must_use]
    pub fn after(&self, earlier: EarlierMove) -> &ContinuationRow {
        &self.0[earlier.index()]
    }

    /// Adds a bonus, or with a negative amount a malus.
    #[inline]
    pub fn update(&mut self, earlier: EarlierMove, m: PieceTo, bonus: i32) {
        update_within::<{ ContinuationHistory::LIMIT }>(&mut self.0[earlier.index()][m.index()], bonus);
    }
}

/// How well captures and promotions did. Index: piece and target; captured role, 0 for none.
pub struct CaptureHistory(Box<[[i16; 6]; PieceTo::COUNT]>);

impl CaptureHistory {
    /// Largest value.
    const LIMIT: i32 = 10_692;

    /// How well a move did.
    #[inline]
    #[must_use]
    pub fn get(&self, position: &Position, m: Move) -> i32 {
        i32::from(self.0[PieceTo::of(position, m).index()][CaptureHistory::victim(position, m)])
    }

    /// Adds a bonus, or with a negative amount a malus.
    #[inline]
    pub fn update(&mut self, position: &Position, m: Move, bonus: i32) {
        let entry = &mut self.0[PieceTo::of(position, m).index()][CaptureHistory::victim(position, m)];
        update_within::<{ CaptureHistory::LIMIT }>(entry, bonus);
    }

    fn victim(position: &Position, m: Move) -> usize {
        position.captured(m).map_or(0, |role| role as usize) % 6
    }
}

/// Counter moves: the quiet move that last refuted a move. Index: piece and target of the refuted move.
pub struct CounterMoves(Box<[Move; PieceTo::COUNT]>);

impl CounterMoves {
    /// The counter move; none if there was none.
    #[inline]
    #[must_use]
    pub fn get(&self, refuted: PieceTo) -> Move {
        self.0[refuted.index()]
    }

    /// Keeps a counter move.
    #[inline]
    pub fn set(&mut self, refuted: PieceTo, m: Move) {
        self.0[refuted.index()] = m;
    }
}

impl Default for ButterflyHistory {
    fn default() -> ButterflyHistory {
        ButterflyHistory(zeroed())
    }
}

impl Default for ContinuationHistory {
    fn default() -> ContinuationHistory {
        ContinuationHistory(zeroed())
    }
}

impl Default for CaptureHistory {
    fn default() -> CaptureHistory {
        CaptureHistory(zeroed())
    }
}

impl Default for CounterMoves {
    fn default() -> CounterMoves {
        CounterMoves(Box::new([Move::NONE; PieceTo::COUNT]))
    }
}
