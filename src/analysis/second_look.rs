//! Which positions of a game are searched again, with more nodes, until verdicts stand.
//!
//! What a move lost is the difference of two searches, each with an error. It stands once it is farther from what would make
//! it another mark than the searches err. Large swings with best play are errors of one of the two as well.

use super::measures::Thresholds;
use super::sides::mover;
use crate::position::Move;
use shakmaty::{ByColor, Color};

/// The looks at a position: each has so many times the nodes of the first.
pub const LOOKS: [u64; 3] = [1, 3, 10];
/// Plies that a look is deeper than the first where depth limits it.
pub const DEEPER: [usize; LOOKS.len()] = [0, 2, 4];

/// How far the difference of two searches is from the truth, expected points, after each look.
const ERROR: [f64; LOOKS.len()] = [0.08, 0.04, 0.0];
/// Nodes of all further looks in those of all first looks: a game takes at most twice the time of its first looks.
const BUDGET: f64 = 1.0;

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// White's expected points for equals at the rating of each player.
    pub expected: ByColor<f64>,
    /// Looks so far; all of them if the game is over.
    pub looks: usize,
    /// The best move.
    pub best: Option<Move>,
}

/// The ply of the position that needs another look most; `None` if all verdicts stand or the budget is spent. Depends on what
/// was seen alone, so that it can be asked at any time.
#[must_use]
pub fn next(first: Color, moves: &[Move], seen: &[Seen], thresholds: &Thresholds) -> Option<usize> {
    let spent: u64 = seen.iter().map(|seen| LOOKS[1..].iter().take(seen.looks.max(1) - 1).sum::<u64>()).sum();
    let left = BUDGET * seen.len() as f64 - spent as f64;
    let doubtful = |index: usize| {
        let (before, after) = (&seen[index], &seen[index + 1]);
        let looks = before.looks.min(after.looks);
        let error = *ERROR.get(looks.max(1) - 1)?;
        let color = mover(first, index);
        let lost = color.fold_wb(1.0, -1.0) * (before.expected[color] - after.expected[color]);
        let is_doubtful = if before.best == Some(moves[index]) {
            lost.abs() >= thresholds.mistake
        } else {
            let near = |threshold: f64| (lost - threshold).abs() < error;
            near(thresholds.mistake) || near(thresholds.blunder) || looks < 2 && lost.abs() >= thresholds.inaccuracy
        };
        // The later of both first: what it finds is known to the other.
        let ply = if after.looks <= before.looks { index + 1 } else { index };
        let is_payable = LOOKS.get(looks).is_some_and(|&cost| cost as f64 <= left);
        (is_doubtful && is_payable).then_some((looks, lost.abs(), ply))
    };
    let all = (0..moves.len()).filter_map(doubtful);
    let neediest = all.min_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    neediest.map(|(_, _, ply)| ply)
}
