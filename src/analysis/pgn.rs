//! Annotated games: evaluations, W/D/L, judgements and best lines beside everything that the game had.

use super::measures::Judgment;
use super::people::PeopleReport;
use super::schema::{ENGINE, GameReport, MoveReport, PositionReport};
use super::source::Source;
use crate::games::{self, Note, without_braces};
use shakmaty::{CastlingMode, Color};
use std::fmt::Write as _;

/// Longest line, characters. Comments are not broken.
const LINE_WIDTH: usize = 80;

/// Numeric annotation glyph of a good move, !.
const GOOD_MOVE: u16 = 1;
/// Numeric annotation glyph of an only move, □.
const ONLY_MOVE: u16 = 7;

/// The command with the glyphs of this engine that no variation explains.
const OWN_GLYPHS: &str = "nag";

/// Commands in comments that are replaced.
const REPLACED: [&str; 5] = ["eval", "wdl", "look", "difficulty", OWN_GLYPHS];

/// The tag with the names of those who annotated a game.
const ANNOTATOR: &str = "Annotator";

/// Whether the beginning of a file has a game that [`annotated_pgn`] has annotated.
#[must_use]
pub fn is_annotated(head: &str) -> bool {
    let start = format!("[{ANNOTATOR} \"");
    head.lines()
        .filter_map(|line| line.strip_prefix(&start)?.strip_suffix("\"]"))
        .any(|names| names.split(", ").any(is_own_name))
}

