//! The evaluation of a position as text.

use crate::analysis::evaluation_notes;
use crate::eval::network::Unit;
use crate::eval::{Contribution, Explanation, FULL_PHASE};
use crate::printing::Printed;
use crate::wdl::model::{sigmoid, win_share};
use shakmaty::{File, Rank, Square};
use std::fmt::Write as _;

/// Numbers that are shown in colour have at least this size.
const COLOURED: f64 = 0.005;

/// How text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Not at all.
    Plain,
    /// With escape sequences for terminals.
    Terminal,
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        match self {
            Style::Plain => text.to_owned(),
            Style::Terminal => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }

    /// Green for White's good, red for Black's.
    fn signed(self, number: f64, text: &str) -> String {
        match number.abs() < COLOURED {
            true => text.to_owned(),
            false => self.paint(if number > 0.0 { "32" } else { "31" }, text),
        }
    }

    fn heading(self, text: &str) -> String {
        self.paint("1", text)
    }
}

/// The evaluation as text: what a search prints for it, a table of terms, the same in middlegame and endgame, a
/// board with each piece's worth, and what follows from both scores.
#[must_use]
pub fn text(explanation: &Explanation, printed: &Printed, style: Style) -> String {
    let mut text = headline(explanation, printed, style);
    text += &summary_table(explanation, style);
    text += &detail_table(explanation, style, "wilo, pawns", |share| share.wilo, true);
    text += &detail_table(explanation, style, "draw, logits", |share| share.draw, false);
    let worths: Vec<_> = explanation.pieces.iter().map(|&(square, worth)| (square, worth.wilo)).collect();
    let title = "Worth of each piece: w with it less w without it, pawns, White's view";
    text += &board(explanation, style, title, &worths);
    text += &explanation.units.iter().map(|unit| unit_board(explanation, style, unit)).collect::<String>();
    text += &conclusion(explanation);
    text
}

/// W/D/L and score for the side to move.
fn headline(explanation: &Explanation, printed: &Printed, style: Style) -> String {
    let side = explanation.position.turn().fold_wb("white", "black");
    let wdl = printed.wdl.per_mille().map(|share| share.to_string()).join(" ");
    let values = style.heading(&format!("score {} wdl {wdl}", printed.score));
    format!("{values}, for {side} to move, as a search of one node prints it\n\n")
}

/// What each term adds at this phase, and how it moves W, D and L.
fn summary_table(explanation: &Explanation, style: Style) -> String {
    let mut text = style.heading(&format!(
        "{:24}{:>8}{:>8}{:>8}  {:>8}{:>8}{:>8}  {:>6}{:>6}{:>6}",
        "term", "white", "black", "w", "white", "black", "d", "W", "D", "L"
    ));
    text.push('\n');
    for term in &explanation.terms {
        let wilo = |share: Contribution| explanation.taper(share.wilo);
        let draw = |share: Contribution| explanation.taper(share.draw);
        let total = term.total();
        let has_sides = term.shared == Contribution::default();
        let side = |number: f64| if has_sides { format!("{number:8.2}") } else { " ".repeat(8) };
        let effect = explanation.effect(term).map(|share| 1000.0 * share);
        let moved: String =
            effect.iter().map(|share| style.signed(*share, &format!("{:>6}", format!("{share:+.0}")))).collect();
        let whole = if has_sides { format!("{:8.2}", wilo(total)) } else { " ".repeat(8) };
        let _ = writeln!(
            text,
            "{:24}{}{}{}  {}{}{:8.2}  {moved}",
            term.name,
            side(wilo(term.white)),
            side(wilo(term.black)),
            style.signed(wilo(total), &whole),
            side(draw(term.white)),
            side(draw(term.black)),
            draw(total),
        );
    }
    let (wilo, draw) = explanation.scores();
    let gap = " ".repeat(16);
    let _ = writeln!(text, "{}", style.heading(&format!("{:24}{gap}{wilo:8.2}  {gap}{draw:8.2}", "evaluation")));
    text += "w in pawns, d in logits; W, D and L per mille of White, by which the term moves them\n";
    text
}

/// One of both scores in middlegame and endgame.
fn detail_table(
    explanation: &Explanation,
    style: Style,
    title: &str,
    part: impl Fn(Contribution) -> [f64; 2],
    is_wilo: bool,
) -> String {
    let mut text = String::from("\n");
    text += &style.heading(&format!("{title:24}{:>16}{:>16}{:>16}", "white", "black", "total"));
    let _ = write!(text, "\n{:24}{}\n", "", format!("{:>8}{:>8}", "mg", "eg").repeat(3));
    let cells = |[middlegame, endgame]: [f64; 2]| format!("{middlegame:8.2}{endgame:8.2}");
    let mut sum = [0.0; 2];
    for term in &explanation.terms {
        let total = part(term.total());
        sum = [sum[0] + total[0], sum[1] + total[1]];
        if is_wilo && term.shared != Contribution::default() {
            continue;
        }
        let sides = match term.shared == Contribution::default() {
            true => cells(part(term.white)) + &cells(part(term.black)),
            false => " ".repeat(32),
        };
        let _ = writeln!(text, "{:24}{sides}{}", term.name, cells(total));
    }
    let _ = writeln!(text, "{}", style.heading(&format!("{:24}{}{}", "sum", " ".repeat(32), cells(sum))));
    text
}

