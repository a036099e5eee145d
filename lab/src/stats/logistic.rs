//! Regressions: logistic ones by Newton's method, linear ones by least squares.

use super::Clustered;
use nalgebra::{DMatrix, DVector};
use std::borrow::Borrow;

/// The probability `p` of a logit with the log losses `−ln p` and `−ln (1 − p)`, in nats, from one exponential. Exact for
/// any size of the logit.
#[inline]
pub fn log_losses(logit: f64) -> (f64, f64, f64) {
    let small = (-logit.abs()).exp();
    let (near, share) = (small.ln_1p(), 1.0 / (1.0 + small));
    if logit >= 0.0 { (share, near, near + logit) } else { (small * share, near - logit, near) }
}

/// A case of a logistic regression: the log odds of *yes* are `offset + Σ coefficient · feature`.
#[derive(Clone, Copy, Debug)]
pub struct Case<const N: usize> {
    /// Log odds that are known before.
    pub offset: f64,
    /// What the coefficients are multiplied with.
    pub features: [f64; N],
    /// How often it happened: 1 or 0, a fraction, or a weight.
    pub yes: f64,
    /// How often it did not happen.
    pub no: f64,
}

/// A fitted logistic regression: the maximum of the likelihood, or of the posterior if there is a prior.
#[derive(Clone, Debug)]
pub struct Regression {
    /// The coefficients of the features.
    pub coefficients: Vec<f64>,
    /// Inverse of the Hessian of the loss; none if the cases do not determine the coefficients.
    inverse: Option<DMatrix<f64>>,
}

/// Newton steps at most, and halvings of one that goes too far.
const STEPS: usize = 50;
const HALVINGS: u32 = 30;
/// Newton decrement (twice what is left to be gained, nats over all cases) from which on one more step is the last: it
/// squares what is left.
const TOLERANCE: f64 = 1e-8;

impl Regression {
    /// Fits the first `size` of the `N` coefficients by Newton's method, from 0 on. `deviation` is that of a normal prior
    /// of each coefficient around 0, if there is one. Where the cases do not determine the coefficients, they stay.
    pub fn fit<const N: usize, C: Borrow<Case<N>>>(
        cases: impl Iterator<Item = C> + Clone,
        size: usize,
        deviation: Option<f64>,
    ) -> Regression {
        let size = size.min(N);
        let precision = deviation.map_or(0.0, |deviation| 1.0 / (deviation * deviation));
        let slopes = |coefficients: &[f64]| Slopes::at::<N, C>(coefficients, cases.clone(), precision);
        let mut coefficients = vec![0.0; size];
        let mut here = slopes(&coefficients);
        let mut inverse = None;
        for _ in 0..STEPS {
            let Some(cholesky) = here.hessian.clone().cholesky() else { break };
            let step = cholesky.solve(&here.gradient);
            let decrement = here.gradient.dot(&step);
            if !decrement.is_finite() {
                break;
            }
            inverse = Some(cholesky.inverse());
            let moved = |part: f64| -> Vec<f64> {
                coefficients.iter().zip(step.iter()).map(|(coefficient, step)| coefficient - part * step).collect()
            };
            if decrement < TOLERANCE {
                coefficients = moved(1.0);
                break;
            }
            let nearer = (0..HALVINGS).map(|halvings| moved(f64::from(halvings).exp2().recip())).find_map(|moved| {
                let there = slopes(&moved);
                (there.loss < here.loss).then_some((moved, there))
            });
            let Some(nearer) = nearer else { break };
            (coefficients, here) = nearer;
        }
        Regression { coefficients, inverse }
    }

    /// Whether the cases determine the coefficients.
    pub fn is_determined(&self) -> bool {
        self.inverse.is_some()
    }

    /// Standard errors of the coefficients, from the same cases with their games, those of one game together: the games are
    /// the independent observations (the sandwich estimator, without the prior). 0 if the cases do not determine them.
    pub fn standard_errors<const N: usize>(&self, cases: impl Iterator<Item = (usize, Case<N>)>) -> Vec<f64> {
        let size = self.coefficients.len();
        let Some(inverse) = &self.inverse else { return vec![0.0; size] };
        // How far each game moves the coefficients.
        let mut moved = vec![Clustered::default(); size];
        for (game, Case { offset, features, yes, no }) in cases {
            let logit = offset + features.iter().zip(&self.coefficients).map(|(x, c)| x * c).sum::<f64>();
            let residual = yes - (yes + no) * log_losses(logit).0;
            for (i, moved) in moved.iter_mut().enumerate() {
                let along: f64 = (0..size).map(|j| inverse[(i, j)] * features[j]).sum();
                moved.add(game, residual * along);
            }
        }
        moved.iter().map(|moved| moved.standard_error() * moved.count as f64).collect()
    }
}

/// Loss with the prior, in nats, and its derivatives by the coefficients.
struct Slopes {
    loss: f64,
    gradient: DVector<f64>,
    hessian: DMatrix<f64>,
}

