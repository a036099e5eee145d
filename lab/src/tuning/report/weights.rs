//! What terms are worth, and tables of squares.

use super::{HtmlReport, Written};
use crate::grids::{self, Grid};
use crate::tuning::tables::BOARDS;
use crate::tuning::uncertainty::Worth;
use halfpoint::eval::tuning::terms::TERMS;
use std::fmt::Write;

/// Deviates below which weights are taken for noise.
const NOISE: f64 = 2.0;

impl HtmlReport<'_> {
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
            page.push_str(&grids::heat_maps(&grids)?);
        }
        page.push_str("</div>");
        Ok(())
    }
}

/// Marks what is within noise in both vectors.
fn noise(worth: &[Option<Worth>; 2]) -> &'static str {
    if worth.iter().flatten().all(|worth| worth.deviates < NOISE) { " class=\"noise\"" } else { "" }
}
