//! The evaluation: features to two sums in one word, to wilo and draw score.
//!
//! Each feature is written once, as `sink.add(color, feature, count)`, and read in three ways: [`Sum`] adds weights for
//! the search, [`explain`] prints every term, and [`Record`] keeps the coefficients for a tuner.
//!
//! ```
//! use halfpoint::eval::{Weights, evaluate};
//! use halfpoint::position::Position;
//!
//! let without_queen = Position::from_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false).unwrap();
//! let scores = evaluate(&without_queen, &Weights::shipped());
//! assert!(scores.wilo > 500); // centipawns for the side to move
//! ```

mod bits;
mod contempt;
mod draws;
mod explain;
mod king;
mod material;
mod passed;
mod pawns;
mod pieces;
mod sink;
pub mod terms;
mod threats;
mod weights;
mod word;

pub use contempt::Contempt;
pub use explain::explain;
pub use material::FULL_PHASE;
pub use sink::{Entry, Record, SideSink, Sink, Sum};
pub use weights::{COLUMNS, SHIPPED, Weights, WeightsError};
pub use word::{Lanes, Word};

use crate::position::Position;
use crate::wdl::score::Score;
use material::{Counts, Outline};
use pawns::PawnFacts;
use pieces::Context;
use shakmaty::Color;
use sink::BLENDED_UNIT;
use terms::{
    DRAW_CURVE, DRAW_KNOT_STEP, HALFMOVES, KNOT_BELOW, KNOT_PARTS, KNOT_STEP, KNOT_UNIT, TEMPO, WILO_KNOTS, WILO_SIZE,
};

/// The two scores of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scores {
    /// Who wins, given that somebody wins: centipawns, positive for the side to move.
    pub wilo: i32,
    /// Whether the game is drawn: hundredths of a logit.
    pub draw: i32,
}

impl Scores {
    /// The scores as the search compares them.
    #[inline]
    #[must_use]
    pub fn score(self) -> Score {
        Score::heuristic(self.wilo, self.draw)
    }
}

/// Weight of the pieces on the board, pawns and kings apart: from 0 without any to [`FULL_PHASE`] with all of them.
#[must_use]
pub fn phase(position: &Position) -> i32 {
    Counts::of(position.material()).outline().phase
}

/// Evaluates a position from scratch.
#[must_use]
pub fn evaluate(position: &Position, weights: &Weights) -> Scores {
    finish(position, weights, board(position, weights), Contempt::NONE)
}

/// The same, but for the curve of the draw score: the sums as they are.
#[must_use]
pub fn evaluate_sums(position: &Position, weights: &Weights) -> Scores {
    sums(position, weights, board(position, weights), Contempt::NONE)
}

/// What the men and the castling rights say, from scratch.
fn board(position: &Position, weights: &Weights) -> Board {
    let counts = Counts::of(position.material());
    let outline = counts.outline();
    let (mut army, mut structure, mut sum) = (Sum::new(weights), Sum::new(weights), Sum::new(weights));
    counts.features(&mut army);
    if !outline.oversized {
        let facts = pawns::features(position, &mut structure);
        piece_features(position, &mut sum, outline, facts);
    }
    Board { lanes: army.wide_lanes() + structure.lanes() + sum.lanes(), outline }
}

/// Emits every feature of a position but the size of wilo and the curve of the draw score into `sink`; returns the phase,
/// 0 to 24.
pub fn features<S: Sink>(position: &Position, sink: &mut S) -> i32 {
    let counts = Counts::of(position.material());
    counts.features(sink);
    let outline = counts.outline();
    if !outline.oversized {
        let facts = pawns::features(position, sink);
        piece_features(position, sink, outline, facts);
        move_features(position, sink);
    }
    outline.phase
}

/// Emits the size of wilo, in centipawns of either sign, by its two neighbouring knots.
#[inline(always)]
pub fn wilo_size<S: Sink>(sink: &mut S, wilo: i32) {
    let size = wilo.abs().min(WILO_KNOTS[WILO_KNOTS.len() - 1] - 1);
    let lower = usize::from(KNOT_BELOW[(size / KNOT_STEP) as usize]);
    let (low, high) = (WILO_KNOTS[lower], WILO_KNOTS[lower + 1]);
    sink.add_part(WILO_SIZE.at(lower), (high - size) * KNOT_PARTS[lower]);
    sink.add_part(WILO_SIZE.at(lower + 1), (size - low) * KNOT_PARTS[lower]);
}

