//! Correction histories: how far searches of like positions were from their static evaluation.

use super::gravity::{update_with_gravity, zeroed};
use super::params::{ONCE, SearchParams};
use super::tt_memory::prefetch;
use crate::position::Position;
use shakmaty::Color;

/// Entries of each table; a power of two.
const CORRECTIONS: usize = 1 << 14;
/// Steps of the sum of all corrections per centipawn of wilo.
const CORRECTION_GRAIN: i32 = 10;

/// The correction histories of one thread: by pawns, by minor pieces and kings, and by the pieces of either colour; each
/// for either side to move.
pub struct Corrections {
    pawns: Box<[[i16; CORRECTIONS]; 2]>,
    minors: Box<[[i16; CORRECTIONS]; 2]>,
    pieces: Box<[[i16; CORRECTIONS]; 4]>,
}

impl Default for Corrections {
    fn default() -> Corrections {
        Corrections { pawns: zeroed(), minors: zeroed(), pieces: zeroed() }
    }
}

impl Corrections {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.pawns.iter_mut().for_each(|table| table.fill(0));
        self.minors.iter_mut().for_each(|table| table.fill(0));
        self.pieces.iter_mut().for_each(|table| table.fill(0));
    }

    /// What is to be added to the static evaluation: centipawns of wilo for the side to move.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, position: &Position, params: &SearchParams) -> i32 {
        let turn = position.turn() as usize;
        let pawns = i32::from(self.pawns[turn][slot(position.pawn_key())]);
        let minors = i32::from(self.minors[turn][slot(position.minor_key())]);
        let of_color =
            |color: Color| i32::from(self.pieces[2 * color as usize + turn][slot(position.piece_key(color))]);
        let pieces = of_color(Color::White) + of_color(Color::Black);
        (params.correction_pawns * pawns + params.correction_minors * minors + params.correction_pieces * pieces)
            / (ONCE * CORRECTION_GRAIN)
    }

    /// Fetches what [`get`](Corrections::get) is likely to look up soon.
    #[inline(always)]
    pub fn prefetch(&self, position: &Position) {
        let turn = position.turn() as usize;
        prefetch(&self.pawns[turn][slot(position.pawn_key())]);
        prefetch(&self.minors[turn][slot(position.minor_key())]);
        for color in Color::ALL {
            prefetch(&self.pieces[2 * color as usize + turn][slot(position.piece_key(color))]);
        }
    }

    /// Learns that a search of this depth found `error` centipawns of wilo more than the corrected evaluation.
    pub fn update(&mut self, position: &Position, params: &SearchParams, depth: i32, error: i32) {
        let turn = position.turn() as usize;
        let max_change = params.correction_change;
        let change = (error * depth * params.correction_rate / 1024).clamp(-max_change, max_change);
        let update = |value: &mut i16| update_with_gravity(value, change, params.correction_limit_log2);
        update(&mut self.pawns[turn][slot(position.pawn_key())]);
        update(&mut self.minors[turn][slot(position.minor_key())]);
        for color in Color::ALL {
            update(&mut self.pieces[2 * color as usize + turn][slot(position.piece_key(color))]);
        }
    }
}

/// Place of a key in a table.
#[inline(always)]
fn slot(key: u64) -> usize {
    key as usize % CORRECTIONS
}
