//! The numbers of a tuning: on the terminal and in the record beside the weights.

use super::cross_validation::Folds;
use super::data::{SPLITS, Tallies};
use super::fit::{Fit, Other};
use super::objective::{Level, WORTH_OF_RATINGS};
use super::options::{Centre, Noisy, Options, Take, Vectors};
use super::predictions::Calibration;
use super::signs::{self, Unexpected};
use super::vector::{Vector, WEIGHTS};
use crate::outcome::Outcome;
use crate::stats::{Bin, Clustered, MANY_GAMES, Measures, worst};
use std::fmt::Write;
use std::path::Path;
use time::OffsetDateTime;

/// One way to predict, measured on the test positions.
pub struct Predictor {
    pub name: String,
    /// How well, White's view.
    pub measures: Measures,
    /// By how much its log loss exceeds that of the new weights.
    pub behind: Clustered,
}

/// Everything that is worth a line.
pub struct Summary<'a> {
    pub options: &'a Options,
    pub groups: &'a [String],
    /// Factor on the wilo of searches in the targets, for each group.
    pub factors: &'a [f64],
    pub tallies: Tallies,
    pub fits: [Fit; 2],
    /// Mean loss of the draw vector with its curve on training, validation and test.
    pub curve: [f64; 3],
    /// From the simplest to the new weights.
    pub predictors: Vec<Predictor>,
    /// Reliability bins of win, draw and loss on the test positions.
    pub reliability: [Vec<Bin>; 3],
    /// What is left to correct in the log odds of wilo and draw on the test positions.
    pub calibration: [Option<Calibration>; 2],
    /// Positions whose draw score is saturated.
    pub saturated: usize,
    /// How well all games are predicted by weights that have not seen them, if that was asked for.
    pub folds: Option<Folds>,
}

/// What the file of the record begins with.
pub const HEADING: &str = "# Record of the weights";

/// A bin of a reliability diagram is well filled with this fraction of the positions.
const WELL_FILLED: f64 = 0.01;

/// Positions from which on a bin is well filled.
pub fn well_filled(bins: &[Bin]) -> usize {
    let all: usize = bins.iter().map(|bin| bin.positions).sum();
    (WELL_FILLED * all as f64).ceil() as usize
}

/// The well-filled bin with the largest distance between predicted and observed probability: win, draw and loss.
fn worst_bins(reliability: &[Vec<Bin>; 3]) -> String {
    let worst = reliability.each_ref().map(|bins| {
        let bin = worst(bins, well_filled(bins), MANY_GAMES);
        bin.map_or("none".into(), |bin| {
            format!("{:+.3} ± {:.3} at {:.2}", bin.distance(), bin.standard_error, bin.predicted)
        })
    });
    worst.join(", ")
}

/// The line over the log odds of each vector that would fit best.
fn lines(calibration: &[Option<Calibration>; 2]) -> String {
    let fits = ["who wins", "draw"].iter().zip(calibration).map(|(what, fit)| {
        let Some(Calibration { slope, offset, errors }) = fit else { return format!("{what} not determined") };
        format!("{what} × {slope:.3} ± {:.3}, {offset:+.3} ± {:.3}", errors[0], errors[1])
    });
    fits.collect::<Vec<_>>().join("; ")
}

