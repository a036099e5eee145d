//! Material: what the evaluation knows of a position by its piece counts alone.

use super::endings::Ending;
use super::phase::phase_of;
use super::term_list::MAX_COUNTS;
use crate::position::{Material, PIECE_POINTS};
use shakmaty::Color;

/// Most pieces of one colour in a game, king included.
const MAX_PIECES: u8 = 16;
/// Most pawns of one colour in a game.
const MAX_PAWNS: u8 = 8;

/// Pawns, knights, bishops, rooks and queens of each colour, black first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceCounts {
    counts: [[u8; 5]; 2],
    bishop_pair: [bool; 2],
    oversized: bool,
}

/// What the rest of the evaluation needs to know of the counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct MaterialInfo {
    /// From 0 (only kings and pawns) to [`FULL_PHASE`]; in one byte, since the caches hold it.
    phase: u8,
    /// A colour has more pieces or pawns than a game allows. Then only the material is evaluated, so that the lanes cannot
    /// overflow.
    pub oversized: bool,
    /// The colour with mating material against a king alone.
    pub mating_side: Option<Color>,
    /// Both sides have no piece beside pawns, or one of the same role.
    pub pure_ending: Option<PureEnding>,
    /// An ending with knowledge of its own.
    pub ending: Option<Ending>,
    /// The colour that is ahead in material.
    pub ahead: Option<Color>,
}

impl MaterialInfo {
    /// From 0 (only kings and pawns) to [`FULL_PHASE`].
    #[inline(always)]
    pub fn phase(self) -> i32 {
        i32::from(self.phase)
    }
}

/// A pure ending; the order is that of the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PureEnding {
    /// No pieces.
    Pawn,
    /// A knight each.
    Knight,
    /// A bishop each.
    Bishop,
    /// A rook each.
    Rook,
    /// A queen each.
    Queen,
}

impl PieceCounts {
    /// The counts of a position.
    #[must_use]
    pub fn of(material: Material) -> PieceCounts {
        let counts = [material.counts(Color::Black), material.counts(Color::White)];
        let oversized = |counts: &[u8; 5]| counts.iter().sum::<u8>() >= MAX_PIECES || counts[0] > MAX_PAWNS;
        PieceCounts {
            counts,
            bishop_pair: [material.has_bishop_pair(Color::Black), material.has_bishop_pair(Color::White)],
            oversized: counts.iter().any(oversized),
        }
    }

    /// The counts of a colour, each at most [`MAX_COUNTS`].
    #[must_use]
    pub fn capped(&self, color: Color) -> [i32; 5] {
        let counts = self.counts[color as usize];
        std::array::from_fn(|i| i32::from(counts[i]).min(MAX_COUNTS[i]))
    }

    /// Whether a colour has bishops on squares of both colours.
    #[must_use]
    pub fn has_bishop_pair(&self, color: Color) -> bool {
        self.bishop_pair[color as usize]
    }

    /// Whether a colour has more pieces or pawns than a game allows.
    #[must_use]
    pub fn is_oversized(&self) -> bool {
        self.oversized
    }

    /// Phase and special material.
    #[must_use]
    pub fn info(&self) -> MaterialInfo {
        let bare = |color: Color| self.counts[color as usize] == [0; 5];
        let can_mate = |color: Color| {
            let [_, knights, bishops, rooks, queens] = self.capped(color);
            rooks + queens > 0 || self.has_bishop_pair(color) || (knights > 0 && bishops > 0)
        };
        MaterialInfo {
            phase: phase_of(self.counts) as u8,
            oversized: self.oversized,
            mating_side: Color::ALL.into_iter().find(|&color| bare(!color) && can_mate(color)),
            pure_ending: self.pure_ending(),
            ending: Color::ALL.into_iter().find_map(|color| {
                let [own, theirs] = [color, !color].map(|color| self.counts[color as usize]);
                Ending::of(color, own, theirs, can_mate(color))
            }),
            ahead: self.ahead(),
        }
    }

    /// The colour ahead in material, by [`PIECE_POINTS`].
    fn ahead(&self) -> Option<Color> {
        let points = |color| self.capped(color)[0] * i32::from(PIECE_POINTS[0]) + points(self.capped(color));
        match points(Color::White) - points(Color::Black) {
            0 => None,
            ahead => Some(Color::from_white(ahead > 0)),
        }
    }

    /// The pure ending, if it is one.
    #[must_use]
    pub fn pure_ending(&self) -> Option<PureEnding> {
        let [black, white] = self.counts.map(|[_, pieces @ ..]| pieces);
        match white {
            _ if white != black => None,
            [0, 0, 0, 0] => Some(PureEnding::Pawn),
            [1, 0, 0, 0] => Some(PureEnding::Knight),
            [0, 1, 0, 0] => Some(PureEnding::Bishop),
            [0, 0, 1, 0] => Some(PureEnding::Rook),
            [0, 0, 0, 1] => Some(PureEnding::Queen),
            _ => None,
        }
    }
}

/// The points of a side's pieces without pawns.
#[must_use]
pub fn points([_, pieces @ ..]: [i32; 5]) -> i32 {
    pieces.into_iter().zip(&PIECE_POINTS[1..]).map(|(count, &points)| count * i32::from(points)).sum()
}
