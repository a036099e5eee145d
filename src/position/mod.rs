//! The board and its rules, in a form that a search can copy and change quickly.
//!
//! The crate `shakmaty` provides bitboards, attack tables and Zobrist values, checks positions, and reads and writes FENs
//! and moves. Move generation and make move are written here; tests compare them with shakmaty, move by move.
//!
//! ```
//! use halfpoint::position::Position;
//!
//! let start = Position::default();
//! let m = start.parse_move("e2e4").unwrap();
//! let after = start.play(m);
//! assert_eq!(after.key(), Position::from_fen(&after.fen(), false).unwrap().key());
//! assert_eq!(start.perft(3), 8902);
//! ```

mod attacks;
mod board;
mod checks;
mod chess_move;
mod fen;
pub(crate) mod fifty_moves;
mod game;
mod key;
mod make_move;
mod material;
mod movegen;
mod notation;
mod reversible;
mod see;
mod state;
mod threats;

pub(crate) use attacks::{bishop_lines, rook_lines};
pub use board::Board;
pub(crate) use checks::CheckSquares;
pub use chess_move::{Move, Tag};
pub use fen::InvalidFen;
pub use fifty_moves::FIFTY_MOVES;
pub use game::GameHistory;
pub(crate) use key::white_turn;
pub use material::{Material, PIECE_POINTS};
pub use movegen::MoveList;
pub use notation::InvalidMove;
pub(crate) use reversible::reversible_move;
pub(crate) use see::SEE_VALUE;
pub use state::Position;
pub(crate) use threats::Threats;

#[cfg(test)]
mod tests;
