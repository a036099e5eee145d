//! What came of the analysis, on standard output.

use halfpoint::analysis::{GameReport, PlayerReport, isolated};
use halfpoint::output::{line, one_line};
use std::path::Path;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Room for a name, columns of the terminal.
const NAME: usize = 24;

/// Prints a line for each game, and where the reports are. Positions have no lines.
pub fn print<'a>(reports: &[GameReport], are_positions: bool, outputs: impl Iterator<Item = &'a Path>) {
    if !are_positions {
        line(format_args!(
            "{:>5}  {:51}  {:7}  {:>13}  {:>13}",
            "game", "players", "result", "points lost", "accuracy"
        ));
        reports.iter().for_each(|report| line(row(report)));
    }
    outputs.for_each(|path| line(format_args!("written: {}", path.display())));
}

/// The line of a game.
fn row(report: &GameReport) -> String {
    let (white, black) = (&report.players.white, &report.players.black);
    let has_moves = !report.analysis.is_empty();
    let lost = |player: &PlayerReport| has_moves.then(|| format!("{:.2}", player.analysis.lost.total));
    let accuracy = |player: &PlayerReport| player.analysis.accuracy.map(|accuracy| format!("{accuracy:.1}"));
    let both = |of: &dyn Fn(&PlayerReport) -> Option<String>| {
        let [white, black] = [white, black].map(|player| of(player).unwrap_or_else(|| "-".to_owned()));
        format!("{white:>5} - {black:>5}")
    };
    format!(
        "{:5}  {} - {}  {:7}  {}  {}",
        report.number,
        name(white),
        name(black),
        report.result,
        both(&lost),
        both(&accuracy)
    )
}

/// A player's name in its room, whatever its letters: cut, filled up with spaces, and isolated if it goes from right to left.
fn name(player: &PlayerReport) -> String {
    let name = if player.name.is_empty() { "?".to_owned() } else { one_line(&player.name) };
    let mut width = 0;
    let shown: String = name
        .chars()
        .take_while(|c| {
            width += c.width().unwrap_or(0);
            width <= NAME
        })
        .collect();
    format!("{}{}", isolated(&shown), " ".repeat(NAME.saturating_sub(shown.width())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name_of_player: &str) -> String {
        let mut player = PlayerReport::default();
        player.name = name_of_player.to_owned();
        name(&player)
    }

    #[test]
    fn names_keep_to_their_room_and_direction() {
        let long = "Nepomniachtchi, Ian Alexandrovich";
        for (player, shown) in [
            ("", "?"),
            ("Tal, M.", "Tal, M."),
            (long, &long[..NAME]),
            ("טל", "\u{2068}טל\u{2069}"),
            // Two columns a letter.
            ("丁立人", "丁立人"),
            ("a\u{202e}b\u{202e}c\u{202e}d", "a\\u{202e}b\\u{202e}c\\u{20"),
        ] {
            let text = named(player);
            assert_eq!(text.trim_end(), shown, "{player}");
            let columns: usize = text.chars().filter_map(UnicodeWidthChar::width).sum();
            assert_eq!(columns, NAME, "{player}");
        }
    }
}
