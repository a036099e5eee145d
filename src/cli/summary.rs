//! What came of the analysis, on standard output.

use halfpoint::analysis::{GameReport, PlayerReport};
use halfpoint::output::{line, one_line};
use std::path::Path;

/// Longest name, characters.
const NAME: usize = 24;

/// Prints a line for each game with moves, and where the reports are.
pub fn print<'a>(reports: &[GameReport], outputs: impl Iterator<Item = &'a Path>) {
    let games: Vec<&GameReport> = reports.iter().filter(|report| !report.analysis.is_empty()).collect();
    if !games.is_empty() {
        line(format_args!(
            "{:>5}  {:51}  {:7}  {:>13}  {:>13}",
            "game", "players", "result", "points lost", "accuracy"
        ));
    }
    for report in games {
        let (white, black) = (&report.players.white, &report.players.black);
        let lost = |player: &PlayerReport| format!("{:.2}", player.analysis.lost.total);
        let accuracy = |player: &PlayerReport| player.analysis.accuracy.map_or("-".to_owned(), |of| format!("{of:.1}"));
        line(format_args!(
            "{:5}  {:24} - {:24}  {:7}  {:>5} - {:>5}  {:>5} - {:>5}",
            report.number,
            name(white),
            name(black),
            report.result,
            lost(white),
            lost(black),
            accuracy(white),
            accuracy(black)
        ));
    }
    outputs.for_each(|path| line(format_args!("written: {}", path.display())));
}

fn name(player: &PlayerReport) -> String {
    let name = if player.name.is_empty() { "?" } else { &player.name };
    one_line(&name.chars().take(NAME).collect::<String>())
}
