//! How people of a rating move.

mod player;
mod values;

pub use player::Player;
pub use values::{DEPTHS, MoveValues, Valuer};
