//! Limits of the halfmove clock, in plies since the last capture or pawn move.

/// Plies without capture or pawn move after which a game is drawn.
pub const FIFTY_MOVES: u32 = 100;

/// Steps in which evaluation and transposition table tell clocks apart.
#[derive(Clone, Copy)]
pub struct ClockSteps {
    /// Plies of a step.
    width: u32,
    /// From here on each ply is a step of its own, since a draw is near.
    exact: u32,
}

impl ClockSteps {
    /// With pawns on the board.
    const WITH_PAWNS: ClockSteps = ClockSteps { width: 10, exact: FIFTY_MOVES - 20 };
    /// Without: only a capture sets the clock back, and mates take long.
    const WITHOUT_PAWNS: ClockSteps = ClockSteps { width: 5, exact: FIFTY_MOVES / 2 };

    /// Those of a position.
    #[inline(always)]
    pub const fn of(has_pawns: bool) -> ClockSteps {
        if has_pawns { ClockSteps::WITH_PAWNS } else { ClockSteps::WITHOUT_PAWNS }
    }

    /// The first clock of the step.
    #[inline(always)]
    pub const fn start(self, halfmoves: u32) -> u32 {
        if self.is_exact(halfmoves) { halfmoves } else { halfmoves / self.width * self.width }
    }

    /// Whether a clock is a step of its own.
    #[inline(always)]
    pub const fn is_exact(self, halfmoves: u32) -> bool {
        halfmoves >= self.exact
    }
}

/// Up to here, with the plies to the next capture or pawn move, a win by the tables is in no danger.
#[cfg(feature = "syzygy")]
pub const SAFE_PLIES: u32 = FIFTY_MOVES - 20;

/// From here on a position won by the tables is played by distance alone, and a win by tables without distances is not
/// certain. Before, the search chooses among all moves that win, so that it plays naturally.
#[cfg(feature = "syzygy")]
pub const STRICT_CLOCK: u32 = 20;
