//! One game of the engine against itself.

use super::dataset::{Ending, Eval, Game, Ply};
use super::openings::Openings;
use crate::eval::Weights;
use crate::position::{self, Position};
use crate::search::{HashError, Limits, Pool, SearchParams, Settings, Signals};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Color, KnownOutcome};
use std::sync::Arc;
use thiserror::Error;

/// Size of the transposition table in MiB: room for all nodes of a game, and quickly cleared before the next.
const HASH_MIB: usize = 16;
/// Nodes for the look at a random opening.
const OPENING_NODES: u64 = 2000;
/// Largest distance from ½ of the expected result of a random opening.
const OPENING_IMBALANCE: f64 = 0.35;
/// Random openings tried for one game.
const OPENING_ATTEMPTS: usize = 1000;
/// Expected result of the winning side from which a game counts as decided.
const DECIDED: f64 = 0.9995;
/// Positions in a row that both sides must see as decided, for the same side, before one resigns.
const DECIDED_PLIES: usize = 8;
/// One in so many games is played on instead of resigned.
const PLAYED_ON: u32 = 10;

/// Plays games, one at a time.
pub struct Player<'a> {
    seed: u64,
    openings: &'a Openings,
    limits: Limits,
    signals: &'a Signals,
    pool: Pool,
}

/// A game with what it took.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game.
    pub game: Game,
    /// Nodes searched for its moves.
    pub nodes: u64,
}

/// No opening that can be played.
#[derive(Debug, Error)]
#[error("{OPENING_ATTEMPTS} random openings in a row for game {0} were decided; ask for fewer random moves")]
pub struct NoOpening(u64);

impl<'a> Player<'a> {
    /// A player whose searches start no iteration after `soft_nodes` and end at `hard_nodes`. `signals` can end a game.
    ///
    /// # Errors
    ///
    /// [`HashError`] if there is no memory for the transposition table.
    pub fn new(
        seed: u64,
        soft_nodes: u64,
        hard_nodes: u64,
        openings: &'a Openings,
        weights: Arc<Weights>,
        signals: &'a Signals,
    ) -> Result<Player<'a>, HashError> {
        let limits = Limits { soft_nodes: Some(soft_nodes), nodes: Some(hard_nodes), ..Limits::default() };
        let pool = Pool::new(weights, SearchParams::shipped(), HASH_MIB, 1)?;
        Ok(Player { seed, openings, limits, signals, pool })
    }

    /// Plays the game of this number, which depends on nothing but number, seed, openings, limits and weights. `None`
    /// if it was told to stop.
    ///
    /// # Errors
    ///
    /// [`NoOpening`] if all random openings are decided.
    pub fn play(&mut self, number: u64) -> Result<Option<Played>, NoOpening> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number + 1);
        self.pool.clear();
        let start = self.opening(number, &mut rng)?;
        let mut game = position::Game::new(start.clone());
        let (mut plies, mut nodes) = (Vec::new(), 0);
        let mut verdict = Verdict::default();
        let mut loser = None;
        loop {
            if let Some(outcome) = game.outcome() {
                let ending = loser.map_or(Ending::Rules, |loser: Color| Ending::PlayedOn {
                    right: outcome == KnownOutcome::Decisive { winner: !loser },
                });
                return Ok(Some(Played { game: Game { start, plies, outcome, ending }, nodes }));
            }
            if loser.is_none()
                && let Some(winner) = verdict.winner()
            {
                if !rng.random_ratio(1, PLAYED_ON) {
                    let outcome = KnownOutcome::Decisive { winner };
                    return Ok(Some(Played { game: Game { start, plies, outcome, ending: Ending::Resigned }, nodes }));
                }
                loser = Some(!winner);
            }
            let answer = self.pool.search(&game, &self.limits, &Settings::default(), self.signals, &mut |_| ());
            let Some(m) = answer.best.filter(|_| !self.signals.is_stopped()) else { return Ok(None) };
            let eval = Eval::of(answer.score, game.position().turn());
            plies.push(Ply { m, eval });
            nodes += answer.nodes;
            game.play(m);
            verdict.hear(eval);
        }
    }

    /// An opening that a game can be played from; one with random moves is not decided.
    fn opening(&mut self, number: u64, rng: &mut ChaCha8Rng) -> Result<Position, NoOpening> {
        for _ in 0..OPENING_ATTEMPTS {
            let Some((start, random_plies)) = self.openings.draw(number, rng) else { continue };
            let game = position::Game::new(start.clone());
            if game.outcome().is_none() && (random_plies == 0 || self.is_balanced(&game)) {
                return Ok(start);
            }
        }
        Err(NoOpening(number))
    }

    fn is_balanced(&mut self, game: &position::Game) -> bool {
        let limits = Limits { nodes: Some(OPENING_NODES), ..Limits::default() };
        let answer = self.pool.search(game, &limits, &Settings::default(), self.signals, &mut |_| ());
        (answer.score.expected() - 0.5).abs() <= OPENING_IMBALANCE
    }
}

/// Whether both sides agree that the game is decided.
#[derive(Default)]
struct Verdict {
    winner: Option<Color>,
    plies: usize,
}

impl Verdict {
    /// Takes the score of the next position.
    fn hear(&mut self, eval: Eval) {
        let expected = eval.expected();
        let winner = match expected {
            _ if expected >= DECIDED => Some(Color::White),
            _ if expected <= 1.0 - DECIDED => Some(Color::Black),
            _ => None,
        };
        self.plies = if winner == self.winner { self.plies + 1 } else { 1 };
        self.winner = winner;
    }

    /// The winner, beyond doubt.
    fn winner(&self) -> Option<Color> {
        self.winner.filter(|_| self.plies >= DECIDED_PLIES)
    }
}

#[cfg(test)]
mod tests;
