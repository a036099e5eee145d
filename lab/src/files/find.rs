//! Finding files.

use super::FileError;
use super::compress::ending;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files that paths stand for: files as they are; folders for what they hold of `.pgn`, `.pgn.gz` and `.pgn.zst`,
/// with `recursive` in all folders below. Sorted within each folder.
///
/// # Errors
///
/// [`FileError`] if a path cannot be read, nothing is found, or the same games come twice: by two paths, or in two ways of
/// compression.
pub fn find(paths: &[PathBuf], recursive: bool) -> Result<Vec<PathBuf>, FileError> {
    let mut files = Vec::new();
    for path in paths {
        if fs::metadata(path).map_err(FileError::unreadable(path))?.is_dir() {
            find_in(path, recursive, &mut files)?;
        } else {
            files.push(path.clone());
        }
    }
    if files.is_empty() {
        return Err(FileError::NoneFound);
    }
    let mut plain = BTreeMap::new();
    for file in &files {
        let place = fs::canonicalize(file).map_err(FileError::unreadable(file))?;
        if let Some(other) = plain.insert(without_compression(&place), file) {
            return Err(FileError::Twice { first: other.clone(), second: file.clone() });
        }
    }
    Ok(files)
}

fn find_in(folder: &Path, recursive: bool, files: &mut Vec<PathBuf>) -> Result<(), FileError> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut paths: Vec<_> = entries.map_err(FileError::unreadable(folder))?.iter().map(fs::DirEntry::path).collect();
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

fn without_compression(path: &Path) -> PathBuf {
    match path.extension() {
        Some(extension) if extension == "gz" || extension == "zst" => path.with_extension(""),
        _ => path.to_owned(),
    }
}
