//! The moves of a position in the order of the tables.

use super::ProbeSettings;
use super::ranking::{RankedMove, Ranking};
use super::tables::Tables;
use crate::position::fifty_moves::{SAFE_PLIES, STRICT_CLOCK};
use crate::position::{GameHistory, Move};
use crate::wdl::score::{MAX_PLY, Score};
use shakmaty::KnownOutcome;
use shakmaty_syzygy::{AmbiguousWdl, Dtz, MaybeRounded};

/// Difference of rank between classes; more than any distance.
const CLASS_STEP: i32 = 10_000;

/// What the tables say of a move, from the point of view of the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveClass {
    /// Its result with best play under the fifty-move rule.
    pub wdl: AmbiguousWdl,
    /// Plies to the next capture or pawn move, this one included, negative for a loss; `None` if not known.
    pub distance: Option<i32>,
    /// Whether the move mates.
    pub is_mate: bool,
}

impl Tables {
    /// Ranks moves at the end of a game. `None` if the tables do not know each of them, or may not be used. Missing distances of
    /// up to four pieces are computed as long as `may_go_on` says so, which may take seconds; the rest is left to the
    /// next call.
    #[must_use]
    pub fn rank(
        &self,
        game: &GameHistory,
        moves: &[Move],
        settings: &ProbeSettings,
        may_go_on: &dyn Fn() -> bool,
    ) -> Option<Ranking> {
        let root = game.position();
        if root.board().occupied().count() > settings.pieces.min(self.max_pieces()) || root.castling_rights().any() {
            return None;
        }
        // Without the rule no move ends the game by it.
        let (clock, strict) = (root.halfmoves(), root.halfmoves() >= STRICT_CLOCK || game.has_repetition());
        let game = if settings.fifty_move_rule { game } else { &game.without_claim() };
        let mates = |&m: &Move| matches!(game.after(m).outcome(), Some(KnownOutcome::Decisive { .. }));
        if !moves.iter().any(mates) {
            self.prepare_distances(root, may_go_on);
        }
        let all = |classify: fn(&Tables, &GameHistory, Move) -> Option<MoveClass>| {
            moves.iter().map(|&m| classify(self, game, m)).collect::<Option<Vec<_>>>()
        };
        let by_distance = all(Tables::classify);
        let is_by_distance = by_distance.is_some();
        let mut classes = by_distance.or_else(|| all(Tables::classify_by_wdl))?;
        if let Some((wdl, _)) = self.class_of(game) {
            classes.iter_mut().for_each(|class| *class = class.at_most(wdl));
        }
        let rank = |(&m, class): (&Move, &MoveClass)| {
            let class = if settings.fifty_move_rule { *class } else { class.without_fifty_move_rule() };
            RankedMove { m, rank: class.rank(strict, clock as i32), score: class.score() }
        };
        Some(Ranking { moves: moves.iter().zip(&classes).map(rank).collect(), by_distance: is_by_distance })
    }

    /// The class of a move.
    pub(super) fn classify(&self, game: &GameHistory, m: Move) -> Option<MoveClass> {
        let child = game.after(m);
        if let Some(outcome) = child.outcome() {
            return Some(MoveClass::of_outcome(outcome));
        }
        let clock = child.position().halfmoves();
        if clock == 0 {
            // From a capture or pawn move on other distances count.
            let wdl: AmbiguousWdl = (-self.probe_wdl(child.position())?).into();
            return Some(MoveClass { wdl, distance: Some(wdl.signum()), is_mate: false });
        }
        let dtz = -self.distance(child.position())?;
        let wdl = AmbiguousWdl::from_dtz_and_halfmoves(dtz, clock);
        // The distance of the child, a ply farther.
        let distance = dtz.ignore_rounding().add_plies_saturating(1).0;
        Some(MoveClass { wdl, distance: Some(distance), is_mate: false })
    }

    /// The class of a move by WDL tables alone. They are made for a clock of zero, so from [`STRICT_CLOCK`] on a win or loss
    /// may be a draw by the fifty-move rule unless the move starts the clock anew.
    pub(super) fn classify_by_wdl(&self, game: &GameHistory, m: Move) -> Option<MoveClass> {
        let child = game.after(m);
        if let Some(outcome) = child.outcome() {
            return Some(MoveClass::of_outcome(outcome));
        }
        let clock = child.position().halfmoves();
        let wdl = match (-self.probe_wdl(child.position())?).into() {
            AmbiguousWdl::Win if clock >= STRICT_CLOCK => AmbiguousWdl::MaybeWin,
            AmbiguousWdl::Loss if clock >= STRICT_CLOCK => AmbiguousWdl::MaybeLoss,
            wdl => wdl,
        };
        Some(MoveClass { wdl, distance: None, is_mate: false })
    }

