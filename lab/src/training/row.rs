//! A position with its result and what a search thought of it, as 32 bytes.

use crate::outcome::Outcome;
use arrayvec::ArrayVec;
use halfpoint::eval::network::{INPUTS, bucket};
use halfpoint::position::Position;
use shakmaty::{Color, Piece, Role, Square};

/// Bytes of a row.
pub const BYTES: usize = 32;
/// Most pieces of a position.
const MAX_PIECES: usize = 32;
/// Units of the log odds of searches.
const SEARCH_UNITS: f32 = 1000.0;
/// Largest log odds of a search that are told apart.
const LARGEST: f32 = 32.0;

/// What is known of a position, from White's point of view.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Pieces by square, in the order of the squares.
    pub pieces: ArrayVec<(Square, Piece), MAX_PIECES>,
    /// Wilo of the terms, centipawns.
    pub wilo: i16,
    /// Draw score of the terms before its curve, hundredths of a logit.
    pub draw: i16,
    /// A search's log odds that White wins, if somebody wins.
    pub search_wilo: f32,
    /// A search's log odds of a draw.
    pub search_draw: f32,
    /// How the game ended for White.
    pub outcome: Outcome,
}

impl Row {
    /// The pieces of a position; `None` if there are too many.
    pub fn pieces(position: &Position) -> Option<ArrayVec<(Square, Piece), MAX_PIECES>> {
        let (board, mut pieces) = (position.board(), ArrayVec::new());
        for square in board.occupied() {
            pieces.try_push((square, board.piece_at(square)?)).ok()?;
        }
        Some(pieces)
    }

    /// The row as bytes: squares with a piece, pieces as four bits each, four numbers of 16 bits. The last two bits of the search's
    /// draw score are the result.
    pub fn to_bytes(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        let squares = self.pieces.iter().fold(0u64, |squares, (square, _)| squares | 1 << *square as u64);
        bytes[..8].copy_from_slice(&squares.to_le_bytes());
        for (index, (_, piece)) in self.pieces.iter().enumerate() {
            bytes[8 + index / 2] |= (piece_code(*piece)) << (4 * (index % 2));
        }
        let packed = |number: f32| (number.clamp(-LARGEST, LARGEST) * SEARCH_UNITS).round() as i16;
        let draw = packed(self.search_draw) & !3 | self.outcome as i16;
        for (place, number) in [self.wilo, self.draw, packed(self.search_wilo), draw].into_iter().enumerate() {
            bytes[24 + 2 * place..26 + 2 * place].copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    /// The row of bytes that [`Row::to_bytes`] made.
    pub fn from_bytes(bytes: &[u8; BYTES]) -> Row {
        let number = |place: usize| i16::from_le_bytes([bytes[24 + 2 * place], bytes[25 + 2 * place]]);
        let unpacked = |number: i16| f32::from(number) / SEARCH_UNITS;
        let mut squares = [0; 8];
        squares.copy_from_slice(&bytes[..8]);
        let squares = shakmaty::Bitboard(u64::from_le_bytes(squares));
        let piece =
            |(index, square): (usize, Square)| (square, piece_of(bytes[8 + index / 2] >> (4 * (index % 2)) & 15));
        Row {
            pieces: squares.into_iter().take(MAX_PIECES).enumerate().map(piece).collect(),
            wilo: number(0),
            draw: number(1),
            search_wilo: unpacked(number(2)),
            search_draw: unpacked(number(3) & !3),
            outcome: Outcome::ALL[usize::from(number(3) as u16 & 3).min(2)],
        }
    }

    /// The inputs of both views, White's first, and the bucket of output weights.
    pub fn inputs(&self) -> ([ArrayVec<u16, MAX_PIECES>; 2], usize) {
        let views = [Color::White, Color::Black].map(|color| {
            let king = self.pieces.iter().find(|(_, piece)| *piece == Role::King.of(color));
            let is_mirrored = king.is_some_and(|(square, _)| *square as usize % 8 >= 4);
            let turn = if is_mirrored { 7 } else { 0 } ^ color.fold_wb(0, 56);
            let input = |(square, piece): &(Square, Piece)| {
                let enemy = usize::from(piece.color != color);
                let index = (6 * enemy + piece.role as usize - 1) * 64 + (*square as usize ^ turn);
                debug_assert!(index < INPUTS);
                index as u16
            };
            self.pieces.iter().map(input).collect()
        });
        (views, bucket(self.pieces.len()))
    }

    /// Phase of the game by the pieces, from 0 to 24.
    pub fn phase(&self) -> usize {
        let weight = |role: Role| match role {
            Role::Knight | Role::Bishop => 1,
            Role::Rook => 2,
            Role::Queen => 4,
            Role::Pawn | Role::King => 0,
        };
        self.pieces.iter().map(|(_, piece)| weight(piece.role)).sum::<usize>().min(24)
    }
}

fn piece_code(piece: Piece) -> u8 {
    piece.role as u8 - 1 + piece.color.fold_wb(0, 8)
}

fn piece_of(code: u8) -> Piece {
    let role = Role::ALL[usize::from(code & 7).min(5)];
    role.of(Color::from_white(code & 8 == 0))
}
