//! The evaluation: from features to a wilo and a draw score.
//!
//! Each feature is written once, as `sink.add(color, feature, count)`, and read in three ways: the search adds its weight,
//! [`Explanation`] tells its term, and a tuner records its count. Weights are packed four in a word, so one addition sums
//! wilo and draw score for middlegame and endgame.
//!
//! ```
//! use halfpoint::eval::{Weights, evaluate};
//! use halfpoint::position::Position;
//!
//! let queen_up = Position::from_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false).unwrap();
//! let evaluation = evaluate(&queen_up, &Weights::shipped());
//! assert!(evaluation.wilo > 500); // centipawns for the side to move
//! assert!(evaluation.score().wdl().win > 0.9);
//! ```

mod bits;
mod contempt;
mod danger;
mod draws;
mod endings;
mod evaluator;
mod explain;
mod fortress;
mod king;
mod material;
mod overflow;
mod passed;
mod pawns;
mod pieces;
mod sink;
pub(crate) mod terms;
mod threats;
pub mod tuning;
mod weights;
mod word;

pub use contempt::Contempt;
pub use endings::prepare_endings;
pub use evaluator::Evaluator;
pub use explain::{Explanation, Share, TermShare, Worth};
pub use terms::FULL_PHASE;
pub use weights::Weights;

use crate::position::Position;
use crate::wdl::score::Score;
use material::{MaterialInfo, PieceCounts};
use pawns::PawnInfo;
use pieces::EvalContext;
use shakmaty::Color;
use sink::{BLENDED_UNIT, Sink, Sum};
use terms::{
    DRAW_CURVE, DRAW_KNOT_STEP, HALFMOVES, KNOT_BELOW, KNOT_PARTS, KNOT_STEP, KNOT_UNIT, TEMPO, WILO_KNOTS, WILO_SIZE,
};
use word::Lanes;

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
}

/// Game phase: from 0 with only kings and pawns to [`FULL_PHASE`] with all pieces.
#[inline]
#[must_use]
pub fn phase(position: &Position) -> i32 {
    let board = position.board();
    let minors = board.knights() | board.bishops();
    let sum = minors.count() + 2 * board.rooks().count() + 4 * board.queens().count();
    (sum as i32).min(FULL_PHASE)
}

/// Evaluates a position without caches.
#[must_use]
pub fn evaluate(position: &Position, weights: &Weights) -> Evaluation {
    finish(position, weights, board_sums(position, weights), Contempt::NONE)
}

/// The scores before the draw curve.
#[must_use]
pub fn evaluate_sums(position: &Position, weights: &Weights) -> Evaluation {
    sums(position, weights, board_sums(position, weights), Contempt::NONE)
}

/// Emits every feature of a position but the size of wilo and the draw curve. Returns the phase, 0 to [`FULL_PHASE`].
pub fn features<S: Sink>(position: &Position, sink: &mut S) -> i32 {
    let counts = PieceCounts::of(position.material());
    counts.features(sink);
    let material = counts.info();
    if !material.oversized {
        let pawns = pawns::features(position, sink);
        piece_features(position, sink, material, pawns);
        move_features(position, sink, material);
    }
    material.phase()
}

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

/// Emits the features of pieces beside kings and pawns.
#[inline]
fn piece_features<S: Sink>(position: &Position, sink: &mut S, material: MaterialInfo, pawns: PawnInfo) {
    let mut context = EvalContext::new(position, material, pawns);
    pieces::features(&mut context, sink, Color::White);
    pieces::features(&mut context, sink, Color::Black);
    side_features(&context, sink, Color::White);
    side_features(&context, sink, Color::Black);
    draws::features(&context, sink);
}

/// Emits the features of the side to move and of the halfmove clock, and those of endings, which look at both.
#[inline]
fn move_features<S: Sink>(position: &Position, sink: &mut S, material: MaterialInfo) {
    sink.add_shared(HALFMOVES.at((position.halfmoves() / 10).min(9) as usize));
    sink.add(position.turn(), TEMPO.at(0), 1);
    if let Some(ending) = material.ending {
        endings::features(position, sink, ending);
    }
}

/// Emits the features of one colour that need complete attack maps.
// Not inlined, so that both colours share the code: two copies crowd the instruction cache.
#[inline(never)]
fn side_features<S: Sink>(context: &EvalContext, sink: &mut S, us: Color) {
    let mut side = sink.side(us);
    king::features(context, &mut side, us);
    threats::features(context, &mut side, us);
    passed::features(context, &mut side, us);
    threats::space(context, &mut side, us);
}

/// The sums of all features of the board: those that depend neither on the side to move nor on the halfmove clock.
#[derive(Clone, Copy, Default)]
struct BoardSums {
    lanes: Lanes,
    material: MaterialInfo,
}

/// [`BoardSums`] without caches.
fn board_sums(position: &Position, weights: &Weights) -> BoardSums {
    let counts = PieceCounts::of(position.material());
    let material = counts.info();
    let (mut of_counts, mut structure, mut sum) = (Sum::new(weights), Sum::new(weights), Sum::new(weights));
    counts.features(&mut of_counts);
    if !material.oversized {
        let pawns = pawns::features(position, &mut structure);
        piece_features(position, &mut sum, material, pawns);
    }
    BoardSums { lanes: of_counts.wide_lanes() + structure.lanes() + sum.lanes(), material }
}

/// Completes an evaluation with White's contempt.
#[inline(always)]
fn finish(position: &Position, weights: &Weights, board: BoardSums, contempt: Contempt) -> Evaluation {
    let Evaluation { wilo, draw } = sums(position, weights, board, contempt);
    let mut curve = Sum::new(weights);
    draw_curve(&mut curve, draw);
    Evaluation { wilo, draw: draw + curve.blended(board.material.phase()).div_euclid(BLENDED_UNIT) as i32 }
}

/// Adds the features of side to move and halfmove clock, tapers by phase, adds the size of wilo, and turns wilo to the
/// side to move.
#[inline(always)]
fn sums(position: &Position, weights: &Weights, board: BoardSums, contempt: Contempt) -> Evaluation {
    let BoardSums { lanes, material } = board;
    let mut sum = Sum::new(weights);
    if !material.oversized {
        move_features(position, &mut sum, material);
    }
    let (lanes, phase) = (lanes + sum.lanes(), material.phase());
    let wilo = taper(lanes.wilo_mg + contempt.middlegame, lanes.wilo_eg + contempt.endgame, phase) / FULL_PHASE;
    wilo_size(&mut sum, wilo);
    let whole = i64::from(taper(lanes.draw_mg, lanes.draw_eg, phase)) * i64::from(KNOT_UNIT);
    let draw = (whole + sum.blended(phase)).div_euclid(BLENDED_UNIT) as i32;
    Evaluation { wilo: position.turn().fold_wb(wilo, -wilo), draw }
}

/// Mean of middlegame and endgame score by phase, in units of `1 / FULL_PHASE`.
#[inline(always)]
fn taper(middlegame: i32, endgame: i32, phase: i32) -> i32 {
    middlegame * phase + endgame * (FULL_PHASE - phase)
}

#[cfg(test)]
mod tests;
