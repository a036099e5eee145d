//! The report: one HTML file with its plots inside.

use super::measure::{BIN_COUNT, Summary};
use super::model::Model;
use super::train::Finished;
use crate::figures::{TEXT, TITLE, blue, green, key, sheet, square};
use crate::grids::{Grid, heat_maps};
use crate::outcome::Outcome;
use crate::reliability;
use crate::stats::Bin;
use crate::tuning::report::{STYLE, markdown_tables};
use anyhow::Result;
use halfpoint::eval::network::BUCKETS;
use halfpoint::wdl::model::{C, DRAW_UNITS};
use plotters::prelude::*;
use std::fmt::Write;

/// What the page has in its head.
pub const MARK: &str = "<title>halfpoint train</title>";

/// Units whose weights are shown.
const SHOWN_UNITS: usize = 4;
/// Names of the roles.
const ROLES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// The whole file.
pub fn page<const UNITS: usize>(summary: &Summary, finished: &Finished<UNITS>) -> Result<String> {
    let mut page = format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">{MARK}\
         <style>{STYLE}</style></head><body>"
    );
    let record = summary.record();
    let (heading, rest) = record.split_once('\n').unwrap_or((&record, ""));
    write!(page, "<h1>{}</h1>", heading.trim_start_matches("# "))?;
    markdown_tables(&mut page, rest)?;
    write!(page, "<h2>Loss by epoch</h2><div class=\"plots\">{}</div>", loss_curves(summary)?)?;
    let reliability = [("with the network".to_owned(), &summary.reliability())];
    write!(
        page,
        "<h2>Chances foretold and come true</h2><p class=\"note\">On games held out, at their level.</p>\
         <div class=\"plots\">{}</div>",
        reliability::diagram(&reliability.map(|(name, bins)| (name, bins)))?
    )?;
    bin_table(&mut page, "Expected result P", &summary.bins_of_score(summary.network()))?;
    bin_table(&mut page, "Draw D", &summary.bins_of_draw(summary.network()))?;
    group_table(
        &mut page,
        summary,
        "Loss by phase",
        &summary.groups(&|held_out| phase_name(held_out.row.pieces.inputs().phase)),
    )?;
    let results = summary.groups(&|held_out| {
        let names = ["1 White won", "2 drawn", "3 Black won"];
        names[Outcome::ALL.iter().position(|&outcome| outcome == held_out.row.outcome).unwrap_or(1)].to_owned()
    });
    group_table(&mut page, summary, "Loss by result", &results)?;
    units(&mut page, &finished.model)?;
    page.push_str("</body></html>\n");
    Ok(page)
}

fn bin_table(page: &mut String, title: &str, bins: &[Bin]) -> Result<()> {
    write!(page, "<details><summary>{title} in {BIN_COUNT} bins</summary>")?;
    let mut table = "| foretold | came | difference | standard error | positions | games |\n".to_owned();
    for bin in bins {
        let Bin { predicted, observed, standard_error, positions, games } = bin;
        let difference = bin.distance();
        let _ = writeln!(
            table,
            "| {predicted:.3} | {observed:.3} | {difference:+.3} | {standard_error:.3} | {positions} | {games} |"
        );
    }
    markdown_tables(page, &table)?;
    page.push_str("</details>");
    Ok(())
}

fn phase_name(phase: usize) -> String {
    let low = phase / 6 * 6;
    if phase >= 24 { "24, all pieces".to_owned() } else { format!("{low:02} to {:02}", low + 5) }
}

fn group_table(page: &mut String, summary: &Summary, title: &str, groups: &[(String, usize, Vec<f64>)]) -> Result<()> {
    let mut table = "| | positions |".to_owned();
    summary.predictors.iter().for_each(|predictor| table += &format!(" {} |", predictor.name));
    table.push('\n');
    for (name, count, losses) in groups {
        let cells: String = losses.iter().map(|loss| format!(" {loss:.4} |")).collect();
        let _ = writeln!(table, "| {name} | {count} |{cells}");
    }
    write!(page, "<h2>{title}</h2>")?;
    markdown_tables(page, &table)
}

