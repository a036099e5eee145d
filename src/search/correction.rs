//! Correction histories: how far searches of like positions were from their static evaluation.

use super::gravity::{update_with_gravity, zeroed};
use super::params::{ONCE, SearchParams};
use super::tt_memory::prefetch;
use crate::eval::Evaluation;
use crate::position::Position;
use shakmaty::{ByColor, Color};

/// Steps of the sum of all corrections per centipawn of wilo.
const CORRECTION_GRAIN: i32 = 10;

/// Errors of the static evaluation by the key of some pieces. Index: side to move, key modulo entries. Limit:
/// [`SearchParams::correction_limit_log2`].
struct CorrectionHistory(Box<[[i16; CorrectionHistory::ENTRIES]; 2]>);

impl CorrectionHistory {
    /// Entries for each side; a power of two.
    const ENTRIES: usize = 1 << 14;

    #[inline(always)]
    fn entry(&self, turn: Color, key: u64) -> &i16 {
        &self.0[turn as usize][key as usize % CorrectionHistory::ENTRIES]
    }

    #[inline(always)]
    fn get(&self, turn: Color, key: u64) -> i32 {
        i32::from(*self.entry(turn, key))
    }

    fn update(&mut self, turn: Color, key: u64, change: i32, limit_log2: i32) {
        let entry = &mut self.0[turn as usize][key as usize % CorrectionHistory::ENTRIES];
        update_with_gravity(entry, change, limit_log2);
    }

    fn clear(&mut self) {
        self.0.iter_mut().for_each(|side| side.fill(0));
    }
}

impl Default for CorrectionHistory {
    fn default() -> CorrectionHistory {
        CorrectionHistory(zeroed())
    }
}

/// The correction histories of one thread.
#[derive(Default)]
pub struct Corrections {
    /// By the pawns.
    pawns: CorrectionHistory,
    /// By the minor pieces and kings.
    minors: CorrectionHistory,
    /// By White's pieces without pawns, and by Black's.
    pieces: ByColor<CorrectionHistory>,
}

impl Corrections {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.pawns.clear();
        self.minors.clear();
        self.pieces.as_mut().for_each(CorrectionHistory::clear);
    }

    /// The static evaluation with what the histories add to it.
    #[inline(always)]
    #[must_use]
    pub fn correct(&self, position: &Position, eval: Evaluation, params: &SearchParams) -> Evaluation {
        let turn = position.turn();
        let pawns = self.pawns.get(turn, position.pawn_key());
        let minors = self.minors.get(turn, position.minor_key());
        let of_color = |color: Color| self.pieces[color].get(turn, position.piece_key(color));
        let pieces = of_color(Color::White) + of_color(Color::Black);
        let sum =
            params.correction_pawns * pawns + params.correction_minors * minors + params.correction_pieces * pieces;
        Evaluation { wilo: eval.wilo + sum / (ONCE * CORRECTION_GRAIN), ..eval }
    }

    /// Fetches what [`correct`](Corrections::correct) is likely to look up soon.
    #[inline(always)]
    pub fn prefetch(&self, position: &Position) {
        let turn = position.turn();
        prefetch(self.pawns.entry(turn, position.pawn_key()));
        prefetch(self.minors.entry(turn, position.minor_key()));
        for color in Color::ALL {
            prefetch(self.pieces[color].entry(turn, position.piece_key(color)));
        }
    }

    /// Learns that a search of this depth found `error` centipawns of score more than the corrected evaluation, times 1 − D.
    pub fn update(&mut self, position: &Position, params: &SearchParams, depth: i32, error: i32) {
        let turn = position.turn();
        let max_change = params.correction_change;
        let change = (error * depth * params.correction_rate / 1024).clamp(-max_change, max_change);
        let limit = params.correction_limit_log2;
        self.pawns.update(turn, position.pawn_key(), change, limit);
        self.minors.update(turn, position.minor_key(), change, limit);
        for color in Color::ALL {
            self.pieces[color].update(turn, position.piece_key(color), change, limit);
        }
    }
}
