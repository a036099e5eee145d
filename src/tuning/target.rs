//! What a position is expected to come to: the result, blended with the search's own W/D/L.

use super::block::{Outcome, Target};
use super::coefficients::Knots;
use super::objective::Vector;
use crate::draw_model::{DRAW_UNITS, WILO_LIMIT, WILO_UNITS, Wdl, expected, sigmoid, win_share};
use crate::eval::{FULL_PHASE, Scores, Weights, evaluate};
use crate::position::Position;
use crate::selfplay::dataset::Eval;

/// Blends results with searches.
pub struct Blend<'a> {
    weights: &'a Weights,
    knots: &'a Knots,
    /// Share of the result in the target of wilo and of draw.
    lambdas: [f64; 2],
}

/// Halvings of the interval in which wilo is sought.
const HALVINGS: usize = 32;

impl<'a> Blend<'a> {
    /// `lambdas` are the shares of the result for wilo and draw; `weights` say how drawish a position is at each size of
    /// wilo.
    #[must_use]
    pub fn new(weights: &'a Weights, knots: &'a Knots, lambdas: [f64; 2]) -> Blend<'a> {
        Blend { weights, knots, lambdas }
    }

    /// The target of a position with its phase.
    #[must_use]
    pub fn target(&self, outcome: Outcome, eval: Option<Eval>, position: &Position, phase: u8) -> Target {
        let result = Target::from(outcome);
        let Some(eval) = eval.filter(|_| self.lambdas != [1.0; 2]) else { return result };
        let search = self.search(eval, phase, evaluate(position, self.weights));
        let [wilo, draw] = self.lambdas;
        let blend =
            |lambda: f64, result: f32, search: f64| (lambda * f64::from(result) + (1.0 - lambda) * search) as f32;
        Target {
            win: blend(wilo, result.win, search.win),
            loss: blend(wilo, result.loss, search.loss),
            draw: blend(draw, result.draw, search.draw),
        }
    }

    /// W/D/L of a search, White's view. Data keep its expected result P alone; D is that of the old weights for this
    /// position, at the size of wilo which gives P.
    fn search(&self, eval: Eval, phase: u8, scores: Scores) -> Wdl {
        let sign = f64::from(eval.centipawns()).signum();
        if eval.is_exact() {
            return Wdl { win: (1.0 + sign) / 2.0, draw: 0.0, loss: (1.0 - sign) / 2.0 };
        }
        let without_size = f64::from(scores.draw) - self.size_part(phase, f64::from(scores.wilo.abs()));
        let draw = |wilo: f64| (without_size + self.size_part(phase, wilo)) / DRAW_UNITS;
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
        Wdl::from_expected(eval.expected(), sigmoid(draw(low)))
    }

    /// The draw score's part by the size of wilo, hundredths of a logit.
    fn size_part(&self, phase: u8, size: f64) -> f64 {
        let (knot, share) = self.knots.at(self.knots.size(size as i32));
        let value = |feature: usize| {
            let [mg, eg] = Vector::Draw.lanes(self.weights[feature]).map(f64::from);
            let middlegame = f64::from(phase) / f64::from(FULL_PHASE);
            mg * middlegame + eg * (1.0 - middlegame)
        };
        value(knot) * (1.0 - share) + value(knot + 1) * share
    }
}
