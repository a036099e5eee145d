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

pub use super::sink::{FeatureCount, FeatureRecord, SideSink, Sink, Sum};
pub use super::weights::SHIPPED;
pub use super::word::{Lanes, Word};
pub use super::{draw_curve, evaluate_sums, features, wilo_size};

/// The list of all terms.
pub mod terms {
    pub use crate::eval::terms::*;
}
