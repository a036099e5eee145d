//! What all figures have in common: sheets, colours, legends, files.

use crate::writing;
use anyhow::{Context, Result};
use halfpoint::output::line;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::path::Path;

/// What stands behind the first tag of the figures of this program.
const MARK: &str = "<!-- halfpoint-lab -->";
/// Font of labels.
pub const TEXT: (&str, u32) = ("sans-serif", 14);
/// Font of titles.
pub const TITLE: (&str, u32) = ("sans-serif", 18);

pub type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
pub type Plane = Cartesian2d<RangedCoordf64, RangedCoordf64>;

pub fn blue() -> RGBColor {
    RGBColor(31, 90, 180)
}

pub fn green() -> RGBColor {
    RGBColor(40, 150, 60)
}

pub fn red() -> RGBColor {
    RGBColor(200, 40, 40)
}

/// Draws on a white sheet; returns it as SVG.
pub fn sheet(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Result<()>) -> Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE).context("cannot draw")?;
        draw(&area).context("cannot draw")?;
        area.present().context("cannot draw")?;
    }
    Ok(svg)
}

/// A chart of shares from 0 to `top` against foreseen ones, with the diagonal of true forecasts; `axes`: the words for both.
pub fn reliability_chart<'a, 'b>(
    area: &'a Area<'b>,
    title: (&str, (&str, u32)),
    top: f64,
    axes: [&str; 2],
) -> Result<ChartContext<'a, SVGBackend<'b>, Plane>> {
    let mut chart = ChartBuilder::on(area)
        .caption(title.0, title.1)
        .margin(8)
        .x_label_area_size(36)
        .y_label_area_size(44)
        .build_cartesian_2d(0.0..top, 0.0..top)?;
    let [foreseen, happened] = axes;
    chart
        .configure_mesh()
        .x_labels(6)
        .y_labels(6)
        .x_desc(foreseen)
        .y_desc(happened)
        .light_line_style(TRANSPARENT)
        .draw()?;
    chart.draw_series(LineSeries::new([(0.0, 0.0), (top, top)], BLACK.mix(0.5)))?;
    Ok(chart)
}

pub fn square(x: i32, y: i32, color: RGBColor) -> Rectangle<(i32, i32)> {
    Rectangle::new([(x, y - 5), (x + 10, y + 5)], color.filled())
}

/// The names of the series in a box.
pub fn key<'a, 'b: 'a>(
    chart: &mut ChartContext<'a, SVGBackend<'b>, Plane>,
    position: SeriesLabelPosition,
) -> Result<()> {
    chart
        .configure_series_labels()
        .position(position)
        .label_font(TEXT)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}

/// Checks, before the work for it, that a figure can be written, and that what is there is one of this program, unless it is to
/// be replaced in any case.
pub fn check(path: &Path, overwrite: bool) -> Result<()> {
    writing::check_own(path, MARK, overwrite)
}

/// Writes a figure as SVG.
pub fn save(path: &Path, svg: &str) -> Result<()> {
    writing::write(path, svg.replacen('>', &format!(">\n{MARK}"), 1))?;
    line(format_args!("figure in {}", path.display()));
    Ok(())
}
