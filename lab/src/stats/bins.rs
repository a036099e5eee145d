//! Reliability bins: predicted against observed probability.

/// Games that a bin needs to tell of the model more than of its games.
pub const MANY_GAMES: usize = 100;

use super::Clustered;
use serde::Serialize;

/// Forecasts of about the same probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Bin {
    pub positions: usize,
    /// Games that these are of.
    pub games: usize,
    pub predicted: f64,
    /// Fraction of the positions in which it happened.
    pub observed: f64,
    /// Standard error of the difference of both, over games.
    #[serde(rename = "error")]
    pub standard_error: f64,
}

impl Bin {
    /// Observed less predicted.
    pub fn distance(&self) -> f64 {
        self.observed - self.predicted
    }

    /// The distance in standard errors; 0 if there is no error.
    pub fn t_value(&self) -> f64 {
        if self.standard_error > 0.0 { self.distance() / self.standard_error } else { 0.0 }
    }

    /// 95 % interval of the observed fraction (Wilson, 1927), with as many independent observations as the error over games is
    /// worth, but no more than there are games.
    pub fn interval(&self) -> (f64, f64) {
        const Z: f64 = 1.959_964;
        let worth = self.observed * (1.0 - self.observed) / (self.standard_error * self.standard_error);
        let games = self.games as f64;
        let n = if worth > 0.0 { worth.min(games) } else { games };
        let middle = self.observed + Z * Z / (2.0 * n);
        let half = Z * (self.observed * (1.0 - self.observed) / n + Z * Z / (4.0 * n * n)).sqrt();
        let whole = 1.0 + Z * Z / n;
        ((middle - half) / whole, (middle + half) / whole)
    }
}

/// The bin of a probability among so many of equal width, at least one.
pub fn bin_of(probability: f64, count: usize) -> usize {
    ((probability * count as f64) as usize).min(count - 1)
}

/// Bins of equal width that are being filled.
#[derive(Clone, Debug)]
pub struct Bins {
    /// Sum of the predicted probabilities, and what happened less these.
    bins: Vec<(f64, Clustered)>,
}

impl Bins {
    /// So many bins, all empty; at least one.
    pub fn new(count: usize) -> Bins {
        Bins { bins: vec![(0.0, Clustered::default()); count.max(1)] }
    }

    /// Adds a forecast; those of one game must follow each other.
    pub fn add(&mut self, game: usize, probability: f64, happened: bool) {
        self.add_value(game, probability, f64::from(u8::from(happened)));
    }

    /// Adds the forecast of a value from 0 to 1, such as the points of a game.
    pub fn add_value(&mut self, game: usize, expected: f64, value: f64) {
        let place = bin_of(expected, self.bins.len());
        let (sum, residual) = &mut self.bins[place];
        *sum += expected;
        residual.add(game, value - expected);
    }

    /// The bins that are not empty, by rising probability.
    pub fn filled(&self) -> Vec<Bin> {
        let filled = self.bins.iter().filter(|(_, residual)| residual.count > 0);
        let bin = |(sum, residual): &(f64, Clustered)| {
            let predicted = sum / residual.count as f64;
            Bin {
                positions: residual.count,
                games: residual.games,
                predicted,
                observed: predicted + residual.mean(),
                standard_error: residual.standard_error(),
            }
        };
        filled.map(bin).collect()
    }
}

/// So many bins of equal numbers of forecasts, by rising probability. A forecast: its game, its probability, and whether it
/// happened.
pub fn equal_bins(mut forecasts: Vec<(usize, f64, bool)>, count: usize) -> Vec<Bin> {
    forecasts.sort_by(|a, b| a.1.total_cmp(&b.1));
    let all = forecasts.len();
    let bin = |index: usize| {
        let mut part = forecasts[index * all / count..(index + 1) * all / count].to_vec();
        part.sort_by_key(|forecast| forecast.0);
        let mut one = Bins::new(1);
        part.into_iter().for_each(|(game, probability, happened)| one.add(game, probability, happened));
        one.filled()
    };
    (0..count).flat_map(bin).collect()
}

/// Expected calibration error: mean over the positions of the distance of their bin; 0 of nothing.
pub fn calibration_error(bins: &[Bin]) -> f64 {
    let all: usize = bins.iter().map(|bin| bin.positions).sum();
    bins.iter().map(|bin| bin.distance().abs() * bin.positions as f64).sum::<f64>() / all.max(1) as f64
}

