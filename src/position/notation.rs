//! Moves from and to UCI notation and shakmaty's moves.

use super::chess_move::{Move, Tag};
use super::state::Position;
use shakmaty::CastlingMode;
use shakmaty::uci::UciMove;
use thiserror::Error;

/// Why a move is refused.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "fields of errors say what they are")]
pub enum InvalidMove {
    /// The text is not a move in UCI notation.
    #[error("malformed move '{0}'")]
    Malformed(String),
    /// The move is not legal in the position.
    #[error("illegal move '{text}' in '{fen}'")]
    Illegal { text: String, fen: String },
}

impl Position {
    /// Reads a move in UCI notation. Castling may be written as the king's move (`e1g1`) or as king takes rook (`e1h1`).
    ///
    /// # Errors
    ///
    /// [`InvalidMove`] if the text is not a move or the move is not legal here.
    pub fn parse_move(&self, text: &str) -> Result<Move, InvalidMove> {
        let uci: UciMove = text.parse().map_err(|_| InvalidMove::Malformed(text.to_owned()))?;
        uci.to_move(&self.to_chess())
            .map(Position::from_shakmaty)
            .map_err(|_| InvalidMove::Illegal { text: text.to_owned(), fen: self.fen() })
    }

    /// The move in UCI notation. Castling is written as king takes rook with `chess960`, otherwise as the king's move.
    #[must_use]
    pub fn format_move(&self, m: Move, chess960: bool) -> String {
        UciMove::from_move(self.to_shakmaty(m), CastlingMode::from_chess960(chess960)).to_string()
    }

    /// The move for shakmaty.
    #[inline]
    #[must_use]
    pub fn to_shakmaty(&self, m: Move) -> shakmaty::Move {
        let (from, to) = (m.from(), m.to());
        match m.tag() {
            Some(Tag::Castle) => shakmaty::Move::Castle { king: from, rook: to },
            Some(Tag::EnPassant) => shakmaty::Move::EnPassant { from, to },
            tag => shakmaty::Move::Normal {
                role: self.moving(m),
                from,
                capture: self.role_at(to),
                to,
                promotion: match tag {
                    Some(Tag::Promotion(role)) => Some(role),
                    _ => None,
                },
            },
        }
    }

    /// Converts a move of shakmaty.
    #[must_use]
    pub fn from_shakmaty(m: shakmaty::Move) -> Move {
        match m {
            shakmaty::Move::Castle { king, rook } => Move::new(king, rook, Tag::Castle),
            shakmaty::Move::EnPassant { from, to } => Move::new(from, to, Tag::EnPassant),
            shakmaty::Move::Normal { from, to, promotion: Some(role), .. } => Move::new(from, to, Tag::Promotion(role)),
            shakmaty::Move::Normal { from, to, .. } => Move::normal(from, to),
            shakmaty::Move::Put { .. } => Move::NONE,
        }
    }
}
