//! Knots: the size of wilo, and the draw score before its curve, as shares of two neighbouring weights.

use super::block::Row;
use super::coefficients::Tally;
use halfpoint::eval::tuning;
use halfpoint::eval::tuning::terms::{DRAW_CURVE, DRAW_KNOT_STEP, Feature, WILO_KNOTS};

/// The two knots around each size of wilo, and around each draw score before its curve.
pub struct Knots {
    sizes: Vec<(Feature, f64)>,
    draws: Vec<(Feature, f64)>,
}

/// The largest draw score that the curve tells apart, of either sign.
const LAST_DRAW: i32 = DRAW_KNOT_STEP * (DRAW_CURVE.len as i32 - 1) / 2;

impl Default for Knots {
    fn default() -> Knots {
        let last = WILO_KNOTS[WILO_KNOTS.len() - 1];
        let between = |emit: fn(&mut Tally, i32), at: i32| {
            let mut tally = Tally::default();
            emit(&mut tally, at);
            (tally.parts[0].0, tally.parts[1].1)
        };
        Knots {
            sizes: (0..last).map(|size| between(tuning::wilo_size, size)).collect(),
            draws: (-LAST_DRAW..=LAST_DRAW).map(|draw| between(tuning::draw_curve, draw)).collect(),
        }
    }
}

impl Knots {
    /// The knot below a size of wilo and the share of the next one.
    #[inline]
    pub fn at(&self, size: u16) -> (Feature, f64) {
        self.sizes[usize::from(size)]
    }

    /// The knot of the curve below a draw score and the share of the next one.
    #[inline]
    pub fn on_curve(&self, draw: i16) -> (Feature, f64) {
        self.draws[(i32::from(draw) + LAST_DRAW) as usize]
    }

    /// Parts that a position has in knots: the lower one of two neighbours and the share of the next.
    #[inline]
    pub fn of(&self, row: &Row) -> [(Feature, f64); 2] {
        [self.at(row.size), self.on_curve(row.draw)]
    }

    /// The size of wilo as it is kept in [`Row::size`].
    pub fn size(&self, wilo: i32) -> u16 {
        wilo.unsigned_abs().min(self.sizes.len() as u32 - 1) as u16
    }

    /// A draw score before its curve, in hundredths of a logit, as it is kept in [`Row::draw`].
    pub fn draw(&self, draw: f64) -> i16 {
        draw.floor().clamp(f64::from(-LAST_DRAW), f64::from(LAST_DRAW)) as i16
    }
}
