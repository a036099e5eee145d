//! The figures of a fitted model: six panels as in Stockfish's WDL model, and the numbers of positions.

use super::curve::Cell;
use super::fit::{Model, formula};
use super::histogram::{Histogram, Selection};
use super::{Error, Outcome};
use contour::ContourBuilder;
use plotters::chart::DualCoordChartContext;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::ops::Range;

const SIZE: (u32, u32) = (1750, 1150);
const LEGEND_WIDTH: u32 = 80;
const TEXT: (&str, u32) = ("sans-serif", 14);
const TITLE: (&str, u32) = ("sans-serif", 18);
/// Rates between which a contour panel changes its colour.
const LEVELS: [f64; 9] = [0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 1.0];
/// Nodes of the grid behind a contour panel.
const GRID: (usize, usize) = (61, 45);
/// Coloured cells for each step of the grid.
const CELLS: usize = 4;
/// Standard deviation in pawns within which data are averaged.
const BLUR_PAWNS: f64 = 0.1;
/// The same in rows of material or move number.
const BLUR_ROWS: f64 = 1.2;
/// Data that count less than this many positions are not shown.
const LEAST_WEIGHT: f64 = 1.0;

/// What the figures show.
pub struct Panels<'a> {
    pub histogram: &'a Histogram,
    pub model: &'a Model,
    pub selection: &'a Selection,
    /// Material or move number of the first panel.
    pub slice: u32,
    /// Range of material or move numbers.
    pub range: (u32, u32),
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Plane = Cartesian2d<RangedCoordf64, RangedCoordf64>;
type Chart<'a, 'b> = DualCoordChartContext<'a, SVGBackend<'b>, Plane, Plane>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

fn blue() -> RGBColor {
    RGBColor(31, 90, 180)
}

fn green() -> RGBColor {
    RGBColor(40, 150, 60)
}

fn red() -> RGBColor {
    RGBColor(200, 40, 40)
}

/// Draws on a white sheet; returns it as SVG.
pub fn sheet(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Drawn) -> Result<String, Error> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let drawn = area.fill(&WHITE).map_err(Into::into).and_then(|()| draw(&area));
        let finished = drawn.and_then(|()| area.present().map_err(Into::into));
        finished.map_err(|reason| Error::Data(format!("cannot draw: {reason}")))?;
    }
    Ok(svg)
}

/// The six panels.
///
/// # Errors
///
/// [`Error`] if the ranges leave nothing to draw.
pub fn model(panels: &Panels<'_>) -> Result<String, Error> {
    check(panels)?;
    sheet(SIZE, |area| {
        let area = area.titled("Summary of win-draw-loss model analysis", ("sans-serif", 24))?;
        let (panels_area, legend_area) = area.split_horizontally(SIZE.0 - LEGEND_WIDTH);
        legend(&legend_area)?;
        let areas = panels_area.split_evenly((2, 3));
        slice(&areas[0], panels)?;
        parameters(&areas[3], panels)?;
        for (column, outcome) in [(1, Outcome::Win), (2, Outcome::Draw)] {
            contours(&areas[column], panels, outcome, "Data", |window| measured(panels, outcome, window))?;
            contours(&areas[column + 3], panels, outcome, "Model", |window| modelled(panels, outcome, window))?;
        }
        Ok(())
    })
}

/// Numbers of wins, draws and losses.
///
/// # Errors
///
/// [`Error`] if the ranges leave nothing to draw.
pub fn counts(panels: &Panels<'_>) -> Result<String, Error> {
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

fn check(panels: &Panels<'_>) -> Result<(), Error> {
    let (low, high) = panels.range;
    if low < high { Ok(()) } else { Err(Error::Data(format!("nothing to draw from {low} to {high}"))) }
}

fn square(x: i32, y: i32, color: RGBColor) -> Rectangle<(i32, i32)> {
    Rectangle::new([(x, y - 5), (x + 10, y + 5)], color.filled())
}

/// The names of the series in a box.
pub fn key<'a, 'b: 'a>(chart: &mut ChartContext<'a, SVGBackend<'b>, Plane>, position: SeriesLabelPosition) -> Drawn {
    chart
        .configure_series_labels()
        .position(position)
        .label_font(TEXT)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}

