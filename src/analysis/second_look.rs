//! Which positions of a game are searched again, with more nodes, until verdicts stand.
//!
//! What a move lost is the difference of two searches, each with an error. So both positions are searched again where a move
//! may get a mark, the largest losses first; and large swings with best play, which are errors of one of the two. Where the
//! loss is then near a threshold, both are searched once more, the nearest first. At last the positions before the worst moves
//! are searched for several lines, which tell how many moves kept the result.

use super::measures::Thresholds;
use super::sides::mover;
use crate::position::Move;
use shakmaty::{ByColor, Color};

/// The looks at a position: each has so many times the nodes of the first.
pub const LOOKS: [u64; 3] = [1, 3, 10];
/// Plies that a look is deeper than the first where depth limits it.
pub const DEEPER: [usize; LOOKS.len()] = [0, 2, 4];

/// Lines of the look that tells how many moves kept the result.
pub const WIDE_LINES: usize = 4;
/// Nodes of that look, in those of a first look.
pub const WIDE_LOOK: u64 = 3;
/// Nodes of all these looks in those of all first looks.
const WIDE_BUDGET: f64 = 0.2;

/// Nodes of all further looks in those of all first looks. With it a game takes less than twice the time of its first looks.
const BUDGET: f64 = 0.6;
/// What the rounding of its three parts can add to a loss of the report.
const ROUNDING: f64 = 2e-4;
/// The losses that need a third look: from this part of the threshold of a mistake to this multiple of that of a blunder.
const NEAR: [f64; 2] = [0.7, 1.75];

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// White's expected points for equals at the rating of each player.
    pub expected: ByColor<f64>,
    /// Looks so far; all of them if the game is over.
    pub looks: usize,
    /// The best move.
    pub best: Option<Move>,
    /// Whether [`WIDE_LINES`] lines were searched, or as many as there are moves; also if the game is over.
    pub is_wide: bool,
    /// Whether it is known what people do there; also if the game is over.
    pub has_people: bool,
}

/// The ply of a position at which it is to be known what people do: before each bad move of a player with a rating, or with
/// `all` before each.
#[must_use]
pub fn next_people(
    first: Color,
    moves: &[Move],
    seen: &[Seen],
    thresholds: &Thresholds,
    is_rated: impl Fn(Color) -> bool,
    all: bool,
) -> Option<usize> {
    let is_bad = |index: usize| {
        let lost = lost(first, seen, index);
        seen[index].best != Some(moves[index]) && lost >= thresholds.inaccuracy - ROUNDING
    };
    (0..moves.len()).find(|&index| !seen[index].has_people && is_rated(mover(first, index)) && (all || is_bad(index)))
}

/// What a move lost, by its index, for equals at the rating of who played it.
fn lost(first: Color, seen: &[Seen], index: usize) -> f64 {
    let color = mover(first, index);
    color.fold_wb(1.0, -1.0) * (seen[index].expected[color] - seen[index + 1].expected[color])
}

/// The ply of the position before a bad move that is to be searched for several lines, the worst first. `None` if the budget
/// is spent or no such position is left.
#[must_use]
pub fn next_wide(first: Color, moves: &[Move], seen: &[Seen], thresholds: &Thresholds) -> Option<usize> {
    let lost = |index: usize| lost(first, seen, index);
    let is_bad = |&index: &usize| seen[index].best != Some(moves[index]) && lost(index) >= thresholds.mistake;
    let mut bad: Vec<usize> = (0..moves.len()).filter(is_bad).collect();
    bad.sort_by(|&a, &b| lost(b).total_cmp(&lost(a)));
    bad.truncate((WIDE_BUDGET * seen.len() as f64 / WIDE_LOOK as f64).ceil() as usize);
    bad.into_iter().find(|&ply| !seen[ply].is_wide)
}

