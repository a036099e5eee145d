//! An analysis of games at work.

use crate::interrupt::Interrupt;
use crate::python_error;
use halfpoint::analysis::{
    Analysis, AnalysisError, AnalysisOptions, Crew, GameReport, Input, SearchOptions, annotated_pgn, html_page,
};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// How often Python is asked for signals.
const POLL: Duration = Duration::from_millis(50);

/// An analysis. Its searches begin with the first call of `next`, and go on between calls until `stop`, an exception or the
/// end of the object.
#[pyclass(frozen, module = "halfpoint._engine")]
pub struct Run {
    state: Mutex<State>,
    reports: OnceLock<Vec<GameReport>>,
    /// What could not be read.
    #[pyo3(get)]
    faults: Vec<String>,
    /// What was read though something is wrong with it.
    #[pyo3(get)]
    warnings: Vec<String>,
    are_positions: bool,
    search: SearchOptions,
    threads: usize,
}

struct State {
    analysis: Analysis,
    crew: Option<Crew>,
}

impl State {
    fn stop(&mut self) {
        if let Some(crew) = self.crew.take() {
            crew.stop(&mut self.analysis);
        }
    }
}

#[pymethods]
impl Run {
    /// Waits for the next search: positions that are done, and all positions; `None` if all are done.
    fn next(&self, py: Python<'_>) -> PyResult<Option<(usize, usize)>> {
        py.detach(|| {
            let mut state = self.state();
            let State { analysis, crew } = &mut *state;
            let running = match crew {
                Some(crew) => crew,
                None => {
                    let started = Crew::start(analysis, &self.search, self.threads);
                    crew.insert(started.map_err(|error| python_error(&error))?)
                }
            };
            let mut interrupt = Interrupt::default();
            loop {
                let step = running.wait_within(POLL);
                let progress = step.map_break(|searched| {
                    searched.map(|searched| {
                        analysis.add(searched);
                        (analysis.done(), analysis.positions())
                    })
                });
                if interrupt.check().is_break() {
                    state.stop();
                    return interrupt.into_result().map(|()| None);
                }
                match progress {
                    ControlFlow::Break(None) if analysis.done() < analysis.positions() => {
                        return Err(PyRuntimeError::new_err("a search ended without a result"));
                    }
                    ControlFlow::Break(progress) => return Ok(progress),
                    ControlFlow::Continue(()) => {}
                }
            }
        })
    }

    /// Stops the searches; `next` goes on with those that are left.
    fn stop(&self, py: Python<'_>) {
        py.detach(|| self.state().stop());
    }

    /// The reports as JSON, an object each.
    fn json(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        py.detach(|| Ok(self.reports()?.iter().map(GameReport::to_json_line).collect()))
    }

    /// The reports as a page.
    fn html(&self, py: Python<'_>, title: &str) -> PyResult<String> {
        py.detach(|| Ok(html_page(self.reports()?, self.are_positions, title)))
    }

    /// The annotated games.
    fn pgn(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| {
            let reports = self.reports()?;
            let state = self.state();
            let games = state.analysis.sources().zip(reports);
            Ok(games.map(|(source, report)| annotated_pgn(source, report)).collect())
        })
    }
}

impl Run {
    /// Of what was read, with so many searches side by side.
    ///
    /// # Errors
    ///
    /// [`AnalysisError::Profile`].
    pub fn new(input: Input, options: AnalysisOptions, threads: usize) -> Result<Run, AnalysisError> {
        let Input { sources, faults, warnings, are_positions, .. } = input;
        let analysis = Analysis::new(sources, &options, [])?;
        let state = Mutex::new(State { analysis, crew: None });
        let search = options.search;
        Ok(Run { state, reports: OnceLock::new(), faults, warnings, are_positions, search, threads })
    }

    /// Taken without Python's lock alone: whoever has it may wait for Python.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reports(&self) -> PyResult<&[GameReport]> {
        if let Some(reports) = self.reports.get() {
            return Ok(reports);
        }
        let reports = self.state().analysis.reports();
        let reports = reports.ok_or_else(|| PyRuntimeError::new_err("the analysis is not done"))?;
        Ok(self.reports.get_or_init(|| reports))
    }
}
