//! How well weights predict: scores, reliability, and where the residuals are.

use super::block::{Block, Outcome, Row};
use super::coefficients::Coefficient;
use super::objective::Vector;
use halfpoint::eval::tuning::terms::{
    HALFMOVES, MATERIAL, OPPOSITE_BISHOPS, OPPOSITE_WINGS, PST_KING, Term, WILO_KNOTS,
};
use halfpoint::wdl::model::{DRAW_LIMIT, DRAW_UNITS, sigmoid};
use rayon::prelude::*;
use shakmaty::Color;
use std::collections::HashMap;

/// Predicted probabilities of a win, a draw and a loss, White's view.
pub type Prediction = [f64; 3];

/// Log odds of a winner beyond which a prediction does not go.
const MOST_WILO_LOGITS: f32 = 25.0;
/// Log odds of a draw beyond which the search does not go.
pub const MOST_DRAW_LOGITS: f32 = (DRAW_LIMIT as f64 / DRAW_UNITS) as f32;

/// From the log odds of both regressions.
#[must_use]
pub fn predictions(wilo: &[f32], draw: &[f32]) -> Vec<Prediction> {
    // A prediction is never certain, so that its log loss is a number.
    let probability = |logit: f32, most: f32| sigmoid(f64::from(logit.clamp(-most, most)));
    let predict = |(&wilo, &draw): (&f32, &f32)| {
        let (wp, d) = (probability(wilo, MOST_WILO_LOGITS), probability(draw, MOST_DRAW_LOGITS));
        [(1.0 - d) * wp, d, (1.0 - d) * (1.0 - wp)]
    };
    wilo.iter().zip(draw).map(predict).collect()
}

/// Shares of wins, draws and losses.
#[must_use]
pub fn base_rates(blocks: &[Block]) -> Prediction {
    let mut counts = [0.0; 3];
    let mut all = 0.0;
    for row in rows(blocks) {
        counts[index(row.outcome)] += 1.0;
        all += 1.0;
    }
    counts.map(|count| count / all)
}

/// All rows in order.
fn rows(blocks: &[Block]) -> impl Iterator<Item = &Row> {
    blocks.iter().flat_map(|block| &block.rows)
}

/// Place of an outcome in a [`Prediction`].
fn index(outcome: Outcome) -> usize {
    match outcome {
        Outcome::Win => 0,
        Outcome::Draw => 1,
        Outcome::Loss => 2,
    }
}

/// A sum over positions whose games are the independent observations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clustered {
    /// Number of positions.
    pub positions: f64,
    /// Number of games.
    pub games: f64,
    sum: f64,
    /// Of the games' sums, but the last.
    squares: f64,
    game: Option<u32>,
    game_sum: f64,
}

impl Clustered {
    /// Adds a position; those of one game must come together.
    pub fn add(&mut self, game: u32, value: f64) {
        if self.game.replace(game) != Some(game) {
            self.squares += self.game_sum.powi(2);
            self.game_sum = 0.0;
            self.games += 1.0;
        }
        self.positions += 1.0;
        self.sum += value;
        self.game_sum += value;
    }

    /// Adds positions of other games.
    pub fn merge(&mut self, other: &Clustered) {
        self.squares += self.game_sum.powi(2) + other.squares;
        self.positions += other.positions;
        self.games += other.games;
        self.sum += other.sum;
        (self.game, self.game_sum) = (other.game, other.game_sum);
    }

    /// Mean over the positions.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.sum / self.positions.max(1.0)
    }

    /// Standard error of the mean, if the true mean is zero.
    #[must_use]
    pub fn error(&self) -> f64 {
        (self.squares + self.game_sum.powi(2)).sqrt() / self.positions.max(1.0)
    }

    /// Mean in standard errors.
    #[must_use]
    pub fn t_value(&self) -> f64 {
        if self.error() > 0.0 { self.mean() / self.error() } else { 0.0 }
    }
}

/// How well predictions fit results.
#[derive(Clone, Copy, Debug)]
pub struct Quality {
    /// Mean of −ln of the probability given to what happened, nats.
    pub log_loss: f64,
    /// The part of it that the draw vector answers for: whether the game is drawn.
    pub draw_part: f64,
    /// The part that wilo answers for: who wins.
    pub wilo_part: f64,
    /// Mean squared distance of the three probabilities from the result.
    pub brier: f64,
}

/// Scores predictions of all positions.
#[must_use]
pub fn quality(blocks: &[Block], predictions: &[Prediction]) -> Quality {
    let (mut draw, mut wilo, mut brier) = (0.0, 0.0, 0.0);
    for (row, prediction) in rows(blocks).zip(predictions) {
        let [of_draw, of_wilo] = losses(row.outcome, prediction);
        draw += of_draw;
        wilo += of_wilo;
        let happened = index(row.outcome);
        let distance = |i: usize| (prediction[i] - f64::from(u8::from(i == happened))).powi(2);
        brier += (0..3).map(distance).sum::<f64>();
    }
    let all = (predictions.len() as f64).max(1.0);
    Quality { log_loss: (draw + wilo) / all, draw_part: draw / all, wilo_part: wilo / all, brier: brier / all }
}

