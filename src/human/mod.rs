//! How people of a rating move.

mod decision;
mod difficulty;
mod features;
mod level;
mod model;
mod opponent;
mod player;
mod practical;
mod scene;
mod think;
mod values;

pub use decision::{Choice, Decision};
pub use difficulty::{BLUNDER, Difficulty, ErrorChances, MISTAKE};
pub use features::{COUNT, FEATURES, Feature};
pub use level::{DEFAULT_ELO, Level, Levels, MAX_ELO, MIN_ELO};
pub use model::{
    CONTEXT, FeatureWeights, HumanModel, ROLE_NAMES, SquareWeights, context, opening_share, role_index, softmax,
};
pub use opponent::{Draws, drawn, wins_without_fail};
pub use player::{Player, RATINGS};
pub use practical::{CANDIDATES, LOST, PracticalMove};
pub use scene::Recent;
pub use think::{Moment, THINKING_PARTS, ThinkingTime, counted_seconds, thinking_parts};
pub use values::{DEPTHS, Effort, MoveValues, Valuer};

#[cfg(test)]
mod tests;
