//! One game of the engine against itself.

use super::openings::Openings;
use crate::dataset::{Ending, Eval, Game, Ply};
use anyhow::{Result, bail};
use halfpoint::eval::Weights;
use halfpoint::position::{self, Position};
use halfpoint::search::{Limits, OutOfMemory, Pool, Settings, Signals};
use halfpoint::tablebase::{TableFault, Tables};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Color, KnownOutcome};
use std::sync::Arc;

/// Size of the transposition table in MiB: room for all nodes of a game, and quickly cleared before the next.
const HASH_MIB: usize = 16;
/// Nodes for the look at a random opening.
const OPENING_NODES: u64 = 2000;
/// Largest distance from ½ of the expected result of a random opening.
const OPENING_IMBALANCE: f64 = 0.35;
/// Random openings tried for one game.
const OPENING_ATTEMPTS: usize = 1000;
/// Random continuations of an opening of a file that are looked at: it may be decided itself.
const FILE_OPENING_LOOKS: usize = 10;
/// Expected result of the winning side from which a game counts as decided.
const DECIDED: f64 = 0.9995;
/// Positions in a row that both sides must see as decided, for the same side, before one resigns.
const DECIDED_PLIES: usize = 8;
/// One in so many games is played on instead of resigned.
const PLAYED_ON: u32 = 10;

/// What games depend on beside their numbers.
pub struct Conditions {
    /// Chooses random moves, and the games that are played on instead of resigned.
    pub seed: u64,
    /// Nodes after which a search starts no iteration.
    pub soft_nodes: u64,
    /// Nodes at which a search ends.
    pub hard_nodes: u64,
    pub openings: Openings,
    /// Tables that end games, if any.
    pub tables: Option<Tables>,
    pub weights: Arc<Weights>,
}

/// Plays games, one at a time.
pub struct Player<'a> {
    conditions: &'a Conditions,
    limits: Limits,
    signals: &'a Signals,
    pool: Pool,
}

/// A game with what it took.
#[derive(Clone, Debug)]
pub struct Played {
    pub game: Game,
    /// Nodes searched for its moves.
    pub nodes: u64,
}

impl<'a> Player<'a> {
    /// A player of games under these conditions. `signals` can end a game.
    pub fn new(conditions: &'a Conditions, signals: &'a Signals) -> Result<Player<'a>, OutOfMemory> {
        let limits =
            Limits { soft_nodes: Some(conditions.soft_nodes), nodes: Some(conditions.hard_nodes), ..Limits::default() };
        let pool = Pool::new(conditions.weights.clone(), HASH_MIB, 1)?;
        Ok(Player { conditions, limits, signals, pool })
    }

    /// Plays the game of this number, which depends on the number and the conditions alone. `None` if it was told to
    /// stop.
    pub fn play(&mut self, number: u64) -> Result<Option<Played>> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.conditions.seed);
        rng.set_stream(number + 1);
        self.pool.clear();
        let start = self.opening(number, &mut rng)?;
        let mut game = position::GameHistory::new(start);
        let (mut plies, mut nodes) = (Vec::new(), 0);
        let mut verdict = Verdict::default();
        let mut loser = None;
        loop {
            if let Some((outcome, ending)) = self.end(&game)? {
                let ending = loser.map_or(ending, |loser: Color| Ending::PlayedOn {
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

    /// The result of a game that is over by rule or tables.
    fn end(&self, game: &position::GameHistory) -> Result<Option<(KnownOutcome, Ending)>, TableFault> {
        if let Some(outcome) = game.outcome() {
            return Ok(Some((outcome, Ending::Rules)));
        }
        let Some(tables) = &self.conditions.tables else { return Ok(None) };
        let outcome = tables.outcome(game.position());
        first_fault(tables)?;
        Ok(outcome.map(|outcome| (outcome, Ending::Tables)))
    }

    /// An opening that a game can be played from. After random moves it is one that is not decided; from a file, the last
    /// of a few if all are.
    fn opening(&mut self, number: u64, rng: &mut ChaCha8Rng) -> Result<Position> {
        let from_file = self.conditions.openings.are_from_file();
        let mut looks = 0;
        for _ in 0..OPENING_ATTEMPTS {
            let Some((start, random_plies)) = self.conditions.openings.draw(number, rng) else { continue };
            let game = position::GameHistory::new(start);
            if game.outcome().is_some() {
                continue;
            }
            looks += 1;
            if random_plies == 0 || self.is_balanced(&game) || from_file && looks == FILE_OPENING_LOOKS {
                return Ok(start);
            }
        }
        let tried = format!("{OPENING_ATTEMPTS} random openings in a row are decided or over");
        bail!("game {}: {tried}, too many random moves", number + 1)
    }

    fn is_balanced(&mut self, game: &position::GameHistory) -> bool {
        let limits = Limits { nodes: Some(OPENING_NODES), ..Limits::default() };
        let answer = self.pool.search(game, &limits, &Settings::default(), self.signals, &mut |_| ());
        (answer.score.expected() - 0.5).abs() <= OPENING_IMBALANCE
    }
}

/// An error if anything is wrong with the tables: a run that goes on without some would depend on when they broke.
pub fn first_fault(tables: &Tables) -> Result<(), TableFault> {
    tables.take_faults().into_iter().next().map_or(Ok(()), Err)
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
