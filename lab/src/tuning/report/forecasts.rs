//! Reliability.

use super::{HtmlReport, Written, t_cell};
use crate::reliability;
use crate::stats::Bin;
use crate::tuning::summary;
use std::fmt::Write;

impl HtmlReport<'_> {
    pub(super) fn reliability(&self, page: &mut String) -> Written {
        page.push_str(
            "<h2>Reliability on the test positions</h2><p class=\"note\">Dots on the line are right; bars are 95 % intervals, \
             games being the observations; numbers are those of games.</p><div class=\"plots\">",
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
