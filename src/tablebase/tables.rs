//! The tables: their files, the look-ups, and what is wrong with them.

use super::check;
use super::computed::ComputedDistances;
use super::fault::TableFault;
use super::result::TableResult;
use super::slice::MAX_PIECES;
use super::view::View;
use crate::position::Position;
use shakmaty::{Board, Color, KnownOutcome};
use shakmaty_syzygy::{AmbiguousWdl, Dtz, Material, MaybeRounded, Metric, ProbeError, SyzygyError, Tablebase, Wdl};
use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::mem;
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// File name extensions of the two kinds of tables.
const EXTENSIONS: [&str; 2] = [WDL, DTZ];
const WDL: &str = "rtbw";
const DTZ: &str = "rtbz";

/// Most pieces of tables that are checked: larger ones may have to be read from a slow disk.
const CHECKED_PIECES: usize = 5;

/// The tables of some folders. Files are opened as they are needed.
pub struct Tables {
    tables: Tablebase<View>,
    /// Names without extension, by kind.
    names: [BTreeSet<String>; 2],
    max_pieces: usize,
    faults: Mutex<Faults>,
    /// The tables of each kind, sorted by their pieces.
    states: [Vec<TableState>; 2],
    computed: ComputedDistances,
}

/// What is known of a table. No lock, as all threads of a search ask for it at many nodes.
struct TableState {
    /// [`pieces_key`] of its positions.
    key: u64,
    /// [`UNCHECKED`], [`USABLE`] or [`UNUSABLE`].
    state: AtomicU8,
}

const UNCHECKED: u8 = 0;
const USABLE: u8 = 1;
const UNUSABLE: u8 = 2;

/// What is wrong.
#[derive(Default)]
struct Faults {
    /// Not yet taken.
    new: Vec<TableFault>,
    /// Places of all faults so far.
    places: HashSet<String>,
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").field("max_pieces", &self.max_pieces).finish_non_exhaustive()
    }
}

impl Tables {
    /// Finds the tables (`.rtbw` and `.rtbz`) of folders, separated as the system separates those of `PATH`. What cannot be
    /// used becomes a fault; the rest is used.
    #[must_use]
    pub fn open(folders: &OsStr) -> Tables {
        let mut tables = Tables {
            tables: empty(),
            names: Default::default(),
            max_pieces: 0,
            faults: Mutex::default(),
            states: Default::default(),
            computed: ComputedDistances::default(),
        };
        for folder in std::env::split_paths(folders).filter(|folder| !folder.as_os_str().is_empty()) {
            if let Err(error) = tables.add_folder(&folder) {
                tables.add_fault(folder.display().to_string(), error.to_string());
            }
        }
        tables.report_partners();
        tables.states = tables.names.each_ref().map(|names| {
            let unchecked = |name: &String| TableState { key: key_of_name(name), state: AtomicU8::new(UNCHECKED) };
            let mut states: Vec<_> = names.iter().map(unchecked).collect();
            states.sort_by_key(|table| table.key);
            states
        });
        tables
    }

    fn add_folder(&mut self, folder: &Path) -> io::Result<()> {
        let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        paths.sort();
        let mut any = false;
        for path in paths {
            let extension = path.extension().and_then(OsStr::to_str);
            let Some(kind) = EXTENSIONS.iter().position(|&known| Some(known) == extension) else { continue };
            any = true;
            if let Err(error) = self.add_file(&path, kind) {
                self.add_fault(path.display().to_string(), error.to_string());
            }
        }
        if any { Ok(()) } else { Err(io::Error::other("no Syzygy tables in it")) }
    }

