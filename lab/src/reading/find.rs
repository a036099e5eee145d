//! Finding files.

use super::cannot_read;
use crate::writing::{compression, ending};
use anyhow::{Context, Result, bail};
use halfpoint::games::STANDARD_INPUT;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files that paths stand for: files as they are; folders for what they hold of `.pgn`, `.pgn.gz` and `.pgn.zst`,
/// with `recursive` in all folders below. Sorted within each folder. The same games by two paths, or in two ways of
/// compression, are an error.
pub fn find(paths: &[PathBuf], recursive: bool) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path == Path::new(STANDARD_INPUT) {
            files.push(path.clone());
        } else if fs::metadata(path).with_context(|| cannot_read(path))?.is_dir() {
            find_in(path, recursive, &mut files)?;
        } else {
            files.push(path.clone());
        }
    }
    if files.is_empty() {
        bail!("no .pgn, .pgn.gz or .pgn.zst file found");
    }
    check_distinct(files.iter().map(PathBuf::as_path))?;
    Ok(files)
}

/// Refuses a file that is named twice, or beside itself compressed: its games would be on both sides of a split, or count twice.
/// Pipes have no name of their own.
pub fn check_distinct<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<()> {
    let mut plain = BTreeMap::new();
    for path in paths.into_iter().filter(|path| path.is_file()) {
        let mut name = fs::canonicalize(path).with_context(|| cannot_read(path))?;
        if compression(&name).is_some() {
            name.set_extension("");
        }
        if let Some(other) = plain.insert(name, path) {
            bail!("'{}' and '{}' hold the same", other.display(), path.display());
        }
    }
    Ok(())
}

fn find_in(folder: &Path, recursive: bool, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut paths: Vec<_> = entries.with_context(|| cannot_read(folder))?.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            // A link may lead back to where it stands.
            if recursive && !path.is_symlink() {
                find_in(&path, recursive, files)?;
            }
        } else if ending(&path).as_deref() == Some("pgn") {
            files.push(path);
        }
    }
    Ok(())
}
