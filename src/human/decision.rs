//! A position as a choice between moves: their features and losses for a player.

use super::features::{COUNT, FEATURES};
use super::player::Player;
use super::scene::{Recent, Scene};
use super::values::{DEPTHS, MoveValues};
use crate::position::{GameHistory, Move};
use crate::printing::{BoardFacts, Nominal, Printer, Profiles};
use crate::wdl::model::Wdl;
use shakmaty::{Role, Square};

/// Nodes that the printed values are taken to be of.
const NODES: u64 = 20_000;

/// A legal move as people see it.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The move.
    pub m: Move,
    /// Values of the features, in the order of [`FEATURES`].
    pub features: [f32; COUNT],
    /// The piece that moves, from where and to where, as its owner sees the board.
    pub step: (Role, Square, Square),
    /// Win, draw and loss for the player after the move, between equals of the level, by the deepest search of it.
    pub wdl: Wdl,
    /// Expected points less than those of the best move, 0 to 1, by the deepest search that knows both.
    pub loss: f64,
}

/// A position with all moves that can be chosen.
#[derive(Clone, Debug)]
pub struct Decision {
    /// From 0 with all pieces on the board to 1 with kings only.
    pub endgame: f64,
    /// The legal moves, the best of the deepest search first.
    pub choices: Vec<Choice>,
}

impl Decision {
    /// The choice of a player in a game, by the values of all moves, which are in the order of [`Valuer::values`].
    ///
    /// [`Valuer::values`]: super::Valuer::values
    #[must_use]
    pub fn new(
        game: &GameHistory,
        recent: Recent,
        values: &[MoveValues],
        player: &Player,
        profiles: &Profiles,
    ) -> Decision {
        let position = game.position();
        let wdl_for = player.wdl_for(profiles);
        let printer = Printer { game, nominal: Nominal::shipped(), wdl_for: &wdl_for };
        // By depth: win, draw and loss with centipawns.
        let seen: Vec<Vec<(Wdl, f64)>> = values
            .iter()
            .map(|MoveValues { m, scores }| {
                let print = |score: &crate::wdl::score::Score| {
                    let wdl = printer.print(*score, score.estimate(), NODES, Some(*m)).wdl;
                    (wdl, f64::from(score.printed_score_cp()))
                };
                scores.iter().map(print).collect()
            })
            .collect();
        let mut losses = vec![[0.0; DEPTHS.len()]; values.len()];
        let mut losses_cp = losses.clone();
        let mut is_best = vec![[false; DEPTHS.len()]; values.len()];
        for depth in 0..DEPTHS.len() {
            let at_depth = || seen.iter().filter_map(|seen| seen.get(depth));
            let best = at_depth().map(|(wdl, _)| wdl.expected()).fold(0.0, f64::max);
            let best_cp = at_depth().map(|(_, cp)| *cp).fold(f64::NEG_INFINITY, f64::max);
            let top = values.iter().filter_map(|values| values.scores.get(depth)).max();
            for (index, seen) in seen.iter().enumerate() {
                if let Some((wdl, cp)) = seen.get(depth) {
                    losses[index][depth] = (best - wdl.expected()).max(0.0);
                    losses_cp[index][depth] = best_cp - cp;
                    is_best[index][depth] = values[index].scores.get(depth) == top;
                } else if depth > 0 {
                    // What fell behind is not searched deeper: it stays as far behind.
                    losses[index][depth] = losses[index][depth - 1];
                    losses_cp[index][depth] = losses_cp[index][depth - 1];
                }
            }
        }
        let last = |index: usize| seen[index].last().map_or(Wdl::from_scores(0.0, 0.0), |(wdl, _)| *wdl);
        let scene = Scene::new(position, recent);
        let ranks = losses_cp.iter().map(|losses| losses[RANK_DEPTH]).collect::<Vec<_>>();
        let choice = |(index, values): (usize, &MoveValues)| {
            let mut candidate = scene.candidate(values.m);
            candidate.losses = losses[index];
            candidate.losses_cp = losses_cp[index];
            candidate.is_best = is_best[index];
            candidate.rank = ranks.iter().filter(|&&loss| loss < ranks[index]).count();
            Choice {
                m: values.m,
                features: std::array::from_fn(|feature| FEATURES[feature].value(&scene, &candidate) as f32),
                step: (candidate.role, scene.relative(candidate.from), scene.relative(candidate.to)),
                wdl: last(index),
                loss: losses[index][DEPTHS.len() - 1],
            }
        };
        let choices = values.iter().enumerate().map(choice).collect();
        Decision { endgame: BoardFacts::of_position(position).endgame(), choices }
    }
}

/// The place of depth 4, the last at which all moves are known.
const RANK_DEPTH: usize = 3;