/// The bin of so many positions and games or more whose prediction is the farthest off.
pub fn worst(bins: &[Bin], positions: usize, games: usize) -> Option<&Bin> {
    let filled = bins.iter().filter(|bin| bin.positions >= positions && bin.games >= games);
    filled.max_by(|a, b| a.distance().abs().total_cmp(&b.distance().abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_their_range() {
        let mut bins = Bins::new(10);
        for (game, (probability, happened)) in
            [(0.0, false), (0.05, true), (0.5, true), (0.59, false), (0.999, true), (1.0, true)].into_iter().enumerate()
        {
            bins.add(game, probability, happened);
        }
        let filled = bins.filled();
        assert_eq!(filled.iter().map(|bin| bin.positions).collect::<Vec<_>>(), [2, 2, 2]);
        assert!((filled[1].predicted - 0.545).abs() < 1e-12 && (filled[1].observed - 0.5).abs() < 1e-12);
        let expected = (2.0 * 0.475 + 2.0 * 0.045 + 2.0 * 0.0005) / 6.0;
        assert!((calibration_error(&filled) - expected).abs() < 1e-12);
        assert_eq!(calibration_error(&[]), 0.0);
    }

    #[test]
    fn equal_bins_hold_as_many_forecasts() {
        // In any order; the likelier half happens.
        let forecasts = (0..40).map(|index| (index % 7, f64::from(index as u32 * 7 % 40) / 40.0, index * 7 % 40 >= 20));
        let bins = equal_bins(forecasts.collect(), 4);
        assert_eq!(bins.iter().map(|bin| bin.positions).collect::<Vec<_>>(), [10; 4]);
        assert_eq!(bins.iter().map(|bin| bin.games).collect::<Vec<_>>(), [7; 4]);
        assert_eq!(bins.iter().map(|bin| bin.observed.round()).collect::<Vec<_>>(), [0.0, 0.0, 1.0, 1.0]);
        assert!((bins[3].predicted - 34.5 / 40.0).abs() < 1e-12);
        assert_eq!(equal_bins(Vec::new(), 4), []);
    }

    #[test]
    fn errors_count_games_not_positions() {
        let bin = |copies: usize| {
            let mut bins = Bins::new(10);
            for game in 0..1000 {
                (0..copies).for_each(|_| bins.add(game, 0.8, game % 2 == 0));
            }
            bins.filled()[0]
        };
        let (once, twice) = (bin(1), bin(2));
        assert_eq!((once.positions, twice.positions), (1000, 2000));
        assert!((once.distance() + 0.3).abs() < 1e-9 && (twice.distance() + 0.3).abs() < 1e-9);
        assert!(
            (once.standard_error - twice.standard_error).abs() < 1e-9 && (once.standard_error - 0.0158).abs() < 1e-4,
            "{}",
            once.standard_error
        );
        assert_eq!((once.games, twice.games), (1000, 1000));
        assert!((once.interval().0 - twice.interval().0).abs() < 1e-9, "{once:?} {twice:?}");
    }

    #[test]
    fn intervals_count_games_where_all_positions_end_alike() {
        let interval = |copies: usize, happened: bool| {
            let mut bins = Bins::new(10);
            (0..20).for_each(|game| (0..copies).for_each(|_| bins.add(game, 0.9, happened)));
            bins.filled()[0].interval()
        };
        for happened in [false, true] {
            let (once, often) = (interval(1, happened), interval(30, happened));
            assert!((once.0 - often.0).abs() < 1e-9 && (once.1 - often.1).abs() < 1e-9, "{once:?} {often:?}");
        }
        // Wilson's interval of 20 of 20.
        let (low, high) = interval(30, true);
        assert!((low - 0.8389).abs() < 1e-4 && (high - 1.0).abs() < 1e-9, "{low} {high}");
    }

    #[test]
    fn the_worst_bin_is_a_filled_one() {
        let bin =
            |positions, observed| Bin { positions, games: positions, predicted: 0.5, observed, standard_error: 0.01 };
        let bins = [bin(500, 0.52), bin(299, 0.9), bin(300, 0.46)];
        assert_eq!(worst(&bins, 300, 1), Some(&bins[2]));
        assert_eq!(worst(&bins[1..2], 300, 1), None);
        assert_eq!(worst(&bins, 300, 400), Some(&bins[0]));
        assert!((bins[0].t_value() - 2.0).abs() < 1e-9);
    }

    #[test]
    fn intervals_hold_the_fraction() {
        let (low, high) =
            Bin { positions: 100, games: 100, predicted: 0.5, observed: 0.5, standard_error: 0.05 }.interval();
        assert!((low - 0.4038).abs() < 1e-3 && (high - 0.5962).abs() < 1e-3, "{low} {high}");
    }
}
