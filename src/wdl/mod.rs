//! Win, draw and loss: the draw model, the search's value, and what is printed.

pub mod model;
pub mod profile;
pub mod score;
