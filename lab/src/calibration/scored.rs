//! Rows of a verification: predictions of one kind with their scores, over all and by the ratings of the players.

use super::sample::Sample;
use super::scoring::{WELL_FILLED, by_chance, measures, white_win_area};
use crate::stats::{Chance, MANY_GAMES, Measures, worst};
use halfpoint::output::line;
use serde::Serialize;

/// Least and largest mean rating of each band, with its name.
const BANDS: [(f64, f64, &str); 5] = [
    (0.0, 1200.0, "mean below 1200"),
    (1200.0, 1600.0, "mean 1200 to 1599"),
    (1600.0, 2000.0, "mean 1600 to 1999"),
    (2000.0, 2500.0, "mean 2000 to 2499"),
    (2500.0, f64::INFINITY, "mean from 2500"),
];

/// Least and largest difference of the ratings, with its name.
const DIFFERENCES: [(f64, f64, &str); 4] = [
    (0.0, 50.0, "difference below 50"),
    (50.0, 150.0, "difference 50 to 149"),
    (150.0, 300.0, "difference 150 to 299"),
    (300.0, f64::INFINITY, "difference from 300"),
];

/// The difference of the ratings; `None` if they are not known or tell who won.
fn difference(sample: &Sample) -> Option<f64> {
    sample.ratings.mean().filter(|_| !sample.are_rated_after)?;
    Some(f64::from(sample.ratings.white_advantage().unsigned_abs()))
}

/// Games of players whose ratings, or their difference, are in a range.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    pub name: &'static str,
    #[serde(flatten)]
    pub measures: Measures,
    /// What chance makes of its calibration error of win, draw and loss if the probabilities are true.
    pub calibration_by_chance: [Chance; 3],
}

impl Group {
    /// Whether it has positions enough to tell something.
    pub fn is_filled(&self) -> bool {
        self.measures.positions >= WELL_FILLED
    }
}

/// Predictions of one kind, scored.
#[derive(Clone, Debug, Serialize)]
pub struct Scored {
    pub engine: String,
    /// What the probabilities are.
    pub kind: &'static str,
    #[serde(flatten)]
    pub measures: Measures,
    /// What chance makes of the calibration error of win, draw and loss if the probabilities are true.
    pub calibration_by_chance: [Chance; 3],
    /// Area under the curve of wins of White; none if White always or never won.
    pub white_win_area: Option<f64>,
    /// The same by mean rating and by difference, of games with both ratings.
    pub groups: Vec<Group>,
}

impl Scored {
    /// Scores probabilities of win, draw and loss, as many as samples.
    pub fn new(engine: &str, kind: &'static str, rates: &[[f64; 3]], samples: &[Sample]) -> Scored {
        let group = |range: (f64, f64, &'static str), value: fn(&Sample) -> Option<f64>| {
            let (low, high, name) = range;
            let is_in = |sample: &Sample| value(sample).is_some_and(|value| low <= value && value < high);
            let (rates, samples): (Vec<_>, Vec<_>) =
                rates.iter().copied().zip(samples.iter().cloned()).filter(|(_, sample)| is_in(sample)).unzip();
            Group { name, measures: measures(&rates, &samples), calibration_by_chance: by_chance(&rates, &samples) }
        };
        let bands = BANDS.map(|band| group(band, |sample| sample.ratings.mean()));
        let differences = DIFFERENCES.map(|range| group(range, difference));
        Scored {
            engine: engine.to_owned(),
            kind,
            measures: measures(rates, samples),
            calibration_by_chance: by_chance(rates, samples),
            white_win_area: white_win_area(rates, samples),
            groups: bands.into_iter().chain(differences).filter(|group| group.measures.positions > 0).collect(),
        }
    }

    /// Engine and kind.
    pub fn name(&self) -> String {
        format!("{} {}", self.engine, self.kind).trim_start().to_owned()
    }
}

/// The bins of win, draw and loss with positions and games enough that are farthest from what happened.
pub fn worst_bins(measures: &Measures) -> String {
    let [win, draw, loss] = measures.bins.each_ref().map(|bins| match worst(bins, WELL_FILLED, MANY_GAMES) {
        Some(bin) => format!("{:+.3} ± {:.3} at {:.2}", bin.distance(), bin.standard_error, bin.predicted),
        None => "-".to_owned(),
    });
    format!("W {win:<22}  D {draw:<22}  L {loss:<22}")
}

/// Calibration errors of win, draw and loss, each with what chance gives.
pub fn beside_chance(measures: &Measures, chance: &[Chance; 3]) -> String {
    let errors = measures.calibration_error.iter().zip(chance);
    let shown = errors.map(|(error, Chance { mean, deviation })| format!("{error:.3} ({mean:.3} ± {deviation:.3})"));
    shown.collect::<Vec<_>>().join("  ")
}

/// Prints the rows, the worst bins of each, and what they are by the ratings.
pub fn print(rows: &[Scored]) {
    line(format_args!(
        "{:>9}  {:>17}  {:>6}  {:>6}  {:>6}  {:^20}  {:>6}  {:>6}",
        "positions", "log loss", "norm.", "Brier", "RPS", "ECE of W, D, L", "ECE", "AUC"
    ));
    for row in rows {
        let Measures { positions, log_loss, log_loss_error, normalized_entropy, brier, rps, .. } = row.measures;
        let [win, draw, loss] = row.measures.calibration_error;
        let confidence = row.measures.confidence_error;
        let area = row.white_win_area.map_or("-".to_owned(), |area| format!("{area:.4}"));
        line(format_args!(
            "{positions:>9}  {log_loss:>8.4} ± {log_loss_error:.4}  {normalized_entropy:.4}  {brier:.4}  {rps:.4}  \
             {win:.4} {draw:.4} {loss:.4}  {confidence:.4}  {area:>6}  {}",
            row.name()
        ));
    }
    line(format_args!("worst bin of {WELL_FILLED} positions and {MANY_GAMES} games or more, observed less predicted:"));
    for row in rows {
        line(format_args!("  {}  {}", worst_bins(&row.measures), row.name()));
    }
    line(format_args!("calibration error of W, D, L, and what chance gives:"));
    for row in rows {
        line(format_args!("  {}  {}", beside_chance(&row.measures, &row.calibration_by_chance), row.name()));
    }
    if rows.iter().any(|row| row.groups.iter().any(Group::is_filled)) {
        line(format_args!(
            "by ratings, {WELL_FILLED} positions or more: log loss, normalized, ECE, observed less predicted W, D, L, calibration error \
             of W, D, L, and what chance gives:"
        ));
    }
    for name in BANDS.iter().chain(&DIFFERENCES).map(|(_, _, name)| *name) {
        for row in rows {
            for group in row.groups.iter().filter(|group| group.name == name && group.is_filled()) {
                let measures = &group.measures;
                let [win, draw, loss] = measures.bias.map(|bias| -bias);
                line(format_args!(
                    "  {name:<21} {:>6}  {:.4}  {:.4}  {:.4}  {win:+.3} {draw:+.3} {loss:+.3}  {}  {}",
                    measures.positions,
                    measures.log_loss,
                    measures.normalized_entropy,
                    measures.confidence_error,
                    beside_chance(measures, &group.calibration_by_chance),
                    row.name()
                ));
            }
        }
    }
}