/// Log losses of the draw and of the wilo side of a prediction.
fn losses(outcome: Outcome, &[win, draw, loss]: &Prediction) -> [f64; 2] {
    match outcome {
        Outcome::Draw => [-draw.ln(), 0.0],
        Outcome::Win => [-(1.0 - draw).ln(), -(win / (1.0 - draw)).ln()],
        Outcome::Loss => [-(1.0 - draw).ln(), -(loss / (1.0 - draw)).ln()],
    }
}

/// By how much the log loss of `a` exceeds that of `b`: mean and standard error over games.
#[must_use]
pub fn log_loss_difference(blocks: &[Block], a: &[Prediction], b: &[Prediction]) -> (f64, f64) {
    let mut difference = Clustered::default();
    let differences: Vec<(u32, f64)> = rows(blocks)
        .zip(a.iter().zip(b))
        .map(|(row, (a, b))| {
            let total = |prediction| losses(row.outcome, prediction).iter().sum::<f64>();
            (row.game, total(a) - total(b))
        })
        .collect();
    let mean = differences.iter().map(|(_, value)| value).sum::<f64>() / (differences.len() as f64).max(1.0);
    for (game, value) in differences {
        difference.add(game, value - mean);
    }
    (mean, difference.error())
}

/// Positions with about the same predicted probability.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bin {
    /// Mean prediction.
    pub predicted: f64,
    /// Share of positions in which it happened.
    pub observed: f64,
    /// Standard error of the difference.
    pub error: f64,
    /// Number of positions.
    pub positions: f64,
}

impl Bin {
    /// Observed less predicted.
    #[must_use]
    pub fn distance(&self) -> f64 {
        self.observed - self.predicted
    }
}

/// Bins of a reliability diagram.
pub const BINS: usize = 20;

/// Predicted against observed probability of a win (0), a draw (1) or a loss (2), in bins of equal width; empty ones
/// are left out.
#[must_use]
pub fn reliability(blocks: &[Block], predictions: &[Prediction], which: usize) -> Vec<Bin> {
    let mut bins = [(0.0, Clustered::default()); BINS];
    for (row, prediction) in rows(blocks).zip(predictions) {
        let p = prediction[which];
        let (sum, residual) = &mut bins[((p * BINS as f64) as usize).min(BINS - 1)];
        *sum += p;
        residual.add(row.game, f64::from(u8::from(index(row.outcome) == which)) - p);
    }
    let filled = bins.iter().filter(|(_, residual)| residual.positions > 0.0);
    let bin = |&(sum, residual): &(f64, Clustered)| {
        let predicted = sum / residual.positions;
        Bin { predicted, observed: predicted + residual.mean(), error: residual.error(), positions: residual.positions }
    };
    filled.map(bin).collect()
}

/// How log odds of draws, or of winners, would have to change to fit best: the test of whether they are too sure
/// (slope below 1) or not sure enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// Factor on the log odds.
    pub slope: f64,
    /// Added to the log odds.
    pub offset: f64,
    /// Standard errors of both, games being the observations.
    pub errors: [f64; 2],
}

/// Newton steps for a calibration.
const CALIBRATION_STEPS: usize = 25;

/// Fits a straight line over the log odds of predictions to the results. Positions that the regression leaves out are
/// left out here, too.
#[must_use]
pub fn calibration(blocks: &[Block], predictions: &[Prediction], vector: Vector) -> Calibration {
    let observations: Vec<(u32, f64, f64)> = rows(blocks)
        .zip(predictions)
        .filter_map(|(row, &[win, draw, loss])| {
            let is_draw = row.outcome == Outcome::Draw;
            let (left_out, odds, happened) = match vector {
                Vector::Wilo => (is_draw, win / loss, row.outcome == Outcome::Win),
                Vector::Draw => (row.is_held, draw / (1.0 - draw), is_draw),
            };
            (!left_out).then(|| (row.game, odds.ln(), f64::from(u8::from(happened))))
        })
        .collect();
    let (mut slope, mut offset) = (1.0, 0.0);
    let mut inverse = [[0.0; 2]; 2];
    for _ in 0..CALIBRATION_STEPS {
        let (mut gradient, mut hessian) = ([0.0; 2], [[f64::MIN_POSITIVE, 0.0], [0.0, f64::MIN_POSITIVE]]);
        for &(_, x, y) in &observations {
            let p = sigmoid(slope * x + offset);
            for (i, by_i) in [x, 1.0].into_iter().enumerate() {
                gradient[i] += (p - y) * by_i;
                hessian[i][0] += p * (1.0 - p) * by_i * x;
                hessian[i][1] += p * (1.0 - p) * by_i;
            }
        }
        let [[a, b], [_, d]] = hessian;
        let determinant = a * d - b * b;
        if determinant <= 0.0 {
            break;
        }
        inverse = [[d / determinant, -b / determinant], [-b / determinant, a / determinant]];
        slope -= inverse[0][0] * gradient[0] + inverse[0][1] * gradient[1];
        offset -= inverse[1][0] * gradient[0] + inverse[1][1] * gradient[1];
    }
    // How far a game moves slope and offset.
    let mut moved = [Clustered::default(); 2];
    for &(game, x, y) in &observations {
        let residual = y - sigmoid(slope * x + offset);
        for (moved, [by_x, by_one]) in moved.iter_mut().zip(inverse) {
            moved.add(game, residual * (by_x * x + by_one));
        }
    }
    let errors = moved.map(|moved| moved.error() * moved.positions);
    Calibration { slope, offset, errors }
}

