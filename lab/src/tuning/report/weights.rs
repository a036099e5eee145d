//! What terms are worth, tables of squares, and all weights.

use super::plots::{self, Grid};
use super::{HtmlReport, Written};
use crate::tuning::tables::BOARDS;
use crate::tuning::uncertainty::Worth;
use halfpoint::eval::tuning::terms::{Owner, TERMS, Term};
use std::fmt::Write;

/// Deviates below which weights are taken for noise.
const NOISE: f64 = 2.0;

impl HtmlReport<'_> {
    /// Value and standard error of a weight.
    fn cell(&self, vector: usize, parameter: usize) -> String {
        let fit = &self.summary.fits[vector];
        let value = fit.solution.parameters[parameter];
        match fit.uncertainty.of(parameter) {
            Some(error) => format!("<td>{value:.1} ± {error:.1}</td>"),
            // Fixed, or the curve.
            None => format!("<td>{:.0}</td>", fit.rounded[parameter]),
        }
    }

    pub(super) fn terms(&self, page: &mut String) -> Written {
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

    pub(super) fn boards(&self, page: &mut String) -> Written {
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

    pub(super) fn weights(&self, page: &mut String) -> Written {
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
}

/// Marks what is within noise in both vectors.
fn noise(worth: &[Option<Worth>; 2]) -> &'static str {
    if worth.iter().flatten().all(|worth| worth.deviates < NOISE) { " class=\"noise\"" } else { "" }
}
