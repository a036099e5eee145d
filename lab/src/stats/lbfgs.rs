//! L-BFGS: minimising smooth functions by their gradients, with the solver of `argmin`.

use argmin::core::{CostFunction, Error, Executor, Gradient};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use std::cell::{Cell, RefCell};

/// Arguments of a function with its value and gradient there.
#[derive(Clone, Debug)]
pub struct Point {
    pub x: Vec<f64>,
    pub value: f64,
    pub gradient: Vec<f64>,
}

impl Point {
    /// Length of the gradient.
    pub fn gradient_norm(&self) -> f64 {
        dot(&self.gradient, &self.gradient).sqrt()
    }

    /// Whether it is nearer to the end: by its value or, where rounding hides a difference, by its gradient.
    fn is_better_than(&self, other: &Point, noise: f64) -> bool {
        let gain = other.value - self.value;
        if gain.abs() > noise * other.value.abs() { gain > 0.0 } else { self.gradient_norm() < other.gradient_norm() }
    }
}

/// How to go down, and when to stop.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Length of the gradient at which the end is reached.
    pub tolerance: f64,
    pub iterations: usize,
    /// Length of the first step, which goes down the gradient; as long as the gradient if missing.
    pub first_step: Option<f64>,
    /// Rounding error of a value, as a part of it. Within that only gradients tell points apart.
    pub noise: f64,
}

/// Steps that the solver remembers.
const MEMORY: usize = 12;
/// Starts at most: a line search that breaks off loses what the solver remembers of the curvature.
const STARTS: usize = 20;

/// Goes down from `start`. Returns the start and each better point that was found; the last is the best but for rounding.
pub fn minimize(function: impl FnMut(&[f64]) -> (f64, Vec<f64>), start: &[f64], rules: Rules) -> Vec<Point> {
    let problem = Problem::new(function, start, rules.noise);
    for _ in 0..STARTS {
        let (from, found) = problem.best();
        let (norm, left) = (from.gradient_norm(), rules.iterations.saturating_sub(found));
        // False, too, for a gradient that is no number.
        let goes_on = norm > rules.tolerance && left > 0;
        if !goes_on {
            return problem.points.into_inner();
        }
        problem.factor.set(rules.first_step.map_or(1.0, |length| length / norm));
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY);
        let solver = solver.with_tolerance_grad(rules.tolerance * problem.factor.get());
        if let Ok(solver) = solver.and_then(|solver| solver.with_tolerance_cost(0.0)) {
            let executor = Executor::new(&problem, solver)
                .configure(|state| state.param(from.x.clone()).max_iters(left as u64))
                .timer(false);
            // An error of the line search is no loss: the problem knows how far it came.
            drop(executor.run());
        }
        if from.value - problem.best().0.value <= rules.noise * from.value.abs() {
            break;
        }
    }
    // Where values no longer tell points apart, gradients still do.
    let (mut end, mut found) = problem.best();
    while found < rules.iterations && end.gradient_norm() > rules.tolerance {
        let x: Vec<f64> = end.x.iter().zip(&end.gradient).map(|(value, slope)| value - slope).collect();
        let next = problem.evaluate(&x);
        // False, too, for a gradient that is no number.
        let gains = next.gradient_norm() <= end.gradient_norm() / 2.0;
        if !gains {
            break;
        }
        problem.points.borrow_mut().push(next.clone());
        (end, found) = (next, found + 1);
    }
    problem.points.into_inner()
}

/// A function as the solver sees it: value and gradient of a point are asked for one by one.
struct Problem<F> {
    function: RefCell<F>,
    /// The start and each better point.
    points: RefCell<Vec<Point>>,
    last: RefCell<Point>,
    noise: f64,
    /// The solver sees values and gradients times this.
    factor: Cell<f64>,
}

impl<F: FnMut(&[f64]) -> (f64, Vec<f64>)> Problem<F> {
    fn new(mut function: F, start: &[f64], noise: f64) -> Problem<F> {
        let (value, gradient) = function(start);
        let start = Point { x: start.to_vec(), value, gradient };
        let (points, last) = (RefCell::new(vec![start.clone()]), RefCell::new(start));
        Problem { function: RefCell::new(function), points, last, noise, factor: Cell::new(1.0) }
    }

