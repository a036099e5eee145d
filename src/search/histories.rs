//! Histories: how well moves did elsewhere in the tree, for move ordering, reductions and pruning.

use super::gravity::{update_with_gravity, zeroed};
use super::params::{ONCE, SearchParams};
use crate::position::{Move, Position};
use shakmaty::{Bitboard, Color, Role, Square};
use std::ops::Neg;

/// Piece and target square of a move: what continuation histories are indexed by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    /// The null move's place; no piece ever goes there.
    pub const NONE: PieceTo = PieceTo(0);

    /// Of a piece that goes to a square.
    #[inline]
    #[must_use]
    pub fn new(color: Color, role: Role, to: Square) -> PieceTo {
        PieceTo((role as u16) << 7 | (color as u16) << 6 | to as u16)
    }

    /// Of a move of the side to move.
    #[inline]
    #[must_use]
    pub fn of(position: &Position, m: Move) -> PieceTo {
        PieceTo::new(position.turn(), position.moving(m), m.to())
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize % PIECE_TO
    }
}

/// Pieces and targets of the moves one, two, four and six plies ago.
pub type EarlierMoves = [PieceTo; 4];

/// What the histories of quiet moves are looked up by beside the move: earlier moves and threats.
#[derive(Clone, Copy)]
pub struct OrderingContext {
    earlier: EarlierMoves,
    /// Weights of the butterfly and the continuation histories, sixty-fourths.
    weights: [i32; 5],
    /// Squares that the side not to move attacks.
    threats: Bitboard,
}

impl OrderingContext {
    /// Of a position after the given earlier moves.
    #[inline]
    #[must_use]
    pub fn new(position: &Position, earlier: EarlierMoves, params: &SearchParams) -> OrderingContext {
        let weights = [
            params.history_butterfly,
            params.history_continuation_1,
            params.history_continuation_2,
            params.history_continuation_4,
            params.history_continuation_6,
        ];
        OrderingContext { earlier, weights, threats: position.attacked_by(!position.turn()) }
    }

    /// For searches that order captures and promotions only.
    pub const NOISY: OrderingContext =
        OrderingContext { earlier: [PieceTo::NONE; 4], weights: [0; 5], threats: Bitboard::EMPTY };

    /// Place of a quiet move in the butterfly history: origin and target, and whether either is attacked.
    #[inline]
    pub fn butterfly(&self, m: Move) -> usize {
        let threatened = |square| usize::from(self.threats.contains(square));
        m.from_to() | threatened(m.from()) << 12 | threatened(m.to()) << 13
    }
}

/// Roles from 1, colours and squares; a power of two, so that an index needs no check.
const PIECE_TO: usize = 1024;

/// The move histories of one thread.
pub struct Histories {
    /// Butterfly history of quiet moves: by side to move, origin, target and threats to these.
    butterfly: Box<[[i16; BUTTERFLY]; 2]>,
    /// Continuation history of quiet moves: by piece and target of an earlier move and of the move.
    continuation: Box<[[i16; PIECE_TO]; PIECE_TO]>,
    /// Capture history: by piece, target and captured role.
    capture: Box<[[i16; 6]; PIECE_TO]>,
}

/// Origins, targets, and whether each is attacked.
const BUTTERFLY: usize = 1 << 14;

impl Default for Histories {
    fn default() -> Histories {
        Histories { butterfly: zeroed(), continuation: zeroed(), capture: zeroed() }
    }
}

impl Histories {
    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Histories::default();
    }

    /// The statistics of quiet moves of a position.
    #[inline]
    #[must_use]
    pub fn quiets(&self, position: &Position, context: &OrderingContext) -> QuietScores<'_> {
        QuietScores {
            butterfly: &self.butterfly[position.turn() as usize],
            continuation: context.earlier.map(|earlier| &self.continuation[earlier.index()]),
            context: *context,
        }
    }

    /// How well a capture or promotion did.
    #[inline]
    #[must_use]
    pub fn noisy(&self, position: &Position, m: Move) -> i32 {
        i32::from(self.capture[PieceTo::of(position, m).index()][victim(position, m)])
    }

    /// Adds a bonus, or with a negative amount a malus, to a quiet move.
    pub fn update_quiet(&mut self, position: &Position, m: Move, context: &OrderingContext, bonus: Bonus) {
        let piece_to = PieceTo::of(position, m);
        bonus.add_to(&mut self.butterfly[position.turn() as usize][context.butterfly(m)]);
        self.update_continuations(context.earlier, piece_to, bonus);
    }

    /// Adds a bonus, or with a negative amount a malus, to a quiet move as the continuation of earlier ones.
    pub fn update_continuations(&mut self, earlier: EarlierMoves, m: PieceTo, bonus: Bonus) {
        for earlier in earlier {
            bonus.add_to(&mut self.continuation[earlier.index()][m.index()]);
        }
    }

    /// Adds a bonus, or with a negative amount a malus, to the quiet move that led to `position`. Its place in the butterfly
    /// history was kept.
    #[inline]
    pub fn update_last_butterfly(&mut self, position: &Position, butterfly: usize, bonus: Bonus) {
        bonus.add_to(&mut self.butterfly[!position.turn() as usize][butterfly]);
    }

    /// Adds a bonus, or with a negative amount a malus, to a capture or promotion.
    pub fn update_noisy(&mut self, position: &Position, m: Move, bonus: Bonus) {
        bonus.add_to(&mut self.capture[PieceTo::of(position, m).index()][victim(position, m)]);
    }
}

/// The statistics of quiet moves that concern one position.
#[derive(Clone, Copy)]
pub struct QuietScores<'a> {
    butterfly: &'a [i16; BUTTERFLY],
    continuation: [&'a [i16; PIECE_TO]; 4],
    context: OrderingContext,
}

impl QuietScores<'_> {
    /// How well a quiet move did.
    #[inline]
    #[must_use]
    pub fn of(&self, position: &Position, m: Move) -> i32 {
        let piece_to = PieceTo::of(position, m).index();
        let [butterfly, continuation @ ..] = self.context.weights;
        let rows = self.continuation.iter().zip(continuation);
        let continuation: i32 = rows.map(|(row, weight)| weight * i32::from(row[piece_to])).sum();
        (butterfly * i32::from(self.butterfly[self.context.butterfly(m)]) + continuation).div_euclid(ONCE)
    }
}

/// The captured role as an index, 0 for none.
fn victim(position: &Position, m: Move) -> usize {
    position.captured(m).map_or(0, |role| role as usize) % 6
}

/// What a history is moved by.
#[derive(Clone, Copy)]
pub struct Bonus {
    amount: i32,
    limit_log2: i32,
}

impl Bonus {
    /// A bonus, or with a negative amount a malus; at most 8192 either way.
    #[inline]
    #[must_use]
    pub fn new(params: &SearchParams, amount: i32) -> Bonus {
        Bonus { amount, limit_log2: params.history_limit_log2 }
    }

    #[inline]
    fn add_to(self, slot: &mut i16) {
        update_with_gravity(slot, self.amount, self.limit_log2);
    }
}

impl Neg for Bonus {
    type Output = Bonus;

    #[inline]
    fn neg(self) -> Bonus {
        Bonus { amount: -self.amount, ..self }
    }
}
