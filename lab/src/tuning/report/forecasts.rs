//! Losses by iteration, reliability and draw rates.

use super::plots::{self, Series};
use super::{FEW_GAMES, HtmlReport, Written, t_cell};
use crate::reliability;
use crate::stats::Bin;
use crate::tuning::fit::Fit;
use crate::tuning::residuals::Category;
use crate::tuning::summary;
use crate::tuning::vector::Vector;
use std::fmt::Write;

impl HtmlReport<'_> {
    pub(super) fn progress(&self, page: &mut String) -> Written {
        page.push_str("<h2>Loss by iteration</h2><div class=\"plots\">");
        for (vector, fit) in [Vector::Wilo, Vector::Draw].iter().zip(&self.summary.fits) {
            let Fit { trace, .. } = fit;
            let series = |name: &str, split: usize, sampled: Option<bool>| Series {
                name: name.to_owned(),
                points: (0..)
                    .zip(trace)
                    .filter(|(_, (_, is_sample))| sampled.is_none_or(|wanted| wanted == *is_sample))
                    .map(|(step, (losses, _))| (f64::from(step), losses[split]))
                    .collect(),
            };
            let mut all = vec![
                series("training", 0, Some(false)),
                series("validation", 1, None),
                series("test", 2, None),
                series("sample of training", 0, Some(true)),
            ];
            all.retain(|series| !series.points.is_empty());
            page.push_str(&plots::lines(vector.name(), "iteration", "nats a position", &all)?);
        }
        page.push_str("</div>");
        Ok(())
    }

    pub(super) fn reliability(&self, page: &mut String) -> Written {
        page.push_str(
            "<h2>Reliability on the test positions</h2><p class=\"note\">Dots on the line are right; bars are 95 % intervals, \
             games being the observations. Numbers are those of positions.</p><div class=\"plots\">",
        );
        page.push_str(&reliability::diagram(&[("new weights".to_owned(), &self.summary.reliability)])?);
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
            page.push_str(&reliability::diagram(&[("cross-validation".to_owned(), &folds.measures.bins)])?);
            page.push_str("</div>");
            bin_tables(page, "Bins of all positions", &folds.measures.bins)?;
        }
        Ok(())
    }

    pub(super) fn draw_rates(&self, page: &mut String) -> Written {
        page.push_str("<h2>Draw rate by material</h2><div class=\"plots\">");
        type Key = fn(Category) -> Option<f64>;
        let pick: [(&str, Key); 2] = [
            ("points of the pieces on the board (3, 3, 5, 9)", |category| match category {
                Category::Points(step) => Some(6.0 * f64::from(step)),
                _ => None,
            }),
            ("pawns on the board", |category| match category {
                Category::Pawns(count) => Some(f64::from(count)),
                _ => None,
            }),
        ];
        for (name, key) in pick {
            let mut points: Vec<(f64, f64, f64)> = self
                .details
                .residuals
                .iter()
                .filter(|(_, residuals)| residuals.draw.games >= FEW_GAMES)
                .filter_map(|(&category, residuals)| {
                    let predicted = residuals.predicted_draws();
                    Some((key(category)?, predicted + residuals.draw.mean(), predicted))
                })
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let lines = [
                Series {
                    name: "observed".into(),
                    points: points.iter().map(|&(x, observed, _)| (x, observed)).collect(),
                },
                Series {
                    name: "predicted".into(),
                    points: points.iter().map(|&(x, _, predicted)| (x, predicted)).collect(),
                },
            ];
            page.push_str(&plots::lines("", name, "share of draws", &lines)?);
        }
        page.push_str("</div>");
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
        let least = summary::well_filled(bins);
        for bin in bins {
            let class = if bin.positions >= least { "" } else { " class=\"noise\"" };
            write!(
                page,
                "<tr{class}><td>{name}</td><td>{}</td><td>{:.3}</td><td>{:.3}</td><td>{:+.3}</td><td>{:.3}</td>{}</tr>",
                bin.positions,
                bin.predicted,
                bin.observed,
                bin.distance(),
                bin.standard_error,
                t_cell(bin.t_value())
            )?;
        }
    }
    page.push_str("</table></details>");
    Ok(())
}
