//! A position with its result and what a search thought of it, as 32 bytes.

use crate::outcome::Outcome;
use halfpoint::eval::network::{INPUTS, bucket};
use halfpoint::eval::{FULL_PHASE, PHASE_WEIGHTS};
use halfpoint::position::Position;
use shakmaty::{Bitboard, Piece, Role, Square};

/// Bytes of a row.
pub const BYTES: usize = 32;
/// Most pieces of a position.
const MAX_PIECES: usize = 32;
/// Units of the log odds of searches.
const SEARCH_UNITS: f32 = 1000.0;
/// Largest log odds of a search that are told apart.
const LARGEST: f32 = 32.0;
/// Added to the code of a black piece, which is otherwise its role from 0 on.
const BLACK_PIECE: u8 = 8;
/// Inputs of pieces of one colour.
const SIDE: u16 = INPUTS as u16 / 2;

/// What is known of a position, from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    pub pieces: Pieces,
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

/// The pieces of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pieces {
    /// A bit for each square with a piece.
    squares: u64,
    /// Four bits for each piece in the order of the squares.
    codes: u128,
}

/// What the network sees of a position.
pub struct Inputs {
    views: [[u16; MAX_PIECES]; 2],
    count: usize,
    /// Phase of the game by the pieces, from 0 to 24.
    pub phase: usize,
}

impl Inputs {
    /// Inputs of both views, White's first.
    pub fn views(&self) -> [&[u16]; 2] {
        self.views.each_ref().map(|view| &view[..self.count])
    }

    /// The bucket of output weights.
    pub fn bucket(&self) -> usize {
        bucket(self.count)
    }
}

impl Pieces {
    /// Those of a position; `None` if there are too many.
    pub fn of(position: &Position) -> Option<Pieces> {
        let (board, mut codes) = (position.board(), 0);
        let occupied = board.occupied();
        if occupied.count() > MAX_PIECES {
            return None;
        }
        for (index, square) in occupied.into_iter().enumerate() {
            codes |= u128::from(piece_code(board.piece_at(square)?)) << (4 * index);
        }
        Some(Pieces { squares: occupied.0, codes })
    }

    /// Each square with the code of its piece.
    fn codes(self) -> impl Iterator<Item = (Square, u8)> {
        let code = move |(index, square)| (square, (self.codes >> (4 * index)) as u8 & 15);
        Bitboard(self.squares).into_iter().take(MAX_PIECES).enumerate().map(code)
    }

    /// The inputs that they are.
    #[inline]
    pub fn inputs(self) -> Inputs {
        let (mut views, mut count, mut phase, mut kings) = ([[0; MAX_PIECES]; 2], 0, 0, [0; 2]);
        for (square, code) in self.codes() {
            let (role, is_black) = (u16::from(code % BLACK_PIECE).min(KING), code >= BLACK_PIECE);
            let plain = 64 * role + square as u16;
            let sides = if is_black { [SIDE, 0] } else { [0, SIDE] };
            views[0][count] = plain + sides[0];
            views[1][count] = plain + sides[1];
            // A king adds nothing.
            phase += PHASE_WEIGHTS.get(usize::from(role)).copied().unwrap_or_default();
            if role == KING {
                kings[usize::from(is_black)] = square as u16;
            }
            count += 1;
        }
        for (view, (king, flip)) in views.iter_mut().zip(kings.into_iter().zip([0, 56])) {
            let turn = flip ^ if king % 8 >= 4 { 7 } else { 0 };
            view.iter_mut().for_each(|input| *input ^= turn);
        }
        Inputs { views, count, phase: phase.min(FULL_PHASE) as usize }
    }
}

/// Code of a king.
const KING: u16 = 5;

impl Row {
    /// The row as bytes: squares with a piece, pieces as four bits each, four numbers of 16 bits. The last two bits of the search's
    /// draw score are the result.
    pub fn to_bytes(self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[..8].copy_from_slice(&self.pieces.squares.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.pieces.codes.to_le_bytes());
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
        let (mut squares, mut codes) = ([0; 8], [0; 16]);
        squares.copy_from_slice(&bytes[..8]);
        codes.copy_from_slice(&bytes[8..24]);
        Row {
            pieces: Pieces { squares: u64::from_le_bytes(squares), codes: u128::from_le_bytes(codes) },
            wilo: number(0),
            draw: number(1),
            search_wilo: unpacked(number(2)),
            search_draw: unpacked(number(3) & !3),
            outcome: Outcome::ALL[usize::from(number(3) as u16 & 3).min(2)],
        }
    }
}

fn piece_code(piece: Piece) -> u8 {
    let role = match piece.role {
        Role::Pawn => 0,
        Role::Knight => 1,
        Role::Bishop => 2,
        Role::Rook => 3,
        Role::Queen => 4,
        Role::King => 5,
    };
    role + piece.color.fold_wb(0, BLACK_PIECE)
}
