//! Quiescence for the tuner: whether captures change the evaluation of a position, and where they lead.

use halfpoint::eval::{Contempt, Evaluator, Weights};
use halfpoint::position::{Move, MoveList, Position};
use halfpoint::wdl::score::Score;

/// Searches captures and promotions, in check all evasions, with the evaluation alone.
pub struct Quiescence<'a> {
    evaluator: Evaluator,
    weights: &'a Weights,
}

/// Deepest position that is looked at, in plies: lines of checks and captures end by themselves, but may be long.
const DEPTH: usize = 40;

impl<'a> Quiescence<'a> {
    /// Evaluates with these weights.
    pub fn new(weights: &'a Weights) -> Quiescence<'a> {
        Quiescence { evaluator: Evaluator::default(), weights }
    }

    /// The position whose evaluation is that of the best line of captures; `None` if it is `position` itself.
    pub fn leaf(&mut self, position: &Position) -> Option<Position> {
        self.search(position, -Score::INFINITE, Score::INFINITE, 0).1
    }

    /// Score for the side to move and the leaf it comes from, if that is another position.
    fn search(&mut self, position: &Position, alpha: Score, beta: Score, ply: usize) -> (Score, Option<Position>) {
        let (mut alpha, mut best, mut leaf) = (alpha, Score::mated_in(ply), None);
        let in_check = position.is_check();
        if !in_check || ply >= DEPTH {
            best = self.evaluator.evaluate(position, self.weights, Contempt::NONE, ply).score();
            if best >= beta || ply >= DEPTH {
                return (best, None);
            }
            alpha = alpha.max(best);
        }
        let mut moves = MoveList::new();
        position.generate_noisy(&mut moves);
        if in_check {
            position.generate_quiet(&mut moves);
        } else {
            moves.retain(|m| position.see(*m, 0));
        }
        moves.sort_by_key(|&m| victim_order(position, m));
        for m in moves {
            if !position.is_legal(m) {
                continue;
            }
            let child = position.play(m);
            let (score, deeper) = self.search(&child, -beta, -alpha, ply + 1);
            let score = -score;
            if score > best || (in_check && leaf.is_none()) {
                (best, leaf) = (score, Some(deeper.unwrap_or(child)));
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        (best, leaf)
    }
}

/// Most valuable victims first, taken by the least valuable pieces.
fn victim_order(position: &Position, m: Move) -> i32 {
    let victim = position.captured(m).map_or(0, |role| role as i32) + m.promotion().map_or(0, |role| role as i32);
    position.moving(m) as i32 - 10 * victim
}
