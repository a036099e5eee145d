//! King and pawn against king: which positions are won, found by going back from the promotions.

use super::mate::MateDistances;
use crate::eval::bits;
use once_cell::sync::Lazy;
use shakmaty::{Bitboard, Color, File, Rank, Square, attacks};

/// For each square of a white pawn on files a to d and each square of the bare king: the squares of White's king with
/// which White wins.
pub struct WonPawns {
    white_to_move: Box<[[Bitboard; 64]; 64]>,
    bare_to_move: Box<[[Bitboard; 64]; 64]>,
}

impl WonPawns {
    /// The table, made at its first use.
    pub fn table() -> &'static WonPawns {
        static TABLE: Lazy<WonPawns> = Lazy::new(WonPawns::new);
        &TABLE
    }

    /// Whether `us`, who has the pawn, wins.
    pub fn is_won(&self, us: Color, pawn: Square, king: Square, bare: Square, turn: Color) -> bool {
        let mirror = pawn.file() > File::D;
        let view = |square: Square| {
            let square = if mirror { square.flip_horizontal() } else { square };
            us.fold_wb(square, square.flip_vertical())
        };
        let table = if turn == us { &self.white_to_move } else { &self.bare_to_move };
        table[view(pawn) as usize][view(bare) as usize].contains(view(king))
    }

    fn new() -> WonPawns {
        let none = || Box::new([[Bitboard::EMPTY; 64]; 64]);
        let mut table = WonPawns { white_to_move: none(), bare_to_move: none() };
        let mut changed = true;
        while changed {
            changed = false;
            // A pawn only moves on, so the squares near its promotion come first.
            for pawn in Square::ALL.into_iter().rev().filter(|&pawn| is_pawn_square(pawn)) {
                for bare in Square::ALL.into_iter().filter(|&bare| bare != pawn) {
                    let white = table.won_by_white_move(pawn, bare);
                    let lost = table.lost_by_bare_move(pawn, bare);
                    let (p, b) = (pawn as usize, bare as usize);
                    changed |= white != table.white_to_move[p][b] || lost != table.bare_to_move[p][b];
                    table.white_to_move[p][b] = white;
                    table.bare_to_move[p][b] = lost;
                }
            }
        }
        table
    }

    /// Squares of White's king with which White, to move, wins as far as the table knows by now.
    fn won_by_white_move(&self, pawn: Square, bare: Square) -> Bitboard {
        let one = Bitboard::from_square(pawn);
        if bits::pawn_attacks(Color::White, one).contains(bare) {
            return Bitboard::EMPTY;
        }
        let mut won = king_steps(self.bare_to_move[pawn as usize][bare as usize]);
        let next = bits::step(Color::White, pawn);
        if next != bare {
            let after = if next.rank() == Rank::Eighth {
                won_by_promotion(next, bare)
            } else {
                self.bare_to_move[next as usize][bare as usize]
            };
            won |= after.without(next);
            let second = bits::step(Color::White, next);
            if pawn.rank() == Rank::Second && second != bare {
                won |= self.bare_to_move[second as usize][bare as usize].without(next).without(second);
            }
        }
        won & possible_kings(pawn, bare)
    }

    /// Squares of White's king with which the bare king, to move, loses as far as the table knows by now.
    fn lost_by_bare_move(&self, pawn: Square, bare: Square) -> Bitboard {
        let attacked = bits::pawn_attacks(Color::White, Bitboard::from_square(pawn));
        let (mut escapes, mut moves) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for to in attacks::king_attacks(bare) & !attacked {
            let legal = !attacks::king_attacks(to).with(to);
            moves |= legal;
            escapes |= if to == pawn { legal } else { legal & !self.white_to_move[pawn as usize][to as usize] };
        }
        // Without a move it is mate or stalemate; a pawn alone never mates.
        possible_kings(pawn, bare) & moves & !escapes
    }
}

fn is_pawn_square(square: Square) -> bool {
    square.file() <= File::D && square.rank() != Rank::First && square.rank() != Rank::Eighth
}

fn possible_kings(pawn: Square, bare: Square) -> Bitboard {
    !attacks::king_attacks(bare).with(bare).with(pawn)
}

/// All squares one king's move away.
fn king_steps(set: Bitboard) -> Bitboard {
    set.into_iter().fold(Bitboard::EMPTY, |steps, square| steps | attacks::king_attacks(square))
}

/// Squares of White's king with which a new queen or rook mates in the end.
fn won_by_promotion(square: Square, bare: Square) -> Bitboard {
    let wins = |table: &MateDistances, king| table.plies(bare, king, square, true).is_some();
    let is_won = |king: &Square| wins(MateDistances::queen(), *king) || wins(MateDistances::rook(), *king);
    possible_kings(square, bare).into_iter().filter(is_won).collect()
}
