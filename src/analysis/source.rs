//! A game to analyse, or a position as a game without moves.

use super::sides::mover;
use crate::games::{Exclusion, GameRecord, Note, Notes, PositionLine, Remarks, Tags};
use crate::position::{GameHistory, Move, Position};
use crate::printing::{Clocks, TimeControl};
use shakmaty::{ByColor, CastlingMode, Color, KnownOutcome, Position as _};
use std::time::Duration;

/// A game to analyse.
#[derive(Clone, Debug)]
pub struct Source {
    /// Number of the game in its file, or of the line of a position, from 1.
    pub number: usize,
    /// The tags; of a position, its operations, with `id` as `Event`.
    pub tags: Tags,
    /// Where it began.
    pub start: Position,
    /// Chess or Chess960.
    pub mode: CastlingMode,
    /// The moves.
    pub moves: Vec<Move>,
    /// What comments say of each move.
    pub remarks: Vec<Remarks>,
    /// Comments, judgements and variations.
    pub notes: Notes,
    /// The result.
    pub outcome: Option<KnownOutcome>,
}

impl Source {
    /// A game.
    ///
    /// # Errors
    ///
    /// That it is of another variant, in words.
    pub fn from_game(game: GameRecord) -> Result<Source, String> {
        if game.exclusion == Some(Exclusion::OtherVariant) {
            let variant = game.tags.known("Variant");
            return Err(format!("game {}, line {}: the variant '{variant}' is not known", game.number, game.line));
        }
        let mode = game.start.castles().mode();
        let moves = game.moves.iter().map(|played| Position::from_shakmaty(played.m)).collect();
        Ok(Source {
            number: game.number,
            start: Position::from_chess(&game.start),
            mode,
            moves,
            remarks: game.moves.iter().map(|played| played.remarks).collect(),
            notes: game.notes.unwrap_or_default(),
            outcome: game.outcome,
            tags: game.tags,
        })
    }

    /// A position.
    #[must_use]
    pub fn from_line(line: PositionLine) -> Source {
        let mut tags = Tags::default();
        for (code, operand) in &line.operations {
            tags.add(if code == "id" { "Event" } else { code }, operand);
        }
        Source {
            number: line.number,
            start: Position::from_chess(&line.position),
            mode: line.position.castles().mode(),
            moves: Vec::new(),
            remarks: Vec::new(),
            notes: Notes::default(),
            outcome: line.outcome,
            tags,
        }
    }

    /// The game up to the position after so many moves.
    #[must_use]
    pub fn history(&self, plies: usize) -> GameHistory {
        let mut game = GameHistory::new(self.start);
        self.moves[..plies].iter().for_each(|&m| game.play(m));
        game
    }

    /// Number of positions: one more than moves.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.moves.len() + 1
    }

    /// Whether it began as chess begins.
    #[must_use]
    pub fn is_from_start(&self) -> bool {
        self.start.fen() == Position::default().fen()
    }

    /// Identifies the positions of the game.
    #[must_use]
    pub fn key(&self) -> u64 {
        let game = self.history(self.moves.len());
        let keys = game.keys().iter().chain([game.position().key()].as_slice().iter()).copied().collect::<Vec<_>>();
        keys.iter().fold(u64::from(self.start.halfmoves()), |sum, key| (sum.rotate_left(7) ^ key).wrapping_mul(MIX))
    }

    /// What the clock of the player showed after each move, hundredths of a second; empty if the game does not say.
    #[must_use]
    pub fn clocks(&self) -> Vec<Option<u64>> {
        if self.remarks.iter().all(|remarks| remarks.clock.is_none()) {
            return Vec::new();
        }
        let hundredths = |remarks: &Remarks| remarks.clock.map(|clock| (clock.as_millis() / 10) as u64);
        self.remarks.iter().map(hundredths).collect()
    }

    /// The clocks of both players before a move, by its index; `None` if the game does not say.
    #[must_use]
    pub fn clocks_before(&self, ply: usize) -> Option<Clocks> {
        let control = TimeControl::of_tag(self.tags.known("TimeControl"));
        let at_start =
            control.filter(|control| control.moves.is_none()).map(|control| Duration::from_secs_f64(control.base));
        let increment = Duration::from_secs_f64(control.map_or(0.0, |control| control.increment));
        let left = |color: Color| {
            let last = [1, 2].into_iter().filter_map(|back| ply.checked_sub(back));
            match last.into_iter().find(|&index| mover(self.start.turn(), index) == color) {
                Some(index) => self.remarks[index].clock,
                None => at_start,
            }
        };
        let left = ByColor { white: left(Color::White)?, black: left(Color::Black)? };
        Some(Clocks { left, increment: ByColor { white: increment, black: increment } })
    }

    /// The notes behind a move, by its index.
    #[must_use]
    pub fn notes_behind(&self, index: usize) -> &[Note] {
        self.notes.moves.get(index).map_or(&[], Vec::as_slice)
    }
}

/// An odd number with bits all over.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
