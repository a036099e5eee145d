//! The sums of the terms, with caches of pawns with kings, of pawn structures and of piece counts.

use super::pawns::{self, PawnInfo};
use super::{board, counts};
use crate::eval::finish::BoardSums;
use crate::eval::material::{MaterialInfo, PieceCounts};
use crate::eval::sink::Sum;
use crate::eval::weights::Weights;
use crate::eval::word::Lanes;
use crate::position::Position;

/// Caches of parts of the sums.
pub struct TermCaches {
    pawns: Box<[PawnEntry]>,
    structures: Box<[PawnEntry]>,
    counts: Box<[CountsEntry]>,
}

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
struct CountsEntry {
    key: u64,
    lanes: Lanes,
    info: MaterialInfo,
}

/// Entries of the cache of pawns with kings; a power of two.
const PAWN_ENTRIES: usize = 1 << 11;
/// Entries of the cache of pawn structures; a power of two.
const STRUCTURE_ENTRIES: usize = 1 << 10;
/// Entries of the cache of piece counts; a power of two.
const COUNTS_ENTRIES: usize = 1 << 11;

impl Default for TermCaches {
    fn default() -> TermCaches {
        TermCaches {
            pawns: vec![PawnEntry::default(); PAWN_ENTRIES].into_boxed_slice(),
            structures: vec![PawnEntry::default(); STRUCTURE_ENTRIES].into_boxed_slice(),
            counts: vec![CountsEntry::default(); COUNTS_ENTRIES].into_boxed_slice(),
        }
    }
}

impl TermCaches {
    /// Empties the caches, as new weights require.
    pub fn clear(&mut self) {
        self.pawns.fill(PawnEntry::default());
        self.structures.fill(PawnEntry::default());
        self.counts.fill(CountsEntry::default());
    }

    /// The sums of a board, as [`sums`](fn@super::sums) without caches.
    #[inline(always)]
    pub fn sums(&mut self, position: &Position, weights: &Weights) -> BoardSums {
        let &CountsEntry { mut lanes, info: material, .. } = self.counts(position, weights);
        if !material.oversized {
            let &PawnEntry { lanes: structure, info: pawns, .. } = self.pawns(position, weights);
            let mut sum = Sum::new(weights);
            board::piece_features(position, &mut sum, material, pawns);
            lanes = lanes + structure + sum.lanes();
        }
        BoardSums { lanes, material }
    }

    #[inline]
    fn counts(&mut self, position: &Position, weights: &Weights) -> &CountsEntry {
        // Plus one, since bare kings have key zero, as empty entries do.
        let key = position.material().key() + 1;
        let entry = &mut self.counts[(key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % COUNTS_ENTRIES];
        if entry.key != key {
            let counts = PieceCounts::of(position.material());
            let mut sum = Sum::new(weights);
            counts::features(&counts, &mut sum);
            *entry = CountsEntry { key, lanes: sum.wide_lanes(), info: counts.info() };
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
