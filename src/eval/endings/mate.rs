//! Distances to mate with king and queen, or king and rook, against king, found by going back from the mates.

use crate::eval::bits::distance;
use once_cell::sync::Lazy;
use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks};

/// Bare king squares that are left when the board is turned and mirrored: the triangle a1, d1, d4.
const TRIANGLE: usize = 10;
const POSITIONS: usize = TRIANGLE * 64 * 64;
/// No mate: the position is drawn or illegal.
const NONE: u8 = u8::MAX;

/// Plies to mate with one kind of piece, in every position.
pub struct MateDistances {
    role: Role,
    /// By index of the position: with the bare king to move, with the other side to move.
    plies: [Box<[u8]>; 2],
}

/// A position: the bare king, the other king, and its piece.
#[derive(Clone, Copy)]
struct Placement {
    bare: Square,
    king: Square,
    piece: Square,
}

impl Placement {
    /// The same position with the bare king in the triangle.
    #[inline]
    fn turned(self) -> Placement {
        let turn = |place: Placement, by: fn(Square) -> Square| Placement {
            bare: by(place.bare),
            king: by(place.king),
            piece: by(place.piece),
        };
        let mut place = self;
        if place.bare.file() > File::D {
            place = turn(place, Square::flip_horizontal);
        }
        if place.bare.rank() > Rank::Fourth {
            place = turn(place, Square::flip_vertical);
        }
        // Of two that mirror each other in the diagonal, that whose first piece off it is below.
        let above = |square: Square| square.rank() as i32 - square.file() as i32;
        let off = [place.bare, place.king, place.piece].map(above).into_iter().find(|&above| above != 0);
        if off.is_some_and(|above| above > 0) {
            place = turn(place, Square::flip_diagonal);
        }
        place
    }

    fn index(self) -> usize {
        let Placement { bare, king, piece } = self.turned();
        let (file, rank) = (bare.file() as usize, bare.rank() as usize);
        let corner = file * (file + 1) / 2 + rank;
        (corner * 64 + king as usize) * 64 + piece as usize
    }

    /// Whether three pieces stand on three squares and the kings apart.
    fn is_possible(self) -> bool {
        self.piece != self.king && self.piece != self.bare && distance(self.king, self.bare) > 1
    }
}

impl MateDistances {
    /// Distances with a queen.
    pub fn queen() -> &'static MateDistances {
        static QUEEN: Lazy<MateDistances> = Lazy::new(|| MateDistances::with(Role::Queen));
        &QUEEN
    }

    /// Distances with a rook.
    pub fn rook() -> &'static MateDistances {
        static ROOK: Lazy<MateDistances> = Lazy::new(|| MateDistances::with(Role::Rook));
        &ROOK
    }

    /// Plies until the bare king is mated, `None` if it is not.
    pub fn plies(&self, bare: Square, king: Square, piece: Square, is_bare_to_move: bool) -> Option<u32> {
        let plies = self.plies[usize::from(!is_bare_to_move)][Placement { bare, king, piece }.index()];
        (plies != NONE).then_some(u32::from(plies))
    }

    fn with(role: Role) -> MateDistances {
        let none = || vec![NONE; POSITIONS].into_boxed_slice();
        let mut distances = MateDistances { role, plies: [none(), none()] };
        let mut last: Vec<Placement> = placements().filter(|&place| distances.is_mate(place)).collect();
        for &place in &last {
            distances.plies[0][place.index()] = 0;
        }
        let mut plies = 0;
        while !last.is_empty() {
            plies += 1;
            let mut won = Vec::new();
            for place in last.iter().flat_map(|&place| before_attacker(role, place)) {
                let entry = &mut distances.plies[1][place.index()];
                if *entry == NONE {
                    *entry = plies;
                    won.push(place.turned());
                }
            }
            plies += 1;
            last.clear();
            for place in won.iter().flat_map(|&place| before_bare(place)) {
                let index = place.index();
                if distances.plies[0][index] == NONE && distances.is_lost(place) {
                    distances.plies[0][index] = plies;
                    last.push(place.turned());
                }
            }
        }
        distances
    }

    fn is_mate(&self, place: Placement) -> bool {
        attacked(self.role, place).contains(place.bare) && self.bare_moves(place).next().is_none()
    }

    /// Positions after each move of the bare king; `None` is the capture of the piece.
    fn bare_moves(&self, place: Placement) -> impl Iterator<Item = Option<Placement>> {
        let safe = !attacks::king_attacks(place.king) & !attacked(self.role, place);
        let to = attacks::king_attacks(place.bare) & safe;
        to.into_iter().map(move |bare| (bare != place.piece).then_some(Placement { bare, ..place }))
    }

    /// Whether the bare king can move, and each of its moves leads to a known mate.
    fn is_lost(&self, place: Placement) -> bool {
        let is_won = |after: Option<Placement>| after.is_some_and(|after| self.plies[1][after.index()] != NONE);
        self.bare_moves(place).next().is_some() && self.bare_moves(place).all(is_won)
    }
}

/// All possible placements with the bare king in the triangle.
fn placements() -> impl Iterator<Item = Placement> {
    let in_triangle = |square: &Square| (square.rank() as u32) <= square.file() as u32 && square.file() < File::E;
    Square::ALL.into_iter().filter(in_triangle).flat_map(|bare| {
        Square::ALL.into_iter().flat_map(move |king| {
            let place = move |piece| Placement { bare, king, piece };
            Square::ALL.into_iter().map(place).filter(|place| place.is_possible())
        })
    })
}

/// Squares that the piece attacks, past the bare king, which cannot hide behind itself.
fn attacked(role: Role, place: Placement) -> Bitboard {
    attacks::attacks(place.piece, role.of(Color::White), Bitboard::from_square(place.king))
}

/// Legal positions from which the side with the piece can move to this one.
fn before_attacker(role: Role, place: Placement) -> impl Iterator<Item = Placement> {
    let occupied = Bitboard::from_iter([place.bare, place.king, place.piece]);
    let kings = attacks::king_attacks(place.king) & !occupied;
    let pieces = attacks::attacks(place.piece, role.of(Color::White), occupied) & !occupied;
    let king_moves = kings.into_iter().map(move |king| Placement { king, ..place });
    let piece_moves = pieces.into_iter().map(move |piece| Placement { piece, ..place });
    let is_legal = move |before: &Placement| before.is_possible() && !attacked(role, *before).contains(before.bare);
    king_moves.chain(piece_moves).filter(is_legal)
}

/// Positions from which the bare king can move to this one.
fn before_bare(place: Placement) -> impl Iterator<Item = Placement> {
    let from = attacks::king_attacks(place.bare);
    from.into_iter().map(move |bare| Placement { bare, ..place }).filter(|before| before.is_possible())
}
