//! The engine: searches of positions, and analyses of games.

use crate::arguments::Task;
use crate::interrupt::{Interrupt, Interruptible, SharedInterrupt};
use crate::python_error;
use crate::run::Run;
use halfpoint::analysis::{Analyser, AnalysisError, AnalysisOptions, Selection, read};
use halfpoint::games::decompressed;
use halfpoint::tablebase::Tables;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// An engine. Several threads of Python may use it at once; each search has a table of its own.
#[pyclass(frozen, module = "halfpoint._engine")]
pub struct Engine {
    options: AnalysisOptions,
    threads: usize,
    /// Those that are not at work.
    idle: Mutex<Vec<Analyser>>,
}

#[pymethods]
impl Engine {
    /// `hash` is in MiB for each search, `threads` how many searches of an analysis run side by side.
    #[new]
    fn new(py: Python<'_>, hash: usize, threads: usize, syzygy: Option<OsString>) -> PyResult<Engine> {
        let mut options = AnalysisOptions::default();
        options.search.hash_mib = hash;
        options.search.tables = syzygy.map(|folders| py.detach(|| Arc::new(Tables::open(&folders))));
        let engine = Engine { options, threads, idle: Mutex::default() };
        // That there is no memory is told now.
        let analyser = py.detach(|| engine.analyser()).map_err(|error| python_error(&error))?;
        engine.put_back(analyser);
        Ok(engine)
    }

    /// Answers a request of `halfpoint analyse --json-lines`: JSON in, JSON out.
    fn answer(&self, py: Python<'_>, request: &str) -> PyResult<String> {
        let (result, interrupt) = py.detach(|| {
            let mut interrupt = Interrupt::default();
            let result = self.analyser().and_then(|mut analyser| {
                let reply = analyser.answer_watched(request, &mut |_| interrupt.check());
                self.put_back(analyser);
                reply
            });
            (result, interrupt)
        });
        interrupt.into_result()?;
        result.map(|reply| reply.json).map_err(|error| python_error(&error))
    }

    /// Begins an analysis: reads the games.
    fn analyse(&self, py: Python<'_>, mut task: Task) -> PyResult<Run> {
        let mut options = self.options.clone();
        task.set(&mut options)?;
        let selection = match &task.numbers {
            Some(numbers) => {
                let fault = |text| PyValueError::new_err(format!("the argument numbers is {text}"));
                numbers.parse().map_err(fault)?
            }
            None => Selection::default(),
        };
        py.detach(|| {
            let name = task.path.as_ref().map_or_else(String::new, |path| path.display().to_string());
            let named = |error: io::Error| io::Error::new(error.kind(), format!("{name}: {error}"));
            // A path is that of a file, also `-`.
            let reader: Box<dyn Read + Send> = match (&task.path, task.text.take()) {
                (Some(path), _) => Box::new(File::open(path).map_err(named)?),
                (None, text) => Box::new(io::Cursor::new(text.unwrap_or_default())),
            };
            let interrupt = SharedInterrupt::default();
            let text = decompressed(Interruptible { reader, interrupt: interrupt.clone() }).map_err(named);
            let input = text.map(|text| read(&name, text, &selection, task.chess960));
            interrupt.take()?;
            let input = input?.map_err(|error| python_error(&AnalysisError::Input(error)))?;
            Run::new(input, options, self.threads).map_err(|error| python_error(&error))
        })
    }

    /// What was found wrong with the endgame tables since the last call.
    fn table_faults(&self) -> Vec<String> {
        let faults = self.options.search.tables.as_deref().map(Tables::take_faults).unwrap_or_default();
        faults.iter().map(ToString::to_string).collect()
    }
}

impl Engine {
    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Analyser>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn analyser(&self) -> Result<Analyser, AnalysisError> {
        let idle = self.idle().pop();
        idle.map_or_else(|| Analyser::new(self.options.clone()), Ok)
    }

    /// Keeps it for the next search, if there are not enough of them already.
    fn put_back(&self, analyser: Analyser) {
        let mut idle = self.idle();
        if idle.len() < self.threads {
            idle.push(analyser);
        }
    }
}
