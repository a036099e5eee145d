//! Zstandard: frames one after the other, skippable ones among them (RFC 8878).

use super::{damaged, skip_zeros};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufRead, Read};

/// First bytes of a frame.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// First bytes of a frame without data, such as pzstd's, are these with any last digit of the first.
const SKIPPABLE: [u8; 4] = [0x50, 0x2a, 0x4d, 0x18];
/// The last block of a frame, without data, and a checksum. The decoder keeps the bytes of its window to itself until a frame
/// ends, and this ends one that is cut.
const LAST_BLOCK: &[u8] = &[1, 0, 0, 0, 0, 0, 0];

/// Whether data begin like a frame.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.first_chunk().is_some_and(|&first| first == MAGIC || is_skippable(first))
}

fn is_skippable([first, rest @ ..]: [u8; 4]) -> bool {
    first & 0xf0 == SKIPPABLE[0] && rest == SKIPPABLE[1..]
}

/// Decompresses all frames. What stands before a fault is given before the error; behind it is the end.
pub(super) struct Zstandard<R> {
    source: R,
    decoder: FrameDecoder,
    phase: Phase,
}

enum Phase {
    /// Before a frame, or at the end.
    Header,
    Data,
    /// What was decoded before this fault is still to be given.
    Damaged(io::Error),
    Ended,
}

impl<R: BufRead> Zstandard<R> {
    pub fn new(source: R) -> Zstandard<R> {
        Zstandard { source, decoder: FrameDecoder::new(), phase: Phase::Header }
    }

    /// Reads up to the data of the next frame. False at the end.
    fn header(&mut self) -> io::Result<bool> {
        while skip_zeros(&mut self.source)? {
            let mut first = [0; 4];
            self.source.read_exact(&mut first)?;
            if first != MAGIC && !is_skippable(first) {
                return Err(damaged("what follows the Zstandard data is no Zstandard"));
            }
            if !is_skippable(first) {
                let begun = self.decoder.reset(first.chain(&mut self.source));
                return begun.map(|()| true).map_err(|error| damaged(format!("Zstandard: {error}")));
            }
            let mut length = [0; 4];
            self.source.read_exact(&mut length)?;
            let length = u64::from(u32::from_le_bytes(length));
            if io::copy(&mut self.source.by_ref().take(length), &mut io::sink())? < length {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(false)
    }

    /// Decodes until there is something to give, or to the end of the frame.
    fn decode(&mut self) -> io::Result<()> {
        while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
            let decoded = self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1));
            decoded.map_err(|error| damaged(format!("the Zstandard data are damaged: {error}")))?;
        }
        Ok(())
    }

    /// The error in words that say where it is. The decoder does not tell damage from an end, nor from what the system says.
    fn named(&mut self, error: io::Error) -> io::Error {
        match self.source.fill_buf() {
            Ok([]) => io::Error::new(io::ErrorKind::UnexpectedEof, "the Zstandard data end early"),
            Ok(_) => error,
            Err(reason) => reason,
        }
    }
}

impl<R: BufRead> Read for Zstandard<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match std::mem::replace(&mut self.phase, Phase::Ended) {
                Phase::Ended => return Ok(0),
                Phase::Header => {
                    if self.header().map_err(|error| self.named(error))? {
                        self.phase = Phase::Data;
                    }
                }
                Phase::Data => {
                    self.phase = Phase::Data;
                    if let Err(error) = self.decode() {
                        self.phase = Phase::Damaged(self.named(error));
                        // Where even this cannot be decoded, there is nothing more to give.
                        let _ = self.decoder.decode_blocks(LAST_BLOCK, BlockDecodingStrategy::All);
                        continue;
                    }
                    let count = self.decoder.read(buffer)?;
                    if count > 0 {
                        return Ok(count);
                    }
                    let checksum = self.decoder.get_checksum_from_data();
                    if checksum.is_some() && checksum != self.decoder.get_calculated_checksum() {
                        self.phase = Phase::Ended;
                        return Err(damaged("the Zstandard data do not fit their checksum"));
                    }
                    self.phase = Phase::Header;
                }
                Phase::Damaged(error) => {
                    let count = self.decoder.read(buffer)?;
                    if count == 0 {
                        return Err(error);
                    }
                    self.phase = Phase::Damaged(error);
                    return Ok(count);
                }
            }
        }
    }
}
