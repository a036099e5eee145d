//! Second derivatives of a regression: the Hessian, and how much gradients vary between games.

use super::block::Row;
use super::objective::{Objective, Spread, WORTH_OF_RATINGS, hundreds, middlegame};
use super::variables::Variables;
use super::vector::{Vector, WEIGHTS};
use halfpoint::eval::tuning::terms::Feature;
use nalgebra::DMatrix;
use rayon::prelude::*;

/// A vector with few entries that are not zero.
struct Sparse {
    values: Vec<f64>,
    touched: Vec<usize>,
    is_touched: Vec<bool>,
}

impl Sparse {
    fn new(len: usize) -> Sparse {
        Sparse { values: vec![0.0; len], touched: Vec::new(), is_touched: vec![false; len] }
    }

    fn add(&mut self, index: usize, value: f64) {
        if value == 0.0 {
            return;
        }
        if !std::mem::replace(&mut self.is_touched[index], true) {
            self.touched.push(index);
        }
        self.values[index] += value;
    }

    /// Adds `factor` times the outer product with itself to one triangle of a square matrix, and forgets the entries.
    fn outer_product(&mut self, factor: f64, matrix: &mut [f64]) {
        let size = self.values.len();
        for (done, &i) in self.touched.iter().enumerate() {
            let value = factor * self.values[i];
            let line = &mut matrix[i * size..(i + 1) * size];
            for &j in &self.touched[..=done] {
                line[j] += value * self.values[j];
            }
        }
        self.clear();
    }

    fn clear(&mut self) {
        for index in self.touched.drain(..) {
            self.values[index] = 0.0;
            self.is_touched[index] = false;
        }
    }
}

/// Second-order knowledge of a regression, in terms of its variables.
pub struct Information {
    /// Hessian of the sum of the losses.
    pub hessian: DMatrix<f64>,
    /// Sum over games of the outer product of a game's gradient with itself: how far the gradient would vary if other
    /// games had been played. Positions of one game share its result, so this is more than the Hessian. Zero if it is
    /// made from single positions.
    pub variation: DMatrix<f64>,
}

impl Information {
    /// Scales what a sample tells so that the diagonal of the Hessian is that of all positions.
    pub fn rescale(&mut self, objective: Objective, variables: &Variables, parameters: &[f64]) {
        let Information { hessian, variation } = self;
        let diagonal = variables.gather(&objective.diagonal(parameters));
        // What several parameters follow has more to it than their diagonals.
        let alone = variables.gather(&vec![1.0; parameters.len()]);
        let scale: Vec<f64> = (0..variables.len())
            .map(
                |i| if alone[i] == 1.0 && hessian[(i, i)] > 0.0 { (diagonal[i] / hessian[(i, i)]).sqrt() } else { 1.0 },
            )
            .collect();
        for j in 0..variables.len() {
            for i in 0..variables.len() {
                hessian[(i, j)] *= scale[i] * scale[j];
                variation[(i, j)] *= scale[i] * scale[j];
            }
            hessian[(j, j)] = hessian[(j, j)].max(diagonal[j]);
        }
    }
}

/// What second-order knowledge is made from, of about so many positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subset {
    /// Positions of as many games as possible.
    Positions(usize),
    /// Whole games, as the variation needs them.
    Games(usize),
}

impl Objective<'_> {
    /// Second-order knowledge at some parameters from a sample of the positions, scaled to all.
    pub fn information(self, parameters: &[f64], variables: &Variables, subset: Subset) -> Information {
        let spread = self.spread(parameters);
        let (Subset::Positions(most) | Subset::Games(most)) = subset;
        let stride = self.positions().div_ceil(most).max(1);
        let size = variables.len();
        // A matrix for each thread, not for each part: they are large.
        let threads = rayon::current_num_threads();
        let parts: Vec<(Vec<f64>, Vec<f64>)> = self
            .blocks
            .par_chunks(self.blocks.len().div_ceil(threads).max(1))
            .map(|blocks| {
                let of_games = matches!(subset, Subset::Games(_));
                let mut hessian = vec![0.0; size * size];
                let mut variation = vec![0.0; if of_games { size * size } else { 0 }];
                let (mut derivatives, mut game) = (Sparse::new(size), Sparse::new(size));
                let mut current = None;
                let positions = blocks.iter().flat_map(|block| block.iter().map(move |position| (block, position)));
                for (index, (block, (row, own))) in positions.enumerate() {
                    let place = if of_games { row.game as usize } else { index };
                    if !place.is_multiple_of(stride) || !self.vector.has_target(row) {
                        continue;
                    }
                    let logit = spread.logit(row, own, row.runs.map(|run| spread.sums(block.run(run))));
                    let fit = self.vector.fit(row, logit);
                    spread.derivatives(row, block.all_codes(row, own), logit, variables, &mut derivatives);
                    if of_games {
                        if current.replace(row.game) != Some(row.game) {
                            game.outer_product(1.0, &mut variation);
                        }
                        for &index in &derivatives.touched {
                            game.add(index, fit.slope * derivatives.values[index]);
                        }
                    }
                    derivatives.outer_product(fit.curvature, &mut hessian);
                }
                if of_games {
                    game.outer_product(1.0, &mut variation);
                }
                (hessian, variation)
            })
            .collect();
        let (hessians, variations): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let whole = |parts: &[Vec<f64>]| {
            DMatrix::from_fn(size, size, |i, j| {
                let cell = |i: usize, j: usize| parts.iter().filter_map(|part| part.get(i * size + j)).sum::<f64>();
                // Each pair went to one triangle, whichever.
                let sum = if i == j { cell(i, i) } else { cell(i, j) + cell(j, i) };
                sum * stride as f64
            })
        };
        Information { hessian: whole(&hessians), variation: whole(&variations) }
    }
}

impl Spread<'_> {
    /// Derivatives of the logit of a position by each variable it touches.
    fn derivatives(
        &self,
        row: &Row,
        codes: impl Iterator<Item = u16>,
        logit: f64,
        variables: &Variables,
        sparse: &mut Sparse,
    ) {
        let Objective { vector, coefficients, knots, .. } = self.objective;
        let group = usize::from(row.group);
        let unit = self.unit(row);
        let shares = [middlegame(row), 1.0 - middlegame(row)];
        let mut add = |feature: Feature, count: f64| {
            for (phase, share) in shares.into_iter().enumerate() {
                if let Some(variable) = variables.of(2 * feature + phase) {
                    sparse.add(variable, unit * count * share);
                }
            }
        };
        for code in codes {
            let coefficient = coefficients[usize::from(code)];
            let count = vector.count(coefficient);
            if count != 0.0 {
                add(usize::from(coefficient.feature), count);
            }
        }
        if vector == Vector::Draw {
            for (feature, share) in knots.of(row) {
                add(feature, 1.0 - share);
                add(feature + 1, share);
            }
        }
        if vector == Vector::Wilo
            && let Some(variable) = variables.of(WORTH_OF_RATINGS)
        {
            sparse.add(variable, unit * hundreds(row));
        }
        if group > 0
            && let Some(variable) = variables.of(WEIGHTS + group)
        {
            sparse.add(variable, self.by_level(row, logit));
        }
    }
}
