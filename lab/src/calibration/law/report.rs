//! What a law came to, on games that it was not fitted to.

use super::super::observations::name;
use super::super::scored::{beside_chance, worst_bins};
use super::super::scoring::{BINS, WELL_FILLED, by_chance, games, log_losses, mean, measures};
use super::data::Data;
use super::fit::Fit;
use crate::figures;
use crate::outcome::Outcome;
use crate::reliability::{self, Panel};
use crate::stats::{Bins, MANY_GAMES};
use anyhow::{Result, bail};
use halfpoint::output::line;
use halfpoint::params::NumberTable;
use halfpoint::printing::TimeClass;
use halfpoint::printing::law::{Context, Nodes, People};
use std::collections::BTreeMap;
use std::path::Path;

/// Fewest games of a cell that is shown.
const LEAST_GAMES: usize = 100;
/// Width of a band of mean ratings, Elo.
const BAND: f64 = 200.0;
/// Largest differences in rating of the rows by difference, Elo; the last row has all above.
const DIFFERENCES: [u32; 4] = [50, 150, 300, 600];

/// By what positions belong together; they are shown in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum By {
    Nodes,
    Class(TimeClass),
    Band,
    /// One of the rows by difference of the ratings.
    Difference(usize),
}

/// Positions that belong together, and their name.
pub type Cells = BTreeMap<(By, String), Vec<usize>>;

/// By the nodes of each move.
pub fn by_nodes(data: &Data<Nodes>) -> Cells {
    cells(data, |index| vec![(By::Nodes, format!("{:>9} nodes", data.contexts[index].0))])
}

/// By time class, by band of mean ratings, and by difference of the ratings.
pub fn by_each(data: &Data<People>) -> Cells {
    cells(data, |index| {
        let class = class(data, index);
        let of_band = (By::Band, format!("mean {}", band(data, index)));
        [(By::Class(class), class.to_string()), of_band].into_iter().chain(difference(data, index)).collect()
    })
}

/// By time class and band of mean ratings together, and by difference of the ratings.
pub fn by_players(data: &Data<People>) -> Cells {
    cells(data, |index| {
        let class = class(data, index);
        let of_class = (By::Class(class), format!("{class} {}", band(data, index)));
        [of_class].into_iter().chain(difference(data, index)).collect()
    })
}

fn class(data: &Data<People>, index: usize) -> TimeClass {
    data.observations.samples[index].time_class.unwrap_or(TimeClass::Classical)
}

fn band(data: &Data<People>, index: usize) -> String {
    let low = (data.contexts[index].elo / BAND).floor() * BAND;
    format!("{low:>4} to {:>4}", low + BAND - 1.0)
}

/// `None` where the ratings are those after the game.
fn difference(data: &Data<People>, index: usize) -> Option<(By, String)> {
    let sample = &data.observations.samples[index];
    let difference = (!sample.are_rated_after).then(|| sample.ratings.white_advantage().unsigned_abs())?;
    let rank = DIFFERENCES.iter().position(|&most| difference < most).unwrap_or(DIFFERENCES.len());
    let name = match rank.checked_sub(1).map(|before| DIFFERENCES[before]) {
        None => format!("difference below {:>3}", DIFFERENCES[0]),
        Some(least) if rank < DIFFERENCES.len() => format!("difference {least:>3} to {}", DIFFERENCES[rank] - 1),
        Some(least) => format!("difference from {least}"),
    };
    Some((By::Difference(rank), name))
}

fn cells<C>(data: &Data<C>, names: impl Fn(usize) -> Vec<(By, String)>) -> Cells {
    let mut cells = Cells::new();
    for index in 0..data.contexts.len() {
        names(index).into_iter().for_each(|name| cells.entry(name).or_default().push(index));
    }
    cells
}

