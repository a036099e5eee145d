//! The hand-crafted terms: features of a board, summed by their weights.
//!
//! | module | holds |
//! |---|---|
//! | [`counts`] | piece counts: values, imbalance, what is drawish by them |
//! | [`pawns`] | pawns and kings alone: structure, passed pawns, shelter |
//! | [`context`] | attack maps, which [`pieces`] fills and the modules below read |
//! | [`pieces`] | knights, bishops, rooks, queens: squares, mobility, placement |
//! | [`king`], [`danger`] | king safety |
//! | [`threats`] | threats, contested squares, space |
//! | [`passed`] | passed pawns and the pieces around them |
//! | [`draws`], [`fortress`] | drawish positions, mating a bare king |
//! | [`board`], [`cache`] | all of them together; the same with caches of parts |

mod board;
pub mod cache;
mod context;
mod counts;
mod danger;
mod draws;
mod fortress;
mod king;
mod passed;
mod pawns;
mod pieces;
mod threats;

pub use board::{features, sums};

#[cfg(test)]
mod tests;
