//! The two-parameter curves of Stockfish's WDL model, fitted to counts.
//!
//! As in the `scoreWDL.py` of that model: first `a` and `b` for each material or move number alone, then the cubic
//! polynomials nearest to these, then, unless only densities are fitted, the polynomials with the best objective over
//! all positions.

use super::curve::{Curve, Objective, Polynomial, Row};
use super::histogram::Histogram;
use anyhow::{Result, bail};
use clap::ValueEnum;
use rayon::prelude::*;

/// Powers of the polynomials.
const DEGREE: usize = 3;
/// Share by which one end of a fit must be better to take the place of another.
const SAME_VALUE: f64 = 1e-6;
/// Width of a curve in pawns to begin with.
const FIRST_WIDTH: f64 = 1.0 / 6.0;
/// What an impossible outcome counts as.
const LEAST_PROBABILITY: f64 = 1e-14;

/// How curves are fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Rates of wins near the fractions of wins
    #[value(name = "fitDensity")]
    FitDensity,
    /// The likeliest outcomes
    #[value(name = "optimizeProbability")]
    OptimizeProbability,
    /// Expected results near the real ones
    #[value(name = "optimizeScore")]
    OptimizeScore,
    /// Not at all: only what the counts are is shown
    #[value(name = "None")]
    Nothing,
}

impl Method {
    /// What is made small over all positions; nothing if only densities are fitted.
    fn objective(self) -> Option<Objective> {
        match self {
            Method::FitDensity | Method::Nothing => None,
            Method::OptimizeProbability => Some(Objective::Probability { floor: LEAST_PROBABILITY }),
            Method::OptimizeScore => Some(Objective::Score),
        }
    }
}

/// A fitted model.
#[derive(Clone, Debug)]
pub struct Model {
    /// Each material or move number fitted alone, with its `a` and `b`.
    pub single: Vec<(u32, f64, f64)>,
    /// Material or move numbers with too few wins for that.
    pub skipped: Vec<u32>,
    /// The objective with the polynomials nearest to those, and with the best; none if densities were fitted.
    pub objective: Option<[f64; 2]>,
    pub curve: Curve,
    /// What the polynomials count in parts of.
    pub target: u32,
}

/// Fits a model.
pub fn fit(histogram: &Histogram, method: Method, target: u32, scale: f64, win_min: u64) -> Result<Model> {
    let (rich, poor): (Vec<_>, Vec<_>) = histogram.outcomes().partition(|(_, [wins, ..])| *wins >= win_min);
    let skipped = poor.iter().map(|(mom, _)| *mom).collect();
    if rich.len() <= DEGREE {
        let (found, needed) = (rich.len(), DEGREE + 1);
        bail!(
            "too little data: {found} rows of material or move number have {win_min} wins or more, {needed} are needed"
        );
    }
    let alone = |mom: u32| {
        let row = [histogram.row(mom, target)];
        let start = Curve { a: Polynomial(vec![scale]), b: Polynomial(vec![scale * FIRST_WIDTH]) };
        let density = Objective::Density.fit(&row, &start, scale);
        let best = method.objective().map_or(density.clone(), |objective| objective.fit(&row, &density, scale));
        (mom, best.a.at_one(), best.b.at_one())
    };
    let single: Vec<_> = rich.par_iter().map(|(mom, _)| alone(*mom)).collect();
    let nearest = |value: fn(&(u32, f64, f64)) -> f64| {
        let points: Vec<_> =
            single.iter().map(|point| (f64::from(point.0) / f64::from(target), value(point))).collect();
        Polynomial::nearest(&points, DEGREE)
    };
    let first = Curve { a: nearest(|point| point.1), b: nearest(|point| point.2) };
    let rows: Vec<Row> = histogram.rows(target);
    // Where single rows run away, constants are the better start.
    let flat = |value: f64| Polynomial([vec![0.0; DEGREE], vec![value]].concat());
    let constant = Curve { a: flat(scale), b: flat(scale * FIRST_WIDTH) };
    let fitted = |objective: Objective| {
        let ends = [&first, &constant].map(|start| objective.fit(&rows, start, scale));
        let [value, other] = ends.each_ref().map(|end| objective.value(&rows, end));
        let [end, of_constant] = ends;
        if other < value - SAME_VALUE * value.abs() || !value.is_finite() { of_constant } else { end }
    };
    let curve = method.objective().map_or_else(|| first.clone(), fitted);
    let objective = method.objective().map(|objective| [&first, &curve].map(|curve| printed(objective, &rows, curve)));
    Ok(Model { single, skipped, objective, curve, target })
}

/// An objective as it is printed: errors of the score as their root mean square.
fn printed(objective: Objective, rows: &[Row], curve: &Curve) -> f64 {
    let value = objective.value(rows, curve);
    if objective == Objective::Score { value.sqrt() } else { value }
}

/// A polynomial as source text.
pub fn formula(polynomial: &Polynomial, target: u32) -> String {
    let c = &polynomial.0;
    format!("(({:.3} * x / {target} + {:.3}) * x / {target} + {:.3}) * x / {target} + {:.3}", c[0], c[1], c[2], c[3])
}