/// Prints the coefficients, and the scores of the law where it was not fitted, in all and in each cell.
pub fn print<C: Context>(data: &Data<C>, fit: &Fit<C>, rates: &[[f64; 3]], cells: Cells) {
    let samples = &data.observations.samples;
    line(format_args!(
        "{} positions of {} games; coefficients with standard errors:",
        data.len(),
        games(samples).count()
    ));
    for (column, value, error) in &fit.columns {
        let term = C::Terms::NUMBERS[column.term].name;
        line(format_args!("  {:<22} {term:<14} {value:8.4} ± {error:.4}", name(column.number)));
    }
    if data.is_rated() {
        line(format_args!("  a difference in rating counts up to {:.0} Elo", fit.gap.limit_elo));
    }
    let all = mean(&log_losses(rates, samples), samples);
    line(format_args!("log loss of what was held out {:.4} ± {:.4}", all.mean(), all.standard_error()));
    line(format_args!("worst bin of {WELL_FILLED} positions and {MANY_GAMES} games or more, observed less predicted:"));
    line(format_args!("  {}", worst_bins(&measures(rates, samples)).trim_end()));
    line(format_args!(
        "{:<26} {:>9} {:>6}  {:>6} {:>7} {:>7}  {:<72}worst bins",
        "", "positions", "games", "law", "nominal", "rates", "calibration error of W, D, L, and what chance gives"
    ));
    for ((_, cell), chosen) in cells {
        print_cell(data, &cell, rates, &chosen);
    }
}

fn print_cell<C: Context>(data: &Data<C>, cell: &str, rates: &[[f64; 3]], chosen: &[usize]) {
    let samples: Vec<_> = chosen.iter().map(|&index| data.observations.samples[index].clone()).collect();
    let count = games(&samples).count();
    if count < LEAST_GAMES {
        return;
    }
    let of_law: Vec<_> = chosen.iter().map(|&index| rates[index]).collect();
    let of_nominal: Vec<_> = chosen.iter().map(|&index| data.nominal(index)).collect();
    let share =
        |outcome| samples.iter().filter(|sample| sample.outcome == outcome).count() as f64 / samples.len() as f64;
    let base = vec![Outcome::ALL.map(share); samples.len()];
    let loss = |rates: &[[f64; 3]]| mean(&log_losses(rates, &samples), &samples).mean();
    let measures = measures(&of_law, &samples);
    let chance = by_chance(&of_law, &samples);
    line(format_args!(
        "{cell:<26} {:>9} {count:>6}  {:.4}  {:.4}  {:.4}  {}  {}",
        samples.len(),
        loss(&of_law),
        loss(&of_nominal),
        loss(&base),
        beside_chance(&measures, &chance),
        worst_bins(&measures).trim_end()
    ));
}

/// Draws the reliability of the law where it was not fitted, a panel for each cell that is shown.
pub fn draw<C: Context>(path: &Path, data: &Data<C>, rates: &[[f64; 3]], cells: Cells) -> Result<()> {
    let panel = |((_, cell), chosen): ((By, String), Vec<usize>)| {
        let [mut wins, mut draws] = [(); 2].map(|()| Bins::new(BINS));
        let mut games = 0;
        let mut last = None;
        for index in chosen {
            let sample = &data.observations.samples[index];
            games += usize::from(last.replace(sample.game) != Some(sample.game));
            let [win, draw, loss] = rates[index];
            wins.add(sample.game, win, sample.outcome == Outcome::Win);
            wins.add(sample.game, loss, sample.outcome == Outcome::Loss);
            draws.add(sample.game, draw, sample.outcome == Outcome::Draw);
        }
        let title = format!("{}, {games} games", cell.trim());
        (games >= LEAST_GAMES).then(|| Panel { title, wins: wins.filled(), draws: draws.filled() })
    };
    let panels: Vec<_> = cells.into_iter().filter_map(panel).collect();
    if panels.is_empty() {
        bail!("no kind of games has {LEAST_GAMES} of them, so there is nothing to draw");
    }
    figures::save(path, &reliability::panels(&panels)?)
}

/// What the file says of the fit.
pub struct FitTable {
    pub positions: usize,
    pub games: usize,
    pub seed: u64,
    pub log_loss: f64,
    pub log_loss_error: f64,
}

pub fn fit_table<C: Context>(data: &Data<C>, rates: &[[f64; 3]], seed: u64) -> FitTable {
    let samples = &data.observations.samples;
    let loss = mean(&log_losses(rates, samples), samples);
    FitTable {
        positions: samples.len(),
        games: games(samples).count(),
        seed,
        log_loss: loss.mean(),
        log_loss_error: loss.standard_error(),
    }
}
