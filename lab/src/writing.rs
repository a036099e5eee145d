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
    halfpoint::files::check_own(path, mark, overwrite).with_context(|| cannot_write(path))
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

/// A new file, compressed as gzip if its name ends in `.gz` and as Zstandard if it ends in `.zst`. Nothing is overwritten, and
/// what is not finished does not stay.
pub struct NewFile {
    path: PathBuf,
    file: File,
    /// What was not written yet.
    part: Vec<u8>,
    is_finished: bool,
}

impl NewFile {
    pub fn create(path: &Path) -> Result<NewFile> {
        let file = File::create_new(path).with_context(|| path.display().to_string())?;
        Ok(NewFile { path: path.to_owned(), file, part: Vec::new(), is_finished: false })
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.part.extend_from_slice(bytes);
        if self.part.len() >= PART { self.write_part() } else { Ok(()) }
    }

    /// Writes what is left.
    pub fn finish(mut self) -> Result<()> {
        self.write_part()?;
        self.is_finished = true;
        Ok(())
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
        if !self.is_finished {
            // What went wrong first is what the user has to know.
            let _ = fs::remove_file(&self.path);
        }
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
