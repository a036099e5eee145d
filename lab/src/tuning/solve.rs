//! The solver: L-BFGS in variables scaled by the Hessian.
//!
//! The parameters differ in scale by orders of magnitude and depend on each other (the values of all squares of a knight
//! can stand for the value of a knight), so plain gradients converge slowly. The Hessian of a sample of games, with its
//! diagonal corrected to that of all positions, has a Cholesky factor in whose terms the loss is nearly round: L-BFGS
//! then takes a step or two for each further digit. In these terms the length of the gradient is the distance to the
//! optimum in standard deviations, which makes a plain rule for when to stop.

use super::information::Subset;
use super::objective::Objective;
use super::prior::Prior;
use super::variables::{Variables, knot_pairs, revise_joined};
use crate::stats::{Point, Rules, minimize};
use anyhow::{Context, Result};
use nalgebra::{Cholesky, DMatrix, DVector};
use std::time::{Duration, Instant};

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
/// Tolerance while it is sought which knots are joined, and the force that parts them, nats for each unit.
const KNOT_TOLERANCE: f64 = 1e-2;
/// The force that parts knots in the end.
const RELEASE: f64 = 1e-6;
/// Iterations after which the Hessian is made anew.
const ROUND: usize = 10;
/// Tolerance on the sample, where the optimum is another than that of all positions.
const SAMPLE_TOLERANCE: f64 = 1.0;
/// Rounding error of a loss, as a part of it.
const LOSS_NOISE: f64 = 1e-11;

/// Why there is no solution where the Hessian has no Cholesky factor.
pub const UNDETERMINED: &str =
    "the weights are not determined by data and prior; a prior with a smaller deviation determines them";

/// Finds the optimum of `objective` with `prior`, from `start`, which may be near it already. The knots of the draw
/// vector end up never rising.
pub fn solve(
    objective: Objective,
    prior: &Prior,
    variables: &Variables,
    start: &[f64],
    limits: Limits,
    progress: &mut dyn FnMut(&str),
) -> Result<Solution> {
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

/// Passes for losses with their gradients.
#[derive(Clone, Copy, Debug, Default)]
struct Gradients {
    count: u32,
    time: Duration,
}

impl Gradients {
    fn mean(self) -> Duration {
        self.time / self.count.max(1)
    }
}

/// The state of a solver on its way to the optimum.
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
    /// The Hessian as it was last made, over variables of which none are joined.
    hessian: Option<DMatrix<f64>>,
}

