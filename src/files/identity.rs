//! Which paths are one file, and whether a file is still the same.

use super::{folder_of, target};
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

/// What tells a file from others, however its path is written.
#[derive(PartialEq, Eq)]
enum Identity {
    #[cfg(unix)]
    Inode(u64, u64),
    Path(PathBuf),
}

/// Refuses a path that is given for two outputs, and an output that is a file to be read, also where they are written in
/// different ways or lead to the same file through links. Terminals and devices such as `/dev/null` may be given as often as one
/// likes.
///
/// # Errors
///
/// Which of them are the same.
pub fn check_apart<'a>(outputs: &[&'a Path], inputs: impl IntoIterator<Item = &'a Path>) -> io::Result<()> {
    let refused = |reason: String| Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    let known: Vec<_> = outputs.iter().map(|path| identity(path)).collect();
    for (index, own) in known.iter().enumerate().filter(|(_, own)| own.is_some()) {
        if let Some(other) = known[..index].iter().position(|other| other == own) {
            let (first, second) = (outputs[other].display(), outputs[index].display());
            return refused(format!("'{first}' and '{second}' are the same file, but each is to be written"));
        }
    }
    for input in inputs.into_iter().filter(|input| input.is_file()) {
        let own = identity(input);
        if let Some(output) = known.iter().position(|output| *output == own) {
            return refused(format!("'{}' is to be written, but it is an input", outputs[output].display()));
        }
    }
    Ok(())
}

/// None of what takes all that is written without keeping it.
fn identity(path: &Path) -> Option<Identity> {
    match fs::metadata(path) {
        Ok(metadata) if is_device(metadata.file_type()) => None,
        #[cfg(unix)]
        Ok(metadata) => {
            use std::os::unix::fs::MetadataExt;
            Some(Identity::Inode(metadata.dev(), metadata.ino()))
        }
        _ => {
            let path = target(path).unwrap_or_else(|_| path.to_owned());
            let folder = fs::canonicalize(folder_of(&path)).or_else(|_| std::path::absolute(folder_of(&path)));
            Some(Identity::Path(folder.unwrap_or_default().join(path.file_name().unwrap_or_default())))
        }
    }
}

#[cfg(unix)]
fn is_device(kind: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_char_device(&kind)
}

#[cfg(not(unix))]
fn is_device(_: FileType) -> bool {
    false
}

/// Size of a file and when it was written, from 1970; `None` if there is no regular file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State(Option<(u64, Option<Duration>)>);

/// The state of a file. It is another when a program has written it in between.
#[must_use]
pub fn state(path: &Path) -> State {
    let metadata = fs::metadata(path).ok().filter(|metadata| metadata.is_file());
    let written = |metadata: &fs::Metadata| metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok();
    State(metadata.map(|metadata| (metadata.len(), written(&metadata))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn one_file_is_known_by_all_its_names() {
        let folder = TempDir::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        fs::write(at("there"), "").unwrap();
        let outputs = |first: &str, second: &str| check_apart(&[&at(first), &at(second)], []);
        let mut same = vec![("new", "new"), ("new", "sub/../new"), ("there", "./there"), ("no/new", "no/new")];
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("new", at("dangling")).unwrap();
            std::os::unix::fs::symlink("sub", at("folder")).unwrap();
            fs::hard_link(at("there"), at("hard")).unwrap();
            same.extend([("new", "dangling"), ("sub/new", "folder/new"), ("there", "hard")]);
            check_apart(&[Path::new("/dev/null"), Path::new("/dev/null")], [Path::new("/dev/null")]).unwrap();
        }
        for (first, second) in same {
            let reason = outputs(first, second).unwrap_err().to_string();
            assert!(reason.contains("are the same file"), "{first} {second}: {reason}");
        }
        outputs("new", "there").unwrap();
        outputs("new", "sub/new").unwrap();
        let input = |output: &str, input: &str| check_apart(&[&at(output)], [at(input).as_path()]);
        assert!(input("sub/../there", "there").unwrap_err().to_string().contains("it is an input"));
        input("new", "there").unwrap();
        input("new", "new").unwrap();
    }

    #[test]
    fn what_is_written_is_in_another_state() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.txt");
        let none = state(&path);
        fs::write(&path, "one").unwrap();
        let one = state(&path);
        assert!(none != one && one == state(&path));
        fs::write(&path, "three").unwrap();
        assert_ne!(one, state(&path));
    }
}