    fn add_file(&mut self, path: &Path, kind: usize) -> io::Result<()> {
        // Opening other files, such as pipes, might wait for ever.
        if !path.metadata()?.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        let mut magic = [0; 4];
        File::open(path)?.read_exact(&mut magic)?;
        use shakmaty_syzygy::Syzygy;
        if magic != [View::TBW.magic, View::TBZ.magic][kind] {
            return Err(io::Error::other("not a Syzygy table"));
        }
        self.tables.add_file(path).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput => io::Error::other("the name is not that of a table"),
            io::ErrorKind::InvalidData => io::Error::other("the size is not that of a table; is it cut off?"),
            _ => error,
        })?;
        // Other programs write names in small letters.
        let name = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
        let name = name.to_ascii_uppercase().replace('V', "v");
        self.max_pieces = self.max_pieces.max(name.len() - 1);
        self.names[kind].insert(name);
        Ok(())
    }

    /// Notes which tables lack the other kind: one fault a kind, as folders may have one kind alone.
    fn report_partners(&self) {
        let distances = match self.max_pieces {
            0..=MAX_PIECES => "distances are computed",
            _ => "distances of five pieces and more are not known",
        };
        for (kind, lack) in [(0, distances), (1, "not used")] {
            let alone: Vec<_> = self.names[kind].difference(&self.names[1 - kind]).collect();
            if let Some(first) = alone.first() {
                let others = if alone.len() > 1 { format!(", like {} more", alone.len() - 1) } else { String::new() };
                let reason = format!("without a .{} beside it{others}: {lack}", EXTENSIONS[1 - kind]);
                self.add_fault(format!("{first}.{}", EXTENSIONS[kind]), reason);
            }
        }
    }

    fn add_fault(&self, place: String, reason: String) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        if faults.places.insert(place.clone()) {
            faults.new.push(TableFault { place, reason });
        }
    }

    /// What was found wrong since the last call, each table once.
    #[must_use]
    pub fn take_faults(&self) -> Vec<TableFault> {
        mem::take(&mut self.faults.lock().unwrap_or_else(PoisonError::into_inner).new)
    }

    /// Number of WDL and of DTZ tables.
    #[must_use]
    pub fn counts(&self) -> [usize; 2] {
        [self.names[0].len(), self.names[1].len()]
    }

    /// Number of pieces, kings and pawns included, of the largest tables; 0 without tables.
    #[must_use]
    pub fn max_pieces(&self) -> usize {
        self.max_pieces
    }

    /// The result of a position right after a capture or a pawn move. `None` if there is no table for it or a side may
    /// castle.
    #[must_use]
    pub fn wdl(&self, position: &Position) -> Option<TableResult> {
        self.probe_wdl(position).map(TableResult::of)
    }

    /// The same as the reader of the tables says it.
    pub(super) fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        self.look_up(position, Metric::Wdl, |view| self.tables.probe_wdl_after_zeroing(view))
    }

    /// Plies to the next capture or pawn move, with the sign of who wins, from a table, or as it has been computed.
    pub(super) fn distance(&self, position: &Position) -> Option<MaybeRounded<Dtz>> {
        let computed = || Some(MaybeRounded::Precise(Dtz(self.computed.of(position)?)));
        self.probe_dtz(position).or_else(computed)
    }

    /// Computes the distances of a small won or lost ending whose table is missing, as long as it may go on. What is not
    /// done then is kept for the next call.
    pub(super) fn prepare_distances(&self, position: &Position, may_go_on: &dyn Fn() -> bool) {
        if self.probe_wdl(position).is_some_and(|wdl| wdl != Wdl::Draw) && self.probe_dtz(position).is_none() {
            self.computed.prepare(position, &|position| self.probe_wdl(position), may_go_on);
        }
    }

    /// Plies to the next capture or pawn move, with the sign of who wins. `None` if there is no table for it or a side may
    /// castle.
    pub(super) fn probe_dtz(&self, position: &Position) -> Option<MaybeRounded<Dtz>> {
        self.look_up(position, Metric::Dtz, |view| self.tables.probe_dtz(view))
    }

    /// The result of a position with best play, under the fifty-move rule with its halfmove clock. `None` if it is no mate or
    /// stalemate, and there is no table for it, a side may castle, or the tables do not decide whether the fifty-move rule saves a
    /// side: some distances are stored only to within a ply.
    #[must_use]
    pub fn outcome(&self, position: &Position) -> Option<KnownOutcome> {
        // A mate counts before the fifty-move rule.
        if let Some(outcome) = position.mate_or_stalemate() {
            return Some(outcome);
        }
        let dtz = self.probe_dtz(position)?;
        let winner = match AmbiguousWdl::from_dtz_and_halfmoves(dtz, position.halfmoves()) {
            AmbiguousWdl::Win => Some(position.turn()),
            AmbiguousWdl::Loss => Some(!position.turn()),
            AmbiguousWdl::Draw | AmbiguousWdl::BlessedLoss | AmbiguousWdl::CursedWin => None,
            AmbiguousWdl::MaybeWin | AmbiguousWdl::MaybeLoss => return None,
        };
        Some(KnownOutcome::from_winner(winner))
    }

    fn look_up<T>(
        &self,
        position: &Position,
        metric: Metric,
        probe: impl FnOnce(&View) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        let pieces = position.board().occupied().count();
        if pieces > self.max_pieces || position.castling_rights().any() {
            return None;
        }
        // Kings alone need no table. Distances are read with the results beside them.
        let is_usable = |metric| self.is_usable(position, metric);
        if pieces > 2 && !(is_usable(Metric::Wdl) && (metric == Metric::Wdl || is_usable(Metric::Dtz))) {
            return None;
        }
        probe(&View::new(position)).map_err(|error| self.report(error)).ok()
    }

    /// Makes a fault of what a look-up failed at. It may be the table of the position, or one that a capture leads to.
    fn report(&self, error: SyzygyError) {
        match error {
            SyzygyError::ProbeFailed { metric, material, error } => {
                let name = material.to_string();
                if let Some(state) = self.state(key_of_name(&name), metric) {
                    state.store(UNUSABLE, Relaxed);
                }
                self.add_fault(file_name(&name, metric), reason(&error, metric));
            }
            SyzygyError::MissingTable { metric, material } => {
                self.add_fault(
                    file_name(&material.to_string(), metric),
                    "missing, and larger tables need it".to_owned(),
                );
            }
            SyzygyError::Castling | SyzygyError::TooManyPieces => {}
        }
    }

    /// What is known of a table, if it is there.
    fn state(&self, key: u64, metric: Metric) -> Option<&AtomicU8> {
        let states = &self.states[usize::from(metric == Metric::Dtz)];
        let index = states.binary_search_by_key(&key, |table| table.key).ok()?;
        Some(&states[index].state)
    }

    /// Whether the table of a position is there and can be used. A small one is checked when it is asked for the first time.
    fn is_usable(&self, position: &Position, metric: Metric) -> bool {
        let key = pieces_key(Color::ALL.map(|color| position.material().counts(color)));
        let Some(state) = self.state(key, metric) else { return false };
        match state.load(Relaxed) {
            UNCHECKED => {}
            known => return known == USABLE,
        }
        // Before the check, which asks the table itself.
        state.store(USABLE, Relaxed);
        let agrees = position.board().occupied().count() > CHECKED_PIECES
            || match metric {
                Metric::Wdl => check::results_agree(position, |position| self.probe_wdl(position)),
                Metric::Dtz => check::distances_agree(position, |position| {
                    self.probe_dtz(position).map(MaybeRounded::ignore_rounding)
                }),
            };
        if !agrees {
            state.store(UNUSABLE, Relaxed);
            let name = self.name_of(position, metric);
            self.add_fault(file_name(&name, metric), "the table is corrupt: it contradicts itself".to_owned());
        }
        agrees
    }

    /// The name of the table of a position.
    fn name_of(&self, position: &Position, metric: Metric) -> String {
        let name = Material::from_board(&Board::from(position.board())).to_string();
        let swapped = name.split_once('v').map(|(white, black)| format!("{black}v{white}"));
        let names = &self.names[usize::from(metric == Metric::Dtz)];
        swapped.filter(|name| names.contains(name)).unwrap_or(name)
    }
}

