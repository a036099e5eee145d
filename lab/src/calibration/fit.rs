//! `wdl fit`: the two-parameter curves of Stockfish's WDL model, from counts.
//!
//! As in the `scoreWDL.py` of that model: first `a` and `b` for each material or move number alone, then the cubic
//! polynomials nearest to these, then, unless only densities are fitted, the polynomials with the best objective over
//! all positions.

use super::curve::{Curve, Objective, Polynomial, Row};
use super::figure::{self, Panels};
use super::histogram::{Histogram, MomType, Selection};
use super::{Counts, Error, files, plot};
use crate::output::line;
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use std::path::PathBuf;

/// Powers of the polynomials.
const DEGREE: usize = 3;
/// Width of a curve in pawns to begin with.
const FIRST_WIDTH: f64 = 1.0 / 6.0;
/// What an impossible outcome counts as.
const LEAST_PROBABILITY: f64 = 1e-14;

/// How curves are fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Rates of wins near the shares of wins
    #[value(name = "fitDensity")]
    FitDensity,
    /// The likeliest outcomes
    #[value(name = "optimizeProbability")]
    OptimizeProbability,
    /// Expected results near the real ones
    #[value(name = "optimizeScore")]
    OptimizeScore,
}

impl Method {
    /// What is made small over all positions; nothing if only densities are fitted.
    fn objective(self) -> Option<Objective> {
        match self {
            Method::FitDensity => None,
            Method::OptimizeProbability => Some(Objective::Probability { floor: LEAST_PROBABILITY }),
            Method::OptimizeScore => Some(Objective::Score),
        }
    }
}

/// What to fit, and how.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Counts, as `wdl count` and scoreWDLstat write them
    #[arg(required = true)]
    counts: Vec<PathBuf>,
    #[command(flatten)]
    selection: Selection,
    /// How to fit
    #[arg(long, alias = "modelFitting", value_enum, default_value = "optimizeProbability")]
    method: Method,
    /// The polynomials are written in parts of this material or move number; 58 for material, 32 for moves if missing
    #[arg(long, alias = "momTarget", value_parser = clap::value_parser!(u32).range(1..=200))]
    mom_target: Option<u32>,
    /// Material or move numbers with fewer wins are not fitted alone
    #[arg(long, alias = "winMin", default_value_t = 10)]
    win_min: u64,
    /// Draw data and model into FILE, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Draw the numbers of wins, draws and losses into FILE, as SVG
    #[arg(long, value_name = "FILE")]
    plot_counts: Option<PathBuf>,
    /// Least material or move number in the figure
    #[arg(long, alias = "momPlotMin")]
    mom_plot_min: Option<u32>,
    /// Largest material or move number in the figure
    #[arg(long, alias = "momPlotMax")]
    mom_plot_max: Option<u32>,
    /// Material or move number that the first panel shows
    #[arg(long, alias = "momPlotTarget")]
    mom_plot_target: Option<u32>,
}

impl Arguments {
    fn target(&self) -> u32 {
        self.mom_target.unwrap_or(match self.selection.mom_type {
            MomType::Move => 32,
            MomType::Material => 58,
        })
    }
}

/// A fitted model.
#[derive(Clone, Debug)]
pub struct Model {
    /// Each material or move number fitted alone, with its `a` and `b`.
    pub single: Vec<(u32, f64, f64)>,
    /// Material or move numbers with too few wins for that.
    pub skipped: Vec<u32>,
    /// The objective with the polynomials nearest to those, and with the best; none if densities were fitted.
    pub objective: Option<[f64; 2]>,
    /// The polynomials.
    pub curve: Curve,
    /// What the polynomials count in parts of.
    pub target: u32,
}

/// Fits a model.
///
/// # Errors
///
/// [`Error`] if fewer rows have `win_min` wins than a polynomial has coefficients.
pub fn fit(histogram: &Histogram, method: Method, target: u32, scale: f64, win_min: u64) -> Result<Model, Error> {
    let (rich, poor): (Vec<_>, Vec<_>) = histogram.outcomes().partition(|(_, [wins, ..])| *wins >= win_min);
    let skipped = poor.iter().map(|(mom, _)| *mom).collect();
    if rich.len() <= DEGREE {
        let reason = format!(
            "too little data: {} rows of material or move number have {win_min} wins or more, {} are needed",
            rich.len(),
            DEGREE + 1
        );
        return Err(Error::Data(reason));
    }
    let alone = |mom: u32| {
        let row = [histogram.row(mom, target)];
        let start = Curve { a: Polynomial(vec![scale]), b: Polynomial(vec![scale * FIRST_WIDTH]) };
        let density = Objective::Density.fit(&row, &start, scale);
        let best = method.objective().map_or(density.clone(), |objective| objective.fit(&row, &density, scale));
        (mom, best.a.at_one(), best.b.at_one())
    };
    let single: Vec<_> = rich.par_iter().map(|(mom, _)| alone(*mom)).collect();
    let nearest = |value: fn(&(u32, f64, f64)) -> f64| {
        let points: Vec<_> =
            single.iter().map(|point| (f64::from(point.0) / f64::from(target), value(point))).collect();
        Polynomial::nearest(&points, DEGREE)
    };
    let first = Curve { a: nearest(|point| point.1), b: nearest(|point| point.2) };
    let rows: Vec<Row> = histogram.rows(target);
    let curve = method.objective().map_or(first.clone(), |objective| objective.fit(&rows, &first, scale));
    let objective = method.objective().map(|objective| [&first, &curve].map(|curve| printed(objective, &rows, curve)));
    Ok(Model { single, skipped, objective, curve, target })
}

