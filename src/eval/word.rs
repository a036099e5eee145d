//! Four scores packed in one word.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// Four signed 16-bit lanes in one 64-bit word: wilo and draw, each for middlegame and endgame. One addition sums all
/// four.
///
/// The word is the integer `draw_mg + draw_eg·2¹⁶ + wilo_mg·2³² + wilo_eg·2⁴⁸`; sums and multiples are exact as long
/// as each lane of the *result* lies in −32767 to 32767. The draw lanes lie below the wilo lanes, so that the sum of
/// both colours, of which only the draw lanes are used, may overflow above them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word(i64);

impl Word {
    /// All lanes zero.
    pub const ZERO: Word = Word(0);

    /// Packs four lanes.
    #[must_use]
    pub const fn new(wilo_mg: i16, wilo_eg: i16, draw_mg: i16, draw_eg: i16) -> Word {
        Word(
            draw_mg as i64
                + ((draw_eg as i64) << 16)
                + ((wilo_mg as i64) << 32)
                + (wilo_eg as i64).wrapping_mul(1 << 48),
        )
    }

    /// Middlegame draw score, hundredths of a logit.
    #[inline]
    #[must_use]
    pub const fn draw_mg(self) -> i32 {
        self.0 as i16 as i32
    }

    /// Endgame draw score, hundredths of a logit.
    #[inline]
    #[must_use]
    pub const fn draw_eg(self) -> i32 {
        // A negative lane below has borrowed one; adding half a lane gives it back.
        (self.0.wrapping_add(1 << 15) >> 16) as i16 as i32
    }

    /// Middlegame wilo, centipawns.
    #[inline]
    #[must_use]
    pub const fn wilo_mg(self) -> i32 {
        (self.0.wrapping_add(1 << 31) >> 32) as i16 as i32
    }

    /// Endgame wilo, centipawns.
    #[inline]
    #[must_use]
    pub const fn wilo_eg(self) -> i32 {
        (self.0.wrapping_add(1 << 47) >> 48) as i16 as i32
    }
}

/// Four scores unpacked: wilo as White's minus Black's, draw as the sum of both colours and the shared features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lanes {
    /// Middlegame wilo, centipawns.
    pub wilo_mg: i32,
    /// Endgame wilo, centipawns.
    pub wilo_eg: i32,
    /// Middlegame draw score, hundredths of a logit.
    pub draw_mg: i32,
    /// Endgame draw score, hundredths of a logit.
    pub draw_eg: i32,
}

impl Lanes {
    /// Joins packed sums.
    #[inline]
    #[must_use]
    pub const fn join(wilo: Word, draw: Word) -> Lanes {
        Lanes { wilo_mg: wilo.wilo_mg(), wilo_eg: wilo.wilo_eg(), draw_mg: draw.draw_mg(), draw_eg: draw.draw_eg() }
    }
}

impl Add for Lanes {
    type Output = Lanes;
    #[inline]
    fn add(self, other: Lanes) -> Lanes {
        Lanes {
            wilo_mg: self.wilo_mg + other.wilo_mg,
            wilo_eg: self.wilo_eg + other.wilo_eg,
            draw_mg: self.draw_mg + other.draw_mg,
            draw_eg: self.draw_eg + other.draw_eg,
        }
    }
}

impl Sub for Lanes {
    type Output = Lanes;
    #[inline]
    fn sub(self, other: Lanes) -> Lanes {
        Lanes {
            wilo_mg: self.wilo_mg - other.wilo_mg,
            wilo_eg: self.wilo_eg - other.wilo_eg,
            draw_mg: self.draw_mg - other.draw_mg,
            draw_eg: self.draw_eg - other.draw_eg,
        }
    }
}

impl Add for Word {
    type Output = Word;
    #[inline]
    fn add(self, other: Word) -> Word {
        Word(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for Word {
    #[inline]
    fn add_assign(&mut self, other: Word) {
        *self = *self + other;
    }
}

impl Sub for Word {
    type Output = Word;
    #[inline]
    fn sub(self, other: Word) -> Word {
        Word(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Word {
    type Output = Word;
    #[inline]
    fn neg(self) -> Word {
        Word(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Word {
    type Output = Word;
    #[inline]
    fn mul(self, count: i32) -> Word {
        Word(self.0.wrapping_mul(i64::from(count)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lanes(word: Word) -> [i32; 4] {
        [word.wilo_mg(), word.wilo_eg(), word.draw_mg(), word.draw_eg()]
    }

    proptest! {
        #[test]
        fn lanes_do_not_leak(a in prop::array::uniform4(-i16::MAX..=i16::MAX), b in prop::array::uniform4(-4000..4000i16), n in -7..=7i32) {
            let small = a.map(|lane| lane / 8);
            let (x, y) = (Word::new(small[0], small[1], small[2], small[3]), Word::new(b[0], b[1], b[2], b[3]));
            let expected: Vec<i32> =
                small.iter().zip(b).map(|(&p, q)| i32::from(p) - i32::from(q) / 8 * n).collect();
            let scaled = Word::new(b[0] / 8, b[1] / 8, b[2] / 8, b[3] / 8) * n;
            prop_assert_eq!(lanes(x - scaled).to_vec(), expected);
            prop_assert_eq!(lanes(Word::new(a[0], a[1], a[2], a[3])), a.map(i32::from));
            prop_assert_eq!(lanes(-(-y)), lanes(y));
        }

        #[test]
        fn wilo_overflow_does_not_reach_the_draw_lanes(w in any::<[i16; 2]>(), v in any::<[i16; 2]>(), d in prop::array::uniform4(-9000..9000i16)) {
            let sum = Word::new(w[0], w[1], d[0], d[1]) + Word::new(v[0], v[1], d[2], d[3]);
            prop_assert_eq!(sum.draw_mg(), i32::from(d[0]) + i32::from(d[2]));
            prop_assert_eq!(sum.draw_eg(), i32::from(d[1]) + i32::from(d[3]));
        }
    }
}
