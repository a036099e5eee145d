//! Cross-validation: every game is predicted by weights that have not seen it.

use super::block::Block;
use super::fit::Fit;
use super::predictions::{self, Calibration, Prediction};
use super::tuner::Tuner;
use super::variables;
use super::vector::Vector;
use crate::stats::{Measures, assign_folds};
use anyhow::Result;
use halfpoint::eval::Weights;
use halfpoint::output::error_line;

/// How well the held-out games were predicted, all of them together.
pub struct Folds {
    pub count: usize,
    /// Scores of the predictions, White's view.
    pub measures: Measures,
    /// What is left to correct in the log odds of wilo and draw.
    pub calibration: [Option<Calibration>; 2],
}

/// A block with its number, which tells the part it belongs to.
type Numbered = (usize, Block);

impl Tuner<'_> {
    /// Cuts all games into `count` parts, at most as many as there are blocks, and predicts each by weights tuned, as the
    /// `fits` were, on all the others. The splits are gone afterwards.
    pub fn cross_validate(&mut self, count: usize, old: &Weights, fits: &[Fit; 2]) -> Result<Folds> {
        let mut blocks: Vec<Numbered> =
            self.splits.each_mut().into_iter().flat_map(std::mem::take).enumerate().collect();
        let part = assign_folds(blocks.len(), count, self.options.seed);
        let mut predictions: Vec<(usize, Vec<Prediction>)> = Vec::new();
        for fold in 0..count {
            error_line(format_args!("part {} of {count} is held out", fold + 1));
            let (held_out, rest): (Vec<Numbered>, Vec<Numbered>) =
                blocks.into_iter().partition(|&(number, _)| part[number] == fold);
            let (held_out_numbers, held_out): (Vec<usize>, Vec<Block>) = held_out.into_iter().unzip();
            let (rest_numbers, rest): (Vec<usize>, Vec<Block>) = rest.into_iter().unzip();
            self.splits = [rest, Vec::new(), held_out];
            predictions.extend(self.predict_held_out(&held_out_numbers, old, fits)?);
            let [rest, _, held_out] = self.splits.each_mut().map(std::mem::take);
            blocks = rest_numbers.into_iter().zip(rest).chain(held_out_numbers.into_iter().zip(held_out)).collect();
        }
        blocks.sort_unstable_by_key(|&(number, _)| number);
        predictions.sort_unstable_by_key(|&(number, _)| number);
        let blocks: Vec<Block> = blocks.into_iter().map(|(_, block)| block).collect();
        let predictions: Vec<Prediction> = predictions.into_iter().flat_map(|(_, of_block)| of_block).collect();
        Ok(Folds {
            count,
            measures: predictions::measures(&blocks, &predictions),
            calibration: Vector::BOTH.map(|vector| predictions::calibration(&blocks, &predictions, vector)),
        })
    }

    /// Tunes on the first split and predicts the last one; the predictions of each block with its number.
    fn predict_held_out(
        &mut self,
        numbers: &[usize],
        old: &Weights,
        fits: &[Fit; 2],
    ) -> Result<Vec<(usize, Vec<Prediction>)>> {
        let mut parameters = Vector::BOTH.map(|vector| variables::parameters(vector, old, self.groups));
        for (vector, fit) in Vector::BOTH.into_iter().zip(fits) {
            let prior = self.prior(vector, old, fit.deviation);
            let progress = &mut |line: &str| error_line(format_args!("{}: {line}", vector.name()));
            let (_, _, rounded) = self.solve(vector, &prior, &fit.solution.parameters, progress)?;
            parameters[vector as usize] = rounded;
            match vector {
                Vector::Wilo => self.set_sizes(&parameters[0]),
                Vector::Draw => self.fit_curve(&mut parameters[1], old, progress)?,
            }
        }
        let mut predictions = self.predictions(2, &parameters).into_iter();
        let of_block = |block: &Block| predictions.by_ref().take(block.rows.len()).collect();
        Ok(numbers.iter().copied().zip(self.splits[2].iter().map(of_block).collect::<Vec<_>>()).collect())
    }
}
