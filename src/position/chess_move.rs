//! Moves in sixteen bits.

use shakmaty::{Role, Square};
use std::fmt;

/// A move in 16 bits: origin, target and a tag. Castling is the king moving to its own rook's square.
///
/// It is meaningful only with its position; [`Position::to_shakmaty`](super::Position::to_shakmaty) adds the rest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Move(u16);

/// The kind of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    /// Any other move.
    Normal,
    /// Castling: the target is the square of the rook.
    Castle,
    /// An en passant capture.
    EnPassant,
    /// A promotion to this role.
    Promotion(Role),
}

impl Move {
    /// No move: an empty table slot, or the null move.
    pub const NONE: Move = Move(0);

    /// A move from its parts.
    #[inline]
    #[must_use]
    pub const fn new(from: Square, to: Square, tag: Tag) -> Move {
        let tag = match tag {
            Tag::Normal => 0,
            Tag::Castle => 1,
            Tag::EnPassant => 2,
            Tag::Promotion(role) => 2 + role as u16,
        };
        Move(from as u16 | (to as u16) << 6 | tag << 12)
    }

    /// A move that is neither castling, en passant nor a promotion.
    #[inline]
    #[must_use]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move(from as u16 | (to as u16) << 6)
    }

    /// The sixteen bits.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// A move of any bits, which need not be valid.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// Origin square.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 63) as u32)
    }

    /// Target square; when castling, the square of the rook.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6 & 63) as u32)
    }

    /// The kind of the move; `None` for bits that are not a move.
    #[inline]
    #[must_use]
    pub const fn tag(self) -> Option<Tag> {
        Some(match self.0 >> 12 {
            0 => Tag::Normal,
            1 => Tag::Castle,
            2 => Tag::EnPassant,
            4 => Tag::Promotion(Role::Knight),
            5 => Tag::Promotion(Role::Bishop),
            6 => Tag::Promotion(Role::Rook),
            7 => Tag::Promotion(Role::Queen),
            _ => return None,
        })
    }

    /// Whether this is [`Move::NONE`].
    #[inline]
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Whether this is castling.
    #[inline]
    #[must_use]
    pub const fn is_castle(self) -> bool {
        self.0 >> 12 == 1
    }

    /// Whether this is an en passant capture.
    #[inline]
    #[must_use]
    pub const fn is_en_passant(self) -> bool {
        self.0 >> 12 == 2
    }

    /// The role that a pawn promotes to.
    #[inline]
    #[must_use]
    pub const fn promotion(self) -> Option<Role> {
        match self.tag() {
            Some(Tag::Promotion(role)) => Some(role),
            _ => None,
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} {:?}", self.from(), self.to(), self.tag())
    }
}
