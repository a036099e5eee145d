//! Counts of results by move number, material and evaluation, and their JSON.

use crate::outcome::Outcome;
use crate::reading::{invalid, read_text};
use crate::writing;
use anyhow::{Result, bail};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// Where counts go and come from if no file is named.
pub const DEFAULT: &str = "scoreWDLstat.json";

/// What stands in files of counts alone.
pub const MARK: &str = "\"('";

/// Largest file that is read.
const MAX_BYTES: u64 = 1 << 30;
/// Most positions that are counted in all: sums of so many fit in any number that they come into.
const MAX_TOTAL: u64 = 1 << 53;
/// Largest move number, material and evaluation that a key may have.
const MAX_KEY: u32 = 100_000;

/// What is counted: positions before a move, seen by the side to move. Written as `('D', 1, 78, 35)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// How the game ended for the side to move.
    pub outcome: Outcome,
    pub fullmove: u32,
    /// Men of both sides: pawns 1, knights and bishops 3, rooks 5, queens 9; 78 at the start.
    pub material: u32,
    /// Centipawns, in bins, cut at ±1000; ±1001 for mates.
    pub evaluation: i32,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "('{}', {}, {}, {})", self.outcome.letter(), self.fullmove, self.material, self.evaluation)
    }
}

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Key, String> {
        let read = || {
            let mut parts = text.strip_prefix('(')?.strip_suffix(')')?.split(',').map(str::trim);
            let letter = parts.next()?.strip_prefix('\'')?.strip_suffix('\'')?;
            let outcome = Outcome::ALL.into_iter().find(|outcome| letter == outcome.letter().to_string())?;
            let fullmove: u32 = parts.next()?.parse().ok()?;
            let material: u32 = parts.next()?.parse().ok()?;
            let evaluation: i32 = parts.next()?.parse().ok()?;
            let fits = [fullmove, material, evaluation.unsigned_abs()].into_iter().all(|number| number <= MAX_KEY);
            (fits && parts.next().is_none()).then_some(Key { outcome, fullmove, material, evaluation })
        };
        read().ok_or_else(|| format!("{text:?} is not of the form \"('D', 1, 78, 35)\""))
    }
}

/// How often each key was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(HashMap<Key, u64>);

impl Counts {
    /// Counts a position.
    pub fn add(&mut self, key: Key, times: u64) {
        *self.0.entry(key).or_default() += times;
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: Counts) {
        if self.0.is_empty() {
            *self = other;
        } else {
            other.iter().for_each(|(key, times)| self.add(key, times));
        }
    }

    /// All keys with their counts, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (Key, u64)> {
        self.0.iter().map(|(&key, &times)| (key, times))
    }

    /// Positions counted.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// Adds the counts of a JSON file.
    pub fn read(&mut self, path: &Path) -> Result<()> {
        let text = read_text(path, MAX_BYTES)?;
        let map: HashMap<String, u64> = serde_json::from_str(&text)
            .map_err(|reason| invalid(path, format!("not counts, as `count` writes them: {reason}")))?;
        let total = map.values().try_fold(self.total(), |sum, &times| sum.checked_add(times));
        if total.is_none_or(|total| total > MAX_TOTAL) {
            bail!("'{}': more than {MAX_TOTAL} positions in all", path.display());
        }
        for (key, times) in map {
            self.add(key.parse().map_err(|reason: String| invalid(path, reason))?, times);
        }
        Ok(())
    }

    /// Writes the counts as JSON, sorted by key.
    pub fn write(&self, path: &Path) -> Result<()> {
        let sorted: BTreeMap<_, _> = self.iter().map(|(key, times)| (key.to_string(), times)).collect();
        let text = serde_json::to_vec_pretty(&sorted).map_err(|reason| invalid(path, reason))?;
        writing::write(path, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_written_as_they_are_read() {
        for text in ["('D', 1, 78, 35)", "('W', 120, 17, -1001)", "('L', 3, 0, 0)"] {
            assert_eq!(text.parse::<Key>().unwrap().to_string(), text);
        }
        for text in
            ["", "('X', 1, 78, 35)", "('D', 1, 78)", "('D', 1, 78, 35, 4)", "('D', -1, 78, 35)", "('D', 1, 78, x)"]
        {
            assert!(text.parse::<Key>().unwrap_err().contains(text), "{text}");
        }
    }
}
