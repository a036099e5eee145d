//! The solver: L-BFGS in variables scaled by the Hessian.
//!
//! The parameters differ in scale by orders of magnitude and hang together (the values of all squares of a knight are
//! as good as the value of a knight), so plain gradients converge slowly. The Hessian of a sample of games, with its
//! diagonal corrected to that of all positions, has a Cholesky factor in whose terms the loss is nearly round: L-BFGS
//! then takes a step or two for each further digit. In these terms the length of the gradient is the distance to the
//! optimum in standard deviations, which makes a plain rule for when to stop.

use super::objective::{Information, Objective, Sample};
use super::prior::Prior;
use super::variables::{Variables, knot_pairs, revise_joined};
use argmin::core::observers::{Observe, ObserverMode};
use argmin::core::{self, CostFunction, Executor, Gradient, IterState, KV, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use faer::linalg::solvers::Llt;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Col, Mat, Par, Side};
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
    /// The start and every iteration.
    pub steps: Vec<Step>,
    /// Passes over all positions: each gives a loss with its gradient, or a part of the Hessian.
    pub passes: usize,
    /// How long it took.
    pub time: Duration,
    /// How long a pass for loss and gradient took on average.
    pub pass: Duration,
}

/// Positions that the Hessian is made from.
const HESSIAN_POSITIONS: usize = 100_000;
/// Share of the positions that a first solution is sought on, if there are many.
const SAMPLE_SHARE: usize = 16;
/// Positions below which no sample is taken.
const FEW_POSITIONS: usize = 400_000;
/// Tolerance while it is sought which knots hold together, and the force that parts them, nats for each unit.
const KNOT_TOLERANCE: f64 = 1e-2;
/// The force that parts knots in the end.
const RELEASE: f64 = 1e-6;
/// Steps that L-BFGS remembers.
const MEMORY: usize = 12;
/// Iterations after which the Hessian is made anew.
const ROUND: usize = 10;
/// Tolerance on the sample, where the optimum is another than that of all positions.
const SAMPLE_TOLERANCE: f64 = 1.0;
/// Rounding error of a loss, as a part of it.
const LOSS_NOISE: f64 = 1e-11;

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the weights are not determined by data and prior; a prior with a smaller deviation holds them")]
pub struct Undetermined;

/// Finds the optimum of `objective` with `prior`, from `start`, which may be near it already. The knots of the draw
/// vector end up never rising.
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
    let mut descent = Descent {
        objective,
        prior,
        variables: variables.clone(),
        parameters: start.to_vec(),
        gradient: f64::INFINITY,
        limits,
        passes: 0,
        gradients: Gradients::default(),
        steps: Vec::new(),
        hessian: None,
    };
    let mut joined = Vec::new();
    if objective.positions() > FEW_POSITIONS {
        let sample = objective.first(objective.positions().div_ceil(SAMPLE_SHARE));
        descent.objective = sample;
        descent.limits.tolerance = SAMPLE_TOLERANCE;
        descent.constrained(variables, &mut joined, progress)?;
        descent.steps.iter_mut().for_each(|step| step.sampled = true);
        // They were not over all positions.
        (descent.objective, descent.limits) = (objective, limits);
        (descent.passes, descent.gradients, descent.hessian) = (0, Gradients::default(), None);
    }
    let loss = descent.constrained(variables, &mut joined, progress)?;
    let Descent { variables, parameters, gradient, passes, gradients, steps, .. } = descent;
    let converged = gradient <= limits.tolerance;
    let (time, pass) = (began.elapsed(), gradients.mean());
    Ok(Solution { parameters, variables, loss, gradient, converged, steps, passes, time, pass })
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

/// Passes for losses with their gradients.
#[derive(Clone, Copy, Debug, Default)]
struct Gradients {
    count: u32,
    time: Duration,
}

impl Gradients {
    /// Adds one that began at this time.
    fn add(&mut self, began: Instant) {
        self.count += 1;
        self.time += began.elapsed();
    }

