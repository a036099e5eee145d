//! Win, draw and loss: the draw model, the search's value, and what is printed.
//!
//! | module | holds |
//! |---|---|
//! | [`model`] | the formulas between scores and probabilities |
//! | [`fixed`] | the same in whole numbers, by tables |
//! | [`score`] | the value that the search compares |
//! | `margin` | scores that a margin moves |
//! | [`profile`] | the numbers of a profile and what each is multiplied with |
//! | [`adjust`] | a profile applied; the nominal one, for games of the engine's own |
//! | [`profiles`] | named profiles, for games of other players |
//! | [`players`] | the profile of two players, by their ratings |
//! | [`print`](mod@print) | which score and W/D/L are printed |
//! | [`board`] | what all this needs of the position |
//! | [`time_class`] | bullet, blitz, rapid, classical |
//! | [`contempt`] | what a rating advantage is worth |

pub mod adjust;
pub mod board;
pub mod contempt;
pub mod fixed;
mod margin;
pub mod model;
pub mod players;
pub mod print;
pub mod profile;
pub mod profiles;
pub mod score;
pub mod time_class;

#[cfg(test)]
mod tests;
