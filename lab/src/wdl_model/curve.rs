//! The two-parameter model of Stockfish: how likely a win is, given an evaluation `x`, is a logistic curve whose place and
//! width are polynomials in material or move number.
//!
//! ```text
//! W(x) = 1 / (1 + exp((a − x) / b))     L(x) = W(−x)     D(x) = 1 − W(x) − L(x)
//! ```

use crate::outcome::Outcome;
use crate::stats::{Rules, least_squares, minimize};
use halfpoint::wdl::model::sigmoid;

/// How a fit goes down: the first step is short, as a longer one could leave for where everything is flat.
const RULES: Rules = Rules { tolerance: 1e-11, iterations: 1000, first_step: Some(0.05), noise: 1e-15 };
/// Least width of a curve: smaller widths count as this, so that a fit never divides by zero.
const LEAST_WIDTH: f64 = 1e-8;

/// A polynomial, highest power first.
#[derive(Clone, Debug, PartialEq)]
pub struct Polynomial(pub Vec<f64>);

impl Polynomial {
    /// Its value at `u`.
    pub fn at(&self, u: f64) -> f64 {
        self.0.iter().fold(0.0, |sum, c| sum * u + c)
    }

    /// Its value at 1: the sum of the coefficients.
    pub fn at_one(&self) -> f64 {
        self.0.iter().sum()
    }

    /// The polynomial through values at as many nodes.
    fn through(nodes: &[f64], values: &[f64]) -> Polynomial {
        let powers = |&u: &f64| (0..nodes.len() as i32).rev().map(|power| u.powi(power)).collect();
        Polynomial(least_squares(&nodes.iter().map(powers).collect::<Vec<_>>(), values))
    }

    /// The polynomial of a degree that is nearest to the points in the least squares sense.
    pub fn nearest(points: &[(f64, f64)], degree: usize) -> Polynomial {
        let nodes = nodes(points.iter().map(|point| point.0), degree);
        let rows: Vec<_> = points.iter().map(|&(u, _)| basis(&nodes, u)).collect();
        let values: Vec<_> = points.iter().map(|point| point.1).collect();
        Polynomial::through(&nodes, &least_squares(&rows, &values))
    }
}

/// Points on the range of `u` at which the values of a polynomial tell it well: Chebyshev's.
fn nodes(u: impl Iterator<Item = f64>, degree: usize) -> Vec<f64> {
    let (low, high) = u.fold((f64::MAX, f64::MIN), |(low, high), u| (low.min(u), high.max(u)));
    let (middle, half) = ((low + high) / 2.0, ((high - low) / 2.0).max(f64::EPSILON));
    if degree == 0 {
        return vec![middle];
    }
    (0..=degree).map(|k| middle - half * (std::f64::consts::PI * k as f64 / degree as f64).cos()).collect()
}

/// The polynomials of Lagrange at `u`: how much the value at each node counts.
fn basis(nodes: &[f64], u: f64) -> Vec<f64> {
    let value = |k: usize| {
        let others = nodes.iter().enumerate().filter(|&(j, _)| j != k);
        others.map(|(_, node)| (u - node) / (nodes[k] - node)).product()
    };
    (0..nodes.len()).map(value).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The model: `a` and `b` by `u`, a number that stands for material or move number.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Evaluation at which half of the games are won.
    pub a: Polynomial,
    /// Width: how fast wins become likely.
    pub b: Polynomial,
}

impl Curve {
    /// Probabilities of win, draw and loss.
    pub fn rates(&self, x: f64, u: f64) -> [f64; 3] {
        rates(x, self.a.at(u), self.b.at(u))
    }
}

fn rates(x: f64, a: f64, b: f64) -> [f64; 3] {
    let b = b.max(LEAST_WIDTH);
    let (win, loss) = (sigmoid((x - a) / b), sigmoid((-x - a) / b));
    [win, 1.0 - win - loss, loss]
}

/// How positions of one evaluation ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    pub x: f64,
    /// Wins, draws and losses.
    pub counts: [f64; 3],
}

impl Cell {
    /// Positions.
    pub fn total(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// Fractions of wins, draws and losses.
    pub fn density(&self) -> [f64; 3] {
        self.counts.map(|count| count / self.total())
    }
}

/// Positions of one material or move number.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Stands for the material or move number.
    pub u: f64,
    pub cells: Vec<Cell>,
}

/// What a fit makes small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Objective {
    /// Squared difference between the rate of wins and the fraction of wins, summed over the cells.
    Density,
    /// Mean of −ln of the probability of what happened, which counts as `floor` at least.
    Probability { floor: f64 },
    /// Mean squared difference between expected and real result.
    Score,
}

