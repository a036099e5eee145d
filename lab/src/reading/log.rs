//! What came of reading files.

use halfpoint::games::{BrokenGame, BrokenLine, Exclusion, GameRecord, PositionLine};
use halfpoint::output::{error_line, one_line};
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

/// Most broken games, and most conflicts, that are named; the rest is counted.
const NAMED: usize = 8;

/// What came of reading games or positions.
#[derive(Debug, Default)]
pub struct ReadLog {
    /// Games, or positions in lines.
    pub read: usize,
    /// Those that could not be read.
    pub broken: usize,
    /// The first of them.
    problems: Vec<Note>,
    /// Games whose tag and moves have different results.
    conflicts: usize,
    /// The first of them.
    conflict_notes: Vec<Note>,
    /// What is wrong with games and positions that are read all the same.
    oddities: usize,
    /// The first of it.
    oddity_notes: Vec<Note>,
    /// Games that do not count, by [`Exclusion::ALL`].
    excluded: [usize; Exclusion::ALL.len()],
}

/// A message with its place among others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Note {
    path: PathBuf,
    number: usize,
    text: String,
}

/// Adds a message; the first ones by file and number stay.
fn add(notes: &mut Vec<Note>, more: impl IntoIterator<Item = Note>) {
    notes.extend(more);
    notes.sort();
    notes.truncate(NAMED);
}

/// What is wrong with a game or position.
pub struct Fault {
    /// Its place in the file.
    number: usize,
    reason: String,
    /// Nothing is lost with it.
    is_text: bool,
}

impl From<BrokenGame> for Fault {
    fn from(broken: BrokenGame) -> Fault {
        Fault { number: broken.number, is_text: broken.is_text(), reason: broken.to_string() }
    }
}

impl From<BrokenLine> for Fault {
    fn from(broken: BrokenLine) -> Fault {
        Fault { number: broken.number, is_text: false, reason: broken.to_string() }
    }
}

impl ReadLog {
    /// The game or position if it can be read; else what is wrong with it is noted.
    pub fn take<T>(&mut self, path: &Path, found: io::Result<Result<T, Fault>>) -> Option<T> {
        if let Ok(Err(Fault { number, reason, is_text: true })) = &found {
            self.add_oddity(path, *number, reason);
            return None;
        }
        self.read += 1;
        match found {
            Ok(Ok(found)) => return Some(found),
            Ok(Err(fault)) => self.add_broken(path, fault.number, fault.reason),
            Err(reason) => self.add_broken(path, usize::MAX, format!("the rest of it cannot be read: {reason}")),
        }
        None
    }

    /// Notes a game or line that could not be read; `number` is its place in the file.
    pub fn add_broken(&mut self, path: &Path, number: usize, reason: impl Display) {
        self.broken += 1;
        let text = format!("{}: {reason}", path.display());
        add(&mut self.problems, [Note { path: path.to_owned(), number, text }]);
    }

    /// Notes what is wrong with a position that was read all the same.
    pub fn add_line(&mut self, path: &Path, line: &PositionLine) {
        line.mends.iter().for_each(|mend| self.add_oddity(path, line.number, format!("line {}: {mend}", line.number)));
    }

    fn add_oddity(&mut self, path: &Path, number: usize, reason: impl Display) {
        self.oddities += 1;
        let text = format!("{}: {reason}", path.display());
        add(&mut self.oddity_notes, [Note { path: path.to_owned(), number, text }]);
    }

    /// Notes what keeps a game from counting, what is contradictory in it, and what else is wrong with it.
    pub fn add_game(&mut self, path: &Path, game: &GameRecord) {
        if let Some(exclusion) = game.exclusion {
            self.excluded[exclusion as usize] += 1;
        }
        let number = game.number;
        game.warnings.iter().for_each(|warning| self.add_oddity(path, number, format!("game {number}, {warning}")));
        if let Some(conflict) = game.conflict {
            self.conflicts += 1;
            let text = format!("{}: game {}, line {}: {conflict}", path.display(), game.number, game.line);
            add(&mut self.conflict_notes, [Note { path: path.to_owned(), number: game.number, text }]);
        }
    }

    /// Adds what came of other files.
    pub fn merge(&mut self, other: ReadLog) {
        self.read += other.read;
        self.broken += other.broken;
        self.conflicts += other.conflicts;
        self.oddities += other.oddities;
        add(&mut self.problems, other.problems);
        add(&mut self.oddity_notes, other.oddity_notes);
        add(&mut self.conflict_notes, other.conflict_notes);
        for (own, others) in self.excluded.iter_mut().zip(other.excluded) {
            *own += others;
        }
    }

    /// Games that do not count for this reason.
    pub fn excluded(&self, exclusion: Exclusion) -> usize {
        self.excluded[exclusion as usize]
    }

    /// Names broken games, what is wrong with others, and conflicts on standard error.
    pub fn warn(&self) {
        for (kind, notes, count, rest) in [
            ("warning", &self.problems, self.broken, "could not be read"),
            ("warning", &self.oddity_notes, self.oddities, "of this kind"),
            ("note", &self.conflict_notes, self.conflicts, "have two results"),
        ] {
            notes.iter().for_each(|note| error_line(format_args!("{kind}: {}", one_line(&note.text))));
            if count > notes.len() {
                error_line(format_args!("{kind}: {} more {rest}", count - notes.len()));
            }
        }
    }

    /// The same, and how many games do not count, and why.
    pub fn warn_of_all(&self) {
        self.warn();
        if let Some(list) = self.exclusions() {
            error_line(format_args!("note: {} games do not count: {list}", self.excluded.iter().sum::<usize>()));
        }
    }

    /// Numbers of the games that do not count, by reason.
    fn exclusions(&self) -> Option<String> {
        let some = Exclusion::ALL.iter().filter(|&&exclusion| self.excluded(exclusion) > 0);
        let parts: Vec<_> = some.map(|&exclusion| format!("{} {exclusion}", self.excluded(exclusion))).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// What to add to a message that nothing usable was found: the first problem, and what does not count.
    pub fn explanation(&self) -> String {
        let first = self.problems.first().map(|note| format!("; {}", note.text));
        let more = (self.broken > 1).then(|| format!(" and {} more", self.broken - 1));
        let excluded = self.exclusions().map(|list| format!("; {list}"));
        [first, more, excluded].into_iter().flatten().collect()
    }
}
