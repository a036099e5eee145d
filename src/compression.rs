//! Compressed text: gzip and Zstandard, known by their first bytes. Needs the feature `compressed`.

#[cfg(feature = "compressed")]
use flate2::bufread::MultiGzDecoder;
#[cfg(feature = "compressed")]
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::io::{self, BufRead, BufReader, Read};

/// Bytes read at a time.
const BUFFER: usize = 1 << 16;
/// First bytes of gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// First bytes of Zstandard.
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The text of a reader, uncompressed on the way if it is compressed. Several members or frames are read one after the other.
///
/// ```
/// use std::io::Read;
///
/// let mut text = String::new();
/// halfpoint::compression::uncompressed("1. e4 *".as_bytes())?.read_to_string(&mut text)?;
/// assert_eq!(text, "1. e4 *");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// What the reader says, that the compressed text is broken, or that it is compressed and this build cannot read it.
pub fn uncompressed<'a>(reader: impl Read + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let mut whole = primed(reader)?;
    let first = whole.fill_buf()?;
    if first.starts_with(&GZIP) {
        gzip(whole)
    } else if first.starts_with(&ZSTANDARD) {
        zstandard(whole)
    } else {
        Ok(Box::new(whole))
    }
}

/// A reader whose buffer has the first [`BUFFER`] bytes, however few come at a time.
fn primed<R: Read>(mut reader: R) -> io::Result<BufReader<impl Read>> {
    let mut first = Vec::new();
    reader.by_ref().take(BUFFER as u64).read_to_end(&mut first)?;
    Ok(BufReader::with_capacity(BUFFER, io::Cursor::new(first).chain(reader)))
}

#[cfg(feature = "compressed")]
fn gzip<'a>(reader: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    Ok(Box::new(primed(MultiGzDecoder::new(reader))?))
}

#[cfg(feature = "compressed")]
fn zstandard<'a>(reader: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    Ok(Box::new(primed(Frames { source: Some(reader), frame: None })?))
}

#[cfg(not(feature = "compressed"))]
fn gzip<'a>(_reader: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "compressed with gzip; this build cannot read that"))
}

#[cfg(not(feature = "compressed"))]
fn zstandard<'a>(_reader: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "compressed with Zstandard; this build cannot read that"))
}

/// The frames of Zstandard, one after the other.
#[cfg(feature = "compressed")]
struct Frames<R: BufRead> {
    source: Option<R>,
    frame: Option<Box<StreamingDecoder<R, FrameDecoder>>>,
}

#[cfg(feature = "compressed")]
impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                let count = frame.read(buffer)?;
                if count > 0 || buffer.is_empty() {
                    return Ok(count);
                }
            }
            if let Some(frame) = self.frame.take() {
                self.source = Some(frame.into_inner());
            }
            let Some(mut source) = self.source.take() else { return Ok(0) };
            if source.fill_buf()?.is_empty() {
                return Ok(0);
            }
            self.frame = Some(Box::new(StreamingDecoder::new(source).map_err(io::Error::other)?));
        }
    }
}
