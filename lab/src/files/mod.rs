//! Files of games and positions: compression and viriformat around the engine's [`games`](halfpoint::games), finding files,
//! writing them whole, and showing progress.

pub mod compress;
pub mod dataset;

mod content;
mod error;
mod find;
mod lines;
mod outcome;
mod progress;
mod read;
mod report;
mod write;

pub use compress::{Packing, ending, open, open_with};
pub use content::Content;
pub use error::FileError;
pub use find::find;
pub use lines::LineGames;
pub use outcome::Outcome;
pub use progress::{bar, progress, spinner};
pub use read::{gather_games, read_games, read_lines};
pub use report::ReadReport;
pub use write::{check_own, write};
