//! Lines with the ends of any system.

use std::io::{self, BufRead};

/// Reads lines that end with a line feed, a carriage return, or both.
pub(super) struct LineReader<R> {
    reader: R,
    /// The last line ended with a carriage return, to which a line feed may belong.
    is_behind_return: bool,
}

impl<R: BufRead> LineReader<R> {
    pub fn new(reader: R) -> LineReader<R> {
        LineReader { reader, is_behind_return: false }
    }

    /// Appends a line, or `most` bytes of it; its end becomes a line feed. Returns the number of bytes, 0 at the end.
    ///
    /// # Errors
    ///
    /// What the reader says; what was read before is in the text.
    pub fn read(&mut self, most: usize, text: &mut Vec<u8>) -> io::Result<usize> {
        let start = text.len();
        loop {
            let bytes = match self.reader.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let feed = usize::from(std::mem::take(&mut self.is_behind_return) && bytes.starts_with(b"\n"));
            let rest = &bytes[feed..];
            let rest = &rest[..rest.len().min(most - (text.len() - start))];
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            text.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
            let length = feed + end.map_or(rest.len(), |end| end + 1);
            let is_return = end.is_some_and(|end| rest[end] == b'\r');
            self.reader.consume(length);
            if end.is_some() {
                self.is_behind_return = is_return;
                text.push(b'\n');
            }
            if end.is_some() || length == 0 || text.len() - start == most {
                return Ok(text.len() - start);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn lines_end_in_all_ways() {
        for capacity in [1, 2, 3, 100] {
            let mut reader =
                LineReader::new(BufReader::with_capacity(capacity, &b"a\nb\r\nc\rd\r\r\n\n\nlonger\re"[..]));
            let mut lines = Vec::new();
            loop {
                let mut line = Vec::new();
                if reader.read(5, &mut line).unwrap() == 0 {
                    break;
                }
                lines.push(String::from_utf8(line).unwrap());
            }
            assert_eq!(lines, ["a\n", "b\n", "c\n", "d\n", "\n", "\n", "\n", "longe", "r\n", "e"], "{capacity}");
        }
    }
}
