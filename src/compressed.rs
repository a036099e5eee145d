//! Files that may be compressed as gzip or Zstandard, which their first bytes tell.

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::error::Error;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};
use std::path::Path;

/// Bytes read at a time.
const BUFFER: usize = 1 << 16;
/// First bytes of gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// First bytes of Zstandard.
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Opens a file and uncompresses it on the way.
///
/// # Errors
///
/// What the system says.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    uncompressed(File::open(path)?)
}

/// What a reader gives, uncompressed. Where a compressed file is cut off, reading ends with [`ErrorKind::UnexpectedEof`].
///
/// # Errors
///
/// What the reader says.
pub fn uncompressed(reader: impl Read + Send + 'static) -> io::Result<Box<dyn BufRead + Send>> {
    let mut whole = primed(reader)?;
    let first = whole.fill_buf()?;
    Ok(if first.starts_with(&GZIP) {
        Box::new(primed(MultiGzDecoder::new(whole))?)
    } else if first.starts_with(&ZSTANDARD) {
        Box::new(primed(Frames { source: Some(whole), frame: None })?)
    } else {
        Box::new(whole)
    })
}

/// A reader whose buffer has the first [`BUFFER`] bytes, however few come at a time. An error within them comes after what
/// was read before it.
fn primed<R: Read>(mut reader: R) -> io::Result<BufReader<impl Read>> {
    let mut first = Vec::new();
    let failure = match reader.by_ref().take(BUFFER as u64).read_to_end(&mut first) {
        Err(error) if first.is_empty() => return Err(error),
        result => result.err(),
    };
    Ok(BufReader::with_capacity(BUFFER, Cursor::new(first).chain(Failing(failure)).chain(reader)))
}

/// Fails once, if at all.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// The frames of Zstandard, one after the other.
struct Frames<R: BufRead> {
    source: Option<R>,
    frame: Option<Box<StreamingDecoder<R, FrameDecoder>>>,
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                let count = frame.read(buffer).map_err(as_cut_off)?;
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
            let frame = StreamingDecoder::new(source).map_err(|error| as_cut_off(io::Error::other(error)))?;
            self.frame = Some(Box::new(frame));
        }
    }
}

/// The error as one of a file that ends too early, if that is what lies behind it.
fn as_cut_off(error: io::Error) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(reason) = cause {
        if reason.downcast_ref::<io::Error>().is_some_and(|reason| reason.kind() == ErrorKind::UnexpectedEof) {
            return ErrorKind::UnexpectedEof.into();
        }
        cause = reason.source();
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use std::io::Write;

    fn read(bytes: &[u8]) -> (Vec<u8>, io::Result<usize>) {
        let mut text = Vec::new();
        let result = uncompressed(Cursor::new(bytes.to_vec())).and_then(|mut reader| reader.read_to_end(&mut text));
        (text, result)
    }

    #[test]
    fn compressed_bytes_are_known_by_their_beginning() {
        let text: Vec<u8> = (0..300_000u32).map(|i| (i * i % 251) as u8).collect();
        let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&text).unwrap();
        let zstandard = compress_to_vec(text.as_slice(), CompressionLevel::Fastest);
        for packed in [text.clone(), gzip.finish().unwrap(), zstandard] {
            let (unpacked, result) = read(&packed);
            assert!(result.is_ok() && unpacked == text);
            if packed != text {
                // Members and frames that follow each other are one text; one that is cut off ends in an error.
                assert_eq!(read(&packed.repeat(2)).0.len(), 2 * text.len());
                let (part, result) = read(&packed[..packed.len() - 9]);
                assert_eq!(result.unwrap_err().kind(), ErrorKind::UnexpectedEof);
                assert!(part.len() > text.len() / 3 && text.starts_with(&part));
            }
        }
    }
}
