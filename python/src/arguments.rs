//! Arguments that Python hands over in a dictionary.

use halfpoint::analysis::{AnalysisOptions, PlayerOptions};
use halfpoint::printing::TimeClass;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::time::Duration;

/// Whom W/D/L are for.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Players {
    white_elo: Option<u32>,
    black_elo: Option<u32>,
    time_control: Option<String>,
    profile: Option<String>,
}

impl Players {
    /// The same for the engine.
    ///
    /// # Errors
    ///
    /// `ValueError` if the time control is none.
    pub fn options(&self) -> PyResult<PlayerOptions> {
        let mut options = PlayerOptions::default();
        options.white_elo = self.white_elo;
        options.black_elo = self.black_elo;
        options.profile.clone_from(&self.profile);
        if let Some(text) = &self.time_control {
            let class = TimeClass::timed(text).map_err(|unknown| PyValueError::new_err(unknown.to_string()))?;
            options.time_class = Some(class);
        }
        Ok(options)
    }
}

/// Games to analyse, and how.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Task {
    /// The games, or `None` if they are in a file.
    pub text: Option<String>,
    /// Their file.
    pub path: Option<PathBuf>,
    /// Which of them, as on the command line; `None` for all.
    pub numbers: Option<String>,
    /// Whether any castling rights are accepted.
    pub chess960: bool,
    nodes: Option<u64>,
    /// Seconds.
    time: Option<f64>,
    depth: Option<usize>,
    multipv: usize,
    clocks: bool,
    people: bool,
    /// Three numbers, as on the command line.
    thresholds: String,
    players: Players,
}

impl Task {
    /// Puts what it says of the search, the players and the thresholds into options.
    ///
    /// # Errors
    ///
    /// `ValueError` with what is wrong.
    pub fn set(&self, options: &mut AnalysisOptions) -> PyResult<()> {
        options.search.nodes = self.nodes;
        options.search.time = match self.time {
            Some(time) => {
                let valid = Duration::try_from_secs_f64(time);
                Some(valid.map_err(|_| PyValueError::new_err(format!("time {time} is no time")))?)
            }
            None => None,
        };
        options.search.depth = self.depth;
        options.search.multi_pv = self.multipv;
        options.players = self.players.options()?;
        options.players.clocks = self.clocks;
        options.people = self.people;
        let fault = |text: String| PyValueError::new_err(format!("thresholds are {text}"));
        options.thresholds = self.thresholds.parse().map_err(fault)?;
        Ok(())
    }
}
