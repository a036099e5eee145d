//! Searches that are done, in a file, so that interrupted work goes on where it was.

use halfpoint::analysis::{ENGINE, Found, FoundLine, SearchOptions, Searched, Source};
use halfpoint::files;
use halfpoint::position::{Move, Position};
use halfpoint::wdl::score::Score;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Version of the file's format.
const VERSION: u32 = 3;
/// Largest file that is taken up, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The first line: what the searches are of.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    journal: u32,
    engine: String,
    search: String,
    hash_mib: usize,
    games: Vec<u64>,
}

/// A search.
#[derive(Serialize, Deserialize)]
struct Entry {
    game: usize,
    ply: usize,
    nodes: u64,
    looks: usize,
    lines: Vec<EntryLine>,
}

#[derive(Serialize, Deserialize)]
struct EntryLine {
    /// Both parts of the score.
    score: (i32, u16),
    from_tables: bool,
    depth: usize,
    nodes: u64,
    moves: String,
}

/// A file with searches. Every one is written as it is done.
pub struct Journal {
    file: Option<(PathBuf, File)>,
}

impl Journal {
    /// Keeps nothing.
    pub fn none() -> Journal {
        Journal { file: None }
    }

    /// The journal in a file, with the searches that it holds if they are of these games with these options.
    ///
    /// # Errors
    ///
    /// What the system says when the file cannot be read or written.
    pub fn open(path: &Path, sources: &[Source], options: &SearchOptions) -> io::Result<(Journal, Vec<Searched>)> {
        let header = Header {
            journal: VERSION,
            engine: ENGINE.to_owned(),
            search: options.describe(),
            hash_mib: options.hash_mib,
            games: sources.iter().map(Source::key).collect(),
        };
        let (mut known, mut end) = (Vec::new(), 0);
        if let Ok(text) = files::read_text(path, MAX_BYTES) {
            let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
            let first =
                lines.next().filter(|line| serde_json::from_str(line).is_ok_and(|found: Header| found == header));
            if let Some(first) = first {
                end = first.len();
                for line in lines {
                    let Some(searched) = read_entry(line, sources) else { break };
                    known.push(searched);
                    end += line.len();
                }
            }
        }
        let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
        file.set_len(end as u64)?;
        file.seek(SeekFrom::End(0))?;
        if end == 0 {
            write_line(&mut file, &header)?;
        }
        Ok((Journal { file: Some((path.to_owned(), file)) }, known))
    }

    /// Writes the search of the position `root` down.
    ///
    /// # Errors
    ///
    /// What the system says when the file cannot be written.
    pub fn add(&mut self, root: &Position, searched: &Searched) -> io::Result<()> {
        let Some((_, file)) = &mut self.file else { return Ok(()) };
        let Searched { game, ply, found } = searched;
        let lines = found.lines.iter().map(|line| EntryLine {
            score: (line.score.p(), line.score.d() as u16),
            from_tables: line.from_tables,
            depth: line.depth,
            nodes: line.nodes,
            moves: format_moves(root, &line.pv),
        });
        write_line(
            file,
            &Entry { game: *game, ply: *ply, nodes: found.nodes, looks: found.looks, lines: lines.collect() },
        )
    }

    /// Removes the file: the work is done.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn finish(self) -> io::Result<()> {
        self.file.map_or(Ok(()), |(path, _)| fs::remove_file(path))
    }
}

fn write_line(file: &mut File, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_string(value)?;
    line.push('\n');
    file.write_all(line.as_bytes())
}

/// A search, if it fits the games.
fn read_entry(line: &str, sources: &[Source]) -> Option<Searched> {
    let entry: Entry = serde_json::from_str(line).ok()?;
    let source = sources.get(entry.game).filter(|source| entry.ply < source.positions())?;
    let position = source.position(entry.ply);
    let read = |line: EntryLine| {
        Some(FoundLine {
            score: Score::from_parts(line.score.0, line.score.1),
            from_tables: line.from_tables,
            depth: line.depth,
            nodes: line.nodes,
            pv: parse_moves(&position, &line.moves)?,
        })
    };
    let lines = entry.lines.into_iter().map(read).collect::<Option<_>>()?;
    Some(Searched { game: entry.game, ply: entry.ply, found: Found { lines, nodes: entry.nodes, looks: entry.looks } })
}

fn format_moves(root: &Position, moves: &[Move]) -> String {
    let mut position = *root;
    let mut text = Vec::new();
    for &m in moves {
        text.push(position.format_move(m, true));
        position = position.play(m);
    }
    text.join(" ")
}

fn parse_moves(root: &Position, text: &str) -> Option<Vec<Move>> {
    let mut position = *root;
    let parse = |word: &str| {
        let m = position.parse_move(word).ok()?;
        position = position.play(m);
        Some(m)
    };
    text.split_whitespace().map(parse).collect()
}
