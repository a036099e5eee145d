//! Win percentage, accuracy and mean loss in centipawns exactly as lichess computes them, for comparison.
//!
//! The formulas are those of lichess' open source code, `WinPercent` and `AccuracyPercent`. Mates count as ±1000 centipawns;
//! a mate on the board has no evaluation.

use super::sides::mover;
use shakmaty::{ByColor, Color};

/// Largest size of an evaluation, centipawns.
const CEILING: i32 = 1000;
/// The evaluation of the start position, centipawns.
pub const START: i32 = 15;

/// White's chances in per cent, by centipawns in White's view.
#[must_use]
pub fn win_percent(cp: i32) -> f64 {
    let cp = f64::from(cp.clamp(-CEILING, CEILING));
    50.0 + 50.0 * (2.0 / (1.0 + (-0.003_682_08 * cp).exp()) - 1.0)
}

/// Accuracy of a move in per cent, by the mover's chances before and after it.
#[must_use]
pub fn move_accuracy(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    let raw = 103.166_810_071_164_9 * (-0.043_544_153_867_539_51 * (before - after)).exp() - 3.166_924_740_191_411;
    (raw + 1.0).clamp(0.0, 100.0)
}

/// Accuracy of each side over a game in per cent, by the evaluations before the first and after each move in White's view,
/// centipawns. None for a side without moves.
#[must_use]
pub fn game_accuracy(first: Color, evaluations: &[i32]) -> ByColor<Option<f64>> {
    let chances: Vec<f64> = evaluations.iter().map(|&cp| win_percent(cp)).collect();
    let size = (evaluations.len().saturating_sub(1) / 10).clamp(2, 8);
    let filled = size.min(chances.len()).saturating_sub(2);
    let windows = std::iter::repeat_n(&chances[..size.min(chances.len())], filled)
        .chain(chances.windows(size.min(chances.len())));
    let weights = windows.map(|window| deviation(window).clamp(0.5, 12.0));
    let mut moves: ByColor<Vec<(f64, f64)>> = ByColor::default();
    for ((pair, weight), index) in chances.windows(2).zip(weights).zip(0..) {
        let color = mover(first, index);
        let (before, after) = color.fold_wb((pair[0], pair[1]), (pair[1], pair[0]));
        moves[color].push((move_accuracy(before, after), weight));
    }
    moves.map(|moves| {
        let total: f64 = moves.iter().map(|(_, weight)| weight).sum();
        let weighted = moves.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / total;
        let harmonic = moves.len() as f64 / moves.iter().map(|(accuracy, _)| 1.0 / accuracy.max(1.0)).sum::<f64>();
        (!moves.is_empty()).then_some(f64::midpoint(weighted, harmonic))
    })
}

/// Mean loss of each side in centipawns, by the same evaluations.
#[must_use]
pub fn mean_loss(first: Color, evaluations: &[i32]) -> ByColor<Option<f64>> {
    let all: Vec<i32> = evaluations.iter().map(|cp| (*cp).clamp(-CEILING, CEILING)).collect();
    let mut losses: ByColor<Vec<i32>> = ByColor::default();
    for (pair, index) in all.windows(2).zip(0..) {
        let color = mover(first, index);
        let gain = color.fold_wb(pair[1] - pair[0], pair[0] - pair[1]);
        losses[color].push((-gain).max(0));
    }
    losses.map(|of| (!of.is_empty()).then(|| f64::from(of.iter().sum::<i32>()) / of.len() as f64))
}

/// Standard deviation of all values.
fn deviation(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_and_accuracies_are_those_of_lichess() {
        for (cp, percent) in [(0, 50.0), (100, 59.10), (-100, 40.90), (1000, 97.54), (5000, 97.54)] {
            assert!((win_percent(cp) - percent).abs() < 0.01, "{cp}: {}", win_percent(cp));
        }
        assert_eq!(move_accuracy(40.0, 41.0), 100.0);
        assert!((move_accuracy(60.0, 50.0) - 64.58).abs() < 0.01, "{}", move_accuracy(60.0, 50.0));
        assert_eq!(move_accuracy(100.0, 0.0), 0.0);
    }

    #[test]
    fn a_game_of_even_moves_is_accurate() {
        let even = game_accuracy(Color::White, &[START; 41]);
        assert_eq!((even.white, even.black), (Some(100.0), Some(100.0)));
        let blunder: Vec<i32> = (0..=40).map(|ply| if ply < 22 { START } else { 600 }).collect();
        let found = game_accuracy(Color::White, &blunder);
        assert!(found.white == Some(100.0) && found.black.is_some_and(|black| black < 80.0), "{found:?}");
        assert_eq!(game_accuracy(Color::White, &[START]).white, None);
        assert_eq!(game_accuracy(Color::Black, &[START, 15]), ByColor { black: Some(100.0), white: None });
        assert_eq!(mean_loss(Color::White, &[START, 0, 30]), ByColor { black: Some(30.0), white: Some(15.0) });
        // One move from a won position to a level one.
        let lost = game_accuracy(Color::White, &[1000, 0]).white;
        assert!(lost.is_some_and(|accuracy| accuracy < 20.0), "{lost:?}");
    }
}
