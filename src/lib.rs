//! Halfpoint, a chess engine whose evaluation is a win/draw/loss model.
#![deny(missing_docs)]

mod clock;
pub mod eval;
pub mod games;
pub mod params;
pub mod position;
pub mod search;
pub mod tablebase;
pub mod uci;
pub mod wdl;
