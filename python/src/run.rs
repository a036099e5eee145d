//! An analysis of games at work.

use crate::interrupt::Interrupt;
use crate::python_error;
use halfpoint::analysis::{
    Analysis, AnalysisError, AnalysisOptions, Crew, GameReport, Input, SearchOptions, annotated_pgn, html_page,
};
use halfpoint::tablebase::Tables;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often Python is asked for signals.
const POLL: Duration = Duration::from_millis(50);
/// How often it is looked whether a search is done.
const PAUSE: Duration = Duration::from_millis(2);

/// An analysis. Its searches begin with the first call of `next`, and go on between calls until `stop`, an exception or the
/// end of the object.
#[pyclass(frozen, module = "halfpoint._engine")]
pub struct Run {
    /// Locked for as long as it takes to look, not while a search is waited for: `stop` may come from any thread, and from a
    /// handler of signals that runs on the thread that waits.
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

/// Positions that are done, and all positions; [`ControlFlow::Continue`] if nothing new is, [`None`] at the end.
type Step = ControlFlow<Option<(usize, usize)>>;

struct State {
    analysis: Analysis,
    crew: Option<Crew>,
    /// How often the searches were stopped.
    stops: usize,
}

impl State {
    /// The next search that is done, or [`ControlFlow::Continue`] if none is yet. Starts the searches.
    fn step(&mut self, search: &SearchOptions, threads: usize) -> PyResult<Step> {
        let State { analysis, crew, .. } = self;
        let running = match crew {
            Some(crew) => crew,
            None => {
                let started = Crew::start(analysis, search, threads);
                crew.insert(started.map_err(|error| python_error(&error))?)
            }
        };
        let progress = running.wait_within(Duration::ZERO).map_break(|searched| {
            searched.map(|searched| {
                analysis.add(searched);
                (analysis.done(), analysis.positions())
            })
        });
        if progress == ControlFlow::Break(None) && analysis.done() < analysis.positions() {
            return Err(PyRuntimeError::new_err("a search ended without a result"));
        }
        Ok(progress)
    }

    fn stop(&mut self) {
        self.stops += 1;
        if let Some(crew) = self.crew.take() {
            crew.stop(&mut self.analysis);
        }
    }
}

#[pymethods]
impl Run {
    /// Waits for the next search: positions that are done, and all positions; `None` if all are done, or the searches are
    /// stopped meanwhile.
    fn next(&self, py: Python<'_>) -> PyResult<Option<(usize, usize)>> {
        py.detach(|| {
            let (mut interrupt, mut asked) = (Interrupt::default(), Instant::now());
            let stops = self.state().stops;
            while let Some(step) = self.step_unless_stopped(stops) {
                if let ControlFlow::Break(progress) = step? {
                    // Here, too: short searches end before the time below is up.
                    if interrupt.check().is_break() {
                        self.state().stop();
                        break;
                    }
                    return Ok(progress);
                }
                thread::sleep(PAUSE);
                if asked.elapsed() >= POLL {
                    asked = Instant::now();
                    if interrupt.check().is_break() {
                        self.state().stop();
                        break;
                    }
                }
            }
            interrupt.into_result().map(|()| None)
        })
    }

    /// Stops the searches; `next` goes on with those that are left.
    fn stop(&self, py: Python<'_>) {
        py.detach(|| self.state().stop());
    }

    /// What was found wrong with the endgame tables since the last call.
    fn table_faults(&self) -> Vec<String> {
        let faults = self.search.tables.as_deref().map(Tables::take_faults).unwrap_or_default();
        faults.iter().map(ToString::to_string).collect()
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
        let state = Mutex::new(State { analysis, crew: None, stops: 0 });
        let search = options.search;
        Ok(Run { state, reports: OnceLock::new(), faults, warnings, are_positions, search, threads })
    }

    /// A step, unless the searches were stopped more often than that.
    fn step_unless_stopped(&self, stops: usize) -> Option<PyResult<Step>> {
        let mut state = self.state();
        (state.stops == stops).then(|| state.step(&self.search, self.threads))
    }

    /// Taken without Python's lock alone: who has it may start searches, or wait until they have stopped.
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
