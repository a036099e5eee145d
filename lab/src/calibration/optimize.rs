//! Minimising smooth functions of a few numbers.

use argmin::core::{CostFunction, Error, Executor, Gradient, State, TerminationReason};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use std::cell::RefCell;

/// Steps that the solver remembers; more than there are numbers to fit.
const MEMORY: usize = 20;
const MAX_ITERATIONS: u64 = 1000;
/// Length of the first step of the solver, which goes down the gradient: a longer one could leave for places where
/// everything is flat.
const FIRST_STEP: f64 = 0.05;
/// Length of the gradient at which the end is reached; it is [`FIRST_STEP`] at the start.
const GRADIENT_TOLERANCE: f64 = 1e-9;
/// Change of the value at which the end is reached.
const VALUE_TOLERANCE: f64 = 1e-14;
/// A solver that broke off starts afresh as long as that gains more than this part of the value.
const RELATIVE_GAIN: f64 = 1e-10;
const MAX_STARTS: usize = 20;

/// A place with the value and the gradient there.
#[derive(Clone)]
struct Point {
    at: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
}

/// A function with its gradient that remembers where it was least, and where it was asked last.
struct Remembering<'a, F> {
    function: &'a F,
    /// What the solver sees is the function times this.
    factor: f64,
    best: &'a RefCell<Point>,
    last: RefCell<Point>,
}

fn point(function: &impl Fn(&[f64]) -> (f64, Vec<f64>), at: &[f64]) -> Point {
    let (value, gradient) = function(at);
    Point { at: at.to_owned(), value, gradient }
}

impl<F: Fn(&[f64]) -> (f64, Vec<f64>)> Remembering<'_, F> {
    fn ask<T>(&self, at: &[f64], read: impl Fn(&Point) -> T) -> T {
        if self.last.borrow().at != at {
            let found = point(self.function, at);
            if found.value < self.best.borrow().value {
                self.best.replace(found.clone());
            }
            self.last.replace(found);
        }
        read(&self.last.borrow())
    }
}

impl<F: Fn(&[f64]) -> (f64, Vec<f64>)> CostFunction for Remembering<'_, F> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, at: &Vec<f64>) -> Result<f64, Error> {
        let value = self.ask(at, |point| point.value);
        // The line search does not understand anything but numbers.
        Ok(if value.is_finite() { value * self.factor } else { f64::MAX.sqrt() })
    }
}

impl<F: Fn(&[f64]) -> (f64, Vec<f64>)> Gradient for Remembering<'_, F> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, at: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(self.ask(at, |point| point.gradient.iter().map(|slope| slope * self.factor).collect()))
    }
}

/// Where a function, given with its gradient, is least, and its value there. Found downhill from `start` by L-BFGS; the
/// arguments should be of the order of one.
pub fn minimize(function: impl Fn(&[f64]) -> (f64, Vec<f64>), start: &[f64]) -> (Vec<f64>, f64) {
    let best = RefCell::new(point(&function, start));
    for _ in 0..MAX_STARTS {
        let from = best.borrow().clone();
        let steepness = from.gradient.iter().map(|slope| slope * slope).sum::<f64>().sqrt();
        if steepness == 0.0 {
            break;
        }
        let problem = Remembering {
            function: &function,
            factor: FIRST_STEP / steepness,
            best: &best,
            last: RefCell::new(from.clone()),
        };
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY)
            .with_tolerance_grad(GRADIENT_TOLERANCE)
            .and_then(|solver| solver.with_tolerance_cost(VALUE_TOLERANCE));
        let result = solver.and_then(|solver| {
            Executor::new(problem, solver).configure(|state| state.param(from.at).max_iters(MAX_ITERATIONS)).run()
        });
        let reason = result.ok().and_then(|result| result.state().get_termination_reason().cloned());
        // A line search that broke off is no loss: the best point is known.
        let gain = from.value - best.borrow().value;
        if reason == Some(TerminationReason::SolverConverged) || gain <= RELATIVE_GAIN * from.value.abs() {
            break;
        }
    }
    let Point { at, value, .. } = best.into_inner();
    (at, value)
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
        let (at, value) = minimize(rosenbrock, &[-1.2, 1.0]);
        assert!(value < 1e-12 && (at[0] - 1.0).abs() < 1e-6 && (at[1] - 1.0).abs() < 1e-6, "{at:?} {value}");
    }

    #[test]
    fn a_start_at_the_end_stays() {
        let (at, value) = minimize(|x| (x[0] * x[0], vec![2.0 * x[0]]), &[0.0]);
        assert_eq!((at, value), (vec![0.0], 0.0));
    }
}
