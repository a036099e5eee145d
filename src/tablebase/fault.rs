//! What is wrong with tables.

use thiserror::Error;

/// A folder or a table that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {reason}")]
pub struct TableFault {
    /// The path, or the name of a table.
    pub place: String,
    /// What is wrong.
    pub reason: String,
}
