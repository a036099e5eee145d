//! Ctrl-C while the engine is at work.

use pyo3::prelude::*;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// Asks Python, which waits for the engine without its lock, whether to go on.
#[derive(Default)]
pub struct Interrupt {
    raised: Option<PyErr>,
}

impl Interrupt {
    /// Lets Python handle its signals; breaks off once a handler has raised an exception, as that of Ctrl-C does.
    pub fn check(&mut self) -> ControlFlow<()> {
        if self.raised.is_some() {
            return ControlFlow::Break(());
        }
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

/// What Ctrl-C breaks off, shared with who waits for it.
#[derive(Clone, Default)]
pub struct SharedInterrupt(Arc<Mutex<Interrupt>>);

impl SharedInterrupt {
    /// As [`Interrupt::into_result`].
    ///
    /// # Errors
    ///
    /// The exception.
    pub fn take(&self) -> PyResult<()> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_result()
    }
}

/// A reader that Ctrl-C ends.
pub struct Interruptible<R> {
    pub reader: R,
    pub interrupt: SharedInterrupt,
}

impl<R: Read> Read for Interruptible<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.interrupt.0.lock().unwrap_or_else(PoisonError::into_inner).check().is_break() {
            return Err(io::Error::other("interrupted"));
        }
        self.reader.read(buffer)
    }
}
