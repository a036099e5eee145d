//! Games of the engine against itself, and the files that hold them.

pub mod data;
pub mod datagen;
pub mod openings;
pub mod play;
pub mod tally;
