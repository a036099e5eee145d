//! Random numbers that a seed decides.

/// The generator SplitMix64 of Steele, Lea and Flood, 2014.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SplitMix64(u64);

impl SplitMix64 {
    pub(crate) fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to 1, without 1.
    pub(crate) fn next_unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the authors' C program with the seed 1234567.
    #[test]
    fn its_numbers_are_those_of_its_authors() {
        let mut random = SplitMix64::new(1_234_567);
        let numbers: [u64; 3] = std::array::from_fn(|_| random.next());
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
        assert_eq!(SplitMix64::new(1_234_567).next_unit(), (numbers[0] >> 11) as f64 / 9_007_199_254_740_992.0);
    }
}
