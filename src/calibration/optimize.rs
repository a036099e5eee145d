//! Minimising smooth functions of a few numbers.

use argmin::core::{CostFunction, Error, Executor, Gradient};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use std::cell::RefCell;

/// Steps that the solver remembers; more than there are numbers to fit.
const MEMORY: usize = 20;
const MAX_ITERATIONS: u64 = 1000;
/// The solver starts afresh as long as that gains more than this part of the value.
const RELATIVE_GAIN: f64 = 1e-12;
const MAX_STARTS: usize = 20;

/// Length of the first step of the solver, which goes down the gradient: a longer one could leave for places where
/// everything is flat.
const FIRST_STEP: f64 = 0.05;

/// A function with its gradient, which remembers its least value.
struct Remembering<'a, F> {
    function: F,
    /// What the solver sees is the function times this.
    factor: f64,
    best: &'a RefCell<(Vec<f64>, f64)>,
}

impl<F: Fn(&[f64]) -> (f64, Vec<f64>)> CostFunction for Remembering<'_, F> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, at: &Vec<f64>) -> Result<f64, Error> {
        let value = (self.function)(at).0;
        let mut best = self.best.borrow_mut();
        if value < best.1 {
            *best = (at.clone(), value);
        }
        // The line search does not understand anything else.
        Ok(if value.is_finite() { value * self.factor } else { f64::MAX.sqrt() })
    }
}

impl<F: Fn(&[f64]) -> (f64, Vec<f64>)> Gradient for Remembering<'_, F> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, at: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok((self.function)(at).1.iter().map(|slope| slope * self.factor).collect())
    }
}

/// Where a function, given with its gradient, is least, and its value there. Found downhill from `start` by L-BFGS; the
/// arguments should be of the order of one.
pub fn minimize(function: impl Fn(&[f64]) -> (f64, Vec<f64>), start: Vec<f64>) -> (Vec<f64>, f64) {
    let value = function(&start).0;
    let best = RefCell::new((start, value));
    for _ in 0..MAX_STARTS {
        let (from, before) = best.borrow().clone();
        let steepness = function(&from).1.iter().map(|slope| slope * slope).sum::<f64>().sqrt();
        if steepness == 0.0 {
            break;
        }
        let factor = FIRST_STEP / steepness;
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY);
        // The end is reached, or rounding leaves no way down: the best point is known either way.
        let _ = Executor::new(Remembering { function: &function, factor, best: &best }, solver)
            .configure(|state| state.param(from).max_iters(MAX_ITERATIONS))
            .run();
        let gain = before - best.borrow().1;
        if gain.is_nan() || gain <= RELATIVE_GAIN * before.abs() {
            break;
        }
    }
    best.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_value_of_a_curved_valley_is_found() {
        let rosenbrock = |x: &[f64]| {
            let (u, v) = (1.0 - x[0], x[1] - x[0] * x[0]);
            (u * u + 100.0 * v * v, vec![-2.0 * u - 400.0 * x[0] * v, 200.0 * v])
        };
        let (at, value) = minimize(rosenbrock, vec![-1.2, 1.0]);
        assert!(value < 1e-12 && (at[0] - 1.0).abs() < 1e-6 && (at[1] - 1.0).abs() < 1e-6, "{at:?} {value}");
    }

    #[test]
    fn a_start_at_the_end_stays() {
        let (at, value) = minimize(|x| (x[0] * x[0], vec![2.0 * x[0]]), vec![0.0]);
        assert_eq!((at, value), (vec![0.0], 0.0));
    }
}
