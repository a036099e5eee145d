//! The network in floating point, its loss and gradient.

use super::level::{self, Level};
use super::row::{Inputs, Row};
use crate::outcome::Outcome;
use crate::tuning::knots::Knots;
use crate::tuning::target::Reader;
use halfpoint::eval::network::{ACTIVATION_ONE, BUCKETS, INPUTS};
use halfpoint::eval::tuning::terms::{DRAW_CURVE, DRAW_KNOT_STEP, WILO_KNOTS};
use halfpoint::eval::{FULL_PHASE, Weights};
use halfpoint::wdl::model::{C, DRAW_UNITS, WILO_UNITS};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Sums that are taken beside each other, as one processor instruction does; all numbers of units are multiples.
const LANES: usize = 16;

/// A network with so many hidden units. Its parameters stand one after the other: weights by input, biases, and for each bucket the
/// output weights of wilo (log odds) and draw (logits); then the draw constants.
#[derive(Clone, Debug, PartialEq)]
pub struct Model<const UNITS: usize> {
    pub parameters: Vec<f32>,
}

impl<const UNITS: usize> Model<UNITS> {
    /// Where the biases stand.
    pub const BIASES: usize = INPUTS * UNITS;
    /// Where the output weights stand.
    pub const OUTPUTS: usize = Self::BIASES + UNITS;
    /// Where the draw constants stand.
    pub const CONSTANTS: usize = Self::OUTPUTS + 2 * BUCKETS * UNITS;
    /// How many parameters there are.
    pub const COUNT: usize = Self::CONSTANTS + BUCKETS;

    /// Random weights, so small that the network adds next to nothing.
    pub fn random(seed: u64) -> Model<UNITS> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut parameters = vec![0.0; Self::COUNT];
        for (index, parameter) in parameters.iter_mut().enumerate() {
            let at: f32 = random.random_range(-1.0..1.0);
            *parameter = match index {
                _ if index < Self::BIASES => 0.12 * at,
                _ if index < Self::OUTPUTS => 0.4 + 0.2 * at,
                _ if index < Self::CONSTANTS => 0.05 * at,
                _ => 0.0,
            };
        }
        Model { parameters }
    }

    /// Keeps the weights of the inputs to those that the engine's file can hold.
    pub fn limit(&mut self) {
        const LARGEST: f32 = i8::MAX as f32 / ACTIVATION_ONE as f32;
        self.parameters[..Self::BIASES].iter_mut().for_each(|weight| *weight = weight.clamp(-LARGEST, LARGEST));
    }

    fn units(&self, at: usize) -> &[f32; UNITS] {
        units_at(&self.parameters, at)
    }

    /// Where the output weights of a bucket stand, of wilo and of draw.
    pub const fn output(bucket: usize) -> [usize; 2] {
        let wilo = Self::OUTPUTS + 2 * bucket * UNITS;
        [wilo, wilo + UNITS]
    }

    /// The sums of the units of a view, clamped to 0 to 1.
    #[inline]
    fn clamped(&self, inputs: &[u16]) -> [f32; UNITS] {
        let mut sums = *self.units(Self::BIASES);
        for &input in inputs {
            let weights = self.units(usize::from(input) * UNITS);
            for unit in 0..UNITS {
                sums[unit] += weights[unit];
            }
        }
        // A loop, since `map` of a large array is not vectorised.
        for sum in &mut sums {
            *sum = sum.clamp(0.0, 1.0);
        }
        sums
    }

    /// What the network adds to a position: log odds that White wins, and of a draw.
    pub fn sums(&self, inputs: &Inputs) -> (f32, f32) {
        self.outputs(&inputs.views().map(|view| self.clamped(view)), inputs.bucket())
    }

    fn outputs(&self, [white, black]: &[[f32; UNITS]; 2], bucket: usize) -> (f32, f32) {
        let [wilo, draw] = Self::output(bucket).map(|at| self.units(at));
        let mut sums = ([0.0; LANES], [0.0; LANES]);
        for first in (0..UNITS).step_by(LANES) {
            for lane in 0..LANES {
                let unit = first + lane;
                let (white, black) = (white[unit] * white[unit], black[unit] * black[unit]);
                sums.0[lane] += wilo[unit] * (white - black);
                sums.1[lane] += draw[unit] * (white + black);
            }
        }
        (sums.0.iter().sum(), sums.1.iter().sum::<f32>() + self.parameters[Self::CONSTANTS + bucket])
    }

    /// Adds the gradient of the loss of a row to `gradient`; returns the loss of wilo and of draw, nats.
    pub fn add_gradient(&self, row: &Row, loss: &Loss, gradient: &mut [f32]) -> [f32; 2] {
        let inputs = row.pieces.inputs();
        let (views, bucket) = (inputs.views(), inputs.bucket());
        let activations = views.map(|view| self.clamped(view));
        let Slopes { losses, wilo, draw } = loss.slopes(row, inputs.phase, self.outputs(&activations, bucket));
        gradient[Self::CONSTANTS + bucket] += draw;
        let [wilo_at, draw_at] = Self::output(bucket);
        let [wilo_weights, draw_weights] = [wilo_at, draw_at].map(|at| self.units(at));
        let mut of_views = [[0.0; UNITS]; 2];
        let [white, black] = &activations;
        for unit in 0..UNITS {
            let (by_wilo, by_draw) = (wilo * wilo_weights[unit], draw * draw_weights[unit]);
            // The slope of the clamped square is that of the square inside and nothing outside.
            let slope = |activation: f32| if activation < 1.0 { 2.0 * activation } else { 0.0 };
            of_views[0][unit] = (by_draw + by_wilo) * slope(white[unit]);
            of_views[1][unit] = (by_draw - by_wilo) * slope(black[unit]);
        }
        let wilo_gradient = units_at_mut::<UNITS>(gradient, wilo_at);
        for unit in 0..UNITS {
            wilo_gradient[unit] += wilo * (white[unit] * white[unit] - black[unit] * black[unit]);
        }
        let draw_gradient = units_at_mut::<UNITS>(gradient, draw_at);
        for unit in 0..UNITS {
            draw_gradient[unit] += draw * (white[unit] * white[unit] + black[unit] * black[unit]);
        }
        for (inputs, of_view) in views.iter().zip(&of_views) {
            let biases = [Self::BIASES];
            for at in inputs.iter().map(|&input| usize::from(input) * UNITS).chain(biases) {
                let weights = units_at_mut::<UNITS>(gradient, at);
                for unit in 0..UNITS {
                    weights[unit] += of_view[unit];
                }
            }
        }
        losses
    }
}

