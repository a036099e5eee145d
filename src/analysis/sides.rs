//! Who moves, and numbers in White's view.

use crate::wdl::model::Wdl;
use shakmaty::Color;

/// The side that makes the move with this index, from 0, in a game that `first` begins.
pub fn mover(first: Color, index: usize) -> Color {
    if index.is_multiple_of(2) { first } else { !first }
}

/// Win, draw and loss of White, from those of `turn`.
pub fn white_wdl(wdl: Wdl, turn: Color) -> Wdl {
    turn.fold_wb(wdl, Wdl { win: wdl.loss, draw: wdl.draw, loss: wdl.win })
}

/// The name of a colour in the report.
pub fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}
