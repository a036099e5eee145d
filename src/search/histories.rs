//! Histories: how well moves did elsewhere in the tree, for move ordering, reductions and pruning.

use super::history_tables::{
    ButterflyHistory, ButterflySide, CaptureHistory, ContinuationHistory, ContinuationRow, CounterMoves, EarlierMove,
    PieceTo,
};
use crate::position::{CheckSquares, Move, Position, Threats};
use shakmaty::{Bitboard, Role, Square};
use std::cell::OnceCell;

/// The moves one, two, four and six plies ago.
pub type EarlierMoves = [EarlierMove; 4];

/// What quiet moves are ordered by beside the histories, and looked up there: position, earlier moves, threats and checks.
pub struct OrderingContext<'a> {
    position: &'a Position,
    earlier: EarlierMoves,
    /// Attacks of the side not to move, found when they are asked for, as many nodes search no quiet move.
    threats: OnceCell<Threats>,
    /// Where the side to move gives check, found when it is asked for: never by ProbCut, not at every node of quiescence.
    checks: OnceCell<CheckSquares>,
}

impl<'a> OrderingContext<'a> {
    /// Of a position after the given earlier moves.
    #[inline]
    #[must_use]
    pub fn new(position: &'a Position, earlier: EarlierMoves) -> OrderingContext<'a> {
        OrderingContext { position, earlier, threats: OnceCell::new(), checks: OnceCell::new() }
    }

    /// The position whose moves are ordered.
    #[inline(always)]
    pub fn position(&self) -> &'a Position {
        self.position
    }

    /// Attacks of the side not to move.
    #[inline(always)]
    pub fn threats(&self) -> &Threats {
        self.threats.get_or_init(|| Threats::by(self.position, !self.position.turn()))
    }

    /// Where the side to move gives check.
    #[inline(always)]
    pub fn checks(&self) -> &CheckSquares {
        self.checks.get_or_init(|| CheckSquares::of(self.position))
    }

    /// Earlier moves whose continuation histories learn.
    #[inline]
    fn learning(&self) -> &[EarlierMove] {
        &self.earlier[..if self.position.is_check() { 2 } else { 4 }]
    }

    /// Place of a quiet move in the butterfly history.
    #[inline]
    pub fn butterfly(&self, m: Move) -> usize {
        ButterflyHistory::index_of(m, self.threats())
    }
}

/// The move histories of one thread.
#[derive(Default)]
pub struct Histories {
    butterfly: ButterflyHistory,
    continuation: ContinuationHistory,
    capture: CaptureHistory,
    counter: CounterMoves,
}

impl Histories {
    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Histories::default();
    }

    /// The statistics of quiet moves of a position.
    #[inline]
    #[must_use]
    pub fn quiets<'a>(&'a self, context: &'a OrderingContext<'a>) -> QuietScores<'a> {
        QuietScores {
            butterfly: self.butterfly.side(context.position.turn()),
            continuation: context.earlier.map(|earlier| self.continuation.after(earlier)),
            context,
        }
    }

    /// How well a capture or promotion did.
    #[inline]
    #[must_use]
    pub fn noisy(&self, position: &Position, m: Move) -> i32 {
        self.capture.get(position, m)
    }

    /// The quiet move that last refuted a move.
    #[inline]
    pub fn counter(&self, earlier: PieceTo) -> Move {
        self.counter.get(earlier)
    }

    /// Keeps the quiet move that refuted a move.
    #[inline]
    pub fn set_counter(&mut self, earlier: PieceTo, m: Move) {
        self.counter.set(earlier, m);
    }

    /// Adds a bonus, or with a negative amount a malus, to a quiet move.
    pub fn update_quiet(&mut self, m: Move, context: &OrderingContext, bonus: i32) {
        self.butterfly.update(context.position.turn(), context.butterfly(m), bonus);
        self.update_continuations(context.learning(), PieceTo::of(context.position, m), bonus);
    }

    /// Adds a bonus, or with a negative amount a malus, to a quiet move as the continuation of earlier ones.
    pub fn update_continuations(&mut self, earlier: &[EarlierMove], m: PieceTo, bonus: i32) {
        for &earlier in earlier {
            if earlier != EarlierMove::NONE {
                self.continuation.update(earlier, m, bonus);
            }
        }
    }

    /// Adds a bonus, or with a negative amount a malus, to the quiet move that led to `position`. Its place in the butterfly
    /// history was kept.
    #[inline]
    pub fn update_last_butterfly(&mut self, position: &Position, butterfly: usize, bonus: i32) {
        self.butterfly.update(!position.turn(), butterfly, bonus);
    }

    /// Adds a bonus, or with a negative amount a malus, to a capture or promotion.
    pub fn update_noisy(&mut self, position: &Position, m: Move, bonus: i32) {
        self.capture.update(position, m, bonus);
    }
}