    fn mean(self) -> Duration {
        self.time / self.count.max(1)
    }
}

/// A way down.
struct Descent<'a> {
    objective: Objective<'a>,
    prior: &'a Prior,
    variables: Variables,
    parameters: Vec<f64>,
    /// Length of the gradient in scaled variables.
    gradient: f64,
    limits: Limits,
    passes: usize,
    gradients: Gradients,
    steps: Vec<Step>,
    /// The Hessian as it was last made, over variables of which none are held together.
    hessian: Option<Mat<f64>>,
}

impl Descent<'_> {
    /// Descends to the optimum with knots that never rise; `joined` are those to be held together, as far as known.
    /// Returns the loss.
    fn constrained(
        &mut self,
        variables: &Variables,
        joined: &mut Vec<usize>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<f64, Undetermined> {
        let tolerance = self.limits.tolerance;
        // Which knots hold together shows long before the digits are right.
        let mut is_settled = false;
        loop {
            self.limits.tolerance = if is_settled { tolerance } else { tolerance.max(KNOT_TOLERANCE) };
            self.variables = variables.join(joined);
            self.descend(variables, progress)?;
            let began = Instant::now();
            let (mut loss, mut slopes) = self.objective.gradient(&self.parameters);
            self.gradients.add(began);
            loss += self.prior.add_gradient(&self.parameters, &mut slopes);
            self.passes += 1;
            let release = if is_settled { RELEASE } else { KNOT_TOLERANCE };
            match revise_joined(joined, &self.parameters, &slopes, release).filter(|_| self.has_iterations()) {
                Some(next) => {
                    progress(&format!("{} of {} pairs of knots held together", next.len(), knot_pairs().count()));
                    *joined = next;
                }
                None if is_settled => return Ok(loss),
                None => is_settled = true,
            }
        }
    }

    fn has_iterations(&self) -> bool {
        self.steps.len() < self.limits.iterations
    }

    /// The Hessian over `variables` of which none are held together.
    fn make_hessian(&mut self, variables: &Variables) {
        let Descent { objective, prior, parameters, .. } = self;
        let mut information = objective.information(parameters, variables, Sample::Positions(HESSIAN_POSITIONS));
        correct(&mut information, *objective, variables, parameters);
        self.hessian = Some(information.hessian + prior.hessian(variables));
        self.passes += 1;
    }

    /// Descends to the optimum over the present variables, which hold some of `variables` together.
    fn descend(&mut self, variables: &Variables, progress: &mut dyn FnMut(&str)) -> Result<(), Undetermined> {
        // What is held together must start together.
        self.variables.spread(&self.variables.values(&self.parameters), &mut self.parameters);
        loop {
            let began = Instant::now();
            if self.hessian.is_none() {
                self.make_hessian(variables);
            }
            let scaled = Scaled::new(self, variables)?;
            let (points, end) = scaled.descend(self.limits);
            let positions = self.objective.positions() as f64;
            let step = |point: &Point| Step {
                parameters: scaled.parameters(&point.place),
                loss: point.of_positions / positions,
                sampled: false,
            };
            // The first point is the last one of the round before.
            let known = usize::from(!self.steps.is_empty());
            let steps: Vec<Step> = points.iter().skip(known).map(step).collect();
            let parameters = scaled.parameters(&end.place);
            let gradients = scaled.gradients.into_inner().unwrap_or_else(PoisonError::into_inner);
            let passes = gradients.count as usize;
            self.passes += passes;
            self.gradients.count += gradients.count;
            self.gradients.time += gradients.time;
            self.steps.extend(steps);
            (self.parameters, self.gradient) = (parameters, end.length);
            progress(&format!(
                "{} iterations, {passes} gradients over {positions} positions in {:.1} s: loss {:.9}, gradient {:.1e}",
                points.len() - 1,
                began.elapsed().as_secs_f64(),
                end.loss / positions,
                end.length
            ));
            let is_lost_in_noise =
                points[0].loss - end.loss <= LOSS_NOISE * end.loss.abs() && 2.0 * end.length > points[0].length;
            if end.length <= self.limits.tolerance || is_lost_in_noise || !self.has_iterations() {
                return Ok(());
            }
            self.hessian = None;
        }
    }
}