/// An objective as it is printed: errors of the score as their root mean square.
fn printed(objective: Objective, rows: &[Row], curve: &Curve) -> f64 {
    let value = objective.value(rows, curve);
    if objective == Objective::Score { value.sqrt() } else { value }
}

/// A polynomial as source text.
pub fn formula(polynomial: &Polynomial, target: u32) -> String {
    let c = &polynomial.0;
    format!("(({:.3} * x / {target} + {:.3}) * x / {target} + {:.3}) * x / {target} + {:.3}", c[0], c[1], c[2], c[3])
}

/// Fits and prints.
///
/// # Errors
///
/// [`Error`] if a file cannot be read or written, or holds too little data.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.plot.iter().chain(&arguments.plot_counts).try_for_each(|path| files::expect_folder(path))?;
    let mut counts = Counts::default();
    arguments.counts.iter().try_for_each(|path| counts.read(path))?;
    let (selection, target) = (&arguments.selection, arguments.target());
    let histogram = Histogram::new(&counts, selection);
    let [wins, draws, losses] = histogram.totals();
    line(format_args!("Retained (W,D,L) = ({wins}, {draws}, {losses}) positions."));
    let progress = files::spinner("fitting");
    let model = fit(&histogram, arguments.method, target, selection.pawn_value(), arguments.win_min);
    progress.finish_and_clear();
    let model = model?;
    report(&model, selection);
    doubts(&histogram, &model).iter().for_each(|doubt| eprintln!("warning: {doubt}"));
    let (low, high) = selection.range();
    let panels = Panels {
        histogram: &histogram,
        model: &model,
        selection,
        slice: arguments.mom_plot_target.unwrap_or(target),
        range: (arguments.mom_plot_min.unwrap_or(low), arguments.mom_plot_max.unwrap_or(high)),
    };
    if arguments.plot.is_some() && histogram.row(panels.slice, target).cells.is_empty() {
        let name = selection.mom_type.name();
        eprintln!("warning: no position has {name} {}, so the first panel shows none", panels.slice);
    }
    if let Some(path) = &arguments.plot {
        plot::save(path, &figure::model(&panels)?)?;
    }
    if let Some(path) = &arguments.plot_counts {
        plot::save(path, &figure::counts(&panels)?)?;
    }
    Ok(())
}

/// Why a model may be of no use.
fn doubts(histogram: &Histogram, model: &Model) -> Vec<String> {
    let mut doubts = Vec::new();
    for (total, name) in histogram.totals().into_iter().zip(["won", "drawn", "lost"]) {
        if total == 0 {
            doubts.push(format!("no position was {name}, so the model means nothing"));
        }
    }
    let part = |mom: u32| f64::from(mom) / f64::from(model.target);
    let senseless: Vec<_> =
        histogram.outcomes().map(|(mom, _)| mom).filter(|mom| model.curve.b.at(part(*mom)) <= 0.0).collect();
    if !senseless.is_empty() {
        doubts.push(format!("the spread p_b is not positive, so the model means nothing, at {senseless:?}"));
    }
    doubts
}

fn report(model: &Model, selection: &Selection) {
    if !model.skipped.is_empty() {
        eprintln!("warning: too little data, so not fitted alone: {} {:?}", selection.mom_type.name(), model.skipped);
    }
    if let Some([first, last]) = model.objective {
        line(format_args!("Initial objective function: {first}"));
        line(format_args!("Final objective function:   {last}"));
    }
    let (a, b) = (model.curve.a.at_one(), model.curve.b.at_one());
    let [_, draw, _] = model.curve.rates(0.0, 1.0);
    line(format_args!("const int NormalizeToPawnValue = {};", (a + 0.5) as i64));
    line(format_args!("Corresponding spread = {};", (b + 0.5) as i64));
    line(format_args!("Corresponding normalized spread = {};", b / a));
    line(format_args!("Draw rate at 0.0 eval at {} {} = {draw};", selection.mom_type.name(), model.target));
    line(format_args!("Parameters in internal value units:"));
    for (name, polynomial) in [("a", &model.curve.a), ("b", &model.curve.b)] {
        line(format_args!("p_{name} = {}", formula(polynomial, model.target)));
    }
    for (name, polynomial) in [("a", &model.curve.a), ("b", &model.curve.b)] {
        let list: Vec<_> = polynomial.0.iter().map(|c| format!("{c:.8}")).collect();
        line(format_args!("    constexpr double {name}s[] = {{{}}};", list.join(", ")));
    }
}
