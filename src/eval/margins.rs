//! Margins of wilo: what an evaluation becomes if wilo changes. The draw score follows, since it depends on the size of wilo.

use super::sink::BLENDED_UNIT;
use super::terms::WILO_KNOTS;
use super::{Evaluation, FULL_PHASE, Sum, Weights, phase, wilo_size};
use crate::position::Position;
use crate::wdl::score::Score;

/// Largest draw score of an evaluation with a margin, hundredths of a logit: three quarters. What gains so much in a drawish
/// position mostly ends the draw as well.
const MAX_DRAW: i32 = 110;
/// Centipawns of wilo that share a place in the table.
const STEP: usize = 25;
const PLACES: usize = WILO_KNOTS[WILO_KNOTS.len() - 1] as usize / STEP;

/// The draw score by phase and size of wilo, hundredths of a logit.
#[derive(Clone, Debug)]
pub struct WiloMargins(Box<[[i16; PLACES]; FULL_PHASE as usize + 1]>);

impl WiloMargins {
    /// The table of these weights.
    #[must_use]
    pub fn new(weights: &Weights) -> WiloMargins {
        let mut table = Box::new([[0; PLACES]; FULL_PHASE as usize + 1]);
        for (phase, row) in (0..).zip(table.iter_mut()) {
            for (place, draw) in row.iter_mut().enumerate() {
                let mut sum = Sum::new(weights);
                wilo_size(&mut sum, (place * STEP + STEP / 2) as i32);
                *draw = (sum.blended(phase) / BLENDED_UNIT) as i16;
            }
        }
        WiloMargins(table)
    }

    /// The score of a position with this evaluation, whose score is `own`, if it had `centipawns` more wilo: never less for a
    /// positive margin, nor more for a negative one.
    #[inline]
    #[must_use]
    pub fn add(&self, centipawns: i32, eval: Evaluation, own: Score, position: &Position) -> Score {
        let row = &self.0[phase(position) as usize];
        let draw = |wilo: i32| i32::from(row[(wilo.unsigned_abs() as usize / STEP).min(PLACES - 1)]);
        let wilo = eval.wilo + centipawns;
        let shifted = Score::heuristic(wilo, (eval.draw + draw(wilo) - draw(eval.wilo)).min(MAX_DRAW));
        match centipawns {
            0 => own,
            1.. => shifted.max(own),
            _ => shifted.min(own),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::evaluate;

    #[test]
    fn margins_lead_to_the_draw_score_of_their_wilo() {
        let weights = Weights::shipped();
        let margins = WiloMargins::new(&weights);
        let position = Position::default();
        let eval = Evaluation { wilo: 0, draw: 60 };
        let [small, large] = [200, 900].map(|margin| margins.add(margin, eval, eval.score(), &position));
        assert!(large.d() < small.d() && small.d() < eval.score().d(), "{small:?} {large:?}");
        // At a constant draw probability no margin would reach this.
        assert!(large.expected() > 1.0 - eval.score().draw_probability() / 2.0, "{large:?}");
        assert!(margins.add(-900, eval, eval.score(), &position).expected() < eval.score().draw_probability() / 2.0);
    }

    #[test]
    fn margins_go_their_way() {
        let weights = Weights::shipped();
        let margins = WiloMargins::new(&weights);
        for fen in [
            "8/8/4k3/8/3B4/4P3/4K2b/8 w - - 0 1",
            "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 1 5",
        ] {
            let position = Position::from_fen(fen, false).unwrap();
            let own = evaluate(&position, &weights);
            for draw in [own.draw, 0, 400] {
                for wilo in (-1500..=1500).step_by(70) {
                    let eval = Evaluation { wilo, draw };
                    for margin in (0..3000).step_by(130) {
                        assert!(margins.add(margin, eval, eval.score(), &position) >= eval.score());
                        assert!(margins.add(-margin, eval, eval.score(), &position) <= eval.score());
                    }
                }
            }
        }
    }
}