/// The loss around some parameters in variables in which it is nearly round.
struct Scaled<'a> {
    objective: Objective<'a>,
    prior: &'a Prior,
    variables: &'a Variables,
    parameters: &'a [f64],
    values: Vec<f64>,
    /// Lower Cholesky factor of the Hessian.
    factor: Mat<f64>,
    gradients: Mutex<Gradients>,
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
    /// `all` are the variables of the Hessian.
    fn new(descent: &'a Descent<'a>, all: &Variables) -> Result<Scaled<'a>, Undetermined> {
        let Descent { objective, prior, variables, parameters, hessian, .. } = descent;
        let hessian = hessian.as_ref().map(|hessian| variables.gather_matrix(hessian, all)).ok_or(Undetermined)?;
        let factor = Llt::new(hessian.as_ref(), Side::Lower).map_err(|_| Undetermined)?.L().to_owned();
        Ok(Scaled {
            objective: *objective,
            prior,
            variables,
            parameters,
            values: variables.values(parameters),
            factor,
            gradients: Mutex::default(),
            known: Mutex::default(),
        })
    }

    /// The parameters at a place.
    fn parameters(&self, place: &[f64]) -> Vec<f64> {
        let mut step = Col::from_fn(place.len(), |i| place[i]);
        let upper = self.factor.transpose();
        solve_upper_triangular_in_place(upper, step.as_mat_mut(), Par::Seq);
        let values: Vec<f64> = self.values.iter().enumerate().map(|(i, value)| value + step[i]).collect();
        let mut parameters = self.parameters.to_vec();
        self.variables.spread(&values, &mut parameters);
        parameters
    }

    fn at(&self, place: &[f64]) -> Point {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(point) = known().iter().find(|point| point.place == place) {
            return point.clone();
        }
        let parameters = self.parameters(place);
        let began = Instant::now();
        let (of_positions, mut gradient) = self.objective.gradient(&parameters);
        let loss = of_positions + self.prior.add_gradient(&parameters, &mut gradient);
        self.gradients.lock().unwrap_or_else(PoisonError::into_inner).add(began);
        let by_variable = self.variables.gather(&gradient);
        let mut scaled = Col::from_fn(by_variable.len(), |i| by_variable[i]);
        solve_lower_triangular_in_place(self.factor.as_ref(), scaled.as_mat_mut(), Par::Seq);
        let gradient: Vec<f64> = scaled.iter().copied().collect();
        let point = Point { place: place.to_vec(), loss, of_positions, length: scaled.norm_l2(), gradient };
        known().push(point.clone());
        point
    }

    /// L-BFGS until the gradient is short enough or the Hessian is worth making anew. Returns the start and every iteration, and
    /// the best of them.
    fn descend(&self, limits: Limits) -> (Vec<Point>, Point) {
        let start = self.at(&vec![0.0; self.values.len()]);
        let goal = limits.tolerance;
        let trace = Trace::default();
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY).with_tolerance_grad(goal);
        if let Ok(solver) = solver.and_then(|solver| solver.with_tolerance_cost(0.0)) {
            let executor = Executor::new(self, solver)
                .configure(|state| state.param(start.place.clone()).max_iters(ROUND as u64))
                .timer(false)
                .add_observer(trace.clone(), ObserverMode::Always);
            // An error means that the line search found nothing better, as happens when rounding hides what is left to
            // gain; the trace has how far it came.
            drop(executor.run());
        }
        let places = std::mem::take(&mut *trace.0.lock().unwrap_or_else(PoisonError::into_inner));
        let mut points = vec![start.clone()];
        points.extend(places.iter().map(|place| self.at(place)));
        let mut end =
            points.iter().fold(start, |end, point| if point.is_better_than(&end) { point.clone() } else { end });
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
        (points, end)
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
