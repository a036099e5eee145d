//! The positions of a small ending between two captures or pawn moves: kings and pieces move, pawns stand.

use crate::position::Position;
use arrayvec::ArrayVec;
use shakmaty::{Bitboard, CastlingMode, Chess, Color, FromSetup as _, Piece, Role, Setup, Square, attacks};

/// Most pieces, kings and pawns included.
pub const MAX_PIECES: usize = 4;
/// Squares of White's king when the board is mirrored: the quarter of a1. Pawns leave no choice.
const QUARTER: usize = 16;

/// Squares of kings and pieces, in the order of [`Slice::pieces`]; those beyond their number are a1.
pub type Squares = [Square; MAX_PIECES];

/// Which kings and pieces there are, and where the pawns stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// White's king, Black's king, then the other pieces.
    pub pieces: ArrayVec<Piece, MAX_PIECES>,
    /// Pawns, with their squares.
    pub pawns: ArrayVec<(Piece, Square), MAX_PIECES>,
}

impl Slice {
    /// The slice of a position, and where its pieces stand. `None` with too many of them, with castling rights or with an
    /// en passant capture, which no later position has.
    pub fn of(position: &Position) -> Option<(Slice, Squares)> {
        let board = position.board();
        let occupied = board.occupied();
        if occupied.count() > MAX_PIECES || position.castling_rights().any() || position.en_passant().is_some() {
            return None;
        }
        let mut slice = Slice { pieces: ArrayVec::new(), pawns: ArrayVec::new() };
        let mut others: ArrayVec<(Piece, Square), MAX_PIECES> = ArrayVec::new();
        for square in occupied {
            let piece = board.piece_at(square)?;
            match piece.role {
                Role::King => {}
                Role::Pawn => slice.pawns.push((piece, square)),
                _ => others.push((piece, square)),
            }
        }
        others.sort_by_key(|(piece, square)| (piece.color as u8, piece.role, *square));
        let mut squares = [Square::A1; MAX_PIECES];
        let kings = [Color::White, Color::Black].map(|color| (Role::King.of(color), position.king(color)));
        for (place, (piece, square)) in squares.iter_mut().zip(kings.into_iter().chain(others)) {
            slice.pieces.push(piece);
            *place = square;
        }
        Some((slice, squares))
    }

    /// Number of indices of each side to move.
    pub fn len(&self) -> usize {
        let squares_of_first = if self.pawns.is_empty() { QUARTER } else { 64 };
        squares_of_first << (6 * (self.pieces.len() - 1))
    }

    /// Index of a placement; the same for those that mirror each other.
    #[inline]
    pub fn index(&self, squares: &Squares) -> usize {
        let first = squares[0] as usize;
        // Mirrored files, mirrored ranks.
        let (mirror, first) = if self.pawns.is_empty() {
            let mirror = (if first & 7 > 3 { 7 } else { 0 }) | (if first > 31 { 56 } else { 0 });
            let first = first ^ mirror;
            (mirror, (first >> 3 << 2) | (first & 7))
        } else {
            (0, first)
        };
        let rest = &squares[1..self.pieces.len()];
        rest.iter().fold(first, |index, &square| index << 6 | square as usize ^ mirror)
    }

    /// The placement of an index.
    #[inline]
    pub fn squares(&self, mut index: usize) -> Squares {
        let mut squares = [Square::A1; MAX_PIECES];
        for place in squares[1..self.pieces.len()].iter_mut().rev() {
            *place = Square::new(index as u32 & 63);
            index >>= 6;
        }
        let first = if self.pawns.is_empty() { index >> 2 << 3 | index & 3 } else { index };
        squares[0] = Square::new(first as u32);
        squares
    }

