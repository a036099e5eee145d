//! What profiles need of the position searched and of its players.

use crate::position::{PIECE_POINTS, Position};
use crate::wdl::model::Wdl;
use shakmaty::{Board, Color, Role};

/// Material of the start position.
const FULL_MATERIAL: f64 = {
    let [pawn, knight, bishop, rook, queen] = PIECE_POINTS;
    (16 * pawn + 4 * (knight + bishop + rook) + 2 * queen) as f64
};

/// Plies without a capture or a pawn move from which on more of them make no difference.
const IDLE_PLIES: u32 = 16;

/// Material of both sides in [`PIECE_POINTS`]; 78 in the start position.
#[must_use]
pub fn material(board: &Board) -> u32 {
    let points = |(role, points): (Role, u8)| board.by_role(role).count() as u32 * u32::from(points);
    Role::ALL.into_iter().zip(PIECE_POINTS).map(points).sum()
}

/// What profiles need of a position and of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardFacts {
    /// As [`material`] counts.
    pub material: u32,
    /// Pawns of both sides.
    pub pawns: u32,
    /// Whether the side to move, and the other, has what can win a game.
    pub can_win: [bool; 2],
    /// Plies since the last capture or pawn move.
    pub clock: u32,
    /// Rating of the side to move less that of the other, Elo; 0 if it is not known.
    pub advantage: i32,
}

/// Whether a colour has what can win: more than its king and one minor piece, or two knights against a king alone. Those mate
/// only where the other side helps.
fn can_win(board: &Board, color: Color) -> bool {
    let pieces = board.by_color(color) & !board.kings();
    let is_bare = |color: Color| board.by_color(color).count() == 1;
    let minor = board.knights() | board.bishops();
    match (pieces & minor).count() {
        _ if (pieces & !minor).any() => true,
        0 | 1 => false,
        2 => (pieces & board.bishops()).any() || !is_bare(!color),
        _ => true,
    }
}

impl BoardFacts {
    /// Of a board with the side to move and the plies since the last capture or pawn move; ratings are not known.
    #[must_use]
    pub fn of(board: &Board, turn: Color, clock: u32) -> BoardFacts {
        let can_win = [turn, !turn].map(|color| can_win(board, color));
        BoardFacts { material: material(board), pawns: board.pawns().count() as u32, can_win, clock, advantage: 0 }
    }

    /// Of a position; ratings are not known.
    #[must_use]
    pub fn of_position(position: &Position) -> BoardFacts {
        BoardFacts::of(&position.board().into(), position.turn(), position.halfmoves())
    }

    /// From 0 with all pieces on the board to 1 with kings only.
    #[must_use]
    pub fn endgame(self) -> f64 {
        1.0 - (f64::from(self.material) / FULL_MATERIAL).min(1.0)
    }

    /// From 0 after a capture or a pawn move to 1 after 16 plies without one.
    #[must_use]
    pub fn idle(self) -> f64 {
        f64::from(self.clock.min(IDLE_PLIES)) / f64::from(IDLE_PLIES)
    }

    /// The same where a mate is in sight, for the side to move with 1, for the other with -1: it can be won.
    #[must_use]
    pub(super) fn with_mate(mut self, mate_side: f64) -> BoardFacts {
        self.can_win[0] |= mate_side > 0.0;
        self.can_win[1] |= mate_side < 0.0;
        self
    }

    /// The probability of wins that are impossible goes to the draw.
    #[must_use]
    pub fn without_impossible_wins(self, mut wdl: Wdl) -> Wdl {
        for (can_win, wins) in self.can_win.into_iter().zip([&mut wdl.win, &mut wdl.loss]) {
            if !can_win {
                wdl.draw += std::mem::take(wins);
            }
        }
        wdl
    }
}
