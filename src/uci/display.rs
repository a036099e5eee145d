//! The board as text.

use crate::position::Position;
use shakmaty::{File, Rank, Square};
use std::fmt::Write as _;

/// A diagram from White's side with FEN, key and checkers, several lines.
#[must_use]
pub fn diagram(position: &Position) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(text, "  {rank} ");
        for file in File::ALL {
            let piece = position.board().piece_at(Square::from_coords(file, rank));
            let _ = write!(text, " {}", piece.map_or('.', |piece| piece.char()));
        }
        text.push('\n');
    }
    text += "     a b c d e f g h\n\n";
    let checkers: Vec<_> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    let _ = write!(text, "Fen: {}\nKey: {:016X}\nCheckers: {}", position.fen(), position.key(), checkers.join(" "));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagram_shows_the_board_and_the_checkers() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", false).unwrap();
        let text = diagram(&position);
        assert!(text.starts_with("  8  . . . . k . . .\n"), "{text}");
        assert!(text.contains("Fen: 4k3/8/8/8/8/8/4R3/4K3 b - - 0 1\n"));
        assert!(text.ends_with("Checkers: e2"));
    }
}
