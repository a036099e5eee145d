//! Tables of weights as heat maps.

use crate::figures::sheet;
use anyhow::Result;
use plotters::prelude::*;

/// Colours that can be told apart, also by the colour-blind (Okabe and Ito).
const COLOURS: [RGBColor; 4] =
    [RGBColor(0, 114, 178), RGBColor(213, 94, 0), RGBColor(0, 158, 115), RGBColor(120, 120, 120)];
const FONT: &str = "sans-serif";

/// A table of squares or another grid of weights.
pub struct Grid<'a> {
    pub title: &'a str,
    pub values: Vec<f64>,
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
