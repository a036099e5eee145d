//! What the numbers of men alone say. Cached, as they seldom change.

use super::sink::Sink;
use super::terms::{
    BASE, BISHOP_PAIR, IMBALANCE_OWN, IMBALANCE_THEIRS, MATERIAL, MINORS_ON_BOARD, PAWNLESS, PAWNLESS_AHEAD,
    PAWNS_ON_BOARD, PURE_ENDING, QUEENS_ON_BOARD, ROOKS_ON_BOARD,
};
use super::weights::COUNTED;
use crate::position::Material;
use shakmaty::Color;

/// Phase of a full set of pieces; the middlegame scores have the share `phase / FULL_PHASE`.
pub const FULL_PHASE: i32 = 24;

/// Largest number of men of one colour that a game can have, the king included.
const ARMY: u8 = 16;
/// Largest number of pawns of one colour that a game can have.
const PAWNS: u8 = 8;

/// Numbers of pawns, knights, bishops, rooks and queens of each colour, black first, and what they amount to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    men: [[u8; 5]; 2],
    pair: [bool; 2],
    oversized: bool,
}

/// What the counts mean for the rest of the evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outline {
    /// 0 (bare endgame) to [`FULL_PHASE`].
    pub phase: i32,
    /// More men or pawns than a game can have: only material is counted, so that the lanes cannot overflow.
    pub oversized: bool,
    /// The side that has a mating force against a bare king.
    pub bare_king_against: Option<Color>,
    /// Which piece, one each, is all that both sides have beside pawns.
    pub pure: Option<Pure>,
}

/// Kinds of pure endings, in the order of their weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pure {
    /// Pawns alone.
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

impl Counts {
    /// Spreads out the counts of a position.
    #[must_use]
    pub fn of(material: Material) -> Counts {
        let men = [material.men(Color::Black), material.men(Color::White)];
        let oversized = |men: &[u8; 5]| men.iter().sum::<u8>() >= ARMY || men[0] > PAWNS;
        Counts {
            men,
            pair: [material.has_bishop_pair(Color::Black), material.has_bishop_pair(Color::White)],
            oversized: men.iter().any(oversized),
        }
    }

    fn side(&self, color: Color) -> [i32; 5] {
        let men = self.men[color as usize];
        std::array::from_fn(|i| i32::from(men[i]).min(COUNTED[i]))
    }

    /// Phase and special signatures.
    #[must_use]
    pub fn outline(&self) -> Outline {
        let both = |role: usize| i32::from(self.men[0][role]) + i32::from(self.men[1][role]);
        let phase = (both(1) + both(2) + 2 * both(3) + 4 * both(4)).min(FULL_PHASE);
        let bare = |color: Color| self.men[color as usize] == [0; 5];
        let force = |color: Color| {
            let [_, knights, bishops, rooks, queens] = self.side(color);
            rooks + queens > 0 || self.pair[color as usize] || (knights > 0 && bishops > 0)
        };
        Outline {
            phase,
            oversized: self.oversized,
            bare_king_against: Color::ALL.into_iter().find(|&color| bare(!color) && force(color)),
            pure: self.pure(),
        }
    }

    fn pure(&self) -> Option<Pure> {
        let [black, white] = self.men.map(|[_, pieces @ ..]| pieces);
        match white {
            _ if white != black => None,
            [0, 0, 0, 0] => Some(Pure::Pawn),
            [1, 0, 0, 0] => Some(Pure::Knight),
            [0, 1, 0, 0] => Some(Pure::Bishop),
            [0, 0, 1, 0] => Some(Pure::Rook),
            [0, 0, 0, 1] => Some(Pure::Queen),
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
            if self.pair[color as usize] {
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

        let points = |side: [i32; 5]| 3 * (side[1] + side[2]) + 5 * side[3] + 9 * side[4];
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
        if let Some(pure) = self.pure() {
            let majority = (white[0] - black[0]).unsigned_abs().min(2) as usize;
            sink.add_shared(PURE_ENDING.at(3 * pure as usize + majority));
        }
    }
}

/// Whether a side without pawns has no mating force: a minor piece at most, or two knights.
fn cannot_mate([_, knights, bishops, rooks, queens]: [i32; 5]) -> bool {
    rooks + queens == 0 && (knights + bishops <= 1 || (bishops == 0 && knights == 2))
}

/// Products of counts, own with own and own with theirs.
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
