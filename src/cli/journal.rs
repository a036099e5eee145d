//! Searches that are done, in a file, so that interrupted work goes on where it was.

use halfpoint::analysis::{Analysis, AnalysisOptions, Found, FoundLine, PeopleReport, Searched, Source};
use halfpoint::output::error_line;
use halfpoint::position::{Move, Position};
use halfpoint::uci;
use halfpoint::wdl::score::Score;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Version of the file's format.
const VERSION: u32 = 6;
/// Longest line that is taken up, in bytes.
const MAX_LINE: u64 = 1 << 20;

/// Why unfinished work cannot be kept or taken up.
#[derive(Debug, Error)]
pub enum JournalError {
    #[error("{}: unfinished work cannot be kept: {reason}", path.display())]
    File { path: PathBuf, reason: io::Error },
    #[error("{}: another run is at work on this output", .0.display())]
    InUse(PathBuf),
    #[error("{}: unfinished work with {theirs}, not {ours}; finish it with these, or delete the file", path.display())]
    Other { path: PathBuf, theirs: String, ours: String },
    #[error("{}: its first line is damaged or of another version; delete the file to begin anew", .0.display())]
    Unknown(PathBuf),
}

/// The first line: what the searches are of.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    journal: u32,
    engine: String,
    search: String,
    hash_mib: usize,
    people: bool,
    /// What is bad: it is looked at again.
    thresholds: String,
    /// Whom W/D/L are for: second looks and people's moves depend on it.
    players: String,
    games: Vec<u64>,
}

/// Tags that say who plays, and how fast.
const PLAYERS: [&str; 6] = ["WhiteElo", "BlackElo", "TimeControl", "EventType", "Event", "Site"];

/// Identifies the positions of a game and what its tags say of the players.
fn key(source: &Source) -> u64 {
    // FNV-1a.
    let bytes = PLAYERS.iter().flat_map(|name| source.tags.known(name).bytes().chain([0]));
    bytes.fold(source.key(), |key, byte| (key ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl Header {
    /// What tells two of them apart, in words, first `self`'s.
    fn differences(&self, other: &Header) -> (String, String) {
        let of_games = |header: &Header| match header.games.len() {
            1 => "1 game".to_owned(),
            count => format!("{count} games"),
        };
        let games = match (of_games(self), of_games(other)) {
            (own, others) if own == others => ("other games".to_owned(), "these".to_owned()),
            games => games,
        };
        let table = |header: &Header| format!("a table of {} MiB", header.hash_mib);
        let thresholds = |header: &Header| format!("thresholds {}", header.thresholds);
        let people =
            |header: &Header| (if header.people { "people's moves" } else { "the engine's moves alone" }).to_owned();
        let parts = [
            (self.engine != other.engine).then(|| (format!("Halfpoint {}", self.engine), other.engine.clone())),
            (self.search != other.search).then(|| (self.search.clone(), other.search.clone())),
            (self.hash_mib != other.hash_mib).then(|| (table(self), table(other))),
            (self.people != other.people).then(|| (people(self), people(other))),
            (self.thresholds != other.thresholds).then(|| (thresholds(self), thresholds(other))),
            (self.players != other.players).then(|| ("other players".to_owned(), "these".to_owned())),
            (self.games != other.games).then_some(games),
        ];
        let (own, others): (Vec<_>, Vec<_>) = parts.into_iter().flatten().unzip();
        (own.join(", "), others.join(", "))
    }
}

/// A search.
#[derive(Serialize, Deserialize)]
struct Entry {
    game: usize,
    ply: usize,
    nodes: u64,
    looks: usize,
    is_wide: bool,
    people: Option<PeopleReport>,
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
    /// Searches that were in it when it was opened.
    found: usize,
    /// Damaged lines that were in it.
    damaged: usize,
}

impl Journal {
    /// Keeps nothing.
    pub fn none() -> Journal {
        Journal { file: None, found: 0, damaged: 0 }
    }

    /// The journal in a file, which no other run may hold, with the searches in it. What is damaged in it is left out.
    ///
    /// # Errors
    ///
    /// [`JournalError`] if it is held, has searches of other games or with other options, or cannot be read or written.
    pub fn open(
        path: &Path,
        sources: &[Source],
        options: &AnalysisOptions,
    ) -> Result<(Journal, Vec<Searched>), JournalError> {
        let header = Header {
            journal: VERSION,
            engine: uci::version().to_owned(),
            search: options.search.describe(),
            hash_mib: options.search.hash_mib,
            people: options.people,
            thresholds: options.thresholds.to_string(),
            players: format!("{:?}", options.players),
            games: sources.iter().map(key).collect(),
        };
        let failed = |reason| JournalError::File { path: path.to_owned(), reason };
        let mut file = lock(path)?;
        let contents = read(&file, sources).map_err(failed)?;
        let first = to_line(&header).map_err(failed)?;
        let is_begun = first.as_bytes().starts_with(&contents.rest);
        match contents.header {
            Some(theirs) if theirs != header && contents.has_entries => {
                let (theirs, ours) = theirs.differences(&header);
                return Err(JournalError::Other { path: path.to_owned(), theirs, ours });
            }
            Some(theirs) if theirs == header => file.set_len(contents.whole).map_err(failed)?,
            // A run that was ended while it wrote its first line.
            None if contents.has_entries || !is_begun => return Err(JournalError::Unknown(path.to_owned())),
            _ => {
                file.set_len(0).and_then(|()| file.rewind()).map_err(failed)?;
                file.write_all(first.as_bytes()).map_err(failed)?;
            }
        }
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let (known, damaged) = (contents.known, contents.damaged);
        Ok((Journal { file: Some((path.to_owned(), file)), found: known.len(), damaged }, known))
    }

    /// Says with what an analysis goes on, if anything was in it. Where searches can be repeated, a game that was cut off begins
    /// anew.
    pub fn tell(&self, analysis: &Analysis) {
        let Some((path, _)) = self.file.as_ref().filter(|_| self.found + self.damaged > 0) else { return };
        let damaged = match self.damaged {
            0 => String::new(),
            count => format!("; damaged lines left out: {count}"),
        };
        let (done, positions) = (analysis.done(), analysis.positions());
        error_line(format_args!("note: {}: goes on after {done} of {positions} positions{damaged}", path.display()));
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
        let &Found { nodes, looks, is_wide, ref people, .. } = found;
        let people = people.clone();
        let entry = Entry { game: *game, ply: *ply, nodes, looks, is_wide, people, lines: lines.collect() };
        file.write_all(to_line(&entry)?.as_bytes())
    }

    /// Removes the file: the reports are written.
    ///
    /// # Errors
    ///
    /// [`JournalError::File`].
    pub fn finish(self) -> Result<(), JournalError> {
        let Some((path, _file)) = self.file else { return Ok(()) };
        match fs::remove_file(&path) {
            Err(reason) if reason.kind() != io::ErrorKind::NotFound => Err(JournalError::File { path, reason }),
            _ => Ok(()),
        }
    }
}

/// Opens the file for this run alone. Where the file system has no locks, nothing is locked.
fn lock(path: &Path) -> Result<File, JournalError> {
    let failed = |reason| JournalError::File { path: path.to_owned(), reason };
    let open = || {
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
        // A device might never end.
        if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("not a regular file")) }
    };
    let mut file = open().map_err(failed)?;
    loop {
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(JournalError::InUse(path.to_owned()));
        }
        // Whoever held it before may have finished and removed it.
        if fs::metadata(path).is_ok() {
            return Ok(file);
        }
        file = open().map_err(failed)?;
    }
}