#[inline]
fn units_at<const UNITS: usize>(parameters: &[f32], at: usize) -> &[f32; UNITS] {
    parameters[at..].first_chunk().expect("a place that Model has named")
}

#[inline]
fn units_at_mut<const UNITS: usize>(parameters: &mut [f32], at: usize) -> &mut [f32; UNITS] {
    parameters[at..].first_chunk_mut().expect("a place that Model has named")
}

/// From sums to the loss: the terms' scores and curves, and the target.
pub struct Loss {
    /// The draw score by the size of wilo, in steps of [`SIZE_STEP`] centipawns, by phase; hundredths of a logit.
    sizes: Vec<Vec<f32>>,
    /// The curve of the draw score from `-LAST_DRAW` on, in steps of [`DRAW_KNOT_STEP`], by phase; hundredths of a logit.
    curves: Vec<Vec<f32>>,
    /// The level of the games for the terms and the network.
    pub level: Level,
    /// The level of the games for searches.
    pub search_level: Level,
    /// The shares of results in the targets of wilo and draw.
    pub lambdas: [f32; 2],
}

/// The draw score, either way, beyond which its curve is level, hundredths of a logit.
const LAST_DRAW: i32 = DRAW_KNOT_STEP * (DRAW_CURVE.len as i32 - 1) / 2;
/// Centipawns between places of the tables of sizes; all [`WILO_KNOTS`] are multiples.
const SIZE_STEP: i32 = 50;

/// A loss and its slopes by what the network adds.
struct Slopes {
    losses: [f32; 2],
    wilo: f32,
    draw: f32,
}

impl Loss {
    /// The curves of the built-in weights; the games' level is yet to be found.
    pub fn new(lambdas: [f64; 2]) -> Loss {
        let (weights, knots) = (Weights::terms(), Knots::default());
        let reader = Reader::new(&weights, &knots);
        let last = WILO_KNOTS[WILO_KNOTS.len() - 1];
        let by_phase = |of: &dyn Fn(u8) -> Vec<f32>| (0..=FULL_PHASE as u8).map(of).collect();
        Loss {
            sizes: by_phase(&|phase| {
                let sizes = (0..=last).step_by(SIZE_STEP as usize);
                sizes.map(|size| reader.size_part(phase, f64::from(size)) as f32).collect()
            }),
            curves: by_phase(&|phase| {
                let draws = (-LAST_DRAW..=LAST_DRAW).step_by(DRAW_KNOT_STEP as usize);
                draws.map(|draw| reader.curve_part(phase, f64::from(draw)) as f32).collect()
            }),
            level: Level::NONE,
            search_level: Level::NONE,
            lambdas: lambdas.map(|lambda| lambda as f32),
        }
    }

