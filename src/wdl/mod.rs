//! The draw model, and the search's value.
//!
//! | module | holds |
//! |---|---|
//! | [`model`] | the formulas between scores and probabilities |
//! | [`fixed`] | the same in whole numbers, by tables |
//! | [`score`] | the value that the search compares |
//! | `margin` | scores that a margin moves |
//! | [`contempt`] | what a rating advantage is worth |

pub mod contempt;
pub mod fixed;
mod margin;
pub mod model;
pub mod score;
