//! Files as they are or compressed, by their content: pipes and standard input are opened like files.

#[cfg(feature = "compressed")]
mod gzip;
#[cfg(feature = "compressed")]
mod zstandard;

#[cfg(feature = "compressed")]
use gzip::Gzip;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
#[cfg(feature = "compressed")]
use zstandard::Zstandard;

/// The name that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// Bytes read ahead, and at a time: text and comments may stand before the first game.
const BUFFER: usize = 1 << 20;

/// Opens a file, a pipe, or standard input for `-`, and decompresses it on the way: see [`decompressed`].
///
/// # Errors
///
/// What the system says, or what is wrong with the data if nothing of them can be read.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    if path == Path::new(STANDARD_INPUT) { decompressed(io::stdin()) } else { decompressed(File::open(path)?) }
}

/// The text behind a reader. gzip with its members and Zstandard with its frames, skippable ones among them, are known by their
/// first bytes and decompressed; zeros behind them are padding.
///
/// Where the data are cut or damaged, what stands before is read first, then comes the error, then the end. The buffer holds the
/// first MiB of the text, however few bytes come at a time, so that [`TextFormat::detect`](super::TextFormat::detect) sees them.
///
/// ```
/// use std::io::Read;
///
/// let mut text = String::new();
/// halfpoint::games::decompressed(&b"1. e4 *\n"[..])?.read_to_string(&mut text)?;
/// assert_eq!(text, "1. e4 *\n");
/// # Ok::<_, std::io::Error>(())
/// ```
///
/// # Errors
///
/// What the reader says, or what is wrong with the data if nothing of them can be read.
pub fn decompressed(reader: impl Read + Send + 'static) -> io::Result<Box<dyn BufRead + Send>> {
    let mut whole = Primed::buffered(reader);
    whole.fill_buf()?;
    let mut text = behind_compression(whole)?;
    text.fill_buf()?;
    Ok(text)
}

/// The text of data whose first bytes are in the buffer.
#[cfg(feature = "compressed")]
fn behind_compression<R: Read + Send + 'static>(mut whole: BufReader<R>) -> io::Result<Box<dyn BufRead + Send>> {
    let first = whole.fill_buf()?;
    Ok(if first.starts_with(&gzip::MAGIC) {
        Box::new(Primed::buffered(Gzip::new(whole)))
    } else if zstandard::begins(first) {
        Box::new(Primed::buffered(Zstandard::new(whole)))
    } else {
        Box::new(whole)
    })
}

/// The same in a build that reads no compressed data.
#[cfg(not(feature = "compressed"))]
fn behind_compression<R: Read + Send + 'static>(mut whole: BufReader<R>) -> io::Result<Box<dyn BufRead + Send>> {
    const MAGIC: [&[u8]; 2] = [&[0x1f, 0x8b], &[0x28, 0xb5, 0x2f, 0xfd]];
    let first = whole.fill_buf()?;
    if MAGIC.iter().any(|magic| first.starts_with(magic)) {
        return Err(io::Error::new(io::ErrorKind::Unsupported, "compressed data, which this build does not read"));
    }
    Ok(Box::new(whole))
}

/// A reader whose first bytes were read ahead, with the error that came behind them.
struct Primed<R> {
    first: Cursor<Vec<u8>>,
    failure: Option<io::Error>,
    rest: R,
}

impl<R: Read> Primed<R> {
    fn buffered(mut reader: R) -> BufReader<Primed<R>> {
        let mut first = Vec::new();
        let failure = reader.by_ref().take(BUFFER as u64).read_to_end(&mut first).err();
        BufReader::with_capacity(BUFFER, Primed { first: Cursor::new(first), failure, rest: reader })
    }
}

impl<R: Read> Read for Primed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.first.read(buffer)? {
            0 => self.failure.take().map_or_else(|| self.rest.read(buffer), Err),
            count => Ok(count),
        }
    }
}

/// Leaves zeros out, as tapes and downloads leave them behind the data. False at the end.
#[cfg(feature = "compressed")]
fn skip_zeros(reader: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = reader.fill_buf()?;
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        if zeros < bytes.len() || bytes.is_empty() {
            let goes_on = !bytes.is_empty();
            reader.consume(zeros);
            return Ok(goes_on);
        }
        reader.consume(zeros);
    }
}

#[cfg(feature = "compressed")]
fn damaged(reason: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason.into())
}

#[cfg(test)]
mod tests;
