//! The network: features that the engine learns from games, each with a weight for wilo and one for the draw score.
//!
//! Its two sums are added to those of the terms. A hidden unit is a feature like any other, seen once by White and once by
//! Black: its wilo weight counts the difference of both views, its draw weight their sum, so colours are symmetric. The form of
//! network and file stands in docs/network.md.
//!
//! | module | holds |
//! |---|---|
//! | `inputs` | which inputs a piece on a square has |
//! | `parts` | the numbers of a network, their file, and the proof that no sum overflows |
//! | `accumulator` | sums of the inputs' weights, kept from position to position |
//! | `output` | from these sums to the two scores |

mod accumulator;
mod inputs;
mod output;
mod parts;

pub(super) use accumulator::Accumulators;
pub use inputs::{INPUTS, bucket, inputs};
pub use output::NetworkSums;
pub use parts::{BUCKETS, MAX_SHIFT, NetworkError, NetworkParts, OutputBucket, UNITS};

use super::material::{MaterialInfo, PieceCounts};
use super::word::Lanes;
#[cfg(feature = "cli")]
use crate::params::{self, ParamsError};
use crate::position::Position;
use crate::wdl::model::{DRAW_UNITS, WILO_UNITS};
use inputs::View;
use once_cell::sync::Lazy;
use parts::MAX_UNITS;
use shakmaty::{Color, Square};
#[cfg(feature = "cli")]
use std::path::Path;
use std::sync::Arc;
use wide::{i8x16, i16x16};

/// The built-in file.
const SHIPPED: &[u8] = include_bytes!("../../../engine-params/network.bin");

/// The activation 1 of a hidden unit as an integer. Its square fits 15 bits.
pub const ACTIVATION_ONE: i16 = 181;

/// Numbers of some hidden units.
type Block = i16x16;
/// Hidden units in a block.
const LANES: usize = Block::LANES as usize;
/// Blocks of the largest network.
const MAX_BLOCKS: usize = MAX_UNITS / LANES;

/// Weights of an input to some units, in one cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
struct Line([i8x16; LINE_BLOCKS]);

/// Blocks of a line.
const LINE_BLOCKS: usize = 4;

/// All weights of an input.
struct Row<'a>(&'a [Line]);

impl Row<'_> {
    /// The weights to a block of units.
    #[inline(always)]
    fn block(&self, block: usize) -> Block {
        Block::from(self.0[block / LINE_BLOCKS].0[block % LINE_BLOCKS])
    }
}

/// Numbers of all hidden units; those beyond the network's units are not used.
type Units = [Block; MAX_BLOCKS];

/// A network, ready to evaluate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    parts: NetworkParts,
    /// Blocks of units.
    blocks: usize,
    biases: Units,
    /// The lines of each input.
    weights: Vec<Line>,
    /// Weights of wilo and of the draw score.
    outputs: [[Units; 2]; BUCKETS],
}

impl Network {
    /// The built-in network.
    #[must_use]
    pub fn shipped() -> Arc<Network> {
        static NETWORK: Lazy<Arc<Network>> =
            Lazy::new(|| Arc::new(Network::from_bytes(SHIPPED).expect("a test reads the embedded file")));
        Arc::clone(&NETWORK)
    }

    /// A network of these numbers.
    ///
    /// # Errors
    ///
    /// [`NetworkError`] if their shape is none, or a sum could overflow.
    pub fn new(parts: NetworkParts) -> Result<Network, NetworkError> {
        parts.check()?;
        let units = |values: &[i16]| {
            let block = |values: &[i16]| Block::new(std::array::from_fn(|lane| values[lane]));
            let mut units = [Block::ZERO; MAX_BLOCKS];
            units.iter_mut().zip(values.chunks_exact(LANES)).for_each(|(units, values)| *units = block(values));
            units
        };
        let line = |values: &[i8]| {
            let mut line = Line([i8x16::ZERO; LINE_BLOCKS]);
            let block = |values: &[i8]| i8x16::new(std::array::from_fn(|lane| values[lane]));
            line.0.iter_mut().zip(values.chunks_exact(LANES)).for_each(|(line, values)| *line = block(values));
            line
        };
        let lines = |row: &[i8]| row.chunks(LINE_BLOCKS * LANES).map(line).collect::<Vec<Line>>();
        Ok(Network {
            blocks: parts.biases.len() / LANES,
            biases: units(&parts.biases),
            weights: parts.weights.chunks_exact(parts.biases.len()).flat_map(lines).collect(),
            outputs: parts.outputs.each_ref().map(|bucket| [units(&bucket.wilo), units(&bucket.draw)]),
            parts,
        })
    }

