//! From the scores of a search to those of the games that W/D/L are printed for.
//!
//! The numbers are those of [`Nominal`](super::Nominal) for the engine's own games, of [`Profiles`](super::Profiles) for others.
//!
//! ```
//! use halfpoint::printing::apply;
//! use halfpoint::printing::BoardFacts;
//! use halfpoint::wdl::model::Wdl;
//! use halfpoint::printing::profile::ProfileNumbers;
//! use shakmaty::{Board, Color};
//!
//! let search = Wdl::from_scores(3.0, 0.0); // three pawns up
//! let club = ProfileNumbers { wilo_factor: 0.5, draw_offset: -1.0, ..ProfileNumbers::default() };
//! let printed = apply(&club, search, BoardFacts::of(&Board::default(), Color::White, 0));
//! assert!(printed.draw < search.draw && printed.loss > search.loss);
//! ```

use super::board::BoardFacts;
use super::profile::{Inputs, ProfileNumbers, Target};
use crate::wdl::model::{Wdl, WiloDraw};

/// Probability that win, draw and loss have at least where a profile is applied: half of what per mille can tell, as
/// profiles are fitted to printed per mille.
pub const FLOOR: f64 = 0.0005;

/// The adjusted scores: each number times its feature.
#[must_use]
pub fn adjust(numbers: &ProfileNumbers, inputs: &Inputs) -> WiloDraw {
    let inputs = inputs.ahead(numbers);
    WiloDraw { wilo: inputs.adjusted, draw: inputs.sum(numbers, Target::Draw) }
}

/// Win, draw and loss by a profile.
#[must_use]
pub fn predict(numbers: &ProfileNumbers, inputs: &Inputs, board: BoardFacts) -> Wdl {
    let WiloDraw { wilo, draw } = adjust(numbers, inputs);
    board.with_mate(inputs.mate_side).without_impossible_wins(Wdl::from_scores(wilo, draw))
}

/// What a profile needs of the printed probabilities of a search and of its expected result, which may be known more exactly. A
/// draw of probability 1 is a draw by the rules.
#[must_use]
pub fn printed_inputs(wdl: Wdl, expected: f64, board: BoardFacts) -> Inputs {
    if wdl.draw >= 1.0 { Inputs::rule_draw(board) } else { Inputs::printed(wdl, expected, board) }
}

/// Win, draw and loss by a profile, from those of a search.
#[must_use]
pub fn apply(numbers: &ProfileNumbers, wdl: Wdl, board: BoardFacts) -> Wdl {
    predict(numbers, &printed_inputs(wdl, wdl.expected(), board), board)
}
