//! The moves that decided a game, in words.

use super::assess_position::Assessment;
use super::causes::Standing;
use super::isolated::isolated;
use super::schema::{Moment, MomentsKind, MoveReport, PlayerReport};
use super::sides::{mover, white_wdl};
use crate::wdl::model::Wdl;
use shakmaty::{ByColor, Color, KnownOutcome};
use std::borrow::Cow;
use std::fmt::Write as _;

/// Most of them.
const MOMENTS: usize = 3;

/// The moves that brought the result for good, in the order of the game, and else those that lost most, as where time decided
/// against the position; only those that were judged to be bad.
#[must_use]
pub fn moments(
    first: Color,
    moves: &str,
    result: Option<KnownOutcome>,
    players: &ByColor<PlayerReport>,
    positions: &[Assessment],
    analysis: &[MoveReport],
) -> (MomentsKind, Vec<Moment>) {
    let expected: Vec<f64> = positions.iter().map(|position| position.expected).collect();
    let is_judged: Vec<bool> = analysis.iter().map(|played| played.judgment.is_some()).collect();
    let brought = result
        .filter(|&result| fits(result, &expected))
        .map_or_else(Vec::new, |result| brought(result, &expected, &is_judged));
    // In a lost position nothing is decided any more.
    let was_lost = |ply: usize| {
        let own = mover(first, ply).fold_wb(expected[ply], 1.0 - expected[ply]);
        Standing::of(own) == Standing::Lost
    };
    // Of a loss of expected points so much counts that never came back.
    let judged = |(ply, &brought): (usize, &f64)| (is_judged[ply] && !was_lost(ply)).then_some((ply, brought));
    let decisive = |&(_, brought): &(usize, f64)| brought >= LEAST;
    let mut told: Vec<(usize, f64)> = brought.iter().enumerate().filter_map(judged).filter(decisive).collect();
    let mut kind = MomentsKind::Decisive;
    if told.is_empty() {
        kind = MomentsKind::Worst;
        let lost = |ply: usize| analysis[ply].judgment.is_some().then_some((ply, analysis[ply].lost.total));
        told = (0..analysis.len()).filter_map(lost).collect();
    }
    told.sort_by(|a, b| b.1.total_cmp(&a.1));
    told.truncate(MOMENTS);
    told.sort_by_key(|&(ply, _)| ply);
    let sans: Vec<&str> = moves.split(' ').collect();
    let moment = |(ply, _): (usize, f64)| {
        let color = mover(first, ply);
        let text = text(color, sans[ply], &players[color].name, &positions[ply..=ply + 1], &analysis[ply]);
        Moment { ply: ply + 1, text }
    };
    (kind, told.into_iter().map(moment).collect())
}

/// Least part of the result that a move of a moment brought for good.
const LEAST: f64 = 0.05;

/// How near an expectation of White's is to a result: from 0 to 1, or of a draw to 0.5.
fn near(result: KnownOutcome, expected: f64) -> f64 {
    match result.winner() {
        Some(Color::White) => expected,
        Some(Color::Black) => 1.0 - expected,
        None => 0.5 - (expected - 0.5).abs(),
    }
}

/// Whether the last position is not far from the result: as near as half of what is possible.
fn fits(result: KnownOutcome, expected: &[f64]) -> bool {
    let most = if result.winner().is_some() { 1.0 } else { 0.5 };
    expected.last().is_some_and(|&last| near(result, last) >= most / 2.0)
}

/// How much nearer each move brought the final result for good, in points: from the position before it to the farthest position
/// that comes after it. `expected` are White's points. A position that alone is farther, between moves that were not judged, is
/// a search's error.
fn brought(result: KnownOutcome, expected: &[f64], is_judged: &[bool]) -> Vec<f64> {
    let mut near: Vec<f64> = expected.iter().map(|&expected| near(result, expected)).collect();
    for (ply, _) in is_judged.windows(2).enumerate().filter(|(_, pair)| !pair.contains(&true)) {
        near[ply + 1] = near[ply + 1].max(near[ply].min(near[ply + 2]));
    }
    let mut farthest = f64::INFINITY;
    let mut brought = Vec::new();
    for pair in near.windows(2).rev() {
        farthest = farthest.min(pair[1]);
        brought.push((farthest - pair[0]).max(0.0));
    }
    brought.reverse();
    brought
}

