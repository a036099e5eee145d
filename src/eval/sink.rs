//! Readers of the one list of features.

use super::material::FULL_PHASE;
use super::terms::{Feature, KNOT_UNIT};
use super::weights::Weights;
use super::word::{Lanes, Word};
use shakmaty::{ByColor, Color};

/// Takes the features of a position: the engine sums them, the recorder keeps them for explanation and tuning.
pub trait Sink {
    /// Takes the features of one colour.
    type Side<'s>: SideSink
    where
        Self: 's;

    /// For the features of one colour.
    fn side(&mut self, color: Color) -> Self::Side<'_>;

    /// A feature of one colour, `count` times.
    #[inline(always)]
    fn add(&mut self, color: Color, feature: Feature, count: i32) {
        self.side(color).add(feature, count);
    }

    /// A feature that belongs to neither colour.
    fn add_shared(&mut self, feature: Feature);

    /// A part of a feature that belongs to neither colour, `parts / KNOT_UNIT` of it.
    fn add_part(&mut self, feature: Feature, parts: i32);
}

/// Takes the features of one colour for a [`Sink`].
pub trait SideSink {
    /// A feature, `count` times.
    fn add(&mut self, feature: Feature, count: i32);
}

/// One in units of [`Sum::blended`].
pub const BLENDED_UNIT: i64 = FULL_PHASE as i64 * KNOT_UNIT as i64;

/// Sums weighted features.
pub struct Sum<'a> {
    weights: &'a Weights,
    /// Sum of each colour.
    pub colors: ByColor<Word>,
    /// Sum of what belongs to neither; only the draw lanes count.
    pub shared: Word,
    /// Middlegame draw score of fractions, in units of `1 / KNOT_UNIT`.
    pub blended_mg: i64,
    /// Endgame draw score of fractions, in units of `1 / KNOT_UNIT`.
    pub blended_eg: i64,
}

impl<'a> Sum<'a> {
    /// An empty sum.
    #[inline]
    #[must_use]
    pub fn new(weights: &'a Weights) -> Sum<'a> {
        let colors = ByColor { black: Word::ZERO, white: Word::ZERO };
        Sum { weights, colors, shared: Word::ZERO, blended_mg: 0, blended_eg: 0 }
    }
}

impl Sum<'_> {
    /// Draw score of fractions, tapered, in units of `1 / BLENDED_UNIT`.
    #[inline(always)]
    #[must_use]
    pub fn blended(&self, phase: i32) -> i64 {
        self.blended_mg * i64::from(phase) + self.blended_eg * i64::from(FULL_PHASE - phase)
    }

    /// Both colours together; their difference in wilo must fit a lane.
    #[inline]
    #[must_use]
    pub fn lanes(&self) -> Lanes {
        let ByColor { black, white } = self.colors;
        Lanes::join(white - black, white + black + self.shared)
    }

    /// Both colours together; each colour must fit a lane by itself.
    #[must_use]
    pub fn wide_lanes(&self) -> Lanes {
        let ByColor { black, white } = self.colors;
        let (draw, none) = (white + black + self.shared, Word::ZERO);
        let wilo = Lanes::join(white, none) - Lanes::join(black, none);
        wilo + Lanes::join(none, draw)
    }
}

impl<'a> Sink for Sum<'a> {
    type Side<'s>
        = SideSum<'s>
    where
        'a: 's;

    #[inline(always)]
    fn side(&mut self, color: Color) -> SideSum<'_> {
        SideSum { weights: self.weights, sum: Word::ZERO, total: self.colors.get_mut(color) }
    }

    #[inline]
    fn add_shared(&mut self, feature: Feature) {
        self.shared += self.weights[feature];
    }

    #[inline]
    fn add_part(&mut self, feature: Feature, parts: i32) {
        // Whole numbers, so that a falling line stays falling.
        self.blended_mg += i64::from(self.weights[feature].draw_mg()) * i64::from(parts);
        self.blended_eg += i64::from(self.weights[feature].draw_eg()) * i64::from(parts);
    }
}

/// Sums weighted features of one colour, and adds them to the whole when it is dropped.
pub struct SideSum<'a> {
    weights: &'a Weights,
    /// Apart from the total, so that it can be kept in a register.
    sum: Word,
    total: &'a mut Word,
}

impl SideSink for SideSum<'_> {
    #[inline(always)]
    fn add(&mut self, feature: Feature, count: i32) {
        self.sum += self.weights[feature] * count;
    }
}

impl Drop for SideSum<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        *self.total += self.sum;
    }
}

/// One recorded feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Which weight.
    pub feature: Feature,
    /// Whose it is; `None` for what belongs to neither.
    pub color: Option<Color>,
    /// How often.
    pub count: f64,
}

/// Keeps features as they come.
#[derive(Default)]
pub struct Record {
    /// In order of evaluation; a feature may come more than once.
    pub entries: Vec<Entry>,
}

/// Keeps the features of one colour.
pub struct SideRecord<'a> {
    entries: &'a mut Vec<Entry>,
    color: Color,
}

impl SideSink for SideRecord<'_> {
    fn add(&mut self, feature: Feature, count: i32) {
        if count != 0 {
            self.entries.push(Entry { feature, color: Some(self.color), count: f64::from(count) });
        }
    }
}

impl Sink for Record {
    type Side<'s> = SideRecord<'s>;

    fn side(&mut self, color: Color) -> SideRecord<'_> {
        SideRecord { entries: &mut self.entries, color }
    }

    fn add_shared(&mut self, feature: Feature) {
        self.entries.push(Entry { feature, color: None, count: 1.0 });
    }

    fn add_part(&mut self, feature: Feature, parts: i32) {
        if parts != 0 {
            self.entries.push(Entry { feature, color: None, count: f64::from(parts) / f64::from(KNOT_UNIT) });
        }
    }
}
