//! Where predictions are wrong: residuals by material, kings, phase and the like.

use super::block::{Block, Row};
use super::coefficients::Coefficient;
use super::predictions::Prediction;
use crate::outcome::Outcome;
use crate::stats::Clustered;
use halfpoint::eval::tuning::terms::{
    HALFMOVES, MATERIAL, OPPOSITE_BISHOPS, OPPOSITE_WINGS, PST_KING, Term, WILO_KNOTS,
};
use halfpoint::position::PIECE_POINTS;
use rayon::prelude::*;
use shakmaty::Color;
use std::collections::HashMap;

/// What the codes of a row tell about the position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// Pawns, knights, bishops, rooks, queens; black first.
    pub pieces: [[u8; 5]; 2],
    /// Index in [`HALFMOVES`].
    pub halfmoves: usize,
    /// Index in [`OPPOSITE_BISHOPS`].
    pub opposite_bishops: Option<usize>,
    /// Index of each king in [`PST_KING`]; black first.
    pub kings: [usize; 2],
    pub opposite_wings: bool,
}

/// A code that [`Facts`] are made from.
#[derive(Clone, Copy)]
enum Fact {
    Pieces(usize),
    Halfmoves(usize),
    OppositeBishops(usize),
    King(usize),
    OppositeWings,
}

/// For each code what it says, if it matters.
fn facts(coefficients: &[Coefficient]) -> Vec<Option<(Fact, [u8; 2])>> {
    let within = |term: Term, feature: u16| usize::from(feature).checked_sub(term.offset).filter(|&at| at < term.len);
    let fact = |coefficient: &Coefficient| {
        let of = |term: Term| within(term, coefficient.feature);
        let fact = of(MATERIAL)
            .map(Fact::Pieces)
            .or_else(|| of(HALFMOVES).map(Fact::Halfmoves))
            .or_else(|| of(OPPOSITE_BISHOPS).map(Fact::OppositeBishops))
            .or_else(|| of(PST_KING).map(Fact::King))
            .or_else(|| of(OPPOSITE_WINGS).map(|_| Fact::OppositeWings))?;
        Some((fact, [coefficient.black, coefficient.white]))
    };
    coefficients.iter().map(fact).collect()
}

fn read_facts(table: &[Option<(Fact, [u8; 2])>], codes: impl Iterator<Item = u16>) -> Facts {
    let mut facts = Facts::default();
    for (fact, counts) in codes.filter_map(|code| table[usize::from(code)]) {
        match fact {
            Fact::Pieces(role) => {
                for color in [0, 1] {
                    facts.pieces[color][role] += counts[color];
                }
            }
            Fact::Halfmoves(step) => facts.halfmoves = step,
            Fact::OppositeBishops(company) => facts.opposite_bishops = Some(company),
            Fact::King(square) => {
                for color in [0, 1] {
                    if counts[color] > 0 {
                        facts.kings[color] = square;
                    }
                }
            }
            Fact::OppositeWings => facts.opposite_wings = true,
        }
    }
    facts
}

/// What positions are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    /// Pieces other than kings of the stronger and the weaker side.
    Material([[u8; 5]; 2]),
    /// Points of both sides' pieces, in steps of six.
    Points(u8),
    Pawns(u8),
    /// 0 to 24.
    Phase(u8),
    /// Plies since the last capture or pawn move, in tens.
    Halfmoves(usize),
    /// Which pieces are there besides, or no opposite bishops.
    OppositeBishops(Option<usize>),
    /// Where the kings stand, the bolder first, and whether on opposite wings.
    Kings([KingZone; 2], bool),
    /// Number of the move, in tens.
    MoveNumber(u16),
    /// Size of w: the knot of [`WILO_KNOTS`] below.
    Size(usize),
}

/// Where a king stands, as its owner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KingZone {
    /// First two ranks, the outer files.
    Wing,
    /// First two ranks, files c to f.
    Centre,
    /// Third and fourth rank.
    Advanced,
    /// Beyond.
    Far,
}

impl KingZone {
    fn of(square: usize) -> KingZone {
        match (square / 4, square % 4) {
            (0 | 1, 2 | 3) => KingZone::Wing,
            (0 | 1, _) => KingZone::Centre,
            (2 | 3, _) => KingZone::Advanced,
            _ => KingZone::Far,
        }
    }
}

