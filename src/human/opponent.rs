//! An opponent of a rating: which move it plays, and how long it thinks.

use super::decision::Decision;
use super::level::Level;
use super::model::{HumanModel, softmax};
use super::player::Player;
use crate::position::{GameHistory, Position};
use crate::random::SplitMix64;
use crate::wdl::score::{Kind, Score};
use shakmaty::Role;

/// Rating from which on won endings are won, Elo.
const WINS_ENDINGS_ELO: f64 = 1000.0;

/// Draws numbers from 0 to 1 that depend on a seed, the position and its place in the game alone, so that the same seed plays the
/// same game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    random: SplitMix64,
}

impl Draws {
    /// For a position of a game.
    #[must_use]
    pub fn new(seed: u64, game: &GameHistory) -> Draws {
        let plies = game.keys().len() as u64;
        Draws { random: SplitMix64::new(seed ^ game.position().key() ^ plies.rotate_left(48)) }
    }

    /// The next number.
    #[expect(clippy::should_implement_trait, reason = "there is no end of them")]
    pub fn next(&mut self) -> f64 {
        self.random.next_unit()
    }
}

impl Level {
    /// Probability of each move of a decision for an opponent of this level.
    #[must_use]
    pub fn probabilities(&self, model: &HumanModel, decision: &Decision, player: &Player) -> Vec<f64> {
        let player = Player { elo: self.elo, ..*player };
        let utilities = model.utilities(decision, &player).into_iter().zip(&decision.choices);
        let scaled: Vec<f64> =
            utilities.map(|(utility, choice)| (utility - self.sharpness * choice.loss) / self.temperature).collect();
        softmax(&scaled)
    }
}

/// The index that a number from 0 to 1 draws by these probabilities.
#[must_use]
pub fn drawn(probabilities: &[f64], number: f64) -> usize {
    let mut sum = 0.0;
    let reaches = |p: &f64| {
        sum += p;
        number < sum
    };
    // Rounding may leave the sum short of 1.
    probabilities.iter().position(reaches).unwrap_or(probabilities.len().saturating_sub(1))
}

/// Whether an opponent of this rating wins the position without fail: the endgame tables know it as won, or the other side
/// has a king alone against a rook or a queen. `best`: score of the best move; `table_pieces`: most pieces that the tables have.
#[must_use]
pub fn wins_without_fail(elo: f64, position: &Position, best: Option<Score>, table_pieces: usize) -> bool {
    let us = position.turn();
    let has_major = [Role::Rook, Role::Queen].iter().any(|&role| position.pieces(us, role).any());
    // A search may see a mate where the tables know the win.
    let is_known = position.board().occupied().count() <= table_pieces;
    let is_won = best.is_some_and(|best| best.is_win() && (is_known || matches!(best.kind(), Kind::Tablebase(_))));
    elo >= WINS_ENDINGS_ELO && (is_won || has_major && position.is_bare_king(!us))
}
