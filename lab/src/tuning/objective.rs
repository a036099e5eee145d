//! The two logistic regressions: loss, gradient and curvature over all positions.
//!
//! The likelihood of a result splits into one regression for each vector (see [`halfpoint::wdl::model`]): draws against the
//! rest for the draw vector, wins against losses, weighted by how decisive the target is, for wilo. The logit of a
//! position is linear in the weights, so each has one optimum. Four places of the evaluation are not linear, and are
//! treated so:
//!
//! - wilo and draw score are cut to whole numbers after tapering, less than a centipawn and a hundredth of a logit: the
//!   regression leaves this out, [`Objective`] sums real numbers;
//! - the draw score depends on the size of wilo: wilo is solved first, and its rounded weights give each position a
//!   size, cut to a whole number and to the last knot as in the evaluation, which is a fixed coefficient from then on;
//! - the curve of the draw score depends on the sum of all else: it is nothing while the other draw weights are solved,
//!   whose rounded sum gives each position its place on the curve, which is then a regression of its own;
//! - the search cuts scores off at 120 pawns and 12 logits, where a result is as good as certain: left out. But where
//!   fixed weights alone take the draw score so far, the position has no part in the draw regression: all that a draw
//!   against these weights could do is to bend the others.

use super::block::{Block, Row};
use super::coefficients::{CODES, Coefficient};
use super::knots::Knots;
use super::vector::{Fitted, Vector, WEIGHTS};
use crate::stats::{Case, Regression};
use halfpoint::eval::FULL_PHASE;
use halfpoint::eval::tuning::terms::COUNT;
use rayon::prelude::*;

/// Parts that a pass over the data is cut into. Their sums are added in order, so that the result does not depend on
/// the number of threads.
const PARTS: usize = 64;

/// Place of the worth of ratings among the parameters: wilo for an advantage of 100 Elo.
pub const WORTH_OF_RATINGS: usize = WEIGHTS;

/// A factor on wilo is at most this, and at least one over it. The loss is not convex in weights and factors together, and with
/// few games it falls as a factor runs away.
pub const MAX_FACTOR: f64 = 4.0;

/// Slope of a level below which its factor runs against the bound.
const SLOPE_AT_BOUND: f64 = 0.3;

/// A group's factor on wilo, from its parameter.
#[derive(Clone, Copy)]
pub struct Level {
    /// The factor.
    pub factor: f64,
    /// Derivative of its logarithm by the parameter; 1 where the factor is 1, and towards 0 at the bound.
    pub slope: f64,
}

impl Level {
    /// The logarithm goes with the parameter, and bends to that of [`MAX_FACTOR`].
    pub fn of(parameter: f64) -> Level {
        let bend = (parameter / MAX_FACTOR.ln()).tanh();
        Level { factor: (MAX_FACTOR.ln() * bend).exp(), slope: 1.0 - bend * bend }
    }

    /// Whether the factor would run on without its limit.
    pub fn is_at_bound(self) -> bool {
        self.slope < SLOPE_AT_BOUND
    }
}

/// Fraction of the middlegame weights.
pub(super) fn middlegame(row: &Row) -> f64 {
    f64::from(row.phase) / f64::from(FULL_PHASE)
}

/// White's advantage in rating, hundreds of Elo.
pub(super) fn hundreds(row: &Row) -> f64 {
    f64::from(row.advantage) / 100.0
}

/// One regression over some positions.
///
/// Its parameters are the [`WEIGHTS`] of the vector, then what 100 Elo are worth in wilo (draw does not use it), then a level
/// for each group of games but the first: a [factor](Level) on wilo, or an offset in hundredths of a logit on the draw score.
#[derive(Clone, Copy)]
pub struct Objective<'a> {
    pub vector: Vector,
    pub blocks: &'a [Block],
    pub coefficients: &'a [Coefficient],
    /// Coefficients of the size of wilo and of the curve of the draw score.
    pub knots: &'a Knots,
}

/// Parameters spread out for a pass over the positions.
pub(super) struct Spread<'a> {
    pub(super) objective: Objective<'a>,
    parameters: &'a [f64],
    /// Middlegame and endgame part of each code.
    table: Box<[[f64; 2]; CODES]>,
    /// Factor on wilo of each group.
    levels: Vec<Level>,
}

