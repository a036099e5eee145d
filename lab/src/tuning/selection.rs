//! Which games and positions are used, and what for.

use super::options::{Noisy, Take};
use super::quiet::Quiescence;
use super::source::{GamePositions, LabelledPosition, TrainingPly};
use crate::dataset::Eval;
use crate::outcome::Outcome;
use halfpoint::position::{FIFTY_MOVES, Move, Position};
use rand::seq::index;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What a game is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// The weights are fitted to it.
    Training,
    /// Watched while they are fitted.
    Validation,
    /// Measured at the end.
    Test,
}

/// Chooses games and positions.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// Chooses.
    pub seed: u64,
    /// Most positions of a game; 0 for all.
    pub positions: usize,
    /// Plies left out at the beginning of each game.
    pub skip_plies: usize,
    pub checks: Take,
    pub noisy: Noisy,
    /// Positions in which the search saw a mate or a table win.
    pub mates: Take,
    /// Fraction of the games for validation.
    pub validation: f64,
    /// Fraction of the games for the test.
    pub test: f64,
}

/// A position that may be used.
#[derive(Clone, Copy)]
pub struct Candidate {
    pub position: Position,
    /// A search's evaluation of it.
    pub eval: Option<Eval>,
    /// The result of its game.
    pub outcome: Outcome,
}

/// What is used of a game.
pub struct Chosen {
    pub split: Split,
    /// The result; of several games of the same players, that of the last.
    pub outcome: Outcome,
    /// Positions of the game.
    pub seen: u64,
    pub positions: Vec<Candidate>,
}

impl Selection {
    /// Chooses positions of a game by its number among all.
    pub fn choose(&self, game: GamePositions, number: u32, quiescence: &mut Quiescence) -> Chosen {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(u64::from(number));
        let split = self.split(random.random());
        let (mut positions, outcome, seen) = self.candidates(game, quiescence);
        if self.positions > 0 && positions.len() > self.positions {
            let mut chosen = index::sample(&mut random, positions.len(), self.positions).into_vec();
            chosen.sort_unstable();
            positions = chosen.into_iter().map(|index| positions[index]).collect();
        }
        Chosen { split, outcome, seen, positions }
    }

    fn split(&self, at: f64) -> Split {
        if at < self.test {
            Split::Test
        } else if at < self.test + self.validation {
            Split::Validation
        } else {
            Split::Training
        }
    }

    /// Positions that may be used, the result, and how many positions the game has.
    fn candidates(&self, game: GamePositions, quiescence: &mut Quiescence) -> (Vec<Candidate>, Outcome, u64) {
        let mut candidates = Vec::new();
        match game {
            GamePositions::Played { start, plies, outcome } => {
                let seen = plies.len() as u64;
                let mut position = *start;
                for (index, TrainingPly { m, eval, is_book }) in plies.into_iter().enumerate() {
                    let next = position.play(m);
                    let is_played = !is_book && index >= self.skip_plies;
                    if is_played && self.fits(&position, Some(m), eval, quiescence) {
                        candidates.push(Candidate { position, eval, outcome });
                    }
                    position = next;
                }
                (candidates, outcome, seen)
            }
            GamePositions::Listed(lines) => {
                let seen = lines.len() as u64;
                let mut outcome = Outcome::Draw;
                for LabelledPosition { position, outcome: of_line, eval } in lines {
                    outcome = of_line;
                    if !position.has_no_moves() && self.fits(&position, None, eval, quiescence) {
                        candidates.push(Candidate { position, eval, outcome });
                    }
                }
                (candidates, outcome, seen)
            }
        }
    }

    fn fits(&self, position: &Position, m: Option<Move>, eval: Option<Eval>, quiescence: &mut Quiescence) -> bool {
        let Selection { checks, noisy, mates, .. } = *self;
        !(is_over(position)
            || checks == Take::Skip && position.is_check()
            || mates == Take::Skip && eval.is_some_and(Eval::is_exact)
            || noisy == Noisy::Skip && (m.is_some_and(|m| position.is_noisy(m)) || quiescence.leaf(position).is_some()))
    }
}

/// Whether the rules make a draw of the position, whatever the evaluation says.
pub fn is_over(position: &Position) -> bool {
    position.halfmoves() >= FIFTY_MOVES || position.is_insufficient_material()
}