/// A chart over evaluations, in internal units below and in pawns above.
fn over_evaluations<'a, 'b>(
    area: &'a Area<'b>,
    panels: &Panels<'_>,
    title: &str,
    x: Range<f64>,
    y: Range<f64>,
    y_name: &str,
) -> Result<Chart<'a, 'b>, Box<dyn std::error::Error>> {
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
fn beyond(panels: &Panels<'_>, pawns: f64) -> f64 {
    ((pawns * panels.selection.pawn_value() / 100.0).floor() + 1.0) * 100.0
}

/// Data and model at one material or move number.
fn slice(area: &Area<'_>, panels: &Panels<'_>) -> Drawn {
    let end = beyond(panels, 3.0);
    let name = panels.selection.mom_type.name();
    let title = format!("Comparison of model and measured data at {name} {}", panels.slice);
    let mut chart = over_evaluations(area, panels, &title, -end..end, 0.0..1.0, "outcome")?;
    let row = panels.histogram.row(panels.slice, panels.model.target);
    for (outcome, label, color) in [
        (Outcome::Win, "measured wins", blue()),
        (Outcome::Draw, "measured draws", green()),
        (Outcome::Loss, "measured losses", RGBColor(0, 170, 190)),
    ] {
        let seen = row.cells.iter().filter(|cell| cell.x.abs() <= end);
        let points = seen.map(|cell| Circle::new((cell.x, cell.density()[outcome as usize]), 2, color.filled()));
        chart.draw_series(points)?.label(label).legend(move |(x, y)| square(x, y, color));
    }
    for outcome in Outcome::ALL {
        let steps = (0..=400).map(|i| -end + end * f64::from(i) / 200.0);
        let line = steps.map(|x| (x, panels.model.curve.rates(x, row.u)[outcome as usize]));
        let series = chart.draw_series(LineSeries::new(line, red().stroke_width(2)))?;
        if outcome == Outcome::Win {
            series.label("model").legend(|(x, y)| square(x, y, red()));
        }
    }
    key(&mut chart, SeriesLabelPosition::UpperMiddle)
}

/// `a` and `b` against material or move number.
fn parameters(area: &Area<'_>, panels: &Panels<'_>) -> Drawn {
    let (model, (low, high)) = (panels.model, panels.range);
    let highest = model.single.iter().map(|&(_, a, b)| a.max(b)).fold(0.0, f64::max);
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
        let points = model.single.iter().map(|&(mom, a, b)| (f64::from(mom), if label == "a" { a } else { b }));
        let dots = points.map(|point| Circle::new(point, 3, color.filled()));
        chart.draw_series(dots)?.label(format!("{label} of each {name}")).legend(move |(x, y)| square(x, y, color));
        let line = range.iter().map(|&mom| (mom, polynomial.at(mom / target)));
        chart
            .draw_series(LineSeries::new(line, color.stroke_width(2)))?
            .label(format!("p_{label} = {}", formula(polynomial, model.target)))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 10, y)], color.stroke_width(2)));
    }
    if let Some((old, target)) = panels.selection.printed_with() {
        let line = range.iter().map(|&mom| (mom, old.at(mom / f64::from(target))));
        chart
            .draw_series(LineSeries::new(line, red().mix(0.5)))?
            .label("p_a of the engine that played")
            .legend(|(x, y)| PathElement::new([(x, y), (x + 10, y)], red().mix(0.5)));
    }
    key(&mut chart, SeriesLabelPosition::UpperLeft)
}