/// Middlegame and endgame sums for each code; the upper codes may never be used.
fn zeros() -> Box<[[f64; 2]; CODES]> {
    vec![[0.0; 2]; CODES].into_boxed_slice().try_into().expect("the length is that of the type")
}

impl<'a> Objective<'a> {
    /// The same regression over other positions.
    pub fn over(self, blocks: &'a [Block]) -> Objective<'a> {
        Objective { blocks, ..self }
    }

    /// The same over whole blocks of about so many positions from the beginning.
    pub fn first(self, positions: usize) -> Objective<'a> {
        let mut before = 0;
        let enough = self.blocks.iter().position(|block| {
            before += block.rows.len();
            before >= positions
        });
        self.over(&self.blocks[..enough.map_or(self.blocks.len(), |last| last + 1)])
    }

    /// The level at which the weights as they are fit best: a factor on wilo, or an offset on the draw score in logits.
    pub fn level(self, parameters: &[f64]) -> f64 {
        let logits = self.logits(parameters);
        let (start, cases) = (
            match self.vector {
                Vector::Wilo => 1.0,
                Vector::Draw => 0.0,
            },
            self.blocks.iter().flat_map(|block| &block.rows).zip(&logits).map(|(row, &logit)| {
                let (yes, no) = self.vector.target(row);
                let offset = f64::from(logit);
                let feature = if self.vector == Vector::Wilo { offset } else { 1.0 };
                Case { offset, features: [feature], yes, no }
            }),
        );
        start + Regression::fit(cases, 1, None).coefficients[0]
    }

    pub(super) fn spread(self, parameters: &'a [f64]) -> Spread<'a> {
        let mut table = zeros();
        for (entry, &coefficient) in table.iter_mut().zip(self.coefficients) {
            let (count, at) = (self.vector.count(coefficient), 2 * usize::from(coefficient.feature));
            *entry = [count * parameters[at], count * parameters[at + 1]];
        }
        let levels = match self.vector {
            // The first group has none, and its place is that of another parameter.
            Vector::Wilo => {
                std::iter::once(0.0).chain(parameters[WEIGHTS + 1..].iter().copied()).map(Level::of).collect()
            }
            Vector::Draw => vec![Level::of(0.0); parameters.len() - WEIGHTS],
        };
        Spread { objective: self, parameters, table, levels }
    }

    /// Runs `work` over parts of the positions, many at a time; the results come in order.
    fn parts<T: Send>(self, work: impl Fn(&'a [Block]) -> T + Send + Sync) -> Vec<T> {
        let size = self.blocks.len().div_ceil(PARTS).max(1);
        self.blocks.par_chunks(size).map(work).collect()
    }

    pub fn positions(self) -> usize {
        self.blocks.iter().map(|block| block.rows.len()).sum()
    }

    /// Sum of the losses in nats, and its gradient.
    pub fn gradient(self, parameters: &[f64]) -> (f64, Vec<f64>) {
        let spread = self.spread(parameters);
        let parts = self.parts(|blocks| spread.part_gradient(blocks));
        let mut sum = (0.0, vec![0.0; parameters.len()]);
        for (loss, gradient) in parts {
            sum.0 += loss;
            sum.1.iter_mut().zip(gradient).for_each(|(sum, part)| *sum += part);
        }
        sum
    }

    /// Sum of the losses in nats.
    pub fn loss(self, parameters: &[f64]) -> f64 {
        let spread = self.spread(parameters);
        let loss = |blocks: &'a [Block]| -> f64 {
            let mut sum = 0.0;
            spread.each(
                blocks,
                |row| self.vector.has_target(row),
                |row, logit| sum += self.vector.fit(row, logit).loss,
            );
            sum
        };
        self.parts(loss).into_iter().fold(0.0, |sum, part| sum + part)
    }

    /// Log odds of each position, in order.
    pub fn logits(self, parameters: &[f64]) -> Vec<f32> {
        let spread = self.spread(parameters);
        let logits = |blocks: &'a [Block]| -> Vec<f32> {
            let mut logits = Vec::new();
            spread.each(blocks, |_| true, |_, logit| logits.push(logit as f32));
            logits
        };
        self.parts(logits).concat()
    }

