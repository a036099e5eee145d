//! What a thread keeps from search to search.

use super::correction::Corrections;
use super::histories::Histories;
use super::history_tables::ContinuationHistory;
use super::shared::Shared;
use super::tt_entry::TtEntry;
use crate::eval::{Evaluation, Evaluator};
use crate::position::Position;

/// What a thread keeps from search to search.
#[derive(Default)]
pub struct ThreadData {
    evaluator: Evaluator,
    /// Histories of moves.
    pub histories: Histories,
    /// Correction histories of the static evaluation.
    pub corrections: Corrections,
}

impl ThreadData {
    /// Memory of a thread, in bytes: its largest table, and the others with what it uses of its stack, rounded up.
    pub const BYTES: usize = ContinuationHistory::BYTES + (3 << 20);

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.evaluator.clear();
        self.histories.clear();
        self.corrections.clear();
    }

    /// Evaluates a position that is not in check, with contempt. Draws by rule are scored elsewhere, without contempt, so
    /// the side with the advantage avoids them. `ply` is the distance from the root.
    #[inline]
    pub fn evaluate(&mut self, position: &Position, shared: &Shared, ply: usize) -> Evaluation {
        self.evaluator.evaluate(position, shared.weights, shared.contempt, ply)
    }

    /// The static evaluation of a node, from the transposition table if it is known there; `None` in check.
    #[inline(always)]
    pub fn static_eval(
        &mut self,
        position: &Position,
        tt_entry: Option<TtEntry>,
        shared: &Shared,
        ply: usize,
    ) -> Option<Evaluation> {
        match tt_entry.and_then(|entry| entry.eval) {
            _ if position.is_check() => None,
            Some(known) => Some(known),
            None => Some(self.evaluate(position, shared, ply)),
        }
    }
}
