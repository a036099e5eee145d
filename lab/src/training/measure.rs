//! Losses on games held out, against their results.

use super::level::{Level, losses};
use super::model::{Loss, Model};
use super::options::Options;
use super::prepare::{HeldOut, Rows};
use super::train::Finished;
use crate::outcome::Outcome;
use crate::stats::{self, Bin, Bins, Clustered};
use halfpoint::wdl::model::{C, DRAW_UNITS, WILO_UNITS, expected, sigmoid};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write as _};

/// Mean losses of an epoch, of wilo and draw, in nats.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpochLosses {
    /// Against the targets, while the network changed.
    pub training: [f64; 2],
    /// Against the results of games held out, at the end.
    pub held_out: [f64; 2],
}

impl fmt::Display for EpochLosses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [wilo, draw] = self.held_out;
        let training: f64 = self.training.iter().sum();
        write!(
            f,
            "loss {training:.5} in training, {:.5} on games held out (wilo {wilo:.5}, draw {draw:.5})",
            wilo + draw
        )
    }
}

/// Log odds of a White win and of a draw, of all positions held out.
fn forecasts<const UNITS: usize>(model: &Model<UNITS>, loss: &Loss, rows: &Rows) -> Vec<(f64, f64)> {
    rows.held_out.par_iter().map(|held_out| loss.forecast_with(&held_out.row, model)).collect()
}

/// Mean losses on games held out.
pub fn held_out<const UNITS: usize>(model: &Model<UNITS>, loss: &Loss, rows: &Rows) -> [f64; 2] {
    Predictor::new("", rows, forecasts(model, loss, rows)).losses()
}

/// Forecasts of all positions held out, with a name.
pub struct Predictor {
    pub name: String,
    /// Losses of wilo and draw of each position.
    pub parts: Vec<[f64; 2]>,
    forecasts: Vec<(f64, f64)>,
}

impl Predictor {
    fn new(name: &str, rows: &Rows, forecasts: Vec<(f64, f64)>) -> Predictor {
        let of = |(held_out, &scores): (&HeldOut, &(f64, f64))| losses(held_out.row.outcome, scores);
        Predictor { name: name.to_owned(), parts: rows.held_out.iter().zip(&forecasts).map(of).collect(), forecasts }
    }

    /// Mean losses of wilo and draw, nats.
    pub fn losses(&self) -> [f64; 2] {
        let count = self.parts.len().max(1) as f64;
        [0, 1].map(|part| self.parts.iter().map(|parts| parts[part]).sum::<f64>() / count)
    }
}

/// What the record begins with.
pub const HEADING: &str = "# A network of ";
/// Bins of a chance.
pub const BIN_COUNT: usize = 30;
/// Positions of a bin that tells something, and games that these are of.
const LEAST: usize = 300;
const LEAST_GAMES: usize = 100;

/// What is told of a finished network.
pub struct Summary<'a> {
    pub options: &'a Options,
    pub rows: &'a Rows,
    /// The terms as they are, the baseline if there is one, the network.
    pub predictors: Vec<Predictor>,
    pub losses: &'a [EpochLosses],
    pub level: Level,
    pub search_level: Level,
    speed: f64,
}

