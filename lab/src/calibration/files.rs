//! Finding, opening and cutting up files of games.

use super::Error;
use crate::selfplay::files::ending;
use flate2::read::MultiGzDecoder;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Most bytes that one game may take.
const MAX_GAME_BYTES: usize = 16 << 20;
const BUFFER_BYTES: usize = 1 << 18;
/// Time between two pictures of a spinner.
const SPINNER_STEP: Duration = Duration::from_millis(100);

/// The files that paths stand for: files as they are; folders for what they hold of `.pgn`, `.pgn.gz` and `.pgn.zst`,
/// with `recursive` in all folders below. Sorted within each folder.
///
/// # Errors
///
/// [`Error`] if a path cannot be read, nothing is found, or the same games come twice: by two paths, or in two ways of
/// compression.
pub fn find(paths: &[PathBuf], recursive: bool) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for path in paths {
        if fs::metadata(path).map_err(Error::unreadable(path))?.is_dir() {
            find_in(path, recursive, &mut files)?;
        } else {
            files.push(path.clone());
        }
    }
    if files.is_empty() {
        return Err(Error::Data("no .pgn, .pgn.gz or .pgn.zst file found".to_owned()));
    }
    let mut plain = BTreeMap::new();
    for file in &files {
        let place = fs::canonicalize(file).map_err(Error::unreadable(file))?;
        if let Some(other) = plain.insert(without_compression(&place), file) {
            let reason = format!("'{}' and '{}' are the same games", other.display(), file.display());
            return Err(Error::Data(reason));
        }
    }
    Ok(files)
}

fn find_in(folder: &Path, recursive: bool, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut paths: Vec<_> = entries.map_err(Error::unreadable(folder))?.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            // A link may lead back to where it stands.
            if recursive && !path.is_symlink() {
                find_in(&path, recursive, files)?;
            }
        } else if ending(&path).as_deref() == Some("pgn") {
            files.push(path);
        }
    }
    Ok(())
}

fn without_compression(path: &Path) -> PathBuf {
    match path.extension() {
        Some(extension) if extension == "gz" || extension == "zst" => path.with_extension(""),
        _ => path.to_owned(),
    }
}

/// Asserts that a file can stand at a path, before the work for it begins: that there is a folder for it, and none in its
/// place.
///
/// # Errors
///
/// [`Error`] if not.
pub fn expect_file(path: &Path) -> Result<(), Error> {
    if path.is_dir() {
        return Err(Error::unwritable(path)(io::ErrorKind::IsADirectory.into()));
    }
    expect_folder(path)
}

/// Asserts that there is a folder for a file that will be written.
///
/// # Errors
///
/// [`Error`] if there is none.
pub fn expect_folder(path: &Path) -> Result<(), Error> {
    match path.parent() {
        Some(folder) if folder != Path::new("") => fs::metadata(folder).map(drop).map_err(Error::unwritable(path)),
        _ => Ok(()),
    }
}

/// A bar over the bytes of all files, on standard error; not drawn where that is no terminal.
pub fn progress(files: &[PathBuf]) -> ProgressBar {
    let bytes = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|metadata| metadata.len()).sum();
    bar(bytes, "{wide_bar} {bytes}/{total_bytes} {eta}")
}

/// A bar with a template of `indicatif`'s.
pub fn bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style)
}