/// What is in a file.
#[derive(Default)]
struct Contents {
    header: Option<Header>,
    /// Whether there is more than one line.
    has_entries: bool,
    known: Vec<Searched>,
    damaged: usize,
    /// Length of the whole lines, bytes.
    whole: u64,
    /// What stands behind them.
    rest: Vec<u8>,
}

fn read(file: &File, sources: &[Source]) -> io::Result<Contents> {
    let mut contents = Contents::default();
    let mut reader = BufReader::new(file);
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        let mut length = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
        if length as u64 == MAX_LINE && line.last() != Some(&b'\n') {
            length += reader.skip_until(b'\n')?;
        } else if line.last() != Some(&b'\n') {
            contents.damaged += usize::from(!is_first && !line.is_empty());
            contents.rest = line;
            return Ok(contents);
        }
        contents.whole += length as u64;
        let json = whole_line(&line);
        if is_first {
            contents.header = json.and_then(|json| serde_json::from_str(json).ok());
            // What is no header is not to be taken for one that was cut.
            contents.has_entries = contents.header.is_none();
        } else {
            contents.has_entries = true;
            match json.and_then(|json| read_entry(json, sources)) {
                Some(searched) => contents.known.push(searched),
                None => contents.damaged += 1,
            }
        }
        is_first = false;
    }
}

/// A value as a line: JSON, and behind a tab its checksum.
fn to_line(value: &impl Serialize) -> io::Result<String> {
    let json = serde_json::to_string(value)?;
    let sum = checksum(&json);
    Ok(format!("{json}\t{sum:08x}\n"))
}

/// The JSON of a line that is as it was written.
fn whole_line(line: &[u8]) -> Option<&str> {
    let (json, sum) = std::str::from_utf8(line).ok()?.strip_suffix('\n')?.rsplit_once('\t')?;
    (u32::from_str_radix(sum, 16) == Ok(checksum(json))).then_some(json)
}

/// FNV-1a with 32 bits.
fn checksum(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
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
    let Entry { game, ply, nodes, looks, is_wide, people, .. } = entry;
    Some(Searched { game, ply, found: Found { lines, nodes, looks, is_wide, people } })
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
