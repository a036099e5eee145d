//! Memory of the transposition table. All `unsafe` code of the search is in this file and in `system_memory`.

use std::alloc::{Layout, alloc, dealloc};
use std::mem::MaybeUninit;
use std::num::NonZero;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;
use std::thread;

/// Entries of a cluster.
pub const SLOTS: usize = 4;

/// One entry in two words. The lower sixteen bits of the position's key stand in the second word, exclusive-or'ed with
/// all parts of the first: words of different entries, torn apart by threads, do not match.
///
/// First word: `P` 32 bits, `D` 16 bits, move 16 bits. Second word: check 16 bits, wilo 16, draw 16, depth 8,
/// generation 5, pv 1, bound 2.
pub struct Slot {
    /// First word.
    pub first: AtomicU64,
    /// Second word.
    pub second: AtomicU64,
}

/// The entries of one cache line.
#[repr(align(64))]
pub struct Cluster(pub [Slot; SLOTS]);

/// Memory of the table on large pages, which save most of the address translation of random probes.
pub struct Clusters {
    start: NonNull<Cluster>,
    count: usize,
}

// SAFETY: the memory belongs to this value alone, and clusters are atomic integers.
unsafe impl Send for Clusters {}
// SAFETY: as above; shared access is by atomics only.
unsafe impl Sync for Clusters {}

/// Bytes up to which one thread clears the table.
const CLEARED_BY_ONE: usize = 64 << 20;
/// Size and alignment of large pages.
const LARGE_PAGE: usize = 2 << 20;

impl Clusters {
    fn layout(count: usize) -> Option<Layout> {
        Layout::from_size_align(count.checked_mul(size_of::<Cluster>())?, LARGE_PAGE).ok()
    }

    /// Room for `count` clusters, at least one, all empty; `None` if it cannot be had.
    pub fn new(count: usize) -> Option<Clusters> {
        let layout = Clusters::layout(count.max(1))?;
        // SAFETY: the layout has a size above zero.
        let start = NonNull::new(unsafe { alloc(layout) })?;
        // SAFETY: advice on memory just allocated; whether it is followed changes no contents.
        #[cfg(all(target_os = "linux", not(miri)))]
        unsafe {
            libc::madvise(start.as_ptr().cast(), layout.size(), libc::MADV_HUGEPAGE);
        }
        let mut clusters = Clusters { start: start.cast(), count: count.max(1) };
        clusters.clear();
        Some(clusters)
    }

    /// Empties all clusters, with several threads where there are many.
    pub fn clear(&mut self) {
        // SAFETY: the memory is allocated for this many clusters and borrowed mutably, and any bytes may be in it.
        let all =
            unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr().cast::<MaybeUninit<Cluster>>(), self.count) };
        let empty = |part: &mut [MaybeUninit<Cluster>]| part.fill_with(MaybeUninit::zeroed);
        if size_of_val(all) <= CLEARED_BY_ONE {
            return empty(all);
        }
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let part = all.len().div_ceil(threads);
        let all_started = thread::scope(|scope| {
            let start = |part| thread::Builder::new().spawn_scoped(scope, move || empty(part)).is_ok();
            // Without threads enough one empties all.
            all.chunks_mut(part).all(start)
        });
        if !all_started {
            empty(all);
        }
    }

    /// Number of clusters.
    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Fetches a cluster that is likely to be read soon.
    #[inline]
    pub fn prefetch(&self, index: usize) {
        prefetch(&self.as_slice()[index]);
    }

    /// All clusters.
    #[inline]
    pub fn as_slice(&self) -> &[Cluster] {
        // SAFETY: allocated, aligned and filled for this many clusters in `new`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.count) }
    }
}

/// Fetches a place in memory into the cache; it is likely to be read soon.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch is a hint and reads nothing; the address is that of a live reference.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

impl Drop for Clusters {
    fn drop(&mut self) {
        if let Some(layout) = Clusters::layout(self.count) {
            // SAFETY: allocated in `new` with this layout.
            unsafe { dealloc(self.start.as_ptr().cast(), layout) };
        }
    }
}
