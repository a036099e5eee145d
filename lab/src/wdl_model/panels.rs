//! What the figures of counts and their model show, and the charts that they share.

use super::histogram::{Histogram, Selection};
use super::model::Model;
use crate::figures::{Area, Plane, TEXT, TITLE};
use anyhow::{Result, bail};
use plotters::chart::DualCoordChartContext;
use plotters::prelude::*;
use std::ops::Range;

/// What the figures show.
pub struct Panels<'a> {
    pub histogram: &'a Histogram,
    /// The fitted model, if there is one.
    pub model: Option<&'a Model>,
    pub selection: &'a Selection,
    /// Material or move number of the first panel.
    pub slice: u32,
    /// Range of material or move numbers.
    pub range: (u32, u32),
}

type Chart<'a, 'b> = DualCoordChartContext<'a, SVGBackend<'b>, Plane, Plane>;

pub fn check(panels: &Panels<'_>) -> Result<()> {
    let (low, high) = panels.range;
    if low < high { Ok(()) } else { bail!("nothing to draw from {low} to {high}") }
}

/// A chart over evaluations, in internal units below and in pawns above.
pub fn over_evaluations<'a, 'b>(
    area: &'a Area<'b>,
    panels: &Panels<'_>,
    title: &str,
    x: Range<f64>,
    y: Range<f64>,
    y_name: &str,
) -> Result<Chart<'a, 'b>> {
    let pawn = panels.selection.pawn_value();
    let whole = y.end > 10.0;
    let mut chart = ChartBuilder::on(area)
        .caption(title, TITLE)
        .margin(8)
        .x_label_area_size(40)
        .top_x_label_area_size(25)
        .y_label_area_size(50)
        .build_cartesian_2d(x.clone(), y.clone())?
        .set_secondary_coord(x.start / pawn..x.end / pawn, y);
    chart
        .configure_mesh()
        .label_style(TEXT)
        .x_desc("evaluation (below: internal units, above: pawns)")
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_desc(y_name)
        .y_label_formatter(&|y| if whole { format!("{y:.0}") } else { format!("{y:.1}") })
        .light_line_style(TRANSPARENT)
        .draw()?;
    chart.configure_secondary_axes().label_style(TEXT).draw()?;
    Ok(chart)
}

/// Whole hundreds of internal units that hold this many pawns.
pub fn beyond(panels: &Panels<'_>, pawns: f64) -> f64 {
    ((pawns * panels.selection.pawn_value() / 100.0).floor() + 1.0) * 100.0
}