/// What the codes of a row tell about the position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// Pawns, knights, bishops, rooks, queens; black first.
    pub men: [[u8; 5]; 2],
    /// Index in [`HALFMOVES`].
    pub halfmoves: usize,
    /// Index in [`OPPOSITE_BISHOPS`].
    pub opposite_bishops: Option<usize>,
    /// Index of each king in [`PST_KING`]; black first.
    pub kings: [usize; 2],
    /// Kings on opposite wings.
    pub opposite_wings: bool,
}

/// A code that [`Facts`] are made from.
#[derive(Clone, Copy)]
enum Fact {
    Men(usize),
    Halfmoves(usize),
    OppositeBishops(usize),
    King(usize),
    OppositeWings,
}

/// For each code what it says, if it matters.
fn facts(coefficients: &[Coefficient]) -> Vec<Option<(Fact, [u8; 2])>> {
    let within = |term: Term, feature: u16| usize::from(feature).checked_sub(term.offset).filter(|&at| at < term.len);
    let fact = |coefficient: &Coefficient| {
        let of = |term: Term| within(term, coefficient.feature);
        let fact = of(MATERIAL)
            .map(Fact::Men)
            .or_else(|| of(HALFMOVES).map(Fact::Halfmoves))
            .or_else(|| of(OPPOSITE_BISHOPS).map(Fact::OppositeBishops))
            .or_else(|| of(PST_KING).map(Fact::King))
            .or_else(|| of(OPPOSITE_WINGS).map(|_| Fact::OppositeWings))?;
        Some((fact, [coefficient.black, coefficient.white]))
    };
    coefficients.iter().map(fact).collect()
}

fn read_facts(table: &[Option<(Fact, [u8; 2])>], codes: impl Iterator<Item = u16>) -> Facts {
    let mut facts = Facts::default();
    for (fact, counts) in codes.filter_map(|code| table[usize::from(code)]) {
        match fact {
            Fact::Men(role) => {
                for color in [0, 1] {
                    facts.men[color][role] += counts[color];
                }
            }
            Fact::Halfmoves(step) => facts.halfmoves = step,
            Fact::OppositeBishops(company) => facts.opposite_bishops = Some(company),
            Fact::King(square) => {
                for color in [0, 1] {
                    if counts[color] > 0 {
                        facts.kings[color] = square;
                    }
                }
            }
            Fact::OppositeWings => facts.opposite_wings = true,
        }
    }
    facts
}

/// What positions are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Men other than kings of the stronger and the weaker side.
    Material([[u8; 5]; 2]),
    /// Points of both sides' pieces, in steps of six.
    Points(u8),
    /// Number of pawns on the board.
    Pawns(u8),
    /// 0 to 24.
    Phase(u8),
    /// Plies since the last capture or pawn move, in tens.
    Halfmoves(usize),
    /// Which pieces are there besides, or no opposite bishops.
    OppositeBishops(Option<usize>),
    /// Where the kings stand, the bolder first, and whether on opposite wings.
    Kings([KingZone; 2], bool),
    /// Number of the move, in tens.
    MoveNumber(u16),
    /// Size of w: the knot of [`WILO_KNOTS`] below.
    Size(usize),
}

/// Where a king stands, as its owner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KingZone {
    /// First two ranks, the outer files.
    Wing,
    /// First two ranks, files c to f.
    Centre,
    /// Third and fourth rank.
    Advanced,
    /// Beyond.
    Far,
}

impl KingZone {
    fn of(square: usize) -> KingZone {
        match (square / 4, square % 4) {
            (0 | 1, 2 | 3) => KingZone::Wing,
            (0 | 1, _) => KingZone::Centre,
            (2 | 3, _) => KingZone::Advanced,
            _ => KingZone::Far,
        }
    }
}

