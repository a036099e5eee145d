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

/// The list of all terms, and those that tuners name.
pub mod terms {
    pub use crate::eval::terms::{
        BARE_KING_CORNER, BARE_KING_DISTANCE, BARE_KING_EDGE, BASE, CASTLING_RIGHTS, COLUMNS, COUNT, DRAW_CURVE,
        DRAW_KNOT_STEP, Feature, HALFMOVES, KING_DANGER, KING_FLANK, KING_PAWN_DISTANCE, KING_WEAK_RING, KNOT_UNIT,
        MATERIAL, MATING_FORCE, MINOR_KING_DISTANCE, MINORS_ON_BOARD, MOBILITY_BISHOP, MOBILITY_KNIGHT, MOBILITY_QUEEN,
        MOBILITY_ROOK, OPPOSITE_BISHOPS, OPPOSITE_WINGS, Owner, PASSED, PASSED_BLOCKED, PASSED_ENEMY_KING, PASSED_FILE,
        PASSED_FREE_PATH, PASSED_OWN_KING, PASSED_SAFE_PATH, PASSED_SUPPORTED, PASSED_UNSAFE_STEP, PAWN_CANDIDATE,
        PAWN_PHALANX, PAWN_SUPPORTED, PAWNLESS_AHEAD, PAWNS_ON_BOARD, PST_BISHOP, PST_KING, PST_KNIGHT, PST_PAWN,
        PST_QUEEN, PST_ROOK, PURE_ENDING, QUEENS_ON_BOARD, RAMMED, ROOKS_ON_BOARD, SHELTER, SPACE, STORM,
        STORM_BLOCKED, STRUCTURE, TEMPO, TERMS, Term, WILO_KNOTS, WILO_SIZE,
    };
}
