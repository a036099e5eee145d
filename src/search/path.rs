//! The path from the root to the current node: what the search keeps for each ply, and the keys of the positions before.

use super::histories::EarlierMoves;
use super::history_tables::EarlierMove;
use super::node::NodeType;
use super::tt_entry::TtEntry;
use crate::position::{FIFTY_MOVES, Move, Position, reversible_move, white_turn};
use crate::wdl::score::{MAX_PLY, Score};
use arrayvec::ArrayVec;
use shakmaty::{Color, attacks};

/// Entries before that of the root: earlier moves that a node asks for.
const LOOK_BACK: usize = 6;
/// Entries after its own that a node touches: those of its children and of theirs.
const LOOK_AHEAD: usize = 2;

/// How a static evaluation compares with an earlier one of the same side.
#[derive(Clone, Copy)]
pub struct Improvement {
    /// What it is better by, centipawns of score.
    pub cp: i32,
    /// Whether it is better at all.
    pub is_better: bool,
}

impl Improvement {
    /// In check.
    const NONE: Improvement = Improvement { cp: 0, is_better: false };
    /// Where no earlier evaluation is known.
    const UNKNOWN: Improvement = Improvement { cp: 100, is_better: true };
}

/// A line of moves.
pub type PvLine = ArrayVec<Move, MAX_PLY>;

/// What the search keeps for a ply.
#[derive(Clone)]
pub struct StackEntry {
    /// Corrected static evaluation for the side to move, centipawns of score; `None` in check.
    pub static_cp: Option<i32>,
    /// The same as a score, which tells evaluations apart where the draw is near and centipawns are few.
    pub static_score: Score,
    /// The move made here; none for a null move.
    pub played: Move,
    /// Place of the move made here in the butterfly history, if it is a quiet one of the main search.
    pub butterfly: Option<usize>,
    /// History of the last move here that late move reduction looked at, less what is usual.
    pub late_move_history: i32,
    /// On the principal variation now or, by the transposition table, before.
    pub was_pv: bool,
    /// Whether the transposition table had a move.
    pub has_tt_move: bool,
    /// The move made here, as the histories tell it.
    pub earlier: EarlierMove,
    /// Killer moves: quiet moves that refuted sibling nodes, the last one first.
    pub killers: [Move; 2],
    /// Move that a singular search leaves out; none otherwise.
    pub excluded: Move,
    /// Extensions by two plies on the path to here.
    pub double_extensions: i32,
    /// Number of the move made here among those of its node, from 1.
    pub move_count: usize,
    /// Beta cutoffs of the nodes at this ply below the present node two plies above.
    pub cutoffs: i32,
    /// Principal variation from here.
    pub pv: PvLine,
}

impl Default for StackEntry {
    fn default() -> StackEntry {
        StackEntry {
            static_cp: None,
            static_score: Score::DRAW,
            played: Move::NONE,
            butterfly: None,
            late_move_history: 0,
            was_pv: false,
            has_tt_move: false,
            earlier: EarlierMove::NONE,
            killers: [Move::NONE; 2],
            excluded: Move::NONE,
            double_extensions: 0,
            move_count: 0,
            cutoffs: 0,
            pv: PvLine::new(),
        }
    }
}

/// The path of one thread.
pub struct Path {
    /// From [`LOOK_BACK`] plies before the root.
    entries: Vec<StackEntry>,
    /// Keys of the positions before the current one, from the start of the game.
    keys: Vec<u64>,
    /// Deepest ply reached on principal variations.
    selective_depth: usize,
    /// Ply from which `null_move_color` may pass; above zero while a null move is verified.
    null_move_min_ply: usize,
    /// Whose null moves are limited.
    null_move_color: Color,
    /// The node at which a null move is verified, while it is.
    verified_ply: Option<usize>,
}