/// A sign of life for work of unknown length, on standard error; not drawn where that is no terminal.
pub fn spinner(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
    let spinner = ProgressBar::new_spinner().with_message(what);
    spinner.enable_steady_tick(SPINNER_STEP);
    spinner.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

/// Opens a file for reading and takes off its compression, by the end of its name.
pub fn open(path: &Path, progress: &ProgressBar) -> io::Result<Box<dyn BufRead + Send>> {
    let raw = progress.wrap_read(File::open(path)?);
    let extension = path.extension().unwrap_or_default();
    Ok(if extension == "gz" {
        Box::new(BufReader::with_capacity(BUFFER_BYTES, MultiGzDecoder::new(raw)))
    } else if extension == "zst" {
        Box::new(BufReader::with_capacity(BUFFER_BYTES, zstd::Decoder::new(raw)?))
    } else {
        Box::new(BufReader::with_capacity(BUFFER_BYTES, raw))
    })
}

/// The text of one game.
#[derive(Debug, PartialEq, Eq)]
pub struct GameText {
    /// Number of the game in its file, from 0.
    pub index: usize,
    /// Its first line, from 1.
    pub line: usize,
    /// Tags and moves. Empty lines among the moves are left out, so the text holds no second game.
    pub bytes: Vec<u8>,
}

/// Cuts PGN into games where tags begin anew, so a broken game does not hide the next.
pub struct Games<R> {
    reader: R,
    /// A line that belongs to the game after the one returned last.
    pending: Vec<u8>,
    index: usize,
    line: usize,
    failed: bool,
}

impl<R: BufRead> Games<R> {
    pub fn new(reader: R) -> Games<R> {
        Games { reader, pending: Vec::new(), index: 0, line: 0, failed: false }
    }

    fn next_game(&mut self) -> io::Result<Option<GameText>> {
        let mut bytes = std::mem::take(&mut self.pending);
        let (mut first, mut in_moves) = (self.line, false);
        loop {
            let mut line = Vec::new();
            if (&mut self.reader).take(MAX_GAME_BYTES as u64).read_until(b'\n', &mut line)? == 0 {
                break;
            }
            self.line += 1;
            if is_blank(&line) {
                if !in_moves && !bytes.is_empty() {
                    bytes.extend(&line);
                }
                continue;
            }
            let tag = tag_name(&line);
            // Tags after moves, or a second event, are those of the next game.
            if tag.is_some() && !bytes.is_empty() && (in_moves || tag == Some(b"Event".as_slice())) {
                self.pending = line;
                break;
            }
            if bytes.is_empty() {
                first = self.line;
            }
            in_moves |= tag.is_none();
            bytes.extend(&line);
            if bytes.len() > MAX_GAME_BYTES {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "this is no PGN: a game of 16 MiB"));
            }
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        self.index += 1;
        Ok(Some(GameText { index: self.index - 1, line: first, bytes }))
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = io::Result<GameText>;

    fn next(&mut self) -> Option<io::Result<GameText>> {
        if self.failed {
            return None;
        }
        let game = self.next_game().transpose();
        self.failed = matches!(game, Some(Err(_)));
        game
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// The name of a line like `[White "Deep Blue"]`.
pub fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let rest = line.strip_prefix(b"[")?;
    let end = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
    let value = rest[end..].trim_ascii_start();
    (end > 0 && value.starts_with(b"\"")).then_some(&rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &str) -> Vec<GameText> {
        Games::new(text.as_bytes()).map(Result::unwrap).collect()
    }

    #[test]
    fn games_begin_with_their_tags() {
        let text = "\n[Event \"a\"]\n[Site \"b\"]\n\n1. e4 e5\n\n2. Nf3 *\n[Event \"c\"]\n[Event \"d\"]\n\n1. d4 {\n[%clk 1] } *\n";
        let found = games(text);
        assert_eq!(found.iter().map(|game| (game.index, game.line)).collect::<Vec<_>>(), [(0, 2), (1, 8), (2, 9)]);
        assert_eq!(found[0].bytes, b"[Event \"a\"]\n[Site \"b\"]\n\n1. e4 e5\n2. Nf3 *\n");
        assert!(found[2].bytes.ends_with(b"[%clk 1] } *\n"));
    }

    #[test]
    fn a_file_without_tags_is_one_game() {
        assert_eq!(games("1. e4 e5 *").len(), 1);
        assert_eq!(games("\n \n").len(), 0);
    }

    #[test]
    fn endless_games_are_refused() {
        let text = "1. e4 e5 ".repeat(MAX_GAME_BYTES / 8);
        let mut games = Games::new(text.as_bytes());
        assert!(games.next().unwrap().is_err());
        assert!(games.next().is_none());
    }
}
