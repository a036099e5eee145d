//! Words to moves.

use super::signs;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingSide, Chess, File, Move, Position, Rank, Role, Square};

/// Why a word is no move in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoMove {
    /// Not in the form of a move.
    Malformed,
    /// A move that passes.
    Null,
    /// No legal move is written so.
    Illegal,
    /// Several legal moves are.
    Ambiguous,
}

/// A move as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    Castling(CastlingSide),
    Piece(PieceMove),
    Null,
}

/// Any move but castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceMove {
    /// The piece; none if the word does not name one: a pawn, or whatever stands on the square of origin.
    role: Option<Role>,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
    /// `e.p.` is written behind.
    is_en_passant: bool,
}

impl Notation {
    /// Reads standard algebraic notation, its long form `Ng1-f3`, or UCI notation `g1f3`, with signs such as `+!?` or `e.p.`
    /// behind. Zeros may stand for the letters of castling, with hyphens or without; promotions may be `a8=Q`, `a8Q`, `a8(Q)`, `a8/Q`.
    pub fn parse(word: &[u8]) -> Result<Notation, NoMove> {
        let (word, is_en_passant) = signs::without_signs(word, |_| ());
        match word {
            b"O-O" | b"0-0" | b"o-o" | b"OO" | b"00" => return Ok(Notation::Castling(CastlingSide::KingSide)),
            b"O-O-O" | b"0-0-0" | b"o-o-o" | b"OOO" | b"000" => {
                return Ok(Notation::Castling(CastlingSide::QueenSide));
            }
            b"--" | b"Z0" | b"0000" | b"@@@@" | b"null" | b"pass" => return Ok(Notation::Null),
            _ => {}
        }
        let (role, rest) = match word {
            [letter @ (b'K' | b'Q' | b'R' | b'B' | b'N' | b'P'), rest @ ..] => {
                (Role::from_char(char::from(*letter)), rest)
            }
            _ => (None, word),
        };
        let (rest, promotion) = match rest {
            [rest @ .., b'(', letter, b')'] => (rest, Some(*letter)),
            [rest @ .., b'=' | b'/', letter] if letter.is_ascii_alphabetic() => (rest, Some(*letter)),
            [rest @ .., letter] if letter.is_ascii_alphabetic() => (rest, Some(*letter)),
            _ => (rest, None),
        };
        let promotion = match promotion.map(|letter| Role::from_char(char::from(letter))) {
            None => None,
            Some(Some(role @ (Role::Queen | Role::Rook | Role::Bishop | Role::Knight))) => Some(role),
            Some(_) => return Err(NoMove::Malformed),
        };
        let [rest @ .., file, rank] = rest else { return Err(NoMove::Malformed) };
        let to = Square::from_ascii(&[*file, *rank]).map_err(|_| NoMove::Malformed)?;
        let rest = match rest {
            [rest @ .., b'x' | b'-' | b':'] => rest,
            _ => rest,
        };
        let from_file = |byte: u8| File::from_char(char::from(byte)).filter(|_| byte.is_ascii_lowercase());
        let from_rank = |byte: u8| Rank::from_char(char::from(byte));
        let (file, rank) = match *rest {
            [] => (None, None),
            [byte] => (from_file(byte), from_rank(byte)),
            [file, rank] => (from_file(file), from_rank(rank)),
            _ => return Err(NoMove::Malformed),
        };
        let found = usize::from(file.is_some()) + usize::from(rank.is_some());
        if found != rest.len() {
            return Err(NoMove::Malformed);
        }
        Ok(Notation::Piece(PieceMove { role, file, rank, to, promotion, is_en_passant }))
    }

    /// The legal move that is written so.
    pub fn to_move(self, position: &Chess) -> Result<Move, NoMove> {
        match self {
            Notation::Null => Err(NoMove::Null),
            Notation::Castling(side) => position.castling_moves(side).first().copied().ok_or(NoMove::Illegal),
            Notation::Piece(piece) => piece.to_move(position),
        }
    }
}

impl PieceMove {
    fn to_move(self, position: &Chess) -> Result<Move, NoMove> {
        if let (Some(file), Some(rank)) = (self.file, self.rank) {
            return self.starting_at(Square::from_coords(file, rank), position);
        }
        let role = self.role.unwrap_or(Role::Pawn);
        let mut moves = position.san_candidates(role, self.to);
        moves.retain(|m| {
            let fits_origin = m.from().is_some_and(|from| {
                self.file.is_none_or(|file| file == from.file()) && self.rank.is_none_or(|rank| rank == from.rank())
            });
            // A pawn that takes is written with its file.
            let fits_pawn = role != Role::Pawn || self.file.is_some() || !m.is_capture();
            let fits_end = m.promotion() == self.promotion && (!self.is_en_passant || m.is_en_passant());
            fits_origin && fits_pawn && fits_end && !m.is_castle()
        });
        match moves.as_slice() {
            [m] => Ok(*m),
            [] => Err(NoMove::Illegal),
            _ => Err(NoMove::Ambiguous),
        }
    }

