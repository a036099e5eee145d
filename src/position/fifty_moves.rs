//! Limits of the halfmove clock, in plies since the last capture or pawn move.

/// Plies without capture or pawn move after which a game is drawn.
pub const FIFTY_MOVES: u32 = 100;

/// From here on the clock changes the key of the transposition table.
pub const KEY_START: u32 = 20;

/// Plies that share a key from [`KEY_START`] on.
pub const KEY_STEP: u32 = 10;

/// From here on each ply has a key of its own, since a draw is near.
pub const KEY_EXACT: u32 = FIFTY_MOVES - 20;

/// Up to here, with the plies to the next capture or pawn move, a win by the tables is in no danger.
#[cfg(feature = "syzygy")]
pub const SAFE_PLIES: u32 = FIFTY_MOVES - 20;

/// From here on a position won by the tables is played by distance alone, and a win by tables without distances is not
/// certain. Before, the search chooses among all moves that win, so that it plays naturally.
#[cfg(feature = "syzygy")]
pub const STRICT_CLOCK: u32 = 20;
