//! The transposition table, shared by all threads without locks.

use super::params::SearchParams;
use super::system_memory::available_memory;
use super::tt_entry::{
    Bound, TtEntry, check, depth_of, generation_of, pack, unpack, with_check, with_generation, with_move,
};
use super::tt_memory::{Cluster, Clusters, SLOTS};
use crate::position::Move;
use std::sync::atomic::Ordering::Relaxed;
use thiserror::Error;

/// Default size in MiB.
pub const DEFAULT_HASH_MIB: usize = 16;
/// Largest size in MiB.
pub const MAX_HASH_MIB: usize = 1 << 20;

/// Numbers of searches before they repeat.
const GENERATIONS: u8 = 32;

/// There is no memory for what a search needs.
#[derive(Debug, Error)]
#[error("cannot allocate {mib} MiB for {purpose}")]
pub struct OutOfMemory {
    pub(super) mib: usize,
    pub(super) purpose: &'static str,
}

impl OutOfMemory {
    fn hash_table(mib: usize) -> OutOfMemory {
        OutOfMemory { mib, purpose: "the hash table" }
    }
}

/// Which entries give way to others, in plies of depth. See the constants of the same names in [`SearchParams`].
#[derive(Clone, Copy, Debug)]
struct Replacement {
    depth: i32,
    pv: i32,
    age: i32,
}

impl Replacement {
    fn new(params: &SearchParams) -> Replacement {
        Replacement { depth: params.replacement_depth, pv: params.replacement_pv, age: params.replacement_age }
    }
}

/// A transposition table of a fixed size.
pub struct TranspositionTable {
    clusters: Clusters,
    replacement: Replacement,
    /// Number of the search, modulo [`GENERATIONS`].
    generation: u8,
    /// Exclusive-or'ed with every key, see [`TranspositionTable::new_search`].
    salt: u64,
}

impl TranspositionTable {
    /// An empty table of `mib` MiB. The constants in `params` decide which entries give way to others.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is no memory for it.
    pub fn new(mib: usize, params: &SearchParams) -> Result<TranspositionTable, OutOfMemory> {
        let clusters = TranspositionTable::count(mib, 0).and_then(Clusters::new).ok_or(OutOfMemory::hash_table(mib))?;
        Ok(TranspositionTable { clusters, replacement: Replacement::new(params), generation: 0, salt: 0 })
    }

    /// From now on these constants decide which entries give way to others.
    #[cfg(any(test, feature = "spsa"))]
    pub fn set_params(&mut self, params: &SearchParams) {
        self.replacement = Replacement::new(params);
    }

    /// Number of clusters in `mib` MiB; `None` if there is no room for them, `freed` bytes more than now.
    fn count(mib: usize, freed: usize) -> Option<usize> {
        let bytes = mib.checked_mul(1 << 20)?;
        let fits = available_memory().is_none_or(|available| bytes <= available.saturating_add(freed));
        fits.then_some(bytes / size_of::<Cluster>())
    }

    /// Becomes an empty table of `mib` MiB. The old memory is given back first, so that both are never needed at once.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is no memory for it; the size stays.
    pub(crate) fn resize(&mut self, mib: usize) -> Result<(), OutOfMemory> {
        let old = self.clusters.count();
        let count = TranspositionTable::count(mib, old * size_of::<Cluster>()).ok_or(OutOfMemory::hash_table(mib))?;
        self.clusters = Clusters::new(1).ok_or(OutOfMemory::hash_table(mib))?;
        let new = Clusters::new(count);
        let is_new = new.is_some();
        if let Some(clusters) = new.or_else(|| Clusters::new(old)) {
            self.clusters = clusters;
        }
        self.generation = 0;
        if is_new { Ok(()) } else { Err(OutOfMemory::hash_table(mib)) }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.clusters.clear();
        self.generation = 0;
    }

