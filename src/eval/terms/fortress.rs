//! Fortresses: positions in which nobody can make progress.

use crate::eval::bits::{forward, pawn_attacks};
use crate::position::{PIECE_POINTS, Position};
use shakmaty::{Bitboard, Color, Piece, Role, attacks};

/// Fewest pawns of each side that can lock a board.
const LEAST_PAWNS: usize = 4;
/// Fewest own pawns of a side that another may hold.
const LEAST_HELD_PAWNS: usize = 5;

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

/// Whether `us`, who is ahead, makes no progress: each of his pawns is blocked by an enemy pawn and none can capture one, no
/// piece can reach the squares of the enemy king, and every pawn that one can attack is protected by a pawn and costs a
/// piece worth all that `us` is ahead. The enemy king always has a move.
#[inline]
pub fn is_held(position: &Position, us: Color) -> bool {
    let (own, enemy) = (position.pieces(us, Role::Pawn), position.pieces(!us, Role::Pawn));
    forward(us, own).is_subset(enemy)
        && own.count() >= LEAST_HELD_PAWNS
        && (pawn_attacks(us, own) & enemy).is_empty()
        && breaks_only_by_sacrifice(position, us)
}

#[cold]
fn breaks_only_by_sacrifice(position: &Position, us: Color) -> bool {
    let enemy_pawns = position.pieces(!us, Role::Pawn);
    let protected = pawn_attacks(!us, enemy_pawns);
    let haven = reach(position, Role::King.of(!us), Bitboard::from_square(position.king(!us))).0;
    let points = |color| -> i32 {
        let counts = position.material().counts(color).into_iter();
        counts.zip(PIECE_POINTS).map(|(count, points)| i32::from(count) * i32::from(points)).sum()
    };
    let lead = points(us) - points(!us);
    let pieces = position.board().by_color(us) & !position.board().pawns();
    haven.more_than_one()
        && pieces.into_iter().all(|square| {
            let Some(piece) = position.board().piece_at(square) else { return true };
            let attacked = reach(position, piece, Bitboard::from_square(square)).1;
            let prey = attacked & enemy_pawns;
            prey.is_subset(protected)
                && (piece.role == Role::King
                    || (attacked & haven).is_empty()
                        && (prey.is_empty() || i32::from(PIECE_POINTS[piece.role as usize - 1]) >= lead))
        })
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