impl Slopes {
    fn at<const N: usize, C: Borrow<Case<N>>>(
        coefficients: &[f64],
        cases: impl Iterator<Item = C>,
        precision: f64,
    ) -> Slopes {
        let size = coefficients.len();
        let mut loss: f64 = coefficients.iter().map(|c| c * c * precision / 2.0).sum();
        let mut gradient: [f64; N] = std::array::from_fn(|i| coefficients.get(i).map_or(0.0, |c| c * precision));
        let mut hessian = [[0.0; N]; N];
        for case in cases {
            let Case { offset, features, yes, no } = case.borrow();
            let features = &features[..size];
            let logit = offset + features.iter().zip(coefficients).map(|(x, c)| x * c).sum::<f64>();
            let (p, loss_yes, loss_no) = log_losses(logit);
            loss += yes * loss_yes + no * loss_no;
            let slope = (yes + no) * p - yes;
            let curvature = (yes + no) * p * (1.0 - p);
            for (i, x) in features.iter().enumerate() {
                gradient[i] += slope * x;
                hessian[i][..=i].iter_mut().zip(features).for_each(|(sum, y)| *sum += curvature * x * y);
            }
        }
        Slopes {
            loss,
            gradient: DVector::from_column_slice(&gradient[..size]),
            hessian: DMatrix::from_fn(size, size, |i, j| {
                hessian[i.max(j)][i.min(j)] + if i == j { precision } else { 0.0 }
            }),
        }
    }
}

/// The coefficients with the least sum of squared errors of `Σ coefficient · feature` from the targets; `rows` has the
/// features of each target, at least as many as there are coefficients.
pub fn least_squares(rows: &[Vec<f64>], targets: &[f64]) -> Vec<f64> {
    let size = rows.first().map_or(0, Vec::len);
    let qr = DMatrix::from_fn(rows.len(), size, |i, j| rows[i][j]).qr();
    let mut solution = qr.q().tr_mul(&DVector::from_column_slice(targets));
    qr.r().solve_upper_triangular_mut(&mut solution);
    solution.iter().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn logit(p: f64) -> f64 {
        (p / (1.0 - p)).ln()
    }

    proptest! {
        #[test]
        fn log_losses_are_those_of_the_sigmoid(x in -30.0..30.0f64) {
            let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
            let (p, yes, no) = log_losses(x);
            prop_assert!((p - sigmoid(x)).abs() < 1e-15);
            prop_assert!((yes + sigmoid(x).ln()).abs() < 1e-12 && (no + sigmoid(-x).ln()).abs() < 1e-12);
            let (far, _, loss) = log_losses(1000.0 * x);
            prop_assert!((0.0..=1.0).contains(&far) && (x < 0.0 || (loss - 1000.0 * x).abs() < 1.0));
        }
    }

    /// Two shares of a hundred cases each, at 0 and 1.
    fn two_shares() -> impl Iterator<Item = Case<2>> + Clone {
        let case = |x: f64, yes: f64| Case { offset: 0.0, features: [1.0, x], yes, no: 1.0 - yes };
        (0..200).map(move |i| case(f64::from(i % 2), f64::from(u8::from(i % 8 < if i % 2 == 0 { 2 } else { 6 }))))
    }

    #[test]
    fn shares_are_found_with_their_errors() {
        let fit = Regression::fit(two_shares(), 2, None);
        let [first, second] = [logit(0.25), logit(0.75)];
        assert!((fit.coefficients[0] - first).abs() < 1e-8, "{fit:?}");
        assert!((fit.coefficients[1] - (second - first)).abs() < 1e-8, "{fit:?}");
        // Each case is a game: 1 / sqrt(100 · 3/16) logits for each share, and G / (G − 1) with 200 games.
        let error = (200.0f64 / 199.0 / (100.0 * 3.0 / 16.0)).sqrt();
        let errors = fit.standard_errors(two_shares().enumerate());
        assert!((errors[0] - error).abs() < 1e-6 && (errors[1] - 2f64.sqrt() * error).abs() < 1e-6, "{errors:?}");
        // Two cases a game that say the same: half of the information.
        let doubled = two_shares().enumerate().flat_map(|(game, case)| [(game, case); 2]);
        let fit = Regression::fit(doubled.clone().map(|(_, case)| case), 2, None);
        assert!(fit.standard_errors(doubled).iter().zip(&errors).all(|(a, b)| (a - b).abs() < 1e-6));
    }

    #[test]
    fn what_is_known_before_is_not_learnt_again() {
        let known = two_shares().map(|case| Case { offset: logit(0.25), ..case });
        let fit = Regression::fit(known, 2, None);
        assert!(fit.coefficients[0].abs() < 1e-8, "{fit:?}");
        // Of a smaller size the other coefficients are none.
        let fit = Regression::fit(two_shares(), 1, None);
        assert!(fit.coefficients.len() == 1 && fit.coefficients[0].abs() < 1e-8, "{fit:?}");
    }

    #[test]
    fn a_prior_keeps_certain_cases_finite() {
        let sure = [Case { offset: 0.0, features: [1.0], yes: 1.0, no: 0.0 }; 9];
        let fit = Regression::fit(sure.iter(), 1, Some(5.0));
        assert!(fit.coefficients[0] > 2.0 && fit.coefficients[0] < 10.0, "{fit:?}");
    }

    #[test]
    fn what_is_not_determined_stays() {
        let nothing = Regression::fit(std::iter::empty::<Case<2>>(), 2, None);
        assert!(nothing.coefficients == [0.0, 0.0] && !nothing.is_determined());
        assert_eq!(nothing.standard_errors(std::iter::empty::<(usize, Case<2>)>()), [0.0, 0.0]);
        let alike = [Case { offset: 0.0, features: [0.0, 1.0], yes: 1.0, no: 2.0 }; 4];
        assert_eq!(Regression::fit(alike.iter(), 2, None).coefficients, [0.0, 0.0]);
    }

    #[test]
    fn least_squares_are_the_least() {
        // A line through three points that lie on none.
        let rows = [0.0, 1.0, 2.0].map(|x| vec![1.0, x]);
        let line = least_squares(&rows, &[0.0, 1.0, 1.0]);
        assert!((line[0] - 1.0 / 6.0).abs() < 1e-12 && (line[1] - 0.5).abs() < 1e-12, "{line:?}");
    }
}
