//! How well moves did elsewhere in the tree: statistics for move ordering and reductions.

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
/// Steps of the sum of all corrections per centipawn of wilo.
const CORRECTION_GRAIN: i32 = 10;

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
        let limit = params.correction_change;
        let change = (error * depth * params.correction_rate / 1024).clamp(-limit, limit);
        let correct = |slot: &mut i16, change| gravitate(slot, change, params.correction_limit_log2);
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
    pub fn update_quiet(&mut self, position: &Position, m: Move, context: &Context, bonus: Bonus) {
        let piece_to = PieceTo::of(position, m);
        bonus.add_to(&mut self.butterfly[position.turn() as usize][context.butterfly(m)]);
        self.update_continuations(context.before, piece_to, bonus);
    }

    /// Rewards (or with a negative bonus blames) a quiet move as the continuation of earlier ones.
    pub fn update_continuations(&mut self, before: Before, m: PieceTo, bonus: Bonus) {
        for earlier in before {
            bonus.add_to(&mut self.continuation[earlier.index()][m.index()]);
        }
    }

    /// Rewards (or with a negative bonus blames) the quiet move that led to `position`, at this place of the butterfly
    /// history.
    #[inline]
    pub fn update_last(&mut self, position: &Position, butterfly: usize, bonus: Bonus) {
        bonus.add_to(&mut self.butterfly[!position.turn() as usize][butterfly]);
    }

    /// Rewards (or with a negative bonus blames) a capture or promotion.
    pub fn update_noisy(&mut self, position: &Position, m: Move, bonus: Bonus) {
        bonus.add_to(&mut self.capture[PieceTo::of(position, m).index()][victim(position, m)]);
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

/// What a history is moved by.
#[derive(Clone, Copy)]
pub struct Bonus {
    amount: i32,
    limit_log2: i32,
}

impl Bonus {
    /// At most 8192, positive for a reward and negative for blame.
    #[inline]
    #[must_use]
    pub fn new(params: &SearchParams, amount: i32) -> Bonus {
        Bonus { amount, limit_log2: params.history_limit_log2 }
    }

    #[inline]
    fn add_to(self, slot: &mut i16) {
        gravitate(slot, self.amount, self.limit_log2);
    }
}

impl Neg for Bonus {
    type Output = Bonus;

    #[inline]
    fn neg(self) -> Bonus {
        Bonus { amount: -self.amount, ..self }
    }
}

/// Moves a statistic by `amount`, less the nearer it is to its limit on that side; the limit is a power of two.
#[inline]
fn gravitate(slot: &mut i16, amount: i32, limit_log2: i32) {
    let value = i32::from(*slot);
    let pull = value * amount.abs();
    // Divided by the limit, rounded towards zero.
    let decay = (pull + (pull >> 31 & ((1 << limit_log2) - 1))) >> limit_log2;
    *slot = (value + amount - decay) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn statistics_stay_in_bounds(limit_log2 in 9..=14i32, bonuses in prop::collection::vec(-8192..=8192i32, 1..200)) {
            let limit = 1 << limit_log2;
            let mut slot = 0;
            for bonus in bonuses {
                let bonus = bonus.clamp(-limit, limit);
                let before = slot;
                gravitate(&mut slot, bonus, limit_log2);
                prop_assert!(i32::from(slot).abs() <= limit);
                prop_assert_eq!(i32::from(slot), i32::from(before) + bonus - i32::from(before) * bonus.abs() / limit);
                prop_assert!(if bonus >= 0 { slot >= before } else { slot <= before }, "moves with the bonus");
            }
        }
    }
}
