//! Quiescence search: captures until the position is quiet enough to be evaluated.

use super::histories::OrderingContext;
use super::node::Node;
use super::picker::Picker;
use super::tt::CLOCK_NEARS_DRAW;
use super::worker::Worker;
use crate::position::{Move, Position};
use crate::wdl::score::{MAX_PLY, Score};

/// Depth of the table's entries that nothing was searched for.
const STAND_PAT_DEPTH: i32 = -6;

impl Worker<'_> {
    /// Searches captures and queen promotions, and at depth 0 quiet checks; in check, evasions.
    pub fn quiescence<const PV: bool>(
        &mut self,
        position: &Position,
        alpha: Score,
        beta: Score,
        ply: usize,
        depth: i32,
    ) -> Score {
        debug_assert!(-Score::INFINITE <= alpha && alpha < beta && beta <= Score::INFINITE && ply < MAX_PLY);
        if PV {
            self.entry(ply).pv.clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        if let Some(score) = self.leaf_score(position, ply) {
            return score;
        }
        let in_check = position.is_check();
        let entry_depth = if in_check || depth >= 0 { 0 } else { -1 };
        let entry = self.shared.tt.probe(position.table_key(), ply);
        if !PV
            && let Some(entry) = entry
            && entry.depth >= entry_depth
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
        let was_pv = entry.is_some_and(|entry| entry.pv);
        let mut stand_pat = -Score::INFINITE;
        if let Some(eval) = eval {
            // Stand pat: the side to move need not capture.
            stand_pat = self.corrected_eval(position, eval).score();
            if !PV
                && let Some(entry) = entry
                && entry.score.is_heuristic()
                && entry.decides(stand_pat.next_down(), stand_pat.next_up())
            {
                stand_pat = entry.score;
            }
            if node.raise(stand_pat, Move::NONE) {
                if entry.is_none() {
                    self.store_tt(position, ply, &node, STAND_PAT_DEPTH, Some(eval), false);
                }
                return stand_pat;
            }
        }
        // What the position is worth with a little luck, and with the captured piece: the delta margin.
        let params = self.shared.params();
        let hopeful = stand_pat.plus_score_cp(params.delta_score_cp);

        let tt_move = entry.map_or(Move::NONE, |entry| entry.m);
        let mut picker = if in_check {
            Picker::new(position, tt_move, [Move::NONE; 3])
        } else if depth >= 0 {
            Picker::noisy_then_checks(position, tt_move)
        } else {
            Picker::noisy(position, tt_move)
        };
        let context = OrderingContext::new(position, self.earlier_moves(ply));
        let last = self.previous_entry(ply).played;
        let mut move_count = 0;
        let mut quiet_evasions = 0;
        while let Some(m) = picker.next(&self.data.histories, &context) {
            if !position.is_legal(m) {
                continue;
            }
            self.shared.tt.prefetch(position.likely_key_after(m));
            move_count += 1;
            let quiet = !position.is_noisy(m);
            if !node.best.is_loss() {
                if !in_check
                    && !quiet
                    && m.promotion().is_none()
                    && (last.is_none() || m.to() != last.to())
                    && !context.checks().contains(position, m)
                {
                    if move_count > params.quiescence_captures {
                        continue;
                    }
                    // Delta pruning: not even the captured piece brings the score up to alpha, or it is lost again.
                    let most = hopeful.plus_score_cp(self.shared.piece_cp(position.captured(m)));
                    let most =
                        if most > node.alpha && hopeful <= node.alpha && !position.see(m, 1) { hopeful } else { most };
                    if most <= node.alpha {
                        node.best = node.best.max(most);
                        continue;
                    }
                }
                if picker.known_see_cp() < 0 && !position.see(m, 0) {
                    continue;
                }
                if quiet {
                    let [last, before, _] = self.data.histories.quiets(&context).continuations(m);
                    if last < 0 && before < 0 {
                        continue;
                    }
                }
                if quiet_evasions >= params.quiescence_evasions {
                    break;
                }
            }
            quiet_evasions += i32::from(quiet && in_check);

            let child = position.play(m);
            self.data.corrections.prefetch(&child);
            self.push_move(position, m, ply);
            let score = -self.quiescence::<PV>(&child, -beta, -node.alpha, ply + 1, depth - 1);
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
        self.store_tt(position, ply, &node, entry_depth, eval, was_pv);
        node.best
    }
}
