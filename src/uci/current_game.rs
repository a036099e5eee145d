//! The game that `position` set up.

use super::commands::PositionCommand;
use super::error::CommandError;
use crate::human::Recent;
use crate::output::info_string;
use crate::position::{GameHistory, InvalidFen, InvalidMove, Position};
use thiserror::Error;

/// The game up to the position that is searched next.
#[derive(Default)]
pub struct CurrentGame {
    history: GameHistory,
    /// Its last moves.
    recent: Recent,
    /// Why the last `position` was refused: there is nothing to search until a good one comes.
    refused: Option<String>,
}

/// Why a `position` is refused.
#[derive(Debug, Error)]
enum PositionError {
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error("position: {0}")]
    Fen(#[from] InvalidFen),
    #[error("position: move {number} of {total}: {reason}")]
    Move { number: usize, total: usize, reason: InvalidMove },
}

impl CurrentGame {
    /// Takes the game of a `position`. Reports what is mended in it, or why it is refused.
    pub fn set(&mut self, command: Result<PositionCommand, CommandError>, chess960: bool) {
        let game = command.map_err(PositionError::from).and_then(|command| read_game(&command, chess960));
        self.refused = game.as_ref().err().map(|error| format!("no position to search: {error}"));
        match game {
            Ok((history, recent, mends)) => {
                (self.history, self.recent) = (history, recent);
                if !mends.is_empty() {
                    info_string(format_args!("position: {}", mends.join(", ")));
                }
            }
            Err(error) => info_string(error),
        }
    }

    /// The game; `None`, with a message to the user, if the last `position` was refused.
    pub fn accepted_or_report(&self) -> Option<&GameHistory> {
        self.refused.iter().for_each(info_string);
        self.refused.is_none().then_some(&self.history)
    }

    /// The last moves of the game.
    pub fn recent(&self) -> Recent {
        self.recent
    }
}

/// The game with its last moves, and what was mended in the FEN.
fn read_game(
    command: &PositionCommand,
    chess960: bool,
) -> Result<(GameHistory, Recent, Vec<&'static str>), PositionError> {
    let (start, mends) = match &command.fen {
        Some(fen) => Position::from_fen_mended(fen, chess960)?,
        None => (Position::default(), Vec::new()),
    };
    let (mut game, mut recent) = (GameHistory::new(start), Recent::default());
    for (index, text) in command.moves.split_whitespace().enumerate() {
        let total = || command.moves.split_whitespace().count();
        let m = game.position().parse_move(text);
        let m = m.map_err(|reason| PositionError::Move { number: index + 1, total: total(), reason })?;
        recent = recent.after(m, game.position().captured(m).is_some());
        game.play(m);
    }
    Ok((game, recent, mends))
}
