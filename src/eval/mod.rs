//! The evaluation: from features to a wilo and a draw score.
//!
//! Each feature is written once, as `sink.add(color, feature, count)`, and read in three ways: the search adds its weight,
//! [`Explanation`] shows its term, and a tuner records its count. Weights are packed four in a word, so one addition sums
//! wilo and draw score for middlegame and endgame.
//!
//! Sources sum the features of the board, and `finish` makes an [`Evaluation`] of their sums: the hand-crafted terms, and a
//! [`network`] beside them if the [`Weights`] have one.
//!
//! | module | holds |
//! |---|---|
//! | `term_list`, `knots` | the list of all terms, and where the curves have their knots |
//! | `word`, `weights`, `overflow` | packed weights, their file, and the proof that no sum overflows |
//! | `sink` | readers of features: one sums, one records |
//! | `phase`, `material`, `bits` | what is counted on the board |
//! | `endings` | endings by rule |
//! | `contempt`, `curves` | contempt, and the curves of the draw score |
//! | `finish` | from sums to the evaluation |
//! | `terms` | the hand-crafted terms of a board, and their caches |
//! | [`network`] | learned features, and their sums from position to position |
//! | `evaluator`, `explain`, [`tuning`] | what others use |
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
mod curves;
mod endings;
mod evaluator;
mod explain;
mod finish;
mod knots;
mod material;
pub mod network;
mod overflow;
mod phase;
mod sink;
pub(crate) mod term_list;
mod terms;
pub mod tuning;
mod weights;
mod word;

pub use contempt::Contempt;
pub use endings::prepare_endings;
pub use evaluator::{Evaluator, evaluate};
pub use explain::{Contribution, Explanation, TermContribution, Worth};
pub use finish::Evaluation;
pub use phase::{FULL_PHASE, PHASE_WEIGHTS, phase};
pub use weights::Weights;

#[cfg(test)]
mod tests;
