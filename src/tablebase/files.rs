//! The files of tables as their reader sees them. It reads a few bytes at a time, so the beginnings stay in memory.

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};
use std::io;
use std::path::{Path, PathBuf};

/// Size up to which a file is kept as a whole, bytes: all of up to four pieces are smaller.
const SMALL_BYTES: u64 = 512 << 10;
/// What is kept of larger ones, bytes: mostly all that is read when a table is opened.
const HEADER_BYTES: u64 = 64 << 10;

/// The files of the system.
#[derive(Default)]
pub struct TableFiles {
    files: OsFilesystem,
}

impl Filesystem for TableFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.files.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.files.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let size = self.regular_file_size(path)?;
        let file = self.files.open(path)?;
        let mut start = vec![0; if size <= SMALL_BYTES { size } else { HEADER_BYTES } as usize];
        file.read_exact_at(&mut start, 0, ReadHint::Header)?;
        Ok(Box::new(TableFile { file, start }))
    }
}

struct TableFile {
    file: Box<dyn RandomAccessFile>,
    start: Vec<u8>,
}

impl RandomAccessFile for TableFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64, hint: ReadHint) -> io::Result<usize> {
        let kept = usize::try_from(offset).ok().and_then(|offset| self.start.get(offset..)).unwrap_or_default();
        if kept.is_empty() {
            return self.file.read_at(buffer, offset, hint);
        }
        let count = kept.len().min(buffer.len());
        buffer[..count].copy_from_slice(&kept[..count]);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_as_they_are() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("file");
        for size in [0, 100, SMALL_BYTES, SMALL_BYTES + 100] {
            let bytes: Vec<u8> = (0..size).map(|index| (index % 251) as u8).collect();
            std::fs::write(&path, &bytes).unwrap();
            let file = TableFiles::default().open(&path).unwrap();
            for at in [0, 50, HEADER_BYTES - 2, HEADER_BYTES, size.saturating_sub(4), size] {
                let mut found = [0; 4];
                let read = file.read_exact_at(&mut found, at, ReadHint::Data).is_ok();
                let expected = bytes.get(at as usize..at as usize + 4);
                assert_eq!(read.then_some(&found[..]), expected, "{at} of {size}");
            }
        }
    }
}
