//! The report: one HTML file with its plots inside.

mod plots;

use super::errors::Worth;
use super::measure::{Bin, Group, KingZone, Residuals};
use super::objective::Vector;
use super::summary::{self, Fit, Summary};
use super::tables::BOARDS;
use halfpoint::eval::tuning::terms::{Owner, TERMS, Term, WILO_KNOTS};
use plots::{Grid, Line};
use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write;

/// A report's two parts.
pub struct Report<'a> {
    /// Numbers.
    pub summary: &'a Summary<'a>,
    /// What there is beside them.
    pub details: Details,
}

/// What a report shows beside the summary.
pub struct Details {
    /// In how many training positions each feature arises.
    pub occurrences: Vec<u64>,
    /// Residuals by group.
    pub residuals: HashMap<Group, Residuals>,
    /// Reliability of win, draw and loss on the training positions.
    pub training: [Vec<Bin>; 3],
}

const STYLE: &str = "body{font:15px/1.45 sans-serif;max-width:1080px;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:.6em 0}td,th{padding:.15em .6em;text-align:right;border-bottom:1px solid #ddd}
td:first-child,th:first-child{text-align:left}th{background:#f4f4f4;position:sticky;top:0}
.noise{color:#999}.loud{font-weight:bold}figure{display:inline-block;margin:.4em}summary{cursor:pointer;padding:.15em 0}
.record td:last-child{text-align:left}.plots svg{max-width:100%}p.note{color:#555;max-width:50em}";

/// Deviates below which weights are taken for noise.
const NOISE: f64 = 2.0;
/// Games below which a group of residuals is left out.
const FEW_GAMES: f64 = 30.0;
/// Most lines of a table of residuals.
const MOST_GROUPS: usize = 60;

type Written = Result<(), Box<dyn Error>>;

impl Report<'_> {
    /// The whole file.
    ///
    /// # Errors
    ///
    /// What the plotting library says.
    pub fn html(&self) -> Result<String, Box<dyn Error>> {
        let mut page = String::new();
        write!(
            page,
            "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>halfpoint tune</title>\
             <style>{STYLE}</style></head><body><h1>Tuning report</h1>"
        )?;
        page.push_str("<div class=\"record\">");
        markdown_tables(&mut page, &self.summary.record())?;
        page.push_str("</div>");
        self.progress(&mut page)?;
        self.reliability(&mut page)?;
        self.draw_rates(&mut page)?;
        self.terms(&mut page)?;
        self.boards(&mut page)?;
        self.weights(&mut page)?;
        self.residual_tables(&mut page)?;
        page.push_str("</body></html>\n");
        Ok(page)
    }

    /// Every weight before and after rounding, with its standard error, as CSV.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = "term,index,column,exact,error,rounded,positions\n".to_owned();
        for term in TERMS {
            for (vector, fit) in [Vector::Wilo, Vector::Draw].iter().zip(&self.summary.fits) {
                for (phase, column) in vector.columns().iter().enumerate() {
                    for index in 0..term.len {
                        let feature = term.at(index);
                        let parameter = 2 * feature + phase;
                        let Some(error) = fit.uncertainty.of(parameter) else { continue };
                        let (exact, rounded) = (fit.solution.parameters[parameter], fit.rounded[parameter]);
                        let seen = self.details.occurrences[feature];
                        let name = term.name;
                        let _ = writeln!(text, "{name},{index},{column},{exact:.6},{error:.3},{rounded},{seen}");
                    }
                }
            }
        }
        text
    }

    fn progress(&self, page: &mut String) -> Written {
        page.push_str("<h2>Loss by iteration</h2><div class=\"plots\">");
        for (vector, fit) in [Vector::Wilo, Vector::Draw].iter().zip(&self.summary.fits) {
            let Fit { trace, .. } = fit;
            let line = |name: &str, split: usize, sampled: Option<bool>| Line {
                name: name.to_owned(),
                points: (0..)
                    .zip(trace)
                    .filter(|(_, (_, is_sample))| sampled.is_none_or(|wanted| wanted == *is_sample))
                    .map(|(step, (losses, _))| (f64::from(step), losses[split]))
                    .collect(),
            };
            let mut lines = vec![
                line("training", 0, Some(false)),
                line("validation", 1, None),
                line("test", 2, None),
                line("sample of training", 0, Some(true)),
            ];
            lines.retain(|line| !line.points.is_empty());
            page.push_str(&plots::lines(vector.name(), "iteration", "nats a position", &lines)?);
        }
        page.push_str("</div>");
        Ok(())
    }

    fn reliability(&self, page: &mut String) -> Written {
        page.push_str(
            "<h2>Reliability on the test positions</h2><p class=\"note\">Dots on the line are right; bars are two standard \
             errors, games being the observations. Below: share of the positions.</p><div class=\"plots\">",
        );
        for (name, bins) in NAMES.iter().zip(&self.summary.reliability) {
            page.push_str(&plots::reliability(name, bins)?);
        }
        page.push_str("</div>");
        bin_tables(page, "Bins of the test positions", &self.summary.reliability)?;
        bin_tables(
            page,
            "Bins of the training positions, which have seen the weights but are many",
            &self.details.training,
        )?;
        if let Some(folds) = &self.summary.folds {
            page.push_str(
                "<h2>Reliability by cross-validation</h2><p class=\"note\">All games, each predicted by weights that have \
                 not seen it.</p><div class=\"plots\">",
            );
            for (name, bins) in NAMES.iter().zip(&folds.reliability) {
                page.push_str(&plots::reliability(name, bins)?);
            }
            page.push_str("</div>");
            bin_tables(page, "Bins of all positions", &folds.reliability)?;
        }
        Ok(())
    }

    fn draw_rates(&self, page: &mut String) -> Written {
        page.push_str("<h2>Draw rate by material</h2><div class=\"plots\">");
        type Key = fn(Group) -> Option<f64>;
        let pick: [(&str, Key); 2] = [
            ("points of the pieces on the board (3, 3, 5, 9)", |group| match group {
                Group::Points(step) => Some(6.0 * f64::from(step)),
                _ => None,
            }),
            ("pawns on the board", |group| match group {
                Group::Pawns(count) => Some(f64::from(count)),
                _ => None,
            }),
        ];
        for (name, key) in pick {
            let mut points: Vec<(f64, f64, f64)> = self
                .details
                .residuals
                .iter()
                .filter(|(_, residuals)| residuals.draw.games >= FEW_GAMES)
                .filter_map(|(&group, residuals)| {
                    let predicted = residuals.predicted_draws();
                    Some((key(group)?, predicted + residuals.draw.mean(), predicted))
                })
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let lines = [
                Line {
                    name: "observed".into(),
                    points: points.iter().map(|&(x, observed, _)| (x, observed)).collect(),
                },
                Line {
                    name: "predicted".into(),
                    points: points.iter().map(|&(x, _, predicted)| (x, predicted)).collect(),
                },
            ];
            page.push_str(&plots::lines("", name, "share of draws", &lines)?);
        }
        page.push_str("</div>");
        Ok(())
    }

    /// Value and standard error of a weight.
    fn cell(&self, vector: usize, parameter: usize) -> String {
        let fit = &self.summary.fits[vector];
        let value = fit.solution.parameters[parameter];
        match fit.uncertainty.of(parameter) {
            Some(error) => format!("<td>{value:.1} ± {error:.1}</td>"),
            // Held, or the curve.
            None => format!("<td>{:.0}</td>", fit.rounded[parameter]),
        }
    }

    fn terms(&self, page: &mut String) -> Written {
        page.push_str(
            "<h2>What each term is worth</h2><p class=\"note\">Lost: by how many nats a million positions the loss would rise \
             without the term, all others adapted and the prior pulling towards zero. Deviates: how many standard errors the \
             term is away from nothing, games being the observations. Grey terms are within noise in both vectors: \
             candidates to drop.</p>\
             <table><tr><th>term</th><th>weights</th><th>positions</th><th>wilo: lost</th><th>deviates</th>\
             <th>draw: lost</th><th>deviates</th></tr>",
        );
        for term in TERMS {
            let worth = self.worth(term.offset..term.offset + term.len);
            let seen = (term.offset..term.offset + term.len)
                .map(|feature| self.details.occurrences[feature])
                .max()
                .unwrap_or(0);
            write!(page, "<tr{}><td>{}</td><td>{}</td><td>{seen}</td>", noise(&worth), term.name, term.len)?;
            for (worth, fit) in worth.iter().zip(&self.summary.fits) {
                match worth {
                    Some(Worth { nats, deviates }) => {
                        let lost = 1e6 * nats / fit.positions[0] as f64;
                        write!(page, "<td>{lost:.1}</td><td>{deviates:.1}</td>")?;
                    }
                    None => page.push_str("<td></td><td></td>"),
                }
            }
            page.push_str("</tr>");
        }
        page.push_str("</table>");
        Ok(())
    }

    /// What there is to some features in wilo and in draw.
    fn worth(&self, features: std::ops::Range<usize>) -> [Option<Worth>; 2] {
        let parameters = || features.clone().flat_map(|feature| [2 * feature, 2 * feature + 1]);
        self.summary.fits.each_ref().map(|fit| fit.uncertainty.worth(parameters()))
    }

    fn boards(&self, page: &mut String) -> Written {
        page.push_str(
            "<h2>Tables of squares</h2><p class=\"note\">From the owner's side, the own king on files e to h. Wilo in \
             centipawns, draw in hundredths of a logit; blue is positive, each board on a scale of its own.</p>\
             <div class=\"plots\">",
        );
        for (term, files) in BOARDS {
            write!(page, "<h3>{}</h3>", term.name)?;
            let values = |vector: usize, phase: usize| {
                let parameters = &self.summary.fits[vector].solution.parameters;
                (term.offset..term.offset + term.len).map(|feature| parameters[2 * feature + phase]).collect()
            };
            let grid = |title, vector, phase| Grid { title, values: values(vector, phase), columns: files };
            let grids = [
                grid("wilo, middlegame", 0, 0),
                grid("wilo, endgame", 0, 1),
                grid("draw, middlegame", 1, 0),
                grid("draw, endgame", 1, 1),
            ];
            page.push_str(&plots::heat_maps(&grids)?);
        }
        page.push_str("</div>");
        Ok(())
    }

    fn weights(&self, page: &mut String) -> Written {
        page.push_str(
            "<h2>All weights</h2><p class=\"note\">With standard errors, games being the observations. Where one weight can \
             stand in for another (all squares of a knight for the value of a knight) it is the prior that limits the \
             error. Grey weights are within noise in both vectors.</p>",
        );
        for term in TERMS {
            write!(page, "<details><summary>{} ({})</summary>", term.name, term.len)?;
            page.push_str(
                "<table><tr><th>index</th><th>positions</th><th>wilo_mg</th><th>wilo_eg</th><th>deviates</th>\
                 <th>draw_mg</th><th>draw_eg</th><th>deviates</th></tr>",
            );
            for feature in term.offset..term.offset + term.len {
                self.weight(page, term, feature)?;
            }
            page.push_str("</table></details>");
        }
        Ok(())
    }

    fn weight(&self, page: &mut String, term: &Term, feature: usize) -> Written {
        let worth = self.worth(feature..feature + 1);
        let seen = self.details.occurrences[feature];
        write!(page, "<tr{}><td>{}</td><td>{seen}</td>", noise(&worth), feature - term.offset)?;
        for (vector, worth) in worth.iter().enumerate() {
            if vector == 0 && term.owner == Owner::Shared {
                page.push_str("<td></td><td></td><td></td>");
                continue;
            }
            page.push_str(&self.cell(vector, 2 * feature));
            page.push_str(&self.cell(vector, 2 * feature + 1));
            let deviates = worth.map_or(String::new(), |worth| format!("{:.1}", worth.deviates));
            write!(page, "<td>{deviates}</td>")?;
        }
        page.push_str("</tr>");
        Ok(())
    }

    fn residual_tables(&self, page: &mut String) -> Written {
        page.push_str(
            "<h2>Residuals</h2><p class=\"note\">Over all positions. Draw: share of draws less the predicted one, \
             without positions that held weights decide. Winner: in \
             decisive games, share of wins of the first-named side (of the side ahead by w where both are alike or none \
             is named) less the predicted one. t: the mean in standard errors, games being the observations; bold from 3 \
             on. Groups of fewer than 30 games are left out.</p>",
        );
        for (title, by_size, choose) in TABLES {
            let mut rows: Vec<(Group, &Residuals)> = self
                .details
                .residuals
                .iter()
                .filter(|(group, residuals)| choose(group) && residuals.draw.games >= FEW_GAMES)
                .map(|(&group, residuals)| (group, residuals))
                .collect();
            let loudness = |residuals: &Residuals| residuals.draw.t_value().abs().max(residuals.wilo.t_value().abs());
            if by_size {
                rows.sort_by(|a, b| loudness(b.1).total_cmp(&loudness(a.1)));
                rows.truncate(MOST_GROUPS);
            } else {
                rows.sort_by_key(|row| order(row.0));
            }
            write!(
                page,
                "<details open><summary>{title}</summary><table><tr><th></th><th>games</th><th>positions</th><th>draws</th>\
                 <th>predicted</th><th>residual</th><th>t</th><th>winner: residual</th><th>t</th></tr>"
            )?;
            for (group, residuals) in rows {
                let (draw, wilo) = (&residuals.draw, &residuals.wilo);
                write!(
                    page,
                    "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.3}</td><td>{:.3}</td><td>{:+.3}</td>{}<td>{:+.3}</td>{}</tr>",
                    label(group),
                    draw.games,
                    draw.positions,
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

/// Results in the order of a prediction.
const NAMES: [&str; 3] = ["W", "D", "L"];

/// Predicted and observed probabilities by bin; well-filled bins in black.
fn bin_tables(page: &mut String, title: &str, reliability: &[Vec<Bin>; 3]) -> Written {
    write!(
        page,
        "<details><summary>{title}</summary><table><tr><th></th><th>positions</th><th>predicted</th><th>observed</th>\
         <th>difference</th><th>standard error</th><th>t</th></tr>"
    )?;
    for (name, bins) in NAMES.iter().zip(reliability) {
        let filled: Vec<&Bin> = summary::well_filled(bins).collect();
        for bin in bins {
            let class = if filled.iter().any(|other| std::ptr::eq(*other, bin)) { "" } else { " class=\"noise\"" };
            let t = if bin.error > 0.0 { bin.distance() / bin.error } else { 0.0 };
            write!(
                page,
                "<tr{class}><td>{name}</td><td>{}</td><td>{:.3}</td><td>{:.3}</td><td>{:+.3}</td><td>{:.3}</td>{}</tr>",
                bin.positions,
                bin.predicted,
                bin.observed,
                bin.distance(),
                bin.error,
                t_cell(t)
            )?;
        }
    }
    page.push_str("</table></details>");
    Ok(())
}

/// A table of residuals: title, whether the largest t come first, and which groups belong to it.
type Table = (&'static str, bool, fn(&Group) -> bool);

const TABLES: [Table; 7] = [
    ("By material, largest t first", true, |group| matches!(group, Group::Material(_))),
    ("By phase", false, |group| matches!(group, Group::Phase(_))),
    ("By plies since the last capture or pawn move", false, |group| matches!(group, Group::Halfmoves(_))),
    ("By opposite-coloured bishops", false, |group| matches!(group, Group::OppositeBishops(_))),
    ("By king placement", true, |group| matches!(group, Group::Kings(..))),
    ("By move number", false, |group| matches!(group, Group::MoveNumber(_))),
    ("By the size of w, centipawns", false, |group| matches!(group, Group::Size(_))),
];

/// Place of a group among its like.
fn order(group: Group) -> usize {
    match group {
        Group::Phase(step) | Group::Points(step) | Group::Pawns(step) => usize::from(step),
        Group::Halfmoves(step) | Group::Size(step) => step,
        Group::OppositeBishops(company) => company.map_or(0, |company| company + 1),
        Group::MoveNumber(step) => usize::from(step),
        Group::Material(_) | Group::Kings(..) => 0,
    }
}

/// What a group is called.
fn label(group: Group) -> String {
    let men = |[p, n, b, r, q]: [u8; 5]| {
        let run = |name: &str, count: u8| name.repeat(usize::from(count));
        format!("K{}{}{}{}{}", run("Q", q), run("R", r), run("B", b), run("N", n), run("P", p))
    };
    let zone = |zone: KingZone| match zone {
        KingZone::Wing => "wing",
        KingZone::Centre => "centre",
        KingZone::Advanced => "ranks 3, 4",
        KingZone::Far => "ranks 5 to 8",
    };
    match group {
        Group::Material([stronger, weaker]) => format!("{} – {}", men(stronger), men(weaker)),
        Group::Points(step) => format!("{} to {}", 6 * step, 6 * step + 5),
        Group::Pawns(count) => count.to_string(),
        Group::Phase(phase) => phase.to_string(),
        Group::Halfmoves(9) => "90 and more".into(),
        Group::Halfmoves(step) => format!("{} to {}", 10 * step, 10 * step + 9),
        Group::OppositeBishops(None) => "none".into(),
        Group::OppositeBishops(Some(company)) => {
            ["alone", "with knights", "with rooks", "with queens"].get(company).copied().unwrap_or_default().into()
        }
        Group::Kings([a, b], opposite) => {
            format!("{} – {}{}", zone(a), zone(b), if opposite { ", opposite wings" } else { "" })
        }
        Group::Size(knot) => {
            WILO_KNOTS.get(knot + 1).map_or_else(String::new, |&next| format!("{} to {}", WILO_KNOTS[knot], next - 1))
        }
        Group::MoveNumber(12) => "120 and more".into(),
        Group::MoveNumber(step) => format!("{} to {}", 10 * step, 10 * step + 9),
    }
}

fn t_cell(t: f64) -> String {
    if t.abs() >= 3.0 { format!("<td class=\"loud\">{t:+.1}</td>") } else { format!("<td>{t:+.1}</td>") }
}

/// Marks what is within noise in both vectors.
fn noise(worth: &[Option<Worth>; 2]) -> &'static str {
    if worth.iter().flatten().all(|worth| worth.deviates < NOISE) { " class=\"noise\"" } else { "" }
}

/// Writes lines of Markdown tables and plain text as HTML.
fn markdown_tables(page: &mut String, text: &str) -> Written {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut inside = false;
    for line in text.lines() {
        let is_row = line.starts_with('|');
        if is_row != inside {
            page.push_str(if is_row { "<table>" } else { "</table>" });
            inside = is_row;
        }
        if !is_row {
            write!(page, "<p>{}</p>", escape(line))?;
        } else if !line.contains("---") {
            let cells = line.trim_matches('|').split('|').map(|cell| format!("<td>{}</td>", escape(cell.trim())));
            write!(page, "<tr>{}</tr>", cells.collect::<String>())?;
        }
    }
    if inside {
        page.push_str("</table>");
    }
    Ok(())
}
