//! Files that may be compressed, by name: gzip if it ends in `.gz`, Zstandard if it ends in `.zst`.

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use indicatif::ProgressBar;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// Bytes read and written at a time.
const BUFFER: usize = 1 << 18;
/// Compression level of Zstandard, 1 to 22.
const ZSTD_LEVEL: i32 = 9;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Not at all.
    Plain,
    /// gzip.
    Gzip,
    /// Zstandard.
    Zstd,
}

impl Packing {
    /// What the name of a file says.
    #[must_use]
    pub fn of(path: &Path) -> Packing {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => Packing::Gzip,
            Some("zst") => Packing::Zstd,
            _ => Packing::Plain,
        }
    }
}

/// The ending of a file's name in lower case, `.gz` and `.zst` left aside.
#[must_use]
pub fn ending(path: &Path) -> Option<String> {
    let name = match Packing::of(path) {
        Packing::Plain => path,
        Packing::Gzip | Packing::Zstd => Path::new(path.file_stem()?),
    };
    Some(name.extension()?.to_string_lossy().to_ascii_lowercase())
}

/// Opens a file for reading, uncompressed on the way.
///
/// # Errors
///
/// What the system says when the file cannot be read.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    open_with(path, &ProgressBar::hidden())
}

/// The same, with the bytes read shown on a bar.
///
/// # Errors
///
/// As those of [`open`].
pub fn open_with(path: &Path, progress: &ProgressBar) -> io::Result<Box<dyn BufRead + Send>> {
    let file = BufReader::with_capacity(BUFFER, progress.wrap_read(File::open(path)?));
    Ok(match Packing::of(path) {
        Packing::Plain => Box::new(file),
        Packing::Gzip => Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(file))),
        Packing::Zstd => Box::new(BufReader::with_capacity(BUFFER, zstd::Decoder::with_buffer(file)?)),
    })
}

/// A new file.
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
        Ok(match Packing::of(path) {
            Packing::Plain => Output::Plain(file),
            Packing::Gzip => Output::Gzip(GzEncoder::new(file, Compression::default())),
            Packing::Zstd => Output::Zstd(zstd::Encoder::new(file, ZSTD_LEVEL)?),
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
