//! All terms of a board together.

use super::context::EvalContext;
use super::pawns::{self, PawnInfo};
use super::{counts, draws, king, passed, pieces, threats};
use crate::eval::finish::BoardSums;
use crate::eval::material::{MaterialInfo, PieceCounts};
use crate::eval::sink::{Sink, Sum};
use crate::eval::weights::Weights;
use crate::position::Position;
use shakmaty::Color;

/// Emits every feature of the board.
pub fn features<S: Sink>(position: &Position, sink: &mut S) -> MaterialInfo {
    let counts = PieceCounts::of(position.material());
    counts::features(&counts, sink);
    let material = counts.info();
    if !material.oversized {
        let pawns = pawns::features(position, sink);
        piece_features(position, sink, material, pawns);
    }
    material
}

/// The sums of a board, without caches.
pub fn sums(position: &Position, weights: &Weights) -> BoardSums {
    let counts = PieceCounts::of(position.material());
    let material = counts.info();
    let (mut of_counts, mut structure, mut pieces) = (Sum::new(weights), Sum::new(weights), Sum::new(weights));
    counts::features(&counts, &mut of_counts);
    if !material.oversized {
        let pawns = pawns::features(position, &mut structure);
        piece_features(position, &mut pieces, material, pawns);
    }
    BoardSums { lanes: of_counts.wide_lanes() + structure.lanes() + pieces.lanes(), material }
}

/// Emits the features of pieces beside kings and pawns.
#[inline]
pub fn piece_features<S: Sink>(position: &Position, sink: &mut S, material: MaterialInfo, pawns: PawnInfo) {
    let mut context = EvalContext::new(position, material, pawns);
    pieces::features(&mut context, sink, Color::White);
    pieces::features(&mut context, sink, Color::Black);
    side_features(&context, sink, Color::White);
    side_features(&context, sink, Color::Black);
    draws::features(&context, sink);
}

/// Emits the features of one colour that need complete attack maps.
// Not inlined, so that both colours share the code: two copies crowd the instruction cache.
#[inline(never)]
fn side_features<S: Sink>(context: &EvalContext, sink: &mut S, us: Color) {
    let mut side = sink.side(us);
    king::features(context, &mut side, us);
    threats::features(context, &mut side, us);
    passed::features(context, &mut side, us);
    threats::space(context, &mut side, us);
}
