//! What the Python package `halfpoint` asks of the engine: text and numbers in, JSON and bytes out. The classes that people
//! use are in Python, in `halfpoint/`.

mod arguments;
mod engine;
mod interrupt;
mod positions;
mod run;

use pyo3::prelude::*;

#[pymodule(name = "_engine")]
mod module {
    use halfpoint::analysis::SearchOptions;

    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::positions::{evaluate, static_wdl};
    #[pymodule_export]
    use crate::run::Run;
    #[pymodule_export]
    const VERSION: &str = halfpoint::VERSION;
    #[pymodule_export]
    const DEFAULT_NODES: u64 = SearchOptions::DEFAULT_NODES;
    #[pymodule_export]
    const MAX_DEPTH: u64 = *SearchOptions::DEPTHS.end();
    #[pymodule_export]
    const MAX_LINES: u64 = *SearchOptions::LINES.end();
    /// Seconds.
    #[pymodule_export]
    const LEAST_TIME: f64 = SearchOptions::LEAST_TIME.as_millis() as f64 / 1000.0;
}

/// The engine's error as Python's of the kind that fits, with its text.
fn python_error(error: &halfpoint::analysis::AnalysisError) -> PyErr {
    use halfpoint::analysis::AnalysisError;
    use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};

    let text = error.to_string();
    match error {
        AnalysisError::Input(_) | AnalysisError::Profile(_) => PyValueError::new_err(text),
        AnalysisError::Memory(_) => PyMemoryError::new_err(text),
        AnalysisError::Thread(_) => PyOSError::new_err(text),
        _ => PyRuntimeError::new_err(text),
    }
}