/// Residuals of a group of positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Residuals {
    /// Drawn or not, less the predicted draw probability; without positions that held weights decide.
    pub draw: Clustered,
    /// Decisive games: whether the first-named side won, less its predicted win share. If no side is named, or both are
    /// alike, that of the side that wilo sees ahead.
    pub wilo: Clustered,
    /// Sum of the predicted draw probabilities.
    draws: f64,
}

impl Residuals {
    /// Adds positions of other games.
    pub fn merge(&mut self, other: &Residuals) {
        self.draw.merge(&other.draw);
        self.wilo.merge(&other.wilo);
        self.draws += other.draws;
    }

    /// Mean predicted draw probability.
    #[must_use]
    pub fn predicted_draws(&self) -> f64 {
        self.draws / self.draw.positions.max(1.0)
    }
}

/// Values of pieces for the material groups: pawn, knight, bishop, rook, queen.
const POINTS: [u8; 5] = [0, 3, 3, 5, 9];

/// The groups that a position belongs to, each with the side whose wins count.
fn groups(row: &Row, facts: &Facts, ahead: Color) -> [(Group, Color); 9] {
    let [black, white] = facts.men;
    let points = |men: [u8; 5]| -> u8 { men.iter().zip(POINTS).map(|(count, points)| count * points).sum() };
    let strength = |men: [u8; 5]| (points(men), men[0], men[4], men[3], men[2], men[1]);
    let (material, stronger) = match strength(white).cmp(&strength(black)) {
        std::cmp::Ordering::Equal => ([white, black], ahead),
        std::cmp::Ordering::Greater => ([white, black], Color::White),
        std::cmp::Ordering::Less => ([black, white], Color::Black),
    };
    let [black_king, white_king] = facts.kings.map(KingZone::of);
    let (kings, bolder) = match white_king.cmp(&black_king) {
        std::cmp::Ordering::Equal => ([white_king, black_king], ahead),
        std::cmp::Ordering::Greater => ([white_king, black_king], Color::White),
        std::cmp::Ordering::Less => ([black_king, white_king], Color::Black),
    };
    [
        (Group::Material(material), stronger),
        (Group::Points((points(white) + points(black)) / 6), ahead),
        (Group::Pawns(white[0] + black[0]), ahead),
        (Group::Phase(row.phase), ahead),
        (Group::Halfmoves(facts.halfmoves), ahead),
        (Group::OppositeBishops(facts.opposite_bishops), ahead),
        (Group::Kings(kings, facts.opposite_wings), bolder),
        (Group::MoveNumber(row.move_number.min(129) / 10), ahead),
        (Group::Size(WILO_KNOTS.partition_point(|&knot| knot <= i32::from(row.size)) - 1), ahead),
    ]
}

/// Residuals of all groups of positions; `predictions` in the order of the rows.
#[must_use]
pub fn residuals(
    blocks: &[Block],
    predictions: &[Prediction],
    coefficients: &[Coefficient],
) -> HashMap<Group, Residuals> {
    let table = facts(coefficients);
    let mut offset = 0;
    let parts: Vec<(&Block, &[Prediction])> = blocks
        .iter()
        .map(|block| {
            let start = offset;
            offset += block.rows.len();
            (block, &predictions[start..offset])
        })
        .collect();
    let of_part = |part: &[(&Block, &[Prediction])]| {
        let mut sums: HashMap<Group, Residuals> = HashMap::new();
        for (block, predictions) in part {
            for ((row, codes), prediction) in block.iter().zip(*predictions) {
                let [win, draw, loss] = *prediction;
                let ahead = Color::from_white(win >= loss);
                let facts = read_facts(&table, block.all_codes(row, codes));
                for (group, side) in groups(row, &facts, ahead) {
                    let residuals = sums.entry(group).or_default();
                    if !row.is_held {
                        residuals.draws += draw;
                        residuals.draw.add(row.game, f64::from(u8::from(row.outcome == Outcome::Draw)) - draw);
                    }
                    if row.outcome != Outcome::Draw {
                        let (won, share) = match side {
                            Color::White => (row.outcome == Outcome::Win, win / (1.0 - draw)),
                            Color::Black => (row.outcome == Outcome::Loss, loss / (1.0 - draw)),
                        };
                        residuals.wilo.add(row.game, f64::from(u8::from(won)) - share);
                    }
                }
            }
        }
        sums
    };
    let size = parts.len().div_ceil(64).max(1);
    let mut whole = HashMap::new();
    for part in parts.par_chunks(size).map(of_part).collect::<Vec<_>>() {
        for (group, residuals) in part {
            whole.entry(group).or_insert_with(Residuals::default).merge(&residuals);
        }
    }
    whole
}
