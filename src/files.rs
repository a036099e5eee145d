//! Files written whole: an interruption or a full disk leaves what was there.

mod identity;

pub use identity::{State, check_apart, state};

use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// How much of a file is searched for the mark of the command that wrote it.
const HEAD_BYTES: u64 = 1 << 16;
/// Most links that lead to a file, one after the other.
const MAX_LINKS: usize = 40;

/// Writes a file under another name beside its place, has the disk take it, and renames it. A link stays one, also if
/// what it leads to is not there yet, and permissions stay as they are. What is no ordinary file, such as a pipe, is written to as it is.
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
        found => replace(&target(path)?, bytes.as_ref(), found.ok().map(|metadata| metadata.permissions())),
    }
}

/// The file that a path leads to through links, whether it is there or not.
///
/// # Errors
///
/// That the links go round.
pub fn target(path: &Path) -> io::Result<PathBuf> {
    if let Ok(there) = fs::canonicalize(path) {
        return Ok(there);
    }
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&target) {
            Ok(next) => target = folder_of(&target).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "too many links one after the other"))
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
            // Behind a link, such as that of standard output, the folder is another.
            let beside = beside(&target(path)?);
            File::create(&beside).and_then(|_| fs::remove_file(&beside))
        }
    }
}

/// The text of a regular file of at most `most` bytes. Pipes, terminals and devices, which might never end, are not read.
///
/// # Errors
///
/// Why the file cannot be read.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read(path, most)?).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not a text in UTF-8"))
}

/// The bytes of a regular file, as [`read_text`] reads one.
///
/// # Errors
///
/// Why the file cannot be read.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let refused = |reason: String| Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    if !fs::metadata(path)?.is_file() {
        return refused("not a regular file".to_owned());
    }
    // It may be another file by now.
    let file = open_without_waiting(path)?;
    if !file.metadata()?.is_file() {
        return refused("not a regular file".to_owned());
    }
    let mut bytes = Vec::new();
    // One byte more: a file may have grown.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return refused(format!("larger than {} MiB", most >> 20));
    }
    Ok(bytes)
}

#[cfg(unix)]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)
}

#[cfg(not(unix))]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Holds a file until what is returned is dropped, so that of several processes that read, change and write it none loses what
/// another wrote; waits for the others. What is locked is the folder, since a file that is renamed takes no lock with it. A
/// folder that cannot be locked, as on some file systems, is not.
#[must_use]
pub fn hold(path: &Path) -> Option<File> {
    let target = target(path).ok()?;
    File::open(folder_of(&target)).ok().filter(|folder| folder.lock().is_ok())
}

/// Whether [`write()`] can write a file without loss of what another program made: `is_own` must know the first 64 KiB of a
/// file that is there, unless it is to be replaced in any case.
///
/// # Errors
///
/// Why not.
pub fn check_own(path: &Path, is_own: impl Fn(&str) -> bool, overwrite: bool) -> io::Result<()> {
    check(path)?;
    if overwrite || !path.is_file() {
        return Ok(());
    }
    let mut head = Vec::new();
    File::open(path)?.take(HEAD_BYTES).read_to_end(&mut head)?;
    if head.is_empty() || is_own(&String::from_utf8_lossy(&head)) {
        return Ok(());
    }
    let reason = "it exists and was not written by this command; --overwrite replaces it";
    Err(io::Error::new(io::ErrorKind::AlreadyExists, reason))
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
    written?;
    sync_folder(path);
    Ok(())
}

/// Has the disk take the new name, too. Not every file system can, and the file is whole with either name.
fn sync_folder(path: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
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

    #[test]
    fn files_of_others_are_left_alone() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.txt");
        let check = |overwrite| check_own(&path, |head| head.contains("mine"), overwrite);
        check(false).unwrap();
        for own in ["", "this is mine"] {
            write(&path, own).unwrap();
            check(false).unwrap();
        }
        write(&path, "another's").unwrap();
        assert!(check(false).unwrap_err().to_string().contains("--overwrite"));
        check(true).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn one_at_a_time_holds_a_file() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("count.txt");
        write(&path, "0").unwrap();
        let add = || {
            for _ in 0..20 {
                let hold = hold(&path);
                assert!(hold.is_some());
                let count: u32 = fs::read_to_string(&path).unwrap().parse().unwrap();
                write(&path, (count + 1).to_string()).unwrap();
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(add);
            }
        });
        assert_eq!(fs::read_to_string(&path).unwrap(), "60");
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_of_some_size_are_read() {
        use std::os::unix::net::UnixListener;
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.txt");
        write(&path, "12345").unwrap();
        assert_eq!(read_text(&path, 5).unwrap(), "12345");
        assert_eq!(read_text(&path, 4).unwrap_err().to_string(), "larger than 0 MiB");
        let socket = folder.path().join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        for wrong in [&socket, Path::new("/dev/zero"), folder.path()] {
            assert_eq!(read_text(wrong, 5).unwrap_err().to_string(), "not a regular file");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_check_looks_where_a_link_leads() {
        use std::os::unix::fs::symlink;
        let folder = TempDir::new().unwrap();
        let [path, there] = ["a.txt", "no"].map(|name| folder.path().join(name));
        write(&path, "").unwrap();
        fs::create_dir(&there).unwrap();
        symlink(&path, there.join("link")).unwrap();
        let mut permissions = fs::metadata(&there).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&there, permissions).unwrap();
        check(&there.join("link")).unwrap();
        assert!(fs::read_dir(&there).unwrap().count() == 1);
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

    #[cfg(unix)]
    #[test]
    fn what_a_dangling_link_leads_to_is_written() {
        use std::os::unix::fs::symlink;
        let folder = TempDir::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("there")).unwrap();
        for (link, to) in [("one", "two"), ("two", "there/three"), ("lost", "no/file"), ("round", "round")] {
            symlink(to, at(link)).unwrap();
        }
        check(&at("one")).unwrap();
        write(&at("one"), "text").unwrap();
        assert_eq!(fs::read_to_string(at("there/three")).unwrap(), "text");
        assert_eq!(fs::read_dir(at("there")).unwrap().count(), 1);
        for wrong in ["lost", "round"] {
            assert!(check(&at(wrong)).is_err() && write(&at(wrong), "text").is_err(), "{wrong}");
        }
        assert!(["one", "two", "lost", "round"].iter().all(|link| at(link).is_symlink()));
    }
}
