//! The two-parameter curves of Stockfish's WDL model. `count` turns games with evaluations in their comments into counts of
//! results, `fit` fits the curves to them. Counts and options have the names of that model, so that data can be exchanged.

mod bands;
pub mod count;
mod counts;
pub mod curve;
mod figure;
pub mod fit;
mod histogram;
mod metadata;
mod model;
mod panels;
