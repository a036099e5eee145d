//! Readers of the one list of features.

use super::terms::{Feature, KNOT_UNIT};
use super::weights::Weights;
use super::word::{Lanes, Word};
use shakmaty::{ByColor, Color};

/// Takes the features of a position: the engine sums them, the recorder keeps them for explanation and tuning.
pub trait Sink {
    /// A feature of one colour, `count` times.
    fn add(&mut self, color: Color, feature: Feature, count: i32);

    /// A feature that belongs to neither colour.
    fn add_shared(&mut self, feature: Feature);

    /// A part of a feature that belongs to neither colour, `parts / KNOT_UNIT` of it.
    fn add_part(&mut self, feature: Feature, parts: i32);
}

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

impl Sink for Sum<'_> {
    #[inline]
    fn add(&mut self, color: Color, feature: Feature, count: i32) {
        *self.colors.get_mut(color) += self.weights[feature] * count;
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

impl Sink for Record {
    fn add(&mut self, color: Color, feature: Feature, count: i32) {
        if count != 0 {
            self.entries.push(Entry { feature, color: Some(color), count: f64::from(count) });
        }
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