/// Whether this is the name of a version of this engine.
fn is_own_name(name: &str) -> bool {
    let own = ENGINE.split(' ').next().unwrap_or(ENGINE);
    name.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// The judgement in a variation that [`best_line`] has written.
fn own_judgement(note: &Note) -> Option<Judgment> {
    let Note::Variation(line) = note else { return None };
    let judgements = [Judgment::Inaccuracy, Judgment::Mistake, Judgment::Blunder];
    judgements.into_iter().find(|judgement| line.starts_with(&format!("{{{judgement}: ")))
}

/// The glyphs that a comment of [`annotated_pgn`] says are its own; `None` if it does not say.
fn own_glyphs(note: &Note) -> Option<Vec<u16>> {
    let Note::Comment(comment) = note else { return None };
    let (_, behind) = comment.split_once(&format!("[%{OWN_GLYPHS} "))?;
    let (glyphs, _) = behind.split_once(']')?;
    Some(glyphs.split(',').filter_map(|glyph| glyph.parse().ok()).collect())
}

/// The notes behind a move, without those that this engine has left there: they are of an earlier search.
pub(super) fn notes_of_others(source: &Source, index: usize) -> Vec<Note> {
    let mut notes = source.notes_behind(index).to_vec();
    if !source.tags.known(ANNOTATOR).split(", ").any(is_own_name) {
        return notes;
    }
    // Where no comment says, a judgement in a variation has its glyph.
    let of_judgement = || notes.iter().filter_map(own_judgement).map(Judgment::glyph).collect();
    let own = notes.iter().find_map(own_glyphs).unwrap_or_else(of_judgement);
    notes.retain(|note| match note {
        Note::Nag(glyph) => !own.contains(glyph),
        note => own_judgement(note).is_none(),
    });
    notes
}

/// The annotators of a game with this engine as the last of them, once.
fn annotators(before: &str, engine: &str) -> String {
    let others = before.split(", ").filter(|name| !["", "?", "-"].contains(name) && !is_own_name(name));
    others.chain([engine]).collect::<Vec<_>>().join(", ")
}

/// A game as annotated PGN, with an empty line behind it. `report` is that of this game.
#[must_use]
pub fn annotated_pgn(source: &Source, report: &GameReport) -> String {
    let mut text = tags(source, report);
    let mut words = Words::default();
    if report.analysis.is_empty() {
        words.push(format!("{{{}}}", evaluation(&report.start)));
    }
    glyphs(&mut words, &source.notes.start);
    notes(&mut words, &source.notes.start);
    let mut position = (source.start.turn(), source.start.fullmoves());
    let mut number_needed = true;
    for (index, (played, san)) in report.analysis.iter().zip(report.moves.split(' ')).enumerate() {
        let (color, number) = position;
        if color == Color::White || number_needed {
            words.push(format!("{number}{}", color.fold_wb(".", "...")));
        }
        words.push(san.to_owned());
        let own = notes_of_others(source, index);
        let is_judged = own.iter().any(|note| matches!(note, Note::Nag(1..=6)));
        let judgement = played.judgment.as_ref().map(|judgment| judgment.name.glyph()).filter(|_| !is_judged);
        words.extend(judgement);
        glyphs(&mut words, &own);
        let is_good = played.sacrifice.is_some() && played.judgment.is_none() && !is_judged;
        let is_only = played.only && !own.contains(&Note::Nag(ONLY_MOVE));
        let marks = [(is_good, GOOD_MOVE), (is_only, ONLY_MOVE)];
        let marks: Vec<u16> = marks.into_iter().filter_map(|(is_set, glyph)| is_set.then_some(glyph)).collect();
        words.extend(marks.iter().copied());
        let difficulty = played.people.as_ref().map(difficulty).unwrap_or_default();
        // A judgement in a variation has its glyph, unless this says otherwise.
        let needs_names = !marks.is_empty() || played.judgment.is_some() && is_judged;
        let own_glyphs: Vec<u16> = judgement.into_iter().chain(marks).collect();
        let names = if needs_names { named(&own_glyphs) } else { String::new() };
        words.push(format!("{{{}{difficulty}{names}}}", evaluation(&played.after)));
        notes(&mut words, &own);
        if let Some(line) = best_line(played, position) {
            words.push(format!("({line})"));
        }
        number_needed = true;
        position = (!color, number.saturating_add(u32::from(color == Color::Black)));
    }
    words.push(source.result_in_file.to_string());
    text += &words.finish();
    text += "\n\n";
    text
}

/// The tags of the game, with those that it needs to be read back.
fn tags(source: &Source, report: &GameReport) -> String {
    let mut text = String::new();
    let mut pair = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    let is_chess960 = source.mode == CastlingMode::Chess960;
    for (name, value) in &report.tags {
        match name.as_str() {
            ANNOTATOR => pair(name, &annotators(value, &report.engine)),
            // Games of Chess960 that are not told to be such are not read again.
            "Variant" if is_chess960 && !games::names_chess960(value) => pair(name, "Chess960"),
            _ => pair(name, value),
        }
    }
    let is_missing = |name: &str| report.tags.iter().all(|(known, _)| known != name);
    if !source.is_from_start() && is_missing("FEN") {
        pair("SetUp", "1");
        pair("FEN", &report.initial_fen);
    }
    if is_chess960 && is_missing("Variant") {
        pair("Variant", "Chess960");
    }
    if is_missing("Result") {
        pair("Result", &source.result_in_file.to_string());
    }
    if is_missing(ANNOTATOR) {
        pair(ANNOTATOR, &report.engine);
    }
    text.push('\n');
    text
}

/// The judgements of the game.
fn glyphs(words: &mut Words, notes: &[Note]) {
    words.extend(notes.iter().filter_map(|note| match note {
        Note::Nag(glyph) => Some(*glyph),
        Note::Comment(_) | Note::Variation(_) => None,
    }));
}

/// The notes of the game but for judgements, with the evaluations in comments left out: they are replaced.
fn notes(words: &mut Words, notes: &[Note]) {
    for note in notes {
        match note {
            Note::Comment(comment) => {
                let rest = without_evaluations(comment);
                if !rest.is_empty() {
                    words.push(format!("{{{}}}", without_braces(&rest)));
                }
            }
            Note::Variation(line) => words.push(format!("({line})")),
            Note::Nag(_) => {}
        }
    }
}

/// A comment without the commands that are replaced.
fn without_evaluations(comment: &str) -> String {
    let (mut text, mut rest) = (String::new(), comment);
    while let Some((before, behind)) = rest.split_once("[%") {
        let is_replaced =
            REPLACED.iter().any(|command| behind.strip_prefix(command).is_some_and(|value| value.starts_with(' ')));
        let Some((command, after)) = behind.split_once(']') else { break };
        text += before;
        if is_replaced {
            rest = after.trim_start();
        } else {
            text += &format!("[%{command}]");
            rest = after;
        }
    }
    text += rest;
    text.trim().to_owned()
}

/// Evaluation and W/D/L in White's view, as lichess and ChessBase write them, and how often the position was searched.
fn evaluation(position: &PositionReport) -> String {
    let score = match (position.mate, position.eval) {
        (Some(moves), _) => format!("#{moves}"),
        (None, cp) => format!("{:.2}", f64::from(cp.unwrap_or_default()) / 100.0),
    };
    let [win, draw, loss] = position.wdl;
    let look = if position.looks > 1 { format!(" [%look {}]", position.looks) } else { String::new() };
    format!("[%eval {score},{}] [%wdl {win},{draw},{loss}]{look}", position.depth)
}

/// How hard the choice of a move was for people of the player's rating: chance of a mistake, of a blunder, and mean loss.
fn difficulty(people: &PeopleReport) -> String {
    format!(" [%difficulty {},{},{}]", people.mistake, people.blunder, people.expected_loss)
}

/// The command that names the glyphs of this engine, of which there may be none beside its judgement.
fn named(glyphs: &[u16]) -> String {
    let glyphs: Vec<String> = glyphs.iter().map(u16::to_string).collect();
    format!(" [%{OWN_GLYPHS} {}]", glyphs.join(","))
}

/// The best line in place of a bad move, with what the move did and with move numbers.
fn best_line(played: &MoveReport, (color, number): (Color, u32)) -> Option<String> {
    let judgment = played.judgment.as_ref()?;
    let line = played.variation.as_ref()?;
    let people = judgment.people.as_ref().map(|people| format!(". {people}")).unwrap_or_default();
    let mut text = vec![format!("{{{}: {}}}", judgment.name, without_braces(&format!("{}{people}", judgment.what)))];
    let (mut color, mut number) = (color, number);
    for (index, san) in line.split(' ').enumerate() {
        if color == Color::White || index == 0 {
            text.push(format!("{number}{}", color.fold_wb(".", "...")));
        }
        text.push(san.to_owned());
        number = number.saturating_add(u32::from(color == Color::Black));
        color = !color;
    }
    Some(text.join(" "))
}

/// Words in lines.
#[derive(Default)]
struct Words {
    text: String,
    line: usize,
}

impl Words {
    fn push(&mut self, word: String) {
        let length = word.chars().count();
        if self.line > 0 && self.line + 1 + length > LINE_WIDTH {
            self.text.push('\n');
            self.line = 0;
        } else if self.line > 0 {
            self.text.push(' ');
            self.line += 1;
        }
        self.line += length;
        self.text += &word;
    }

    fn finish(self) -> String {
        self.text
    }
}

/// Glyphs.
impl Extend<u16> for Words {
    fn extend<I: IntoIterator<Item = u16>>(&mut self, glyphs: I) {
        glyphs.into_iter().for_each(|glyph| self.push(format!("${glyph}")));
    }
}