/// The statistics of quiet moves that concern one position.
#[derive(Clone, Copy)]
pub struct QuietScores<'a> {
    butterfly: &'a ButterflySide,
    continuation: [&'a ContinuationRow; 4],
    context: &'a OrderingContext<'a>,
}

/// Added to the order of quiet moves that give check.
const CHECK_ORDER: i32 = 16_384;
/// Added for a threatened queen that goes where no lesser piece attacks.
const QUEEN_ESCAPES: i32 = 50_000;
/// The same for a rook.
const ROOK_ESCAPES: i32 = 25_000;
/// Added for any threatened piece that goes where no pawn attacks.
const MINOR_ESCAPES: i32 = 15_000;

impl QuietScores<'_> {
    /// What orders the quiet moves of one piece. Threats and checks are those of the context, asked for once and not for each
    /// piece.
    #[inline]
    #[must_use]
    pub fn of_piece<'s>(
        &'s self,
        threats: &'s Threats,
        checks: &CheckSquares,
        role: Role,
        from: Square,
    ) -> PieceScores<'s> {
        PieceScores {
            butterfly: self.butterfly,
            continuation: self.continuation,
            threats,
            piece: PieceTo::new(self.context.position.turn(), role, Square::A1),
            role,
            from,
            is_attacked: threats.all.contains(from),
            is_threatened: threats.threatened.contains(from),
            checks: checks.targets(role, from),
        }
    }

    /// Butterfly history.
    #[inline]
    #[must_use]
    pub fn butterfly(&self, m: Move) -> i32 {
        i32::from(self.butterfly[self.context.butterfly(m)])
    }

    /// Continuation histories of one, two and four plies ago.
    #[inline]
    #[must_use]
    pub fn continuations(&self, m: Move) -> [i32; 3] {
        let piece_to = PieceTo::of(self.context.position, m).index();
        let [one, two, four, _] = self.continuation;
        [i32::from(one[piece_to]), i32::from(two[piece_to]), i32::from(four[piece_to])]
    }
}

/// The statistics of the quiet moves of one piece.
pub struct PieceScores<'a> {
    butterfly: &'a ButterflySide,
    continuation: [&'a ContinuationRow; 4],
    threats: &'a Threats,
    piece: PieceTo,
    role: Role,
    from: Square,
    is_attacked: bool,
    is_threatened: bool,
    /// Where it gives check.
    checks: Bitboard,
}

impl PieceScores<'_> {
    /// The place of a move in the order of its node: by the histories, checks and threatened pieces before others.
    #[inline(always)]
    #[must_use]
    pub fn order(&self, to: Square) -> i32 {
        let piece_to = self.piece.index() | to as usize;
        let [one, two, four, six] = self.continuation;
        let continuation = 2 * i32::from(one[piece_to])
            + i32::from(two[piece_to])
            + i32::from(four[piece_to])
            + i32::from(six[piece_to]);
        let butterfly = ButterflyHistory::index(self.from, to, self.is_attacked, self.threats.all.contains(to));
        let check = if self.checks.contains(to) { CHECK_ORDER } else { 0 };
        let escape = if self.is_threatened { self.escape(to) } else { 0 };
        2 * i32::from(self.butterfly[butterfly]) + continuation + check + escape
    }

    /// What is added to the order of a move of a piece that a lesser one attacks, by what attacks its target.
    fn escape(&self, to: Square) -> i32 {
        if self.role == Role::Queen && !self.threats.by_rook.contains(to) {
            QUEEN_ESCAPES
        } else if self.role == Role::Rook && !self.threats.by_minor.contains(to) {
            ROOK_ESCAPES
        } else if !self.threats.by_pawn.contains(to) {
            MINOR_ESCAPES
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_learnt_apart_after_captures_and_checks() {
        // The rook goes to e2: quietly, capturing, out of check, and both.
        let boards =
            ["6k1/8/8/8/8/8/3R4/4K3", "6k1/8/8/8/8/8/3Rn3/4K3", "4r1k1/8/8/8/8/8/3R4/4K3", "6k1/8/8/8/8/8/3Rr3/4K3"];
        let earlier = boards.map(|board| {
            let position = Position::from_fen(&format!("{board} w - - 0 1"), false).unwrap();
            EarlierMove::of(&position, position.parse_move("d2e2").unwrap())
        });
        assert!(earlier.iter().all(|m| m.piece_to() == earlier[0].piece_to()));
        let reply = PieceTo::new(shakmaty::Color::Black, Role::King, Square::G7);
        for learning in earlier {
            let mut histories = Histories::default();
            histories.update_continuations(&[learning, EarlierMove::NONE], reply, 100);
            for other in earlier {
                assert_eq!(histories.continuation.after(other)[reply.index()] != 0, other == learning);
            }
            assert_eq!(histories.continuation.after(EarlierMove::NONE)[reply.index()], 0);
        }
        assert_eq!(earlier.iter().filter(|&&m| m == earlier[0]).count(), 1);
    }
}