/// What a move did. `positions` are those before and after it.
fn text(color: Color, san: &str, name: &str, positions: &[Assessment], played: &MoveReport) -> String {
    let number = positions[0].move_number;
    let who =
        if name.is_empty() || name == "?" { Cow::Borrowed(color.fold_wb("White", "Black")) } else { isolated(name) };
    let dots = color.fold_wb(".", "...");
    let mut text = format!("{number}{dots} {san}");
    if let Some(judgment) = &played.judgment {
        let _ = write!(text, "{} {who} {}.", judgment.name.sign(), judgment.what);
    }
    let chances = |position: &Assessment| {
        // In the view of the player.
        let white = white_wdl(position.by_equals[color], position.turn);
        color.fold_wb(white, white_wdl(white, Color::Black))
    };
    let _ =
        write!(text, " {:.2} points: {}.", played.lost.total, change(chances(&positions[0]), chances(&positions[1])));
    if let Some(best) = played.variation.as_deref().and_then(|line| line.split(' ').next()) {
        let _ = write!(text, " {number}{dots} {best} was best.");
    }
    text
}

/// How the chances changed, in per cent.
fn change(before: Wdl, after: Wdl) -> String {
    let (before, after) = (before.per_cent(), after.per_cent());
    let part = |index: usize, name: &str| format!("{name} {} % → {} %", before[index], after[index]);
    [part(0, "win"), part(1, "draw"), part(2, "loss")].join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_back_brought_nothing() {
        let brought = |winner: Option<Color>, expected: &[f64]| {
            let result = winner.map_or(KnownOutcome::Draw, |winner| KnownOutcome::Decisive { winner });
            let is_judged = vec![true; expected.len() - 1];
            brought(result, expected, &is_judged).into_iter().map(|of| (100.0 * of).round() as i32).collect::<Vec<_>>()
        };
        // Black errs, White gives it back, Black errs again.
        assert_eq!(brought(Some(Color::White), &[0.5, 0.9, 0.4, 0.95, 0.9]), [0, 0, 50, 0]);
        // The winner's error counts for nothing, even if it was the largest.
        assert_eq!(brought(Some(Color::Black), &[0.5, 0.6, 0.9, 0.3, 0.1]), [0, 0, 60, 20]);
        assert_eq!(brought(None, &[0.5, 0.9, 0.5, 0.2, 0.45]), [0, 10, 0, 25]);
        assert_eq!(brought(Some(Color::White), &[0.5, 0.4]), [0]);
    }

    #[test]
    fn a_dip_that_no_judged_move_made_counts_for_nothing() {
        let white = KnownOutcome::Decisive { winner: Color::White };
        let expected = [0.5, 0.9, 0.9, 0.5, 0.9];
        let first = |is_judged: [bool; 4]| brought(white, &expected, &is_judged)[0];
        assert!(first([true, false, false, false]) > 0.39);
        assert!(first([true, false, true, false]) < 0.01);
    }

    #[test]
    fn a_result_far_from_the_last_position_was_not_brought() {
        let white = KnownOutcome::Decisive { winner: Color::White };
        let black = KnownOutcome::Decisive { winner: Color::Black };
        for (result, last, expected) in [
            (white, 0.51, true),
            (white, 0.49, false),
            (black, 0.49, true),
            (black, 0.51, false),
            (KnownOutcome::Draw, 0.3, true),
            (KnownOutcome::Draw, 0.7, true),
            (KnownOutcome::Draw, 0.2, false),
            (KnownOutcome::Draw, 0.8, false),
        ] {
            assert_eq!(fits(result, &[0.5, last]), expected, "{result:?} {last}");
        }
    }
}
