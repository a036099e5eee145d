//! Reliability diagrams: what was predicted against what happened.

use crate::figures::{TEXT, blue, green, key, red, reliability_chart, sheet, square};
use crate::outcome::Outcome;
use crate::stats::Bin;
use anyhow::Result;
use plotters::prelude::*;

/// Size of a panel in pixels.
const PANEL: (u32, u32) = (380, 380);
/// Fewest positions of a bin that is drawn.
const LEAST_POSITIONS: usize = 10;

/// Panels beside each other in a figure of many, and the size of one in pixels.
const COLUMNS: usize = 4;
const SMALL: (u32, u32) = (300, 300);

/// One line of panels for each title with the bins of wins, draws and losses. A point stands for a bin, its size for the number
/// of positions, the number beside it for that of games; whiskers are 95 % intervals. Bins with too few positions to tell
/// anything are left out.
pub fn diagram(rows: &[(String, &[Vec<Bin>; 3])]) -> Result<String> {
    let lines = rows.len();
    sheet((3 * PANEL.0, lines as u32 * PANEL.1), |area| {
        for (panel, area) in area.split_evenly((lines, 3)).iter().enumerate() {
            let (name, bins) = &rows[panel / 3];
            let outcome = Outcome::ALL[panel % 3];
            let (title, color) = match outcome {
                Outcome::Win => (format!("{name}: win"), blue()),
                Outcome::Draw => ("draw".to_owned(), green()),
                Outcome::Loss => ("loss".to_owned(), red()),
            };
            let all = bins[outcome as usize].iter().map(|bin| bin.positions).sum::<usize>() as f64;
            let bins: Vec<_> = bins[outcome as usize].iter().filter(|bin| bin.positions >= LEAST_POSITIONS).collect();
            let mut chart = reliability_chart(area, (&title, TEXT), 1.0, ["predicted", "observed"])?;
            let whisker = |bin: &&Bin| {
                let (low, high) = bin.interval();
                PathElement::new([(bin.predicted, low), (bin.predicted, high)], color.mix(0.6))
            };
            chart.draw_series(bins.iter().map(whisker))?;
            chart.draw_series(LineSeries::new(bins.iter().map(|bin| (bin.predicted, bin.observed)), color))?;
            let point = |bin: &&Bin| {
                let size = 2.0 + 10.0 * (bin.positions as f64 / all).sqrt();
                Circle::new((bin.predicted, bin.observed), size as i32, color.mix(0.7).filled())
            };
            chart.draw_series(bins.iter().map(point))?;
            let number = |bin: &&Bin| {
                let style = ("sans-serif", 11).into_font().color(&BLACK.mix(0.7));
                let place = ((bin.predicted + 0.02).min(0.94), (bin.observed - 0.03).max(0.05));
                Text::new(bin.games.to_string(), place, style)
            };
            chart.draw_series(bins.iter().map(number))?;
        }
        Ok(())
    })
}

/// One of many panels: the bins of wins, of either player, and of draws.
pub struct Panel {
    pub title: String,
    pub wins: Vec<Bin>,
    pub draws: Vec<Bin>,
}

/// Panels in lines of four, drawn as in [`diagram`], with the wins of either player together; the first names the colours.
pub fn panels(all: &[Panel]) -> Result<String> {
    let lines = all.len().div_ceil(COLUMNS);
    let size = (COLUMNS as u32 * SMALL.0, lines as u32 * SMALL.1);
    sheet(size, |area| {
        for (index, (panel, area)) in all.iter().zip(area.split_evenly((lines, COLUMNS))).enumerate() {
            let mut chart = reliability_chart(&area, (&panel.title, TEXT), 1.0, ["predicted", "observed"])?;
            for (bins, color, name, side) in
                [(&panel.wins, blue(), "win of either", 0.02), (&panel.draws, green(), "draw", -0.1)]
            {
                let bins: Vec<_> = bins.iter().filter(|bin| bin.positions >= LEAST_POSITIONS).collect();
                chart.draw_series(bins.iter().map(|bin| {
                    let (low, high) = bin.interval();
                    PathElement::new([(bin.predicted, low), (bin.predicted, high)], color.mix(0.6))
                }))?;
                chart
                    .draw_series(bins.iter().map(|bin| Circle::new((bin.predicted, bin.observed), 3, color.filled())))?
                    .label(name)
                    .legend(move |(x, y)| square(x, y, color));
                chart.draw_series(bins.iter().map(|bin| {
                    let style = ("sans-serif", 9).into_font().color(&color);
                    let place = ((bin.predicted + side).clamp(0.0, 0.92), (bin.observed - side / 2.0).max(0.05));
                    Text::new(bin.games.to_string(), place, style)
                }))?;
            }
            if index == 0 {
                key(&mut chart, SeriesLabelPosition::UpperLeft)?;
            }
        }
        Ok(())
    })
}
