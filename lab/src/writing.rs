//! Files that commands write.

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Checks, before the work for it, that a file can be written, and that what is there was made by the command whose files
/// contain `mark`, unless it is to be replaced in any case.
pub fn check_own(path: &Path, mark: &str, overwrite: bool) -> Result<()> {
    halfpoint::files::check_own(path, |head| head.contains(mark), overwrite).with_context(|| cannot_write(path))
}

/// Refuses outputs that are the same file, and those that are an input; see [`halfpoint::files::check_apart`].
pub fn check_apart<'a>(outputs: &[&'a Path], inputs: impl IntoIterator<Item = &'a Path>) -> Result<()> {
    Ok(halfpoint::files::check_apart(outputs, inputs)?)
}

/// Writes a file so that an interruption leaves what was there; see [`halfpoint::files::write`].
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    halfpoint::files::write(path, bytes).with_context(|| cannot_write(path))
}

pub fn cannot_write(path: &Path) -> String {
    format!("cannot write '{}'", path.display())
}

/// Bytes that are compressed together, as a member of gzip or a frame of Zstandard.
const PART: usize = 1 << 22;

/// A new file, compressed as gzip if its name ends in `.gz` and as Zstandard if it ends in `.zst`. It has another name until it
/// is whole. Nothing is overwritten, and what is not finished does not stay.
pub struct NewFile {
    path: PathBuf,
    /// Its name until it is whole.
    beside: PathBuf,
    file: File,
    /// What was not written yet.
    part: Vec<u8>,
}

impl NewFile {
    pub fn create(path: &Path) -> Result<NewFile> {
        if fs::symlink_metadata(path).is_ok() {
            return Err(io::Error::from(io::ErrorKind::AlreadyExists)).with_context(|| path.display().to_string());
        }
        let mut beside = path.as_os_str().to_owned();
        beside.push(format!(".{}.tmp", std::process::id()));
        let beside = PathBuf::from(beside);
        let file = File::create(&beside).with_context(|| path.display().to_string())?;
        Ok(NewFile { path: path.to_owned(), beside, file, part: Vec::new() })
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.part.extend_from_slice(bytes);
        if self.part.len() >= PART { self.write_part() } else { Ok(()) }
    }

    /// Writes what is left.
    pub fn finish(mut self) -> Result<()> {
        self.write_part()?;
        let placed = self.file.sync_all().and_then(|()| self.place());
        placed.with_context(|| self.path.display().to_string())
    }

    /// Gives the file its name unless another has it by now.
    fn place(&self) -> io::Result<()> {
        match fs::hard_link(&self.beside, &self.path) {
            // Not every file system has links.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => fs::rename(&self.beside, &self.path),
            placed => placed,
        }
    }

    fn write_part(&mut self) -> Result<()> {
        let packed = match compression(&self.path) {
            None => Ok(std::mem::take(&mut self.part)),
            Some("gz") => gzip(&self.part),
            Some(_) => Ok(compress_to_vec(self.part.as_slice(), CompressionLevel::Fastest)),
        };
        self.part.clear();
        packed.and_then(|packed| self.file.write_all(&packed)).with_context(|| self.path.display().to_string())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // It has its name, or what went wrong first is what the user has to know.
        let _ = fs::remove_file(&self.beside);
    }
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// `gz` or `zst` if the name of a file ends so.
pub fn compression(path: &Path) -> Option<&str> {
    path.extension()?.to_str().filter(|extension| ["gz", "zst"].contains(extension))
}

/// The ending of a file's name in lower case, `.gz` and `.zst` left aside.
pub fn ending(path: &Path) -> Option<String> {
    let name = if compression(path).is_some() { Path::new(path.file_stem()?) } else { path };
    Some(name.extension()?.to_string_lossy().to_ascii_lowercase())
}
