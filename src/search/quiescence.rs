//! Quiescence search: captures until the position is quiet enough to be evaluated.

use super::histories::OrderingContext;
use super::node::Node;
use super::picker::Picker;
use super::tt::CLOCK_NEARS_DRAW;
use super::worker::Worker;
use crate::position::{Move, Position};
use crate::wdl::score::{MAX_PLY, Score};
use shakmaty::Role;

impl Worker<'_> {
    /// Searches captures and queen promotions; in check, all evasions.
    pub fn quiescence<const PV: bool>(&mut self, position: &Position, alpha: Score, beta: Score, ply: usize) -> Score {
        debug_assert!(-Score::INFINITE <= alpha && alpha < beta && beta <= Score::INFINITE && ply < MAX_PLY);
        if PV {
            self.entry(ply).pv.clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        if let Some(score) = self.leaf_score(position, ply) {
            return score;
        }
        let in_check = position.is_check();
        let entry = self.shared.tt.probe(position.table_key(), ply);
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
        let corrected = eval.map(|eval| self.corrected_eval(position, eval)).map(|eval| (eval, eval.score()));
        if let Some((_, mut stand_pat)) = corrected {
            // Stand pat: the side to move need not capture.
            if let Some(entry) = entry
                && entry.score.is_heuristic()
                && entry.decides(stand_pat.next_down(), stand_pat.next_up())
            {
                stand_pat = entry.score;
            }
            if node.raise(stand_pat, Move::NONE) {
                if entry.is_none() {
                    self.store_tt(position, ply, &node, 0, eval, PV);
                }
                return stand_pat;
            }
        }

        let tt_move = entry.map_or(Move::NONE, |entry| entry.m);
        let mut picker =
            if in_check { Picker::new(position, tt_move, Move::NONE) } else { Picker::noisy(position, tt_move) };
        let context = if in_check {
            OrderingContext::new(position, self.earlier_moves(ply), self.shared.params)
        } else {
            OrderingContext::NOISY
        };
        let mut move_count = 0;
        while let Some(m) = picker.next(position, &self.data.histories, &context) {
            if !position.is_legal(m) {
                continue;
            }
            self.shared.tt.prefetch(position.likely_key_after(m));
            move_count += 1;
            if let Some((eval, static_score)) = corrected {
                // Delta pruning: not even the captured piece brings the score up to alpha.
                let max_score = self.shared.margins.add(self.delta_margin(position, m), eval, static_score, position);
                if max_score <= node.alpha {
                    node.best = node.best.max(max_score);
                    continue;
                }
            } else if move_count > 1 && !node.best.is_loss() && !position.is_noisy(m) {
                // Once an evasion holds, later quiet evasions are left out.
                picker.skip_quiets();
                continue;
            }

            let child = position.play(m);
            self.push_move(position, m, ply);
            let score = -self.quiescence::<PV>(&child, -beta, -node.alpha, ply + 1);
            self.pop_move();
            if self.is_stopped() {
                return Score::DRAW;
            }
            if PV && score > node.alpha {
                self.update_pv(m, ply);
            }
            if node.raise(score, m) {
                break;
            }
        }
        if in_check && move_count == 0 {
            return Score::mated_in(ply);
        }
        self.store_tt(position, ply, &node, 0, eval, PV);
        node.best
    }

    /// Most that a capture or promotion can gain, centipawns of wilo.
    fn delta_margin(&self, position: &Position, m: Move) -> i32 {
        let value = |role: Role| self.shared.piece_wilo[role as usize];
        let promotion = m.promotion().map_or(0, |role| value(role) - value(Role::Pawn));
        self.shared.params.delta_wilo + position.captured(m).map_or(0, value) + promotion
    }
}
