//! Positions from and to FENs and shakmaty's positions.

use super::board::Board;
use super::key;
use super::material::Material;
use super::state::Position;
use crate::text::one_line;
use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position as _, PositionError, PositionErrorKinds,
    Setup,
};
use thiserror::Error;

/// Why a FEN is refused.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "fields of errors say what they are")]
pub enum InvalidFen {
    /// The text is not a FEN.
    #[error("malformed FEN '{fen}': {reason}")]
    Malformed { fen: String, reason: ParseFenError },
    /// The position breaks the rules.
    #[error("{reason} in FEN '{fen}'")]
    Impossible { fen: String, reason: String },
}

impl Default for Position {
    fn default() -> Position {
        Position::from_chess(&Chess::default())
    }
}

impl Position {
    /// Reads a FEN. Fields may be missing from the end; the defaults are `w - - 0 1`. With `chess960`, king and rooks with
    /// castling rights may stand on any files.
    ///
    /// Unreachable positions are accepted if they can be played on.
    ///
    /// # Errors
    ///
    /// [`InvalidFen`] if the text is no FEN, or if the position breaks the rules: kings missing or too many, pawns on
    /// the first or last rank, the side not to move in check, castling rights without king and rook in place, an
    /// impossible en passant square, or more than 32 pieces.
    pub fn from_fen(fen: &str, chess960: bool) -> Result<Position, InvalidFen> {
        read(fen, chess960, |error| Err(Box::new(error)))
    }

    /// The same as [`from_fen`](Position::from_fen), except that what is plainly meant is mended: castling rights without king
    /// and rook in place and an impossible en passant square are left out, and so are EPD operations. Returns what was
    /// mended, too.
    ///
    /// # Errors
    ///
    /// [`InvalidFen`] as from [`from_fen`](Position::from_fen) for all that remains.
    pub fn from_fen_mended(fen: &str, chess960: bool) -> Result<(Position, Vec<&'static str>), InvalidFen> {
        let mut mends = Vec::new();
        let fields: Vec<_> = fen.split_whitespace().collect();
        let counters =
            fields.iter().skip(4).take(2).take_while(|field| field.bytes().all(|byte| byte.is_ascii_digit()));
        let kept = fields.len().min(4) + counters.count();
        // Operations end with a semicolon; anything else is a fault of the FEN.
        let fen = if kept < fields.len() && fen.trim_end().ends_with(';') {
            mends.push("operations behind the position left out");
            fields[..kept].join(" ")
        } else {
            fields.join(" ")
        };
        let position = read(&fen, chess960, |error| {
            if error.kinds().contains(PositionErrorKinds::INVALID_CASTLING_RIGHTS) {
                mends.push("castling rights without king and rook in place left out");
            }
            if error.kinds().contains(PositionErrorKinds::INVALID_EP_SQUARE) {
                mends.push("impossible en passant square left out");
            }
            error.ignore_invalid_castling_rights().or_else(PositionError::ignore_invalid_ep_square).map_err(Box::new)
        })?;
        Ok((position, mends))
    }

    /// Converts a position of shakmaty.
    #[must_use]
    pub fn from_chess(chess: &Chess) -> Position {
        let mut position = Position {
            board: Board::from(chess.board()),
            castling_rights: chess.castles().castling_rights(),
            key: 0,
            minor_key: 0,
            part_keys: [0; 3],
            material: Material::default(),
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            turn: chess.turn(),
            en_passant: chess.legal_ep_square(),
            halfmoves: chess.halfmoves(),
            reversible_plies: chess.halfmoves(),
            fullmoves: chess.fullmoves(),
            castling_mode: chess.castles().mode(),
        };
        for (square, piece) in chess.board() {
            position.toggle_keys(square, piece);
            position.material.add(piece, square);
        }
        position.key ^= position.castling_key() ^ position.en_passant_key();
        if position.turn == Color::White {
            position.key ^= key::white_turn();
        }
        position.update_threats();
        position
    }

    /// The position for shakmaty, with the en passant square only if such a capture is legal.
    #[must_use]
    pub fn to_chess(&self) -> Chess {
        Chess::from_setup(self.setup(), self.castling_mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .expect("legal moves lead to positions that can be played")
    }

    fn setup(&self) -> Setup {
        Setup {
            board: shakmaty::Board::from(&self.board),
            turn: self.turn,
            castling_rights: self.castling_rights,
            ep_square: self.en_passant,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
            ..Setup::empty()
        }
    }

    /// The FEN. Castling rights are written as in Shredder-FEN where plain ones would be ambiguous.
    #[must_use]
    pub fn fen(&self) -> String {
        Fen::from_position(&self.to_chess(), EnPassantMode::Legal).to_string()
    }
}

/// Reads a FEN; `mend` may turn what is wrong with the position into a position.
fn read(
    fen: &str,
    chess960: bool,
    mend: impl FnOnce(PositionError<Chess>) -> Result<Chess, Box<PositionError<Chess>>>,
) -> Result<Position, InvalidFen> {
    let parsed: Fen = fen.trim().parse().map_err(|reason| InvalidFen::Malformed { fen: one_line(fen), reason })?;
    let impossible = |reason: String| InvalidFen::Impossible { fen: one_line(fen), reason };
    let pieces = parsed.as_setup().board.occupied().count();
    if pieces > 32 {
        return Err(impossible(format!("{pieces} pieces on the board, more than 32")));
    }
    let chess = Chess::from_setup(parsed.into_setup(), CastlingMode::from_chess960(chess960))
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(mend)
        .map_err(|error| impossible(error.to_string()))?;
    Ok(Position::from_chess(&chess))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_plainly_meant_is_mended() {
        for (fen, mended, mends) in [
            ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1),
            ("4k3/8/8/8/8/8/8/4K2R w KQ e3 5 9", "4k3/8/8/8/8/8/8/4K2R w K - 5 9", 2),
            ("4k3/8/8/8/8/8/8/4K3 w - - bm Ke2; id \"x y\";", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1),
            ("4k3/8/8/8/8/8/8/4K3 b - - 7 30 bm Kd7;", "4k3/8/8/8/8/8/8/4K3 b - - 7 30", 1),
            ("4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", 0),
            ("4k3/8/8/8/8/8/8/4K3 w - - 3", "4k3/8/8/8/8/8/8/4K3 w - - 3 1", 0),
        ] {
            let (position, found) = Position::from_fen_mended(fen, false).unwrap();
            assert_eq!((position.fen().as_str(), found.len()), (mended, mends), "{fen}: {found:?}");
            assert!(fen.contains("bm") || mends == 0 || Position::from_fen(fen, false).is_err(), "{fen}");
        }
        for fen in [
            "8/8/8/8/8/8/8/K7 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K2r w Kq - 0 1 x",
            "here",
            "",
            "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
        ] {
            assert!(Position::from_fen_mended(fen, false).is_err(), "{fen}");
        }
    }
}