    /// Reads the bytes of a file of a network.
    ///
    /// # Errors
    ///
    /// [`NetworkError`] with what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        Network::new(NetworkParts::from_bytes(bytes)?)
    }

    /// Reads a file of a network.
    ///
    /// # Errors
    ///
    /// [`ParamsError`] with the file's name and what is wrong.
    #[cfg(feature = "cli")]
    pub fn read_file(path: &Path) -> Result<Network, ParamsError> {
        let bytes = params::read_bytes(path)?;
        Network::from_bytes(&bytes).map_err(|reason| params::unreadable(path, reason))
    }

    /// Its numbers.
    #[must_use]
    pub fn parts(&self) -> &NetworkParts {
        &self.parts
    }

    /// The weights of an input.
    #[inline(always)]
    fn row<const BLOCKS: usize>(&self, input: usize) -> Row<'_> {
        let lines = BLOCKS.div_ceil(LINE_BLOCKS);
        Row(&self.weights[input * lines..(input + 1) * lines])
    }

    /// The number of hidden units.
    #[must_use]
    pub fn units(&self) -> usize {
        self.parts.biases.len()
    }

    /// The hidden units, with what each of them sees in a position and adds to the scores.
    #[must_use]
    pub fn units_of(&self, position: &Position) -> Vec<Unit> {
        let outputs = &self.parts.outputs[bucket(position.board().occupied().count())];
        let views = [Color::White, Color::Black].map(|color| self.pieces_of_view(position, color));
        let weight = |weight: i16, shift: u8, unit: f64| f64::from(weight) / f64::from(1 << shift) / unit;
        let unit = |index: usize| {
            let sees = |pieces: &[(Square, usize)]| {
                let of = |&(square, row): &(Square, usize)| (square, f64::from(self.parts.weights[row + index]));
                pieces.iter().map(of).map(|(square, weight)| (square, weight / f64::from(ACTIVATION_ONE))).collect()
            };
            let bias = f64::from(self.parts.biases[index]) / f64::from(ACTIVATION_ONE);
            let pieces: [Vec<(Square, f64)>; 2] = [sees(&views[0]), sees(&views[1])];
            let activations = pieces.each_ref().map(|pieces| {
                let sum = bias + pieces.iter().map(|(_, weight)| weight).sum::<f64>();
                sum.clamp(0.0, 1.0).powi(2)
            });
            Unit {
                index,
                activations,
                pieces,
                wilo: weight(outputs.wilo[index], self.parts.wilo_shift, WILO_UNITS),
                draw: weight(outputs.draw[index], self.parts.draw_shift, DRAW_UNITS),
            }
        };
        (0..self.units()).map(unit).collect()
    }

    /// The pieces with the places of their weights, as a colour sees them.
    fn pieces_of_view(&self, position: &Position, color: Color) -> Vec<(Square, usize)> {
        let (board, view) = (position.board(), View::new(color, position.king(color)));
        let row = |piece, square| view.input(piece, square) * self.units();
        let of = |square| board.piece_at(square).map(|piece| (square, row(piece, square)));
        board.occupied().into_iter().filter_map(of).collect()
    }

    /// The sums of a position, from scratch. Only where [`applies`] holds.
    #[must_use]
    pub fn sums(&self, position: &Position) -> NetworkSums {
        Accumulators::default().sums(self, position, 0)
    }
}

/// Whether a network adds to the evaluation of a position: not in endings by rule, for bare kings, or with more pieces than a game
/// allows.
#[must_use]
pub fn applies(position: &Position) -> bool {
    applies_to(PieceCounts::of(position.material()).info())
}

/// [`applies`] by the facts of the piece counts.
#[inline]
pub(super) fn applies_to(material: MaterialInfo) -> bool {
    !material.oversized && material.ending.is_none() && material.mating_side.is_none()
}

/// A hidden unit in a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Its number, from 0.
    pub index: usize,
    /// Its activation in White's and in Black's view, from 0 to 1.
    pub activations: [f64; 2],
    /// What each piece adds to it in both views, before it is clamped and squared.
    pub pieces: [Vec<(Square, f64)>; 2],
    /// Wilo of activation 1, pawns for the colour that has it.
    pub wilo: f64,
    /// Draw score of activation 1, logits.
    pub draw: f64,
}

impl Unit {
    /// What it adds to wilo, in White's pawns, and to the draw score, in logits.
    #[must_use]
    pub fn total(&self) -> (f64, f64) {
        let [white, black] = self.activations;
        (self.wilo * (white - black), self.draw * (white + black))
    }
}

impl NetworkSums {
    /// As sums of the evaluation: the same in middlegame and endgame.
    #[inline]
    pub(super) fn lanes(self) -> Lanes {
        Lanes { wilo_mg: self.wilo, wilo_eg: self.wilo, draw_mg: self.draw, draw_eg: self.draw }
    }
}

#[cfg(test)]
mod tests;