impl Objective {
    /// What a cell adds, with the derivatives by `a` and `b`.
    fn of(self, cell: &Cell, a: f64, b: f64) -> [f64; 3] {
        let width = b.max(LEAST_WIDTH);
        let [win, draw, loss] = rates(cell.x, a, b);
        let slopes = |rate: f64, x: f64| {
            let slope = -rate * (1.0 - rate) / width;
            [slope, if b > LEAST_WIDTH { slope * (x - a) / width } else { 0.0 }]
        };
        let (win_slopes, loss_slopes) = (slopes(win, cell.x), slopes(loss, -cell.x));
        let along = |win: f64, loss: f64| [0, 1].map(|i| win * win_slopes[i] + loss * loss_slopes[i]);
        let (value, [by_a, by_b]) = match self {
            Objective::Density => {
                let error = win - cell.density()[Outcome::Win as usize];
                (error * error, along(2.0 * error, 0.0))
            }
            Objective::Score => {
                let score = win + draw / 2.0;
                let errors = Outcome::ALL.map(|outcome| score - outcome.points());
                let value = errors.iter().zip(cell.counts).map(|(error, count)| count * error * error).sum();
                let slope: f64 = errors.iter().zip(cell.counts).map(|(error, count)| count * error).sum();
                (value, along(slope, -slope))
            }
            Objective::Probability { floor } => {
                let [wins, draws, losses] = cell.counts;
                let logs = [win, draw, loss].map(|rate| rate.max(floor).ln());
                let inverse = |count: f64, rate: f64| if rate > floor { count / rate } else { 0.0 };
                let drawn = inverse(draws, draw);
                (-dot(&cell.counts, &logs), along(drawn - inverse(wins, win), drawn - inverse(losses, loss)))
            }
        };
        [value, by_a, by_b]
    }

    /// The objective of a curve over all rows: a mean over the positions; for [`Objective::Density`] the sum.
    pub fn value(self, rows: &[Row], curve: &Curve) -> f64 {
        let sum: f64 = rows
            .iter()
            .flat_map(|row| row.cells.iter().map(|cell| self.of(cell, curve.a.at(row.u), curve.b.at(row.u))[0]))
            .sum();
        sum / self.weight(rows)
    }

    fn weight(self, rows: &[Row]) -> f64 {
        match self {
            Objective::Density => 1.0,
            _ => rows.iter().flat_map(|row| &row.cells).map(Cell::total).sum(),
        }
    }

    /// The curve with the least objective, found downhill from `start`, whose degrees it keeps. `scale` is the size of
    /// a pawn in the evaluations.
    pub fn fit(self, rows: &[Row], start: &Curve, scale: f64) -> Curve {
        let degrees = [&start.a, &start.b].map(|polynomial| polynomial.0.len() - 1);
        let [nodes_a, nodes_b] = degrees.map(|degree| nodes(rows.iter().map(|row| row.u), degree));
        let bases: Vec<_> = rows.iter().map(|row| (basis(&nodes_a, row.u), basis(&nodes_b, row.u))).collect();
        let weight = self.weight(rows);
        let objective = |values: &[f64]| {
            let (of_a, of_b) = values.split_at(nodes_a.len());
            let (mut sum, mut gradient) = (0.0, vec![0.0; values.len()]);
            for (row, (basis_a, basis_b)) in rows.iter().zip(&bases) {
                let (a, b) = (scale * dot(basis_a, of_a), scale * dot(basis_b, of_b));
                let mut total = [0.0; 3];
                for cell in &row.cells {
                    total.iter_mut().zip(self.of(cell, a, b)).for_each(|(total, part)| *total += part);
                }
                let [value, by_a, by_b] = total.map(|total| total / weight);
                sum += value;
                let slopes = basis_a.iter().map(|basis| basis * by_a).chain(basis_b.iter().map(|basis| basis * by_b));
                gradient.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += scale * slope);
            }
            (sum, gradient)
        };
        let values = |polynomial: &Polynomial, nodes: &[f64]| -> Vec<f64> {
            nodes.iter().map(|&u| polynomial.at(u) / scale).collect()
        };
        let start = [values(&start.a, &nodes_a), values(&start.b, &nodes_b)].concat();
        let best = minimize(objective, &start, RULES).pop().map_or(start, |point| point.x);
        let (of_a, of_b) = best.split_at(nodes_a.len());
        let polynomial = |nodes: &[f64], values: &[f64]| {
            Polynomial::through(nodes, &values.iter().map(|value| value * scale).collect::<Vec<_>>())
        };
        let mut curve = Curve { a: polynomial(&nodes_a, of_a), b: polynomial(&nodes_b, of_b) };
        // The expected result is the same for a and -a, but with -a draws are less than nothing.
        if self == Objective::Score && curve.a.at_one() < 0.0 {
            curve.a.0.iter_mut().for_each(|coefficient| *coefficient = -*coefficient);
        }
        curve
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn curve() -> Curve {
        Curve { a: Polynomial(vec![20.0, -60.0, 150.0]), b: Polynomial(vec![15.0, 45.0]) }
    }