    /// Second derivatives by each parameter alone: the diagonal of the Hessian.
    pub fn diagonal(self, parameters: &[f64]) -> Vec<f64> {
        let spread = self.spread(parameters);
        let parts = self.parts(|blocks| spread.part_diagonal(blocks));
        let mut sum = vec![0.0; parameters.len()];
        for part in parts {
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        sum
    }

    /// In how many positions each feature arises.
    pub fn occurrences(self) -> Vec<u64> {
        let part = |blocks: &'a [Block]| {
            let mut counts = vec![0u64; CODES];
            for block in blocks {
                let codes = block.iter().flat_map(|(row, own)| block.all_codes(row, own));
                codes.for_each(|code| counts[usize::from(code)] += 1);
            }
            let mut features = vec![0; COUNT];
            for (coefficient, count) in self.coefficients.iter().zip(counts) {
                features[usize::from(coefficient.feature)] += count;
            }
            for (feature, share) in blocks.iter().flat_map(|block| &block.rows).flat_map(|row| self.knots.of(row)) {
                features[feature] += u64::from(share < 1.0);
                features[feature + 1] += u64::from(share > 0.0);
            }
            features
        };
        let mut sum = vec![0; COUNT];
        for part in self.parts(part) {
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        sum
    }
}

impl Spread<'_> {
    /// Weighted sums of middlegame and endgame.
    #[inline]
    pub(super) fn sums(&self, codes: &[u16]) -> [f64; 2] {
        // Four sums side by side, as each addition waits for the one before.
        let mut lanes = [[0.0; 2]; 4];
        let chunks = codes.chunks_exact(4);
        for &code in chunks.remainder() {
            let entry = self.table[usize::from(code)];
            lanes[0][0] += entry[0];
            lanes[0][1] += entry[1];
        }
        for chunk in chunks {
            for (lane, &code) in lanes.iter_mut().zip(chunk) {
                let entry = self.table[usize::from(code)];
                lane[0] += entry[0];
                lane[1] += entry[1];
            }
        }
        [0, 1].map(|phase| (lanes[0][phase] + lanes[1][phase]) + (lanes[2][phase] + lanes[3][phase]))
    }

    /// Log odds of a unit of the vector in the position's group.
    #[inline]
    pub(super) fn unit(&self, row: &Row) -> f64 {
        self.objective.vector.logits_per_unit() * self.levels[usize::from(row.group)].factor
    }

    /// Derivative of a position's log odds by the level of its group.
    #[inline]
    pub(super) fn by_level(&self, row: &Row, logit: f64) -> f64 {
        match self.objective.vector {
            Vector::Wilo => logit * self.levels[usize::from(row.group)].slope,
            Vector::Draw => self.unit(row),
        }
    }

    /// Hands the log odds of each position that is wanted to `work`.
    #[inline]
    fn each(&self, blocks: &[Block], wanted: impl Fn(&Row) -> bool, mut work: impl FnMut(&Row, f64)) {
        for block in blocks {
            let runs = self.runs(block);
            for (row, own) in block.iter().filter(|(row, _)| wanted(row)) {
                work(row, self.logit(row, own, row.runs.map(|run| runs[run as usize])));
            }
        }
    }

    /// Sums of each run of a block.
    fn runs(&self, block: &Block) -> Vec<[f64; 2]> {
        block.runs().map(|codes| self.sums(codes)).collect()
    }

    #[inline]
    pub(super) fn logit(&self, row: &Row, own: &[u16], runs: [[f64; 2]; 2]) -> f64 {
        let Objective { vector, knots, .. } = self.objective;
        let [mut mg, mut eg] = self.sums(own);
        for sums in runs {
            mg += sums[0];
            eg += sums[1];
        }
        let group = usize::from(row.group);
        let offset = match vector {
            Vector::Wilo => self.parameters[WORTH_OF_RATINGS] * hundreds(row),
            Vector::Draw => {
                for (feature, share) in knots.of(row) {
                    let weights = &self.parameters[2 * feature..2 * feature + 4];
                    mg += weights[0] * (1.0 - share) + weights[2] * share;
                    eg += weights[1] * (1.0 - share) + weights[3] * share;
                }
                if group > 0 { self.parameters[WEIGHTS + group] } else { 0.0 }
            }
        };
        let share = middlegame(row);
        self.unit(row) * (mg * share + eg * (1.0 - share) + offset)
    }

