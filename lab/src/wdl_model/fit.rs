//! `halfpoint-lab fit`: the two-parameter curves of Stockfish's WDL model, from counts.

use super::counts::{self, Counts};
use super::figure;
use super::histogram::{Histogram, MomType, Selection};
use super::model::{self, Method, Model, formula};
use super::panels::Panels;
use crate::figures;
use crate::progress;
use crate::reading::check_distinct;
use crate::writing::check_apart;
use anyhow::Result;
use clap::{Args, ValueEnum};
use halfpoint::output::{error_line, line};
use std::path::{Path, PathBuf};

/// What to fit, and how.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Counts, as `count` and scoreWDLstat write them
    #[arg(default_value = counts::DEFAULT)]
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
    /// What to do with figures; 'save' if one is named, otherwise 'no'
    #[arg(long, value_enum)]
    plot: Option<Plot>,
    /// Where the figure of data and model goes, as SVG, which a name in .png is changed to; scoreWDL.svg if missing
    #[arg(long, alias = "pngName", value_name = "FILE")]
    figure: Option<PathBuf>,
    /// Where a figure of the numbers of wins, draws and losses goes
    #[arg(long, alias = "pngNameDistro", value_name = "FILE")]
    figure_counts: Option<PathBuf>,
    /// Replace files in their places that this program did not draw
    #[arg(long)]
    overwrite: bool,
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

/// Where the figure goes if it is not named.
const DEFAULT_FIGURE: &str = "scoreWDL.svg";

/// What to do with figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Plot {
    /// Draw none
    No,
    /// Write them
    Save,
    /// Write them, and open them with the system's viewer
    #[value(name = "save+show")]
    SaveAndShow,
}

impl Arguments {
    /// Where the figures of data and model and of the numbers go.
    fn figures(&self) -> (Option<PathBuf>, Option<PathBuf>) {
        let as_svg = |path: &Path| match path.extension() {
            Some(ending) if ending.eq_ignore_ascii_case("png") => path.with_extension("svg"),
            _ => path.to_owned(),
        };
        let is_named = self.figure.is_some() || self.figure_counts.is_some();
        match self.plot {
            Some(Plot::No) => (None, None),
            None if !is_named => (None, None),
            _ => {
                let figure = self.figure.as_deref().unwrap_or(Path::new(DEFAULT_FIGURE));
                (Some(as_svg(figure)), self.figure_counts.as_deref().map(as_svg))
            }
        }
    }

    fn target(&self) -> u32 {
        self.mom_target.unwrap_or(match self.selection.mom_type {
            MomType::Move => 32,
            MomType::Material => 58,
        })
    }
}

/// Fits and prints.
pub fn run(arguments: &Arguments) -> Result<()> {
    let (of_model, of_counts) = arguments.figures();
    let outputs: Vec<_> = of_model.iter().chain(&of_counts).map(PathBuf::as_path).collect();
    check_apart(&outputs, arguments.counts.iter().map(PathBuf::as_path))?;
    outputs.iter().try_for_each(|path| figures::check(path, arguments.overwrite))?;
    check_distinct(arguments.counts.iter().map(PathBuf::as_path))?;
    let mut counts = Counts::default();
    arguments.counts.iter().try_for_each(|path| counts.read(path))?;
    let (selection, target) = (&arguments.selection, arguments.target());
    let histogram = Histogram::new(&counts, selection);
    let [wins, draws, losses] = histogram.totals();
    line(format_args!("Retained (W,D,L) = ({wins}, {draws}, {losses}) positions."));
    let model = match arguments.method {
        Method::Nothing => None,
        method => {
            let progress = progress::spinner("fitting");
            let model = model::fit(&histogram, method, target, selection.pawn_value(), arguments.win_min);
            progress.finish_and_clear();
            Some(model?)
        }
    };
    if let Some(model) = &model {
        report(model, selection);
        doubts(&histogram, model).iter().for_each(|doubt| error_line(format_args!("warning: {doubt}")));
    }
    let (low, high) = selection.range();
    let panels = Panels {
        histogram: &histogram,
        model: model.as_ref(),
        selection,
        slice: arguments.mom_plot_target.unwrap_or(target),
        range: (arguments.mom_plot_min.unwrap_or(low), arguments.mom_plot_max.unwrap_or(high)),
    };
    if of_model.is_some() && histogram.row(panels.slice, target).cells.is_empty() {
        let name = selection.mom_type.name();
        error_line(format_args!("warning: no position has {name} {}, so the first panel shows none", panels.slice));
    }
    if let Some(path) = &of_model {
        figures::save(path, &figure::summary(&panels)?)?;
    }
    if let Some(path) = &of_counts {
        figures::save(path, &figure::counts(&panels)?)?;
    }
    if arguments.plot == Some(Plot::SaveAndShow) {
        of_model.iter().chain(&of_counts).for_each(|path| show(path));
    }
    Ok(())
}

/// Opens a figure with the system's viewer, where there is one.
fn show(path: &Path) {
    if let Err(reason) = opener::open(path) {
        error_line(format_args!("warning: {} cannot be shown: {reason}", path.display()));
    }
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
    let negative: Vec<_> =
        histogram.outcomes().map(|(mom, _)| mom).filter(|mom| model.curve.a.at(part(*mom)) <= 0.0).collect();
    if !negative.is_empty() {
        doubts.push(format!("p_a is not positive, so draws have negative probabilities, at {negative:?}"));
    }
    doubts
}

fn report(model: &Model, selection: &Selection) {
    if !model.skipped.is_empty() {
        error_line(format_args!(
            "warning: too little data, so not fitted alone: {} {:?}",
            selection.mom_type.name(),
            model.skipped
        ));
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
