//! Files written whole.

use super::FileError;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Writes a file. It is written under another name beside its place and then renamed, so that an interruption leaves what
/// was there. What is no ordinary file, such as a pipe, is written to as it is.
///
/// # Errors
///
/// [`FileError`] if the file cannot be written.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), FileError> {
    let result = match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => fs::write(path, bytes),
        Ok(metadata) => {
            // A link stays one.
            let place = fs::canonicalize(path).map_err(FileError::unwritable(path))?;
            replace(&place, bytes.as_ref(), Some(metadata.permissions()))
        }
        Err(_) => replace(path, bytes.as_ref(), None),
    };
    result.map_err(FileError::unwritable(path))
}

fn replace(path: &Path, bytes: &[u8], permissions: Option<fs::Permissions>) -> io::Result<()> {
    if permissions.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let beside = beside(path);
    let written = fs::write(&beside, bytes)
        .and_then(|()| permissions.map_or(Ok(()), |permissions| fs::set_permissions(&beside, permissions)))
        .and_then(|()| fs::rename(&beside, path));
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

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn files_are_replaced_as_a_whole() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.txt");
        write(&path, "one").unwrap();
        write(&path, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let error = write(&folder.path().join("no/a.txt"), "x").unwrap_err().to_string();
        assert!(error.starts_with("cannot write '") && error.contains("no/a.txt"), "{error}");
        assert!(write(folder.path(), "x").is_err());
    }
}
