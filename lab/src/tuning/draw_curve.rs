//! The curve of the draw score: what the sum of the other draw weights still lacks.
//!
//! Evidence for a draw does not quite add up: positions with much of it are more often drawn than the sum says, others
//! less. One more regression with the knots of the curve as its only weights puts that right.

use super::prior::Prior;
use super::solve;
use super::tuner::Tuner;
use super::variables::{self, CURVE, Variables};
use super::vector::{Vector, WEIGHTS};
use anyhow::Result;
use halfpoint::eval::Weights;
use halfpoint::eval::tuning::terms::{DRAW_CURVE, DRAW_KNOT_STEP};

impl Tuner<'_> {
    /// Gives every position its place on the curve by the other draw weights.
    pub fn set_draws(&mut self, draw: &[f64]) {
        let mut sums = variables::without_curve(draw.to_vec());
        sums[WEIGHTS..].fill(0.0);
        for split in 0..self.splits.len() {
            let logits = self.objective(Vector::Draw, split).logits(&sums);
            let rows = self.splits[split].iter_mut().flat_map(|block| &mut block.rows);
            for (row, logit) in rows.zip(logits) {
                row.draw = self.knots.draw(f64::from(logit) / Vector::Draw.logits_per_unit());
            }
        }
    }

    /// Fits the curve to the training positions, given the other draw weights, and puts it into `draw`, rounded; that of
    /// the `old` weights if it is fixed. Every position gets its place.
    pub fn fit_curve(&mut self, draw: &mut [f64], old: &Weights, progress: &mut dyn FnMut(&str)) -> Result<()> {
        self.set_draws(draw);
        if self.options.fixes(Vector::Draw, DRAW_CURVE.offset) {
            draw[CURVE].copy_from_slice(&variables::parameters(Vector::Draw, old, self.groups)[CURVE]);
            return Ok(());
        }
        progress("the curve");
        let start = variables::without_curve(draw.to_vec());
        let variables = Variables::new(|feature| CURVE.contains(&(2 * feature)), self.groups);
        let mut centre = start.clone();
        centre[WEIGHTS..].fill(0.0);
        let prior = Prior::new(Vector::Draw, centre, self.options.prior_draw, self.options.smooth_draw);
        let objective = self.objective(Vector::Draw, 0);
        let solution = solve::solve(objective, &prior, &variables, &start, self.limits(), progress)?;
        draw.copy_from_slice(&solution.parameters);
        for parameter in CURVE {
            draw[parameter] = draw[parameter].round();
            // A draw score that falls where the sum rises would turn evidence round.
            if CURVE.contains(&(parameter - 2)) {
                draw[parameter] = draw[parameter].max(draw[parameter - 2] - f64::from(DRAW_KNOT_STEP));
            }
        }
        Ok(())
    }
}
