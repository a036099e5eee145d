//! gzip: members one after the other (RFC 1952).

use super::{damaged, skip_zeros};
use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use std::io::{self, BufRead, Read};

/// First bytes of a member.
pub(super) const MAGIC: [u8; 2] = [0x1f, 0x8b];
/// The one method of compression.
const DEFLATE: u8 = 8;
/// Flags of the header: what follows its fixed part.
const HAS_CHECKSUM: u8 = 2;
const HAS_EXTRA_FIELD: u8 = 4;
const HAS_NAME: u8 = 8;
const HAS_COMMENT: u8 = 16;

/// Decompresses all members. What stands before a fault is given before the error; behind it is the end.
pub(super) struct Gzip<R> {
    data: DeflateDecoder<R>,
    checksum: Crc,
    phase: Phase,
}

enum Phase {
    /// Before the header of a member, or at the end.
    Header,
    Data,
    /// All that can be read was given.
    Failed(io::Error),
    Ended,
}

impl<R: BufRead> Gzip<R> {
    pub fn new(reader: R) -> Gzip<R> {
        Gzip { data: DeflateDecoder::new(reader), checksum: Crc::new(), phase: Phase::Header }
    }

    /// Reads a header. False at the end.
    fn header(&mut self) -> io::Result<bool> {
        let reader = self.data.get_mut();
        if !skip_zeros(reader)? {
            return Ok(false);
        }
        let mut fixed = [0; 10];
        reader.read_exact(&mut fixed)?;
        let flags = fixed[3];
        if fixed[..2] != MAGIC || fixed[2] != DEFLATE {
            return Err(damaged("what follows the gzip data is no gzip"));
        }
        if flags & HAS_EXTRA_FIELD != 0 {
            let mut length = [0; 2];
            reader.read_exact(&mut length)?;
            io::copy(&mut reader.take(u16::from_le_bytes(length).into()), &mut io::sink())?;
        }
        for text in [HAS_NAME, HAS_COMMENT] {
            if flags & text != 0 {
                reader.skip_until(0)?;
            }
        }
        if flags & HAS_CHECKSUM != 0 {
            reader.read_exact(&mut [0; 2])?;
        }
        self.data.reset_data();
        self.checksum.reset();
        Ok(true)
    }

    /// Reads what follows the data of a member.
    fn trailer(&mut self) -> io::Result<()> {
        let mut numbers = [0; 8];
        self.data.get_mut().read_exact(&mut numbers)?;
        let expected = u32::from_le_bytes([numbers[0], numbers[1], numbers[2], numbers[3]]);
        if expected == self.checksum.sum() { Ok(()) } else { Err(damaged("the gzip data do not fit their checksum")) }
    }
}

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let next = match std::mem::replace(&mut self.phase, Phase::Ended) {
                Phase::Ended => return Ok(0),
                Phase::Failed(error) => return Err(error),
                Phase::Header => self.header().map(|is_member| if is_member { Phase::Data } else { Phase::Ended }),
                Phase::Data => {
                    let before = self.data.total_out();
                    let result = self.data.read(buffer);
                    // Counted here, for an error may follow bytes of the same call.
                    let count = (self.data.total_out() - before) as usize;
                    self.checksum.update(&buffer[..count]);
                    self.phase = result.map_or_else(|error| Phase::Failed(named(error)), |_| Phase::Data);
                    if count > 0 {
                        return Ok(count);
                    }
                    match std::mem::replace(&mut self.phase, Phase::Ended) {
                        Phase::Data => self.trailer().map(|()| Phase::Header),
                        failed => Ok(failed),
                    }
                }
            };
            self.phase = next.unwrap_or_else(|error| Phase::Failed(named(error)));
        }
    }
}

/// The error in words that say where it is.
fn named(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => io::Error::new(error.kind(), "the gzip data end early"),
        io::ErrorKind::InvalidInput => damaged("the gzip data are damaged"),
        _ => error,
    }
}
