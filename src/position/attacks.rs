//! Attacks, pins, and lines to a square.

use super::state::Position;
use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

impl Position {
    /// Pieces of both colours that attack a square, if `occupied` squares block lines.
    #[inline]
    #[must_use]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let board = self.board();
        attacks::rook_attacks(square, occupied) & board.rooks_and_queens()
            | attacks::bishop_attacks(square, occupied) & board.bishops_and_queens()
            | attacks::knight_attacks(square) & board.knights()
            | attacks::king_attacks(square) & board.kings()
            | attacks::pawn_attacks(Color::Black, square) & self.pieces(Color::White, Role::Pawn)
            | attacks::pawn_attacks(Color::White, square) & self.pieces(Color::Black, Role::Pawn)
    }

    /// Pieces of `color` pinned to its king: each stands alone between the king and an enemy slider.
    #[inline]
    #[must_use]
    pub fn pinned(&self, color: Color) -> Bitboard {
        if color == self.turn() {
            return self.pinned;
        }
        self.lines_to(self.king(color), !color).single & self.board().by_color(color)
    }

    /// Pieces of `color` that each stand alone between a slider of the same colour and `square`.
    #[inline]
    #[must_use]
    pub fn blockers(&self, square: Square, color: Color) -> Bitboard {
        self.lines_to(square, color).single & self.board().by_color(color)
    }

    /// Lines from sliders of `attacker` to `square`.
    #[inline]
    pub(super) fn lines_to(&self, square: Square, attacker: Color) -> Lines {
        let board = self.board();
        let snipers = (rook_lines(square) & board.rooks_and_queens()
            | bishop_lines(square) & board.bishops_and_queens())
            & board.by_color(attacker);
        let mut lines = Lines { open: Bitboard::EMPTY, single: Bitboard::EMPTY };
        for sniper in snipers {
            let between = attacks::between(square, sniper) & board.occupied();
            if between.is_empty() {
                lines.open.add(sniper);
            } else if !between.more_than_one() {
                lines.single |= between;
            }
        }
        lines
    }
}

/// Lines from sliders to a square.
pub(super) struct Lines {
    /// Sliders with nothing between.
    pub open: Bitboard,
    /// Pieces of both colours that stand alone between.
    pub single: Bitboard,
}

/// Squares on the file and rank of a square.
#[inline]
#[must_use]
pub fn rook_lines(square: Square) -> Bitboard {
    static LINES: [Bitboard; 64] = lines(true);
    LINES[square as usize]
}

/// Squares on the diagonals of a square.
#[inline]
#[must_use]
pub fn bishop_lines(square: Square) -> Bitboard {
    static LINES: [Bitboard; 64] = lines(false);
    LINES[square as usize]
}

/// Attacks of rooks (`straight`) or bishops on the empty board.
const fn lines(straight: bool) -> [Bitboard; 64] {
    let mut lines = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index as u32);
        lines[index] = if straight {
            attacks::rook_attacks(square, Bitboard::EMPTY)
        } else {
            attacks::bishop_attacks(square, Bitboard::EMPTY)
        };
        index += 1;
    }
    lines
}

/// Rank `rank` (White's view) as a set of squares for `color`.
#[inline]
#[must_use]
pub fn relative_rank_set(color: Color, rank: Rank) -> Bitboard {
    Bitboard::from_rank(color.relative_rank(rank))
}
