//! Positions without a search.

use crate::arguments::Players;
use crate::interrupt::Interrupt;
use halfpoint::analysis::{StaticWdl, evaluation_json, printed_evaluation};
use halfpoint::eval::{Explanation, Weights};
use halfpoint::position::Position;
use halfpoint::printing::{Nominal, Profiles, WdlFor};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyBytes;
use std::{io, thread};

/// Positions between two looks for signals, for each thread.
const BLOCK: usize = 1 << 14;

/// The evaluation of a position, term by term, as `halfpoint eval --json` prints it.
#[pyfunction]
pub fn evaluate(py: Python<'_>, fen: &str, chess960: bool) -> PyResult<String> {
    py.detach(|| {
        let position = Position::from_fen(fen, chess960).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let explanation = Explanation::of(&position, &Weights::shipped());
        let printed = printed_evaluation(&position, explanation.evaluation, Nominal::shipped(), &WdlFor::Nominal);
        Ok(evaluation_json(&explanation, &printed).to_string())
    })
}

/// White's win, draw and loss of each position by its evaluation, per mille: three numbers of 16 bits each.
#[pyfunction]
pub fn static_wdl<'py>(
    py: Python<'py>,
    fens: Vec<PyBackedStr>,
    chess960: bool,
    players: Players,
    threads: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let wdl_for = players.options()?.wdl_for(&Profiles::shipped());
    let wdl_for = wdl_for.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let bytes = py.detach(|| {
        let mut workers: Vec<StaticWdl> = (0..threads).map(|_| StaticWdl::new(wdl_for.clone())).collect();
        let mut interrupt = Interrupt::default();
        let mut bytes = Vec::with_capacity(6 * fens.len());
        for (block, texts) in fens.chunks(BLOCK * threads).enumerate() {
            let share = texts.len().div_ceil(threads);
            thread::scope(|scope| {
                let parts = workers.iter_mut().zip(texts.chunks(share)).enumerate().map(|(part, (worker, texts))| {
                    let first = block * BLOCK * threads + part * share;
                    thread::Builder::new().spawn_scoped(scope, move || of_block(worker, texts, chess960, first))
                });
                let parts = parts.collect::<io::Result<Vec<_>>>()?;
                for part in parts {
                    let part = part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                    bytes.extend(part.map_err(PyValueError::new_err)?);
                }
                PyResult::Ok(())
            })?;
            if interrupt.check().is_break() {
                break;
            }
        }
        interrupt.into_result().map(|()| bytes)
    })?;
    Ok(PyBytes::new(py, &bytes))
}

/// The numbers of some positions, of which the first has this number; or what is wrong with one.
fn of_block(worker: &mut StaticWdl, fens: &[PyBackedStr], chess960: bool, first: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(6 * fens.len());
    for (fen, number) in fens.iter().zip(first..) {
        let position = Position::from_fen(fen, chess960).map_err(|error| format!("position {number}: {error}"))?;
        // Per mille fit into 16 bits.
        bytes.extend(worker.of(&position).into_iter().flat_map(|share| (share as u16).to_ne_bytes()));
    }
    Ok(bytes)
}
