//! Positions with what is known of their games.

use super::super::observations::Observations;
use crate::stats::Games;
use halfpoint::printing::law::Context;
use halfpoint::printing::profile::{Inputs, ProfileNumbers};
use halfpoint::printing::{Nominal, RatingGap, predict};

/// Positions with what the engine says about them, how they ended, and what is known of their games.
#[derive(Debug)]
pub struct Data<C> {
    pub observations: Observations,
    /// What is known of the game of each.
    pub contexts: Vec<C>,
    /// Nodes of the search of each.
    nodes: Vec<f64>,
    /// What each is held out with.
    groups: Vec<usize>,
}

impl<C: Context> Data<C> {
    /// `groups`: a number for each position; those with the same are held out together.
    pub fn new(observations: Observations, contexts: Vec<C>, nodes: Vec<f64>, groups: Vec<usize>) -> Data<C> {
        Data { observations, contexts, nodes, groups }
    }

    /// Whether the players differ in rating in any position.
    pub fn is_rated(&self) -> bool {
        self.observations.samples.iter().any(|sample| sample.board.advantage != 0)
    }

    /// What the engine prints for games of its own.
    pub fn nominal(&self, index: usize) -> [f64; 3] {
        let inputs = Inputs { advantage: 0.0, ..self.observations.inputs[index] };
        let wdl = predict(&Nominal::shipped().at(self.nodes[index]), &inputs, self.observations.samples[index].board);
        [wdl.win, wdl.draw, wdl.loss]
    }

    pub fn len(&self) -> usize {
        self.contexts.len()
    }

    /// How many kinds of games differ in what is known of them, at most `most`.
    pub fn kinds(&self, most: usize) -> usize {
        let mut found: Vec<Vec<f64>> = Vec::new();
        for features in self.contexts.iter().map(|context| context.features()) {
            if found.len() < most && !found.contains(&features) {
                found.push(features);
            }
        }
        found.len()
    }

    /// The fold in which each position is held out.
    pub fn folds(&self, count: usize, seed: u64) -> Vec<usize> {
        let groups = Games::new(self.groups.iter().copied());
        groups.folds(count.min(groups.count()), seed)
    }

    /// What profiles make of a position, where a difference in rating is worth so much.
    pub fn inputs(&self, index: usize, gap: &RatingGap) -> Inputs {
        let advantage = gap.effective(f64::from(self.observations.samples[index].board.advantage)) / 100.0;
        Inputs { advantage, ..self.observations.inputs[index] }
    }

    /// Probabilities of win, draw and loss by the numbers of its game.
    pub fn predict(&self, index: usize, numbers: &ProfileNumbers, gap: &RatingGap) -> [f64; 3] {
        let wdl = predict(numbers, &self.inputs(index, gap), self.observations.samples[index].board);
        [wdl.win, wdl.draw, wdl.loss]
    }
}
