//! Ctrl-C while the engine is at work.

use pyo3::prelude::*;
use std::ops::ControlFlow;

/// Asks Python, which waits for the engine without its lock, whether to go on.
#[derive(Default)]
pub struct Interrupt {
    raised: Option<PyErr>,
}

impl Interrupt {
    /// Lets Python handle its signals; breaks off if a handler raised an exception, as that of Ctrl-C does.
    pub fn check(&mut self) -> ControlFlow<()> {
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(raised) => {
                self.raised = Some(raised);
                ControlFlow::Break(())
            }
        }
    }

    /// The exception, if one was raised.
    ///
    /// # Errors
    ///
    /// The exception.
    pub fn into_result(self) -> PyResult<()> {
        self.raised.map_or(Ok(()), Err)
    }
}