/// Emits the curve of a draw score, in hundredths of a logit, by the two knots around it.
#[inline(always)]
pub fn draw_curve<S: Sink>(sink: &mut S, draw: i32) {
    const LAST: i32 = DRAW_CURVE.len as i32 - 1;
    let above = (draw + LAST / 2 * DRAW_KNOT_STEP).clamp(0, LAST * DRAW_KNOT_STEP - 1);
    let (lower, way) = ((above / DRAW_KNOT_STEP) as usize, above % DRAW_KNOT_STEP);
    sink.add_part(DRAW_CURVE.at(lower), (DRAW_KNOT_STEP - way) * (KNOT_UNIT / DRAW_KNOT_STEP));
    sink.add_part(DRAW_CURVE.at(lower + 1), way * (KNOT_UNIT / DRAW_KNOT_STEP));
}

/// Emits the features in which pieces other than king and pawns take part.
#[inline]
fn piece_features<S: Sink>(position: &Position, sink: &mut S, outline: Outline, facts: PawnFacts) {
    let mut context = Context::new(position, outline, facts);
    pieces::features(&mut context, sink, Color::White);
    pieces::features(&mut context, sink, Color::Black);
    side_features(&context, sink, Color::White);
    side_features(&context, sink, Color::Black);
    draws::features(&context, sink);
}

/// Emits what depends on the side to move and on the clock alone.
#[inline]
fn move_features<S: Sink>(position: &Position, sink: &mut S) {
    sink.add_shared(HALFMOVES.at((position.halfmoves() / 10).min(9) as usize));
    sink.add(position.turn(), TEMPO.at(0), 1);
}

/// Emits what one colour's attack maps tell.
// Out of line, so that both colours run through the same code: two copies crowd the instruction cache.
#[inline(never)]
fn side_features<S: Sink>(context: &Context, sink: &mut S, us: Color) {
    let mut side = sink.side(us);
    king::features(context, &mut side, us);
    threats::features(context, &mut side, us);
    passed::features(context, &mut side, us);
    threats::space(context, &mut side, us);
}

/// What the men and the castling rights say, whoever is to move.
#[derive(Clone, Copy, Default)]
struct Board {
    lanes: Lanes,
    outline: Outline,
}

/// The sums with the curve of the draw score.
#[inline(always)]
fn finish(position: &Position, weights: &Weights, board: Board, contempt: Contempt) -> Scores {
    let Scores { wilo, draw } = sums(position, weights, board, contempt);
    let mut curve = Sum::new(weights);
    draw_curve(&mut curve, draw);
    Scores { wilo, draw: draw + curve.blended(board.outline.phase).div_euclid(BLENDED_UNIT) as i32 }
}

/// Adds what depends on the move, tapers by phase, adds what depends on the size of wilo, and turns to the side to move.
#[inline(always)]
fn sums(position: &Position, weights: &Weights, Board { lanes, outline }: Board, contempt: Contempt) -> Scores {
    let mut sum = Sum::new(weights);
    if !outline.oversized {
        move_features(position, &mut sum);
    }
    let (lanes, phase) = (lanes + sum.lanes(), outline.phase);
    let wilo = taper(lanes.wilo_mg + contempt.middlegame, lanes.wilo_eg + contempt.endgame, phase) / FULL_PHASE;
    wilo_size(&mut sum, wilo);
    let whole = i64::from(taper(lanes.draw_mg, lanes.draw_eg, phase)) * i64::from(KNOT_UNIT);
    let draw = (whole + sum.blended(phase)).div_euclid(BLENDED_UNIT) as i32;
    Scores { wilo: position.turn().fold_wb(wilo, -wilo), draw }
}

/// Middlegame and endgame, each by its share, in units of `1 / FULL_PHASE`.
#[inline(always)]
fn taper(middlegame: i32, endgame: i32, phase: i32) -> i32 {
    middlegame * phase + endgame * (FULL_PHASE - phase)
}

/// Evaluates with memory of boards, pawns with kings, pawn structures and material seen before. One for each thread.
pub struct Evaluator {
    boards: Box<[BoardEntry]>,
    pawns: Box<[PawnEntry]>,
    structures: Box<[PawnEntry]>,
    material: Box<[MaterialEntry]>,
}

