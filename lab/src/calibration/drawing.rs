//! What all figures have in common: sheets, colours, legends.

use super::Error;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

/// Font of labels.
pub const TEXT: (&str, u32) = ("sans-serif", 14);
/// Font of titles.
pub const TITLE: (&str, u32) = ("sans-serif", 18);

pub type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
pub type Plane = Cartesian2d<RangedCoordf64, RangedCoordf64>;
pub type Drawn = Result<(), Box<dyn std::error::Error>>;

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

pub fn square(x: i32, y: i32, color: RGBColor) -> Rectangle<(i32, i32)> {
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