/// What a unit of the network adds, and a board with what each piece adds to it, as the colour sees it that has more of it.
fn unit_board(explanation: &Explanation, style: Style, unit: &Unit) -> String {
    let ([white, black], (wilo, draw)) = (unit.activations, unit.total());
    let (view, pieces) = if white >= black { ("White", &unit.pieces[0]) } else { ("Black", &unit.pieces[1]) };
    let title = format!(
        "Unit {} of the network: white {white:.2}, black {black:.2}, w {wilo:+.2}, d {draw:+.2}; {view}'s view, by piece",
        unit.index
    );
    board(explanation, style, &title, pieces)
}

/// A board with a number for each piece.
fn board(explanation: &Explanation, style: Style, title: &str, numbers: &[(Square, f64)]) -> String {
    let mut text = format!("\n{}\n", style.heading(title));
    let rule = format!("   +{}\n", "-------+".repeat(8));
    for rank in Rank::ALL.into_iter().rev() {
        text += &rule;
        let squares = File::ALL.map(|file| Square::from_coords(file, rank));
        let row = |cell: &dyn Fn(Square) -> String| squares.map(cell).join("|");
        let letter = |square: Square| {
            let piece = explanation.position.board().piece_at(square);
            let text = format!("{:^7}", piece.map_or(' ', |piece| piece.char()));
            piece.map_or(text.clone(), |piece| style.paint(piece.color.fold_wb("1;32", "1;31"), &text))
        };
        let number = |square: Square| {
            let known = numbers.iter().find(|(of, _)| *of == square);
            known.map_or_else(|| " ".repeat(7), |(_, number)| format!("{:^7}", format!("{number:+.2}")))
        };
        let _ = writeln!(text, " {rank} |{}|\n   |{}|", row(&letter), row(&number));
    }
    text += &rule;
    let _ = writeln!(text, "    {}", File::ALL.map(|file| format!("{:^7}", file.char())).join(" ").trim_end());
    text
}

fn conclusion(explanation: &Explanation) -> String {
    let position = &explanation.position;
    let turn = position.turn();
    let (white, d) = explanation.scores();
    let w = turn.fold_wb(white, -white);
    let wdl = crate::wdl::model::Wdl::from_scores(w, d);
    let [win, draws, loss] = wdl.per_mille();
    let mut text = format!(
        "\nphase {} of {FULL_PHASE}, {} to move; for the side to move:\n\
         w     {w:8.2} pawns     who wins, given that somebody wins\n\
         d     {d:8.2} logits    whether it is drawn\n\
         Wp    {:8.4}\n\
         D     {:8.4}\n\
         P     {:8.4}           D/2 + Wp - Wp*D\n\
         W/D/L {win}/{draws}/{loss} per mille\n",
        explanation.phase,
        turn.fold_wb("white", "black"),
        win_share(w),
        sigmoid(d),
        wdl.expected(),
    );
    for note in evaluation_notes(explanation) {
        let _ = writeln!(text, "{note}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::printed_evaluation;
    use crate::eval::Weights;
    use crate::position::Position;
    use crate::printing::{Nominal, WdlFor};

    fn explanation(fen: &str) -> Explanation {
        Explanation::of(&Position::from_fen(fen, false).unwrap(), &Weights::shipped())
    }

    fn as_text(explanation: &Explanation, style: Style) -> String {
        let nominal = Nominal::shipped();
        let printed = printed_evaluation(&explanation.position, explanation.evaluation, nominal, &WdlFor::Nominal);
        text(explanation, &printed, style)
    }

    #[test]
    fn tables_say_what_the_terms_add() {
        let queen_up = explanation("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let plain = as_text(&queen_up, Style::Plain);
        assert!(!plain.contains('\x1b') && as_text(&queen_up, Style::Terminal).contains("\x1b[32m"));
        let row = plain.lines().find(|line| line.starts_with("material ")).unwrap();
        let cells: Vec<f64> = row.split_whitespace().skip(1).map(|cell| cell.parse().unwrap()).collect();
        assert!(cells.len() == 9 && cells[0] > cells[1] && (cells[0] - cells[1] - cells[2]).abs() < 0.02, "{row}");
        assert!(cells[6] > 100.0 && (cells[6] + cells[7] + cells[8]).abs() <= 2.0, "{row}");
        assert!(plain.contains("| Q   |") || plain.contains("   Q   |"), "{plain}");
    }

    #[test]
    fn units_of_a_network_have_boards() {
        let weights = Weights::shipped();
        let plain = as_text(&Explanation::of(&Position::default(), &weights), Style::Plain);
        let row = plain.lines().find(|line| line.starts_with("network ")).unwrap();
        let cells: Vec<f64> = row.split_whitespace().skip(1).map(|cell| cell.parse().unwrap()).collect();
        // The start position is the same for both colours.
        assert!(cells.len() == 9 && cells[0] == cells[1] && cells[2] == 0.0, "{row}");
        let titles: Vec<_> = plain.lines().filter(|line| line.starts_with("Unit ")).collect();
        assert!(titles.len() == 5 && titles.iter().all(|title| title.contains("0.00, d ")), "{titles:#?}");
    }

    #[test]
    fn explanations_say_that_a_game_is_over() {
        let text = |fen| as_text(&explanation(fen), Style::Plain);
        assert!(text("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").contains("mate or stalemate"));
        assert!(text("7k/8/8/8/8/8/R7/K7 w - - 100 80").contains("Fifty moves"));
        assert!(!text("7k/8/8/8/8/8/R7/K7 w - - 99 80").contains("search scores"));
    }
}
