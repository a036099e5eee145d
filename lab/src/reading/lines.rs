//! Which lines of a file are of one game.

use halfpoint::games::PositionLine;
use shakmaty::{KnownOutcome, Position};
use std::collections::HashMap;

/// Whether a line names its game.
pub fn is_named(line: &PositionLine) -> bool {
    line.names.iter().any(|name| !name.is_empty())
}

/// Numbers the games of a file of positions. Lines with the same names behind the result are of one game; so are lines without
/// names that follow each other with rising move numbers and the same result. A line without names and move number is a game of
/// its own.
#[derive(Default)]
pub struct LineGames {
    named: HashMap<[String; 2], usize>,
    /// The game without names that was read last, with the ply and the result of its last position.
    last: Option<(usize, u32, KnownOutcome)>,
    games: usize,
}

impl LineGames {
    /// Number of the game of the next line, from 0.
    pub fn game_of(&mut self, line: &PositionLine, outcome: KnownOutcome) -> usize {
        let ply = 2 * line.position.fullmoves().get() + u32::from(line.position.turn().is_black());
        let known = if is_named(line) {
            let next = self.games;
            Some(*self.named.entry(line.names.clone()).or_insert(next)).filter(|&game| game < next)
        } else {
            let before = self.last.filter(|&(_, before, result)| before < ply && result == outcome);
            let before = before.filter(|_| line.has_move_number);
            let game = before.map_or(self.games, |(game, ..)| game);
            self.last = line.has_move_number.then_some((game, ply, outcome));
            before.map(|(game, ..)| game)
        };
        known.unwrap_or_else(|| {
            self.games += 1;
            self.games - 1
        })
    }

    /// Games so far.
    pub fn count(&self) -> usize {
        self.games
    }
}
