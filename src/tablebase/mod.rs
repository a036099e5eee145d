//! Syzygy tablebases: exact results of positions with few pieces.
//!
//! ```
//! use halfpoint::position::Position;
//! use halfpoint::tablebase::Tables;
//! use std::path::Path;
//!
//! let tables = Tables::open(Path::new("tests/data/syzygy")).unwrap();
//! let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", false).unwrap();
//! assert_eq!(tables.outcome(&position).unwrap(), Some(shakmaty::KnownOutcome::Draw));
//! ```

use crate::position::Position;
use shakmaty::{Chess, KnownOutcome};
use shakmaty_syzygy::{AmbiguousWdl, SyzygyError, Tablebase};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The tables of one directory. Files are opened as they are needed.
pub struct Tables {
    tables: Tablebase<Chess>,
    count: usize,
}

/// Why tables cannot be used.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "fields of errors say what they are")]
pub enum TablesError {
    /// The directory cannot be read, or a file in it has a size that no table has.
    #[error("{}: {source}", path.display())]
    Directory { path: PathBuf, source: io::Error },
    /// The directory has no tables.
    #[error("{}: no Syzygy tables in it", .0.display())]
    None(PathBuf),
    /// A table is broken or cannot be read.
    #[error("{source} in '{fen}'")]
    Probe { fen: String, source: Box<SyzygyError> },
}

impl Tables {
    /// Finds the tables (`.rtbw` and `.rtbz`) of a directory.
    ///
    /// # Errors
    ///
    /// [`TablesError`] if it cannot be read, has none, or has files that cannot be tables.
    pub fn open(path: &Path) -> Result<Tables, TablesError> {
        let (tables, count) = find(path).map_err(|source| TablesError::Directory { path: path.to_owned(), source })?;
        if count == 0 {
            return Err(TablesError::None(path.to_owned()));
        }
        Ok(Tables { tables, count })
    }

    /// Number of table files.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Number of pieces, kings and pawns included, of the largest tables.
    #[must_use]
    pub fn max_pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    /// The result of a position with best play, under the fifty-move rule with its halfmove clock. `None` if there is no
    /// table for it, if a side may castle, or if the tables do not decide whether the fifty-move rule saves a side: some
    /// distances are stored only to within a ply.
    ///
    /// # Errors
    ///
    /// [`TablesError::Probe`] if a table is broken or cannot be read.
    pub fn outcome(&self, position: &Position) -> Result<Option<KnownOutcome>, TablesError> {
        if position.board().occupied().count() > self.max_pieces() {
            return Ok(None);
        }
        let turn = position.turn();
        match self.tables.probe_wdl(&position.to_chess()) {
            Ok(AmbiguousWdl::Win) => Ok(Some(KnownOutcome::Decisive { winner: turn })),
            Ok(AmbiguousWdl::Loss) => Ok(Some(KnownOutcome::Decisive { winner: !turn })),
            Ok(AmbiguousWdl::Draw | AmbiguousWdl::BlessedLoss | AmbiguousWdl::CursedWin) => {
                Ok(Some(KnownOutcome::Draw))
            }
            Ok(AmbiguousWdl::MaybeWin | AmbiguousWdl::MaybeLoss)
            | Err(SyzygyError::Castling | SyzygyError::TooManyPieces | SyzygyError::MissingTable { .. }) => Ok(None),
            Err(error) => Err(TablesError::Probe { fen: position.fen(), source: Box::new(error) }),
        }
    }
}

/// The tables of a directory, and their number.
#[cfg(any(unix, windows))]
fn find(path: &Path) -> io::Result<(Tablebase<Chess>, usize)> {
    let mut tables = Tablebase::new();
    let count = tables.add_directory(path)?;
    Ok((tables, count))
}

/// There are no files on this target.
#[cfg(not(any(unix, windows)))]
fn find(_path: &Path) -> io::Result<(Tablebase<Chess>, usize)> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests;
