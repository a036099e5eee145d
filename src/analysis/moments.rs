//! The moves that decided a game, in words.

use super::assess_position::Assessment;
use super::schema::{Moment, MoveReport, PlayerReport};
use super::sides::{mover, white_wdl};
use crate::wdl::model::Wdl;
use shakmaty::{ByColor, Color};
use std::fmt::Write as _;

/// Most of them.
const MOMENTS: usize = 3;

/// The moves that lost most, in the order of the game; only those that were judged to be bad.
#[must_use]
pub fn moments(
    first: Color,
    moves: &str,
    players: &ByColor<PlayerReport>,
    positions: &[Assessment],
    analysis: &[MoveReport],
) -> Vec<Moment> {
    let sans: Vec<&str> = moves.split(' ').collect();
    let mut bad: Vec<usize> = (0..analysis.len()).filter(|&ply| analysis[ply].judgment.is_some()).collect();
    bad.sort_by(|&a, &b| analysis[b].lost.total.total_cmp(&analysis[a].lost.total));
    bad.truncate(MOMENTS);
    bad.sort_unstable();
    let moment = |ply: usize| {
        let color = mover(first, ply);
        let number = positions[ply].move_number;
        let name = &players[color].name;
        let who = if name.is_empty() { color.fold_wb("White", "Black") } else { name };
        let dots = color.fold_wb(".", "...");
        let played = &analysis[ply];
        let mut text = format!("{number}{dots} {}", sans[ply]);
        text += played.judgment.as_ref().map_or("", |judgment| judgment.name.sign());
        let [before, after] = [&positions[ply], &positions[ply + 1]].map(|position| {
            // In the view of the player.
            let white = white_wdl(position.wdl, position.turn);
            color.fold_wb(white, white_wdl(white, Color::Black))
        });
        let verb = verb(before.expected(), after.expected());
        let _ = write!(text, " {verb} and cost {who} {:.2} points: {}.", played.lost.total, change(before, after));
        if let Some(best) = played.variation.as_deref().and_then(|line| line.split(' ').next()) {
            let _ = write!(text, " {number}{dots} {best} was best.");
        }
        Moment { ply: ply + 1, text }
    };
    bad.into_iter().map(moment).collect()
}

/// What a move did, by the player's expected points before and after it.
fn verb(before: f64, after: f64) -> &'static str {
    if before >= 0.65 && after >= 0.4 {
        "gave away winning chances"
    } else if before >= 0.55 {
        "made a better position a worse one"
    } else if before >= 0.35 && after >= 0.3 {
        "gave away the balance"
    } else if before >= 0.35 {
        "lost the balance"
    } else {
        "made a bad position worse"
    }
}

/// How the chances changed, in per cent.
fn change(before: Wdl, after: Wdl) -> String {
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let part = |name: &str, before: f64, after: f64| format!("{name} {} → {}", percent(before), percent(after));
    [part("win", before.win, after.win), part("draw", before.draw, after.draw), part("loss", before.loss, after.loss)]
        .join(", ")
}
