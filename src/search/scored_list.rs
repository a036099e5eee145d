//! Moves with scores, taken best first.

use crate::position::Move;
use arrayvec::ArrayVec;
use wide::{CmpGt, i64x4};

/// A move below its score in one number, so that the order of numbers is that of scores.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scored(i64);

impl Scored {
    /// Below every move.
    pub const LEAST: Scored = Scored(i64::MIN);
    /// Above every move.
    const MOST: Scored = Scored(i64::MAX);

    /// A move with its score.
    #[inline]
    pub fn new(m: Move, score: i32) -> Scored {
        Scored(i64::from(score) << 16 | i64::from(m.bits()))
    }

    /// The score.
    #[inline]
    pub fn score(self) -> i32 {
        (self.0 >> 16) as i32
    }

    /// The move.
    #[inline]
    pub fn m(self) -> Move {
        Move::from_bits(self.0 as u16)
    }
}

/// Moves that are taken from the highest score down. A move that was taken stays in its place: the next one is the highest
/// below it, which is found without branches, several comparisons at a time.
pub struct ScoredList {
    moves: ArrayVec<Scored, 320>,
    /// The highest of all, so that the first is taken without a look at what was only just written.
    highest: Scored,
    /// The move taken last.
    last: Scored,
}

impl ScoredList {
    /// Comparisons at a time.
    const LANES: usize = 4;

    /// An empty list.
    #[inline]
    pub fn new() -> ScoredList {
        ScoredList { moves: ArrayVec::new(), highest: Scored::LEAST, last: Scored::MOST }
    }

    /// Empties the list.
    #[inline]
    pub fn clear(&mut self) {
        self.moves.clear();
        self.highest = Scored::LEAST;
        self.last = Scored::MOST;
    }

    /// Adds a move.
    #[inline]
    pub fn push(&mut self, scored: Scored) {
        self.highest = self.highest.max(scored);
        self.moves.push(scored);
    }

    /// Makes the length a multiple of the lanes.
    #[inline]
    pub fn pad(&mut self) {
        while self.moves.len() % ScoredList::LANES > 0 {
            self.moves.push(Scored::LEAST);
        }
    }

    /// Adds moves.
    #[inline]
    pub fn extend(&mut self, moves: impl Iterator<Item = Scored>) {
        for scored in moves {
            self.push(scored);
        }
    }

    /// The move with the highest score of those that have not been taken. The list is padded.
    #[inline(always)]
    pub fn take_best(&mut self) -> Option<Scored> {
        let last = self.last;
        if last == Scored::MOST {
            self.last = self.highest;
            return (self.last != Scored::LEAST).then_some(self.last);
        }
        let (limit, least) = (i64x4::splat(last.0), i64x4::splat(Scored::LEAST.0));
        let best = self.moves.as_chunks().0.iter().fold(least, |best, group: &[Scored; ScoredList::LANES]| {
            let group = i64x4::new(group.map(|scored| scored.0));
            (limit.cmp_gt(group) & group.cmp_gt(best)).blend(group, best)
        });
        let [a, b, c, d] = best.to_array();
        self.last = Scored(a.max(c).max(b.max(d)));
        (self.last != Scored::LEAST).then_some(self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn moves_come_from_the_highest_score_down(lists in prop::collection::vec(prop::collection::btree_map(any::<u16>(), -99_999..99_999i32, 0..60), 1..3)) {
            let mut list = ScoredList::new();
            for moves in lists {
                list.clear();
                let mut expected: Vec<_> = moves.iter().map(|(&m, &score)| Scored::new(Move::from_bits(m), score)).collect();
                let half = expected.len() / 2;
                expected[..half].iter().for_each(|&scored| list.push(scored));
                list.extend(expected[half..].iter().copied());
                list.pad();
                expected.sort_unstable_by(|a, b| b.cmp(a));
                let taken: Vec<_> = std::iter::from_fn(|| list.take_best()).collect();
                prop_assert!(taken == expected);
                prop_assert!(list.take_best().is_none());
            }
        }
    }
}
