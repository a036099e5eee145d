//! Games of the engine against itself, and the files that hold them.

pub mod dataset;
pub mod files;
