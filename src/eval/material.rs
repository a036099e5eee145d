//! Material: the features of the piece counts. Cached, since the counts seldom change.

use super::endings::Ending;
use super::sink::Sink;
use super::terms::{
    BASE, BISHOP_PAIR, FULL_PHASE, IMBALANCE_OWN, IMBALANCE_THEIRS, MATERIAL, MAX_COUNTS, MINORS_ON_BOARD, PAWNLESS,
    PAWNLESS_AHEAD, PAWNS_ON_BOARD, PURE_ENDING, QUEENS_ON_BOARD, ROOKS_ON_BOARD,
};
use crate::position::Material;
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
    /// The colour with mating material against a bare king.
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

    fn side(&self, color: Color) -> [i32; 5] {
        let counts = self.counts[color as usize];
        std::array::from_fn(|i| i32::from(counts[i]).min(MAX_COUNTS[i]))
    }

    /// Phase and special material.
    #[must_use]
    pub fn info(&self) -> MaterialInfo {
        let both = |role: usize| i32::from(self.counts[0][role]) + i32::from(self.counts[1][role]);
        let phase = (both(1) + both(2) + 2 * both(3) + 4 * both(4)).min(FULL_PHASE);
        let bare = |color: Color| self.counts[color as usize] == [0; 5];
        let can_mate = |color: Color| {
            let [_, knights, bishops, rooks, queens] = self.side(color);
            rooks + queens > 0 || self.bishop_pair[color as usize] || (knights > 0 && bishops > 0)
        };
        MaterialInfo {
            phase: phase as u8,
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

    /// The colour ahead in material, by the usual values.
    fn ahead(&self) -> Option<Color> {
        let points = |color| points(self.side(color)) + self.side(color)[0];
        match points(Color::White) - points(Color::Black) {
            0 => None,
            ahead => Some(Color::from_white(ahead > 0)),
        }
    }

    fn pure_ending(&self) -> Option<PureEnding> {
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

    /// Emits every feature of the counts.
    pub fn features<S: Sink>(&self, sink: &mut S) {
        sink.add_shared(BASE.at(0));
        for color in Color::ALL {
            let own = self.side(color);
            for (role, &count) in own.iter().enumerate() {
                sink.add(color, MATERIAL.at(role), count);
            }
            if self.oversized {
                continue;
            }
            if self.bishop_pair[color as usize] {
                sink.add(color, BISHOP_PAIR.at(0), 1);
            }
            if own[0] == 0 {
                sink.add(color, PAWNLESS.at(0), 1);
            }
            imbalance(sink, color, own, self.side(!color));
        }
        if !self.oversized {
            self.signature(sink);
        }
    }

    fn signature<S: Sink>(&self, sink: &mut S) {
        let (white, black) = (self.side(Color::White), self.side(Color::Black));
        let both: [usize; 5] = std::array::from_fn(|i| (white[i] + black[i]) as usize);
        sink.add_shared(PAWNS_ON_BOARD.at(both[0].min(16)));
        sink.add_shared(MINORS_ON_BOARD.at((both[1] + both[2]).min(8)));
        sink.add_shared(ROOKS_ON_BOARD.at(both[3].min(4)));
        sink.add_shared(QUEENS_ON_BOARD.at(both[4].min(2)));

        let ahead = points(white) - points(black);
        let (stronger, weaker) = if ahead >= 0 { (white, black) } else { (black, white) };
        if stronger[0] == 0 && (ahead != 0 || weaker[0] == 0) {
            let helpless = cannot_mate(stronger) && (ahead != 0 || cannot_mate(weaker));
            let step = match ahead.abs() {
                _ if helpless && weaker[0] <= 1 => Some(4),
                _ if helpless => None,
                0 => Some(0),
                1..=2 => Some(1),
                3..=4 => Some(2),
                _ => Some(3),
            };
            if let Some(step) = step {
                sink.add_shared(PAWNLESS_AHEAD.at(step));
            }
        }
        if let Some(pure) = self.pure_ending() {
            let majority = (white[0] - black[0]).unsigned_abs().min(2) as usize;
            sink.add_shared(PURE_ENDING.at(3 * pure as usize + majority));
        }
    }
}

/// The usual value of a side's pieces without pawns.
fn points([_, knights, bishops, rooks, queens]: [i32; 5]) -> i32 {
    3 * (knights + bishops) + 5 * rooks + 9 * queens
}

/// Whether a side without pawns lacks mating material: it has at most a minor piece, or two knights.
fn cannot_mate([_, knights, bishops, rooks, queens]: [i32; 5]) -> bool {
    rooks + queens == 0 && (knights + bishops <= 1 || (bishops == 0 && knights == 2))
}

/// Emits the products of counts, of own pieces and of own and enemy pieces.
fn imbalance<S: Sink>(sink: &mut S, color: Color, own: [i32; 5], theirs: [i32; 5]) {
    let mut own_index = 0;
    let mut their_index = 0;
    for i in 0..5 {
        for j in 0..=i {
            let pairs = if i == j { own[i] * (own[i] - 1) / 2 } else { own[i] * own[j] };
            sink.add(color, IMBALANCE_OWN.at(own_index), pairs);
            own_index += 1;
            if j < i {
                sink.add(color, IMBALANCE_THEIRS.at(their_index), own[i] * theirs[j]);
                their_index += 1;
            }
        }
    }
}
