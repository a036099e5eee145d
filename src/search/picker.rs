//! Move ordering: the staged move picker gives the moves of a node, most promising first, and generates each stage when it
//! is needed.
//!
//! TT move; good captures by most valuable victim (MVV) and capture history, if static exchange evaluation (SEE) finds no
//! large loss; killer and counter moves; quiet moves by history; bad captures.

use super::histories::{Histories, OrderingContext};
use super::scored_list::{Scored, ScoredList};
use crate::position::{Move, MoveList, Position, SEE_VALUE};
use shakmaty::Role;

/// Place in the order for which a capture may lose a centipawn by exchange and still come early.
const NOISY_ORDER_PER_CP: i32 = 37;

/// Stages in the order in which moves come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// TT move: that of the transposition table, before anything is generated, as it often makes the rest needless.
    TtMove,
    /// Generates captures and promotions.
    GenerateNoisy,
    /// Good captures: those that lose no more by exchange than their place in the order allows, and such queen promotions.
    GoodNoisy,
    /// Killer moves and the counter move: quiet moves that refuted siblings, or the last move elsewhere.
    Refutations,
    /// Generates quiet moves.
    GenerateQuiet,
    /// Quiet moves by history.
    Quiet,
    /// Bad captures: those that lose more, and underpromotions.
    BadNoisy,
    /// Nothing left.
    Done,
}

/// Which moves a picker gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// All moves.
    All,
    /// Good captures.
    NoisyOnly,
    /// Good captures, then quiet checks.
    NoisyThenChecks,
}

/// Place in the order for each centipawn of the captured piece (MVV), beside the capture history.
const VICTIM_ORDER: i32 = 16;
/// Place of underpromotions in the order: after all captures.
const UNDERPROMOTION_ORDER: i32 = -100_000;

/// Picks the moves of one node. Moves are pseudo-legal; each comes once.
pub struct Picker {
    mode: Mode,
    stage: Stage,
    tt_move: Move,
    refutations: [Move; 3],
    next_refutation: usize,
    /// Captures and promotions, and after them the quiet moves.
    moves: ScoredList,
    /// Bad captures.
    bad: ScoredList,
    skip_quiets: bool,
    /// Least exchange value of a good capture, centipawns.
    min_see_cp: i32,
    /// What the last good capture gains at least by exchange.
    known_see_cp: i32,
}

impl Picker {
    /// All moves: for the main search, and for evasions.
    #[must_use]
    pub fn new(position: &Position, tt_move: Move, refutations: [Move; 3]) -> Picker {
        Picker::with_mode(position, tt_move, refutations, Mode::All)
    }

    /// Captures that do not lose material and queen promotions, for quiescence.
    #[must_use]
    pub fn noisy(position: &Position, tt_move: Move) -> Picker {
        let noisy = if position.is_noisy(tt_move) { tt_move } else { Move::NONE };
        Picker::with_mode(position, noisy, [Move::NONE; 3], Mode::NoisyOnly)
    }

    /// The same with any TT move, and then quiet moves that give check.
    #[must_use]
    pub fn noisy_then_checks(position: &Position, tt_move: Move) -> Picker {
        Picker::with_mode(position, tt_move, [Move::NONE; 3], Mode::NoisyThenChecks)
    }

    fn with_mode(position: &Position, tt_move: Move, refutations: [Move; 3], mode: Mode) -> Picker {
        let known = !tt_move.is_none() && position.is_pseudo_legal(tt_move);
        Picker {
            mode,
            stage: if known { Stage::TtMove } else { Stage::GenerateNoisy },
            tt_move: if known { tt_move } else { Move::NONE },
            refutations,
            next_refutation: 0,
            moves: ScoredList::new(),
            bad: ScoredList::new(),
            skip_quiets: false,
            min_see_cp: 0,
            known_see_cp: 0,
        }
    }