    /// The best point so far, and how many were found after the start.
    fn best(&self) -> (Point, usize) {
        let points = self.points.borrow();
        (points[points.len() - 1].clone(), points.len() - 1)
    }

    fn evaluate(&self, x: &[f64]) -> Point {
        let (value, gradient) = (self.function.borrow_mut())(x);
        Point { x: x.to_vec(), value, gradient }
    }

    fn at(&self, x: &[f64]) -> Point {
        let mut last = self.last.borrow_mut();
        if last.x != x {
            *last = self.evaluate(x);
            if last.is_better_than(&self.best().0, self.noise) {
                self.points.borrow_mut().push(last.clone());
            }
        }
        last.clone()
    }
}

impl<F: FnMut(&[f64]) -> (f64, Vec<f64>)> CostFunction for &Problem<F> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, Error> {
        let value = self.at(x).value;
        // The line search does not understand anything but numbers.
        Ok(if value.is_finite() { value * self.factor.get() } else { f64::MAX.sqrt() })
    }
}

impl<F: FnMut(&[f64]) -> (f64, Vec<f64>)> Gradient for &Problem<F> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let factor = self.factor.get();
        Ok(self.at(x).gradient.iter().map(|slope| slope * factor).collect())
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Rules = Rules { tolerance: 1e-10, iterations: 500, first_step: None, noise: 1e-14 };

    fn end(function: impl FnMut(&[f64]) -> (f64, Vec<f64>), start: &[f64], rules: Rules) -> Point {
        minimize(function, start, rules).pop().unwrap()
    }

    #[test]
    fn the_least_value_of_a_curved_valley_is_found() {
        let rosenbrock = |x: &[f64]| {
            let (u, v) = (1.0 - x[0], x[1] - x[0] * x[0]);
            (u * u + 100.0 * v * v, vec![-2.0 * u - 400.0 * x[0] * v, 200.0 * v])
        };
        for first_step in [None, Some(0.05)] {
            let end = end(rosenbrock, &[-1.2, 1.0], Rules { first_step, ..RULES });
            assert!(end.value < 1e-16 && (end.x[0] - 1.0).abs() < 1e-8, "{end:?}");
        }
    }

    #[test]
    fn a_round_bowl_takes_a_step() {
        let bowl = |x: &[f64]| (0.5 * dot(x, x) + 7e3, x.to_vec());
        let points = minimize(bowl, &[3.0, -4.0, 12.0], RULES);
        assert_eq!((points.len(), points[1].gradient_norm()), (2, 0.0));
    }

    #[test]
    fn a_start_at_the_end_stays() {
        let points = minimize(|x| (x[0] * x[0], vec![2.0 * x[0]]), &[0.0], RULES);
        assert_eq!((points.len(), points[0].value), (1, 0.0));
    }

    #[test]
    fn steps_keep_off_where_there_is_no_value() {
        // ln of what is below zero is no number.
        let function = |x: &[f64]| (x[0] - x[0].ln(), vec![1.0 - 1.0 / x[0]]);
        let end = end(function, &[0.01], RULES);
        assert!((end.x[0] - 1.0).abs() < 1e-9, "{end:?}");
    }

    #[test]
    fn gradients_lead_on_where_rounding_hides_values() {
        let function = |x: &[f64]| {
            let value = 1e9 + x.iter().zip([1.0, 3.0, 0.4]).map(|(x, c)| c * x * x).sum::<f64>();
            (value, x.iter().zip([2.0, 6.0, 0.8]).map(|(x, c)| c * x).collect())
        };
        let end = end(function, &[1.0, 1.0, 1.0], Rules { noise: 1e-11, tolerance: 1e-9, ..RULES });
        assert!(end.gradient_norm() < 1e-9, "{end:?}");
    }

    #[test]
    fn a_slope_without_end_is_left_in_time() {
        let points = minimize(|x| ((-x[0]).exp(), vec![-(-x[0]).exp()]), &[0.0], Rules { iterations: 30, ..RULES });
        assert!(points.len() <= 31 && points[points.len() - 1].value < 1e-6);
    }
}