    /// The class of a position for the side to move, by its distance.
    pub(super) fn class_of(&self, game: &GameHistory) -> Option<(AmbiguousWdl, MaybeRounded<Dtz>)> {
        let position = game.position();
        let dtz = self.distance(position)?;
        // A mate counts before the fifty-move rule.
        let clock = if position.has_no_moves() { 0 } else { position.halfmoves() };
        Some((AmbiguousWdl::from_dtz_and_halfmoves(dtz, clock), dtz))
    }
}

impl MoveClass {
    /// Of a move that ends the game: a mate, or a draw.
    fn of_outcome(outcome: KnownOutcome) -> MoveClass {
        match outcome {
            KnownOutcome::Decisive { .. } => MoveClass { wdl: AmbiguousWdl::Win, distance: Some(1), is_mate: true },
            KnownOutcome::Draw => MoveClass { wdl: AmbiguousWdl::Draw, distance: Some(0), is_mate: false },
        }
    }

    /// The class of a move of a position of the class `root`, whose distance may be rounded otherwise: no move is better.
    fn at_most(self, root: AmbiguousWdl) -> MoveClass {
        let wdl = match (self.wdl, root) {
            (AmbiguousWdl::MaybeWin, AmbiguousWdl::CursedWin) => AmbiguousWdl::CursedWin,
            (AmbiguousWdl::MaybeLoss, AmbiguousWdl::Loss) => AmbiguousWdl::Loss,
            (wdl, _) => wdl,
        };
        MoveClass { wdl, ..self }
    }

    fn without_fifty_move_rule(self) -> MoveClass {
        let wdl = match self.wdl.signum() {
            1 => AmbiguousWdl::Win,
            -1 => AmbiguousWdl::Loss,
            _ => AmbiguousWdl::Draw,
        };
        MoveClass { wdl, ..self }
    }

    /// A mate comes first. Classes lie apart. Within one, wins are ranked by the least distance where the fifty-move rule is near,
    /// or always if `strict`, and losses that it may yet save by the greatest.
    fn rank(self, strict: bool, clock: i32) -> i32 {
        let plies = self.distance.unwrap_or_default().abs();
        let class = match self.wdl {
            _ if self.is_mate => return 4 * CLASS_STEP,
            AmbiguousWdl::Win => 3,
            AmbiguousWdl::MaybeWin => 2,
            AmbiguousWdl::CursedWin => 1,
            AmbiguousWdl::Draw => 0,
            AmbiguousWdl::BlessedLoss => -1,
            AmbiguousWdl::MaybeLoss => -2,
            AmbiguousWdl::Loss => -3,
        };
        let within = match self.wdl {
            AmbiguousWdl::Win if !strict && plies + clock <= SAFE_PLIES as i32 => 0,
            // No clock saves it, and the longest way to a capture may be the shortest to a mate.
            AmbiguousWdl::Loss => 0,
            _ => -plies * self.wdl.signum(),
        };
        class * CLASS_STEP + within
    }

    /// The score of a move; `None` where the fifty-move rule may or may not save a side.
    fn score(self) -> Option<Score> {
        let plies = self.distance.map_or(MAX_PLY, |distance| distance.unsigned_abs() as usize);
        match self.wdl {
            AmbiguousWdl::Win => Some(Score::tablebase_win(plies)),
            AmbiguousWdl::Loss => Some(-Score::tablebase_win(plies)),
            AmbiguousWdl::Draw | AmbiguousWdl::CursedWin | AmbiguousWdl::BlessedLoss => Some(Score::DRAW),
            AmbiguousWdl::MaybeWin | AmbiguousWdl::MaybeLoss => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_loss_that_the_clock_may_save_is_made_long() {
        let rank = |wdl, distance| MoveClass { wdl, distance: Some(distance), is_mate: false }.rank(true, 85);
        assert_eq!(rank(AmbiguousWdl::Loss, -1), rank(AmbiguousWdl::Loss, -12));
        assert!(rank(AmbiguousWdl::MaybeLoss, -1) < rank(AmbiguousWdl::MaybeLoss, -12));
        assert!(rank(AmbiguousWdl::Win, 1) > rank(AmbiguousWdl::Win, 12));
    }

    /// Such as king and pawn each, `8/8/K2p1P1k/8/8/8/8/8 b - - 98 60`, whose tables are too large for the tests.
    #[test]
    fn no_move_is_better_than_its_position() {
        let class = |wdl| MoveClass { wdl, distance: Some(2), is_mate: false };
        use AmbiguousWdl::*;
        assert_eq!(class(MaybeWin).at_most(CursedWin).score(), Some(Score::DRAW));
        assert_eq!(class(MaybeLoss).at_most(Loss).score(), Some(-Score::tablebase_win(2)));
        for (wdl, root) in
            [(MaybeWin, Win), (MaybeWin, MaybeWin), (MaybeLoss, BlessedLoss), (Loss, Loss), (Draw, CursedWin)]
        {
            assert_eq!(class(wdl).at_most(root), class(wdl));
        }
    }
}