impl Descent<'_> {
    /// Descends to the optimum with knots that never rise; `joined` are those to be joined, as far as known.
    /// Returns the loss.
    fn constrained(
        &mut self,
        variables: &Variables,
        joined: &mut Vec<usize>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<f64> {
        let tolerance = self.limits.tolerance;
        // Which knots are joined shows long before the digits are right.
        let mut is_settled = false;
        loop {
            self.limits.tolerance = if is_settled { tolerance } else { tolerance.max(KNOT_TOLERANCE) };
            self.variables = variables.join(joined);
            self.descend(variables, progress)?;
            let parameters = self.parameters.clone();
            let (loss, slopes) = self.gradient(&parameters);
            let release = if is_settled { RELEASE } else { KNOT_TOLERANCE };
            match revise_joined(joined, &self.parameters, &slopes, release).filter(|_| self.has_iterations()) {
                Some(next) => {
                    progress(&format!("{} of {} pairs of knots joined", next.len(), knot_pairs().count()));
                    *joined = next;
                }
                None if is_settled => return Ok(loss),
                None => is_settled = true,
            }
        }
    }

    /// Loss of positions and prior with its gradient.
    fn gradient(&mut self, parameters: &[f64]) -> (f64, Vec<f64>) {
        let began = Instant::now();
        let (loss, mut gradient) = self.objective.gradient(parameters);
        self.prior.add_gradient(parameters, &mut gradient);
        self.gradients.count += 1;
        self.gradients.time += began.elapsed();
        self.passes += 1;
        (loss + self.prior.loss(parameters), gradient)
    }

    fn has_iterations(&self) -> bool {
        self.steps.len() < self.limits.iterations
    }

    /// The Hessian over `variables` of which none are joined.
    fn make_hessian(&mut self, variables: &Variables) {
        let Descent { objective, prior, parameters, .. } = self;
        let mut information = objective.information(parameters, variables, Subset::Positions(HESSIAN_POSITIONS));
        information.rescale(*objective, variables, parameters);
        self.hessian = Some(information.hessian + prior.hessian(variables));
        self.passes += 1;
    }

    /// Descends to the optimum over the present variables, which join some of `variables`.
    fn descend(&mut self, variables: &Variables, progress: &mut dyn FnMut(&str)) -> Result<()> {
        // What is joined must start together.
        self.variables.spread(&self.variables.values(&self.parameters), &mut self.parameters);
        loop {
            let began = Instant::now();
            if self.hessian.is_none() {
                self.make_hessian(variables);
            }
            let scaled = Scaled::new(self, variables)?;
            let before = self.passes;
            let rules =
                Rules { tolerance: self.limits.tolerance, iterations: ROUND, first_step: None, noise: LOSS_NOISE };
            let start = vec![0.0; self.variables.len()];
            let points = minimize(|x| scaled.gradient(x, self), &start, rules);
            let end = points.iter().fold(&points[0], |end, point| if is_better(point, end) { point } else { end });
            let positions = self.objective.positions() as f64;
            let step = |point: &Point| {
                let parameters = scaled.parameters(&point.x);
                let loss = (point.value - self.prior.loss(&parameters)) / positions;
                Step { parameters, loss, sampled: false }
            };
            // The first point is the last one of the round before.
            let known = usize::from(!self.steps.is_empty());
            let steps: Vec<Step> = points.iter().skip(known).map(step).collect();
            self.steps.extend(steps);
            (self.parameters, self.gradient) = (scaled.parameters(&end.x), end.gradient_norm());
            let passes = self.passes - before;
            progress(&format!(
                "{} iterations, {passes} gradients over {positions} positions in {:.1} s: loss {:.9}, gradient {:.1e}",
                points.len() - 1,
                began.elapsed().as_secs_f64(),
                end.value / positions,
                end.gradient_norm()
            ));
            let is_lost_in_noise = points[0].value - end.value <= LOSS_NOISE * end.value.abs()
                && 2.0 * end.gradient_norm() > points[0].gradient_norm();
            if self.gradient <= self.limits.tolerance || is_lost_in_noise || !self.has_iterations() {
                return Ok(());
            }
            self.hessian = None;
        }
    }
}

/// Nearer to the optimum, by the loss or, where rounding hides a difference, by the gradient.
fn is_better(point: &Point, other: &Point) -> bool {
    let gain = other.value - point.value;
    if gain.abs() > LOSS_NOISE * other.value.abs() { gain > 0.0 } else { point.gradient_norm() < other.gradient_norm() }
}

/// Variables around some parameters in which the loss is nearly round.
struct Scaled {
    variables: Variables,
    /// The parameters where `x` is zero.
    parameters: Vec<f64>,
    /// The variables there.
    values: Vec<f64>,
    /// Lower Cholesky factor of the Hessian.
    factor: DMatrix<f64>,
}

impl Scaled {
    /// Around the parameters of `descent`, by its Hessian, whose variables are `all`.
    fn new(descent: &Descent, all: &Variables) -> Result<Scaled> {
        let Descent { variables, parameters, hessian, .. } = descent;
        let hessian = hessian.as_ref().map(|hessian| variables.gather_matrix(hessian, all)).context(UNDETERMINED)?;
        let factor = Cholesky::new(hessian).context(UNDETERMINED)?.unpack();
        Ok(Scaled {
            variables: variables.clone(),
            parameters: parameters.clone(),
            values: variables.values(parameters),
            factor,
        })
    }

    /// The parameters at `x`.
    fn parameters(&self, x: &[f64]) -> Vec<f64> {
        let mut step = DVector::from_column_slice(x);
        self.factor.tr_solve_lower_triangular_mut(&mut step);
        let values: Vec<f64> = self.values.iter().enumerate().map(|(i, value)| value + step[i]).collect();
        let mut parameters = self.parameters.clone();
        self.variables.spread(&values, &mut parameters);
        parameters
    }

    /// The loss of `descent` at `x`, with its gradient.
    fn gradient(&self, x: &[f64], descent: &mut Descent) -> (f64, Vec<f64>) {
        let (loss, gradient) = descent.gradient(&self.parameters(x));
        let mut scaled = DVector::from_vec(self.variables.gather(&gradient));
        self.factor.solve_lower_triangular_mut(&mut scaled);
        (loss, scaled.as_slice().to_vec())
    }
}
