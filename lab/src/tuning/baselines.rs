//! What new weights are compared with: base rates, material alone, and the old weights.

use super::predictions::{self, Prediction};
use super::prior::Prior;
use super::solve;
use super::tuner::Tuner;
use super::variables::{self, Variables};
use super::vector::{Vector, WEIGHTS};
use anyhow::Result;
use halfpoint::eval::Weights;
use halfpoint::eval::tuning::terms::{BASE, MATERIAL, Term, WILO_SIZE};

/// Training positions that the material-only prediction and the level of the old weights are fitted to.
const BASELINE_POSITIONS: usize = 500_000;
/// Standard deviation of the weights of the material-only prediction around zero: as good as free.
const MATERIAL_DEVIATION: f64 = 3000.0;

impl Tuner<'_> {
    /// Predictions for the test positions that the new weights are compared with. Leaves the sizes of wilo
    /// and the draw scores in disorder.
    pub fn baselines(&mut self, old: &Weights) -> Result<Vec<(String, Vec<Prediction>)>> {
        let rates = predictions::base_rates(&self.splits[0]);
        let test: usize = self.splits[2].iter().map(|block| block.rows.len()).sum();
        let mut baselines = vec![("base rates".to_owned(), vec![rates; test])];

        let mut parameters = Vector::BOTH.map(|vector| variables::parameters(vector, old, self.groups));
        self.set_sizes(&parameters[0]);
        self.set_draws(&parameters[1]);
        let old = self.predictions(2, &parameters);
        let levels = Vector::BOTH.map(|vector| {
            let objective = self.objective(vector, 0).first(BASELINE_POSITIONS);
            objective.level(&parameters[vector as usize])
        });
        let [factor, offset] = levels;
        parameters[0].iter_mut().for_each(|weight| *weight *= factor);
        for phase in [0, 1] {
            parameters[1][2 * BASE.at(0) + phase] += offset / Vector::Draw.logits_per_unit();
        }
        let at_level = self.predictions(2, &parameters);

        let material = self.material_only()?;
        baselines.push(("material only".to_owned(), material));
        baselines.push(("old weights".to_owned(), old));
        baselines.push((format!("old weights with w × {factor:.3}, d {offset:+.3}"), at_level));
        Ok(baselines)
    }

    /// The draw model with the piece counts as its only features, fitted to the data.
    fn material_only(&mut self) -> Result<Vec<Prediction>> {
        let is_of = |terms: &[Term], feature: usize| {
            terms.iter().any(|term| (term.offset..term.offset + term.len).contains(&feature))
        };
        let mut parameters = [const { Vec::new() }; 2];
        for (vector, terms) in [(Vector::Wilo, &[MATERIAL][..]), (Vector::Draw, &[BASE, MATERIAL, WILO_SIZE])] {
            let objective = self.objective(vector, 0).first(BASELINE_POSITIONS);
            let variables = Variables::new(|feature| is_of(terms, feature), self.groups);
            let start = vec![0.0; WEIGHTS + self.groups];
            let prior = Prior::new(vector, start.clone(), MATERIAL_DEVIATION, None);
            let solution = solve::solve(objective, &prior, &variables, &start, self.limits(), &mut |_| {})?;
            parameters[vector as usize] = solution.parameters;
            if vector == Vector::Wilo {
                self.set_sizes(&parameters[0]);
            }
        }
        Ok(self.predictions(2, &parameters))
    }
}
