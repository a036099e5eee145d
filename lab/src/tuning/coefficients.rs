//! Coefficients: what the evaluation counts in a position, as 16-bit codes.
//!
//! Each code stands for a [`Coefficient`]: a feature with its count for Black and for White. Both vectors read the same
//! codes, wilo as the difference and draw as the sum, and one phase a position tapers them all.

use halfpoint::eval::tuning::terms::{
    BASE, COUNT, Feature, KNOT_UNIT, MINORS_ON_BOARD, Owner, PAWNLESS_AHEAD, PAWNS_ON_BOARD, PURE_ENDING,
    QUEENS_ON_BOARD, ROOKS_ON_BOARD, STRUCTURE, TERMS, Term,
};
use halfpoint::eval::tuning::{self, SideSink, Sink};
use halfpoint::position::Position;
use shakmaty::Color;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A feature with how often each colour has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coefficient {
    pub feature: u16,
    pub black: u8,
    /// Times for White. What belongs to neither colour counts here; its wilo weights are zero.
    pub white: u8,
}

/// The tuner's reader of the features: counts for each colour.
pub struct Tally {
    counts: Box<[[u16; 2]; COUNT]>,
    touched: Vec<u16>,
    /// Knots, of which the last positions have parts.
    pub parts: Vec<(Feature, f64)>,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { counts: Box::new([[0; 2]; COUNT]), touched: Vec::new(), parts: Vec::new() }
    }
}

impl Tally {
    fn count(&mut self, color: Color, feature: Feature, count: u16) {
        let counts = &mut self.counts[feature];
        if count > 0 && *counts == [0; 2] {
            self.touched.push(feature as u16);
        }
        counts[color as usize] += count;
    }
}

/// Counts the features of one colour.
pub struct SideTally<'a> {
    tally: &'a mut Tally,
    color: Color,
}

impl SideSink for SideTally<'_> {
    fn add(&mut self, feature: Feature, count: i32) {
        self.tally.count(self.color, feature, u16::try_from(count).expect("counts are not negative"));
    }
}

impl Sink for Tally {
    type Side<'s> = SideTally<'s>;

    fn side(&mut self, color: Color) -> SideTally<'_> {
        SideTally { tally: self, color }
    }

    fn add_shared(&mut self, feature: Feature) {
        self.count(Color::White, feature, 1);
    }

    fn add_part(&mut self, feature: Feature, parts: i32) {
        self.parts.push((feature, f64::from(parts) / f64::from(KNOT_UNIT)));
    }
}

/// Parts of a position's features. Positions near each other share those of the first two.
pub const PARTS: usize = 3;

/// Codes of a position by part.
pub type Codes = [Vec<u16>; PARTS];

/// The part that a feature belongs to: 0 for piece counts, 1 for pawns and kings alone, 2 for the rest.
fn part(feature: usize) -> usize {
    let is_of = |term: &Term| (term.offset..term.offset + term.len).contains(&feature);
    if STRUCTURE.iter().any(is_of) {
        1
    } else if COUNTS.iter().any(is_of) || TERMS.iter().any(|term| term.owner == Owner::Counts && is_of(term)) {
        0
    } else {
        2
    }
}

/// Terms of the piece counts of both colours.
const COUNTS: [Term; 7] =
    [BASE, PAWNS_ON_BOARD, MINORS_ON_BOARD, ROOKS_ON_BOARD, QUEENS_ON_BOARD, PAWNLESS_AHEAD, PURE_ENDING];

/// Codes kept free for a feature once for Black and once for White: any counts can be spelled with them.
const SINGLES: usize = 2 * COUNT;
/// Counts from this on are spelled as sums of smaller ones.
const COUNT_LIMIT: usize = 64;
/// Most codes.
pub const CODES: usize = 1 << 16;
/// No code yet.
const UNKNOWN: u16 = u16::MAX;

/// Gives each coefficient that arises a code. Many threads may ask at a time; which code a coefficient gets depends on
/// who comes first, what it means does not.
pub struct Dictionary {
    codes: Box<[AtomicU16]>,
    coefficients: Mutex<Vec<Coefficient>>,
    parts: Box<[u8]>,
}

impl Default for Dictionary {
    fn default() -> Dictionary {
        let singles = (0..SINGLES).map(|code| {
            let white = (code % 2) as u8;
            Coefficient { feature: (code / 2) as u16, black: 1 - white, white }
        });
        let codes = (0..COUNT * COUNT_LIMIT * COUNT_LIMIT).map(|_| AtomicU16::new(UNKNOWN)).collect();
        let parts = (0..COUNT).map(|feature| part(feature) as u8).collect();
        let dictionary = Dictionary { codes, coefficients: Mutex::new(singles.clone().collect()), parts };
        for (code, single) in singles.enumerate() {
            dictionary.slot(single).store(code as u16, Ordering::Relaxed);
        }
        dictionary
    }
}

impl Dictionary {
    /// What each code stands for, in the order of the codes.
    pub fn coefficients(&self) -> MutexGuard<'_, Vec<Coefficient>> {
        self.coefficients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts the codes of the features of `position` into `codes`, by part; returns the phase, 0 to 24.
    pub fn encode(&self, position: &Position, tally: &mut Tally, codes: &mut Codes) -> u8 {
        codes.iter_mut().for_each(Vec::clear);
        let phase = tuning::features(position, tally);
        for index in 0..tally.touched.len() {
            let feature = tally.touched[index];
            let [black, white] = std::mem::take(&mut tally.counts[usize::from(feature)]);
            let part = usize::from(self.parts[usize::from(feature)]);
            self.push(feature, usize::from(black), usize::from(white), &mut codes[part]);
        }
        tally.touched.clear();
        phase as u8
    }

    fn push(&self, feature: u16, mut black: usize, mut white: usize, codes: &mut Vec<u16>) {
        while black > 0 || white > 0 {
            let now = [black, white].map(|count| count.min(COUNT_LIMIT - 1));
            let coefficient = Coefficient { feature, black: now[0] as u8, white: now[1] as u8 };
            if let Some(code) = self.code(coefficient) {
                codes.push(code);
            } else {
                let single = 2 * feature;
                codes.extend(std::iter::repeat_n(single, now[0]));
                codes.extend(std::iter::repeat_n(single + 1, now[1]));
            }
            black -= now[0];
            white -= now[1];
        }
    }

    fn slot(&self, coefficient: Coefficient) -> &AtomicU16 {
        let Coefficient { feature, black, white } = coefficient;
        let counts = COUNT_LIMIT * usize::from(black) + usize::from(white);
        &self.codes[COUNT_LIMIT * COUNT_LIMIT * usize::from(feature) + counts]
    }

    /// The code of a coefficient; `None` if all codes are taken.
    fn code(&self, coefficient: Coefficient) -> Option<u16> {
        let slot = self.slot(coefficient);
        let known = slot.load(Ordering::Relaxed);
        if known != UNKNOWN {
            return Some(known);
        }
        let mut coefficients = self.coefficients();
        // Another thread may have been quicker.
        let known = slot.load(Ordering::Relaxed);
        if known != UNKNOWN {
            return Some(known);
        }
        let code = u16::try_from(coefficients.len()).ok().filter(|&code| code != UNKNOWN)?;
        coefficients.push(coefficient);
        slot.store(code, Ordering::Relaxed);
        Some(code)
    }
}
