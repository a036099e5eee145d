//! Perft split by root move.

use crate::output::{info_string, line};
use crate::position::Position;

/// Deepest perft, in plies.
pub const MAX_DEPTH: u32 = 30;
/// Subtrees of at most this depth, in plies, are counted without asking `is_cancelled`.
const UNINTERRUPTED: u32 = 3;

/// Prints the number of move sequences of `depth` plies for each first move, and their sum; once `is_cancelled`, that
/// it was stopped instead of the sum.
pub fn divide(position: &Position, depth: u32, chess960: bool, is_cancelled: &dyn Fn() -> bool) {
    let mut total = 0;
    if depth == 0 {
        total = 1;
    } else {
        for m in position.legal_moves() {
            let Some(count) = count(&position.play(m), depth - 1, is_cancelled) else {
                return info_string("perft was stopped before its end");
            };
            line(format_args!("{}: {count}", position.format_move(m, chess960)));
            total += count;
        }
    }
    line(format_args!("\nNodes searched: {total}"));
}

fn count(position: &Position, depth: u32, is_cancelled: &dyn Fn() -> bool) -> Option<u64> {
    if is_cancelled() {
        return None;
    }
    if depth <= UNINTERRUPTED {
        return Some(position.perft(depth));
    }
    position.legal_moves().into_iter().map(|m| count(&position.play(m), depth - 1, is_cancelled)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_perft() {
        assert_eq!(count(&Position::default(), 4, &|| false), Some(197_281));
        assert_eq!(count(&Position::default(), 4, &|| true), None);
    }
}
