//! What an interrupted run needs to go on: the parameters bit by bit, the optimiser, and how far it came.

use super::adamw::AdamW;
use super::level::Level;
use super::measure::EpochLosses;
use super::options::Options;
use super::prepare::{Origin, checksum};
use crate::writing;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The state of a run, after a bucket of an epoch.
#[derive(Clone, Serialize, Deserialize)]
pub struct State {
    /// What the run depends on.
    settings: String,
    /// The epoch that is under way, from 0.
    pub epoch: u32,
    /// Buckets that it has done.
    pub bucket: usize,
    /// Batches that are done in all.
    pub batches: u64,
    pub level: Level,
    pub search_level: Level,
    parameters: Vec<u32>,
    first: Vec<u32>,
    second: Vec<u32>,
    /// Losses of this epoch so far: sums and positions.
    pub sums: ([f64; 2], u64),
    pub losses: Vec<EpochLosses>,
    /// Time spent so far.
    #[serde(default)]
    pub seconds: f64,
}

impl State {
    /// A run at its beginning.
    ///
    /// # Errors
    ///
    /// That the network to begin with cannot be read.
    pub fn new(options: &Options, origin: &Origin, parameters: &[f32], levels: [Level; 2]) -> Result<State> {
        let adamw = AdamW::new(parameters.len());
        let [level, search_level] = levels;
        let mut state = State {
            settings: settings(options, origin)?,
            epoch: 0,
            bucket: 0,
            batches: 0,
            level,
            search_level,
            parameters: Vec::new(),
            first: Vec::new(),
            second: Vec::new(),
            sums: ([0.0; 2], 0),
            losses: Vec::new(),
            seconds: 0.0,
        };
        state.keep(parameters, &adamw);
        Ok(state)
    }

    /// The state of the run that was interrupted, if there is one.
    ///
    /// # Errors
    ///
    /// That the file is none, unless it is to be replaced in any case, or of a run with other settings.
    pub fn read(options: &Options, origin: &Origin) -> Result<Option<State>> {
        let path = path(&options.out);
        let bytes = match std::fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            read => read.with_context(|| path.display().to_string())?,
        };
        let state: State = match serde_json::from_slice(&bytes) {
            Ok(state) => state,
            Err(_) if options.overwrite => return Ok(None),
            Err(error) => bail!("{}: not the state of a run ({error}); --overwrite replaces it", path.display()),
        };
        if state.settings != settings(options, origin)? {
            bail!("{} is of a run with other options or games; choose another --out", path.display());
        }
        Ok(Some(state))
    }

    /// Takes parameters and optimiser.
    pub fn keep(&mut self, parameters: &[f32], adamw: &AdamW) {
        let bits = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect();
        (self.parameters, self.first, self.second) = (bits(parameters), bits(&adamw.first), bits(&adamw.second));
    }

    /// Parameters and optimiser; `None` if there are not as many parameters as that.
    pub fn restore(&self, count: usize) -> Option<(Vec<f32>, AdamW)> {
        let [parameters, first, second] = [&self.parameters, &self.first, &self.second]
            .map(|bits| bits.iter().map(|&bits| f32::from_bits(bits)).collect::<Vec<f32>>());
        let all = [parameters.len(), first.len(), second.len()];
        (all == [count; 3]).then_some((parameters, AdamW { first, second, steps: self.batches }))
    }

    /// Writes it.
    pub fn write(&self, options: &Options) -> Result<()> {
        writing::write(&path(&options.out), serde_json::to_vec(self)?)
    }
}

/// The file in a folder of results.
pub fn path(folder: &Path) -> PathBuf {
    folder.join("state.json")
}

/// What a run depends on.
fn settings(options: &Options, origin: &Origin) -> Result<String> {
    let Options { units, start, epochs, rate, decay, lambda_wilo, lambda_draw, seed, .. } = options;
    let start = start.as_deref().map(checksum).transpose()?.map_or("random".to_owned(), |crc| format!("{crc:08x}"));
    Ok(format!(
        "rows {:08x}, {units} units, start {start}, {epochs} epochs, rate {rate}, decay {decay}, lambdas {lambda_wilo} {lambda_draw}, \
         seed {seed}",
        origin.checksum()
    ))
}
