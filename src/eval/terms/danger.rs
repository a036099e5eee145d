//! Parts of the king danger. Its unit has no meaning of its own: [`KING_DANGER`](crate::eval::term_list::KING_DANGER) gives each
//! [`STEP`] its weights. The tuner fits those weights; the parts are fixed, since the sum is an index and not linear in
//! them.

/// Piece that attacks the king ring, by role (index 0 unused). The sum is multiplied by the number of such pieces.
pub const ATTACKER: [i32; 7] = [0, 0, 80, 52, 44, 12, 0];
/// Safe check by knight, bishop, rook, queen.
pub const SAFE_CHECK: [i32; 4] = [790, 640, 1080, 780];
/// Weak square of the king ring.
pub const WEAK_RING: i32 = 185;
/// Square from which an unsafe check is possible.
pub const UNSAFE_CHECK: i32 = 148;
/// Piece pinned to the king.
pub const PINNED: i32 = 98;
/// Attack on a square next to the king.
pub const KING_ATTACK: i32 = 69;
/// The enemy has no queen.
pub const NO_QUEEN: i32 = -870;
/// Own knight that guards squares next to the king.
pub const KNIGHT_GUARD: i32 = -100;
/// Attack on the king's flank, minus defences.
pub const FLANK: i32 = 18;
/// Danger for one step of [`KING_DANGER`](crate::eval::term_list::KING_DANGER).
pub const STEP: i32 = 75;
