//! Tables of residuals.

use super::{FEW_GAMES, HtmlReport, Written, t_cell};
use crate::tuning::residuals::{Category, KingZone, Residuals};
use halfpoint::eval::tuning::terms::WILO_KNOTS;
use std::fmt::Write;

/// Most lines of a table of residuals.
const MAX_GROUPS: usize = 60;

impl HtmlReport<'_> {
    pub(super) fn residual_tables(&self, page: &mut String) -> Written {
        page.push_str(
            "<h2>Residuals</h2><p class=\"note\">Over all positions. Draw: fraction of draws less the predicted one, \
             without positions that fixed weights decide. Winner: in \
             decisive games, fraction of wins of the first-named side (of the side ahead by w where both are alike or none \
             is named) less the predicted one. t: the mean in standard errors, games being the observations; bold from 3 \
             on. Groups of fewer than 30 games are left out.</p>",
        );
        for (title, by_size, choose) in TABLES {
            let mut rows: Vec<(Category, &Residuals)> = self
                .details
                .residuals
                .iter()
                .filter(|(category, residuals)| choose(category) && residuals.draw.games >= FEW_GAMES)
                .map(|(&category, residuals)| (category, residuals))
                .collect();
            let loudness = |residuals: &Residuals| residuals.draw.t_value().abs().max(residuals.wilo.t_value().abs());
            if by_size {
                rows.sort_by(|a, b| loudness(b.1).total_cmp(&loudness(a.1)));
                rows.truncate(MAX_GROUPS);
            } else {
                rows.sort_by_key(|row| order(row.0));
            }
            write!(
                page,
                "<details open><summary>{title}</summary><table><tr><th></th><th>games</th><th>positions</th><th>draws</th>\
                 <th>predicted</th><th>residual</th><th>t</th><th>winner: residual</th><th>t</th></tr>"
            )?;
            for (category, residuals) in rows {
                let (draw, wilo) = (&residuals.draw, &residuals.wilo);
                write!(
                    page,
                    "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.3}</td><td>{:.3}</td><td>{:+.3}</td>{}<td>{:+.3}</td>{}</tr>",
                    label(category),
                    draw.games,
                    draw.count,
                    residuals.predicted_draws() + draw.mean(),
                    residuals.predicted_draws(),
                    draw.mean(),
                    t_cell(draw.t_value()),
                    wilo.mean(),
                    t_cell(wilo.t_value())
                )?;
            }
            page.push_str("</table></details>");
        }
        Ok(())
    }
}

/// A table of residuals: title, whether the largest t come first, and which categories belong to it.
type Table = (&'static str, bool, fn(&Category) -> bool);

const TABLES: [Table; 9] = [
    ("By material, largest t first", true, |category| matches!(category, Category::Material(_))),
    ("By points of the pieces (3, 3, 5, 9)", false, |category| matches!(category, Category::Points(_))),
    ("By pawns on the board", false, |category| matches!(category, Category::Pawns(_))),
    ("By phase", false, |category| matches!(category, Category::Phase(_))),
    ("By plies since the last capture or pawn move", false, |category| matches!(category, Category::Halfmoves(_))),
    ("By opposite-coloured bishops", false, |category| matches!(category, Category::OppositeBishops(_))),
    ("By king placement", true, |category| matches!(category, Category::Kings(..))),
    ("By move number", false, |category| matches!(category, Category::MoveNumber(_))),
    ("By the size of w, centipawns", false, |category| matches!(category, Category::Size(_))),
];

/// Rank of a group among its like.
fn order(category: Category) -> usize {
    match category {
        Category::Phase(step) | Category::Points(step) | Category::Pawns(step) => usize::from(step),
        Category::Halfmoves(step) | Category::Size(step) => step,
        Category::OppositeBishops(company) => company.map_or(0, |company| company + 1),
        Category::MoveNumber(step) => usize::from(step),
        Category::Material(_) | Category::Kings(..) => 0,
    }
}

/// What a group is called.
fn label(category: Category) -> String {
    let pieces = |[p, n, b, r, q]: [u8; 5]| {
        let run = |name: &str, count: u8| name.repeat(usize::from(count));
        format!("K{}{}{}{}{}", run("Q", q), run("R", r), run("B", b), run("N", n), run("P", p))
    };
    let zone = |zone: KingZone| match zone {
        KingZone::Wing => "wing",
        KingZone::Centre => "centre",
        KingZone::Advanced => "ranks 3, 4",
        KingZone::Far => "ranks 5 to 8",
    };
    match category {
        Category::Material([stronger, weaker]) => format!("{} – {}", pieces(stronger), pieces(weaker)),
        Category::Points(step) => format!("{} to {}", 6 * step, 6 * step + 5),
        Category::Pawns(count) => count.to_string(),
        Category::Phase(phase) => phase.to_string(),
        Category::Halfmoves(9) => "90 and more".into(),
        Category::Halfmoves(step) => format!("{} to {}", 10 * step, 10 * step + 9),
        Category::OppositeBishops(None) => "none".into(),
        Category::OppositeBishops(Some(company)) => {
            ["alone", "with knights", "with rooks", "with queens"].get(company).copied().unwrap_or_default().into()
        }
        Category::Kings([a, b], opposite) => {
            format!("{} – {}{}", zone(a), zone(b), if opposite { ", opposite wings" } else { "" })
        }
        Category::Size(knot) => {
            WILO_KNOTS.get(knot + 1).map_or_else(String::new, |&next| format!("{} to {}", WILO_KNOTS[knot], next - 1))
        }
        Category::MoveNumber(12) => "120 and more".into(),
        Category::MoveNumber(step) => format!("{} to {}", 10 * step, 10 * step + 9),
    }
}
