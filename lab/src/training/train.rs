//! Epochs over all rows.

use super::measure::{self, EpochLosses};
use super::model::{Loss, Model};
use super::options::Options;
use super::prepare::{BUCKETS, Origin, Rows};
use super::row::{BYTES, Row};
use super::state::State;
use super::{adamw, export};
use crate::progress;
use anyhow::{Context, Result, bail};
use halfpoint::eval::network::Network;
use halfpoint::output::error_line;
use rayon::prelude::*;
use std::path::Path;
use std::time::{Duration, Instant};

/// Positions of a step of the optimiser, about.
const BATCH: usize = 16_384;
/// Positions by which the games' level is found, at least.
const LEVEL_ROWS: usize = 500_000;
/// Time between two states on disk.
const STATE_INTERVAL: Duration = Duration::from_secs(60);

/// A network that is trained, and how it came about.
pub struct Finished<const UNITS: usize> {
    pub model: Model<UNITS>,
    pub loss: Loss,
    pub losses: Vec<EpochLosses>,
    /// Positions a second.
    pub speed: f64,
}

/// Trains a network, or goes on with a run that was interrupted.
pub fn train<const UNITS: usize>(options: &Options, origin: &Origin, rows: &Rows) -> Result<Finished<UNITS>> {
    train_until(options, origin, rows, STATE_INTERVAL, |_| false)
}

/// Trains until `is_interrupted` says so of the number of buckets done, as if the program had ended there. The state is written
/// after each epoch, and at this interval.
pub fn train_until<const UNITS: usize>(
    options: &Options,
    origin: &Origin,
    rows: &Rows,
    interval: Duration,
    is_interrupted: impl Fn(u64) -> bool,
) -> Result<Finished<UNITS>> {
    let mut loss = Loss::new([options.lambda_wilo, options.lambda_draw]);
    let mut state = match State::read(options, origin)? {
        Some(state) => state,
        None => {
            loss.fit_levels(&rows.sample(LEVEL_ROWS)?);
            let model = match &options.start {
                Some(path) => first(path)?,
                None => Model::<UNITS>::random(options.seed),
            };
            State::new(options, origin, &model.parameters, [loss.level, loss.search_level])?
        }
    };
    (loss.level, loss.search_level) = (state.level, state.search_level);
    error_line(format_args!("level of the games: {} for the terms; {} for searches", loss.level, loss.search_level));
    let (parameters, mut adamw) = state.restore(Model::<UNITS>::COUNT).context("the state is of another network")?;
    let mut model = Model { parameters };
    let steps = steps(options, rows)?;
    let bar =
        progress::bar(u64::from(options.epochs) * rows.training, "{wide_bar} {percent} % {eta} {msg}", "positions");
    bar.set_position(u64::from(state.epoch) * rows.training + state.sums.1);
    let (mut began, mut written) = (Instant::now(), Instant::now());
    while state.epoch < options.epochs {
        let shuffled = rows.shuffled(state.bucket, state.epoch, options.seed)?;
        for batch in even_chunks(&shuffled) {
            let (losses, gradient) = gradient(&model, &loss, batch);
            let rate = adamw::rate(options.rate, state.batches as f64 / steps as f64);
            adamw.step(&mut model.parameters, &gradient, rate, options.decay as f32);
            model.limit();
            state.batches += 1;
            state.sums.0 = [0, 1].map(|part| state.sums.0[part] + losses[part]);
        }
        state.sums.1 += shuffled.len() as u64;
        if !state.sums.0.iter().all(|sum| sum.is_finite()) {
            bail!("the training diverged in epoch {}; a smaller --rate may help", state.epoch + 1);
        }
        bar.inc(shuffled.len() as u64);
        state.bucket += 1;
        if state.bucket == BUCKETS {
            let positions = state.sums.1.max(1) as f64;
            let losses = EpochLosses {
                training: state.sums.0.map(|sum| sum / positions),
                held_out: measure::held_out(&model, &loss, rows),
            };
            error_line(format_args!("epoch {}: {losses}", state.epoch + 1));
            state.losses.push(losses);
            (state.epoch, state.bucket, state.sums) = (state.epoch + 1, 0, ([0.0; 2], 0));
        }
        state.seconds += std::mem::replace(&mut began, Instant::now()).elapsed().as_secs_f64();
        if state.bucket == 0 || written.elapsed() >= interval {
            state.keep(&model.parameters, &adamw);
            state.write(options)?;
            written = Instant::now();
        }
        if is_interrupted(u64::from(state.epoch) * BUCKETS as u64 + state.bucket as u64) {
            break;
        }
    }
    bar.finish_and_clear();
    let done = u64::from(state.epoch) * rows.training + state.sums.1;
    Ok(Finished { model, loss, losses: state.losses, speed: done as f64 / state.seconds.max(1e-9) })
}

/// The network of a file, to begin with.
pub fn first<const UNITS: usize>(path: &Path) -> Result<Model<UNITS>> {
    export::import(&Network::read_file(path)?).with_context(|| path.display().to_string())
}

/// Steps of the whole training.
fn steps(options: &Options, rows: &Rows) -> Result<u64> {
    let batches = |bucket| Ok::<_, anyhow::Error>(rows.bucket(bucket)?.len().div_ceil(BATCH) as u64);
    let of_epoch = (0..BUCKETS).map(batches).sum::<Result<u64>>()?;
    Ok((u64::from(options.epochs) * of_epoch).max(1))
}

/// Rows in batches of about the same size.
fn even_chunks(rows: &[[u8; BYTES]]) -> impl Iterator<Item = &[[u8; BYTES]]> {
    let batches = rows.len().div_ceil(BATCH).max(1);
    rows.chunks(rows.len().div_ceil(batches).max(1))
}

/// Losses of a batch, summed, and the gradient of the mean loss. The parts of the threads are summed in order.
pub fn gradient<const UNITS: usize>(model: &Model<UNITS>, loss: &Loss, batch: &[[u8; BYTES]]) -> ([f64; 2], Vec<f32>) {
    let part = batch.len().div_ceil(rayon::current_num_threads()).max(1);
    let parts: Vec<_> = batch
        .par_chunks(part)
        .map(|rows| {
            let (mut losses, mut gradient) = ([0.0; 2], vec![0.0; Model::<UNITS>::COUNT]);
            for row in rows {
                let of_row = model.add_gradient(&Row::from_bytes(row), loss, &mut gradient);
                losses = [0, 1].map(|part| losses[part] + f64::from(of_row[part]));
            }
            (losses, gradient)
        })
        .collect();
    let (mut losses, mut sum) = ([0.0; 2], vec![0.0; Model::<UNITS>::COUNT]);
    let share = 1.0 / batch.len() as f32;
    for (of_part, gradient) in parts {
        losses = [0, 1].map(|part| losses[part] + of_part[part]);
        sum.iter_mut().zip(&gradient).for_each(|(sum, slope)| *sum += share * slope);
    }
    (losses, sum)
}
