//! Calibration: how far printed win, draw and loss probabilities can be believed, and curves and profiles that make them
//! true, for the games of any engine or of people.
//!
//! [`count`] turns games with evaluations in their comments into counts of results. The counts and the options have the
//! names of Stockfish's WDL model, so that data can be exchanged.

pub mod count;
pub mod curve;
pub mod fit;
pub mod profile;
pub mod verify;

mod contours;
mod counts;
mod drawing;
mod engine;
mod error;
mod figure;
mod histogram;
mod judge;
mod level;
mod metadata;
mod model;
mod observations;
mod panels;
mod plot;
mod reliability;
mod reservoir;
mod sample;
mod scored;
mod scoring;

pub use crate::files::Outcome;
pub use counts::{Counts, Key};
pub use engine::{Specification, Verdict};
pub use error::Error;
pub use histogram::{Histogram, MomType, Normalization, Selection};
pub use sample::{Sample, SampleSource};
