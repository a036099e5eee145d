//! Moves that can be taken back: by what they change in the Zobrist key, so that a position that is one such move away is
//! found without making any.

use super::key;
use shakmaty::{Bitboard, Color, Role, Square, attacks};
use std::sync::LazyLock;

/// Slots: twice the 3,668 moves, so that a search for an absent one soon meets an empty slot.
const SLOTS: usize = 8192;

/// The moves of pieces between two squares, either way, in a hash table with linear probing.
struct ReversibleMoves {
    /// What a move changes in the key: the piece's place and the side to move. 0: an empty slot.
    differences: [u64; SLOTS],
    /// Its squares.
    squares: [[Square; 2]; SLOTS],
}

static MOVES: LazyLock<Box<ReversibleMoves>> = LazyLock::new(|| {
    let mut moves = Box::new(ReversibleMoves { differences: [0; SLOTS], squares: [[Square::A1; 2]; SLOTS] });
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
        for piece in Color::ALL.map(|color| role.of(color)) {
            for one in Square::ALL {
                for other in attacks::attacks(one, piece, Bitboard::EMPTY).into_iter().filter(|&other| other > one) {
                    let difference = key::piece(one, piece) ^ key::piece(other, piece) ^ key::white_turn();
                    let slot = moves.slot(difference);
                    (moves.differences[slot], moves.squares[slot]) = (difference, [one, other]);
                }
            }
        }
    }
    moves
});

impl ReversibleMoves {
    /// The slot of a difference, or the empty one where it belongs.
    #[inline]
    fn slot(&self, difference: u64) -> usize {
        let mut slot = difference as usize % SLOTS;
        while self.differences[slot] != difference && self.differences[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        slot
    }
}

/// The squares of the piece move that changes a key by this, if there is one.
#[inline]
pub(crate) fn reversible_move(difference: u64) -> Option<[Square; 2]> {
    let moves = &**MOVES;
    let slot = moves.slot(difference);
    (moves.differences[slot] != 0).then(|| moves.squares[slot])
}
