//! A game to bytes and back. All that is read is checked.
//!
//! | bytes | hold |
//! |---|---|
//! | 0–7 | occupied squares, a bit for each |
//! | 8–23 | half a byte for each piece: role 0 to 5, 6 a rook that may castle; 8 more for Black |
//! | 24 | en passant square, 64 for none; 128 more if Black is to move |
//! | 25 | halfmove clock |
//! | 26–27 | move number |
//! | 28–29 | unused |
//! | 30 | result: 0 Black won, 1 drawn, 2 White won |
//! | 31 | how the game ended; 0 from other programs, which do not read it |
//! | 4 for each move | from, to and promotion in 6, 6 and 2 bits, two bits of kind; then the score |
//! | 4 | zeros |

use super::{Ending, Eval, Game, Ply};
use anyhow::{Result as Encoded, bail};
use halfpoint::games::MAX_PLIES;
use halfpoint::position::{Move, Position, Tag};
use shakmaty::fen::Fen;
use shakmaty::{Bitboard, Color, KnownOutcome, Piece, Role, Setup, Square};
use std::io::{self, BufRead, ErrorKind};
use std::num::NonZeroU32;

/// Bytes of the start position and the result.
pub const HEADER: usize = 32;
/// Bytes of a move and its score.
const PLY: usize = 4;
/// Piece code of a rook that may castle.
const UNMOVED_ROOK: u8 = 6;
/// Stands for no en passant square.
const NO_EN_PASSANT: u8 = 64;
/// Added to the code of a black piece.
const BLACK_PIECE: u8 = 8;
/// Added where Black is to move.
const BLACK_TURN: u8 = 0x80;
/// The two bits of a move's kind.
const EN_PASSANT: u16 = 0x4000;
const CASTLE: u16 = 0x8000;
const PROMOTION: u16 = 0xc000;
/// Pieces by their code, and what pawns promote to by theirs.
const ROLES: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
/// Results by their byte.
pub const OUTCOMES: [KnownOutcome; 3] = [
    KnownOutcome::Decisive { winner: Color::Black },
    KnownOutcome::Draw,
    KnownOutcome::Decisive { winner: Color::White },
];
/// How games end, by their byte.
pub const ENDINGS: [Ending; 6] = [
    Ending::Unknown,
    Ending::Rules,
    Ending::Resigned,
    Ending::PlayedOn { right: true },
    Ending::PlayedOn { right: false },
    Ending::Tables,
];

/// The place of a value in one of the tables above, which have them all.
fn code_of<T: PartialEq>(table: &[T], value: &T) -> u8 {
    table.iter().position(|known| known == value).unwrap_or_default() as u8
}

/// Appends a game's bytes. Move numbers beyond 65,535 are stored as that. A halfmove clock beyond 255 in the start position
/// and null moves have no place in the format.
pub fn encode(game: &Game, out: &mut Vec<u8>) -> Encoded<()> {
    let mut header = [0; HEADER];
    let start = &game.start;
    let occupied = start.board().occupied();
    header[..8].copy_from_slice(&occupied.0.to_le_bytes());
    for (index, square) in occupied.into_iter().enumerate() {
        let Some(piece) = start.board().piece_at(square) else { continue };
        let is_unmoved = start.castling_rights().contains(square);
        let role = if is_unmoved { UNMOVED_ROOK } else { code_of(&ROLES, &piece.role) };
        let code = role + piece.color.fold_wb(0, BLACK_PIECE);
        header[8 + index / 2] |= code << (4 * (index % 2));
    }
    header[24] = start.en_passant().map_or(NO_EN_PASSANT, u8::from) | start.turn().fold_wb(0, BLACK_TURN);
    let Ok(halfmoves) = u8::try_from(start.halfmoves()) else {
        bail!("a game cannot be stored with halfmove clock {} in its start position, more than 255", start.halfmoves());
    };
    header[25] = halfmoves;
    header[26..28].copy_from_slice(&u16::try_from(start.fullmoves()).unwrap_or(u16::MAX).to_le_bytes());
    header[30] = code_of(&OUTCOMES, &game.outcome);
    header[31] = code_of(&ENDINGS, &game.ending);
    out.extend(header);
    for ply in &game.plies {
        let Some(tag) = ply.m.tag().filter(|_| ply.m.from() != ply.m.to()) else {
            bail!("a null move cannot be stored");
        };
        let kind = match tag {
            Tag::Normal => 0,
            Tag::EnPassant => EN_PASSANT,
            Tag::Castle => CASTLE,
            Tag::Promotion(role) => PROMOTION | u16::from(code_of(&PROMOTIONS, &role)) << 12,
        };
        let squares = u16::from(u8::from(ply.m.from())) | u16::from(u8::from(ply.m.to())) << 6;
        out.extend((kind | squares).to_le_bytes());
        out.extend(ply.eval.centipawns().to_le_bytes());
    }
    out.extend([0; PLY]);
    Ok(())
}

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

/// Whether bytes begin with a legal start position and a result.
pub fn is_header(bytes: &[u8]) -> bool {
    bytes
        .first_chunk::<HEADER>()
        .is_some_and(|header| usize::from(header[30]) < OUTCOMES.len() && start(header).is_ok())
}

/// Reads a game, and leaves its bytes in `raw`.
pub fn decode(input: &mut dyn BufRead, raw: &mut Vec<u8>) -> Result<Game, Failure> {
    raw.clear();
    let mut header = [0; HEADER];
    fill(input, &mut header, true)?;
    raw.extend(header);
    let start = start(&header)?;
    let Some(&outcome) = OUTCOMES.get(usize::from(header[30])) else {
        return corrupt(30, format!("result {}, not 0, 1 or 2", header[30]));
    };
    let ending = ENDINGS.get(usize::from(header[31])).copied().unwrap_or_default();
    let mut game = Game { start, plies: Vec::new(), outcome, ending };
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
        let m = decode_move(code);
        if m.from() == m.to() || !position.is_pseudo_legal(m) || !position.is_legal(m) {
            let number = if code == 0 { String::new() } else { format!(" ({code:#06x})") };
            let reason = format!("illegal move {}{}{number} in '{}'", m.from(), m.to(), position.fen());
            return corrupt((raw.len() - PLY) as u64, reason);
        }
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
            UNMOVED_ROOK => Role::Rook,
            7 => return corrupt(8 + index as u64 / 2, format!("piece code {code} on {square}")),
            role => ROLES[usize::from(role)],
        };
        if code & 7 == UNMOVED_ROOK {
            setup.castling_rights.add(square);
        }
        setup.board.set_piece_at(square, Piece { color: Color::from_white(code & BLACK_PIECE == 0), role });
    }
    setup.turn = Color::from_white(header[24] & BLACK_TURN == 0);
    let en_passant = header[24] & !BLACK_TURN;
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

/// The move of any bits.
fn decode_move(code: u16) -> Move {
    let square = |bits: u16| Square::new(u32::from(bits & 63));
    let tag = match code & PROMOTION {
        0 => Tag::Normal,
        EN_PASSANT => Tag::EnPassant,
        CASTLE => Tag::Castle,
        _ => Tag::Promotion(PROMOTIONS[usize::from(code >> 12 & 3)]),
    };
    Move::new(square(code), square(code >> 6), tag)
}
