//! The evaluation of a position, term by term.

use super::evaluator::{evaluate, features_and_curves};
use super::finish::Evaluation;
use super::network::{self, Unit};
use super::phase::FULL_PHASE;
use super::sink::{FeatureCount, FeatureRecord};
use super::term_list::TERMS;
use super::weights::Weights;
use super::word::Word;
use crate::position::Position;
use crate::wdl::model::{DRAW_UNITS, WILO_UNITS, Wdl};
use shakmaty::{CastlingMode, Chess, Color, FromSetup, Position as _, PositionError, Square};
use std::ops::Add;

/// What some features add, in middlegame and endgame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contribution {
    /// To wilo, pawns.
    pub wilo: [f64; 2],
    /// To the draw score, logits.
    pub draw: [f64; 2],
}

impl Add for Contribution {
    type Output = Contribution;

    fn add(self, other: Contribution) -> Contribution {
        let add = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
        Contribution { wilo: add(self.wilo, other.wilo), draw: add(self.draw, other.draw) }
    }
}

/// Units of the network that are shown.
const MOST_UNITS: usize = 5;
/// Name of the network among the terms.
const NETWORK: &str = "network";

/// What a term adds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TermContribution {
    /// The term's name in the parameter file, or `network`.
    pub name: &'static str,
    /// Of White's features, its wilo counted for White.
    pub white: Contribution,
    /// Of Black's features, its wilo counted for Black.
    pub black: Contribution,
    /// Of features of neither colour; its wilo is zero.
    pub shared: Contribution,
}

impl TermContribution {
    /// All of it, wilo from White's point of view.
    #[must_use]
    pub fn total(&self) -> Contribution {
        let black = Contribution { wilo: self.black.wilo.map(|wilo| -wilo), ..self.black };
        self.white + black + self.shared
    }
}

/// The evaluation of a position, term by term.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The position.
    pub position: Position,
    /// Game phase, from 0 with only kings and pawns to [`FULL_PHASE`].
    pub phase: i32,
    /// The terms that have features in the position.
    pub terms: Vec<TermContribution>,
    /// Both scores, for the side to move, as the search uses them.
    pub evaluation: Evaluation,
    /// What each piece is worth; none for kings, and where the position without it is impossible.
    pub pieces: Vec<(Square, Worth)>,
    /// The units of the network that move win, draw and loss most, the first most of all.
    pub units: Vec<Unit>,
}

/// What a piece is worth: the evaluation with it less that without it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// Pawns, from White's point of view.
    pub wilo: f64,
    /// Logits of the draw score.
    pub draw: f64,
}

impl Explanation {
    /// Explains a position.
    #[must_use]
    pub fn of(position: &Position, weights: &Weights) -> Explanation {
        let mut record = FeatureRecord::default();
        let phase = features_and_curves(position, weights, &mut record);
        let evaluation = evaluate(position, weights);
        let terms = TERMS.iter().filter_map(|term| {
            let entries: Vec<_> =
                record.counts.iter().filter(|entry| term.features().contains(&entry.feature)).collect();
            let of = |color| contribution(entries.iter().filter(|entry| entry.color == color), weights);
            let (white, black, shared) = (of(Some(Color::White)), of(Some(Color::Black)), of(None));
            (!entries.is_empty()).then_some(TermContribution { name: term.name, white, black, shared })
        });
        let units = weights.network().filter(|_| network::applies(position)).map(|network| network.units_of(position));
        let mut explanation = Explanation {
            position: *position,
            phase,
            terms: terms.collect(),
            evaluation,
            pieces: worths(position, weights),
            units: units.unwrap_or_default(),
        };
        explanation.terms.extend(network_contribution(position, weights, &explanation.units));
        let effect = |unit: &Unit| explanation.shift(unit.total()).into_iter().map(f64::abs).sum::<f64>();
        let mut units: Vec<_> = explanation.units.iter().map(|unit| (effect(unit), unit.clone())).collect();
        units.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        explanation.units = units.into_iter().take(MOST_UNITS).map(|(_, unit)| unit).collect();
        explanation
    }

