//! What stands for the tables in builds that cannot read them.

use super::ProbeSettings;
use super::fault::TableFault;
use super::ranking::Ranking;
use super::result::TableResult;
use crate::position::{GameHistory, Move, Position};
use shakmaty::KnownOutcome;
use std::ffi::OsStr;
use std::fmt;
use std::mem;
use std::sync::{Mutex, PoisonError};

/// No tables: this build has not the feature `syzygy`. Nothing is ever found.
pub struct Tables {
    faults: Mutex<Vec<TableFault>>,
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").finish_non_exhaustive()
    }
}

impl Tables {
    /// Opens nothing; that is a fault.
    #[must_use]
    pub fn open(folders: &OsStr) -> Tables {
        let place = folders.to_string_lossy().into_owned();
        let fault = TableFault { place, reason: "this build cannot read Syzygy tables".to_owned() };
        Tables { faults: Mutex::new(vec![fault]) }
    }

    /// What was found wrong since the last call.
    #[must_use]
    pub fn take_faults(&self) -> Vec<TableFault> {
        mem::take(&mut self.faults.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Number of WDL and of DTZ tables: none.
    #[must_use]
    pub fn counts(&self) -> [usize; 2] {
        [0, 0]
    }

    /// Number of pieces of the largest tables: 0.
    #[must_use]
    pub fn max_pieces(&self) -> usize {
        0
    }

    /// Nothing is known.
    #[must_use]
    pub fn wdl(&self, _position: &Position) -> Option<TableResult> {
        None
    }

    /// Nothing is known.
    #[must_use]
    pub fn outcome(&self, _position: &Position) -> Option<KnownOutcome> {
        None
    }

    /// Nothing is known.
    #[must_use]
    pub fn rank(
        &self,
        _game: &GameHistory,
        _moves: &[Move],
        _settings: &ProbeSettings,
        _may_go_on: &dyn Fn() -> bool,
    ) -> Option<Ranking> {
        None
    }
}

impl fmt::Display for Tables {
    /// That there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no tables")
    }
}

/// `None`: nothing is known.
#[must_use]
pub fn listing(_tables: &Tables, _game: &GameHistory, _chess960: bool) -> Option<String> {
    None
}
