//! The numbers of a network, their file, and the proof that no sum overflows.

use super::INPUTS;
use super::inputs::MAX_PIECES;
use super::output::OUTPUT_ONE;
use thiserror::Error;

/// Buckets of output weights, by the number of pieces.
pub const BUCKETS: usize = 8;
/// Numbers of hidden units that there are.
pub const UNITS: [usize; 4] = [16, 32, 64, 128];
/// Most hidden units.
pub const MAX_UNITS: usize = 128;
/// Largest shift of an output.
pub const MAX_SHIFT: u8 = 12;
/// Begins a file.
const MAGIC: &[u8; 5] = b"HPNET";
/// Version of the file's form.
const VERSION: u8 = 2;
/// Bytes before the numbers: magic, version, units and two shifts.
const HEAD: usize = MAGIC.len() + 1 + 2 + 2;
/// Bytes of the checksum at the end.
const CHECKSUM: usize = 8;

/// The numbers of a network. The first layer is in parts of [`ACTIVATION_ONE`](super::ACTIVATION_ONE).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkParts {
    /// What the wilo output is shifted by: a weight of `1 << wilo_shift` is a centipawn of a unit with activation 1.
    pub wilo_shift: u8,
    /// The same for the draw output: a weight of `1 << draw_shift` is a hundredth of a logit.
    pub draw_shift: u8,
    /// Weights of the hidden units, input by input.
    pub weights: Vec<i8>,
    /// One for each hidden unit.
    pub biases: Vec<i16>,
    /// Output weights by [`bucket`](super::bucket).
    pub outputs: [OutputBucket; BUCKETS],
}

/// Output weights for a range of piece counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputBucket {
    /// For each unit: of White's view less Black's.
    pub wilo: Vec<i16>,
    /// For each unit: of both views.
    pub draw: Vec<i16>,
    /// Added to the draw output, before it is divided.
    pub draw_constant: i32,
}

/// What is wrong with a network.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields of errors say what they are")]
pub enum NetworkError {
    /// The file is another one.
    #[error("it does not begin as a network does")]
    NoNetwork,
    /// A form that this engine does not know.
    #[error("version {version} of the file, {VERSION} expected")]
    Version { version: u8 },
    /// The file is too short or too long.
    #[error("{bytes} bytes, {expected} expected for {units} units")]
    Length { bytes: usize, expected: usize, units: usize },
    /// The checksum is that of other bytes.
    #[error("the checksum does not fit the contents")]
    Checksum,
    /// Not as many units as this engine can have, or other numbers of weights than the units need.
    #[error("{units} units with other numbers of weights than theirs; 16, 32, 64 or 128 units are possible")]
    Shape { units: usize },
    /// A shift is too large.
    #[error("a shift of {shift}, at most {MAX_SHIFT} is possible")]
    Shift { shift: u8 },
    /// The inputs of a unit can sum up to too much.
    #[error("the sum of unit {unit} could reach {bound}, more than {}", i16::MAX)]
    UnitOverflow { unit: usize, bound: i64 },
    /// An output can become too large.
    #[error("the {output} output of bucket {bucket} could reach {bound}, more than {}", i32::MAX)]
    OutputOverflow { output: &'static str, bucket: usize, bound: i64 },
}

impl NetworkParts {
    /// Checks the shape, and that no sum can overflow.
    pub(super) fn check(&self) -> Result<(), NetworkError> {
        let units = self.biases.len();
        let fits = |bucket: &OutputBucket| bucket.wilo.len() == units && bucket.draw.len() == units;
        if !UNITS.contains(&units) || self.weights.len() != INPUTS * units || !self.outputs.iter().all(fits) {
            return Err(NetworkError::Shape { units });
        }
        if let Some(shift) = [self.wilo_shift, self.draw_shift].into_iter().find(|&shift| shift > MAX_SHIFT) {
            return Err(NetworkError::Shift { shift });
        }
        for unit in 0..units {
            let bound = self.unit_bound(unit);
            if bound > i64::from(i16::MAX) {
                return Err(NetworkError::UnitOverflow { unit, bound });
            }
        }
        for (index, bucket) in self.outputs.iter().enumerate() {
            let constant = i64::from(bucket.draw_constant).abs();
            let outputs = [
                ("wilo", output_bound(&bucket.wilo, 1, 0, self.wilo_shift)),
                ("draw", output_bound(&bucket.draw, 2, constant, self.draw_shift)),
            ];
            if let Some((output, bound)) = outputs.into_iter().find(|&(_, bound)| bound > i64::from(i32::MAX)) {
                return Err(NetworkError::OutputOverflow { output, bucket: index, bound });
            }
        }
        Ok(())
    }

