//! The game phase, and the mean of middlegame and endgame by it.

use crate::position::Position;
use shakmaty::Color;

/// Phase with all pieces on the board. Middlegame weights count `phase / FULL_PHASE`, endgame weights the rest.
pub const FULL_PHASE: i32 = 24;

/// What a pawn, knight, bishop, rook, queen adds to the phase.
pub const PHASE_WEIGHTS: [i32; 5] = [0, 1, 1, 2, 4];

/// Game phase: from 0 with only kings and pawns to [`FULL_PHASE`] with all pieces.
#[must_use]
pub fn phase(position: &Position) -> i32 {
    let material = position.material();
    phase_of([material.counts(Color::Black), material.counts(Color::White)])
}

/// Game phase of the pawns, knights, bishops, rooks and queens of both colours.
#[must_use]
pub fn phase_of(counts: [[u8; 5]; 2]) -> i32 {
    let weigh =
        |counts: [u8; 5]| counts.into_iter().zip(PHASE_WEIGHTS).map(|(n, weight)| i32::from(n) * weight).sum::<i32>();
    counts.into_iter().map(weigh).sum::<i32>().min(FULL_PHASE)
}

/// Mean of middlegame and endgame score by phase, in units of `1 / FULL_PHASE`.
#[inline(always)]
#[must_use]
pub fn taper(middlegame: i32, endgame: i32, phase: i32) -> i32 {
    middlegame * phase + endgame * (FULL_PHASE - phase)
}
