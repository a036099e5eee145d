//! The solver: L-BFGS in variables scaled by the Hessian.
//!
//! The parameters differ in scale by orders of magnitude and hang together (the values of all squares of a knight are
//! as good as the value of a knight), so plain gradients converge slowly. The Hessian of a sample of games, with its
//! diagonal corrected to that of all positions, has a Cholesky factor in whose terms the loss is nearly round: L-BFGS
//! then takes a step or two for each further digit. In these terms the length of the gradient is the distance to the
//! optimum in standard deviations, which makes a plain rule for when to stop.

use super::objective::{Information, Objective};
use super::prior::Prior;
use super::variables::{Variables, knot_pairs, revise_joined};
use argmin::core::observers::{Observe, ObserverMode};
use argmin::core::{self, CostFunction, Executor, Gradient, IterState, KV, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use faer::linalg::solvers::Llt;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Col, Mat, Par, Side};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Length of the gradient in scaled variables: no weight is further from its optimum than this many of its standard
    /// errors.
    pub tolerance: f64,
    /// Most iterations over all positions.
    pub iterations: usize,
}

/// A point on the way to the optimum.
#[derive(Clone, Debug)]
pub struct Step {
    /// The parameters.
    pub parameters: Vec<f64>,
    /// Mean loss of the positions that the iteration looked at, nats.
    pub loss: f64,
    /// Whether these were a sample only.
    pub sampled: bool,
}

/// An optimum.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The parameters.
    pub parameters: Vec<f64>,
    /// What was free to change.
    pub variables: Variables,
    /// Loss of the positions and of the prior, nats.
    pub loss: f64,
    /// Length of the gradient there, in scaled variables.
    pub gradient: f64,
    /// Whether that is below the tolerance.
    pub converged: bool,
    /// Every iteration.
    pub steps: Vec<Step>,
    /// Passes over all positions: each gives a loss with its gradient, or a part of the Hessian.
    pub passes: usize,
    /// How long it took.
    pub time: Duration,
}

/// Positions that the Hessian is made from.
const HESSIAN_POSITIONS: usize = 100_000;
/// Share of the positions that a first solution is sought on, if there are many.
const SAMPLE_SHARE: usize = 16;
/// Positions below which no sample is taken.
const FEW_POSITIONS: usize = 400_000;
/// Steps that L-BFGS remembers.
const MEMORY: usize = 12;
/// Iterations after which the Hessian is made anew.
const ROUND: usize = 10;
/// The gradient shrinks so far in a round before the Hessian is made anew.
const ROUND_GAIN: f64 = 1e-3;
/// Tolerance on the sample, where the optimum is another than that of all positions.
const SAMPLE_TOLERANCE: f64 = 1.0;
/// Rounding error of a loss, as a part of it.
const LOSS_NOISE: f64 = 1e-11;

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the weights are not determined by data and prior; a prior with a smaller deviation holds them")]
pub struct Undetermined;

/// Finds the optimum of `objective` with `prior`, from `start`. The knots of the draw vector end up never rising.
///
/// # Errors
///
/// [`Undetermined`] if the Hessian has no Cholesky factor.
pub fn solve(
    objective: Objective,
    prior: &Prior,
    variables: &Variables,
    start: &[f64],
    limits: Limits,
    progress: &mut dyn FnMut(&str),
) -> Result<Solution, Undetermined> {
    let began = Instant::now();
    let mut steps = Vec::new();
    let mut parameters = start.to_vec();
    if objective.positions() > FEW_POSITIONS {
        let blocks = &objective.blocks[..objective.blocks.len().div_ceil(SAMPLE_SHARE)];
        let coarse = Limits { tolerance: SAMPLE_TOLERANCE, ..limits };
        let mut run = Run::new(objective.over(blocks), prior, variables, coarse);
        parameters = run.descend(&parameters, progress)?.0;
        steps = run.steps;
        steps.iter_mut().for_each(|step| step.sampled = true);
    }
    let mut joined = Vec::new();
    let mut passes = 0;
    loop {
        let variables = variables.join(&joined);
        let mut run = Run::new(objective, prior, &variables, limits);
        let (found, gradient) = run.descend(&parameters, progress)?;
        parameters = found;
        let (mut loss, mut slopes) = objective.gradient(&parameters);
        loss += prior.add_gradient(&parameters, &mut slopes);
        passes += run.passes + 1;
        steps.append(&mut run.steps);
        match revise_joined(&joined, &parameters, &slopes).filter(|_| steps.len() < limits.iterations) {
            Some(next) => {
                progress(&format!("{} of {} pairs of knots held together", next.len(), knot_pairs().count()));
                joined = next;
            }
            None => {
                let converged = gradient <= limits.tolerance;
                let time = began.elapsed();
                return Ok(Solution { parameters, variables, loss, gradient, converged, steps, passes, time });
            }
        }
    }
}

