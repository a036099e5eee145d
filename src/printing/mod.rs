//! What people see of a score: W/D/L for the games in question, and centipawns.
//!
//! | item | is |
//! |---|---|
//! | [`WdlFor`] | whose games W/D/L are for |
//! | [`Printer`] | the rules of printing, in order |
//! | [`Nominal`] | what scores mean in the engine's own games |
//! | [`PeopleLaw`] | what they mean in games of people, by rating and time control |
//! | [`Profiles`] | the same by name, or from a file |
//! | [`law`] | numbers of profiles as sums over what is known of games |
//! | [`Ratings`], [`Clocks`] | the two players |
//! | [`RatingGap`] | what a difference in rating is worth |
//! | [`profile`] | the numbers of a profile and what each is multiplied with |
//!
//! Scores are rescaled by node count; the scale was fitted on self-play games. The search knows nothing of this.

mod board;
pub mod law;
mod nominal;
mod pace;
mod people;
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
pub use pace::Pace;
pub use people::PeopleLaw;
pub use players::{Clocks, MAX_RATING, Ratings};
pub use prediction::{FLOOR, adjust, apply, predict, printed_inputs};
pub use printer::{Lines, Printed, PrintedScore, Printer};
pub use profiles::{Profile, Profiles, is_name};
pub use rating_gap::RatingGap;
pub use time_class::{TimeClass, UnknownTimeClass};
pub use time_control::TimeControl;
pub use wdl_for::{FROM_FILE, NOMINAL, UNCORRECTED, UnknownProfile, WdlFor};

#[cfg(test)]
mod tests;
