//! Halfpoint, a chess engine whose evaluation is a win/draw/loss model.
#![deny(missing_docs)]

pub mod calibration;
pub mod draw_model;
pub mod eval;
pub mod position;
pub mod profile;
pub mod score;
pub mod search;
pub mod selfplay;
pub mod tablebase;
pub mod tuning;
pub mod uci;