    /// Sums over the positions what `work` gives a position for its middlegame and endgame weights, by code.
    #[inline]
    fn scatter(&self, blocks: &[Block], mut work: impl FnMut(&Row, &Fitted) -> [f64; 2]) -> Box<[[f64; 2]; CODES]> {
        let vector = self.objective.vector;
        let mut sums = zeros();
        let mut add = |codes: &[u16], values: [f64; 2]| {
            for &code in codes {
                let sum = &mut sums[usize::from(code)];
                sum[0] += values[0];
                sum[1] += values[1];
            }
        };
        for block in blocks {
            let runs = self.runs(block);
            let mut of_runs = vec![[0.0; 2]; runs.len()];
            for (row, own) in block.iter().filter(|(row, _)| vector.has_target(row)) {
                let logit = self.logit(row, own, row.runs.map(|run| runs[run as usize]));
                let fit = vector.fit(row, logit);
                let values = work(row, &fit);
                add(own, values);
                for run in row.runs {
                    let sum = &mut of_runs[run as usize];
                    sum[0] += values[0];
                    sum[1] += values[1];
                }
            }
            block.runs().zip(of_runs).filter(|(_, sum)| *sum != [0.0; 2]).for_each(|(codes, sum)| add(codes, sum));
        }
        sums
    }

    fn part_gradient(&self, blocks: &[Block]) -> (f64, Vec<f64>) {
        let Objective { vector, knots, .. } = self.objective;
        let mut gradient = vec![0.0; self.parameters.len()];
        let mut loss = 0.0;
        let sums = self.scatter(blocks, |row, fit| {
            loss += fit.loss;
            let group = usize::from(row.group);
            let slope = fit.slope * self.unit(row);
            let mg = slope * middlegame(row);
            let eg = slope - mg;
            if vector == Vector::Draw {
                for (feature, share) in knots.of(row) {
                    let weights = &mut gradient[2 * feature..2 * feature + 4];
                    weights[0] += mg * (1.0 - share);
                    weights[1] += eg * (1.0 - share);
                    weights[2] += mg * share;
                    weights[3] += eg * share;
                }
            }
            if vector == Vector::Wilo {
                gradient[WORTH_OF_RATINGS] += slope * hundreds(row);
            }
            if group > 0 {
                gradient[WEIGHTS + group] += fit.slope * self.by_level(row, fit.logit);
            }
            [mg, eg]
        });
        self.fold(&sums, &mut gradient, |count| count);
        (loss, gradient)
    }

    fn part_diagonal(&self, blocks: &[Block]) -> Vec<f64> {
        let Objective { vector, knots, .. } = self.objective;
        let mut diagonal = vec![0.0; self.parameters.len()];
        let sums = self.scatter(blocks, |row, fit| {
            let group = usize::from(row.group);
            let (unit, share) = (self.unit(row), middlegame(row));
            let [mg, eg] = [share, 1.0 - share].map(|share| fit.curvature * (unit * share) * (unit * share));
            if vector == Vector::Draw {
                let parts = knots.of(row).into_iter();
                for (knot, share) in parts.flat_map(|(knot, share)| [(knot, 1.0 - share), (knot + 1, share)]) {
                    diagonal[2 * knot] += mg * share * share;
                    diagonal[2 * knot + 1] += eg * share * share;
                }
            }
            if vector == Vector::Wilo {
                diagonal[WORTH_OF_RATINGS] += fit.curvature * (unit * hundreds(row)).powi(2);
            }
            if group > 0 {
                diagonal[WEIGHTS + group] += fit.curvature * self.by_level(row, fit.logit).powi(2);
            }
            [mg, eg]
        });
        self.fold(&sums, &mut diagonal, |count| count * count);
        diagonal
    }

    /// Adds the sums of the codes to the parameters they stand for, in the order of the parameters' meaning, not of the
    /// codes.
    fn fold(&self, sums: &[[f64; 2]; CODES], parameters: &mut [f64], by_count: impl Fn(f64) -> f64) {
        for (&coefficient, sum) in self.objective.coefficients.iter().zip(sums) {
            let factor = by_count(self.objective.vector.count(coefficient));
            let at = 2 * usize::from(coefficient.feature);
            parameters[at] += factor * sum[0];
            parameters[at + 1] += factor * sum[1];
        }
    }
}
