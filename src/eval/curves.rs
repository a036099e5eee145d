//! The two curves of the draw score, as parts of their neighbouring knots: what the size of wilo adds, and a correction of the
//! sum.

use super::knots::{DRAW_KNOT_STEP, KNOT_BELOW, KNOT_PARTS, KNOT_STEP, KNOT_UNIT, WILO_KNOTS};
use super::sink::Sink;
use super::term_list::{DRAW_CURVE, WILO_SIZE};

/// Emits the size of wilo, in centipawns of either sign, as parts of its two neighbouring knots.
#[inline(always)]
pub fn wilo_size<S: Sink>(sink: &mut S, wilo: i32) {
    let size = wilo.abs().min(WILO_KNOTS[WILO_KNOTS.len() - 1] - 1);
    let lower = usize::from(KNOT_BELOW[(size / KNOT_STEP) as usize]);
    let (low, high) = (WILO_KNOTS[lower], WILO_KNOTS[lower + 1]);
    sink.add_part(WILO_SIZE.at(lower), (high - size) * KNOT_PARTS[lower]);
    sink.add_part(WILO_SIZE.at(lower + 1), (size - low) * KNOT_PARTS[lower]);
}

/// Emits the correction of a draw score, in hundredths of a logit, as parts of its two neighbouring knots.
#[inline(always)]
pub fn draw_curve<S: Sink>(sink: &mut S, draw: i32) {
    const LAST: i32 = DRAW_CURVE.len as i32 - 1;
    let above = (draw + LAST / 2 * DRAW_KNOT_STEP).clamp(0, LAST * DRAW_KNOT_STEP - 1);
    let (lower, way) = ((above / DRAW_KNOT_STEP) as usize, above % DRAW_KNOT_STEP);
    sink.add_part(DRAW_CURVE.at(lower), (DRAW_KNOT_STEP - way) * (KNOT_UNIT / DRAW_KNOT_STEP));
    sink.add_part(DRAW_CURVE.at(lower + 1), way * (KNOT_UNIT / DRAW_KNOT_STEP));
}
