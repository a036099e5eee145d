//! Readers of what comes from outside, over saved inputs and changed copies of them.

mod targets;

use std::fs;
use std::path::PathBuf;
use targets::{TARGETS, run};

/// Changed copies of each input.
const COPIES: u64 = 12;
/// Most bytes of an input: an optimised build reads more, this test is of the rules.
const MAX_BYTES: usize = 1 << 16;

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as usize % limit.max(1)
    }
}

/// Bytes set, removed, doubled, and numbers put in their place.
fn change(bytes: &mut Vec<u8>, random: &mut Random) {
    const NUMBERS: [&[u8]; 8] =
        [b"-1", b"0", b"nan", b"inf", b"4294967295", b"18446744073709551615", b"-9223372036854775808", b"1e308"];
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        let end = (at + 1 + random.below(8)).min(bytes.len());
        match random.below(5) {
            0 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            1 => drop(bytes.drain(at.min(end)..end)),
            2 => {
                let part = bytes[at.min(end)..end].to_vec();
                bytes.splice(at..at, part);
            }
            3 => {
                let number = bytes.iter().skip(at).position(u8::is_ascii_digit).map_or(at, |digits| at + digits);
                let digits = bytes[number..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                bytes.splice(number..number + digits, NUMBERS[random.below(NUMBERS.len())].iter().copied());
            }
            _ => bytes.truncate(at.max(1)),
        }
    }
}

/// Where the corpus of a target lies.
fn folders(target: &str) -> impl Iterator<Item = PathBuf> {
    let own = (target != "syzygy").then(|| format!("tests/data/fuzz/{target}"));
    let shared = match target {
        "pgn" | "lines" => Some("tests/data/cases"),
        "syzygy" => Some("tests/data/syzygy"),
        "params" => Some("engine-params"),
        _ => None,
    };
    own.into_iter().chain(shared.map(str::to_owned)).map(PathBuf::from)
}

#[test]
fn corpora_do_no_harm() {
    for (name, _) in TARGETS {
        let mut inputs: Vec<_> =
            folders(name).flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path()).collect();
        // The built-in network is too large for many copies.
        inputs.retain(|path| name == "network" || path.extension().is_none_or(|extension| extension != "bin"));
        inputs.sort();
        assert!(!inputs.is_empty(), "{name}");
        for (input, seed) in inputs.iter().zip(1..) {
            let bytes = fs::read(input).unwrap();
            assert!(bytes.len() <= MAX_BYTES, "{}", input.display());
            run(name, &bytes);
            let mut random = Random(seed);
            for _ in 0..COPIES {
                let mut changed = bytes.clone();
                change(&mut changed, &mut random);
                run(name, &changed);
            }
        }
    }
}
