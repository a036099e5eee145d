//! Means over positions, with standard errors over games.

/// A mean of values, with its standard error. The values of one game are not independent of each other, so games are the
/// observations: with the mean `m`, and the sum `S` of the `n` values of each of `G` games, the error of the mean of
/// `N` values is `sqrt(G / (G − 1) · Σ (S − n·m)²) / N` (the cluster-robust error of Liang and Zeger, 1986).
#[derive(Clone, Copy, Debug, Default)]
pub struct Clustered {
    pub count: usize,
    pub games: usize,
    sum: f64,
    /// `Σ S²`, `Σ S·n` and `Σ n²` over all games but the last.
    moments: [f64; 3],
    last: Option<usize>,
    last_sum: f64,
    last_count: f64,
}

impl Clustered {
    /// The mean of values with their games.
    pub fn of(values: impl IntoIterator<Item = (usize, f64)>) -> Clustered {
        let mut all = Clustered::default();
        values.into_iter().for_each(|(game, value)| all.add(game, value));
        all
    }

    /// Adds a value; those of one game must follow each other.
    pub fn add(&mut self, game: usize, value: f64) {
        if self.last.replace(game) != Some(game) {
            self.moments = self.moments();
            (self.last_sum, self.last_count) = (0.0, 0.0);
            self.games += 1;
        }
        self.count += 1;
        self.sum += value;
        self.last_sum += value;
        self.last_count += 1.0;
    }

    /// Adds values of other games.
    pub fn merge(&mut self, other: &Clustered) {
        let (own, others) = (self.moments(), other.moments);
        self.moments = std::array::from_fn(|i| own[i] + others[i]);
        self.count += other.count;
        self.games += other.games;
        self.sum += other.sum;
        (self.last, self.last_sum, self.last_count) = (other.last, other.last_sum, other.last_count);
    }

    /// `Σ S²`, `Σ S·n` and `Σ n²` over all games.
    fn moments(&self) -> [f64; 3] {
        let (sum, count) = (self.last_sum, self.last_count);
        let last = [sum * sum, sum * count, count * count];
        std::array::from_fn(|i| self.moments[i] + last[i])
    }

    /// The mean; 0 of nothing.
    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    /// The mean as it is printed with so many decimals, without a negative zero.
    pub fn rounded_mean(&self, decimals: i32) -> f64 {
        let ten = 10_f64.powi(decimals);
        (self.mean() * ten).round() / ten + 0.0
    }

    /// Standard error of the mean; 0 if all values are of one game, which tells nothing of others.
    pub fn standard_error(&self) -> f64 {
        let (mean, [squares, products, counts]) = (self.mean(), self.moments());
        let spread = (squares - 2.0 * mean * products + mean * mean * counts).max(0.0);
        let games = self.games as f64;
        (spread * games / (games - 1.0).max(1.0)).sqrt() / self.count.max(1) as f64
    }

    /// The mean in standard errors; 0 if there is no error.
    pub fn t_value(&self) -> f64 {
        if self.standard_error() > 0.0 { self.mean() / self.standard_error() } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_those_of_the_sums_of_games() {
        let all = Clustered::of([(1, 1.0), (1, 1.0), (2, -1.0), (3, 0.5), (3, 0.5)]);
        assert_eq!((all.games, all.count), (3, 5));
        assert!((all.mean() - 0.4).abs() < 1e-12);
        // Sums less n times the mean: 1.2, −1.4 and 0.2.
        assert!((all.standard_error() - (3.44f64 * 3.0 / 2.0).sqrt() / 5.0).abs() < 1e-12);
        assert!((all.t_value() - all.mean() / all.standard_error()).abs() < 1e-12);
    }

    #[test]
    fn repeated_positions_of_a_game_do_not_count_as_more_games() {
        let apart = Clustered::of([(0, 1.0), (1, 3.0)]);
        let twice = Clustered::of([(0, 1.0), (0, 1.0), (1, 3.0), (1, 3.0)]);
        assert_eq!((apart.mean(), apart.standard_error()), (2.0, 1.0));
        assert!((twice.mean() - 2.0).abs() < 1e-12 && (twice.standard_error() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let values = [(1, 1.0), (1, 1.0), (2, -1.0), (3, 0.5), (3, 0.5)];
        let whole = Clustered::of(values);
        let mut parts = Clustered::of(values[..2].iter().copied());
        parts.merge(&Clustered::of(values[2..].iter().copied()));
        assert_eq!((parts.games, parts.count), (whole.games, whole.count));
        assert!(
            (parts.standard_error() - whole.standard_error()).abs() < 1e-12
                && (parts.mean() - whole.mean()).abs() < 1e-12
        );
        let little = Clustered::of([(0, -1e-6)]).rounded_mean(5);
        assert!(little == 0.0 && little.is_sign_positive());
        let mut nothing = Clustered::default();
        assert_eq!((nothing.mean(), nothing.standard_error(), nothing.t_value()), (0.0, 0.0, 0.0));
        nothing.merge(&whole);
        assert!((nothing.standard_error() - whole.standard_error()).abs() < 1e-12 && nothing.games == 3);
    }

    #[test]
    fn one_game_tells_nothing_of_others() {
        assert_eq!(Clustered::of([(7, 0.0), (7, 1.0)]).standard_error(), 0.0);
    }
}
