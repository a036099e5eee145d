//! Distinct positions of many games, at most as many as asked for, chosen at random while they are read.

use super::sample::Sample;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

/// Where a position stands; positions are handed out in this order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub source: usize,
    pub path: Arc<Path>,
    pub game: usize,
    pub position: usize,
}

/// How positions are chosen.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub limit: Option<usize>,
    pub seed: u64,
}

/// The positions chosen so far. Each position draws a number from its board and the seed, and the lowest numbers stay. So the
/// choice does not depend on the order of reading, a position that comes again is known by its number, and no more than the
/// limit is kept.
#[derive(Debug, Default)]
pub struct Reservoir {
    chosen: BTreeMap<u64, (Place, Sample)>,
    pub games: usize,
    /// Positions that came again while they were chosen.
    pub repeated: usize,
}

impl Reservoir {
    /// Offers a position. Of one that comes again the first place counts.
    pub fn add(&mut self, choice: Choice, place: Place, sample: Sample) {
        let mut hasher = DefaultHasher::new();
        let counters = sample.fen.match_indices(' ').nth(3).map_or(sample.fen.len(), |(end, _)| end);
        (choice.seed, &sample.fen[..counters]).hash(&mut hasher);
        self.insert(choice, hasher.finish(), place, sample);
    }

    /// Adds the positions of another.
    pub fn merge(&mut self, choice: Choice, mut other: Reservoir) {
        if other.chosen.len() > self.chosen.len() {
            std::mem::swap(self, &mut other);
        }
        self.games += other.games;
        self.repeated += other.repeated;
        for (number, (place, sample)) in other.chosen {
            self.insert(choice, number, place, sample);
        }
    }

    fn insert(&mut self, choice: Choice, number: u64, place: Place, sample: Sample) {
        match self.chosen.entry(number) {
            Entry::Vacant(entry) => {
                entry.insert((place, sample));
            }
            Entry::Occupied(mut entry) => {
                self.repeated += 1;
                if place < entry.get().0 {
                    entry.insert((place, sample));
                }
            }
        }
        if choice.limit.is_some_and(|limit| self.chosen.len() > limit) {
            self.chosen.pop_last();
        }
    }

    /// The positions in the order of their places, games and files numbered from 0.
    pub fn into_samples(self) -> Vec<Sample> {
        let mut chosen: Vec<_> = self.chosen.into_values().collect();
        chosen.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let (mut games, mut files) = (0, 0);
        let mut last: Option<Place> = None;
        let number = |(place, sample): (Place, Sample)| {
            let of_game = |place: &Place| (place.source, place.path.clone(), place.game);
            if last.as_ref().is_some_and(|last| of_game(last) != of_game(&place)) {
                games += 1;
            }
            if last.as_ref().is_some_and(|last| last.path != place.path) {
                files += 1;
            }
            last = Some(place);
            Sample { game: games, file: files, ..sample }
        };
        chosen.into_iter().map(number).collect()
    }
}
