//! Files written whole, and known to be writable before the work begins.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The name that stands for standard output.
const STANDARD_OUTPUT: &str = "-";

/// A file cannot be written.
#[derive(Debug, Error)]
#[error("cannot write '{}': {reason}", path.display())]
pub struct OutputError {
    path: PathBuf,
    reason: io::Error,
}

/// Whether a file can be written, without changing it.
///
/// # Errors
///
/// [`OutputError`] if it cannot.
pub fn check(path: &Path) -> Result<(), OutputError> {
    let failed = |reason| OutputError { path: path.to_owned(), reason };
    match fs::metadata(path) {
        _ if path == Path::new(STANDARD_OUTPUT) => Ok(()),
        Ok(metadata) if metadata.is_dir() => Err(failed(io::ErrorKind::IsADirectory.into())),
        Ok(metadata) if !metadata.is_file() => Ok(()),
        Ok(metadata) if metadata.permissions().readonly() => Err(failed(io::ErrorKind::PermissionDenied.into())),
        _ => {
            let beside = beside(path);
            File::create(&beside).and_then(|_| fs::remove_file(&beside)).map_err(failed)
        }
    }
}

/// Writes a file under another name beside its place and renames it, so that an interruption leaves what was there. What is
/// no ordinary file, such as a pipe, is written to as it is; `-` is standard output.
///
/// # Errors
///
/// [`OutputError`] if it cannot be written.
pub fn write(path: &Path, text: &str) -> Result<(), OutputError> {
    let result = match fs::metadata(path) {
        _ if path == Path::new(STANDARD_OUTPUT) => io::stdout().lock().write_all(text.as_bytes()),
        Ok(metadata) if !metadata.is_file() => fs::write(path, text),
        Ok(_) => fs::canonicalize(path).and_then(|place| replace(&place, text)),
        Err(_) => replace(path, text),
    };
    result.map_err(|reason| OutputError { path: path.to_owned(), reason })
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let beside = beside(path);
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // What went wrong first is what the user has to know.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A name of this process's own.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    name.into()
}
