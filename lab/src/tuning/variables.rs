//! What the solver may change: some parameters are fixed, and knots that would rise are joined.

use super::vector::{Vector, WEIGHTS};
use halfpoint::eval::Weights;
use halfpoint::eval::tuning::terms::{DRAW_CURVE, Owner, TERMS, WILO_SIZE};
use nalgebra::DMatrix;
use std::ops::Range;

/// Which variable each parameter follows, if any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variables {
    of: Vec<Option<usize>>,
    len: usize,
}

impl Variables {
    /// The weights of some features, the worth of ratings and the levels of all `groups` but the first, each a variable of its
    /// own.
    pub fn new(features: impl Fn(usize) -> bool, groups: usize) -> Variables {
        let mut variables = Variables { of: vec![None; WEIGHTS + groups], len: 0 };
        for parameter in 0..WEIGHTS + groups {
            if parameter >= WEIGHTS || features(parameter / 2) {
                variables.of[parameter] = Some(variables.len);
                variables.len += 1;
            }
        }
        variables
    }

    /// Everything that `vector` may use but the features that are `fixed` and the curve, which comes after all others.
    pub fn of_vector(vector: Vector, is_fixed: impl Fn(usize) -> bool, groups: usize) -> Variables {
        let mut used = vec![true; WEIGHTS / 2];
        used[DRAW_CURVE.offset..DRAW_CURVE.offset + DRAW_CURVE.len].fill(false);
        if vector == Vector::Wilo {
            for term in TERMS.iter().filter(|term| term.owner == Owner::Shared) {
                used[term.offset..term.offset + term.len].fill(false);
            }
        }
        Variables::new(|feature| used[feature] && !is_fixed(feature), groups)
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The variable of a parameter.
    #[inline]
    pub fn of(&self, parameter: usize) -> Option<usize> {
        self.of[parameter]
    }

    /// Writes the variables' values into the parameters; fixed ones stay.
    pub fn spread(&self, values: &[f64], parameters: &mut [f64]) {
        for (parameter, variable) in parameters.iter_mut().zip(&self.of) {
            if let Some(variable) = variable {
                *parameter = values[*variable];
            }
        }
    }

    /// Values of the variables: the mean of the parameters that follow them.
    pub fn values(&self, parameters: &[f64]) -> Vec<f64> {
        let (mut sums, mut counts) = (vec![0.0; self.len], vec![0.0; self.len]);
        for (&parameter, variable) in parameters.iter().zip(&self.of) {
            if let Some(variable) = variable {
                sums[*variable] += parameter;
                counts[*variable] += 1.0;
            }
        }
        sums.iter().zip(counts).map(|(sum, count): (&f64, f64)| sum / count).collect()
    }

    /// Derivatives by the variables from those by the parameters.
    pub fn gather(&self, gradient: &[f64]) -> Vec<f64> {
        let mut gathered = vec![0.0; self.len];
        for (&slope, variable) in gradient.iter().zip(&self.of) {
            if let Some(variable) = variable {
                gathered[*variable] += slope;
            }
        }
        gathered
    }

    /// Second derivatives by the variables from those by `others`, of which these join some.
    pub fn gather_matrix(&self, matrix: &DMatrix<f64>, others: &Variables) -> DMatrix<f64> {
        let mut own = vec![0; others.len];
        for (variable, other) in self.of.iter().zip(&others.of) {
            if let (Some(variable), Some(other)) = (variable, other) {
                own[*other] = *variable;
            }
        }
        let mut gathered = DMatrix::zeros(self.len, self.len);
        for j in 0..others.len {
            for i in 0..others.len {
                gathered[(own[i], own[j])] += matrix[(i, j)];
            }
        }
        gathered
    }

    /// The same with every pair of neighbouring knots in `joined` (a parameter and the one of the next knot) joined.
    pub fn join(&self, joined: &[usize]) -> Variables {
        let mut variables = self.clone();
        for &parameter in joined {
            // In rising order, so that runs follow their first knot.
            variables.of[parameter + 2] = variables.of[parameter];
        }
        // Number them again without gaps.
        let mut names = vec![None; self.len];
        variables.len = 0;
        for variable in variables.of.iter_mut().flatten() {
            *variable = *names[*variable].get_or_insert_with(|| {
                variables.len += 1;
                variables.len - 1
            });
        }
        variables
    }
}

/// Parameters of the curve.
pub const CURVE: Range<usize> = 2 * DRAW_CURVE.offset..2 * (DRAW_CURVE.offset + DRAW_CURVE.len);

/// The parameters with no curve.
pub fn without_curve(mut parameters: Vec<f64>) -> Vec<f64> {
    parameters[CURVE].fill(0.0);
    parameters
}

/// The constraint on the draw vector: its [`WILO_SIZE`] must never rise. Pairs of neighbouring knots, in each phase, by
/// the first one's parameter.
pub fn knot_pairs() -> impl Iterator<Item = usize> {
    (0..WILO_SIZE.len - 1).flat_map(|knot| [2 * WILO_SIZE.at(knot), 2 * WILO_SIZE.at(knot) + 1])
}

/// Which pairs of knots to join, given those joined now: joins pairs that rise, and frees one where the loss
/// would fall if it did (`gradient` by the parameters) by more than `release` nats for each unit. `None` if it is right
/// as it is.
pub fn revise_joined(joined: &[usize], parameters: &[f64], gradient: &[f64], release: f64) -> Option<Vec<usize>> {
    let mut next: Vec<usize> =
        knot_pairs().filter(|&pair| joined.contains(&pair) || parameters[pair + 2] > parameters[pair]).collect();
    if next.len() == joined.len() {
        let push = |&pair: &usize| -> f64 { run_before(joined, pair).map(|parameter| gradient[parameter]).sum() };
        // The part of a run up to a pair wants to rise if the loss falls with it: then the pair may come apart.
        let freed =
            joined.iter().copied().filter(|pair| push(pair) < -release).min_by(|a, b| push(a).total_cmp(&push(b)));
        next.retain(|&pair| Some(pair) != freed);
    }
    (next.len() != joined.len()).then_some(next)
}

/// Parameters of the run of joined knots that ends with `pair`'s first one.
fn run_before(joined: &[usize], pair: usize) -> impl Iterator<Item = usize> {
    let mut next = Some(pair);
    std::iter::from_fn(move || {
        let parameter = next?;
        next = parameter.checked_sub(2).filter(|before| joined.contains(before));
        Some(parameter)
    })
}

/// The parameters that a weights file gives, with neutral levels and ratings of no worth.
pub fn parameters(vector: Vector, weights: &Weights, groups: usize) -> Vec<f64> {
    let lanes = (0..WEIGHTS / 2).flat_map(|feature| vector.lanes(weights[feature]));
    lanes.map(f64::from).chain(std::iter::repeat_n(0.0, groups)).collect()
}
