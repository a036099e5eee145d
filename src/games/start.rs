//! Where games begin: variants and first positions.

use super::tags::Tags;
use crate::position::Position;
use shakmaty::{CastlingMode, Chess, Position as _};

/// What is played, by the tag `Variant`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variant {
    /// The tag does not say.
    Unsaid,
    Chess,
    Chess960,
    Other,
}

impl Variant {
    pub fn from_tag(text: &str) -> Variant {
        let letters: String = text.chars().filter(|letter| letter.is_alphanumeric()).collect();
        match letters.to_ascii_lowercase().as_str() {
            "" => Variant::Unsaid,
            "chess" | "standard" | "normal" | "regular" | "orthodox" | "classical" | "classic" | "rapid" | "blitz"
            | "bullet" | "lightning" | "fromposition" | "standardchess" | "normalchess" | "classicalchess"
            | "orthodoxchess" => Variant::Chess,
            "chess960"
            | "960"
            | "fischerandom"
            | "fischerrandom"
            | "fischerandomchess"
            | "fischerrandomchess"
            | "doublefischerrandom"
            | "doublefischerandom"
            | "frc"
            | "dfrc"
            | "wildfr"
            | "freestyle"
            | "freestylechess" => Variant::Chess960,
            _ => Variant::Other,
        }
    }
}

/// Whether a value of the tag `Variant` says that the game is of Chess960.
#[must_use]
pub fn names_chess960(value: &str) -> bool {
    Variant::from_tag(value) == Variant::Chess960
}

/// The FEN of a game's tags; none if it begins as chess begins.
///
/// # Errors
///
/// That the first position is not known though it is another one.
pub(super) fn fen_of(tags: &Tags, variant: Variant) -> Result<Option<&str>, String> {
    match tags.get("FEN").unwrap_or_default() {
        "?" => Err("the first position is not known: FEN '?'".to_owned()),
        "" | "-" if variant == Variant::Chess960 => Err("Chess960 without the FEN of its first position".to_owned()),
        "" | "-" if tags.get("SetUp") == Some("1") => Err("a set-up position without its FEN".to_owned()),
        "" | "-" => Ok(None),
        fen => Ok(Some(fen)),
    }
}

/// Which castling rights positions may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingRights {
    /// Those of chess.
    Chess,
    /// Those of Chess960.
    Chess960,
    /// Those of chess, or else of Chess960.
    Either,
}

/// The position of a FEN, and what was mended in it: castling rights without king and rook in place and an impossible en passant
/// square are left out.
///
/// # Errors
///
/// What is wrong with it, in words.
pub fn set_up(fen: &str, castling: CastlingRights) -> Result<(Chess, Vec<&'static str>), String> {
    let mended = |chess960| {
        let (position, mends) = Position::from_fen_mended(fen, chess960).map_err(|error| error.to_string())?;
        Ok((position.to_chess(), mends))
    };
    let strict = match castling {
        CastlingRights::Chess960 => return mended(true),
        CastlingRights::Chess | CastlingRights::Either => Position::from_fen(fen, false),
    };
    match strict {
        Ok(position) => Ok((position.to_chess(), Vec::new())),
        Err(_) if castling == CastlingRights::Either && Position::from_fen(fen, true).is_ok() => mended(true),
        Err(error) if is_chess960(fen) => Err(format!("{error}; Chess960 needs its tag or option")),
        Err(_) => mended(false),
    }
}

/// The position of a FEN in a game that is certainly chess, and what was mended in it.
///
/// # Errors
///
/// As those of [`set_up`].
pub(super) fn set_up_chess(fen: &str) -> Result<(Chess, Vec<&'static str>), String> {
    let (position, mends) = Position::from_fen_mended(fen, false).map_err(|error| error.to_string())?;
    Ok((position.to_chess(), mends))
}

/// Whether castling rights that chess does not have are those of Chess960, not left over: they name files, or all four are
/// there and the rooks of both sides stand on the same files.
fn is_chess960(fen: &str) -> bool {
    let Ok(position) = Position::from_fen(fen, true) else { return false };
    let rights = fen.split_whitespace().nth(2).unwrap_or_default();
    let chess = position.to_chess();
    debug_assert_eq!(chess.castles().mode(), CastlingMode::Chess960);
    let rooks = chess.castles().castling_rights();
    rights.contains(|right: char| !"KQkq-".contains(right)) || rooks.count() == 4 && rooks == rooks.flip_vertical()
}