/// Scales what a sample of games tells so that the diagonal of the Hessian is that of all positions.
pub fn correct(information: &mut Information, objective: Objective, variables: &Variables, parameters: &[f64]) {
    let Information { hessian, variation } = information;
    let diagonal = variables.gather(&objective.diagonal(parameters));
    // What several parameters follow has more to it than their diagonals.
    let alone = variables.gather(&vec![1.0; parameters.len()]);
    let scale: Vec<f64> = (0..variables.len())
        .map(|i| if alone[i] == 1.0 && hessian[(i, i)] > 0.0 { (diagonal[i] / hessian[(i, i)]).sqrt() } else { 1.0 })
        .collect();
    for j in 0..variables.len() {
        for i in 0..variables.len() {
            hessian[(i, j)] *= scale[i] * scale[j];
            variation[(i, j)] *= scale[i] * scale[j];
        }
        hessian[(j, j)] = hessian[(j, j)].max(diagonal[j]);
    }
}

/// One descent with fixed variables.
struct Run<'a> {
    objective: Objective<'a>,
    prior: &'a Prior,
    variables: &'a Variables,
    limits: Limits,
    passes: usize,
    steps: Vec<Step>,
}

impl<'a> Run<'a> {
    fn new(objective: Objective<'a>, prior: &'a Prior, variables: &'a Variables, limits: Limits) -> Run<'a> {
        Run { objective, prior, variables, limits, passes: 0, steps: Vec::new() }
    }

    /// The optimum and the length of the gradient there.
    fn descend(
        &mut self,
        start: &[f64],
        progress: &mut dyn FnMut(&str),
    ) -> Result<(Vec<f64>, f64), Undetermined> {
        let mut parameters = start.to_vec();
        // What is held together must start together.
        self.variables.spread(&self.variables.values(start), &mut parameters);
        loop {
            let began = Instant::now();
            let scaled = Scaled::new(self, parameters)?;
            let (end, iterations) = scaled.descend(self.limits);
            parameters = scaled.parameters(&end.place);
            self.passes += scaled.passes.load(Ordering::Relaxed);
            let positions = self.objective.positions() as f64;
            self.steps.extend(iterations.iter().map(|point| Step {
                parameters: scaled.parameters(&point.place),
                loss: point.of_positions / positions,
                sampled: false,
            }));
            progress(&format!(
                "{} iterations over {} positions in {:.1} s, gradient {:.1e}",
                iterations.len(),
                self.objective.positions(),
                began.elapsed().as_secs_f64(),
                end.length
            ));
            let stuck = end.length >= scaled.first;
            if end.length <= self.limits.tolerance || stuck || self.steps.len() >= self.limits.iterations {
                return Ok((parameters, end.length));
            }
        }
    }
}

/// The loss around some parameters in variables in which it is nearly round.
struct Scaled<'a> {
    objective: Objective<'a>,
    prior: &'a Prior,
    variables: &'a Variables,
    parameters: Vec<f64>,
    values: Vec<f64>,
    /// Lower Cholesky factor of the Hessian.
    factor: Mat<f64>,
    /// Length of the gradient where it begins.
    first: f64,
    passes: AtomicUsize,
    /// Every point so far: losses and gradients of the same point are asked for one by one.
    known: Mutex<Vec<Point>>,
}

/// A place in scaled variables and what the loss is like there.
#[derive(Clone)]
struct Point {
    place: Vec<f64>,
    /// Loss of positions and prior.
    loss: f64,
    /// Loss of the positions alone.
    of_positions: f64,
    gradient: Vec<f64>,
    /// Length of the gradient.
    length: f64,
}

impl Point {
    /// Nearer to the optimum, by the loss or, where rounding hides a difference, by the gradient.
    fn is_better_than(&self, other: &Point) -> bool {
        let gain = other.loss - self.loss;
        if gain.abs() > LOSS_NOISE * other.loss.abs() { gain > 0.0 } else { self.length < other.length }
    }
}

