//! Whether tables agree with themselves: a position is as good as the best of its moves. A damaged table mostly is not.
//! Positions with promotions are left out, so that only smaller tables are asked, and checked, along with one.

use crate::position::{FIFTY_MOVES, Move, Position};
use shakmaty::{CastlingMode, Chess, Color, FromSetup as _, Piece, Setup, Square};
use shakmaty_syzygy::{Dtz, Wdl};

/// Placements of the pieces that are checked. Few, as a search may wait for them; four times as many find little more damage.
const PLACEMENTS: usize = 4;
/// Placements among which they are looked for; about half are legal, fewer with pawns.
const ATTEMPTS: u32 = 64;
/// Plies by which two distances may differ from each other, as each is stored only to within one.
const ROUNDING: i32 = 1;

/// Whether results of positions with the pieces of `example` are those of their moves, as far as they are known.
pub fn results_agree(example: &Position, wdl: impl Fn(&Position) -> Option<Wdl>) -> bool {
    let sign = |position: &Position| Some(wdl(position)?.signum());
    placements(example).all(|position| {
        let of_move = |&m: &Move| {
            let child = position.play(m);
            result_of_end(&child).or_else(|| sign(&child).map(|sign| -sign))
        };
        let best = position.legal_moves().iter().map(of_move).collect::<Option<Vec<_>>>();
        let best = best.and_then(|signs| signs.into_iter().max());
        sign(&position).zip(best).is_none_or(|(found, best)| found == best)
    })
}

/// The same for distances to the next capture or pawn move.
pub fn distances_agree(example: &Position, dtz: impl Fn(&Position) -> Option<Dtz>) -> bool {
    placements(example).all(|position| {
        let of_move = |&m: &Move| {
            let child = position.play(m);
            result_of_end(&child).or_else(|| {
                let plies = -dtz(&child)?.0;
                Some(if child.halfmoves() == 0 { plies.signum() } else { plies + plies.signum() })
            })
        };
        let moves = position.legal_moves().iter().map(of_move).collect::<Option<Vec<_>>>();
        // The shortest win, or the longest defence.
        let best = moves.and_then(|plies| plies.into_iter().max_by_key(|plies| (plies.signum(), -plies)));
        dtz(&position).zip(best).is_none_or(|(Dtz(found), best)| {
            // Beyond the fifty-move rule distances are counted otherwise.
            found.abs().max(best.abs()) > FIFTY_MOVES as i32
                || found.signum() == best.signum() && (found - best).abs() <= ROUNDING
        })
    })
}

/// The result of a position that ends the game, for the side that has moved.
fn result_of_end(child: &Position) -> Option<i32> {
    if child.has_no_moves() {
        return Some(i32::from(child.is_check()));
    }
    child.is_insufficient_material().then_some(0)
}

/// Legal positions with the pieces of `example`, with moves but no promotions, always the same ones.
fn placements(example: &Position) -> impl Iterator<Item = Position> {
    let pieces: Vec<Piece> =
        example.board().occupied().into_iter().filter_map(|square| example.board().piece_at(square)).collect();
    let legal = (0..ATTEMPTS).filter_map(move |index| {
        let mut setup = Setup::empty();
        setup.turn = Color::from_white(index % 2 == 0);
        for (&piece, place) in pieces.iter().zip(0..) {
            // An odd step leads to no square twice.
            let square = Square::new((7 * index + (2 * index + 5) * place) % 64);
            setup.board.set_piece_at(square, piece);
        }
        Some(Position::from_chess(&Chess::from_setup(setup, CastlingMode::Standard).ok()?))
    });
    let is_useful = |position: &Position| {
        let moves = position.legal_moves();
        !moves.is_empty() && moves.iter().all(|m| m.promotion().is_none())
    };
    legal.filter(is_useful).take(PLACEMENTS)
}
