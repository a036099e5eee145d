//! What fishtest tells about a test, in `ID.json` beside its games `ID.pgn`, `ID-0.pgn` and so on.

use crate::reading::{cannot_read, invalid};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::io;
use std::path::{Path, PathBuf};

/// Largest file that is read.
const MAX_BYTES: u64 = 64 << 20;

/// Conditions and results of a test.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Metadata {
    pub args: Conditions,
    #[serde(default)]
    pub results: Results,
}

/// Conditions of a test.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Conditions {
    pub book: Option<String>,
    /// Time control of the base.
    pub tc: Option<String>,
    /// Time control of the new version.
    pub new_tc: Option<String>,
    /// Revision of the base.
    pub resolved_base: Option<String>,
    /// Revision of the new version.
    pub resolved_new: Option<String>,
    pub threads: Option<u32>,
    /// There for sequential tests.
    pub sprt: Option<serde_json::Value>,
}

/// Results of a test.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Results {
    /// Pairs of games in which the new version made 0, ½, 1, 1½ and 2 points.
    pub pentanomial: Option<[u64; 5]>,
}

/// The test that a file belongs to: its path up to the first `-` or `.` of the name.
pub fn test_of(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let id = name.split(['-', '.']).next().unwrap_or_default();
    path.with_file_name(id)
}

impl Metadata {
    /// Reads what is known about a test, if anything.
    pub fn read(test: &Path) -> Result<Option<Metadata>> {
        let mut name = test.as_os_str().to_owned();
        name.push(".json");
        let path = PathBuf::from(name);
        match halfpoint::files::read_text(&path, MAX_BYTES) {
            Ok(text) => Metadata::from_json(text.as_bytes()).map_err(|reason| invalid(&path, reason)),
            Err(reason) if reason.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(reason) => Err(reason).with_context(|| cannot_read(&path)),
        }
    }

    /// Reads the text of a file; other JSON, without conditions of a test, says nothing of one.
    fn from_json(text: &[u8]) -> serde_json::Result<Option<Metadata>> {
        let value: serde_json::Value = serde_json::from_slice(text)?;
        value.get("args").is_some().then(|| serde_json::from_value(value)).transpose()
    }

    /// Normalised Elo difference that the pairs of games show; `None` without results.
    pub fn normalized_elo(&self) -> Option<f64> {
        let pairs = self.results.pentanomial?.map(|pairs| pairs as f64);
        let total: f64 = pairs.iter().sum();
        let points = [0.0, 0.25, 0.5, 0.75, 1.0];
        let mean = pairs.iter().zip(points).map(|(n, x)| n * x).sum::<f64>() / total;
        let variance = pairs.iter().zip(points).map(|(n, x)| n * (x - mean).powi(2)).sum::<f64>() / total;
        Some((mean - 0.5) / (2.0 * variance).sqrt() * 800.0 / std::f64::consts::LN_10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_test_share_its_metadata() {
        for name in ["a/66c.pgn", "a/66c-17.pgn.gz", "a/66c.pgn.zst"] {
            assert_eq!(test_of(Path::new(name)), Path::new("a/66c"));
        }
    }

    #[test]
    fn other_files_beside_games_are_no_metadata() {
        for other in ["{\"('W', 1, 78, 35)\": 3}", "[1, 2]", "7"] {
            assert!(Metadata::from_json(other.as_bytes()).unwrap().is_none(), "{other}");
        }
        let metadata = Metadata::from_json(b"{\"args\": {\"tc\": \"10+0.1\"}}").unwrap().unwrap();
        assert_eq!(metadata.args.tc.as_deref(), Some("10+0.1"));
        assert!(Metadata::from_json(b"{").is_err());
        assert!(Metadata::from_json(b"{\"args\": {\"threads\": \"two\"}}").is_err());
    }

    #[test]
    fn elo_comes_from_pairs() {
        let metadata = |pairs: &str| -> Metadata {
            serde_json::from_str(&format!(
                "{{\"args\": {{\"sprt\": {{}}}}, \"results\": {{\"pentanomial\": {pairs}}}}}"
            ))
            .unwrap()
        };
        assert_eq!(metadata("[1, 10, 50, 10, 1]").normalized_elo(), Some(0.0));
        assert!(metadata("[1, 10, 50, 12, 1]").normalized_elo().unwrap() > 1.0);
        assert!(metadata("[1, 10, 50, 10, 1]").args.sprt.is_some());
    }
}
