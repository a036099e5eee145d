//! A solved vector: its optimum, how sure it is, and its losses.

use super::solve::Solution;
use super::uncertainty::Uncertainty;

/// One vector's solution with its losses.
pub struct Fit {
    pub solution: Solution,
    /// Standard deviation of the prior that was used.
    pub deviation: f64,
    pub uncertainty: Uncertainty,
    /// The parameters with whole numbers for weights.
    pub rounded: Vec<f64>,
    /// Mean loss on training, validation and test at the optimum.
    pub losses: [f64; 3],
    /// The same with whole numbers for weights.
    pub losses_rounded: [f64; 3],
    /// Number of positions, training, validation and test.
    pub positions: [usize; 3],
    pub others: Vec<Other>,
}

/// How far a solution from a random start is from that of the fit.
#[derive(Clone, Copy, Debug)]
pub struct Other {
    /// Difference in loss a training position, with the prior, nats.
    pub loss: f64,
    /// The largest difference of a weight before rounding, units of the vector.
    pub weight: f64,
    pub converged: bool,
}
