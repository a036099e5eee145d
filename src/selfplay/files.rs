//! Files that may be compressed: gzip and Zstandard, told by the first bytes when reading and by the name when writing.

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Bytes read and written at a time.
const BUFFER: usize = 1 << 18;
/// Compression level of Zstandard, 1 to 22.
const ZSTD_LEVEL: i32 = 9;

/// Opens a file for reading, uncompressed on the way if it begins like gzip or Zstandard.
///
/// # Errors
///
/// What the system says when the file cannot be read.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    let mut file = File::open(path)?;
    let mut magic = Vec::new();
    Read::by_ref(&mut file).take(ZSTD_MAGIC.len() as u64).read_to_end(&mut magic)?;
    let whole = BufReader::with_capacity(BUFFER, io::Cursor::new(magic.clone()).chain(file));
    Ok(if magic.starts_with(&GZIP_MAGIC) {
        Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(whole)))
    } else if magic.starts_with(&ZSTD_MAGIC) {
        Box::new(BufReader::with_capacity(BUFFER, zstd::Decoder::with_buffer(whole)?))
    } else {
        Box::new(whole)
    })
}

/// A new file, compressed if its name ends in `.gz` or `.zst`.
pub enum Output {
    /// As it is.
    Plain(BufWriter<File>),
    /// gzip.
    Gzip(GzEncoder<BufWriter<File>>),
    /// Zstandard.
    Zstd(zstd::Encoder<'static, BufWriter<File>>),
}

impl Output {
    /// Creates a file.
    ///
    /// # Errors
    ///
    /// What the system says when the file cannot be created, and that it exists if it does: nothing is overwritten.
    pub fn create(path: &Path) -> io::Result<Output> {
        let file = BufWriter::with_capacity(BUFFER, File::create_new(path)?);
        Ok(match path.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => Output::Gzip(GzEncoder::new(file, Compression::default())),
            Some("zst") => Output::Zstd(zstd::Encoder::new(file, ZSTD_LEVEL)?),
            _ => Output::Plain(file),
        })
    }

    /// Writes what is left. Without this a compressed file is not complete.
    ///
    /// # Errors
    ///
    /// What the system says when the file cannot be written.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Output::Plain(file) => file,
            Output::Gzip(encoder) => encoder.finish()?,
            Output::Zstd(encoder) => encoder.finish()?,
        }
        .flush()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Plain(file) => file.write(bytes),
            Output::Gzip(encoder) => encoder.write(bytes),
            Output::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Plain(file) => file.flush(),
            Output::Gzip(encoder) => encoder.flush(),
            Output::Zstd(encoder) => encoder.flush(),
        }
    }
}
