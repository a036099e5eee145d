//! What people see of a score: W/D/L for the games in question, and centipawns.
//!
//! | item | is |
//! |---|---|
//! | [`WdlFor`] | whose games W/D/L are for |
//! | [`Printer`] | the rules of printing, in order |
//! | [`Nominal`] | what scores mean in the engine's own games |
//! | [`Profiles`] | what they mean in games of other players |
//! | [`Ratings`], [`Clocks`] | the two players |
//! | [`RatingGap`] | what a difference in rating is worth |
//! | [`profile`] | the numbers of a profile and what each is multiplied with |
//!
//! Scores are rescaled by node count; the scale was fitted on self-play games. The search knows nothing of this.

mod board;
mod nominal;
mod players;
mod prediction;
mod printer;
pub mod profile;
mod profiles;
mod rating_gap;
mod time_class;
mod time_control;
mod wdl_for;

pub use board::{BoardFacts, material};
pub use nominal::Nominal;
pub use players::{Clocks, Ratings};
pub use prediction::{FLOOR, adjust, apply, predict, printed_inputs};
pub use printer::{Lines, Printed, PrintedScore, Printer};
pub use profiles::{Profile, Profiles, is_name};
pub use rating_gap::RatingGap;
pub use time_class::TimeClass;
pub use time_control::TimeControl;
pub use wdl_for::{FROM_FILE, NOMINAL, UNCORRECTED, UnknownProfile, WdlFor};

#[cfg(test)]
mod tests;
