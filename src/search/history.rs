//! How well moves did elsewhere in the tree: statistics for move ordering and reductions.

use super::params::SearchParams;
use crate::position::{Move, Position};
use shakmaty::{Bitboard, Color, Role, Square};

/// Largest absolute value of a statistic.
pub const HISTORY_LIMIT: i32 = 16_384;

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

/// Pieces and targets of the moves one, two and four plies ago.
pub type Before = [PieceTo; 3];

/// What quiet moves of a position are judged by beside themselves.
#[derive(Clone, Copy)]
pub struct Context {
    before: Before,
    /// Weights of the butterfly and the continuation histories, sixty-fourths.
    weights: [i32; 4],
    /// Squares that the side not to move attacks.
    threats: Bitboard,
}

impl Context {
    /// Of a position after the given earlier moves.
    #[inline]
    #[must_use]
    pub fn new(position: &Position, before: Before, params: &SearchParams) -> Context {
        let weights = [
            params.history_butterfly,
            params.history_continuation_1,
            params.history_continuation_2,
            params.history_continuation_4,
        ];
        Context { before, weights, threats: position.attacked_by(!position.turn()) }
    }

    /// For searches that order captures and promotions only.
    pub const NOISY: Context = Context { before: [PieceTo::NONE; 3], weights: [0; 4], threats: Bitboard::EMPTY };

    /// Place of a quiet move in the butterfly history: origin and target, and whether either is attacked.
    #[inline]
    pub fn butterfly(&self, m: Move) -> usize {
        let threatened = |square| usize::from(self.threats.contains(square));
        m.from_to() | threatened(m.from()) << 12 | threatened(m.to()) << 13
    }
}

/// Roles from 1, colours and squares; a power of two, so that an index needs no check.
const PIECE_TO: usize = 1024;

/// All statistics of one thread.
pub struct Histories {
    butterfly: Box<[[i16; BUTTERFLY]; 2]>,
    continuation: Box<[[i16; PIECE_TO]; PIECE_TO]>,
    capture: Box<[[i16; 6]; PIECE_TO]>,
    pawn_correction: Box<[[i16; CORRECTIONS]; 2]>,
    minor_correction: Box<[[i16; CORRECTIONS]; 2]>,
    piece_correction: Box<[[i16; CORRECTIONS]; 4]>,
}

/// Origins, targets, and whether each is attacked.
const BUTTERFLY: usize = 1 << 14;
/// Entries of each correction table; a power of two.
const CORRECTIONS: usize = 1 << 14;
/// Largest correction of one table, steps.
const CORRECTION_LIMIT: i32 = 1024;
/// Steps of the sum of all corrections per centipawn of wilo.
const CORRECTION_GRAIN: i32 = 10;
/// A weight that counts a table, or a bonus, once.
pub const ONCE: i32 = 64;
/// Most that one search changes, steps.
const CORRECTION_CHANGE: i32 = CORRECTION_LIMIT / 4;

impl Default for Histories {
    fn default() -> Histories {
        Histories {
            butterfly: zeroed(),
            continuation: zeroed(),
            capture: zeroed(),
            pawn_correction: zeroed(),
            minor_correction: zeroed(),
            piece_correction: zeroed(),
        }
    }
}

/// A boxed array of zeros that never stood on the stack.
fn zeroed<T: Copy + Default, const N: usize, const M: usize>() -> Box<[[T; M]; N]> {
    vec![[T::default(); M]; N].try_into().unwrap_or_else(|_| unreachable!("the vector has N elements"))
}

