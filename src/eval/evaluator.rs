//! The evaluation with caches.

use super::material::{MaterialInfo, PieceCounts};
use super::pawns::{self, PawnInfo};
use super::sink::Sum;
use super::word::Lanes;
use super::{BoardSums, Contempt, Evaluation, Weights, finish, piece_features};
use crate::position::Position;
use shakmaty::Color;

/// Evaluates with caches of boards, of pawns with kings, of pawn structures and of piece counts. Each thread has one.
pub struct Evaluator {
    boards: Box<[BoardEntry]>,
    pawns: Box<[PawnEntry]>,
    structures: Box<[PawnEntry]>,
    material: Box<[MaterialEntry]>,
}

#[derive(Clone, Copy, Default)]
struct BoardEntry {
    key: u64,
    board: BoardSums,
}

// Two to a cache line.
const _: () = assert!(size_of::<BoardEntry>() == 32);

#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct PawnEntry {
    key: u64,
    lanes: Lanes,
    info: PawnInfo,
}

// One cache line.
const _: () = assert!(size_of::<PawnEntry>() == 64);

#[derive(Clone, Copy, Default)]
struct MaterialEntry {
    key: u64,
    lanes: Lanes,
    info: MaterialInfo,
}

/// Entries of the board cache; a power of two. A board mostly comes again soon, after a null move or by another order of
/// moves, so few entries suffice.
const BOARD_ENTRIES: usize = 1 << 12;
/// Entries of the cache of pawns with kings; a power of two.
const PAWN_ENTRIES: usize = 1 << 11;
/// Entries of the cache of pawn structures; a power of two.
const STRUCTURE_ENTRIES: usize = 1 << 10;
/// Entries of the cache of piece counts; a power of two.
const MATERIAL_ENTRIES: usize = 1 << 11;

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator {
            boards: vec![BoardEntry::default(); BOARD_ENTRIES].into_boxed_slice(),
            pawns: vec![PawnEntry::default(); PAWN_ENTRIES].into_boxed_slice(),
            structures: vec![PawnEntry::default(); STRUCTURE_ENTRIES].into_boxed_slice(),
            material: vec![MaterialEntry::default(); MATERIAL_ENTRIES].into_boxed_slice(),
        }
    }
}

impl Evaluator {
    /// Empties the caches, as new weights require.
    pub fn clear(&mut self) {
        self.boards.fill(BoardEntry::default());
        self.pawns.fill(PawnEntry::default());
        self.structures.fill(PawnEntry::default());
        self.material.fill(MaterialEntry::default());
    }

    /// Evaluates a position as [`evaluate`](super::evaluate) does, with White's contempt.
    #[must_use]
    pub fn evaluate(&mut self, position: &Position, weights: &Weights, contempt: Contempt) -> Evaluation {
        let key = board_key(position);
        let index = key as usize % BOARD_ENTRIES;
        if self.boards[index].key != key {
            self.boards[index] = BoardEntry { key, board: self.board(position, weights) };
        }
        finish(position, weights, self.boards[index].board, contempt)
    }

    #[inline(always)]
    fn board(&mut self, position: &Position, weights: &Weights) -> BoardSums {
        let &MaterialEntry { mut lanes, info: material, .. } = self.material(position, weights);
        if !material.oversized {
            let &PawnEntry { lanes: structure, info: pawns, .. } = self.pawns(position, weights);
            let mut sum = Sum::new(weights);
            piece_features(position, &mut sum, material, pawns);
            lanes = lanes + structure + sum.lanes();
        }
        BoardSums { lanes, material }
    }

    #[inline]
    fn material(&mut self, position: &Position, weights: &Weights) -> &MaterialEntry {
        // Plus one, since bare kings have key zero, as empty entries do.
        let key = position.material().key() + 1;
        let entry = &mut self.material[(key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % MATERIAL_ENTRIES];
        if entry.key != key {
            let counts = PieceCounts::of(position.material());
            let mut sum = Sum::new(weights);
            counts.features(&mut sum);
            *entry = MaterialEntry { key, lanes: sum.wide_lanes(), info: counts.info() };
        }
        entry
    }

    #[inline]
    fn pawns(&mut self, position: &Position, weights: &Weights) -> &PawnEntry {
        let key = position.pawn_king_key();
        let entry = &mut self.pawns[key as usize % PAWN_ENTRIES];
        if entry.key != key {
            let structure_key = pawns::structure_key(position);
            let structure = &mut self.structures[structure_key as usize % STRUCTURE_ENTRIES];
            if structure.key != structure_key {
                let mut sum = Sum::new(weights);
                let info = pawns::structure(position, &mut sum);
                *structure = PawnEntry { key: structure_key, lanes: sum.lanes(), info };
            }
            let mut sum = Sum::new(weights);
            pawns::kings(position, &mut sum, &structure.info);
            *entry = PawnEntry { key, lanes: structure.lanes + sum.lanes(), info: structure.info };
        }
        entry
    }
}

/// Key of everything that [`BoardSums`] depends on. Against a side without pieces the side to move matters too, for the
/// square of a passed pawn.
#[inline]
fn board_key(position: &Position) -> u64 {
    let key = position.board_key();
    if Color::ALL.into_iter().all(|color| position.has_non_pawn_material(color)) {
        key
    } else {
        key ^ position.turn() as u64
    }
}