    /// Upper bound on the absolute sum of a unit: each square has one piece at most, and only some have one.
    fn unit_bound(&self, unit: usize) -> i64 {
        let units = self.biases.len();
        let weight = |input: usize| i64::from(self.weights[input * units + unit]);
        let bound = |sign: i64| {
            let mut squares = [0; 64];
            for input in 0..INPUTS {
                let square = &mut squares[input % 64];
                *square = (sign * weight(input)).max(*square);
            }
            squares.sort_unstable();
            squares[64 - MAX_PIECES..].iter().sum::<i64>() + sign * i64::from(self.biases[unit])
        };
        bound(1).max(bound(-1))
    }

    /// Reads the bytes of a file.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<NetworkParts, NetworkError> {
        let Some((head, rest)) = bytes.split_at_checked(HEAD) else { return Err(NetworkError::NoNetwork) };
        let &[ref magic @ .., version, low, high, wilo_shift, draw_shift] = head else {
            return Err(NetworkError::NoNetwork);
        };
        if magic != MAGIC {
            return Err(NetworkError::NoNetwork);
        }
        if version != VERSION {
            return Err(NetworkError::Version { version });
        }
        let units = usize::from(u16::from_le_bytes([low, high]));
        let expected = HEAD + units * (2 + INPUTS) + BUCKETS * (4 * units + 4) + CHECKSUM;
        if bytes.len() != expected {
            return Err(NetworkError::Length { bytes: bytes.len(), expected, units });
        }
        let (content, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        if checksum != fnv1a(content).to_le_bytes() {
            return Err(NetworkError::Checksum);
        }
        let (weights, rest) = rest[..rest.len() - CHECKSUM].split_at(INPUTS * units);
        let weights = weights.iter().map(|&weight| weight as i8).collect();
        let mut words = rest.chunks_exact(2).map(|word| i16::from_le_bytes([word[0], word[1]]));
        let mut take = |count: usize| words.by_ref().take(count).collect::<Vec<i16>>();
        let biases = take(units);
        let outputs = std::array::from_fn(|_| {
            let (wilo, draw, constant) = (take(units), take(units), take(2));
            let draw_constant = i32::from(constant[1]) << 16 | i32::from(constant[0] as u16);
            OutputBucket { wilo, draw, draw_constant }
        });
        Ok(NetworkParts { wilo_shift, draw_shift, weights, biases, outputs })
    }

    /// The bytes of its file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        bytes.extend((self.biases.len() as u16).to_le_bytes());
        bytes.extend([self.wilo_shift, self.draw_shift]);
        bytes.extend(self.weights.iter().map(|&weight| weight as u8));
        let mut words = |words: &[i16]| bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        words(&self.biases);
        for bucket in &self.outputs {
            words(&bucket.wilo);
            words(&bucket.draw);
            words(&[bucket.draw_constant as i16, (bucket.draw_constant >> 16) as i16]);
        }
        let checksum = fnv1a(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }
}

/// Upper bound on an output and on what rounding adds: `views` of each unit count.
fn output_bound(weights: &[i16], views: i64, constant: i64, shift: u8) -> i64 {
    let sum: i64 = weights.iter().map(|&weight| i64::from(weight).abs()).sum();
    sum * views * i64::from(OUTPUT_ONE) + constant + (i64::from(OUTPUT_ONE) << shift) / 2
}

/// The hash FNV-1a of 64 bits.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