/// The pieces of both sides, pawns first, in one number; the same for either colour.
fn pieces_key(sides: [[u8; 5]; 2]) -> u64 {
    let side = |counts: [u8; 5]| counts.into_iter().fold(0, |key, count| key << 4 | u64::from(count));
    let [first, second] = sides.map(side);
    first.max(second) << 20 | first.min(second)
}

/// [`pieces_key`] of the table with this name.
fn key_of_name(name: &str) -> u64 {
    let counts = |side: &str| ['P', 'N', 'B', 'R', 'Q'].map(|piece| side.matches(piece).count() as u8);
    let (first, second) = name.split_once('v').unwrap_or((name, ""));
    pieces_key([counts(first), counts(second)])
}

/// The name of a table's file.
fn file_name(name: &str, metric: Metric) -> String {
    format!("{name}.{}", if metric == Metric::Wdl { WDL } else { DTZ })
}

impl fmt::Display for Tables {
    /// How many tables there are, and how large.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [wdl, dtz] = self.counts();
        write!(f, "{wdl} WDL and {dtz} DTZ tables of up to {} pieces", self.max_pieces)
    }
}

/// Why a look-up failed.
fn reason(error: &ProbeError, metric: Metric) -> String {
    match error {
        ProbeError::Read { error } => error.to_string(),
        ProbeError::Magic { .. } => "not a Syzygy table".to_owned(),
        // A wrong result leads to a distance that is not stored.
        ProbeError::CorruptedTable { .. } if metric == Metric::Dtz => {
            format!("the table, or the .{WDL} beside it, is corrupt or cut off")
        }
        ProbeError::CorruptedTable { .. } => "the table is corrupt or cut off".to_owned(),
    }
}

#[cfg(any(unix, windows))]
fn empty() -> Tablebase<View> {
    Tablebase::with_filesystem(std::sync::Arc::new(super::files::TableFiles::default()))
}

/// There are no files on this target.
#[cfg(not(any(unix, windows)))]
fn empty() -> Tablebase<View> {
    struct NoFiles;
    impl shakmaty_syzygy::filesystem::Filesystem for NoFiles {
        fn regular_file_size(&self, _path: &Path) -> io::Result<u64> {
            Err(io::ErrorKind::Unsupported.into())
        }
        fn read_dir(&self, _path: &Path) -> io::Result<Vec<std::path::PathBuf>> {
            Err(io::ErrorKind::Unsupported.into())
        }
        fn open(&self, _path: &Path) -> io::Result<Box<dyn shakmaty_syzygy::filesystem::RandomAccessFile>> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }
    Tablebase::with_filesystem(std::sync::Arc::new(NoFiles))
}