    /// Occupied squares; `None` if two pieces stand on one.
    #[inline]
    pub fn occupied(&self, squares: &Squares) -> Option<Bitboard> {
        let places = squares[..self.pieces.len()].iter().chain(self.pawns.iter().map(|(_, square)| square));
        let mut occupied = Bitboard::EMPTY;
        for &square in places {
            if occupied.contains(square) {
                return None;
            }
            occupied.add(square);
        }
        Some(occupied)
    }

    /// Whether a side attacks the other king.
    #[inline]
    pub fn attacks_king(&self, squares: &Squares, occupied: Bitboard, by: Color) -> bool {
        let king = squares[usize::from(by.is_white())];
        let attacks =
            |piece: Piece, square| piece.color == by && attacks::attacks(square, piece, occupied).contains(king);
        self.pieces.iter().zip(squares).any(|(&piece, &square)| attacks(piece, square))
            || self.pawns.iter().any(|&(piece, square)| attacks(piece, square))
    }

    /// Whether a placement with a side to move is legal: the other king is not attacked.
    #[inline]
    pub fn is_legal(&self, squares: &Squares, occupied: Bitboard, turn: Color) -> bool {
        !self.attacks_king(squares, occupied, turn)
    }

    /// The same as a position.
    pub fn position(&self, squares: &Squares, turn: Color) -> Option<Position> {
        let mut setup = Setup::empty();
        setup.turn = turn;
        for (&piece, &square) in self.pieces.iter().zip(squares) {
            setup.board.set_piece_at(square, piece);
        }
        for &(piece, square) in &self.pawns {
            setup.board.set_piece_at(square, piece);
        }
        let chess = Chess::from_setup(setup, CastlingMode::Standard);
        let chess = chess.or_else(shakmaty::PositionError::ignore_impossible_check).ok()?;
        Some(Position::from_chess(&chess))
    }

    /// Quiet moves of a side's kings and pieces that its king survives.
    pub fn count_quiet_moves(&self, squares: &Squares, occupied: Bitboard, turn: Color) -> u8 {
        let mut count = 0;
        let in_check = self.attacks_king(squares, occupied, !turn);
        for (index, &piece) in self.pieces.iter().enumerate().filter(|(_, piece)| piece.color == turn) {
            let from = squares[index];
            let rest = occupied.without(from);
            let to = attacks::attacks(from, piece, occupied) & !occupied;
            if !in_check && piece.role != Role::King && !self.attacks_king(squares, rest, !turn) {
                count += to.count();
                continue;
            }
            let mut after = *squares;
            count += to
                .into_iter()
                .filter(|&to| {
                    after[index] = to;
                    !self.attacks_king(&after, rest.with(to), !turn)
                })
                .count();
        }
        count as u8
    }

    /// Whether a side may have a capture or a pawn move.
    pub fn may_zero(&self, squares: &Squares, occupied: Bitboard, turn: Color) -> bool {
        let mut enemies = Bitboard::EMPTY;
        for (piece, square) in self.pieces.iter().copied().zip(*squares).chain(self.pawns.iter().copied()) {
            if piece.color != turn {
                enemies.add(square);
            }
        }
        self.pawns.iter().any(|(piece, _)| piece.color == turn)
            || self.pieces.iter().zip(squares).any(|(&piece, &square)| {
                piece.color == turn && (attacks::attacks(square, piece, occupied) & enemies).any()
            })
    }

    /// Calls `look` with the index of each legal placement, before a quiet move of a side's king or piece, that leads here.
    pub fn before(&self, squares: &Squares, occupied: Bitboard, mover: Color, mut look: impl FnMut(usize)) {
        let mut before = *squares;
        for (index, &piece) in self.pieces.iter().enumerate().filter(|(_, piece)| piece.color == mover) {
            let to = squares[index];
            let rest = occupied.without(to);
            for from in attacks::attacks(to, piece, occupied) & !occupied {
                before[index] = from;
                if self.is_legal(&before, rest.with(from), mover) {
                    look(self.index(&before));
                }
            }
            before[index] = to;
        }
    }
}
