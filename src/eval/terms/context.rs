//! A position with what the terms have found out about it: attack maps, pawns, material.

use super::pawns::PawnInfo;
use crate::eval::bits::{self, forward, king_ring, ranks};
use crate::eval::material::MaterialInfo;
use crate::position::Position;
use shakmaty::{Bitboard, Color, Role, Square, attacks};

/// A position with what the evaluation has found out about it.
pub struct EvalContext<'a> {
    /// The position.
    pub position: &'a Position,
    /// Phase and special material.
    pub material: MaterialInfo,
    /// Pawn attacks and passed pawns.
    pub pawns: PawnInfo,
    /// The kings, black first.
    pub kings: [Square; 2],
    /// Each side's attack maps, black first.
    pub sides: [AttackMaps; 2],
}

/// One side's attacks, and its pressure on the enemy king.
#[derive(Clone, Copy, Default)]
pub struct AttackMaps {
    /// Attacked squares by role (index 0 unused).
    pub by: [Bitboard; 7],
    /// Attacked squares.
    pub all: Bitboard,
    /// Squares attacked twice.
    pub twice: Bitboard,
    /// Mobility area.
    pub area: Bitboard,
    /// Ring of this side's king, without squares that two own pawns protect.
    pub ring: Bitboard,
    /// Squares that the queen attacks, ignoring pins; meaningless with more than one queen.
    pub queen_reach: Bitboard,
    /// Pieces of this side pinned to its king.
    pub pinned: Bitboard,
    /// Number of this side's pieces that attack the enemy king ring.
    pub attackers: i32,
    /// Sum of the [`ATTACKER`](super::danger::ATTACKER) of these pieces.
    pub attacker_danger: i32,
    /// Attacks of this side on squares next to the enemy king.
    pub king_attacks: i32,
}

impl<'a> EvalContext<'a> {
    /// A context whose attack maps have pawns and kings.
    #[inline]
    pub fn new(position: &'a Position, material: MaterialInfo, pawns: PawnInfo) -> EvalContext<'a> {
        let kings = [position.king(Color::Black), position.king(Color::White)];
        let mut context = EvalContext { position, material, pawns, kings, sides: [AttackMaps::default(); 2] };
        context.start(Color::White);
        context.start(Color::Black);
        context
    }

    #[inline(always)]
    fn start(&mut self, us: Color) {
        let position = self.position;
        let king = self.king(us);
        let king_attacks = attacks::king_attacks(king);
        let pinned = position.pinned(us);
        let own = position.pieces(us, Role::Pawn);
        let (pawn, double) = (self.pawns.attacks[us as usize], bits::pawn_double_attacks(us, own));
        let stuck = own & (forward(!us, position.board().occupied()) | ranks(us, 1, 2));
        let fixed = position.board().by_color(us) & (position.board().kings() | position.board().queens());

        let side = &mut self.sides[us as usize];
        side.by[Role::Pawn as usize] = pawn;
        side.by[Role::King as usize] = king_attacks;
        side.all = pawn | king_attacks;
        side.twice = pawn & king_attacks | double;
        side.ring = king_ring(king) & !double;
        side.pinned = pinned;
        side.area = !(stuck | self.pawns.attacks[!us as usize] | fixed | pinned);
    }

    /// A side's king.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.kings[color as usize]
    }

    /// A side's attack maps.
    #[inline(always)]
    pub fn side(&self, color: Color) -> &AttackMaps {
        &self.sides[color as usize]
    }

    /// Attacks of a side's role.
    #[inline(always)]
    pub fn by(&self, color: Color, role: Role) -> Bitboard {
        self.sides[color as usize].by[role as usize]
    }
}
