//! The figures of counts: six panels as in Stockfish's WDL model, three without a model, and the numbers of positions.

use super::bands::{self, legend, measured, modelled};
use super::model::{Model, formula};
use super::panels::{Panels, beyond, check, over_evaluations};
use crate::figures::{Area, TEXT, TITLE, blue, green, key, red, sheet, square};
use crate::outcome::Outcome;
use anyhow::Result;
use plotters::prelude::*;

/// Width of a sheet, and height of a row of panels.
const SIZE: (u32, u32) = (1750, 575);
const LEGEND_WIDTH: u32 = 80;

/// A row of panels with the data, and one with the model if there is one.
pub fn summary(panels: &Panels<'_>) -> Result<String> {
    check(panels)?;
    let rows = 1 + u32::from(panels.model.is_some());
    sheet((SIZE.0, rows * SIZE.1), |area| {
        let subject = if panels.model.is_some() { "model analysis" } else { "data" };
        let area = area.titled(&format!("Summary of win-draw-loss {subject}"), ("sans-serif", 24))?;
        let (panels_area, legend_area) = area.split_horizontally(SIZE.0 - LEGEND_WIDTH);
        legend(&legend_area, rows)?;
        let areas = panels_area.split_evenly((rows as usize, 3));
        slice(&areas[0], panels)?;
        for (column, outcome) in [(1, Outcome::Win), (2, Outcome::Draw)] {
            bands::panel(&areas[column], panels, outcome, "Data", |window| measured(panels, window))?;
        }
        let Some(model) = panels.model else { return Ok(()) };
        parameters(&areas[3], panels, model)?;
        for (column, outcome) in [(4, Outcome::Win), (5, Outcome::Draw)] {
            bands::panel(&areas[column], panels, outcome, "Model", |window| modelled(model, window))?;
        }
        Ok(())
    })
}

/// Numbers of wins, draws and losses.
pub fn counts(panels: &Panels<'_>) -> Result<String> {
    check(panels)?;
    let (low, high) = panels.range;
    let most = panels.histogram.outcomes().map(|(_, counts)| counts.iter().sum::<u64>()).max().unwrap_or_default();
    sheet((900, 600), |area| {
        let mut chart = ChartBuilder::on(area)
            .caption("Positions won, drawn and lost by the side to move", TITLE)
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(80)
            .build_cartesian_2d(f64::from(low) - 1.0..f64::from(high) + 1.0, 0.0..1.05 * most as f64)?;
        let name = panels.selection.mom_type.name();
        chart
            .configure_mesh()
            .label_style(TEXT)
            .x_desc(name)
            .y_desc("positions")
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| format!("{y:.0}"))
            .light_line_style(TRANSPARENT)
            .disable_x_mesh()
            .draw()?;
        for (outcome, label, color) in
            [(Outcome::Win, "wins", blue()), (Outcome::Draw, "draws", green()), (Outcome::Loss, "losses", red())]
        {
            let bars = panels.histogram.outcomes().map(|(mom, counts)| {
                let below: u64 = counts[..outcome as usize].iter().sum();
                let (low, high) = (below as f64, (below + counts[outcome as usize]) as f64);
                Rectangle::new([(f64::from(mom) - 0.4, low), (f64::from(mom) + 0.4, high)], color.filled())
            });
            chart.draw_series(bars)?.label(label).legend(move |(x, y)| square(x, y, color));
        }
        key(&mut chart, SeriesLabelPosition::UpperLeft)
    })
}

/// Data and model at one material or move number.
fn slice(area: &Area<'_>, panels: &Panels<'_>) -> Result<()> {
    let end = beyond(panels, 3.0);
    let name = panels.selection.mom_type.name();
    let subject = if panels.model.is_some() { "Comparison of model and measured data" } else { "Measured data" };
    let title = format!("{subject} at {name} {}", panels.slice);
    let mut chart = over_evaluations(area, panels, &title, -end..end, 0.0..1.0, "outcome")?;
    let target = panels.model.map_or(1, |model| model.target);
    let row = panels.histogram.row(panels.slice, target);
    for (outcome, label, color) in [
        (Outcome::Win, "measured wins", blue()),
        (Outcome::Draw, "measured draws", green()),
        (Outcome::Loss, "measured losses", RGBColor(0, 170, 190)),
    ] {
        let seen = row.cells.iter().filter(|cell| cell.x.abs() <= end);
        let points = seen.map(|cell| Circle::new((cell.x, cell.density()[outcome as usize]), 2, color.filled()));
        chart.draw_series(points)?.label(label).legend(move |(x, y)| square(x, y, color));
    }
    for (model, outcome) in panels.model.into_iter().flat_map(|model| Outcome::ALL.map(|outcome| (model, outcome))) {
        let steps = (0..=400).map(|i| -end + end * f64::from(i) / 200.0);
        let line = steps.map(|x| (x, model.curve.rates(x, row.u)[outcome as usize]));
        let series = chart.draw_series(LineSeries::new(line, red().stroke_width(2)))?;
        if outcome == Outcome::Win {
            series.label("model").legend(|(x, y)| square(x, y, red()));
        }
    }
    key(&mut chart, SeriesLabelPosition::UpperMiddle)
}

/// `a` and `b` against material or move number.
fn parameters(area: &Area<'_>, panels: &Panels<'_>, model: &Model) -> Result<()> {
    let (low, high) = panels.range;
    let highest = model.single.iter().map(|&(_, a, b)| a.max(b)).fold(0.0, f64::max);
    // The library cannot count pixels far outside of the chart.
    let near = |y: f64| y.clamp(-highest, 3.0 * highest);
    let name = panels.selection.mom_type.name();
    let mut chart = ChartBuilder::on(area)
        .caption("Win rate model parameters", TITLE)
        .margin(8)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(f64::from(low)..f64::from(high), 0.0..1.35 * highest)?;
    chart
        .configure_mesh()
        .label_style(TEXT)
        .x_desc(name)
        .y_desc("parameters (internal units)")
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| format!("{y:.0}"))
        .light_line_style(TRANSPARENT)
        .draw()?;
    let range: Vec<_> = (0..=200).map(|i| f64::from(low) + f64::from(high - low) * f64::from(i) / 200.0).collect();
    let target = f64::from(model.target);
    for (label, polynomial, color) in [("a", &model.curve.a, blue()), ("b", &model.curve.b, green())] {
        let points = model.single.iter().map(|&(mom, a, b)| (f64::from(mom), near(if label == "a" { a } else { b })));
        let dots = points.map(|point| Circle::new(point, 3, color.filled()));
        chart.draw_series(dots)?.label(format!("{label} of each {name}")).legend(move |(x, y)| square(x, y, color));
        let line = range.iter().map(|&mom| (mom, near(polynomial.at(mom / target))));
        chart
            .draw_series(LineSeries::new(line, color.stroke_width(2)))?
            .label(format!("p_{label} = {}", formula(polynomial, model.target)))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 10, y)], color.stroke_width(2)));
    }
    if let Some((old, target)) = panels.selection.printed_with() {
        let line = range.iter().map(|&mom| (mom, near(old.at(mom / f64::from(target)))));
        chart
            .draw_series(LineSeries::new(line, red().mix(0.5)))?
            .label("p_a of the engine that played")
            .legend(|(x, y)| PathElement::new([(x, y), (x + 10, y)], red().mix(0.5)));
    }
    key(&mut chart, SeriesLabelPosition::UpperLeft)
}
