//! Self-play, tuning and calibration for the chess engine Halfpoint.
#![deny(missing_docs)]

pub mod calibration;
pub mod files;
pub mod output;
pub mod selfplay;
pub mod stats;
pub mod tuning;