    fn starting_at(self, from: Square, position: &Chess) -> Result<Move, NoMove> {
        let uci = UciMove::Normal { from, to: self.to, promotion: self.promotion };
        let m = uci.to_move(position).map_err(|_| NoMove::Illegal)?;
        let fits = self.role.is_none_or(|role| role == m.role()) && (!self.is_en_passant || m.is_en_passant());
        if fits { Ok(m) } else { Err(NoMove::Illegal) }
    }
}

/// The words of a list of moves, such as those of `bm`, between spaces or commas: without numbers, and without signs that stand
/// alone.
pub fn move_words(text: &str) -> impl Iterator<Item = &str> {
    let is_sign = |word: &str| word.chars().all(|c| matches!(c, '+' | '#' | '!' | '?'));
    text.split([' ', ',']).map(without_number).filter(move |word| !is_sign(word))
}

/// A word without the number of the move before it: `4.Qxf7`, `4...Qxf7`.
#[must_use]
pub fn without_number(word: &str) -> &str {
    let behind = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = behind.len() < word.len() && behind.starts_with(['.', '…']);
    if is_number { behind.trim_start_matches(['.', '…']) } else { word }
}

/// The legal move that a word stands for, in any spelling that games have: `Nf3`, `Ng1-f3`, `g1f3`, `c8Q`, `0-0`, `exd6e.p.+!`.
///
/// # Errors
///
/// Why there is none, in words.
pub fn read_move(position: &Chess, word: &str) -> Result<Move, String> {
    let found = Notation::parse(&signs::plain(word.as_bytes())).and_then(|notation| notation.to_move(position));
    found.map_err(|reason| {
        let reason = match reason {
            NoMove::Malformed => "no move",
            NoMove::Null => "a null move",
            NoMove::Illegal => "no legal move",
            NoMove::Ambiguous => "ambiguous",
        };
        format!("'{word}' is {reason}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position;

    fn read(fen: &str, word: &str) -> Result<String, NoMove> {
        let position = position::Position::from_fen(fen, false).unwrap().to_chess();
        let m = Notation::parse(word.as_bytes())?.to_move(&position)?;
        Ok(m.to_uci(shakmaty::CastlingMode::Standard).to_string())
    }

    #[test]
    fn moves_are_read_in_many_spellings() {
        let fen = "r3k2r/P1P5/8/3pP3/8/8/6N1/R3K2R w KQkq d6 0 1";
        for (words, expected) in [
            (
                &["exd6", "exd6e.p.", "exd6ep", "exd6e.p.+", "exd6!ep", "e5d6", "e5xd6", "Pe5xd6", "ed6", "e:d6"][..],
                "e5d6",
            ),
            (&["O-O", "0-0", "o-o", "O-O+!?", "00", "OO", "e1g1", "Ke1-g1"], "e1g1"),
            (&["O-O-O", "0-0-0", "000", "OOO!", "e1c1"], "e1c1"),
            (&["c8=Q", "c8Q", "c8(Q)", "c8/Q", "c8=q", "c8q", "c7c8q", "c8=Q+!?", "c8Q#", "c7-c8=Q"], "c7c8q"),
            (&["c8=N", "c8n", "c7c8n"], "c7c8n"),
            (&["Nf4", "Ng2f4", "Ng2-f4", "g2f4", "N2f4", "Ngf4", "Nxf4", "Nf4=", "Nf4!!"], "g2f4"),
            (&["Rxh8+", "Rh8", "R:h8", "Rh1xh8#"], "h1h8"),
        ] {
            for word in words {
                assert_eq!(read(fen, word), Ok(expected.to_owned()), "{word}");
            }
        }
        for word in ["c8", "d6", "Ng5", "e6ep", "Bg2f4", "g2f5", "cb8=Q+", "c7c8"] {
            assert_eq!(read(fen, word), Err(NoMove::Illegal), "{word}");
        }
        for word in [
            "Sf4", "nf4", "f9", "e", "", "c8=K", "c8=", "Ng22f4", "Nhh1f4", "x", "e4e5e6", "O0", "5254", "N@f3", "N",
            "=Q", "Nfx",
        ] {
            assert_eq!(
                read(fen, word).err(),
                if word == "c8=" { Some(NoMove::Illegal) } else { Some(NoMove::Malformed) },
                "{word}"
            );
        }
        let position = position::Position::from_fen(fen, false).unwrap().to_chess();
        assert!(read_move(&position, "e5×d6").is_ok() && read_move(&position, "0–0").is_ok());
        assert_eq!(read_move(&position, "5254").unwrap_err(), "'5254' is no move");
        assert_eq!(read(fen, "--"), Err(NoMove::Null));
        assert_eq!(read("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "O-O"), Err(NoMove::Illegal));
        assert_eq!(read("4k3/8/8/8/8/8/3K4/R6R w - - 0 1", "Re1"), Err(NoMove::Ambiguous));
    }
}
