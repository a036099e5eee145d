//! What the page tells of a game beside its searches: clock, comments and variations, and the moves that could be played.

use super::pgn::notes_of_others;
use super::schema::MoveReport;
use super::source::Source;
use crate::games::{Note, is_of_match_runner};
use crate::printing::TimeControl;
use serde::Serialize;
use shakmaty::CastlingMode;

/// The time control, in lichess' words.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ClockReport {
    /// Seconds at the start.
    pub initial: f64,
    /// Seconds that each move adds.
    pub increment: f64,
    /// Moves until more time is added; missing for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<f64>,
}

impl ClockReport {
    /// That of the tag `TimeControl`, if it is understood.
    #[must_use]
    pub fn of(source: &Source) -> Option<ClockReport> {
        let TimeControl { moves, base, increment } = source.tags.time_control()?;
        Some(ClockReport { initial: base, increment, moves })
    }
}

/// What the file says behind a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Remark {
    /// Its ply, from 1; 0 for what stands before the first move.
    pub ply: usize,
    /// The comments, without their commands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// The variations in place of the move, as they are written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<String>,
}

/// Comments and variations of a game, in the order of its moves.
#[must_use]
pub fn remarks(source: &Source) -> Vec<Remark> {
    let moves = (0..source.remarks.len()).map(|index| notes_of_others(source, index));
    let start = remark(0, &source.notes.start);
    start.into_iter().chain(moves.zip(1..).filter_map(|(notes, ply)| remark(ply, &notes))).collect()
}

/// What stands at a ply, without the evaluation of a match runner.
fn remark(ply: usize, notes: &[Note]) -> Option<Remark> {
    let mut remark = Remark { ply, comments: Vec::new(), variations: Vec::new() };
    for note in notes {
        match note {
            Note::Comment(text) => remark.comments.push(without_commands(text)),
            Note::Variation(line) => remark.variations.push(without_commands(line).replace(" {}", "")),
            Note::Nag(_) => {}
        }
    }
    if let Some(index) = remark.comments.iter().position(|comment| is_of_match_runner(comment)) {
        remark.comments.remove(index);
    }
    remark.comments.retain(|text| !text.is_empty());
    (!remark.comments.is_empty() || !remark.variations.is_empty()).then_some(remark)
}

/// The text without `[%clk 0:01:02]` and the like.
fn without_commands(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some((before, command)) = rest.split_once("[%") {
        let Some((_, behind)) = command.split_once(']') else { break };
        kept += before.trim_end();
        rest = behind.trim_start();
        if !kept.is_empty() && !kept.ends_with('{') && !rest.starts_with('}') {
            kept.push(' ');
        }
    }
    (kept + rest).trim().to_owned()
}

/// The moves that could have been played instead of a bad one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Choices {
    /// The ply of the bad move, from 1.
    pub ply: usize,
    /// All legal moves in UCI notation, between blanks.
    pub uci: String,
}

/// The choices at all moves that are judged to be bad.
#[must_use]
pub fn choices(source: &Source, analysis: &[MoveReport]) -> Vec<Choices> {
    let chess960 = source.mode == CastlingMode::Chess960;
    let bad = analysis.iter().enumerate().filter(|(_, played)| played.judgment.is_some());
    bad.map(|(index, _)| {
        let position = source.position(index);
        let moves: Vec<_> = position.legal_moves().into_iter().map(|m| position.format_move(m, chess960)).collect();
        Choices { ply: index + 1, uci: moves.join(" ") }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Selection, read};

    #[test]
    fn comments_and_variations_are_told_without_commands() {
        let text = "{ Before } 1. e4 {[%clk 0:10:00] best [%eval 0.3,12] by test} (1. d4 {[%eval 0.1] solid} d5 {[%clk 1:00]}) \
                    1... e5 {[%clk 0:09:59]} 2. Nf3 $1 {a [b] [%c} *";
        let input = read("x", text.as_bytes(), &Selection::default(), false).unwrap();
        let told = |ply, comments: &[&str], variations: &[&str]| Remark {
            ply,
            comments: comments.iter().copied().map(str::to_owned).collect(),
            variations: variations.iter().copied().map(str::to_owned).collect(),
        };
        assert_eq!(
            remarks(&input.sources[0]),
            [
                told(0, &["Before"], &[]),
                told(1, &["best by test"], &["1. d4 {solid} d5"]),
                told(3, &["a [b] [%c"], &[])
            ]
        );
    }

    #[test]
    fn evaluations_of_match_runners_are_no_remarks() {
        let text = "1. e4 {+0.35/12 0.5s} e5 {[%eval 0.1]} {a plan} {-0.20/11 0.4s} {at last} *";
        let input = read("x", text.as_bytes(), &Selection::default(), false).unwrap();
        let told: Vec<_> = remarks(&input.sources[0]).into_iter().map(|remark| (remark.ply, remark.comments)).collect();
        assert_eq!(told, [(2, vec!["a plan".to_owned(), "at last".to_owned()])]);
    }

    #[test]
    fn time_controls_are_told_in_seconds() {
        let clock = |tag: &str| {
            let text = format!("[TimeControl \"{tag}\"]\n\n1. e4 *");
            ClockReport::of(&read("x", text.as_bytes(), &Selection::default(), false).unwrap().sources[0])
        };
        assert_eq!(clock("180+2"), Some(ClockReport { initial: 180.0, increment: 2.0, moves: None }));
        assert_eq!(clock("40/5400:1800"), Some(ClockReport { initial: 5400.0, increment: 0.0, moves: Some(40.0) }));
        assert_eq!(clock("-"), None);
    }
}