    /// Mean of a middlegame and an endgame number by the phase.
    #[must_use]
    pub fn taper(&self, [middlegame, endgame]: [f64; 2]) -> f64 {
        let share = f64::from(self.phase) / f64::from(FULL_PHASE);
        middlegame * share + endgame * (1.0 - share)
    }

    /// Wilo from White's point of view, pawns, and the draw score, logits.
    #[must_use]
    pub fn scores(&self) -> (f64, f64) {
        white_scores(self.evaluation, self.position.turn())
    }

    /// Win, draw and loss of White.
    #[must_use]
    pub fn wdl(&self) -> Wdl {
        let (wilo, draw) = self.scores();
        Wdl::from_scores(wilo, draw)
    }

    /// By how much a term moves win, draw and loss of White: those of the evaluation less those without the term.
    #[must_use]
    pub fn effect(&self, term: &TermContribution) -> [f64; 3] {
        let total = term.total();
        self.shift((self.taper(total.wilo), self.taper(total.draw)))
    }

    /// By how much wilo and draw score move win, draw and loss of White.
    #[must_use]
    pub fn shift(&self, (of_wilo, of_draw): (f64, f64)) -> [f64; 3] {
        let (wilo, draw) = self.scores();
        let (with, without) = (self.wdl(), Wdl::from_scores(wilo - of_wilo, draw - of_draw));
        [with.win - without.win, with.draw - without.draw, with.loss - without.loss]
    }
}

/// What the network adds by each colour's view of the board. Its constant is shared between them.
fn network_contribution(position: &Position, weights: &Weights, units: &[Unit]) -> Option<TermContribution> {
    let network = weights.network().filter(|_| network::applies(position))?;
    let sums = |side: usize| {
        let add = |(wilo, draw): (f64, f64), unit: &Unit| {
            let activation = unit.activations[side];
            (wilo + unit.wilo * activation, draw + unit.draw * activation)
        };
        units.iter().fold((0.0, 0.0), add)
    };
    let [white, black] = [sums(0), sums(1)];
    let constant = f64::from(network.sums(position).draw) / DRAW_UNITS - white.1 - black.1;
    let contribution = |(wilo, draw): (f64, f64)| Contribution { wilo: [wilo; 2], draw: [draw + constant / 2.0; 2] };
    let (white, black) = (contribution(white), contribution(black));
    Some(TermContribution { name: NETWORK, white, black, shared: Contribution::default() })
}

fn white_scores(evaluation: Evaluation, turn: Color) -> (f64, f64) {
    let wilo = turn.fold_wb(evaluation.wilo, -evaluation.wilo);
    (f64::from(wilo) / WILO_UNITS, f64::from(evaluation.draw) / DRAW_UNITS)
}

/// Weighted sum of features.
fn contribution<'a>(entries: impl Iterator<Item = &'a &'a FeatureCount>, weights: &Weights) -> Contribution {
    let mut sum = Contribution::default();
    for entry in entries {
        let word: Word = weights[entry.feature];
        let times = |weight: i32, unit: f64| entry.count * f64::from(weight) / unit;
        sum = sum
            + Contribution {
                wilo: [times(word.wilo_mg(), WILO_UNITS), times(word.wilo_eg(), WILO_UNITS)],
                draw: [times(word.draw_mg(), DRAW_UNITS), times(word.draw_eg(), DRAW_UNITS)],
            };
    }
    sum
}

fn worths(position: &Position, weights: &Weights) -> Vec<(Square, Worth)> {
    let chess = position.to_chess();
    let (wilo, draw) = white_scores(evaluate(position, weights), position.turn());
    let worth = |square: Square| {
        let mut setup = chess.to_setup(shakmaty::EnPassantMode::Legal);
        setup.board.discard_piece_at(square);
        setup.castling_rights.discard(square);
        setup.ep_square = None;
        let without = Chess::from_setup(setup, CastlingMode::Chess960)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()?;
        let without = white_scores(evaluate(&Position::from_chess(&without), weights), position.turn());
        Some((square, Worth { wilo: wilo - without.0, draw: draw - without.1 }))
    };
    let pieces = position.board().occupied() & !position.board().kings();
    pieces.into_iter().filter_map(worth).collect()
}