    /// As many positions as the curve expects of each outcome.
    fn ideal(curve: &Curve) -> Vec<Row> {
        let row = |u: f64| Row {
            u,
            cells: (-40..=40)
                .map(|i| 10.0 * f64::from(i))
                .map(|x| Cell { x, counts: curve.rates(x, u).map(|rate| 100.0 * rate) })
                .collect(),
        };
        (3..=13).map(|i| row(f64::from(i) / 10.0)).collect()
    }

    fn assert_close(found: &Curve, expected: &Curve) {
        for u in [0.3, 0.7, 1.0, 1.3] {
            let (a, b) = (found.a.at(u) - expected.a.at(u), found.b.at(u) - expected.b.at(u));
            assert!(a.abs() < 1e-3 && b.abs() < 1e-3, "{found:?}");
        }
    }

    #[test]
    fn every_objective_finds_the_curve_behind_the_data() {
        let rows = ideal(&curve());
        let start = Curve { a: Polynomial(vec![0.0, 0.0, 100.0]), b: Polynomial(vec![0.0, 100.0 / 6.0]) };
        for objective in [Objective::Density, Objective::Score, Objective::Probability { floor: 1e-14 }] {
            assert_close(&objective.fit(&rows, &start, 100.0), &curve());
        }
    }

    #[test]
    fn a_fit_of_scores_leaves_room_for_draws() {
        let start = Curve { a: Polynomial(vec![0.0, 0.0, -100.0]), b: Polynomial(vec![0.0, 50.0]) };
        assert_close(&Objective::Score.fit(&ideal(&curve()), &start, 100.0), &curve());
    }

    #[test]
    fn the_nearest_polynomial_has_the_least_squares() {
        let points = [(0.3, 250.0), (0.5, 180.0), (0.8, 190.0), (1.0, 170.0), (1.3, 140.0)];
        let squares = |p: &Polynomial| points.iter().map(|&(u, y)| (p.at(u) - y).powi(2)).sum::<f64>();
        let best = Polynomial::nearest(&points, 2);
        for i in 0..3 {
            for step in [-1.0, 1.0] {
                let mut other = best.clone();
                other.0[i] += step;
                assert!(squares(&other) > squares(&best));
            }
        }
        let exact = Polynomial::nearest(&points, 4);
        assert!(points.iter().all(|&(u, y)| (exact.at(u) - y).abs() < 1e-5), "{exact:?}");
    }

    proptest! {
        #[test]
        fn rates_sum_to_one_and_mirror(x in -2000.0..2000.0f64, u in 0.0..1.4f64) {
            let ([win, draw, loss], [mirrored, ..]) = (curve().rates(x, u), curve().rates(-x, u));
            prop_assert!((win + draw + loss - 1.0).abs() < 1e-12);
            prop_assert_eq!(loss, mirrored);
        }

        #[test]
        fn derivatives_are_those_of_the_objective(
            x in -300.0..300.0f64, a in 20.0..200.0f64, b in 10.0..120.0f64,
            counts in prop::array::uniform3(0.5..20.0f64),
        ) {
            // Beyond, differences tell little: the least rate is lost in rounding.
            prop_assume!(x.abs() + a < 12.0 * b);
            let (cell, h) = (Cell { x, counts }, 1e-4);
            for objective in [Objective::Density, Objective::Score, Objective::Probability { floor: 1e-14 }] {
                let [_, by_a, by_b] = objective.of(&cell, a, b);
                let value = |a, b| objective.of(&cell, a, b)[0];
                let (near_a, near_b) = (
                    (value(a + h, b) - value(a - h, b)) / (2.0 * h),
                    (value(a, b + h) - value(a, b - h)) / (2.0 * h),
                );
                prop_assert!((by_a - near_a).abs() < 1e-4 * (1.0 + by_a.abs()), "{objective:?} {by_a} {near_a}");
                prop_assert!((by_b - near_b).abs() < 1e-4 * (1.0 + by_b.abs()), "{objective:?} {by_b} {near_b}");
            }
        }
    }
}
