//! How sure the weights are: standard errors, and what each term is worth.

use super::information::{Information, Subset};
use super::objective::Objective;
use super::prior::Prior;
use super::solve::{Solution, UNDETERMINED};
use super::variables::{Variables, knot_pairs};
use super::vector::WEIGHTS;
use anyhow::{Context, Result};
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};
use std::cell::OnceCell;

/// What the second derivatives at a solution tell.
///
/// Positions of a game share its result, so each game counts as one observation: with the Hessian H of positions and
/// prior, the sum M of outer products of the games' gradients and the prior's own Hessian Λ the covariance of the
/// weights is H⁻¹·(M + Λ)·H⁻¹.
pub struct Uncertainty {
    variables: Variables,
    parameters: Vec<f64>,
    /// The solution, about, if the prior pulled towards zero: so that it is no evidence for a weight.
    towards_zero: Vec<f64>,
    /// Of the Hessian.
    cholesky: Cholesky<f64, Dyn>,
    /// M + Λ.
    variation: DMatrix<f64>,
    /// Inverse of the Hessian and the covariance, once they are asked for: they take long.
    matrices: OnceCell<[DMatrix<f64>; 2]>,
}

/// What there is to some weights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worth {
    /// By how many nats the loss of all positions and the prior would rise were the weights zero and all others adapted.
    pub nats: f64,
    /// How many standard errors they are away from zero together: the chi-squared statistic as a normal deviate.
    pub deviates: f64,
}

/// Positions that it is made from.
const POSITIONS: usize = 150_000;

impl Uncertainty {
    /// Of a solution of `objective` with `prior`.
    pub fn new(objective: Objective, prior: &Prior, solution: &Solution) -> Result<Uncertainty> {
        let Solution { variables, parameters, .. } = solution.clone();
        let mut information = objective.information(&parameters, &variables, Subset::Games(POSITIONS));
        information.rescale(objective, &variables, &parameters);
        let Information { hessian, variation } = information;
        let of_prior = prior.hessian(&variables);
        let cholesky = Cholesky::new(hessian + &of_prior).context(UNDETERMINED)?;
        let centre = variables.values(prior.centre());
        let pull = cholesky.solve(&(&of_prior * DVector::from_vec(centre)));
        let mut values = variables.values(&parameters);
        values.iter_mut().enumerate().for_each(|(i, value)| *value -= pull[i]);
        let mut towards_zero = parameters.clone();
        variables.spread(&values, &mut towards_zero);
        let variation = variation + of_prior;
        Ok(Uncertainty { variables, parameters, towards_zero, cholesky, variation, matrices: OnceCell::new() })
    }

    /// Inverse of the Hessian, and the covariance.
    fn matrices(&self) -> &[DMatrix<f64>; 2] {
        self.matrices.get_or_init(|| {
            let inverse = self.cholesky.inverse();
            let covariance = &inverse * &self.variation * &inverse;
            [inverse, covariance]
        })
    }

    /// Whole numbers for weights, levels as they are: each weight makes up for the rounding of those before it, as far
    /// as it can stand in for them (the nearest-plane method of Babai, 1986). The knots never rise.
    pub fn rounded(&self) -> Vec<f64> {
        let exact = self.variables.values(&self.parameters);
        let mut values = exact.clone();
        let (levels, factor) = (self.parameters.len() - WEIGHTS, self.cholesky.l_dirty());
        for i in (0..self.variables.len() - levels).rev() {
            // The loss rises by half the squared length of the factor's transpose times the change.
            let others: f64 = (i + 1..values.len()).map(|j| factor[(j, i)] * (values[j] - exact[j])).sum();
            values[i] = (exact[i] - others / factor[(i, i)]).round();
        }
        let mut parameters = self.parameters.clone();
        self.variables.spread(&values, &mut parameters);
        for pair in knot_pairs() {
            parameters[pair + 2] = parameters[pair + 2].min(parameters[pair]);
        }
        parameters
    }

    /// Standard error of a parameter; `None` if it is fixed.
    pub fn of(&self, parameter: usize) -> Option<f64> {
        let [_, covariance] = self.matrices();
        self.variables.of(parameter).map(|variable| covariance[(variable, variable)].max(0.0).sqrt())
    }

    /// What there is to some parameters together, with a prior that pulls towards zero; `None` if all are fixed.
    pub fn worth(&self, parameters: impl Iterator<Item = usize>) -> Option<Worth> {
        let mut chosen: Vec<(usize, f64)> = parameters
            .filter_map(|parameter| Some((self.variables.of(parameter)?, self.towards_zero[parameter])))
            .collect();
        chosen.sort_unstable_by_key(|&(variable, _)| variable);
        chosen.dedup_by_key(|&mut (variable, _)| variable);
        let freedom = chosen.len() as f64;
        let statistic = |covariance: &DMatrix<f64>| {
            let part = DMatrix::from_fn(chosen.len(), chosen.len(), |i, j| covariance[(chosen[i].0, chosen[j].0)]);
            let values = DVector::from_fn(chosen.len(), |i, _| chosen[i].1);
            Some(values.dot(&Cholesky::new(part)?.solve(&values)))
        };
        (freedom > 0.0).then_some(())?;
        let [inverse, covariance] = self.matrices();
        let (loss, distance) = (statistic(inverse)?, statistic(covariance)?);
        Some(Worth { nats: loss / 2.0, deviates: normal_deviate(distance, freedom) })
    }
}

/// The normal deviate of a chi-squared statistic, by the cube root of Wilson and Hilferty (1931).
fn normal_deviate(statistic: f64, freedom: f64) -> f64 {
    let variance = 2.0 / (9.0 * freedom);
    ((statistic / freedom).cbrt() - (1.0 - variance)) / variance.sqrt()
}
