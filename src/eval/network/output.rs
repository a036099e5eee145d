//! From the sums of the hidden units to the two scores.

use super::inputs::bucket;
use super::{ACTIVATION_ONE, Block, Network};
use wide::i32x8;

/// What a network adds to the two scores of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NetworkSums {
    /// Centipawns, positive for White.
    pub wilo: i32,
    /// Hundredths of a logit, at most `MAX_DRAW` either way.
    pub draw: i32,
}

/// Largest draw score that a network adds: it cannot make a certain draw.
const MAX_DRAW: i32 = 800;

/// The output 1 of a unit with weight 1, before the shift.
pub const OUTPUT_ONE: i32 = ACTIVATION_ONE as i32 * ACTIVATION_ONE as i32;

/// The scores by the sums of both views, White's second.
#[inline]
pub fn output<const BLOCKS: usize>(network: &Network, sums: &[[Block; BLOCKS]; 2], pieces: usize) -> NetworkSums {
    let bucket = bucket(pieces);
    let [wilo_weights, draw_weights] = &network.outputs[bucket];
    let ([black, white], (mut wilo, mut draw)) = (sums, (i32x8::ZERO, i32x8::ZERO));
    let squared = |sums: Block| {
        let activations = sums.max(Block::ZERO).min(Block::splat(ACTIVATION_ONE));
        activations * activations
    };
    for block in 0..BLOCKS {
        let (white, black) = (squared(white[block]), squared(black[block]));
        wilo += (white - black).dot(wilo_weights[block]);
        draw += white.dot(draw_weights[block]) + black.dot(draw_weights[block]);
    }
    let parts = network.parts();
    NetworkSums {
        wilo: rounded(wilo.reduce_add(), parts.wilo_shift),
        draw: rounded(draw.reduce_add() + parts.outputs[bucket].draw_constant, parts.draw_shift)
            .clamp(-MAX_DRAW, MAX_DRAW),
    }
}

/// A sum in the unit of the scores; half of one is rounded away from zero, so that colours are symmetric.
#[inline]
fn rounded(sum: i32, shift: u8) -> i32 {
    // The shift first, so that the divisor is a constant, which compiles to a multiplication.
    sum.signum() * (((sum.abs() + (OUTPUT_ONE << shift) / 2) >> shift) / OUTPUT_ONE)
}