/// The rectangle that a contour panel shows.
#[derive(Clone, Debug)]
struct Window {
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
type Field = Vec<Option<f64>>;

fn modelled(panels: &Panels<'_>, outcome: Outcome, window: &Window) -> Field {
    let nodes = (0..GRID.0 * GRID.1).map(|index| window.node(index % GRID.0, index / GRID.0));
    nodes
        .map(|(x, mom)| Some(panels.model.curve.rates(x, mom / f64::from(panels.model.target))[outcome as usize]))
        .collect()
}

/// The data around each node, averaged.
fn measured(panels: &Panels<'_>, outcome: Outcome, window: &Window) -> Field {
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

/// A panel with the rates of an outcome as coloured bands with lines between.
fn contours(
    area: &Area<'_>,
    panels: &Panels<'_>,
    outcome: Outcome,
    source: &str,
    field: impl FnOnce(&Window) -> Field,
) -> Drawn {
    let draws = outcome == Outcome::Draw;
    let (left, right) = if draws { (2.0, 2.0) } else { (1.0, 3.0) };
    let (low, high) = panels.range;
    let window = Window { x: -beyond(panels, left)..beyond(panels, right), y: f64::from(low)..f64::from(high) };
    let field = field(&window);
    let title = format!("{source}: fraction of positions leading to a {}", if draws { "draw" } else { "win" });
    let name = panels.selection.mom_type.name();
    let mut chart = over_evaluations(area, panels, &title, window.x.clone(), window.y.clone(), name)?;
    chart.draw_series(bands(&field, &window))?;
    let plain: Vec<_> = field.iter().map(|value| value.unwrap_or(0.0)).collect();
    let (dx, dy) = window.steps();
    let builder = ContourBuilder::new(GRID.0, GRID.1, true)
        .x_origin(window.x.start)
        .y_origin(window.y.start)
        .x_step(dx)
        .y_step(dy);
    for line in builder.lines(&plain, &LEVELS[1..LEVELS.len() - 1])? {
        let mut longest: Vec<(f64, f64)> = Vec::new();
        for string in &line.geometry().0 {
            // The nodes are the corners of the window; the builder takes them for the middles of cells.
            let points = string.0.iter().map(|point| (point.x - dx / 2.0, point.y - dy / 2.0));
            for piece in known_pieces(points, &field, &window) {
                chart.draw_series(LineSeries::new(piece.iter().copied(), BLACK.mix(0.7)))?;
                if piece.len() > longest.len() {
                    longest = piece;
                }
            }
        }
        if longest.len() > 8 {
            let place = longest[longest.len() / 2];
            let text = Text::new(format!("{}", line.threshold()), place, ("sans-serif", 13).into_font().color(&BLACK));
            chart.draw_series([text])?;
        }
    }
    Ok(())
}

/// The parts of a line that lie inside of the window, where the field is known.
fn known_pieces(points: impl Iterator<Item = (f64, f64)>, field: &Field, window: &Window) -> Vec<Vec<(f64, f64)>> {
    let mut pieces = vec![Vec::new()];
    for point in points {
        let inside = window.x.contains(&point.0) && window.y.contains(&point.1);
        if inside && interpolate(field, window, point).is_some() {
            pieces[0].push(point);
        } else if !pieces[0].is_empty() {
            pieces.insert(0, Vec::new());
        }
    }
    pieces.retain(|piece| piece.len() > 1);
    pieces
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
fn legend(area: &Area<'_>) -> Drawn {
    let (top, height) = (300, 60);
    for (band, level) in LEVELS[..LEVELS.len() - 1].iter().enumerate() {
        let y = top + height * (LEVELS.len() - 2 - band) as i32;
        area.draw(&Rectangle::new([(5, y), (25, y + height)], band_color(band).filled()))?;
        area.draw(&Text::new(format!("{level}"), (32, y + height - 7), TEXT))?;
    }
    area.draw(&Text::new("1", (32, top - 7), TEXT))?;
    Ok(())
}
