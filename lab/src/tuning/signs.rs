//! Weights of wilo whose sign is not the one that chess knowledge expects: a term that stands in for something else, or
//! positions that the games do not have.

use super::fit::Fit;
use halfpoint::eval::tuning::terms::TERMS;

/// Terms that are good for the side that has them.
const GOOD: [&str; 25] = [
    "material",
    "bishop_pair",
    "tempo",
    "outpost_knight",
    "outpost_bishop",
    "outpost_reachable",
    "minor_behind_pawn",
    "bishop_long_diagonal",
    "rook_open_file",
    "rook_behind_passer",
    "pawn_phalanx",
    "pawn_supported",
    "pawn_candidate",
    "passed",
    "passed_supported",
    "passed_free_path",
    "passed_safe_path",
    "passed_unstoppable",
    "threat_by_pawn",
    "threat_by_minor",
    "threat_by_rook",
    "threat_by_king",
    "threat_hanging",
    "threat_by_push",
    "threat_weakly_protected",
];
/// Terms that are bad for it.
const BAD: [&str; 9] = [
    "bad_bishop",
    "bad_bishop_blocked",
    "trapped_bishop",
    "trapped_rook",
    "weak_queen",
    "pawn_isolated",
    "pawn_doubled",
    "pawn_backward",
    "passed_blocked",
];
/// Standard errors that a weight must be away from zero.
const CLEARLY: f64 = 2.0;

/// A weight with the other sign.
#[derive(Clone, Debug, PartialEq)]
pub struct Unexpected {
    pub term: &'static str,
    pub index: usize,
    /// `mg` or `eg`.
    pub phase: &'static str,
    /// Centipawns.
    pub weight: f64,
    /// Standard error of it.
    pub error: f64,
}

/// The weights of wilo that clearly have the other sign, those farthest from zero first.
pub fn unexpected(wilo: &Fit) -> Vec<Unexpected> {
    let sides = [(&GOOD[..], 1.0), (&BAD[..], -1.0)];
    let expected = |name: &str| sides.iter().find(|(names, _)| names.contains(&name)).map(|(_, sign)| *sign);
    let mut found = Vec::new();
    for term in TERMS {
        let Some(sign) = expected(term.name) else { continue };
        for index in 0..term.len {
            for (phase, name) in ["mg", "eg"].into_iter().enumerate() {
                let parameter = 2 * term.at(index) + phase;
                let Some(error) = wilo.uncertainty.of(parameter) else { continue };
                let weight = wilo.solution.parameters[parameter];
                if sign * weight < -CLEARLY * error {
                    found.push(Unexpected { term: term.name, index, phase: name, weight, error });
                }
            }
        }
    }
    found.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_terms() {
        for name in GOOD.iter().chain(&BAD) {
            assert!(TERMS.iter().any(|term| term.name == *name), "{name}");
        }
    }
}