#[derive(Clone, Copy, Default)]
struct BoardEntry {
    key: u64,
    board: Board,
}

#[derive(Clone, Copy, Default)]
struct PawnEntry {
    key: u64,
    lanes: Lanes,
    facts: PawnFacts,
}

#[derive(Clone, Copy, Default)]
struct MaterialEntry {
    key: u64,
    lanes: Lanes,
    outline: Outline,
}

/// Entries of the board table; a power of two. Few, as what returns mostly returns soon: after a null move, or by
/// another order of moves.
const BOARD_ENTRIES: usize = 1 << 13;
/// Entries of the table of pawns with kings, and of that of pawn structures; a power of two.
const PAWN_ENTRIES: usize = 1 << 12;
/// Entries of the material table; a power of two.
const MATERIAL_ENTRIES: usize = 1 << 11;

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator {
            boards: vec![BoardEntry::default(); BOARD_ENTRIES].into_boxed_slice(),
            pawns: vec![PawnEntry::default(); PAWN_ENTRIES].into_boxed_slice(),
            structures: vec![PawnEntry::default(); PAWN_ENTRIES].into_boxed_slice(),
            material: vec![MaterialEntry::default(); MATERIAL_ENTRIES].into_boxed_slice(),
        }
    }
}

impl Evaluator {
    /// Forgets everything, as new weights demand.
    pub fn clear(&mut self) {
        self.boards.fill(BoardEntry::default());
        self.pawns.fill(PawnEntry::default());
        self.structures.fill(PawnEntry::default());
        self.material.fill(MaterialEntry::default());
    }

    /// The same as [`evaluate`], faster, with White's contempt.
    #[must_use]
    pub fn evaluate(&mut self, position: &Position, weights: &Weights, contempt: Contempt) -> Scores {
        let key = board_key(position);
        let index = key as usize % BOARD_ENTRIES;
        if self.boards[index].key != key {
            self.boards[index] = BoardEntry { key, board: self.board(position, weights) };
        }
        finish(position, weights, self.boards[index].board, contempt)
    }

    #[inline(always)]
    fn board(&mut self, position: &Position, weights: &Weights) -> Board {
        let &MaterialEntry { mut lanes, outline, .. } = self.material(position, weights);
        if !outline.oversized {
            let &PawnEntry { lanes: structure, facts, .. } = self.pawns(position, weights);
            let mut sum = Sum::new(weights);
            piece_features(position, &mut sum, outline, facts);
            lanes = lanes + structure + sum.lanes();
        }
        Board { lanes, outline }
    }

    #[inline]
    fn material(&mut self, position: &Position, weights: &Weights) -> &MaterialEntry {
        // One more than the material itself: bare kings are zero, as are empty entries.
        let key = position.material().key() + 1;
        let entry = &mut self.material[(key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % MATERIAL_ENTRIES];
        if entry.key != key {
            let counts = Counts::of(position.material());
            let mut sum = Sum::new(weights);
            counts.features(&mut sum);
            *entry = MaterialEntry { key, lanes: sum.wide_lanes(), outline: counts.outline() };
        }
        entry
    }

    #[inline]
    fn pawns(&mut self, position: &Position, weights: &Weights) -> &PawnEntry {
        let key = position.pawn_king_key();
        let entry = &mut self.pawns[key as usize % PAWN_ENTRIES];
        if entry.key != key {
            let structure_key = pawns::structure_key(position);
            let structure = &mut self.structures[structure_key as usize % PAWN_ENTRIES];
            if structure.key != structure_key {
                let mut sum = Sum::new(weights);
                let facts = pawns::structure(position, &mut sum);
                *structure = PawnEntry { key: structure_key, lanes: sum.lanes(), facts };
            }
            let mut sum = Sum::new(weights);
            pawns::kings(position, &mut sum, &structure.facts);
            *entry = PawnEntry { key, lanes: structure.lanes + sum.lanes(), facts: structure.facts };
        }
        entry
    }
}

/// Tells apart what [`Board`] does: with a side that has no pieces left, also who is to move.
#[inline]
fn board_key(position: &Position) -> u64 {
    let key = position.board_key();
    if Color::ALL.into_iter().all(|color| position.has_pieces(color)) { key } else { key ^ position.turn() as u64 }
}

#[cfg(test)]
mod tests;
