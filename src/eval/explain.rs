//! The evaluation of a position as a table of terms.

use super::sink::{FeatureCount, FeatureRecord};
use super::terms::{FULL_PHASE, TERMS};
use super::weights::Weights;
use super::word::Word;
use super::{draw_curve, evaluate, evaluate_sums, features, wilo_size};
use crate::position::{FIFTY_MOVES, Position};
use crate::wdl::model::{DRAW_UNITS, WILO_UNITS, Wdl, centipawns, sigmoid, win_share};
use shakmaty::Color;
use std::fmt::Write;

/// What some features add to wilo, in pawns, and to the draw score, in logits.
#[derive(Clone, Copy, Default)]
struct Share {
    wilo: f64,
    draw: f64,
}

/// The evaluation of a position as a text table: what each term adds, then both scores, win share, draw probability,
/// expected result, W/D/L and centipawns.
///
/// Wilo is in pawns: White's part, Black's part and the difference. The draw column is in logits. The lines after the table
/// are from the point of view of the side to move.
#[must_use]
pub fn explain(position: &Position, weights: &Weights) -> String {
    let mut record = FeatureRecord::default();
    let phase = features(position, &mut record);
    let scores = evaluate(position, weights);
    wilo_size(&mut record, scores.wilo);
    draw_curve(&mut record, evaluate_sums(position, weights).draw);

    let mut text = format!("{:24} {:>8} {:>8} {:>8} {:>8}\n", "term", "white", "black", "wilo", "draw");
    for term in TERMS {
        let entries =
            || record.counts.iter().filter(|entry| (term.offset..term.offset + term.len).contains(&entry.feature));
        let of = |color: Option<Color>| share(entries().filter(|entry| entry.color == color), weights, phase);
        if entries().next().is_none() {
            continue;
        }
        let (white, black, shared) = (of(Some(Color::White)), of(Some(Color::Black)), of(None));
        let draw = white.draw + black.draw + shared.draw;
        let _ = if entries().any(|entry| entry.color.is_some()) {
            let difference = white.wilo - black.wilo;
            writeln!(text, "{:24} {:8.2} {:8.2} {difference:8.2} {draw:8.2}", term.name, white.wilo, black.wilo)
        } else {
            writeln!(text, "{:24} {:>8} {:>8} {:>8} {draw:8.2}", term.name, "", "", "")
        };
    }
    let _ = write!(text, "\n{}", conclusion(position, phase, f64::from(scores.wilo), f64::from(scores.draw)));
    text
}

/// Weighted sum of features, tapered.
fn share<'a>(entries: impl Iterator<Item = &'a FeatureCount>, weights: &Weights, phase: i32) -> Share {
    let taper = |middlegame: i32, endgame: i32| {
        f64::from(middlegame * phase + endgame * (FULL_PHASE - phase)) / f64::from(FULL_PHASE)
    };
    let mut sum = Share::default();
    for entry in entries {
        let word: Word = weights[entry.feature];
        sum.wilo += entry.count * taper(word.wilo_mg(), word.wilo_eg()) / WILO_UNITS;
        sum.draw += entry.count * taper(word.draw_mg(), word.draw_eg()) / DRAW_UNITS;
    }
    sum
}

fn conclusion(position: &Position, phase: i32, wilo: f64, draw: f64) -> String {
    let (w, d) = (wilo / WILO_UNITS, draw / DRAW_UNITS);
    let wdl = Wdl::from_scores(w, d);
    let [win, draws, loss] = wdl.per_mille();
    let mut text = format!(
        "phase {phase} of {FULL_PHASE}, {} to move\n\
         w     {w:8.2} pawns     who wins, given that somebody wins\n\
         d     {d:8.2} logits    whether it is drawn\n\
         Wp    {:8.4}\n\
         D     {:8.4}\n\
         P     {:8.4}           D/2 + Wp - Wp*D\n\
         W/D/L {win}/{draws}/{loss} per mille\n\
         score {:.0} centipawns\n",
        if position.turn() == Color::White { "white" } else { "black" },
        win_share(w),
        sigmoid(d),
        wdl.expected(),
        centipawns(wdl.expected()),
    );
    if position.is_check() {
        text.push_str("The side to move is in check; the search looks further before it evaluates.\n");
    }
    if position.has_no_moves() {
        text.push_str("The game is over: the search scores this as mate or stalemate.\n");
    } else if position.halfmoves() >= FIFTY_MOVES {
        text.push_str("Fifty moves without capture or pawn move: the search scores this as a draw.\n");
    }
    if position.is_insufficient_material() {
        text.push_str("Neither side can mate: the search scores this as a draw.\n");
    }
    text
}