/// Loss on games held out, and of wilo and draw alone, less that of the terms, by epoch.
fn loss_curves(summary: &Summary) -> Result<String> {
    let [wilo, draw] = summary.predictors[0].losses();
    let points = |of: &dyn Fn([f64; 2]) -> f64| -> Vec<(f64, f64)> {
        let losses = summary.losses.iter().map(|losses| of(losses.held_out) - of([wilo, draw]));
        (1..).map(f64::from).zip(losses).collect()
    };
    let series = [
        ("wilo and draw", BLACK, points(&|[wilo, draw]| wilo + draw)),
        ("wilo", blue(), points(&|[wilo, _]| wilo)),
        ("draw", green(), points(&|[_, draw]| draw)),
    ];
    let all = || series.iter().flat_map(|(_, _, points)| points).map(|&(_, loss)| loss);
    let (low, high) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
    let margin = (high - low).max(1e-4) / 10.0;
    sheet((720, 360), |area| {
        let mut chart = ChartBuilder::on(area)
            .caption("Loss on games held out less that of the terms, nats", TITLE)
            .margin(8)
            .x_label_area_size(36)
            .y_label_area_size(64)
            .build_cartesian_2d(0.5..summary.losses.len() as f64 + 0.5, low - margin..high + margin)?;
        chart.configure_mesh().x_desc("epoch").label_style(TEXT).light_line_style(TRANSPARENT).draw()?;
        for (name, color, points) in &series {
            let color = color.to_rgba();
            let rgb = RGBColor(color.0, color.1, color.2);
            chart
                .draw_series(LineSeries::new(points.iter().copied(), rgb.stroke_width(2)))?
                .label(*name)
                .legend(move |(x, y)| square(x, y, rgb));
            chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, rgb.filled())))?;
        }
        key(&mut chart, SeriesLabelPosition::UpperRight)
    })
}

/// The units with the largest draw weights: what the network takes for drawish or sharp.
fn units<const UNITS: usize>(page: &mut String, model: &Model<UNITS>) -> Result<()> {
    let parameters = &model.parameters;
    let mean = |unit: usize, output: usize| {
        (0..BUCKETS).map(|bucket| f64::from(parameters[Model::<UNITS>::output(bucket)[output] + unit])).sum::<f64>()
            / BUCKETS as f64
    };
    let mut order: Vec<usize> = (0..UNITS).collect();
    order.sort_by(|&one, &other| mean(other, 1).abs().total_cmp(&mean(one, 1).abs()));
    write!(
        page,
        "<h2>Units with the largest draw weights</h2><p class=\"note\">Per cent of activation 1 that a piece on a square adds, \
         before the sum is clamped and squared. Seen from the unit's colour, whose king is on files a to d.</p>"
    )?;
    for unit in order.into_iter().take(SHOWN_UNITS) {
        let bias = 100.0 * parameters[Model::<UNITS>::BIASES + unit];
        write!(
            page,
            "<h3>Unit {unit}: d {:+.2} logits, w {:+.2} pawns, bias {bias:.0} %</h3>",
            DRAW_UNITS / 100.0 * mean(unit, 1),
            mean(unit, 0) / C,
        )?;
        for (side, enemy) in [("own", 0), ("enemy", 1)] {
            let titles = ROLES.map(|role| format!("{side} {role}"));
            let values = |role: usize| {
                let input = |square: usize| ((6 * enemy + role) * 64 + square) * UNITS + unit;
                (0..64).map(|square| f64::from(100.0 * parameters[input(square)])).collect()
            };
            let grids: Vec<Grid> = titles
                .iter()
                .enumerate()
                .map(|(role, title)| Grid { title, values: values(role), columns: 8 })
                .collect();
            write!(page, "<div class=\"plots\">{}</div>", heat_maps(&grids)?)?;
        }
    }
    Ok(())
}