    /// Captures and promotions that gain at least `min_see_cp` centipawns by exchange.
    #[must_use]
    pub fn gaining(position: &Position, tt_move: Move, min_see_cp: i32) -> Picker {
        let gains = !tt_move.is_none() && position.is_pseudo_legal(tt_move) && position.see(tt_move, min_see_cp);
        Picker { min_see_cp, ..Picker::noisy(position, if gains { tt_move } else { Move::NONE }) }
    }

    /// What the last move is known to gain at least by exchange, centipawns.
    #[inline]
    #[must_use]
    pub fn known_see_cp(&self) -> i32 {
        if self.stage == Stage::GoodNoisy { self.known_see_cp } else { i32::MIN }
    }

    /// Drops the quiet moves that have not come yet.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move. `context` holds the position that the picker was made for.
    pub fn next(&mut self, histories: &Histories, context: &OrderingContext) -> Option<Move> {
        let position = context.position();
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    return Some(self.tt_move);
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(position, histories);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    if let Some(m) = self.next_good_noisy(position) {
                        return Some(m);
                    }
                    self.stage = match self.mode {
                        Mode::All => Stage::Refutations,
                        Mode::NoisyOnly => Stage::Done,
                        Mode::NoisyThenChecks => Stage::GenerateQuiet,
                    };
                }
                Stage::Refutations => {
                    while self.next_refutation < self.refutations.len() {
                        let place = self.next_refutation;
                        self.next_refutation += 1;
                        let m = self.refutations[place];
                        if !self.skip_quiets
                            && !m.is_none()
                            && m != self.tt_move
                            && !position.is_noisy(m)
                            && position.is_pseudo_legal(m)
                            && !self.refutations[..place].contains(&m)
                        {
                            return Some(m);
                        }
                        self.refutations[place] = Move::NONE;
                    }
                    self.stage = Stage::GenerateQuiet;
                }
                Stage::GenerateQuiet => {
                    if !self.skip_quiets {
                        self.generate_quiet(histories, context);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    while !self.skip_quiets
                        && let Some(best) = self.moves.take_best()
                    {
                        let m = best.m();
                        if m != self.tt_move && !self.refutations.contains(&m) {
                            return Some(m);
                        }
                    }
                    self.bad.pad();
                    self.stage = if self.mode == Mode::All { Stage::BadNoisy } else { Stage::Done };
                }
                Stage::BadNoisy => {
                    if let Some(m) = self.bad.take_best() {
                        return Some(m.m());
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    // Not inlined, or what it alone needs is computed at each call of `next`.
    #[inline(never)]
    fn generate_noisy(&mut self, position: &Position, histories: &Histories) {
        let mut moves = MoveList::new();
        position.generate_noisy(&mut moves);
        for &m in moves.iter().filter(|&&m| m != self.tt_move) {
            let victim = position.captured(m).map_or(0, |role| SEE_VALUE[role as usize]);
            let score = match m.promotion() {
                None => VICTIM_ORDER * victim + histories.noisy(position, m),
                Some(Role::Queen) => VICTIM_ORDER * (victim + SEE_VALUE[Role::Queen as usize]),
                Some(role) => {
                    self.bad.push(Scored::new(m, UNDERPROMOTION_ORDER + SEE_VALUE[role as usize]));
                    continue;
                }
            };
            self.moves.push(Scored::new(m, score));
        }
        self.moves.pad();
    }

    /// SEE: a capture is good if it loses no more by exchange than its place in the order makes up for.
    #[inline(always)]
    fn next_good_noisy(&mut self, position: &Position) -> Option<Move> {
        while let Some(best) = self.moves.take_best() {
            let least = if self.mode == Mode::All { -best.score() / NOISY_ORDER_PER_CP } else { self.min_see_cp };
            if position.see(best.m(), least) {
                self.known_see_cp = least;
                return Some(best.m());
            }
            self.bad.push(best);
        }
        None
    }

    // Not inlined, as above.
    #[inline(never)]
    fn generate_quiet(&mut self, histories: &Histories, context: &OrderingContext) {
        let position = context.position();
        self.moves.clear();
        let mut moves = MoveList::new();
        if self.mode == Mode::NoisyThenChecks {
            position.generate_quiet_checks(context.checks(), &mut moves);
            self.moves.extend(moves.iter().map(|&m| Scored::new(m, 0)));
        } else {
            let scores = histories.quiets(context);
            let (threats, checks) = (context.threats(), context.checks());
            position.for_each_quiet(|role, from, targets| {
                let piece = scores.of_piece(threats, checks, role, from);
                self.moves.extend(targets.into_iter().map(|to| Scored::new(Move::normal(from, to), piece.order(to))));
            });
            position.generate_castling(&mut moves);
            let king = scores.of_piece(threats, checks, Role::King, position.king(position.turn()));
            self.moves.extend(moves.iter().map(|&m| Scored::new(m, king.order(m.to()))));
        }
        self.moves.pad();
    }
}

#[cfg(test)]
mod tests {
    use super::super::history_tables::EarlierMove;
    use super::*;
    use crate::position::CheckSquares;
    use proptest::prelude::*;

    /// The start position after moves that `choices` picks.
    fn after_random_moves(choices: &[u8]) -> Position {
        let mut position = Position::default();
        for &choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[choice as usize % moves.len()]);
        }
        position
    }

    fn pseudo_legal(position: &Position) -> Vec<u16> {
        let mut moves: Vec<u16> = position.pseudo_legal_moves().into_iter().map(Move::bits).collect();
        moves.sort_unstable();
        moves
    }

    proptest! {
        #[test]
        fn every_move_comes_once(choices in prop::collection::vec(any::<u8>(), 0..100), table in any::<u16>(), refutations in any::<[u16; 3]>()) {
            let histories = Histories::default();
            let position = after_random_moves(&choices);
            let mut expected = pseudo_legal(&position);
            let pick = |bits: u16| Move::from_bits(expected.get(bits as usize % 64).copied().unwrap_or(bits));
            let table = pick(table);
            let refutations = refutations.map(pick);
            let mut picker = Picker::new(&position, table, refutations);
            // What is handed in may leave the king in check where what is generated does not.
            let is_handed_in = |m: Move| position.is_pseudo_legal(m) && (m == table || !position.is_noisy(m));
            expected.extend([table].into_iter().chain(refutations).filter(|&m| is_handed_in(m)).map(Move::bits));
            expected.sort_unstable();
            expected.dedup();
            let mut seen = Vec::new();
            while let Some(m) = picker.next(&histories, &OrderingContext::new(&position, [EarlierMove::NONE; 4])) {
                seen.push(m.bits());
            }
            seen.sort_unstable();
            prop_assert_eq!(seen, expected);
        }

        #[test]
        fn quiet_checks_follow_captures(choices in prop::collection::vec(any::<u8>(), 0..100)) {
            let histories = Histories::default();
            let position = after_random_moves(&choices);
            prop_assume!(!position.is_check());
            let context = OrderingContext::new(&position, [EarlierMove::NONE; 4]);
            let moves = |mut picker: Picker| {
                let mut moves = Vec::new();
                while let Some(m) = picker.next(&histories, &context) {
                    moves.push(m.bits());
                }
                moves
            };
            let mut expected = moves(Picker::noisy(&position, Move::NONE));
            let mut quiet = MoveList::new();
            position.generate_quiet(&mut quiet);
            let checks = CheckSquares::of(&position);
            let found = moves(Picker::noisy_then_checks(&position, Move::NONE));
            let (noisy, mut found_checks) = (found[..expected.len()].to_vec(), found[expected.len()..].to_vec());
            prop_assert_eq!(&noisy, &expected);
            expected = quiet.iter().filter(|&&m| checks.contains(&position, m)).map(|m| m.bits()).collect();
            expected.sort_unstable();
            found_checks.sort_unstable();
            prop_assert_eq!(found_checks, expected);
        }
    }
}
