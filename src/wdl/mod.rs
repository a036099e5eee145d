//! Win, draw and loss: the draw model, the search's value, and what is printed.

pub mod contempt;
pub mod model;
pub mod profile;
pub mod score;
