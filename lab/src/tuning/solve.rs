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
use crate::stats::{Rules, minimize};
use anyhow::{Context, Result, ensure};
use nalgebra::{Cholesky, DMatrix, DVector};
use std::time::{Duration, Instant};

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Length of the gradient in scaled variables: no weight is further from its optimum than this many of its standard
    /// errors.
    pub tolerance: f64,
    pub iterations: usize,
}

/// An optimum.
#[derive(Clone, Debug)]
pub struct Solution {
    pub parameters: Vec<f64>,
    pub variables: Variables,
    /// Loss of the positions and of the prior, nats.
    pub loss: f64,
    /// Length of the gradient there, in scaled variables.
    pub gradient: f64,
    /// Whether that is below the tolerance.
    pub converged: bool,
    /// Passes over all positions: each gives a loss with its gradient, or a part of the Hessian.
    pub passes: usize,
    pub time: Duration,
}

/// Positions that the Hessian is made from.
const HESSIAN_POSITIONS: usize = 100_000;
/// Tolerance while it is sought which knots are joined, and the force that parts them, nats for each unit.
const KNOT_TOLERANCE: f64 = 1e-2;
/// The force that parts knots in the end.
const RELEASE: f64 = 1e-6;
/// Iterations after which the Hessian is made anew.
const ROUND: usize = 10;
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
        iterations: 0,
        hessian: None,
    };
    let loss = descent.constrained(variables, progress)?;
    let Descent { variables, parameters, gradient, passes, .. } = descent;
    let converged = gradient <= limits.tolerance;
    Ok(Solution { parameters, variables, loss, gradient, converged, passes, time: began.elapsed() })
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
    iterations: usize,
    /// The Hessian as it was last made, over variables of which none are joined.
    hessian: Option<DMatrix<f64>>,
}

impl Descent<'_> {
    /// Descends to the optimum with knots that never rise. Returns the loss.
    fn constrained(&mut self, variables: &Variables, progress: &mut dyn FnMut(&str)) -> Result<f64> {
        let tolerance = self.limits.tolerance;
        let mut joined = Vec::new();
        // Which knots are joined shows long before the digits are right.
        let mut is_settled = false;
        loop {
            self.limits.tolerance = if is_settled { tolerance } else { tolerance.max(KNOT_TOLERANCE) };
            self.variables = variables.join(&joined);
            self.descend(variables, progress)?;
            let parameters = self.parameters.clone();
            let (loss, slopes) = self.gradient(&parameters);
            let release = if is_settled { RELEASE } else { KNOT_TOLERANCE };
            match revise_joined(&joined, &self.parameters, &slopes, release).filter(|_| self.has_iterations()) {
                Some(next) => {
                    progress(&format!("{} of {} pairs of knots joined", next.len(), knot_pairs().count()));
                    joined = next;
                }
                None if is_settled => return Ok(loss),
                None => is_settled = true,
            }
        }
    }

    /// Loss of positions and prior with its gradient.
    fn gradient(&mut self, parameters: &[f64]) -> (f64, Vec<f64>) {
        let (loss, mut gradient) = self.objective.gradient(parameters);
        self.prior.add_gradient(parameters, &mut gradient);
        self.passes += 1;
        (loss + self.prior.loss(parameters), gradient)
    }

    fn has_iterations(&self) -> bool {
        self.iterations < self.limits.iterations
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
            let (end, positions) = (&points[points.len() - 1], self.objective.positions() as f64);
            ensure!(end.value.is_finite(), "the loss became {}: a prior or the data are out of range", end.value);
            self.iterations += points.len() - 1;
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

/// Variables around some parameters in which the loss is nearly round.
struct Scaled {
    variables: Variables,
    /// The parameters where `x` is zero.
    parameters: Vec<f64>,
    values: Vec<f64>,
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