impl<'a> Summary<'a> {
    /// Measures a network.
    pub fn new<const UNITS: usize>(options: &'a Options, rows: &'a Rows, finished: &'a Finished<UNITS>) -> Summary<'a> {
        let loss = &finished.loss;
        let terms = rows.held_out.iter().map(|held_out| loss.forecast_of_terms(&held_out.row)).collect();
        let mut predictors = vec![Predictor::new("the terms", rows, terms)];
        if let Some(path) = &options.baseline {
            predictors.push(Predictor::new(&path.display().to_string(), rows, baseline(rows)));
        }
        predictors.push(Predictor::new("with the network", rows, forecasts(&finished.model, loss, rows)));
        let (level, search_level) = (loss.level, loss.search_level);
        Summary { options, rows, predictors, losses: &finished.losses, level, search_level, speed: finished.speed }
    }

    /// The last predictor.
    pub fn network(&self) -> &Predictor {
        &self.predictors[self.predictors.len() - 1]
    }

    /// By how much a part of a predictor's loss is above the network's, with its error over games; both parts without a choice.
    fn behind(&self, predictor: &Predictor, part: Option<usize>) -> Clustered {
        let pick = |parts: &[f64; 2]| part.map_or(parts[0] + parts[1], |part| parts[part]);
        let both = predictor.parts.iter().zip(&self.network().parts).zip(&self.rows.held_out);
        Clustered::of(both.map(|((own, network), held_out)| (held_out.game, pick(own) - pick(network))))
    }

    /// The network's chances of White's win, a draw and a loss against what came, in bins.
    pub fn reliability(&self) -> [Vec<Bin>; 3] {
        let win = |wilo: f64, draw: f64| (1.0 - sigmoid(draw)) * sigmoid(wilo);
        let network = self.network();
        [
            self.bins(network, win, |outcome| f64::from(u8::from(outcome == Outcome::Win))),
            self.bins_of_draw(network),
            self.bins(network, |wilo, draw| win(-wilo, draw), |outcome| f64::from(u8::from(outcome == Outcome::Loss))),
        ]
    }

    /// A predictor's chances of a draw against what came, in bins.
    pub fn bins_of_draw(&self, predictor: &Predictor) -> Vec<Bin> {
        self.bins(predictor, |_, draw| sigmoid(draw), |outcome| f64::from(u8::from(outcome == Outcome::Draw)))
    }

    /// A predictor's expected result for White against what came, in bins.
    pub fn bins_of_score(&self, predictor: &Predictor) -> Vec<Bin> {
        self.bins(predictor, |wilo, draw| expected(sigmoid(wilo), sigmoid(draw)), Outcome::points)
    }

    fn bins(&self, predictor: &Predictor, of: impl Fn(f64, f64) -> f64, came: impl Fn(Outcome) -> f64) -> Vec<Bin> {
        let mut bins = Bins::new(BIN_COUNT);
        for (held_out, &(wilo, draw)) in self.rows.held_out.iter().zip(&predictor.forecasts) {
            bins.add_value(held_out.game, of(wilo, draw), came(held_out.row.outcome));
        }
        bins.filled()
    }

    /// Mean losses of all predictors, by phase or by result: names of the groups, positions, losses.
    pub fn groups(&self, name: &dyn Fn(&HeldOut) -> String) -> Vec<(String, usize, Vec<f64>)> {
        let mut groups: std::collections::BTreeMap<String, Vec<usize>> = std::collections::BTreeMap::new();
        for (index, held_out) in self.rows.held_out.iter().enumerate() {
            groups.entry(name(held_out)).or_default().push(index);
        }
        let mean = |predictor: &Predictor, places: &[usize]| {
            places.iter().map(|&index| predictor.parts[index].iter().sum::<f64>()).sum::<f64>() / places.len() as f64
        };
        let losses = |places: &Vec<usize>| self.predictors.iter().map(|one| mean(one, places)).collect();
        groups.into_iter().map(|(name, places)| (name, places.len(), losses(&places))).collect()
    }

    /// The record, in Markdown.
    pub fn record(&self) -> String {
        let Options { units, epochs, rate, decay, lambda_wilo, lambda_draw, seed, .. } = self.options;
        let mut text = format!(
            "{HEADING}{units} units\n\n{} positions, {} of {} games held out; {epochs} epochs, rate {rate}, decay {decay}, \
             lambda {lambda_wilo} for wilo and {lambda_draw} for draw, seed {seed}; {:.2} million positions a second.\n\n\
             The games' level: {} for the terms; {} for searches.\n\n\
             | on games held out | loss | wilo | draw | above the network | wilo | draw |\n|---|---|---|---|---|---|---|\n",
            self.rows.training,
            self.rows.held_out.len(),
            self.rows.held_out.chunk_by(|one, other| one.game == other.game).count(),
            self.speed / 1e6,
            self.level,
            self.search_level,
        );
        for predictor in &self.predictors {
            let [wilo, draw] = predictor.losses();
            let _ = write!(text, "| {} | {:.5} | {wilo:.5} | {draw:.5} |", predictor.name, wilo + draw);
            for part in [None, Some(0), Some(1)] {
                let behind = self.behind(predictor, part);
                let _ = write!(text, " {:.5} ± {:.5} |", behind.rounded_mean(5), behind.standard_error());
            }
            text.push('\n');
        }
        let _ = write!(
            text,
            "\nThe farthest of {BIN_COUNT} bins with {LEAST} positions and {LEAST_GAMES} games or more:\n\n| | P | D |\n|---|---|---|\n"
        );
        for predictor in &self.predictors {
            let [score, draw] = [self.bins_of_score(predictor), self.bins_of_draw(predictor)].map(|bins| {
                let told = |bin: &Bin| {
                    let Bin { predicted, observed, standard_error, .. } = bin;
                    format!("{predicted:.3} foretold, {observed:.3} ± {standard_error:.3} came")
                };
                stats::worst(&bins, LEAST, LEAST_GAMES).map_or("none".to_owned(), told)
            });
            let _ = writeln!(text, "| {} | {score} | {draw} |", predictor.name);
        }
        text
    }
}

/// Forecasts of the baseline, at the level that suits it best on the very games held out.
fn baseline(rows: &Rows) -> Vec<(f64, f64)> {
    let scores = |held_out: &HeldOut| {
        let (wilo, draw) = held_out.baseline;
        (C * f64::from(wilo) / WILO_UNITS, f64::from(draw) / DRAW_UNITS)
    };
    let case = |held_out: &HeldOut| {
        let (wilo, draw) = scores(held_out);
        (held_out.row.outcome, wilo, draw)
    };
    let level = Level::fit(&rows.held_out.iter().map(case).collect::<Vec<_>>(), false);
    rows.held_out.iter().map(scores).map(|(wilo, draw)| level.of(wilo, draw)).collect()
}
