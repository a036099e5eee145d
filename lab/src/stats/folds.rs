//! Cross-validation and resampling by whole games.

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeSet;

/// The fold, from 0, of each of `count` things: at random, and all folds as large as each other.
pub fn assign_folds(count: usize, folds: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.shuffle(&mut StdRng::seed_from_u64(seed));
    let mut fold_of = vec![0; count];
    for (rank, &thing) in order.iter().enumerate() {
        fold_of[thing] = rank % folds.max(1);
    }
    fold_of
}

/// Which game each position is of.
#[derive(Clone, Debug)]
pub struct Games {
    /// The games of the positions, numbered from 0 without gaps.
    of: Vec<usize>,
    count: usize,
}

impl Games {
    /// From the number of each position's game.
    pub fn new(numbers: impl IntoIterator<Item = usize>) -> Games {
        let numbers: Vec<usize> = numbers.into_iter().collect();
        let distinct: Vec<usize> = numbers.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let of = numbers.iter().map(|number| distinct.partition_point(|other| other < number)).collect();
        Games { of, count: distinct.len() }
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// The fold, from 0, in which each position is held out. Folds are of equal numbers of games.
    pub fn folds(&self, count: usize, seed: u64) -> Vec<usize> {
        let fold_of = assign_folds(self.count, count, seed);
        self.of.iter().map(|&game| fold_of[game]).collect()
    }

    /// As many games as there are, drawn at random with repetition (the bootstrap): how often each position counts.
    pub fn resample(&self, random: &mut StdRng) -> Vec<f64> {
        let mut times = vec![0.0; self.count];
        for _ in 0..self.count {
            times[random.random_range(0..self.count)] += 1.0;
        }
        self.of.iter().map(|&game| times[game]).collect()
    }
}

/// Predictions for each position by what was fitted to the folds that it is not in. `folds` has the fold of each.
pub fn cross_validate<F, P: Clone + Default>(
    folds: &[usize],
    fit: impl Fn(&[usize]) -> F,
    predict: impl Fn(&F, usize) -> P,
) -> Vec<P> {
    let mut predictions = vec![P::default(); folds.len()];
    for fold in folds.iter().copied().collect::<BTreeSet<_>>() {
        let (held_out, rest): (Vec<_>, Vec<_>) = (0..folds.len()).partition(|&index| folds[index] == fold);
        let fitted = fit(&rest);
        for index in held_out {
            predictions[index] = predict(&fitted, index);
        }
    }
    predictions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_are_as_large_as_each_other() {
        let part = assign_folds(11, 3, 7);
        let mut sizes = [0, 1, 2].map(|fold| part.iter().filter(|&&other| other == fold).count());
        sizes.sort_unstable();
        assert_eq!(sizes, [3, 4, 4]);
        assert_eq!(part, assign_folds(11, 3, 7));
        assert_ne!(part, assign_folds(11, 3, 8));
    }

    #[test]
    fn games_stay_whole() {
        let numbers = [9, 9, 2, 5, 5, 5, 2, 40];
        let games = Games::new(numbers);
        assert_eq!(games.count(), 4);
        let (folds, times) = (games.folds(2, 7), games.resample(&mut StdRng::seed_from_u64(1)));
        for (i, a) in numbers.iter().enumerate() {
            for (j, _) in numbers.iter().enumerate().filter(|(_, b)| a == *b) {
                assert_eq!((folds[i], times[i]), (folds[j], times[j]));
            }
        }
        assert!((0..2).all(|fold| folds.contains(&fold)));
        // As many games are drawn as there are.
        let drawn: f64 = [0, 2, 3, 7].map(|first| times[first]).iter().sum();
        assert_eq!(drawn, 4.0);
    }

    #[test]
    fn nothing_is_predicted_by_itself() {
        let folds = [0, 1, 0, 2, 1];
        let seen = cross_validate(&folds, <[usize]>::to_vec, |rest, index| (rest.contains(&index), rest.len()));
        assert_eq!(seen, [(false, 3), (false, 3), (false, 3), (false, 4), (false, 3)]);
    }
}