impl Path {
    /// The path at the root, after the positions with these keys.
    pub fn new(earlier_keys: &[u64]) -> Path {
        Path {
            entries: vec![StackEntry::default(); MAX_PLY + LOOK_BACK + LOOK_AHEAD],
            keys: earlier_keys.to_vec(),
            selective_depth: 0,
            null_move_min_ply: 0,
            null_move_color: Color::White,
            verified_ply: None,
        }
    }

    /// The entry for a ply.
    #[inline]
    pub fn entry(&self, ply: usize) -> &StackEntry {
        &self.entries[ply + LOOK_BACK]
    }

    /// The entry for a ply, to be changed.
    #[inline]
    pub fn entry_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.entries[ply + LOOK_BACK]
    }

    /// The entry one ply earlier; that of no move at the root.
    #[inline]
    pub fn parent(&self, ply: usize) -> &StackEntry {
        &self.entries[ply + LOOK_BACK - 1]
    }

    /// Positions before the current one, from the start of the game.
    pub fn earlier_positions(&self) -> usize {
        self.keys.len()
    }

    /// The moves one, two, four and six plies ago, for the continuation histories.
    #[inline]
    pub fn earlier_moves(&self, ply: usize) -> EarlierMoves {
        let earlier = |back: usize| self.entries[ply + LOOK_BACK - back].earlier;
        [earlier(1), earlier(2), earlier(4), earlier(6)]
    }

    /// The static evaluation against that of the last turn of the same side, or of the one before if it was in check then.
    #[inline]
    pub fn improvement(&self, ply: usize) -> Improvement {
        let evaluated = |back: usize| {
            let entry = &self.entries[ply + LOOK_BACK - back];
            entry.static_cp.map(|cp| (cp, entry.static_score))
        };
        match (evaluated(0), evaluated(2).or(evaluated(4))) {
            (Some((cp, score)), Some((before_cp, before))) => {
                Improvement { cp: cp - before_cp, is_better: score > before }
            }
            (Some(_), None) => Improvement::UNKNOWN,
            (None, _) => Improvement::NONE,
        }
    }

    /// Makes the entries ready for a node and its children.
    #[inline(always)]
    pub fn enter_node<N: NodeType>(&mut self, ply: usize, tt_entry: Option<TtEntry>) {
        let is_within = self.is_searched_within(ply);
        let here = self.entry_mut(ply);
        here.move_count = 0;
        if !is_within {
            here.has_tt_move = tt_entry.is_some_and(|entry| !entry.m.is_none());
            here.was_pv = N::PV || tt_entry.is_some_and(|entry| entry.pv);
        }
        let double_extensions = here.double_extensions;
        let child = self.entry_mut(ply + 1);
        child.excluded = Move::NONE;
        child.double_extensions = double_extensions;
        let grandchild = self.entry_mut(ply + 2);
        grandchild.killers = [Move::NONE; 2];
        grandchild.cutoffs = 0;
        if !N::ROOT {
            grandchild.late_move_history = 0;
        }
    }

    /// Goes down to the child position of a move (none: the null move). `butterfly` is its place in the butterfly history, if
    /// it is a quiet move of the main search.
    #[inline]
    pub fn push(&mut self, position: &Position, m: Move, ply: usize, butterfly: Option<usize>) {
        let earlier = if m.is_none() { EarlierMove::NONE } else { EarlierMove::of(position, m) };
        let entry = self.entry_mut(ply);
        entry.played = m;
        entry.butterfly = butterfly;
        entry.earlier = earlier;
        self.keys.push(position.key());
    }

    /// Comes back from the child position.
    #[inline]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Makes a move the first killer of its ply.
    #[inline]
    pub fn set_killer(&mut self, ply: usize, m: Move) {
        let killers = &mut self.entry_mut(ply).killers;
        if killers[0] != m {
            *killers = [m, killers[0]];
        }
    }

    /// Begins with an empty principal variation at a node with an open window.
    #[inline]
    pub fn begin_pv(&mut self, ply: usize) {
        self.entry_mut(ply).pv.clear();
        self.selective_depth = self.selective_depth.max(ply);
    }

    /// Makes `m` and the line below it the principal variation of this ply.
    pub fn update_pv(&mut self, m: Move, ply: usize) {
        let (above, below) = self.entries.split_at_mut(ply + LOOK_BACK + 1);
        let line = &mut above[ply + LOOK_BACK].pv;
        line.clear();
        line.push(m);
        line.extend(below[0].pv.iter().copied().take(MAX_PLY - 1));
    }

    /// Deepest ply reached on principal variations since it was last set.
    pub fn selective_depth(&self) -> usize {
        self.selective_depth
    }

    /// Sets the deepest ply reached, and returns what it was.
    pub fn replace_selective_depth(&mut self, ply: usize) -> usize {
        std::mem::replace(&mut self.selective_depth, ply)
    }

    /// Whether this side may try a null move at this ply.
    #[inline]
    pub fn allows_null_move(&self, ply: usize, turn: Color) -> bool {
        ply >= self.null_move_min_ply || turn != self.null_move_color
    }

    /// Whether a null move is being verified.
    #[inline]
    pub fn is_verifying(&self) -> bool {
        self.null_move_min_ply > 0
    }

    /// Begins to verify a null move of the node at `ply`: `color` tries none before `min_ply`, above `ply`.
    pub fn begin_verification(&mut self, ply: usize, min_ply: usize, color: Color) {
        (self.null_move_min_ply, self.null_move_color, self.verified_ply) = (min_ply, color, Some(ply));
    }

    /// Ends the verification of a null move.
    pub fn end_verification(&mut self) {
        (self.null_move_min_ply, self.verified_ply) = (0, None);
    }

    /// Whether a node is searched within its own search, without a move or to verify a null move. What is known of it stays, and
    /// histories and corrections learn nothing from it: mostly its moves are searched again.
    #[inline]
    pub fn is_searched_within(&self, ply: usize) -> bool {
        !self.entry(ply).excluded.is_none() || self.verified_ply == Some(ply)
    }

    /// Whether the position is drawn by the fifty-move rule, by lack of material, or by repetition: once within the
    /// search, or twice in all.
    #[inline(always)]
    pub fn is_draw(&self, position: &Position, ply: usize) -> bool {
        if position.halfmoves() >= FIFTY_MOVES {
            // Mate on the last move takes precedence.
            return !position.is_check() || !position.has_no_moves();
        }
        self.is_repetition(position, ply) || position.is_insufficient_material()
    }

    #[inline]
    fn is_repetition(&self, position: &Position, ply: usize) -> bool {
        let reach = (position.reversible_plies() as usize).min(self.keys.len());
        let mut seen = false;
        for back in (4..=reach).step_by(2) {
            if self.keys[self.keys.len() - back] == position.key() {
                if back < ply || seen {
                    return true;
                }
                seen = true;
            }
        }
        false
    }

    /// Upcoming repetition: whether a move repeats a position, so that the side to move has a draw, and that is above `alpha`.
    #[inline(always)]
    pub fn has_draw_at_hand(&self, position: &Position, alpha: Score, ply: usize) -> bool {
        alpha < Score::DRAW && position.reversible_plies() >= 3 && self.can_repeat(position, ply)
    }

    /// Whether the side to move can repeat a position: one of the search, or for the third time one from before it.
    #[inline(never)]
    fn can_repeat(&self, position: &Position, ply: usize) -> bool {
        let reach = (position.reversible_plies() as usize).min(self.keys.len());
        let before = |back: usize| if back == 0 { position.key() } else { self.keys[self.keys.len() - back] };
        let (occupied, own) = (position.board().occupied(), position.board().by_color(position.turn()));
        // What the other side's moves since then change in the key: nothing, if one move makes that position.
        let mut others = 0;
        (1..=reach).step_by(2).any(|back| {
            others ^= white_turn() ^ before(back - 1) ^ before(back);
            others == 0
                && reversible_move(position.key() ^ before(back)).is_some_and(|[one, other]| {
                    let from = if occupied.contains(one) { one } else { other };
                    own.contains(from)
                        && (attacks::between(one, other) & occupied).is_empty()
                        && (back < ply || (back + 4..=reach).step_by(2).any(|earlier| before(earlier) == before(back)))
                })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::{NonPvNode, PvNode};
    use super::*;
    use crate::eval::Evaluation;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_repetition_ahead_is_one_that_a_move_makes(
            start in prop::sample::select(vec![
                "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
                "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "2b1k3/8/8/8/8/8/8/1NQ1K3 b - - 0 1",
            ]),
            root in 0_usize..12,
            choices in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..40),
        ) {
            let mut position = Position::from_fen(start, false).unwrap();
            let mut path = Path::new(&[]);
            let mut played: Vec<Move> = Vec::new();
            for (made, (choice, goes_back)) in choices.into_iter().enumerate() {
                let ply = made.saturating_sub(root);
                let moves = position.legal_moves();
                let repeats = moves.iter().any(|&m| {
                    let child = position.play(m);
                    path.keys.push(position.key());
                    let repeats = path.is_repetition(&child, ply + 1);
                    path.keys.pop();
                    repeats
                });
                prop_assert_eq!(path.can_repeat(&position, ply), repeats, "{} at ply {}", position.fen(), ply);
                // The last move of this side taken back, or any.
                let back = played.len().checked_sub(2).map(|place| Move::normal(played[place].to(), played[place].from()));
                let any = moves.get(choice.index(moves.len().max(1))).copied();
                let Some(m) = back.filter(|m| goes_back && moves.contains(m)).or(any) else { break };
                path.keys.push(position.key());
                played.push(m);
                position = position.play(m);
            }
        }
    }

    #[test]
    fn a_search_within_a_node_leaves_what_is_known_of_it() {
        let mut path = Path::new(&[]);
        let entry = TtEntry { m: Move::from_bits(77), ..TtEntry::of_evaluation(Evaluation::default(), true) };
        path.enter_node::<PvNode>(3, Some(entry));
        assert!(!path.is_searched_within(3));
        path.entry_mut(3).excluded = entry.m;
        path.enter_node::<NonPvNode>(3, None);
        assert!(path.entry(3).has_tt_move && path.entry(3).was_pv);
        assert!(path.is_searched_within(3) && !path.is_searched_within(4));
        path.entry_mut(3).excluded = Move::NONE;
        path.begin_verification(3, 8, Color::Black);
        path.enter_node::<NonPvNode>(3, Some(TtEntry::of_evaluation(Evaluation::default(), false)));
        assert!(path.entry(3).has_tt_move && path.entry(3).was_pv);
        assert!(path.is_searched_within(3) && !path.is_searched_within(4));
        path.end_verification();
        assert!(!path.is_searched_within(3));
    }

    #[test]
    fn evaluations_near_a_draw_improve_by_less_than_a_centipawn() {
        let mut path = Path::new(&[]);
        let mut evaluate = |ply: usize, wilo: i32| {
            let score = Score::heuristic(wilo, 500);
            let entry = path.entry_mut(ply);
            (entry.static_cp, entry.static_score) = (Some(score.margin_cp()), score);
            path.improvement(ply)
        };
        let first = evaluate(0, 30);
        assert!(first.is_better, "no earlier one is known");
        let [worse, better] = [evaluate(2, 10), evaluate(4, 40)];
        assert!(worse.cp == 0 && !worse.is_better && better.cp == 0 && better.is_better);
        path.entry_mut(6).static_cp = None;
        assert!(!path.improvement(6).is_better, "in check");
    }
}
