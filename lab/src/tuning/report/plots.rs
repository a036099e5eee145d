//! Plots as SVG text.

use crate::figures::sheet;
use anyhow::Result;
use plotters::prelude::*;
use std::ops::Range;

/// Colours that can be told apart, also by the colour-blind (Okabe and Ito).
const COLOURS: [RGBColor; 4] =
    [RGBColor(0, 114, 178), RGBColor(213, 94, 0), RGBColor(0, 158, 115), RGBColor(120, 120, 120)];
const FONT: &str = "sans-serif";

/// A named line.
pub struct Series {
    /// What it shows.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// The range of some numbers with a margin; never empty.
fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return 0.0..1.0;
    }
    let margin = 0.04 * (high - low).max(1e-6 * high.abs()).max(1e-9);
    low - margin..high + margin
}

/// Lines over numbers.
pub fn lines(title: &str, x: &str, y: &str, all: &[Series]) -> Result<String> {
    sheet((620, 320), |area| {
        let points = || all.iter().flat_map(|series| &series.points);
        let (across, up) = (range(points().map(|point| point.0)), range(points().map(|point| point.1)));
        let mut chart = ChartBuilder::on(area)
            .caption(title, (FONT, 16))
            .margin(10)
            .x_label_area_size(38)
            .y_label_area_size(66)
            .build_cartesian_2d(across, up)?;
        chart.configure_mesh().light_line_style(WHITE).x_desc(x).y_desc(y).draw()?;
        for (series, colour) in all.iter().zip(COLOURS.iter().cycle()) {
            chart
                .draw_series(LineSeries::new(series.points.iter().copied(), colour.stroke_width(2)))?
                .label(&series.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
            chart.draw_series(series.points.iter().map(|&point| Circle::new(point, 2, colour.filled())))?;
        }
        chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK.mix(0.3)).draw()?;
        Ok(())
    })
}

/// A table of squares or another grid of weights.
pub struct Grid<'a> {
    /// What it shows.
    pub title: &'a str,
    /// Rows from the bottom up.
    pub values: Vec<f64>,
    /// Numbers in a row.
    pub columns: usize,
}

/// Side of a square in pixels.
const SQUARE: i32 = 30;

/// Grids side by side as heat maps: blue is positive, red negative, each on a scale of its own.
pub fn heat_maps(grids: &[Grid]) -> Result<String> {
    let rows = grids.iter().map(|grid| grid.values.len().div_ceil(grid.columns)).max().unwrap_or(0) as i32;
    let width = |grid: &Grid| SQUARE * grid.columns as i32 + 16;
    let size = (grids.iter().map(width).sum::<i32>() as u32, (SQUARE * rows + 26) as u32);
    sheet(size, |area| {
        let mut left = 0;
        for grid in grids {
            area.draw(&Text::new(grid.title.to_owned(), (left, 4), (FONT, 13)))?;
            let largest = grid.values.iter().fold(1.0, |most: f64, value| most.max(value.abs()));
            for (index, &value) in grid.values.iter().enumerate() {
                let (row, column) = ((index / grid.columns) as i32, (index % grid.columns) as i32);
                let (x, y) = (left + SQUARE * column, 22 + SQUARE * (rows - 1 - row));
                let strong = if value < 0.0 { COLOURS[1] } else { COLOURS[0] };
                let shade = (value.abs() / largest).sqrt() * 0.85;
                let corners = [(x, y), (x + SQUARE - 1, y + SQUARE - 1)];
                area.draw(&Rectangle::new(corners, strong.mix(shade).filled()))?;
                let label = format!("{value:.0}");
                // Digits are a bit more than half as wide as high.
                let offset = (SQUARE - 6 * label.len() as i32) / 2;
                let ink = if shade > 0.6 { WHITE } else { BLACK };
                area.draw(&Text::new(label, (x + offset, y + 10), (FONT, 11).into_font().color(&ink)))?;
            }
            left += width(grid);
        }
        Ok(())
    })
}
