//! A game to analyse, or a position as a game without moves.

use super::openings::Opening;
use crate::games::{Exclusion, GameRecord, Marker, Note, Notes, PositionLine, Remarks, Tags};
use crate::human::Recent;
use crate::position::{GameHistory, Move, Position};
use crate::printing::Clocks;
use shakmaty::{CastlingMode, KnownOutcome, Position as _};

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
    /// Keys of all positions.
    keys: Vec<u64>,
    /// Every [`CHECKPOINT_PLIES`]th position, so that none is played to from the start.
    checkpoints: Vec<Position>,
    /// What comments say of each move.
    pub remarks: Vec<Remarks>,
    /// Comments, judgements and variations.
    pub notes: Notes,
    /// The result: that of the board where the moves end with mate, stalemate or insufficient material and the file has
    /// another, else the file's.
    pub result: Marker,
    /// The result in the file.
    pub result_in_file: Marker,
    /// Why the result says nothing about the positions, as far as the file tells.
    pub exclusion: Option<Exclusion>,
}

/// Plies between positions that are kept.
const CHECKPOINT_PLIES: usize = 32;

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
        let moves: Vec<Move> = game.moves.iter().map(|played| Position::from_shakmaty(played.m)).collect();
        let start = Position::from_chess(&game.start);
        let (keys, checkpoints) = played(start, &moves);
        let last = Position::from_chess(&game.last_position());
        let draw = last.is_insufficient_material().then_some(KnownOutcome::Draw);
        let on_board = last.mate_or_stalemate().or(draw);
        Ok(Source {
            number: game.number,
            start,
            mode,
            moves,
            keys,
            checkpoints,
            remarks: game.moves.iter().map(|played| played.remarks).collect(),
            notes: game.notes.unwrap_or_default(),
            result: game.result.known().and(on_board).map_or(game.result, Marker::Known),
            result_in_file: game.result,
            exclusion: game.exclusion,
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
        let start = Position::from_chess(&line.position);
        let (keys, checkpoints) = played(start, &[]);
        let result = line.outcome.map_or(Marker::Unknown, Marker::Known);
        Source {
            number: line.number,
            start,
            mode: line.position.castles().mode(),
            moves: Vec::new(),
            keys,
            checkpoints,
            remarks: Vec::new(),
            notes: Notes::default(),
            result,
            result_in_file: result,
            exclusion: None,
            tags,
        }
    }

    /// The game up to the position after so many moves.
    #[must_use]
    pub fn history(&self, plies: usize) -> GameHistory {
        GameHistory::resumed(self.position(plies), self.keys[..plies].to_vec())
    }

    /// The position after so many moves.
    #[must_use]
    pub fn position(&self, plies: usize) -> Position {
        let checkpoint = plies / CHECKPOINT_PLIES;
        let moves = &self.moves[checkpoint * CHECKPOINT_PLIES..plies];
        moves.iter().fold(self.checkpoints[checkpoint], |position, &m| position.play(m))
    }

    /// The moves that led to the position after so many moves.
    #[must_use]
    pub(super) fn recent(&self, plies: usize) -> Recent {
        let from = plies.saturating_sub(2);
        Recent::of(&self.position(from), &self.moves[from..plies])
    }

    /// Number of positions: one more than moves.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.moves.len() + 1
    }

    /// Whether it began as chess begins.
    #[must_use]
    pub(super) fn is_from_start(&self) -> bool {
        self.start.fen() == Position::default().fen()
    }

    /// The opening, if the game began as chess begins.
    #[must_use]
    pub fn opening(&self) -> Option<Opening> {
        self.is_from_start().then(|| Opening::of(&self.keys)).flatten()
    }

    /// Identifies the positions of the game.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.keys
            .iter()
            .fold(u64::from(self.start.halfmoves()), |sum, key| (sum.rotate_left(7) ^ key).wrapping_mul(MIX))
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

    /// The seconds that the player has left before a move, by its index; `None` if the game does not say.
    #[must_use]
    pub(super) fn seconds_before(&self, ply: usize) -> Option<f64> {
        let clock = ply.checked_sub(2).and_then(|before| self.remarks.get(before)?.clock);
        clock.map(|left| left.as_secs_f64())
    }

    /// The clocks of both players before a move, by its index; `None` if the game does not say.
    #[must_use]
    pub(super) fn clocks_before(&self, ply: usize) -> Option<Clocks> {
        Clocks::before(ply, self.start.turn(), self.tags.time_control(), |index| self.remarks[index].clock)
    }

    /// The notes behind a move, by its index.
    #[must_use]
    pub(super) fn notes_behind(&self, index: usize) -> &[Note] {
        self.notes.moves.get(index).map_or(&[], Vec::as_slice)
    }
}

/// Keys of all positions, and every [`CHECKPOINT_PLIES`]th position.
fn played(start: Position, moves: &[Move]) -> (Vec<u64>, Vec<Position>) {
    let (mut position, mut keys, mut checkpoints) = (start, vec![start.key()], vec![start]);
    for (&m, plies) in moves.iter().zip(1..) {
        position = position.play(m);
        keys.push(position.key());
        if plies % CHECKPOINT_PLIES == 0 {
            checkpoints.push(position);
        }
    }
    (keys, checkpoints)
}

/// An odd number with bits all over.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameTexts, ReadOptions};

    #[test]
    fn positions_are_those_of_the_game() {
        let text = format!("{} *", "Nf3 Nf6 Ng1 Ng8 ".repeat(40));
        let game = GameTexts::new(text.as_bytes()).next().unwrap().unwrap().parse(&ReadOptions::default()).unwrap();
        let source = Source::from_game(game).unwrap();
        let mut game = GameHistory::new(source.start);
        for plies in 0..source.positions() {
            let history = source.history(plies);
            assert_eq!((history.keys(), history.position().fen()), (game.keys(), game.position().fen()), "{plies}");
            assert_eq!(history.has_repetition(), game.has_repetition(), "{plies}");
            if let Some(&m) = source.moves.get(plies) {
                game.play(m);
            }
        }
    }
}
