//! A game: its position, and the earlier positions for the repetition rule.

use super::chess_move::Move;
use super::fifty_moves::FIFTY_MOVES;
use super::state::Position;
use shakmaty::KnownOutcome;

/// A position with the keys of the positions before it, for repetitions.
#[derive(Clone, Debug, Default)]
pub struct GameHistory {
    position: Position,
    keys: Vec<u64>,
}

impl GameHistory {
    /// A game that starts from `position`.
    #[must_use]
    pub fn new(position: Position) -> GameHistory {
        GameHistory { position, keys: Vec::new() }
    }

    /// A game that reached `position`; `keys` are those of the earlier positions, oldest first.
    #[must_use]
    pub fn resumed(position: Position, keys: Vec<u64>) -> GameHistory {
        GameHistory { position, keys }
    }

    /// The current position.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Keys of the earlier positions, oldest first.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The result if the game is over by rule: mate, stalemate, insufficient material, fifty moves, or the third
    /// occurrence of a position.
    #[must_use]
    pub fn outcome(&self) -> Option<KnownOutcome> {
        let position = &self.position;
        if let Some(outcome) = position.mate_or_stalemate() {
            return Some(outcome);
        }
        let drawn = position.is_insufficient_material()
            || position.halfmoves() >= FIFTY_MOVES
            || self.earlier_occurrences() >= 2;
        drawn.then_some(KnownOutcome::Draw)
    }

    fn earlier_occurrences(&self) -> usize {
        let reach = (self.position.reversible_plies() as usize).min(self.keys.len());
        let earlier = self.keys[self.keys.len() - reach..].iter();
        earlier.filter(|&&key| key == self.position.key()).count()
    }

    /// Whether a position has occurred twice since the last capture, pawn move or null move.
    #[must_use]
    pub fn has_repetition(&self) -> bool {
        let reach = (self.position.reversible_plies() as usize).min(self.keys.len());
        let mut keys = self.keys[self.keys.len() - reach..].to_vec();
        keys.push(self.position.key());
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// The game with the clock of the fifty-move rule at its start.
    #[must_use]
    pub(crate) fn without_claim(&self) -> GameHistory {
        GameHistory { position: Position { halfmoves: 0, ..self.position }, keys: self.keys.clone() }
    }

    /// The game after a legal move.
    #[must_use]
    pub fn after(&self, m: Move) -> GameHistory {
        let mut game = self.clone();
        game.play(m);
        game
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.keys.push(self.position.key());
        self.position = self.position.play(m);
    }
}
