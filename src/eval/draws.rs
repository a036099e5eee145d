//! Features of drawish positions, and of mating a bare king.

use super::bits::{self, FLANK};
use super::material::PureEnding;
use super::pieces::EvalContext;
use super::sink::Sink;
use super::terms::{
    BARE_KING_CORNER, BARE_KING_DISTANCE, BARE_KING_EDGE, CASTLING_RIGHTS, MATING_FORCE, OPPOSITE_BISHOPS,
    PURE_ENDING_FLANK, ROOK_ENDING_ONE_FLANK, WRONG_BISHOP,
};
use shakmaty::{Bitboard, Color, File, Rank, Role, Square};

/// Emits every feature of drawish positions beyond piece counts and pawns.
#[inline]
pub fn features<S: Sink>(context: &EvalContext, sink: &mut S) {
    let position = context.position;
    let board = position.board();
    let rights = position.castling_rights().count();
    sink.add_shared(CASTLING_RIGHTS.at(rights.min(4)));

    let bishops = board.bishops();
    if let (Some(white), Some(black)) =
        ((bishops & board.white()).single_square(), (bishops & board.black()).single_square())
        && white.is_light() != black.is_light()
    {
        let other_pieces = if board.queens().any() {
            3
        } else if board.rooks().any() {
            2
        } else {
            usize::from(board.knights().any())
        };
        sink.add_shared(OPPOSITE_BISHOPS.at(other_pieces));
    }
    if context.material.pure_ending == Some(PureEnding::Rook) && context.pawns.one_flank && board.pawns().any() {
        sink.add_shared(ROOK_ENDING_ONE_FLANK.at(board.pawns().count().min(3) - 1));
    }
    if let Some(pure) = context.material.pure_ending
        && board.pawns().any()
    {
        for us in Color::ALL {
            if (board.pawns() & FLANK[context.king(us).file() as usize]).is_empty() {
                sink.add(us, PURE_ENDING_FLANK.at(pure as usize), 1);
            }
        }
    }
    for us in Color::ALL {
        if is_wrong_bishop(context, us) {
            sink.add(us, WRONG_BISHOP.at(0), 1);
        }
    }
    if let Some(us) = context.material.mating_side {
        sink.add_shared(MATING_FORCE.at(0));
        bare_king(context, sink, us);
    }
}

/// Whether `us` has only rook pawns of one file and bishops that do not control the promotion square, against a bare king
/// beside that square.
fn is_wrong_bishop(context: &EvalContext, us: Color) -> bool {
    let position = context.position;
    let board = position.board();
    let pawns = position.pieces(us, Role::Pawn);
    let pieces = board.by_color(us) & !board.pawns() & !board.kings();
    let bare = board.by_color(!us).is_subset(board.kings());
    if pawns.is_empty() || !bare || !pieces.is_subset(board.bishops()) {
        return false;
    }
    [File::A, File::H].into_iter().any(|file| {
        let corner = Square::from_coords(file, us.relative_rank(Rank::Eighth));
        let colour = if corner.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
        pawns.is_subset(Bitboard::from_file(file))
            && (pieces & colour).is_empty()
            && bits::distance(position.king(!us), corner) <= 1
    })
}

/// Emits the features that drive a bare king towards mate.
fn bare_king<S: Sink>(context: &EvalContext, sink: &mut S, us: Color) {
    let position = context.position;
    let (king, bare_king) = (position.king(us), position.king(!us));
    let to_edge = |index: usize| index.min(7 - index);
    let edge = to_edge(bare_king.file() as usize).min(to_edge(bare_king.rank() as usize));
    sink.add(us, BARE_KING_EDGE.at(edge), 1);
    sink.add(us, BARE_KING_DISTANCE.at(bits::distance(king, bare_king)), 1);
    let board = position.board();
    let pieces = board.by_color(us) & !board.kings();
    if let Some(bishop) = (pieces & board.bishops()).single_square()
        && (pieces & board.rooks_and_queens()).is_empty()
    {
        let corners = if bishop.is_light() { [Square::A8, Square::H1] } else { [Square::A1, Square::H8] };
        let steps = |corner: Square| bits::file_rank_distance(bare_king, corner);
        let distance = corners.into_iter().map(steps).min().unwrap_or(0);
        sink.add(us, BARE_KING_CORNER.at(distance.min(7)), 1);
    }
}
