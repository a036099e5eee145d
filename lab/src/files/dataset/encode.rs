//! A game to bytes, by the `viriformat` crate.

use super::{Ending, Game};
use halfpoint::position::{Move, Position, Tag};
use shakmaty::{CastlingSide, Color, KnownOutcome, Role};
use thiserror::Error;
use viriformat::chess::board::Board;
use viriformat::chess::chessmove::{Move as ViriMove, MoveFlags};
use viriformat::chess::piece::{Colour, Piece, PieceType};
use viriformat::chess::types::Square;
use viriformat::dataformat;

/// What the format has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unstorable {
    /// The start position's halfmove clock, 255 at most.
    #[error("a game cannot be stored with halfmove clock {0} in its start position, more than 255")]
    Halfmoves(u32),
    /// A null move.
    #[error("a null move cannot be stored")]
    NullMove,
}

/// Appends a game's bytes. Move numbers beyond 65,535 are stored as that.
///
/// # Errors
///
/// [`Unstorable`] for what has no place in the format.
pub fn encode(game: &Game, out: &mut Vec<u8>) -> Result<(), Unstorable> {
    let result = match game.outcome {
        KnownOutcome::Decisive { winner: Color::Black } => 0,
        KnownOutcome::Draw => 1,
        KnownOutcome::Decisive { winner: Color::White } => 2,
    };
    let mut viri = dataformat::Game {
        initial_position: board(&game.start)?.to_marlinformat(0, result, ending_byte(game.ending)),
        moves: Vec::with_capacity(game.plies.len()),
    };
    for ply in &game.plies {
        viri.add_move(viri_move(ply.m)?, ply.eval.centipawns());
    }
    viri.serialise_into(out).expect("memory takes every byte");
    Ok(())
}

/// The byte that the format leaves unused. Other programs write 0 and do not read it.
fn ending_byte(ending: Ending) -> u8 {
    match ending {
        Ending::Unknown => 0,
        Ending::Rules => 1,
        Ending::Resigned => 2,
        Ending::PlayedOn { right: true } => 3,
        Ending::PlayedOn { right: false } => 4,
        Ending::Tables => 5,
    }
}

/// The inverse of [`ending_byte`].
pub fn ending(byte: u8) -> Ending {
    match byte {
        1 => Ending::Rules,
        2 => Ending::Resigned,
        3 => Ending::PlayedOn { right: true },
        4 => Ending::PlayedOn { right: false },
        5 => Ending::Tables,
        _ => Ending::Unknown,
    }
}

/// The position as the crate has it, man by man: its FEN reader takes the castling right `K` for the rook on h1 even if
/// another one is meant.
fn board(position: &Position) -> Result<Board, Unstorable> {
    let mut board = Board::new();
    for (at, piece) in shakmaty::Board::from(position.board()) {
        let kind = match piece.role {
            Role::Pawn => PieceType::Pawn,
            Role::Knight => PieceType::Knight,
            Role::Bishop => PieceType::Bishop,
            Role::Rook => PieceType::Rook,
            Role::Queen => PieceType::Queen,
            Role::King => PieceType::King,
        };
        board.add_piece(square(at), Piece::new(colour(piece.color), kind));
    }
    for color in Color::ALL {
        let rights = board.castling_rights_mut();
        *rights.kingside_mut(colour(color)) = position.castling_rook(color, CastlingSide::KingSide).map(square);
        *rights.queenside_mut(colour(color)) = position.castling_rook(color, CastlingSide::QueenSide).map(square);
    }
    *board.ep_sq_mut() = position.en_passant().map(square);
    *board.turn_mut() = colour(position.turn());
    let halfmoves = position.halfmoves();
    *board.halfmove_clock_mut() = u8::try_from(halfmoves).map_err(|_| Unstorable::Halfmoves(halfmoves))?;
    board.set_fullmove_clock(u16::try_from(position.fullmoves()).unwrap_or(u16::MAX));
    Ok(board)
}

fn colour(color: Color) -> Colour {
    Colour::new(color == Color::Black)
}

fn square(square: shakmaty::Square) -> Square {
    Square::new_clamped(square as u8)
}

fn viri_move(m: Move) -> Result<ViriMove, Unstorable> {
    let (from, to) = (square(m.from()), square(m.to()));
    if from == to {
        return Err(Unstorable::NullMove);
    }
    Ok(match m.tag() {
        Some(Tag::Castle) => ViriMove::new_with_flags(from, to, MoveFlags::Castle),
        Some(Tag::EnPassant) => ViriMove::new_with_flags(from, to, MoveFlags::EnPassant),
        Some(Tag::Promotion(role)) => {
            let kind = match role {
                Role::Knight => PieceType::Knight,
                Role::Bishop => PieceType::Bishop,
                Role::Rook => PieceType::Rook,
                _ => PieceType::Queen,
            };
            ViriMove::new_with_promo(from, to, kind)
        }
        Some(Tag::Normal) | None => ViriMove::new(from, to),
    })
}