/// The ply of the position that needs another look most; `None` if all verdicts stand or the budget is spent. Depends on what
/// was seen alone, so that it can be asked at any time.
#[must_use]
pub fn next(first: Color, moves: &[Move], seen: &[Seen], thresholds: &Thresholds) -> Option<usize> {
    let cost = |looks: usize| LOOKS[1..looks.clamp(1, LOOKS.len())].iter().sum::<u64>();
    // A game that is over at its end costs nothing.
    let spent: u64 = seen.iter().filter(|seen| seen.best.is_some()).map(|seen| cost(seen.looks)).sum();
    let left = BUDGET * seen.len() as f64 - spent as f64;
    let doubtful = |index: usize| {
        let (before, after) = (&seen[index], &seen[index + 1]);
        let looks = before.looks.min(after.looks).max(1);
        let lost = lost(first, seen, index);
        let is_first = looks < 2;
        let is_doubtful = match before.best == Some(moves[index]) {
            true => lost.abs() >= thresholds.mistake,
            false if is_first => lost.abs() >= thresholds.inaccuracy,
            false => (NEAR[0] * thresholds.mistake..NEAR[1] * thresholds.blunder).contains(&lost),
        };
        let near = (lost - thresholds.mistake).abs().min((lost - thresholds.blunder).abs());
        let order = if is_first { -lost.abs() } else { near };
        // The later of both first: what it finds is known to the other.
        let ply = if after.looks <= before.looks { index + 1 } else { index };
        let is_payable = LOOKS.get(looks).is_some_and(|&cost| cost as f64 <= left);
        (is_doubtful && is_payable).then_some((looks, order, ply))
    };
    let all = (0..moves.len()).filter_map(doubtful);
    all.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))).map(|(_, _, ply)| ply)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    /// The ply of the next look in a game of the moves e4 e5 Nf3 Nc6 …, by White's expected points and the looks.
    fn next_of(expected: &[f64], looks: &[usize]) -> Option<usize> {
        let texts = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7"];
        let mut position = Position::default();
        let play = |text: &&str| {
            let m = position.parse_move(text).unwrap();
            position = position.play(m);
            m
        };
        let moves: Vec<Move> = texts.iter().take(expected.len() - 1).map(play).collect();
        let best = Position::default().parse_move("h2h3").ok();
        let seen = expected.iter().zip(looks).map(|(&expected, &looks)| Seen {
            expected: ByColor { white: expected, black: expected },
            looks,
            best,
            is_wide: false,
            has_people: false,
        });
        next(Color::White, &moves, &seen.collect::<Vec<_>>(), &Thresholds::default())
    }

    #[test]
    fn largest_losses_are_looked_at_first_and_the_nearest_to_a_mark_last() {
        let expected = [0.5, 0.5, 0.57, 0.5, 0.5, 0.5, 0.8, 0.8, 0.8, 0.8, 0.8];
        let next_with = |again: &[(usize, usize)]| {
            let mut looks = [1; 11];
            again.iter().for_each(|&(ply, count)| looks[ply] = count);
            next_of(&expected, &looks)
        };
        // Black lost 0.3 by his third move, 0.07 by his first.
        assert_eq!(next_with(&[]), Some(6));
        assert_eq!(next_with(&[(6, 2)]), Some(5));
        // Two looks of three times the nodes are all that ten positions can pay.
        assert_eq!(next_with(&[(6, 2), (5, 2)]), None);
        assert_eq!(next_of(&[0.5; 11], &[1; 11]), None);
    }

    #[test]
    fn the_worst_moves_are_looked_at_for_other_moves() {
        let moves = [Move::normal(shakmaty::Square::E2, shakmaty::Square::E4); 4];
        let expected = [0.5, 0.5, 0.7, 0.4, 0.55];
        let mut seen = expected.map(|expected| Seen {
            expected: ByColor { white: expected, black: expected },
            looks: 1,
            best: None,
            is_wide: false,
            has_people: false,
        });
        let next = |seen: &[Seen]| next_wide(Color::White, &moves, seen, &Thresholds::default());
        // One look is what five positions pay: that before White's loss of 0.3.
        assert_eq!(next(&seen), Some(2));
        seen[2].is_wide = true;
        assert_eq!(next(&seen), None);
    }
}
