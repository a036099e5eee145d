//! Rates by evaluation and material or move number, as coloured bands.

use super::curve::Cell;
use super::panels::{Panels, beyond, over_evaluations};
use crate::figures::{Area, TEXT};
use crate::outcome::Outcome;
use anyhow::Result;
use plotters::prelude::*;
use std::ops::Range;

/// Rates between which a band panel changes its colour.
const LEVELS: [f64; 9] = [0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 1.0];
/// Nodes of the grid behind a band panel.
const GRID: (usize, usize) = (61, 45);
/// Coloured cells for each step of the grid.
const CELLS: usize = 4;
/// Standard deviation in pawns within which data are averaged.
const BLUR_PAWNS: f64 = 0.1;
/// The same in rows of material or move number.
const BLUR_ROWS: f64 = 1.2;
/// Data that count less than this many positions are not shown.
const LEAST_WEIGHT: f64 = 1.0;

/// The rectangle that a band panel shows.
#[derive(Clone, Debug)]
pub struct Window {
    x: Range<f64>,
    y: Range<f64>,
}

impl Window {
    /// Place of a node of the grid.
    fn node(&self, column: usize, row: usize) -> (f64, f64) {
        let (dx, dy) = self.steps();
        (self.x.start + dx * column as f64, self.y.start + dy * row as f64)
    }

    /// Distance of neighbouring nodes.
    fn steps(&self) -> (f64, f64) {
        let (columns, rows) = GRID;
        ((self.x.end - self.x.start) / (columns - 1) as f64, (self.y.end - self.y.start) / (rows - 1) as f64)
    }
}

/// Rates at the nodes, row by row; `None` where nothing is known.
pub type Field = Vec<Option<f64>>;

pub fn modelled(panels: &Panels<'_>, outcome: Outcome, window: &Window) -> Field {
    let nodes = (0..GRID.0 * GRID.1).map(|index| window.node(index % GRID.0, index / GRID.0));
    nodes
        .map(|(x, mom)| Some(panels.model.curve.rates(x, mom / f64::from(panels.model.target))[outcome as usize]))
        .collect()
}

/// The data around each node, averaged.
pub fn measured(panels: &Panels<'_>, outcome: Outcome, window: &Window) -> Field {
    let (blur_x, blur_y) = (BLUR_PAWNS * panels.selection.pawn_value(), BLUR_ROWS);
    let bell = |distance: f64, width: f64| (-0.5 * (distance / width).powi(2)).exp();
    let mut sums = vec![(0.0, 0.0); GRID.0 * GRID.1];
    for (mom, _) in panels.histogram.outcomes() {
        let cells: Vec<Cell> = panels.histogram.row(mom, 1).cells;
        for line in 0..GRID.1 {
            let vertical = bell(window.node(0, line).1 - f64::from(mom), blur_y);
            if vertical < 1e-3 {
                continue;
            }
            for column in 0..GRID.0 {
                let x = window.node(column, line).0;
                let first = cells.partition_point(|cell| cell.x < x - 3.0 * blur_x);
                for cell in cells[first..].iter().take_while(|cell| cell.x <= x + 3.0 * blur_x) {
                    let weight = vertical * bell(cell.x - x, blur_x);
                    let sum = &mut sums[line * GRID.0 + column];
                    *sum = (sum.0 + weight * cell.counts[outcome as usize], sum.1 + weight * cell.total());
                }
            }
        }
    }
    sums.into_iter().map(|(hits, all)| (all >= LEAST_WEIGHT).then(|| hits / all)).collect()
}

/// A panel with the rates of an outcome as coloured bands.
pub fn panel(
    area: &Area<'_>,
    panels: &Panels<'_>,
    outcome: Outcome,
    source: &str,
    field: impl FnOnce(&Window) -> Field,
) -> Result<()> {
    let draws = outcome == Outcome::Draw;
    let (left, right) = if draws { (2.0, 2.0) } else { (1.0, 3.0) };
    let (low, high) = panels.range;
    let window = Window { x: -beyond(panels, left)..beyond(panels, right), y: f64::from(low)..f64::from(high) };
    let field = field(&window);
    let title = format!("{source}: fraction of positions leading to a {}", if draws { "draw" } else { "win" });
    let name = panels.selection.mom_type.name();
    let mut chart = over_evaluations(area, panels, &title, window.x.clone(), window.y.clone(), name)?;
    chart.draw_series(bands(&field, &window))?;
    Ok(())
}

/// The rate between four nodes; `None` unless all are known.
fn interpolate(field: &Field, window: &Window, (x, y): (f64, f64)) -> Option<f64> {
    let (dx, dy) = window.steps();
    let (column, row) = ((x - window.x.start) / dx, (y - window.y.start) / dy);
    let index = |place: f64, nodes: usize| (place.max(0.0) as usize).min(nodes - 2);
    let (left, below) = (index(column, GRID.0), index(row, GRID.1));
    let (u, v) = (column - left as f64, row - below as f64);
    let at = |column: usize, row: usize| field[row * GRID.0 + column];
    let lower = at(left, below)? * (1.0 - u) + at(left + 1, below)? * u;
    let upper = at(left, below + 1)? * (1.0 - u) + at(left + 1, below + 1)? * u;
    Some(lower * (1.0 - v) + upper * v)
}

/// Rectangles in the colour of their band, as wide as the band reaches.
fn bands(field: &Field, window: &Window) -> Vec<Rectangle<(f64, f64)>> {
    let (columns, rows) = (CELLS * (GRID.0 - 1), CELLS * (GRID.1 - 1));
    let (dx, dy) = window.steps();
    let (dx, dy) = (dx / CELLS as f64, dy / CELLS as f64);
    let mut rectangles = Vec::new();
    for row in 0..rows {
        let y = window.y.start + dy * row as f64;
        let band = |column: usize| {
            let x = window.x.start + dx * (column as f64 + 0.5);
            interpolate(field, window, (x, y + dy / 2.0)).map(band_of)
        };
        let mut start = 0;
        for column in 1..=columns {
            if column < columns && band(column) == band(start) {
                continue;
            }
            if let Some(band) = band(start) {
                let x = |column: usize| window.x.start + dx * column as f64;
                rectangles.push(Rectangle::new([(x(start), y), (x(column), y + dy)], band_color(band).filled()));
            }
            start = column;
        }
    }
    rectangles
}

fn band_of(rate: f64) -> usize {
    LEVELS[1..LEVELS.len() - 1].partition_point(|&level| level <= rate)
}

fn band_color(band: usize) -> RGBColor {
    ViridisRGB.get_color((band as f64 + 0.5) / (LEVELS.len() - 1) as f64)
}

/// The colours of the bands.
pub fn legend(area: &Area<'_>) -> Result<()> {
    let (top, height) = (300, 60);
    for (band, level) in LEVELS[..LEVELS.len() - 1].iter().enumerate() {
        let y = top + height * (LEVELS.len() - 2 - band) as i32;
        area.draw(&Rectangle::new([(5, y), (25, y + height)], band_color(band).filled()))?;
        area.draw(&Text::new(format!("{level}"), (32, y + height - 7), TEXT))?;
    }
    area.draw(&Text::new("1", (32, top - 7), TEXT))?;
    Ok(())
}
