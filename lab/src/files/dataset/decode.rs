//! Bytes to a game. The crate's own reader takes bytes on trust and panics on broken ones; this one checks all it reads.

use super::encode::ending;
use super::{Eval, Game, Ply};
use halfpoint::games::MAX_PLIES;
use halfpoint::position::{Move, Position, Tag};
use shakmaty::fen::Fen;
use shakmaty::{Bitboard, Color, KnownOutcome, Piece, Role, Setup, Square};
use std::io::{self, BufRead, ErrorKind};
use std::num::NonZeroU32;
use viriformat::chess::chessmove::Move as ViriMove;
use viriformat::chess::piece::PieceType;

/// Bytes of the start position and the result.
const HEADER: usize = 32;
/// Bytes of a move and its score.
const PLY: usize = 4;
/// Piece code of a rook that may castle.
const UNMOVED_ROOK: u8 = 6;
/// Stands for no en passant square.
const NO_EN_PASSANT: u8 = 64;

/// Why there is no game.
pub enum Failure {
    /// The input ends here.
    End,
    /// The input ends within the game.
    Truncated,
    /// The bytes make no game.
    Corrupt {
        /// Bytes of the game before the wrong ones.
        at: u64,
        /// What is wrong.
        reason: String,
    },
    /// The input cannot be read.
    Io(io::Error),
}

/// Reads a game, and leaves its bytes in `raw`.
pub fn game(input: &mut dyn BufRead, raw: &mut Vec<u8>) -> Result<Game, Failure> {
    raw.clear();
    let mut header = [0; HEADER];
    fill(input, &mut header, true)?;
    raw.extend(header);
    let start = start(&header)?;
    let outcome = match header[30] {
        0 => KnownOutcome::Decisive { winner: Color::Black },
        1 => KnownOutcome::Draw,
        2 => KnownOutcome::Decisive { winner: Color::White },
        other => return corrupt(30, format!("result {other}, not 0, 1 or 2")),
    };
    let mut game = Game { start, plies: Vec::new(), outcome, ending: ending(header[31]) };
    let mut position = game.start;
    loop {
        let mut bytes = [0; PLY];
        fill(input, &mut bytes, false)?;
        raw.extend(bytes);
        if bytes == [0; PLY] {
            return Ok(game);
        }
        if game.plies.len() == MAX_PLIES {
            return corrupt((raw.len() - PLY) as u64, format!("more than {MAX_PLIES} moves in a game"));
        }
        let code = u16::from_le_bytes([bytes[0], bytes[1]]);
        let Some(m) = ViriMove::from_raw(code).map(own_move).filter(|&m| is_legal(&position, m)) else {
            let at = raw.len() - PLY;
            return corrupt(at as u64, format!("illegal move {} in '{}'", spelled(code), position.fen()));
        };
        game.plies.push(Ply { m, eval: Eval(i16::from_le_bytes([bytes[2], bytes[3]])) });
        position = position.play(m);
    }
}

fn corrupt<T>(at: u64, reason: String) -> Result<T, Failure> {
    Err(Failure::Corrupt { at, reason })
}

/// Fills the whole of `bytes`; nothing at all is the end of the input if it `may_end`.
fn fill(input: &mut dyn BufRead, bytes: &mut [u8], may_end: bool) -> Result<(), Failure> {
    let mut filled = 0;
    while filled < bytes.len() {
        match input.read(&mut bytes[filled..]) {
            Ok(0) if filled == 0 && may_end => return Err(Failure::End),
            Ok(0) => return Err(Failure::Truncated),
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // A compressed file that was cut off.
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Err(Failure::Truncated),
            Err(error) => return Err(Failure::Io(error)),
        }
    }
    Ok(())
}

/// The start position.
fn start(header: &[u8; HEADER]) -> Result<Position, Failure> {
    let mut occupied = [0; 8];
    occupied.copy_from_slice(&header[..8]);
    let occupied = Bitboard(u64::from_le_bytes(occupied));
    if occupied.count() > 32 {
        return corrupt(0, format!("{} pieces on the board, more than 32", occupied.count()));
    }
    let mut setup = Setup::empty();
    for (index, square) in occupied.into_iter().enumerate() {
        let code = header[8 + index / 2] >> (4 * (index % 2)) & 15;
        let role = match code & 7 {
            0 => Role::Pawn,
            1 => Role::Knight,
            2 => Role::Bishop,
            3 | UNMOVED_ROOK => Role::Rook,
            4 => Role::Queen,
            5 => Role::King,
            _ => return corrupt(8 + index as u64 / 2, format!("piece code {code} on {square}")),
        };
        if code & 7 == UNMOVED_ROOK {
            setup.castling_rights.add(square);
        }
        setup.board.set_piece_at(square, Piece { color: Color::from_white(code & 8 == 0), role });
    }
    setup.turn = Color::from_white(header[24] & 0x80 == 0);
    let en_passant = header[24] & 0x7f;
    if en_passant != NO_EN_PASSANT {
        let Ok(square) = Square::try_from(en_passant) else {
            return corrupt(24, format!("en passant square {en_passant}, not 0 to 64"));
        };
        setup.ep_square = Some(square);
    }
    setup.halfmoves = u32::from(header[25]);
    // A number left at zero is none.
    let fullmoves = u32::from(u16::from_le_bytes([header[26], header[27]]));
    setup.fullmoves = NonZeroU32::new(fullmoves).unwrap_or(NonZeroU32::MIN);
    let fen = Fen::try_from(setup).or_else(|_| corrupt(8, "impossible castling rights".to_owned()))?;
    Position::from_fen(&fen.to_string(), true).or_else(|error| corrupt(0, error.to_string()))
}

/// The move as the engine has it. Its bits may mean anything.
fn own_move(m: ViriMove) -> Move {
    let square = |square: viriformat::chess::types::Square| Square::new(u32::from(square.inner()));
    let tag = if m.is_castle() {
        Tag::Castle
    } else if m.is_ep() {
        Tag::EnPassant
    } else {
        match m.promotion_type() {
            Some(PieceType::Knight) => Tag::Promotion(Role::Knight),
            Some(PieceType::Bishop) => Tag::Promotion(Role::Bishop),
            Some(PieceType::Rook) => Tag::Promotion(Role::Rook),
            Some(_) => Tag::Promotion(Role::Queen),
            None => Tag::Normal,
        }
    };
    Move::new(square(m.from()), square(m.to()), tag)
}

fn is_legal(position: &Position, m: Move) -> bool {
    position.is_pseudo_legal(m) && position.is_legal(m)
}

fn spelled(code: u16) -> String {
    let squares = |m: ViriMove| format!("{}{} ({code:#06x})", own_move(m).from(), own_move(m).to());
    ViriMove::from_raw(code).map_or_else(|| "a1a1".to_owned(), squares)
}
