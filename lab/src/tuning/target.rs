//! What a position is expected to come to: the result, blended with the search's own W/D/L.

use super::block::{Block, Row, SearchEval, Target};
use super::knots::Knots;
use super::vector::Vector;
use crate::dataset::Eval;
use crate::outcome::Outcome;
use crate::stats::{Case, Regression};
use halfpoint::eval::tuning::evaluate_before_curve;
use halfpoint::eval::tuning::terms::Feature;
use halfpoint::eval::{Evaluation, FULL_PHASE, Weights};
use halfpoint::position::Position;
use halfpoint::wdl::fixed::WILO_LIMIT;
use halfpoint::wdl::model::{C, DRAW_UNITS, WILO_UNITS, expected, sigmoid, win_share};

/// Reads W/D/L from what data keep of a search, its expected result.
pub struct Reader<'a> {
    weights: &'a Weights,
    knots: &'a Knots,
}

/// Halvings of the interval in which wilo is sought.
const HALVINGS: usize = 32;

impl<'a> Reader<'a> {
    /// `weights` say how drawish a position is at each size of wilo.
    pub fn new(weights: &'a Weights, knots: &'a Knots) -> Reader<'a> {
        Reader { weights, knots }
    }

    /// A search's evaluation of a position with its phase, as W/D/L.
    pub fn search_eval(&self, eval: Eval, position: &Position, phase: u8) -> SearchEval {
        let sign = f64::from(eval.centipawns()).signum();
        if eval.is_exact() {
            return SearchEval { log_odds: (sign * f64::INFINITY) as f32, draw: 0.0 };
        }
        self.read(eval, sign, phase, evaluate_before_curve(position, self.weights))
    }

    /// D is that of the weights for this position, at the size of wilo which gives P.
    fn read(&self, eval: Eval, sign: f64, phase: u8, scores: Evaluation) -> SearchEval {
        let without_size = f64::from(scores.draw) - self.size_part(phase, f64::from(scores.wilo.abs()));
        let draw = |wilo: f64| {
            let sum = without_size + self.size_part(phase, wilo);
            (sum + self.curve_part(phase, sum)) / DRAW_UNITS
        };
        let goal = eval.expected().max(1.0 - eval.expected());
        // P rises with wilo, as the draw score never rises with its size.
        let (mut low, mut high) = (0.0, f64::from(WILO_LIMIT));
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            if expected(win_share(middle / WILO_UNITS), sigmoid(draw(middle))) < goal {
                low = middle;
            } else {
                high = middle;
            }
        }
        SearchEval { log_odds: (sign * C * low / WILO_UNITS) as f32, draw: sigmoid(draw(low)) as f32 }
    }

    /// The draw score's part by the size of wilo, hundredths of a logit.
    pub fn size_part(&self, phase: u8, size: f64) -> f64 {
        self.part(phase, self.knots.at(self.knots.size(size as i32)))
    }

    /// The draw score's part by the sum of the others, hundredths of a logit.
    pub fn curve_part(&self, phase: u8, sum: f64) -> f64 {
        self.part(phase, self.knots.on_curve(self.knots.draw(sum)))
    }

    /// What two neighbouring knots add to the draw score, hundredths of a logit.
    fn part(&self, phase: u8, (knot, share): (Feature, f64)) -> f64 {
        let value = |feature: usize| {
            let [mg, eg] = Vector::Draw.lanes(self.weights[feature]).map(f64::from);
            let middlegame = f64::from(phase) / f64::from(FULL_PHASE);
            mg * middlegame + eg * (1.0 - middlegame)
        };
        value(knot) * (1.0 - share) + value(knot + 1) * share
    }
}

/// Blends the results in the targets of all rows with the evaluations of searches, where these are known. `lambdas` are the
/// shares of the results for wilo and draw.
///
/// A search sees more than the evaluation, but wilo in it may be too small or too large for the games, as the weights
/// were that it used. The blend would hand that on to the new weights. So the searches of each group of files get a
/// factor on wilo, which makes them fit the results of its training games best. Returns these factors, one for each
/// group.
pub fn blend(splits: &mut [Vec<Block>; 3], groups: usize, lambdas: [f64; 2]) -> Vec<f64> {
    if lambdas == [1.0; 2] {
        return vec![1.0; groups];
    }
    let factors: Vec<f64> = (0..groups).map(|group| factor(&splits[0], group)).collect();
    for row in splits.iter_mut().flatten().flat_map(|block| &mut block.rows) {
        if let Some(search) = row.search {
            row.target = blended(row.outcome, search, factors[usize::from(row.group)], lambdas);
        }
    }
    factors
}

/// The target of a position, given the factor on the wilo of searches.
pub fn blended(outcome: Outcome, search: SearchEval, factor: f64, [wilo, draw]: [f64; 2]) -> Target {
    let result = Target::from(outcome);
    let (share, drawn) = (sigmoid(factor * f64::from(search.log_odds)), f64::from(search.draw));
    let blend = |lambda: f64, result: f32, search: f64| (lambda * f64::from(result) + (1.0 - lambda) * search) as f32;
    Target {
        win: blend(wilo, result.win, (1.0 - drawn) * share),
        loss: blend(wilo, result.loss, (1.0 - drawn) * (1.0 - share)),
        draw: blend(draw, result.draw, drawn),
    }
}

/// Factors beyond these bounds say that evaluations have nothing to do with results.
const FACTORS: std::ops::RangeInclusive<f64> = 0.1..=10.0;

/// The factor on the log odds of searches with which they fit the decisive games of a group best; 1 without any.
fn factor(blocks: &[Block], group: usize) -> f64 {
    let reported = |row: &Row| {
        let log_odds = f64::from(row.search.filter(|_| usize::from(row.group) == group)?.log_odds);
        (row.outcome != Outcome::Draw && log_odds.is_finite()).then_some((log_odds, row.outcome == Outcome::Win))
    };
    let case = |(log_odds, is_win)| {
        let yes = f64::from(u8::from(is_win));
        Case { offset: log_odds, features: [log_odds], yes, no: 1.0 - yes }
    };
    let cases = blocks.iter().flat_map(|block| &block.rows).filter_map(reported).map(case);
    (1.0 + Regression::fit(cases, 1, None).coefficients[0]).clamp(*FACTORS.start(), *FACTORS.end())
}
