//! Files written whole: an interruption or a full disk leaves what was there.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file under another name beside its place, has the disk take it, and renames it. A link stays one, and permissions
/// stay as they are. What is no ordinary file, such as a pipe, is written to as it is.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("weights.toml");
/// halfpoint::files::write(&path, "old")?;
/// halfpoint::files::write(&path, "new")?;
/// assert_eq!(std::fs::read_to_string(&path)?, "new");
/// # Ok::<_, std::io::Error>(())
/// ```
///
/// # Errors
///
/// Why the file cannot be written; then it is as before.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => fs::write(path, bytes),
        Ok(metadata) => replace(&fs::canonicalize(path)?, bytes.as_ref(), Some(metadata.permissions())),
        Err(_) => replace(path, bytes.as_ref(), None),
    }
}

/// Whether [`write()`] can write a file, without changing it.
///
/// # Errors
///
/// Why not.
pub fn check(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(metadata) if !metadata.is_file() => Ok(()),
        Ok(metadata) if metadata.permissions().readonly() => Err(io::ErrorKind::PermissionDenied.into()),
        _ => {
            let beside = beside(path);
            File::create(&beside).and_then(|_| fs::remove_file(&beside))
        }
    }
}

fn replace(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    if permissions.as_ref().is_some_and(Permissions::readonly) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let beside = beside(path);
    let written = write_beside(&beside, bytes, permissions).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // What went wrong first is what the user has to know.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn write_beside(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    // A rename may reach the disk before the contents do.
    file.sync_all()
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
        assert!(write(&folder.path().join("no/a.txt"), "x").is_err());
        assert!(write(folder.path(), "x").is_err());
    }

    #[test]
    fn a_check_changes_nothing() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.txt");
        check(&path).unwrap();
        assert!(!path.exists());
        assert!(check(folder.path()).is_err() && check(&folder.path().join("no/a.txt")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = TempDir::new().unwrap();
        let [path, link] = ["a.txt", "b.txt"].map(|name| folder.path().join(name));
        write(&path, "one").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        write(&link, "two").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        fs::set_permissions(&path, Permissions::from_mode(0o440)).unwrap();
        assert!(write(&path, "three").is_err() && check(&path).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
    }
}
