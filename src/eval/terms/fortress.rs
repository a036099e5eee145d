//! Fortresses: positions in which nobody can make progress.

use crate::eval::bits::{forward, pawn_attacks};
use crate::position::Position;
use shakmaty::{Bitboard, Color, Piece, Role, attacks};

/// Fewest pawns of each side that can lock a board.
const LEAST_PAWNS: usize = 5;

/// Whether every pawn is blocked by an enemy pawn, none can capture another, and no piece can ever reach an enemy pawn or
/// the squares of the enemy king, even by a sacrifice.
#[inline]
pub fn is_locked(position: &Position) -> bool {
    let pawns = |color| position.pieces(color, Role::Pawn);
    let (white, black) = (pawns(Color::White), pawns(Color::Black));
    forward(Color::White, white) == black
        && white.count() >= LEAST_PAWNS
        && (pawn_attacks(Color::White, white) & black).is_empty()
        && Color::ALL.into_iter().all(|us| cannot_break_through(position, us))
}

fn cannot_break_through(position: &Position, us: Color) -> bool {
    let enemy_king = Role::King.of(!us);
    let haven = reach(position, enemy_king, Bitboard::from_square(position.king(!us))).0;
    let enemy_pawns = position.pieces(!us, Role::Pawn);
    let pieces = position.board().by_color(us) & !position.board().pawns();
    pieces.into_iter().all(|square| {
        let Some(piece) = position.board().piece_at(square) else { return true };
        let (_, attacked) = reach(position, piece, Bitboard::from_square(square));
        (attacked & enemy_pawns).is_empty() && (piece.role == Role::King || (attacked & haven).is_empty())
    })
}

/// Squares that a piece can reach in any number of moves, with only pawns in its way and none to capture it, and the
/// squares that it attacks from there.
fn reach(position: &Position, piece: Piece, from: Bitboard) -> (Bitboard, Bitboard) {
    let pawns = position.board().pawns();
    let free = !pawns & !pawn_attacks(!piece.color, position.pieces(!piece.color, Role::Pawn));
    let (mut reached, mut attacked, mut new) = (from, Bitboard::EMPTY, from);
    while new.any() {
        for square in std::mem::replace(&mut new, Bitboard::EMPTY) {
            let attacks = attacks::attacks(square, piece, pawns);
            attacked |= attacks;
            new |= attacks & free & !reached;
        }
        reached |= new;
    }
    (reached, attacked)
}