impl<'a> Scaled<'a> {
    fn new(run: &Run<'a>, parameters: Vec<f64>) -> Result<Scaled<'a>, Undetermined> {
        let &Run { objective, prior, variables, .. } = run;
        let mut information = objective.information(&parameters, variables, HESSIAN_POSITIONS);
        correct(&mut information, objective, variables, &parameters);
        let hessian = information.hessian + prior.hessian(variables);
        let factor = Llt::new(hessian.as_ref(), Side::Lower).map_err(|_| Undetermined)?.L().to_owned();
        let values = variables.values(&parameters);
        let (passes, known) = (AtomicUsize::new(1), Mutex::default());
        let mut scaled = Scaled { objective, prior, variables, parameters, values, factor, first: 0.0, passes, known };
        scaled.first = scaled.at(&vec![0.0; scaled.values.len()]).length;
        Ok(scaled)
    }

    /// The parameters at a place.
    fn parameters(&self, place: &[f64]) -> Vec<f64> {
        let mut step = Col::from_fn(place.len(), |i| place[i]);
        let upper = self.factor.transpose();
        solve_upper_triangular_in_place(upper, step.as_mat_mut(), Par::Seq);
        let values: Vec<f64> = self.values.iter().enumerate().map(|(i, value)| value + step[i]).collect();
        let mut parameters = self.parameters.clone();
        self.variables.spread(&values, &mut parameters);
        parameters
    }

    fn at(&self, place: &[f64]) -> Point {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(point) = known().iter().find(|point| point.place == place) {
            return point.clone();
        }
        let parameters = self.parameters(place);
        let (of_positions, mut gradient) = self.objective.gradient(&parameters);
        let loss = of_positions + self.prior.add_gradient(&parameters, &mut gradient);
        self.passes.fetch_add(1, Ordering::Relaxed);
        let by_variable = self.variables.gather(&gradient);
        let mut scaled = Col::from_fn(by_variable.len(), |i| by_variable[i]);
        solve_lower_triangular_in_place(self.factor.as_ref(), scaled.as_mat_mut(), Par::Seq);
        let gradient: Vec<f64> = scaled.iter().copied().collect();
        let point = Point { place: place.to_vec(), loss, of_positions, length: scaled.norm_l2(), gradient };
        known().push(point.clone());
        point
    }

    /// L-BFGS until the gradient is short or the Hessian is worth making anew. Returns the end and every iteration.
    fn descend(&self, limits: Limits) -> (Point, Vec<Point>) {
        let mut end = self.at(&vec![0.0; self.values.len()]);
        let goal = (ROUND_GAIN * end.length).max(limits.tolerance);
        let trace = Trace::default();
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY).with_tolerance_grad(goal);
        if let Ok(solver) = solver.and_then(|solver| solver.with_tolerance_cost(0.0)) {
            let executor = Executor::new(self, solver)
                .configure(|state| state.param(end.place.clone()).max_iters(ROUND as u64))
                .timer(false)
                .add_observer(trace.clone(), ObserverMode::Always);
            // An error means that the line search found nothing better, as happens when rounding hides what is left to
            // gain; the trace has how far it came.
            drop(executor.run());
        }
        let places = std::mem::take(&mut *trace.0.lock().unwrap_or_else(PoisonError::into_inner));
        let mut points: Vec<Point> = places.iter().map(|place| self.at(place)).collect();
        for point in &points {
            if point.is_better_than(&end) {
                end = point.clone();
            }
        }
        // Where losses no longer tell points apart, gradients still do.
        while end.length > goal {
            let place: Vec<f64> = end.place.iter().zip(&end.gradient).map(|(value, slope)| value - slope).collect();
            let next = self.at(&place);
            if next.length > end.length / 2.0 {
                break;
            }
            points.push(next.clone());
            end = next;
        }
        (end, points)
    }
}

impl CostFunction for &Scaled<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, place: &Vec<f64>) -> Result<f64, core::Error> {
        Ok(self.at(place).loss)
    }
}

impl Gradient for &Scaled<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, place: &Vec<f64>) -> Result<Vec<f64>, core::Error> {
        Ok(self.at(place).gradient)
    }
}

/// Keeps the place of each iteration.
#[derive(Clone, Default)]
struct Trace(Arc<Mutex<Vec<Vec<f64>>>>);

/// State of L-BFGS.
type Iterate = IterState<Vec<f64>, Vec<f64>, (), (), (), f64>;

impl Observe<Iterate> for Trace {
    fn observe_iter(&mut self, state: &Iterate, _: &KV) -> Result<(), core::Error> {
        let places = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        places.extend(state.get_param().cloned());
        Ok(())
    }
}
