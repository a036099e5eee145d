//! The report: one HTML file with its plots inside.

mod forecasts;
mod residuals;
mod weights;

use super::predictions::{self, Prediction};
use super::residuals::{Category, Residuals, residuals};
use super::summary::Summary;
use super::tuner::Tuner;
use super::vector::Vector;
use crate::stats::Bin;
use anyhow::Result;
use halfpoint::eval::tuning::terms::TERMS;
use std::collections::HashMap;
use std::fmt::Write;

/// A report's two parts.
pub struct HtmlReport<'a> {
    pub summary: &'a Summary<'a>,
    pub details: Details,
}

/// What a report shows beside the summary.
pub struct Details {
    /// In how many training positions each feature arises.
    pub occurrences: Vec<u64>,
    pub residuals: HashMap<Category, Residuals>,
    /// Reliability of win, draw and loss on the training positions.
    pub training: [Vec<Bin>; 3],
}

impl Details {
    /// Of the present splits, with the predictions of each.
    pub fn new(tuner: &Tuner, predictions: &[Vec<Prediction>; 3]) -> Details {
        let mut all: HashMap<Category, Residuals> = HashMap::new();
        for (blocks, predictions) in tuner.splits.iter().zip(predictions) {
            for (category, of_split) in residuals(blocks, predictions, &tuner.coefficients) {
                all.entry(category).or_default().merge(&of_split);
            }
        }
        Details {
            occurrences: tuner.objective(Vector::Draw, 0).occurrences(),
            residuals: all,
            training: predictions::measures(&tuner.splits[0], &predictions[0]).bins,
        }
    }
}

/// How reports look.
pub const STYLE: &str = "body{font:15px/1.45 sans-serif;max-width:1080px;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:.6em 0}td,th{padding:.15em .6em;text-align:right;border-bottom:1px solid #ddd}
td:first-child,th:first-child{text-align:left}th{background:#f4f4f4;position:sticky;top:0}
.noise{color:#999}.loud{font-weight:bold}figure{display:inline-block;margin:.4em}summary{cursor:pointer;padding:.15em 0}
.record td:last-child{text-align:left}.plots svg{max-width:100%}p.note{color:#555;max-width:50em}";

/// What the report has in its head.
pub const TITLE: &str = "<title>halfpoint tune</title>";

/// Games below which a group of residuals is left out.
const FEW_GAMES: usize = 30;

pub type Written = Result<()>;

impl HtmlReport<'_> {
    /// The whole file.
    pub fn html(&self) -> Result<String> {
        let mut page = String::new();
        write!(
            page,
            "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">{TITLE}\
             <style>{STYLE}</style></head><body><h1>Tuning report</h1>"
        )?;
        page.push_str("<div class=\"record\">");
        markdown_tables(&mut page, &self.summary.record())?;
        page.push_str("</div>");
        self.reliability(&mut page)?;
        self.terms(&mut page)?;
        self.boards(&mut page)?;
        self.residual_tables(&mut page)?;
        page.push_str("</body></html>\n");
        Ok(page)
    }

    /// Every weight before and after rounding, with its standard error, as CSV.
    pub fn csv(&self) -> String {
        let mut text = "term,index,column,exact,error,rounded,positions\n".to_owned();
        for term in TERMS {
            for (vector, fit) in Vector::BOTH.iter().zip(&self.summary.fits) {
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
}

/// Writes lines of Markdown tables and plain text as HTML.
pub fn markdown_tables(page: &mut String, text: &str) -> Written {
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
        } else if !line.bytes().all(|byte| b"|-: ".contains(&byte)) {
            let cells = line.trim_matches('|').split('|').map(|cell| format!("<td>{}</td>", escape(cell.trim())));
            write!(page, "<tr>{}</tr>", cells.collect::<String>())?;
        }
    }
    if inside {
        page.push_str("</table>");
    }
    Ok(())
}

/// A cell with a t value, bold from 3 on.
fn t_cell(t: f64) -> String {
    if t.abs() >= 3.0 { format!("<td class=\"loud\">{t:+.1}</td>") } else { format!("<td>{t:+.1}</td>") }
}
