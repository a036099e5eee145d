//! From the sums of the hidden units to the two scores.

use super::inputs::bucket;
use super::{ACTIVATION_ONE, LANES, Network, Units};

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
pub fn output<const BLOCKS: usize>(network: &Network, sums: &[Units; 2], pieces: usize) -> NetworkSums {
    let bucket = bucket(pieces);
    let [wilo_weights, draw_weights] = &network.outputs[bucket];
    let ([black, white], (mut wilo, mut draw)) = (sums, ([0; LANES], [0; LANES]));
    let squared = |sum: i16| {
        let activation = sum.clamp(0, ACTIVATION_ONE);
        activation * activation
    };
    for block in 0..BLOCKS {
        let (white, black) = (&white[block].0, &black[block].0);
        let (wilo_weights, draw_weights) = (&wilo_weights[block].0, &draw_weights[block].0);
        for lane in 0..LANES {
            let (white, black) = (squared(white[lane]), squared(black[lane]));
            wilo[lane] += i32::from(white - black) * i32::from(wilo_weights[lane]);
            draw[lane] += i32::from(white) * i32::from(draw_weights[lane]);
            draw[lane] += i32::from(black) * i32::from(draw_weights[lane]);
        }
    }
    let parts = network.parts();
    NetworkSums {
        wilo: rounded(wilo.iter().sum(), parts.wilo_shift),
        draw: rounded(draw.iter().sum::<i32>() + parts.outputs[bucket].draw_constant, parts.draw_shift)
            .clamp(-MAX_DRAW, MAX_DRAW),
    }
}

/// A sum in the unit of the scores; half of one is rounded away from zero, so that colours are symmetric.
#[inline]
fn rounded(sum: i32, shift: u8) -> i32 {
    let one = OUTPUT_ONE << shift;
    (sum + one / 2 * sum.signum()) / one
}
