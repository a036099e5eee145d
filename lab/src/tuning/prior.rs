//! What is believed of the weights before the data: near the old ones or near zero, and neighbours alike.

use super::objective::WORTH_OF_RATINGS;
use super::tables::neighbours;
use super::variables::Variables;
use super::vector::{Vector, WEIGHTS};
use nalgebra::DMatrix;

/// A normal distribution around a centre: independent for each weight, with differences between neighbouring weights of
/// a table kept small besides.
pub struct Prior {
    centre: Vec<f64>,
    /// One over the variance of each parameter.
    precision: Vec<f64>,
    /// Neighbouring weights, with one over the variance of their difference.
    edges: Vec<(usize, usize, f64)>,
}

/// Standard deviation of the logarithm of a group's factor on wilo.
const FACTOR_DEVIATION: f64 = 0.5;
/// Standard deviation of what 100 Elo are worth, centipawns.
const RATINGS_DEVIATION: f64 = 100.0;
/// Standard deviation of a group's offset of the draw score, hundredths of a logit.
const OFFSET_DEVIATION: f64 = 300.0;

impl Prior {
    /// Weights within about `deviation` of `centre` (units of the vector), levels near none and ratings of little worth. With `smoothness`,
    /// neighbouring weights of a table differ by about so much from what `centre` says.
    pub fn new(vector: Vector, centre: Vec<f64>, deviation: f64, smoothness: Option<f64>) -> Prior {
        let level = match vector {
            Vector::Wilo => FACTOR_DEVIATION,
            Vector::Draw => OFFSET_DEVIATION,
        };
        let precision = |parameter: usize| {
            let deviation = match parameter {
                ..WEIGHTS => deviation,
                WORTH_OF_RATINGS => RATINGS_DEVIATION,
                _ => level,
            };
            deviation.powi(-2)
        };
        let edges = smoothness.map_or_else(Vec::new, |deviation| {
            let pairs = neighbours().flat_map(|(a, b)| [(2 * a, 2 * b), (2 * a + 1, 2 * b + 1)]);
            pairs.map(|(a, b)| (a, b, deviation.powi(-2))).collect()
        });
        Prior { precision: (0..centre.len()).map(precision).collect(), centre, edges }
    }

    /// The weights that it pulls towards.
    pub fn centre(&self) -> &[f64] {
        &self.centre
    }

    /// Its part of the loss, in nats.
    pub fn loss(&self, parameters: &[f64]) -> f64 {
        let away = |i: usize| parameters[i] - self.centre[i];
        let of_weights = self.precision.iter().enumerate().map(|(i, precision)| 0.5 * precision * away(i).powi(2));
        let of_edges = self.edges.iter().map(|&(i, j, precision)| 0.5 * precision * (away(i) - away(j)).powi(2));
        of_weights.sum::<f64>() + of_edges.sum::<f64>()
    }

    /// Adds its gradient to that of the data.
    pub fn add_gradient(&self, parameters: &[f64], gradient: &mut [f64]) {
        let away = |i: usize| parameters[i] - self.centre[i];
        for (i, &precision) in self.precision.iter().enumerate() {
            gradient[i] += precision * away(i);
        }
        for &(i, j, precision) in &self.edges {
            let difference = away(i) - away(j);
            gradient[i] += precision * difference;
            gradient[j] -= precision * difference;
        }
    }

    /// Its Hessian in terms of the variables.
    pub fn hessian(&self, variables: &Variables) -> DMatrix<f64> {
        let mut hessian = DMatrix::zeros(variables.len(), variables.len());
        let mut add = |i: usize, j: usize, value: f64| {
            if let (Some(i), Some(j)) = (variables.of(i), variables.of(j)) {
                hessian[(i, j)] += value;
            }
        };
        for (i, &precision) in self.precision.iter().enumerate() {
            add(i, i, precision);
        }
        for &(i, j, precision) in &self.edges {
            add(i, i, precision);
            add(j, j, precision);
            add(i, j, -precision);
            add(j, i, -precision);
        }
        hessian
    }
}
