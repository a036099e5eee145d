//! Distances that are computed, as their table is missing or damaged.

use super::construction::{Construction, Distances, Progress};
use super::slice::Slice;
use crate::clock;
use crate::position::Position;
use shakmaty_syzygy::Wdl;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use std::time::Duration;

/// Most slices that are kept; the largest has eight megabytes.
const KEPT: usize = 8;

/// Computed distances, and those on the way.
#[derive(Default)]
pub struct ComputedDistances {
    complete: RwLock<Vec<Distances>>,
    on_the_way: Mutex<OnTheWay>,
}

#[derive(Default)]
struct OnTheWay {
    construction: Option<Construction>,
    /// Slices that lead to tables which are missing.
    impossible: Vec<Slice>,
}

impl ComputedDistances {
    /// The distance of a position, see [`Distances::of`], if it has been computed.
    pub fn of(&self, position: &Position) -> Option<i32> {
        let complete = self.complete.read().unwrap_or_else(PoisonError::into_inner);
        complete.iter().find_map(|distances| distances.of(position))
    }

    /// Computes the distances of the slice of a position, or goes on with it, as long as it may. `wdl` looks up positions
    /// after a capture or a pawn move.
    pub fn prepare(&self, position: &Position, wdl: &dyn Fn(&Position) -> Option<Wdl>, may_go_on: &dyn Fn() -> bool) {
        let Some((slice, _)) = Slice::of(position) else { return };
        let Some(mut on_the_way) = self.wait(may_go_on) else { return };
        if self.of(position).is_some() || on_the_way.impossible.contains(&slice) {
            return;
        }
        let begun = on_the_way.construction.take().filter(|construction| *construction.slice() == slice);
        let mut construction = begun.unwrap_or_else(|| Construction::new(slice));
        match construction.advance(wdl, may_go_on) {
            Progress::Interrupted => on_the_way.construction = Some(construction),
            Progress::Impossible => on_the_way.impossible.push(construction.slice().clone()),
            Progress::Complete => {
                let mut complete = self.complete.write().unwrap_or_else(PoisonError::into_inner);
                if complete.len() == KEPT {
                    complete.remove(0);
                }
                complete.push(construction.into_distances());
            }
        }
    }

    /// Waits for another thread that computes.
    fn wait(&self, may_go_on: &dyn Fn() -> bool) -> Option<MutexGuard<'_, OnTheWay>> {
        loop {
            match self.on_the_way.try_lock() {
                Ok(guard) => return Some(guard),
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if may_go_on() => clock::pause(Duration::from_millis(1)),
                Err(TryLockError::WouldBlock) => return None,
            }
        }
    }
}
