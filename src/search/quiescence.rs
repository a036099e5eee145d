//! Quiescence search: captures until the position is quiet enough to be evaluated.

use super::alpha_beta::{CLOCK_NEARS_DRAW, Node};
use super::history::Context;
use super::picker::Picker;
use super::worker::Worker;
use crate::position::{Move, Position};
use crate::wdl::score::Score;
use shakmaty::Role;

impl Worker<'_> {
    /// Searches captures and queen promotions; in check, all evasions.
    pub fn quiescence<const PV: bool>(&mut self, position: &Position, alpha: Score, beta: Score, ply: usize) -> Score {
        if PV {
            self.frame(ply).pv.clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        if let Some(score) = self.enter_node(position, ply) {
            return score;
        }
        let in_check = position.is_check();
        let entry = self.shared.table.probe(position.table_key(), ply);
        if !PV
            && let Some(entry) = entry
            && entry.decides(alpha, beta)
            && position.halfmoves() < CLOCK_NEARS_DRAW
        {
            return entry.score;
        }
        let mut node = Node::new(alpha, beta);
        let eval = match entry.and_then(|entry| entry.eval) {
            _ if in_check => None,
            Some(known) => Some(known),
            None => Some(self.evaluate(position)),
        };
        let expects = eval.map(|eval| self.correct(position, eval).score());
        if let Some(mut stand) = expects {
            // Stand pat: the side to move need not take anything.
            if let Some(entry) = entry
                && entry.score.is_heuristic()
                && entry.decides(stand.next_down(), stand.next_up())
            {
                stand = entry.score;
            }
            if node.raise(stand, Move::NONE) {
                if entry.is_none() {
                    self.remember(position, ply, &node, 0, eval, PV);
                }
                return stand;
            }
        }

        let table_move = entry.map_or(Move::NONE, |entry| entry.m);
        let mut picker =
            if in_check { Picker::new(position, table_move, Move::NONE) } else { Picker::noisy(position, table_move) };
        let context =
            if in_check { Context::new(position, self.before(ply), self.shared.params) } else { Context::NOISY };
        let mut number = 0;
        while let Some(m) = picker.next(position, &self.memory.histories, &context) {
            if !position.is_legal(m) {
                continue;
            }
            self.shared.table.prefetch(position.likely_key_after(m));
            number += 1;
            if let Some(expects) = expects {
                // Delta pruning: not even the captured man brings the score up to alpha.
                let hope = self.hoped_gain(position, m);
                let most = expects.plus_wilo(hope);
                if most <= node.alpha {
                    node.best = node.best.max(most);
                    continue;
                }
            } else if number > 1 && !node.best.is_loss() && !position.is_noisy(m) {
                // One quiet way out of check is enough where something holds.
                picker.skip_quiets();
                continue;
            }

            let child = position.play(m);
            self.enter(position, m, ply);
            let score = -self.quiescence::<PV>(&child, -beta, -node.alpha, ply + 1);
            self.leave();
            if self.is_stopped() {
                return Score::DRAW;
            }
            if PV && score > node.alpha {
                self.extend_pv(m, ply);
            }
            if node.raise(score, m) {
                break;
            }
        }
        if in_check && number == 0 {
            return Score::mated_in(ply);
        }
        self.remember(position, ply, &node, 0, eval, PV);
        node.best
    }

    /// What a capture or promotion can bring, centipawns of wilo.
    fn hoped_gain(&self, position: &Position, m: Move) -> i32 {
        let value = |role: Role| self.shared.piece_wilo[role as usize];
        let promotion = m.promotion().map_or(0, |role| value(role) - value(Role::Pawn));
        self.shared.params.delta_wilo + position.captured(m).map_or(0, value) + promotion
    }
}
