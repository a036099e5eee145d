//! Rates by evaluation and material or move number, as coloured bands.

use super::model::Model;
use super::panels::{Panels, beyond, over_evaluations};
use crate::figures::{Area, TEXT};
use crate::outcome::Outcome;
use anyhow::Result;
use plotters::prelude::*;
use std::ops::Range;

/// Rates between which a panel changes its colour.
const LEVELS: [f64; 9] = [0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 1.0];
/// Cells of a panel, across and up.
const CELLS: (usize, usize) = (180, 124);
/// Standard deviation in pawns within which data are averaged.
const BLUR_PAWNS: f64 = 0.1;
/// The same in rows of material or move number.
const BLUR_ROWS: f64 = 1.2;
/// Data that count less than this many positions are not shown.
const LEAST_WEIGHT: f64 = 1.0;

/// What a panel shows.
pub struct Window {
    outcome: Outcome,
    x: Range<f64>,
    y: Range<f64>,
}

impl Window {
    /// Width and height of a cell.
    fn steps(&self) -> (f64, f64) {
        ((self.x.end - self.x.start) / CELLS.0 as f64, (self.y.end - self.y.start) / CELLS.1 as f64)
    }

    /// The middle of a cell.
    fn middle(&self, column: usize, row: usize) -> (f64, f64) {
        let (dx, dy) = self.steps();
        (self.x.start + dx * (column as f64 + 0.5), self.y.start + dy * (row as f64 + 0.5))
    }
}

/// Rates in the cells, row by row; `None` where nothing is known.
pub type Rates = Vec<Option<f64>>;

pub fn modelled(model: &Model, window: &Window) -> Rates {
    let target = f64::from(model.target);
    let middles = (0..CELLS.0 * CELLS.1).map(|index| window.middle(index % CELLS.0, index / CELLS.0));
    middles.map(|(x, mom)| Some(model.curve.rates(x, mom / target)[window.outcome as usize])).collect()
}

/// The data around each cell, averaged.
pub fn measured(panels: &Panels<'_>, window: &Window) -> Rates {
    let blur = BLUR_PAWNS * panels.selection.pawn_value();
    let bell = |distance: f64, width: f64| (-0.5 * (distance / width).powi(2)).exp();
    let mut sums = vec![(0.0, 0.0); CELLS.0 * CELLS.1];
    for (mom, _) in panels.histogram.outcomes() {
        let data = panels.histogram.row(mom, 1).cells;
        for row in 0..CELLS.1 {
            let vertical = bell(window.middle(0, row).1 - f64::from(mom), BLUR_ROWS);
            if vertical < 1e-3 {
                continue;
            }
            for column in 0..CELLS.0 {
                let x = window.middle(column, row).0;
                let first = data.partition_point(|cell| cell.x < x - 3.0 * blur);
                let (hits, all) = &mut sums[row * CELLS.0 + column];
                for cell in data[first..].iter().take_while(|cell| cell.x <= x + 3.0 * blur) {
                    let weight = vertical * bell(cell.x - x, blur);
                    *hits += weight * cell.counts[window.outcome as usize];
                    *all += weight * cell.total();
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
    rates: impl FnOnce(&Window) -> Rates,
) -> Result<()> {
    let draws = outcome == Outcome::Draw;
    let (left, right) = if draws { (2.0, 2.0) } else { (1.0, 3.0) };
    let (low, high) = panels.range;
    let (x, y) = (-beyond(panels, left)..beyond(panels, right), f64::from(low)..f64::from(high));
    let title = format!("{source}: fraction of positions leading to a {}", if draws { "draw" } else { "win" });
    let mut chart = over_evaluations(area, panels, &title, x.clone(), y.clone(), panels.selection.mom_type.name())?;
    let window = Window { outcome, x, y };
    let bands: Vec<_> = rates(&window).into_iter().map(|rate| rate.map(band_of)).collect();
    let (dx, dy) = window.steps();
    for (row, bands) in bands.chunks(CELLS.0).enumerate() {
        let (mut column, y) = (0, window.y.start + dy * row as f64);
        for run in bands.chunk_by(|a, b| a == b) {
            let x = |column: usize| window.x.start + dx * column as f64;
            let corners = [(x(column), y), (x(column + run.len()), y + dy)];
            chart.draw_series(run[0].map(|band| Rectangle::new(corners, band_color(band).filled())))?;
            column += run.len();
        }
    }
    Ok(())
}

fn band_of(rate: f64) -> usize {
    LEVELS[1..LEVELS.len() - 1].partition_point(|&level| level <= rate)
}

fn band_color(band: usize) -> RGBColor {
    ViridisRGB.get_color((band as f64 + 0.5) / (LEVELS.len() - 1) as f64)
}

/// The colours of the bands, beside so many rows of panels.
pub fn legend(area: &Area<'_>, rows: u32) -> Result<()> {
    let (top, height) = if rows > 1 { (300, 60) } else { (60, 50) };
    for (band, level) in LEVELS[..LEVELS.len() - 1].iter().enumerate() {
        let y = top + height * (LEVELS.len() - 2 - band) as i32;
        area.draw(&Rectangle::new([(5, y), (25, y + height)], band_color(band).filled()))?;
        area.draw(&Text::new(format!("{level}"), (32, y + height - 7), TEXT))?;
    }
    area.draw(&Text::new("1", (32, top - 7), TEXT))?;
    Ok(())
}