impl Summary<'_> {
    /// Level of each group but the first, and what ratings are worth, with standard errors.
    fn levels(&self) -> Vec<(String, String)> {
        let [wilo, draw] = &self.fits;
        let error = |fit: &Fit, parameter: usize| fit.uncertainty.of(parameter).unwrap_or(f64::INFINITY);
        let unit = Vector::Draw.logits_per_unit();
        let mut lines = Vec::new();
        for (group, name) in self.groups.iter().enumerate().skip(1) {
            let parameter = WEIGHTS + group;
            let level = Level::of(wilo.rounded[parameter]);
            let percent = 100.0 * level.slope * error(wilo, parameter);
            let bound = if level.is_at_bound() { ", AT ITS BOUND" } else { "" };
            let (offset, of_offset) = (unit * draw.rounded[parameter], unit * error(draw, parameter));
            let factor = level.factor;
            lines.push((
                format!("level of {name}"),
                format!("w × {factor:.3} (± {percent:.0} %{bound}), d {offset:+.3} ± {of_offset:.3}"),
            ));
        }
        let worth = wilo.rounded[WORTH_OF_RATINGS];
        if worth != 0.0 {
            let of_worth = error(wilo, WORTH_OF_RATINGS);
            lines.push(("worth of 100 Elo".to_owned(), format!("w {worth:+.1} ± {of_worth:.1} centipawns")));
        }
        lines
    }

    /// The record as Markdown.
    pub fn record(&self) -> String {
        let Summary { options, tallies, .. } = self;
        let mut text = String::new();
        let mut line = |what: &str, value: String| {
            let _ = writeln!(text, "| {what} | {value} |");
        };
        line("what", "value".into());
        line("---", "---".into());
        line("date", OffsetDateTime::now_utc().date().to_string());
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().replace('|', "\\|");
        let data = options.data.iter().map(|source| match source.group.as_str() {
            "" => name(&source.path),
            group => format!("{group}: {}", name(&source.path)),
        });
        line("data", data.collect::<Vec<_>>().join(", "));
        let [won, drawn, lost] = Outcome::ALL.map(|outcome| tallies.percent(outcome));
        let games = format!("{}; {won:.1} % won by White, {drawn:.1} % drawn, {lost:.1} % won by Black", tallies.games);
        line("games", games);
        line(
            "positions",
            format!("{} of {}; fixed weights decide {} of them", tallies.used, tallies.seen, self.saturated),
        );
        line("settings", self.settings());
        if options.lambdas() != [1.0; 2] {
            let factors = self.groups.iter().zip(self.factors).map(|(group, factor)| match group.as_str() {
                "" => format!("{factor:.3}"),
                group => format!("{group}: {factor:.3}"),
            });
            line("factor on the searches' w, to fit the results", factors.collect::<Vec<_>>().join(", "));
        }
        line("start and centre of the prior", self.start(name));
        for ((vector, unit), fit) in [("wilo", "centipawns"), ("draw", "hundredths of a logit")].iter().zip(&self.fits)
        {
            let solution = &fit.solution;
            line(
                &format!("{vector}: solver"),
                format!(
                    "{} after {} passes in {:.1} s, loss with the prior {:.9} a position, gradient \
                     {:.0e} standard errors; {} weights, prior ±{:.3} {unit}",
                    if solution.converged { "converged" } else { "NOT CONVERGED" },
                    solution.passes,
                    solution.time.as_secs_f64(),
                    solution.loss / fit.positions[0] as f64,
                    solution.gradient,
                    solution.variables.len() - self.groups.len(),
                    fit.deviation
                ),
            );
            if !fit.others.is_empty() {
                let most = |of: fn(&Other) -> f64| fit.others.iter().map(of).fold(0.0, f64::max);
                let converged = fit.others.iter().filter(|other| other.converged).count();
                line(
                    &format!("{vector}: {} random starts", fit.others.len()),
                    format!(
                        "{converged} converged; losses differ by up to {:.0e} a position, weights before rounding by up to \
                         {:.0e} {unit}",
                        most(|other| other.loss.abs()),
                        most(|other| other.weight)
                    ),
                );
            }
            let losses = |losses: [f64; 3]| losses.map(|loss| format!("{loss:.7}")).join(", ");
            let names = SPLITS.map(|(_, name)| name).join(", ");
            line(&format!("{vector}: loss a position ({names})"), losses(fit.losses));
            let lost = [0, 1, 2].map(|split| format!("{:+.1e}", fit.losses_rounded[split] - fit.losses[split]));
            line(&format!("{vector}: lost by rounding"), lost.join(", "));
        }
        let won = [0, 1, 2].map(|split| format!("{:+.1e}", self.curve[split] - self.fits[1].losses_rounded[split]));
        line("draw: changed by the curve", won.join(", "));
        for (name, level) in self.levels() {
            line(&name, level);
        }
        line("worst well-filled bin of W, D, L", worst_bins(&self.reliability));
        line("log odds on the test positions would fit best", lines(&self.calibration));
        if let Some(Folds { count, measures, calibration }) = &self.folds {
            line(
                &format!("cross-validation by {count} parts: log loss (of the draw, of the winner), Brier"),
                format!(
                    "{:.4} ({:.4}, {:.4}), {:.4} on all {} positions",
                    measures.log_loss, measures.draw_part, measures.winner_part, measures.brier, measures.positions
                ),
            );
            line("its worst well-filled bin of W, D, L", worst_bins(&measures.bins));
            line("its log odds would fit best", lines(calibration));
        }

        let _ = writeln!(text, "\nOn the {} positions for the final test, nats:\n", self.fits[1].positions[2]);
        let _ = writeln!(text, "| prediction | log loss | of the draw | of the winner | Brier | MSE of P | behind |");
        let _ = writeln!(text, "|---|---|---|---|---|---|---|");
        for Predictor { name, measures: m, behind } in &self.predictors {
            let _ = writeln!(
                text,
                "| {name} | {:.4} | {:.4} | {:.4} | {:.4} | {:.4} | {:.4} ± {:.4} |",
                m.log_loss,
                m.draw_part,
                m.winner_part,
                m.brier,
                m.score_error,
                behind.rounded_mean(4),
                behind.standard_error()
            );
        }
        let unexpected = signs::unexpected(&self.fits[0]);
        if !unexpected.is_empty() {
            let _ = writeln!(text, "\nSigns against expectation, wilo in centipawns:\n");
            let _ = writeln!(text, "| term | index | phase | weight |\n|---|---|---|---|");
            for Unexpected { term, index, phase, weight, error } in unexpected {
                let _ = writeln!(text, "| {term} | {index} | {phase} | {weight:+.1} ± {error:.1} |");
            }
        }
        text
    }

    fn settings(&self) -> String {
        let Options { positions, skip_plies, checks, noisy, mates, validation, test, seed, .. } = *self.options;
        let left_out = [
            (checks == Take::Skip, "in check"),
            (noisy == Noisy::Skip, "not quiet"),
            (mates == Take::Skip, "with a mate in sight"),
        ];
        let left_out: Vec<&str> = left_out.iter().filter(|(is_out, _)| *is_out).map(|&(_, what)| what).collect();
        let [wilo, draw] = self.options.lambdas();
        let mut parts =
            vec![if wilo == draw { format!("λ {wilo}") } else { format!("λ {wilo} for wilo, {draw} for draw") }];
        parts.push(if positions == 0 { "all positions".into() } else { format!("{positions} positions a game") });
        parts.push(format!("from ply {}", skip_plies + 1));
        if !left_out.is_empty() {
            parts.push(format!("none {}", left_out.join(", ")));
        }
        if noisy == Noisy::Resolve {
            parts.push("quiescence leaves".into());
        }
        parts.push(format!("validation {validation}, test {test}, seed {seed}"));
        let smooth = [("wilo", self.options.smooth_wilo), ("draw", self.options.smooth_draw)];
        match self.options.vectors {
            Vectors::Both => {}
            Vectors::Wilo => parts.push("wilo alone".into()),
            Vectors::Draw => parts.push("draw alone".into()),
        }
        parts.push(format!("fixed: {}", self.options.fix));
        parts.extend(smooth.iter().filter_map(|(vector, by)| by.map(|by| format!("neighbours in {vector} ±{by}"))));
        parts.join("; ")
    }

    fn start(&self, name: impl Fn(&Path) -> String) -> String {
        let start = self.options.start.as_deref().map_or("the weights of the binary".into(), name);
        match self.options.prior {
            Centre::Old => format!("{start}, which may have been fitted to the same games"),
            Centre::Zero => format!("{start}; zero"),
        }
    }
}

/// The record as a file of its own.
pub fn page(record: &str) -> String {
    format!("{HEADING}\n\nWritten by `halfpoint-lab tune`.\n\n{}\n", record.trim_end())
}
