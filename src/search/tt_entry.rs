//! Entries of the transposition table: what they say, and how they are packed.

use crate::eval::Evaluation;
use crate::position::{Move, Position};
use crate::wdl::score::{MAX_PLY, Score};

/// Depth of entries of quiescence search without quiet checks, plies; with them, and in check, it is 0.
pub const QUIESCENCE_DEPTH: i32 = -1;
/// Depth of entries for which nothing was searched, the least of all.
pub const STAND_PAT_DEPTH: i32 = -6;

/// Which side of the score an entry bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// Best or refuting move; may be none.
    pub m: Move,
    /// Search score, with mates counted from the root.
    pub score: Score,
    /// What the score means; `None` if only the static evaluation is known, and perhaps a move.
    pub bound: Option<Bound>,
    /// Depth of the search in plies; 0 or less for quiescence.
    pub depth: i32,
    /// Static evaluation; `None` in check.
    pub eval: Option<Evaluation>,
    /// Whether the position was once on a principal variation.
    pub pv: bool,
}

impl TtEntry {
    /// Of a position of which only the static evaluation is known.
    #[inline]
    pub fn of_evaluation(eval: Evaluation, pv: bool) -> TtEntry {
        TtEntry { m: Move::NONE, score: Score::DRAW, bound: None, depth: STAND_PAT_DEPTH, eval: Some(eval), pv }
    }

    /// Whether the stored bound decides a search with this window.
    #[inline]
    pub fn decides(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => self.score >= beta,
            Some(Bound::Upper) => self.score <= alpha,
            None => false,
        }
    }

    /// What holds of the entry at a position's clock: a mate or a table win may have been found with fewer plies on it, and is
    /// nothing where the fifty-move rule comes first. `ply` is the distance from the root.
    #[inline(always)]
    #[must_use]
    pub fn at_clock(self, position: &Position, ply: usize) -> TtEntry {
        if self.score.is_heuristic() || position.has_time_for(self.score.plies_from(ply)) {
            self
        } else {
            TtEntry { score: Score::DRAW, bound: None, depth: STAND_PAT_DEPTH, ..self }
        }
    }

    /// Whether the true score is at least the entry's.
    #[inline]
    pub fn bounds_below(&self) -> bool {
        matches!(self.bound, Some(Bound::Exact | Bound::Lower))
    }

    /// Whether the true score is at most the entry's.
    #[inline]
    pub fn bounds_above(&self) -> bool {
        matches!(self.bound, Some(Bound::Exact | Bound::Upper))
    }

    /// Whether the score is a better estimate than the static evaluation: the true score lies on its side of that.
    #[inline]
    pub fn refines(&self, static_score: Score) -> bool {
        self.decides(static_score.next_down(), static_score.next_up())
    }
}

/// Stands for no static evaluation.
const NO_EVAL: i16 = i16::MIN;
/// Added to a depth to store it, so that none is below 1.
const DEPTH_OFFSET: i32 = 1 - STAND_PAT_DEPTH;
/// Largest stored depth, in eight bits. Extensions may lead further than the longest line; such depths are cut.
const MAX_STORED_DEPTH: i32 = u8::MAX as i32;
const _: () = assert!(MAX_PLY as i32 - 1 + DEPTH_OFFSET <= MAX_STORED_DEPTH, "iterations of all depths can be stored");

/// The sixteen bits that bind an entry's words to its key and to each other.
#[inline(always)]
pub fn check(key: u64, first: u64) -> u16 {
    (key ^ first ^ first >> 16 ^ first >> 32 ^ first >> 48) as u16
}

/// Depth of the entry with this second word, plies.
#[inline]
pub fn depth_of(second: u64) -> i32 {
    (second >> 48 & 0xff) as i32 - DEPTH_OFFSET
}

/// Number of the search that stored or last found the entry with this second word.
#[inline]
pub fn generation_of(second: u64) -> u8 {
    (second >> 59) as u8
}

/// A second word with another number of the search.
#[inline]
pub fn with_generation(second: u64, generation: u8) -> u64 {
    second << 5 >> 5 | u64::from(generation) << 59
}

/// A first word with another move, unless that is none.
#[inline]
pub fn with_move(first: u64, m: Move) -> u64 {
    if m.is_none() { first } else { first & !0xffff | u64::from(m.bits()) }
}

/// A second word with another check.
#[inline]
pub fn with_check(second: u64, check: u16) -> u64 {
    second & !0xffff | u64::from(check)
}

/// An entry in two words; see [`Slot`](super::tt_memory::Slot).
pub fn pack(key: u64, ply: usize, entry: &TtEntry, generation: u8) -> (u64, u64) {
    let score = entry.score.to_tt(ply);
    let first = u64::from(score.p() as u32) << 32 | (score.d() as u64) << 16 | u64::from(entry.m.bits());
    let lane = |value: i32| value.clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16 as u16;
    let (wilo, draw) = entry.eval.map_or((NO_EVAL as u16, 0), |eval| (lane(eval.wilo), lane(eval.draw)));
    let bound = match entry.bound {
        Some(Bound::Exact) => 3,
        Some(Bound::Lower) => 2,
        Some(Bound::Upper) => 1,
        None => 0,
    };
    debug_assert!(entry.depth >= STAND_PAT_DEPTH, "no entry has less depth");
    let depth = (entry.depth + DEPTH_OFFSET).min(MAX_STORED_DEPTH) as u64;
    let second = u64::from(check(key, first))
        | u64::from(wilo) << 16
        | u64::from(draw) << 32
        | depth << 48
        | bound << 56
        | u64::from(entry.pv) << 58
        | u64::from(generation) << 59;
    (first, second)
}

/// The entry of two words.
#[inline(always)]
pub fn unpack(first: u64, second: u64, ply: usize) -> TtEntry {
    let wilo = (second >> 16) as i16;
    let draw = i32::from((second >> 32) as i16);
    TtEntry {
        m: Move::from_bits(first as u16),
        score: Score::from_parts((first >> 32) as i32, (first >> 16) as u16).from_tt(ply),
        bound: match second >> 56 & 3 {
            3 => Some(Bound::Exact),
            2 => Some(Bound::Lower),
            1 => Some(Bound::Upper),
            _ => None,
        },
        depth: depth_of(second),
        eval: (wilo != NO_EVAL).then_some(Evaluation { wilo: i32::from(wilo), draw }),
        pv: second >> 58 & 1 == 1,
    }
}