    /// Log odds of both scores with what the network adds, and the slope of the curve of the draw score.
    fn scores(&self, row: &Row, phase: usize, (wilo, draw): (f32, f32)) -> (f32, f32, f32) {
        const WILO_ONE: f32 = (C / WILO_UNITS) as f32;
        let units = DRAW_UNITS as f32;
        let with = f32::from(row.wilo) + wilo / WILO_ONE;
        let size = |wilo: f32| at(&self.sizes[phase], wilo.abs() / SIZE_STEP as f32).0;
        let before = f32::from(row.draw) + units * draw + size(with) - size(f32::from(row.wilo));
        let (curve, slope) = at(&self.curves[phase], (before + LAST_DRAW as f32) / DRAW_KNOT_STEP as f32);
        (WILO_ONE * with, (before + curve) / units, 1.0 + slope / DRAW_KNOT_STEP as f32)
    }

    /// Log odds of a White win and of a draw, at the level of the games.
    pub fn forecast(&self, row: &Row, phase: usize, sums: (f32, f32)) -> (f64, f64) {
        let (wilo, draw, _) = self.scores(row, phase, sums);
        self.level.of(f64::from(wilo), f64::from(draw))
    }

    /// The same of a row with a network.
    pub fn forecast_with<const UNITS: usize>(&self, row: &Row, model: &Model<UNITS>) -> (f64, f64) {
        let inputs = row.pieces.inputs();
        self.forecast(row, inputs.phase, model.sums(&inputs))
    }

    /// The same of a row without one.
    pub fn forecast_of_terms(&self, row: &Row) -> (f64, f64) {
        self.forecast(row, row.pieces.inputs().phase, (0.0, 0.0))
    }

    fn slopes(&self, row: &Row, phase: usize, sums: (f32, f32)) -> Slopes {
        let (wilo, draw, curve_slope) = self.scores(row, phase, sums);
        let Level { wilo_factor, draw_factor, draw_constant } = self.level;
        let (wilo_factor, draw_factor) = (wilo_factor as f32, draw_factor as f32);
        let (wilo, draw) = (wilo_factor * wilo, draw_factor * draw + draw_constant as f32);
        let target = self.target(row);
        let (p, won, lost) = log_losses(wilo);
        let (d, drawn, decided) = log_losses(draw);
        Slopes {
            losses: [target.win * won + target.loss * lost, target.draw * drawn + (1.0 - target.draw) * decided],
            wilo: ((target.win + target.loss) * p - target.win) * wilo_factor,
            draw: (d - target.draw) * draw_factor * curve_slope,
        }
    }

    /// Results blended with what the searches say.
    fn target(&self, row: &Row) -> Target {
        let (wilo, draw) = self.search_level.of(f64::from(row.search_wilo), f64::from(row.search_draw));
        let (p, d) = (sigmoid(wilo as f32), sigmoid(draw as f32));
        let is = |outcome: Outcome| f32::from(u8::from(row.outcome == outcome));
        let blend = |lambda: f32, result: f32, search: f32| lambda * result + (1.0 - lambda) * search;
        let [of_wilo, of_draw] = self.lambdas;
        Target {
            win: blend(of_wilo, is(Outcome::Win), (1.0 - d) * p),
            loss: blend(of_wilo, is(Outcome::Loss), (1.0 - d) * (1.0 - p)),
            draw: blend(of_draw, is(Outcome::Draw), d),
        }
    }

    /// Finds the levels of the games from training rows.
    pub fn fit_levels(&mut self, rows: &[Row]) {
        self.search_level = level::of_searches(rows);
        let case = |row: &Row| {
            let (wilo, draw, _) = self.scores(row, row.pieces.inputs().phase, (0.0, 0.0));
            (row.outcome, f64::from(wilo), f64::from(draw))
        };
        self.level = Level::fit(&rows.iter().map(case).collect::<Vec<_>>(), false);
    }
}

struct Target {
    win: f32,
    loss: f32,
    draw: f32,
}

/// A table between its whole numbers, with its slope; level beyond its ends.
#[inline]
fn at(table: &[f32], place: f32) -> (f32, f32) {
    let last = table.len() - 1;
    let below = place.floor();
    if below < 0.0 {
        return (table[0], 0.0);
    }
    let index = below as usize;
    if index >= last {
        return (table[last], 0.0);
    }
    let slope = table[index + 1] - table[index];
    (table[index] + slope * (place - below), slope)
}

#[inline]
fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// The probability of log odds with the losses of yes and of no: [`crate::stats::log_losses`] in single precision.
#[inline]
fn log_losses(logit: f32) -> (f32, f32, f32) {
    let small = (-logit.abs()).exp();
    let (near, share) = (small.ln_1p(), 1.0 / (1.0 + small));
    if logit >= 0.0 { (share, near, near + logit) } else { (small * share, near - logit, near) }
}