impl Histories {
    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Histories::default();
    }

    /// Forgets how far searches were from the evaluation.
    pub fn forget_corrections(&mut self) {
        self.pawn_correction.iter_mut().for_each(|table| table.fill(0));
        self.minor_correction.iter_mut().for_each(|table| table.fill(0));
        self.piece_correction.iter_mut().for_each(|table| table.fill(0));
    }

    /// The statistics of quiet moves of a position.
    #[inline]
    #[must_use]
    pub fn quiets(&self, position: &Position, context: &Context) -> QuietScores<'_> {
        QuietScores {
            butterfly: &self.butterfly[position.turn() as usize],
            continuation: context.before.map(|earlier| &self.continuation[earlier.index()]),
            context: *context,
        }
    }

    /// What searches of positions with the same pawns, with the same minor pieces and kings, and with the same pieces of
    /// either colour, found beyond the static evaluation: centipawns of wilo for the side to move.
    #[inline(always)]
    #[must_use]
    pub fn correction(&self, position: &Position, params: &SearchParams) -> i32 {
        let turn = position.turn() as usize;
        let slot = |key: u64| key as usize % CORRECTIONS;
        let pawns = i32::from(self.pawn_correction[turn][slot(position.pawn_key())]);
        let minors = i32::from(self.minor_correction[turn][slot(position.minor_key())]);
        let pieces = Color::ALL
            .map(|color| i32::from(self.piece_correction[2 * color as usize + turn][slot(position.piece_key(color))]));
        (params.correction_pawns * pawns
            + params.correction_minors * minors
            + params.correction_pieces * (pieces[0] + pieces[1]))
            / (ONCE * CORRECTION_GRAIN)
    }

    /// Takes note that a search of this depth found `error` centipawns of wilo more than the corrected evaluation.
    pub fn update_correction(&mut self, position: &Position, params: &SearchParams, depth: i32, error: i32) {
        let turn = position.turn() as usize;
        let slot = |key: u64| key as usize % CORRECTIONS;
        let change = (error * depth * params.correction_rate / 1024).clamp(-CORRECTION_CHANGE, CORRECTION_CHANGE);
        correct(&mut self.pawn_correction[turn][slot(position.pawn_key())], change);
        correct(&mut self.minor_correction[turn][slot(position.minor_key())], change);
        for color in Color::ALL {
            let table = &mut self.piece_correction[2 * color as usize + turn];
            correct(&mut table[slot(position.piece_key(color))], change);
        }
    }

    /// How well a capture or promotion did.
    #[inline]
    #[must_use]
    pub fn noisy(&self, position: &Position, m: Move) -> i32 {
        i32::from(self.capture[PieceTo::of(position, m).index()][victim(position, m)])
    }

    /// Rewards (or with a negative bonus blames) a quiet move.
    pub fn update_quiet(&mut self, position: &Position, m: Move, context: &Context, bonus: i32) {
        let piece_to = PieceTo::of(position, m);
        gravitate(&mut self.butterfly[position.turn() as usize][context.butterfly(m)], bonus);
        self.update_continuations(context.before, piece_to, bonus);
    }

    /// Rewards (or with a negative bonus blames) a quiet move as the continuation of earlier ones.
    pub fn update_continuations(&mut self, before: Before, m: PieceTo, bonus: i32) {
        for earlier in before {
            gravitate(&mut self.continuation[earlier.index()][m.index()], bonus);
        }
    }

    /// Rewards (or with a negative bonus blames) the quiet move that led to `position`, at this place of the butterfly
    /// history.
    #[inline]
    pub fn update_last(&mut self, position: &Position, butterfly: usize, bonus: i32) {
        gravitate(&mut self.butterfly[!position.turn() as usize][butterfly], bonus);
    }

    /// Rewards (or with a negative bonus blames) a capture or promotion.
    pub fn update_noisy(&mut self, position: &Position, m: Move, bonus: i32) {
        let slot = &mut self.capture[PieceTo::of(position, m).index()][victim(position, m)];
        gravitate(slot, bonus);
    }
}

/// The statistics of quiet moves that concern one position.
#[derive(Clone, Copy)]
pub struct QuietScores<'a> {
    butterfly: &'a [i16; BUTTERFLY],
    continuation: [&'a [i16; PIECE_TO]; 3],
    context: Context,
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

/// Moves a history by `bonus`.
#[inline]
fn gravitate(slot: &mut i16, bonus: i32) {
    pull::<HISTORY_LIMIT>(slot, bonus);
}

/// Moves a correction by `change`.
#[inline]
fn correct(slot: &mut i16, change: i32) {
    pull::<CORRECTION_LIMIT>(slot, change);
}

/// Moves a statistic by `amount`, less the nearer it is to its limit on that side.
#[inline]
fn pull<const LIMIT: i32>(slot: &mut i16, amount: i32) {
    let value = i32::from(*slot);
    *slot = (value + amount - value * amount.abs() / LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn statistics_stay_in_bounds(bonuses in prop::collection::vec(-HISTORY_LIMIT..=HISTORY_LIMIT, 1..200)) {
            let mut slot = 0;
            for bonus in bonuses {
                let before = slot;
                gravitate(&mut slot, bonus);
                prop_assert!(i32::from(slot).abs() <= HISTORY_LIMIT);
                prop_assert!(if bonus >= 0 { slot >= before } else { slot <= before }, "moves with the bonus");
            }
        }
    }
}
