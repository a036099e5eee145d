//! What the engine said of positions, kept in a file so that each is searched once.

use super::super::verdict::Verdict;
use crate::reading::{cannot_read, invalid};
use crate::writing;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Stands where there is nothing.
const NONE: &str = "-";

/// Verdicts by position and nodes. A line of the file: nodes, position, per mille of win, draw and loss, moves to mate,
/// centipawns; with tabs between.
#[derive(Debug, Default)]
pub struct Kept(BTreeMap<(u64, String), Verdict>);

/// The first line of the file: what other engines say, or with other options, is of no use.
fn header(engine: &str) -> String {
    format!("verdicts of {engine}")
}

impl Kept {
    /// Those of a file; none if there is no file.
    pub fn read(path: &Path, engine: &str) -> Result<Kept> {
        let file = match File::open(path) {
            Err(reason) if reason.kind() == io::ErrorKind::NotFound => return Ok(Kept::default()),
            file => file.with_context(|| cannot_read(path))?,
        };
        let mut kept = Kept::default();
        for (index, line) in BufReader::new(file).lines().enumerate() {
            let line = line.with_context(|| cannot_read(path))?;
            if index > 0 {
                let (key, verdict) =
                    entry(&line).ok_or_else(|| invalid(path, format!("line {}: no verdict", index + 1)))?;
                kept.0.insert(key, verdict);
            } else if line != header(engine) {
                return Err(invalid(path, format!("line 1: not '{}'", header(engine))));
            }
        }
        Ok(kept)
    }

    pub fn get(&self, nodes: u64, fen: &str) -> Option<Verdict> {
        self.0.get(&(nodes, fen.to_owned())).copied()
    }

    /// Adds verdicts, in the file too.
    pub fn add(&mut self, path: &Path, engine: &str, nodes: u64, found: &[(&str, Verdict)]) -> Result<()> {
        self.0.extend(found.iter().map(|(fen, verdict)| ((nodes, (*fen).to_owned()), *verdict)));
        let mut text = format!("{}\n", header(engine));
        for ((nodes, fen), verdict) in &self.0 {
            let wdl = verdict.wdl.map_or(NONE.to_owned(), |wdl| wdl.map(|x| x.to_string()).join(" "));
            let [mate, centipawns] =
                [verdict.mate, verdict.centipawns].map(|x| x.map_or(NONE.to_owned(), |x| x.to_string()));
            let _ = writeln!(text, "{nodes}\t{fen}\t{wdl}\t{mate}\t{centipawns}");
        }
        writing::write(path, text)
    }
}

/// A line of the file.
fn entry(line: &str) -> Option<((u64, String), Verdict)> {
    let [nodes, fen, wdl, mate, centipawns] = line.split('\t').collect::<Vec<_>>()[..] else { return None };
    let numbers = || wdl.split(' ').map(|x| x.parse().ok()).collect::<Option<Vec<u32>>>()?.try_into().ok();
    let wdl = if wdl == NONE { None } else { Some(numbers()?) };
    let whole = |text: &str| if text == NONE { Some(None) } else { text.parse().ok().map(Some) };
    let (mate, centipawns) = (whole(mate)?, whole(centipawns)?);
    Some(((nodes.parse().ok()?, fen.to_owned()), Verdict { wdl, centipawns, mate }))
}
