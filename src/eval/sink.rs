//! Readers of the features: one sums their weights, one records them.

use super::knots::KNOT_UNIT;
use super::phase::FULL_PHASE;
use super::term_list::Feature;
use super::weights::Weights;
use super::word::{Lanes, Word};
use shakmaty::{ByColor, Color};

/// A reader of the features of a position: [`Sum`] adds their weights, [`FeatureRecord`] keeps them for explanation and tuning.
pub trait Sink {
    /// A reader of the features of one colour.
    type Side<'s>: SideSink
    where
        Self: 's;

    /// The reader of one colour.
    fn side(&mut self, color: Color) -> Self::Side<'_>;

    /// Adds a feature of one colour, `count` times.
    #[inline(always)]
    fn add(&mut self, color: Color, feature: Feature, count: i32) {
        self.side(color).add(feature, count);
    }

    /// Adds a feature that belongs to neither colour.
    fn add_shared(&mut self, feature: Feature);

    /// Adds `parts / KNOT_UNIT` of a feature that belongs to neither colour.
    fn add_part(&mut self, feature: Feature, parts: i32);
}

/// A reader of the features of one colour.
pub trait SideSink {
    /// Adds a feature, `count` times.
    fn add(&mut self, feature: Feature, count: i32);
}

/// The unit of [`Sum::blended`]: this much is one hundredth of a logit.
pub const BLENDED_UNIT: i64 = FULL_PHASE as i64 * KNOT_UNIT as i64;

/// Sums the weights of features.
pub struct Sum<'a> {
    weights: &'a Weights,
    /// Sum of each colour.
    pub colors: ByColor<Word>,
    /// Sum of shared features; only the draw lanes count.
    pub shared: Word,
    /// Middlegame draw score of partial features, in units of `1 / KNOT_UNIT`.
    pub blended_mg: i64,
    /// Endgame draw score of partial features, in units of `1 / KNOT_UNIT`.
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
    /// Draw score of partial features, tapered, in units of `1 / BLENDED_UNIT`.
    #[inline(always)]
    #[must_use]
    pub fn blended(&self, phase: i32) -> i64 {
        self.blended_mg * i64::from(phase) + self.blended_eg * i64::from(FULL_PHASE - phase)
    }

    /// Joins both colours. Their difference in wilo must fit a lane.
    #[inline]
    #[must_use]
    pub fn lanes(&self) -> Lanes {
        let ByColor { black, white } = self.colors;
        Lanes::join(white - black, white + black + self.shared)
    }

    /// Joins both colours. Each colour must fit a lane, their difference in wilo need not.
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
        // Integers, so that a falling curve never rises by rounding.
        self.blended_mg += i64::from(self.weights[feature].draw_mg()) * i64::from(parts);
        self.blended_eg += i64::from(self.weights[feature].draw_eg()) * i64::from(parts);
    }
}

/// Sums the weights of one colour's features, and adds them to the total when dropped.
pub struct SideSum<'a> {
    weights: &'a Weights,
    /// Separate from the total, so that it stays in a register.
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

/// A recorded feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeatureCount {
    /// Which weight.
    pub feature: Feature,
    /// Its colour; `None` for a shared feature.
    pub color: Option<Color>,
    /// Its count; a fraction for partial features.
    pub count: f64,
}

/// Records features.
#[derive(Default)]
pub struct FeatureRecord {
    /// In order of evaluation; a feature may come more than once.
    pub counts: Vec<FeatureCount>,
}

/// Records the features of one colour.
pub struct SideFeatureRecord<'a> {
    counts: &'a mut Vec<FeatureCount>,
    color: Color,
}

impl SideSink for SideFeatureRecord<'_> {
    fn add(&mut self, feature: Feature, count: i32) {
        if count != 0 {
            self.counts.push(FeatureCount { feature, color: Some(self.color), count: f64::from(count) });
        }
    }
}

impl Sink for FeatureRecord {
    type Side<'s> = SideFeatureRecord<'s>;

    fn side(&mut self, color: Color) -> SideFeatureRecord<'_> {
        SideFeatureRecord { counts: &mut self.counts, color }
    }

    fn add_shared(&mut self, feature: Feature) {
        self.counts.push(FeatureCount { feature, color: None, count: 1.0 });
    }

    fn add_part(&mut self, feature: Feature, parts: i32) {
        if parts != 0 {
            self.counts.push(FeatureCount { feature, color: None, count: f64::from(parts) / f64::from(KNOT_UNIT) });
        }
    }
}
