//! Quiescence search (QS): captures until the position is quiet enough to be evaluated.

use super::histories::OrderingContext;
use super::node::Node;
use super::picker::Picker;
use super::statistics::{Counted, count};
use super::tt_entry::{QUIESCENCE_DEPTH, STAND_PAT_DEPTH};
use super::worker::Worker;
use crate::position::{Move, Position};
use crate::wdl::score::{MAX_PLY, Score};

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
        if PV {
            self.path.begin_pv(ply);
        }
        if self.count_node() {
            return Score::DRAW;
        }
        self.quiescence_of_counted::<PV>(position, alpha, beta, ply, depth)
    }

    /// The same for a node that has been counted.
    pub fn quiescence_of_counted<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        depth: i32,
    ) -> Score {
        debug_assert!(-Score::INFINITE <= alpha && alpha < beta && beta <= Score::INFINITE && ply < MAX_PLY);
        count(Counted::Quiescence, depth);
        if let Some(score) = self.leaf_score(position, ply) {
            return score;
        }
        if self.path.has_draw_at_hand(position, alpha, ply) {
            alpha = Score::DRAW;
            if alpha >= beta {
                return alpha;
            }
        }

        // TT cutoff. Deeper nodes of quiescence try no quiet checks, and so are worth less.
        let in_check = position.is_check();
        let entry_depth = if in_check || depth >= 0 { 0 } else { QUIESCENCE_DEPTH };
        let tt_entry = self.shared.probe_tt(position, ply);
        if !PV
            && let Some(entry) = tt_entry
            && entry.depth >= entry_depth
            && entry.decides(alpha, beta)
        {
            return entry.score;
        }

        let mut node = Node::new(alpha, beta);
        let tt_move = tt_entry.map_or(Move::NONE, |entry| entry.m);
        // What is likely to be looked up first.
        if !tt_move.is_none() {
            self.shared.tt.prefetch(position.likely_key_after(tt_move));
        }
        let eval = self.data.static_eval(position, tt_entry, self.shared, ply);
        let mut stand_pat = -Score::INFINITE;
        if let Some(eval) = eval {
            // Stand pat: the side to move need not capture, so the evaluation is a lower bound.
            stand_pat = self.data.corrections.correct(position, eval, self.shared.params()).score();
            if !PV
                && let Some(entry) = tt_entry
                && entry.score.is_heuristic()
                && entry.refines(stand_pat)
            {
                stand_pat = entry.score;
            }
            if node.raise(stand_pat, Move::NONE) {
                if tt_entry.is_none() {
                    let entry = node.tt_entry(STAND_PAT_DEPTH, Some(eval), false);
                    self.shared.tt.store(position.tt_key(), ply, entry);
                }
                return stand_pat;
            }
        }

        let mut picker = if in_check {
            Picker::new(position, tt_move, [Move::NONE; 3])
        } else if depth >= 0 {
            Picker::noisy_then_checks(position, tt_move)
        } else {
            Picker::noisy(position, tt_move)
        };
        let params = self.shared.params();
        // What the position is worth with a little luck, to which delta pruning adds the captured piece.
        let hopeful = stand_pat.plus_score_cp(params.delta_score_cp);
        let context = OrderingContext::new(position, self.path.earlier_moves(ply));
        let last = self.path.parent(ply).played;
        let mut move_count = 0;
        let mut quiet_evasions = 0;
        while let Some(m) = picker.next(&self.data.histories, &context) {
            if !position.is_legal(m) {
                continue;
            }
            self.shared.tt.prefetch(position.likely_key_after(m));
            move_count += 1;
            let quiet = !position.is_noisy(m);
            // Moves are pruned once one is known that does not lose by force.
            if !node.best.is_loss() {
                let recaptures = !last.is_none() && m.to() == last.to();
                if !in_check
                    && !quiet
                    && m.promotion().is_none()
                    && !recaptures
                    && !context.checks().contains(position, m)
                {
                    // Late captures rarely raise alpha where the first ones did not.
                    if move_count > params.quiescence_captures {
                        continue;
                    }
                    // Delta pruning: not even the captured piece brings the score up to alpha, or it is lost again.
                    let most = hopeful.plus_score_cp(self.shared.gains.of(position, m));
                    let most =
                        if most > node.alpha && hopeful <= node.alpha && !position.see(m, 1) { hopeful } else { most };
                    if most <= node.alpha {
                        node.best = node.best.max(most);
                        continue;
                    }
                }
                // SEE pruning: the move loses material by static exchange evaluation.
                if picker.known_see_cp() < 0 && !position.see(m, 0) {
                    continue;
                }
                // History pruning: the quiet move has failed after the last two.
                if quiet {
                    let [last, before, _] = self.data.histories.quiets(&context).continuations(m);
                    if last < 0 && before < 0 {
                        continue;
                    }
                }
                // Late move pruning (LMP) of evasions: the best ones come early.
                if quiet_evasions >= params.quiescence_evasions {
                    break;
                }
            }
            quiet_evasions += i32::from(quiet && in_check);

            let mut child = *position;
            child.make(m);
            self.data.corrections.prefetch(&child);
            self.path.push(position, m, ply, None);
            let score = -self.quiescence::<PV>(&child, -beta, -node.alpha, ply + 1, depth - 1);
            self.path.pop();
            if self.is_stopped() {
                return Score::DRAW;
            }
            if PV && score > node.alpha {
                self.path.update_pv(m, ply);
            }
            if node.raise(score, m) {
                break;
            }
        }
        if in_check && move_count == 0 {
            return Score::mated_in(ply);
        }
        let entry = node.tt_entry(entry_depth, eval, tt_entry.is_some_and(|entry| entry.pv));
        self.shared.tt.store(position.tt_key(), ply, entry);
        node.best
    }
}
