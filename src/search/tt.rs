//! The transposition table, shared by all threads without locks.

use super::params::SearchParams;
use super::system_memory::available_memory;
use super::tt_memory::{Cluster, Clusters, SLOTS};
use crate::eval::Evaluation;
use crate::position::{FIFTY_MOVES, Move};
use crate::wdl::score::{MAX_PLY, Score};
use std::sync::atomic::Ordering::Relaxed;
use thiserror::Error;

/// Halfmove clock from which entries no longer end a search, so that it sees the draw by the fifty-move rule itself.
pub const CLOCK_NEARS_DRAW: u32 = FIFTY_MOVES - 10;
/// Depth of entries of quiescence search without quiet checks, plies; with them, and in check, it is 0.
pub const QUIESCENCE_DEPTH: i32 = -1;
/// Depth of entries for which nothing was searched, the least of all.
pub const STAND_PAT_DEPTH: i32 = -6;
/// Default size in MiB.
pub const DEFAULT_HASH_MIB: usize = 16;
/// Largest size in MiB.
pub const MAX_HASH_MIB: usize = 1 << 20;

/// Which side of the score an entry bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// Best or refuting move; may be none.
    pub m: Move,
    /// Search score, seen from the position itself.
    pub score: Score,
    /// What the score means.
    pub bound: Bound,
    /// Depth of the search in plies, at least [`STAND_PAT_DEPTH`]; 0 or less for quiescence.
    pub depth: i32,
    /// Static evaluation; `None` in check.
    pub eval: Option<Evaluation>,
    /// Whether the position was once on a principal variation.
    pub pv: bool,
}

impl TtEntry {
    /// Whether the stored bound decides a search with this window.
    #[inline]
    pub fn decides(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }

    /// Whether the score is a better estimate than the static evaluation: the true score lies on its side of that.
    #[inline]
    pub fn refines(&self, static_score: Score) -> bool {
        self.decides(static_score.next_down(), static_score.next_up())
    }
}

/// Stands for no static evaluation.
const NO_EVAL: i16 = i16::MIN;
/// Added to a depth to store it, so that none is below 1.
const DEPTH_OFFSET: i32 = 1 - STAND_PAT_DEPTH;
/// Largest stored depth, in eight bits. Extensions may lead further than the longest line; such depths are cut.
const MAX_STORED_DEPTH: i32 = u8::MAX as i32;
const _: () = assert!(MAX_PLY as i32 - 1 + DEPTH_OFFSET <= MAX_STORED_DEPTH, "iterations of all depths can be stored");
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
    pub fn resize(&mut self, mib: usize) -> Result<(), OutOfMemory> {
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

    /// What is known about the position with this key.
    #[inline(always)]
    #[must_use]
    pub fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        let key = key ^ self.salt;
        for slot in &self.cluster(key).0 {
            let (first, second) = (slot.first.load(Relaxed), slot.second.load(Relaxed));
            if second as u16 == check(key, first) && second != 0 {
                return Some(unpack(first, second, ply));
            }
        }
        None
    }

    /// Stores an entry. The move of an older entry for the same position is kept where the new one has none.
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
                // A bound does not replace a much deeper entry of the same search.
                let kept_depth = depth_of(second);
                if entry.bound != Bound::Exact
                    && entry.depth + self.replacement.depth + self.replacement.pv * i32::from(entry.pv) <= kept_depth
                    && generation_of(second) == self.generation
                {
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

/// The sixteen bits that bind an entry's words to its key and to each other.
#[inline(always)]
fn check(key: u64, first: u64) -> u16 {
    (key ^ first ^ first >> 16 ^ first >> 32 ^ first >> 48) as u16
}

fn depth_of(second: u64) -> i32 {
    (second >> 48 & 0xff) as i32 - DEPTH_OFFSET
}

fn generation_of(second: u64) -> u8 {
    (second >> 59) as u8
}

fn pack(key: u64, ply: usize, entry: &TtEntry, generation: u8) -> (u64, u64) {
    let score = entry.score.to_tt(ply);
    let first = u64::from(score.p() as u32) << 32 | (score.d() as u64) << 16 | u64::from(entry.m.bits());
    let lane = |value: i32| value.clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16 as u16;
    let (wilo, draw) = entry.eval.map_or((NO_EVAL as u16, 0), |eval| (lane(eval.wilo), lane(eval.draw)));
    let bound = match entry.bound {
        Bound::Exact => 3,
        Bound::Lower => 2,
        Bound::Upper => 1,
    };
    debug_assert!(entry.depth >= STAND_PAT_DEPTH, "no entry has less depth");
    let depth = (entry.depth + DEPTH_OFFSET).min(MAX_STORED_DEPTH) as u64;
    let second = u64::from(check(key, first))
        | u64::from(wilo) << 16
        | u64::from(draw) << 32
        | depth << 48
        | bound << 56
        | u64::from(entry.pv) << 58
        | u64::from(generation) << 59;
    (first, second)
}

#[inline(always)]
fn unpack(first: u64, second: u64, ply: usize) -> TtEntry {
    let wilo = (second >> 16) as i16;
    let draw = i32::from((second >> 32) as i16);
    TtEntry {
        m: Move::from_bits(first as u16),
        score: Score::from_parts((first >> 32) as i32, (first >> 16) as u16).from_tt(ply),
        bound: match second >> 56 & 3 {
            3 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        },
        depth: depth_of(second),
        eval: (wilo != NO_EVAL).then_some(Evaluation { wilo: i32::from(wilo), draw }),
        pv: second >> 58 & 1 == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::thread;

    fn entries() -> impl Strategy<Value = TtEntry> {
        (any::<u16>(), -3000..3000i32, -900..900i32, 0..3usize, STAND_PAT_DEPTH..200, any::<bool>(), any::<bool>())
            .prop_map(|(m, wilo, draw, bound, depth, pv, check)| TtEntry {
                m: Move::from_bits(m),
                score: if depth == 7 { Score::mate_in(20) } else { Score::heuristic(wilo, draw) },
                bound: [Bound::Exact, Bound::Lower, Bound::Upper][bound],
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
            bound: Bound::Exact,
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
            bound: Bound::Lower,
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
        let entry = TtEntry { m, score: Score::DRAW, bound: Bound::Upper, depth: 3, eval: None, pv: false };
        table.store(42, 0, entry);
        table.store(42, 0, TtEntry { m: Move::NONE, depth: 5, ..entry });
        assert_eq!(table.probe(42, 0).map(|found| (found.m, found.depth)), Some((m, 5)));
    }

    #[test]
    fn a_table_that_cannot_grow_keeps_its_size() {
        let mut table = table(3).unwrap();
        let entry = TtEntry { m: Move::NONE, score: Score::DRAW, bound: Bound::Exact, depth: 3, eval: None, pv: false };
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