    /// Entries of earlier searches become the first to be replaced. From now on only entries of the same variant of the
    /// evaluation are found, so that another variant does not need an empty table.
    pub fn new_search(&mut self, variant: i16) {
        self.generation = (self.generation + 1) % GENERATIONS;
        // The lower bits, which entries are checked by, differ for any two variants; the others choose the cluster.
        let spread = (variant as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.salt = spread & !0xffff | u64::from(variant as u16);
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        &self.clusters.as_slice()[self.index(key)]
    }

    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.count() as u128) >> 64) as usize
    }

    /// Fetches the memory of a position that is likely to be looked up soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        let key = key ^ self.salt;
        self.clusters.prefetch(self.index(key));
    }

    /// What is known about the position with this key. An entry that is found counts as one of this search, so that older ones
    /// are replaced before it.
    #[inline(always)]
    #[must_use]
    pub fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        let key = key ^ self.salt;
        for slot in &self.cluster(key).0 {
            let (first, second) = (slot.first.load(Relaxed), slot.second.load(Relaxed));
            if second as u16 == check(key, first) && second != 0 {
                if generation_of(second) != self.generation {
                    slot.second.store(with_generation(second, self.generation), Relaxed);
                }
                return Some(unpack(first, second, ply));
            }
        }
        None
    }

    /// Stores an entry. The move of an older entry for the same position is kept where the new one has none, and a deeper entry
    /// that is kept takes the newer move.
    pub fn store(&self, key: u64, ply: usize, mut entry: TtEntry) {
        let key = key ^ self.salt;
        let cluster = self.cluster(key);
        let mut target = &cluster.0[0];
        let mut least = i32::MAX;
        for slot in &cluster.0 {
            let (first, second) = (slot.first.load(Relaxed), slot.second.load(Relaxed));
            if second as u16 == check(key, first) && second != 0 {
                if entry.m.is_none() {
                    entry.m = Move::from_bits(first as u16);
                }
                // A bound, or what quiescence found, does not replace a much deeper entry that this search has seen.
                let kept_depth = depth_of(second);
                if (entry.bound != Some(Bound::Exact) || entry.depth <= 0)
                    && entry.depth + self.replacement.depth + self.replacement.pv * i32::from(entry.pv) <= kept_depth
                    && generation_of(second) == self.generation
                {
                    let first = with_move(first, entry.m);
                    slot.first.store(first, Relaxed);
                    slot.second.store(with_check(second, check(key, first)), Relaxed);
                    return;
                }
                target = slot;
                break;
            }
            let age = (GENERATIONS + self.generation - generation_of(second)) % GENERATIONS;
            let worth = if second == 0 { i32::MIN } else { depth_of(second) - self.replacement.age * i32::from(age) };
            if worth < least {
                least = worth;
                target = slot;
            }
        }
        let (first, second) = pack(key, ply, &entry, self.generation);
        target.first.store(first, Relaxed);
        target.second.store(second, Relaxed);
    }

    /// Per mille of the table filled by the present search, from a sample.
    #[must_use]
    pub fn hashfull(&self) -> u32 {
        let clusters = self.clusters.as_slice();
        let sample = &clusters[..clusters.len().min(250)];
        let filled = sample.iter().flat_map(|cluster| &cluster.0).filter(|slot| {
            let second = slot.second.load(Relaxed);
            second != 0 && generation_of(second) == self.generation
        });
        (filled.count() * 1000 / (SLOTS * sample.len()).max(1)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::super::tt_entry::STAND_PAT_DEPTH;
    use super::*;
    use crate::eval::Evaluation;
    use crate::wdl::score::Score;
    use proptest::prelude::*;
    use std::thread;

    fn entries() -> impl Strategy<Value = TtEntry> {
        (any::<u16>(), -3000..3000i32, -900..900i32, 0..4usize, STAND_PAT_DEPTH..200, any::<bool>(), any::<bool>())
            .prop_map(|(m, wilo, draw, bound, depth, pv, check)| TtEntry {
                m: Move::from_bits(m),
                score: if depth == 7 { Score::mate_in(20) } else { Score::heuristic(wilo, draw) },
                bound: [Some(Bound::Exact), Some(Bound::Lower), Some(Bound::Upper), None][bound],
                depth,
                eval: (!check).then_some(Evaluation { wilo, draw }),
                pv,
            })
    }

    fn table(mib: usize) -> Result<TranspositionTable, OutOfMemory> {
        TranspositionTable::new(mib, &SearchParams::default())
    }

    proptest! {
        #[test]
        fn what_is_stored_is_found(key in any::<u64>(), ply in 0..10usize, entry in entries()) {
            let table = table(1).unwrap();
            prop_assert_eq!(table.probe(key, ply), None);
            table.store(key, ply, entry);
            let found = table.probe(key, ply).unwrap();
            prop_assert_eq!(found, entry);
            prop_assert_eq!(found.score.d(), entry.score.d());
            prop_assert!(table.probe(key ^ 1, ply).is_none());
        }

        #[test]
        fn torn_entries_do_not_match(key in any::<u64>(), a in entries(), b in entries()) {
            // Two threads store at once, and one word of each stays: the check, of sixteen bits, must notice unless the
            // first words happen to have the same.
            let ((first_a, second_a), (first_b, second_b)) = (pack(key, 0, &a, 0), pack(key, 0, &b, 0));
            let table = table(1).unwrap();
            let slot = &table.cluster(key).0[0];
            for (first, second, other) in [(first_a, second_b, first_b), (first_b, second_a, first_a)] {
                slot.first.store(first, Relaxed);
                slot.second.store(second, Relaxed);
                let same_check = check(key, first) == check(key, other);
                prop_assert_eq!(table.probe(key, 0).is_some(), same_check);
            }
            // Entries that differ in their moves alone always differ in the check.
            let moved = TtEntry { m: Move::from_bits(a.m.bits() ^ 1), ..a };
            slot.first.store(first_a, Relaxed);
            slot.second.store(pack(key, 0, &moved, 0).1, Relaxed);
            prop_assert_eq!(table.probe(key, 0), None);
        }
    }

    #[test]
    fn no_variant_finds_an_entry_of_another() {
        let mut table = table(1).unwrap();
        let entry = |depth| TtEntry {
            m: Move::from_bits(77),
            score: Score::DRAW,
            bound: Some(Bound::Exact),
            depth,
            eval: None,
            pv: false,
        };
        let key = 0x0123_4567_89ab_cdef;
        for variant in [0, 1, -1, 300] {
            table.new_search(variant);
            table.store(key, 0, entry(i32::from(variant) / 100));
            for other in (i16::MIN..=i16::MAX).filter(|other| ![0, 1, -1, 300].contains(other)) {
                table.new_search(other);
                assert_eq!(table.probe(key, 0), None, "{variant} {other}");
            }
        }
        for variant in [0, 1, -1, 300] {
            table.new_search(variant);
            assert_eq!(table.probe(key, 0), Some(entry(i32::from(variant) / 100)));
        }
    }

    /// Small enough for Miri.
    #[test]
    fn threads_share_a_table() {
        let table = TranspositionTable {
            clusters: Clusters::new(16).unwrap(),
            replacement: Replacement::new(&SearchParams::default()),
            generation: 0,
            salt: 0,
        };
        let entry = |key: u64| TtEntry {
            m: Move::from_bits(key as u16 | 1),
            score: Score::DRAW,
            bound: Some(Bound::Lower),
            depth: (key % 8) as i32,
            eval: None,
            pv: key.is_multiple_of(2),
        };
        let visit = || {
            let keys = (0..200_u64).map(|index| (index % 50).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let is_known = |&key: &u64| {
                table.prefetch(key);
                let found = table.probe(key, 0);
                table.store(key, 0, entry(key));
                assert!(found.is_none_or(|found| found == entry(key)), "{key:#x}");
                found.is_some()
            };
            keys.filter(is_known).count()
        };
        let found =
            thread::scope(|scope| [scope.spawn(visit), scope.spawn(visit)].map(|thread| thread.join().unwrap()));
        assert!(found.iter().all(|&found| found > 0), "{found:?}");
    }

    #[test]
    fn a_move_survives_a_bound_without_one() {
        let table = table(1).unwrap();
        let m = Move::from_bits(77);
        let entry = TtEntry { m, score: Score::DRAW, bound: Some(Bound::Upper), depth: 3, eval: None, pv: false };
        table.store(42, 0, entry);
        table.store(42, 0, TtEntry { m: Move::NONE, depth: 5, ..entry });
        assert_eq!(table.probe(42, 0).map(|found| (found.m, found.depth)), Some((m, 5)));
    }

    fn deep_entry() -> TtEntry {
        TtEntry {
            m: Move::from_bits(77),
            score: Score::heuristic(30, 0),
            bound: Some(Bound::Lower),
            depth: 20,
            eval: Some(Evaluation { wilo: 12, draw: -5 }),
            pv: true,
        }
    }

    #[test]
    fn a_deeper_entry_takes_the_newer_move() {
        let table = table(1).unwrap();
        let deep = deep_entry();
        table.store(42, 0, deep);
        table.store(42, 0, TtEntry { m: Move::from_bits(78), score: Score::DRAW, depth: 3, ..deep });
        assert_eq!(table.probe(42, 0), Some(TtEntry { m: Move::from_bits(78), ..deep }));
    }

    #[test]
    fn what_quiescence_finds_does_not_replace_a_deep_entry() {
        let table = table(1).unwrap();
        let deep = deep_entry();
        table.store(42, 0, deep);
        let exact = TtEntry { score: Score::DRAW, bound: Some(Bound::Exact), ..deep };
        table.store(42, 0, TtEntry { depth: 0, ..exact });
        assert_eq!(table.probe(42, 0), Some(deep));
        table.store(42, 0, TtEntry { depth: 1, ..exact });
        assert_eq!(table.probe(42, 0).map(|found| found.depth), Some(1));
    }

    #[test]
    fn an_entry_that_every_search_finds_outlives_what_none_does() {
        let mut table = table(1).unwrap();
        let entry = |depth| TtEntry {
            m: Move::from_bits(77),
            score: Score::DRAW,
            bound: Some(Bound::Lower),
            depth,
            eval: None,
            pv: false,
        };
        // All keys of one cluster.
        let keys: Vec<u64> = (0..SLOTS as u64 + 2).collect();
        table.store(keys[0], 0, entry(12));
        for _ in 0..3 {
            table.new_search(0);
            assert_eq!(table.probe(keys[0], 0), Some(entry(12)));
            for &key in &keys[1..] {
                table.store(key, 0, entry(3));
            }
        }
        assert_eq!(table.probe(keys[0], 0), Some(entry(12)));
    }

    #[test]
    fn a_table_that_cannot_grow_keeps_its_size() {
        let mut table = table(3).unwrap();
        let entry =
            TtEntry { m: Move::NONE, score: Score::DRAW, bound: Some(Bound::Exact), depth: 3, eval: None, pv: false };
        table.store(42, 0, entry);
        let clusters = table.clusters.count();
        assert!(table.resize(1 << 40).is_err() && table.clusters.count() == clusters && table.probe(42, 0).is_some());
        table.resize(6).unwrap();
        assert!(table.clusters.count() == 2 * clusters && table.probe(42, 0).is_none());
    }

    #[test]
    fn memory_that_cannot_be_had_is_an_error() {
        assert!(table(1 << 40).is_err());
    }
}
