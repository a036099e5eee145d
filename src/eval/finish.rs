//! From sums to the evaluation, whatever the sums are of.
//!
//! [`finish`] is the only door: it takes what a source has summed of the board, adds the features of side to move, halfmove
//! clock and endings by rule, and contempt; tapers by phase; and lets both curves correct the draw score.

use super::contempt::Contempt;
use super::curves::{draw_curve, wilo_size};
use super::endings;
use super::knots::KNOT_UNIT;
use super::material::MaterialInfo;
use super::phase::{FULL_PHASE, taper};
use super::sink::{BLENDED_UNIT, Sink, Sum};
use super::term_list::{HALFMOVES, TEMPO};
use super::weights::Weights;
use super::word::Lanes;
use crate::position::{FIFTY_MOVES, Position};
use crate::wdl::score::Score;

/// Draw score, in hundredths of a logit, that only [`KNOWN_DRAW`](super::term_list::KNOWN_DRAW) reaches.
const CERTAIN_DRAW: i32 = 2500;

/// The two scores of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evaluation {
    /// Who wins, given that somebody wins: centipawns, positive for the side to move.
    pub wilo: i32,
    /// Whether the game is drawn: hundredths of a logit, positive for drawish.
    pub draw: i32,
}

impl Evaluation {
    /// Both scores as expected result and draw probability, which the search compares.
    #[inline]
    #[must_use]
    pub fn score(self) -> Score {
        Score::heuristic(self.wilo, self.draw)
    }

    /// Whether a rule of the endings says that the position is drawn.
    #[inline]
    #[must_use]
    pub fn is_certain_draw(self) -> bool {
        self.draw >= CERTAIN_DRAW
    }
}

/// What a source has summed of a board, in White's view, with the facts of the piece counts.
#[derive(Clone, Copy, Default)]
pub struct BoardSums {
    /// Both scores for middlegame and endgame.
    pub lanes: Lanes,
    /// Phase, and the ending if rules know it.
    pub material: MaterialInfo,
}

/// Completes an evaluation with White's contempt.
#[inline(always)]
pub fn finish(position: &Position, weights: &Weights, board: BoardSums, contempt: Contempt) -> Evaluation {
    let Evaluation { wilo, draw } = before_curve(position, weights, board, contempt);
    let mut curve = Sum::new(weights);
    draw_curve(&mut curve, draw);
    Evaluation { wilo, draw: draw + curve.blended(board.material.phase()).div_euclid(BLENDED_UNIT) as i32 }
}

/// The scores before the draw curve.
#[inline(always)]
pub fn before_curve(position: &Position, weights: &Weights, board: BoardSums, contempt: Contempt) -> Evaluation {
    let BoardSums { lanes, material } = board;
    let mut sum = Sum::new(weights);
    features(position, &mut sum, material);
    let (lanes, phase) = (lanes + sum.lanes(), material.phase());
    let wilo = taper(lanes.wilo_mg + contempt.middlegame, lanes.wilo_eg + contempt.endgame, phase) / FULL_PHASE;
    wilo_size(&mut sum, wilo);
    let whole = i64::from(taper(lanes.draw_mg, lanes.draw_eg, phase)) * i64::from(KNOT_UNIT);
    let draw = (whole + sum.blended(phase)).div_euclid(BLENDED_UNIT) as i32;
    Evaluation { wilo: position.turn().fold_wb(wilo, -wilo), draw }
}

/// Emits the features of side to move, halfmove clock and endings by rule.
#[inline(always)]
pub fn features<S: Sink>(position: &Position, sink: &mut S, material: MaterialInfo) {
    const STEP: u32 = FIFTY_MOVES / HALFMOVES.len as u32;
    if material.oversized {
        return;
    }
    sink.add_shared(HALFMOVES.at((position.clock_step() / STEP).min(HALFMOVES.len as u32 - 1) as usize));
    sink.add(position.turn(), TEMPO.at(0), 1);
    if let Some(ending) = material.ending {
        endings::features(position, sink, ending);
    }
}