/// Residuals of a category of positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Residuals {
    /// Drawn or not, less the predicted draw probability; without positions that fixed weights decide.
    pub draw: Clustered,
    /// Decisive games: whether the first-named side won, less its predicted win fraction. If no side is named, or both are
    /// alike, that of the side that wilo sees ahead.
    pub wilo: Clustered,
    /// Sum of the predicted draw probabilities.
    draws: f64,
}

impl Residuals {
    /// Adds positions of other games.
    pub fn merge(&mut self, other: &Residuals) {
        self.draw.merge(&other.draw);
        self.wilo.merge(&other.wilo);
        self.draws += other.draws;
    }

    /// Mean predicted draw probability.
    pub fn predicted_draws(&self) -> f64 {
        self.draws / self.draw.count.max(1) as f64
    }
}

/// The categories that a position belongs to, each with the side whose wins count.
fn categories(row: &Row, facts: &Facts, ahead: Color) -> [(Category, Color); 9] {
    let [black, white] = facts.pieces;
    let points = |[_, pieces @ ..]: [u8; 5]| -> u8 {
        pieces.into_iter().zip(&PIECE_POINTS[1..]).map(|(count, points)| count * points).sum()
    };
    let strength = |pieces: [u8; 5]| (points(pieces), pieces[0], pieces[4], pieces[3], pieces[2], pieces[1]);
    let (material, stronger) = match strength(white).cmp(&strength(black)) {
        std::cmp::Ordering::Equal => ([white, black], ahead),
        std::cmp::Ordering::Greater => ([white, black], Color::White),
        std::cmp::Ordering::Less => ([black, white], Color::Black),
    };
    let [black_king, white_king] = facts.kings.map(KingZone::of);
    let (kings, bolder) = match white_king.cmp(&black_king) {
        std::cmp::Ordering::Equal => ([white_king, black_king], ahead),
        std::cmp::Ordering::Greater => ([white_king, black_king], Color::White),
        std::cmp::Ordering::Less => ([black_king, white_king], Color::Black),
    };
    [
        (Category::Material(material), stronger),
        (Category::Points((points(white) + points(black)) / 6), ahead),
        (Category::Pawns(white[0] + black[0]), ahead),
        (Category::Phase(row.phase), ahead),
        (Category::Halfmoves(facts.halfmoves), ahead),
        (Category::OppositeBishops(facts.opposite_bishops), ahead),
        (Category::Kings(kings, facts.opposite_wings), bolder),
        (Category::MoveNumber(row.move_number.min(129) / 10), ahead),
        (Category::Size(WILO_KNOTS.partition_point(|&knot| knot <= i32::from(row.size)) - 1), ahead),
    ]
}

/// Residuals of all categories of positions; `predictions` in the order of the rows.
pub fn residuals(
    blocks: &[Block],
    predictions: &[Prediction],
    coefficients: &[Coefficient],
) -> HashMap<Category, Residuals> {
    let table = facts(coefficients);
    let mut offset = 0;
    let parts: Vec<(&Block, &[Prediction])> = blocks
        .iter()
        .map(|block| {
            let start = offset;
            offset += block.rows.len();
            (block, &predictions[start..offset])
        })
        .collect();
    let of_part = |part: &[(&Block, &[Prediction])]| {
        let mut sums: HashMap<Category, Residuals> = HashMap::new();
        for (block, predictions) in part {
            for ((row, codes), prediction) in block.iter().zip(*predictions) {
                let [win, draw, loss] = *prediction;
                let ahead = Color::from_white(win >= loss);
                let facts = read_facts(&table, block.all_codes(row, codes));
                for (category, side) in categories(row, &facts, ahead) {
                    let residuals = sums.entry(category).or_default();
                    if !row.is_saturated {
                        residuals.draws += draw;
                        residuals.draw.add(row.game as usize, f64::from(u8::from(row.outcome == Outcome::Draw)) - draw);
                    }
                    if row.outcome != Outcome::Draw {
                        let (won, predicted) = match side {
                            Color::White => (row.outcome == Outcome::Win, win / (1.0 - draw)),
                            Color::Black => (row.outcome == Outcome::Loss, loss / (1.0 - draw)),
                        };
                        residuals.wilo.add(row.game as usize, f64::from(u8::from(won)) - predicted);
                    }
                }
            }
        }
        sums
    };
    let size = parts.len().div_ceil(64).max(1);
    let mut whole = HashMap::new();
    for part in parts.par_chunks(size).map(of_part).collect::<Vec<_>>() {
        for (category, residuals) in part {
            whole.entry(category).or_insert_with(Residuals::default).merge(&residuals);
        }
    }
    whole
}
