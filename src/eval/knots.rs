//! The knots of the two curves of the draw score: where they lie, and what their weights must keep.

use super::term_list::{DRAW_CURVE, Term, WILO_SIZE};
use super::word::Word;

/// Parts into which the way from one knot to the next is divided: a multiple of all distances between knots.
pub const KNOT_UNIT: i32 = 8000;

/// Knots of [`WILO_SIZE`], in centipawns of wilo.
pub const WILO_KNOTS: [i32; WILO_SIZE.len] = [0, 50, 100, 150, 200, 300, 400, 600, 800, 1200, 1600, 2400, 4000, 6000];

/// Distance between the knots of [`DRAW_CURVE`], in hundredths of a logit; the middle knot is zero.
pub const DRAW_KNOT_STEP: i32 = 100;

/// All knots of [`WILO_SIZE`] are multiples of this, in centipawns.
pub const KNOT_STEP: i32 = 50;

/// The knot at or below each multiple of [`KNOT_STEP`].
pub const KNOT_BELOW: [u8; (WILO_KNOTS[WILO_KNOTS.len() - 1] / KNOT_STEP) as usize] = {
    let mut below = [0; (WILO_KNOTS[WILO_KNOTS.len() - 1] / KNOT_STEP) as usize];
    let (mut i, mut knot) = (0, 0);
    while i < below.len() {
        if i as i32 * KNOT_STEP >= WILO_KNOTS[knot + 1] {
            knot += 1;
        }
        below[i] = knot as u8;
        i += 1;
    }
    below
};

/// A centipawn between each knot and the next, in parts of [`KNOT_UNIT`].
pub const KNOT_PARTS: [i32; WILO_KNOTS.len() - 1] = {
    let mut parts = [0; WILO_KNOTS.len() - 1];
    let mut i = 0;
    while i < parts.len() {
        let gap = WILO_KNOTS[i + 1] - WILO_KNOTS[i];
        assert!(KNOT_UNIT % gap == 0 && WILO_KNOTS[i] % KNOT_STEP == 0);
        parts[i] = KNOT_UNIT / gap;
        i += 1;
    }
    parts
};

/// Checks that the draw score never rises with the size of wilo, and never falls as the sum of its features rises. `words`
/// are those of all terms.
///
/// # Errors
///
/// The name of the term, and what is wrong with it.
pub fn check(words: &[Word]) -> Result<(), (&'static str, String)> {
    for (column, lane) in [("draw_mg", Word::draw_mg as fn(Word) -> i32), ("draw_eg", Word::draw_eg)] {
        let values = |term: &Term| term.words(words).iter().map(|&word| lane(word)).collect::<Vec<_>>();
        let size = values(&WILO_SIZE);
        if let Some(index) = (1..size.len()).find(|&i| size[i] > size[i - 1]) {
            return Err((WILO_SIZE.name, format!("'wilo_size.{column}' rises at weight {index}; it must never rise")));
        }
        let curve = values(&DRAW_CURVE);
        if let Some(index) = (1..curve.len()).find(|&i| curve[i] < curve[i - 1] - DRAW_KNOT_STEP) {
            let reason = format!("'draw_curve.{column}' falls by more than {DRAW_KNOT_STEP} at weight {index}");
            return Err((DRAW_CURVE.name, reason));
        }
    }
    Ok(())
}
