//! For tuners only: features and their counts, weights term by term, and the columns of the parameter file.
//!
//! The coefficients of a position are its features with their counts:
//!
//! ```
//! use halfpoint::eval::tuning::{FeatureRecord, features, terms};
//! use halfpoint::position::Position;
//!
//! let mut record = FeatureRecord::default();
//! let phase = features(&Position::default(), &mut record);
//! assert_eq!(phase, 24); // all pieces are on the board
//! let tempo = record.counts.iter().find(|count| count.feature == terms::TEMPO.at(0)).unwrap();
//! assert_eq!((tempo.count, tempo.color), (1.0, Some(shakmaty::Color::White)));
//! ```

pub use super::curves::{draw_curve, wilo_size};
pub use super::evaluator::{evaluate_before_curve, features};
pub use super::sink::{FeatureCount, FeatureRecord, SideSink, Sink, Sum};
pub use super::weights::SHIPPED;
pub use super::word::{Lanes, Word};

/// The list of all terms, and the knots of the curves.
pub mod terms {
    pub use crate::eval::knots::{DRAW_KNOT_STEP, KNOT_UNIT, WILO_KNOTS};
    pub use crate::eval::term_list::*;
}
