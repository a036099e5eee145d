//! What `setoption` changes in a session.

use super::contempt::OpponentError;
use super::options::SetOption;
use super::session::Session;
use crate::eval::Weights;
#[cfg(any(test, feature = "spsa"))]
use crate::params::NumberTable;
use crate::params::{self, Parameters, ParamsError};
use crate::search::{HashError, SearchParams};
use crate::wdl::profile::{Pace, Profiles, ProfilesError};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// Largest file of profiles that is read, in bytes.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// Why an option cannot have a value.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "fields of errors say what they are")]
pub enum SetOptionError {
    /// There is no memory for a table of this size.
    #[error("option Hash: {0}")]
    Hash(#[from] HashError),
    /// The file cannot be read, or something in it is wrong.
    #[error("option {option}: {reason}")]
    File { option: &'static str, reason: ParamsError },
    /// The file cannot be read.
    #[error("option {option}: cannot read '{}': {reason}", path.display())]
    Unreadable { option: &'static str, path: PathBuf, reason: io::Error },
    /// Something in the file of profiles is wrong.
    #[error("option WDL_ProfileFile: '{}': {reason}", path.display())]
    Profiles { path: PathBuf, reason: ProfilesError },
    /// There is no such profile.
    #[error("option WDL_Profile: '{name}' is not one of {known}; it is set once a WDL_ProfileFile has it")]
    Profile { name: String, known: String },
    /// The description of the opponent is malformed.
    #[error("option UCI_Opponent: {0}")]
    Opponent(#[from] OpponentError),
    /// No profile of this time control has a rating.
    #[error("options WDL_Elo, WDL_TimeControl: no profile for {0} games has a rating, so WDL_Profile decides")]
    Unrated(Pace),
    /// No file of profiles has been read.
    #[error("option WDL_Profile: 'file' needs a WDL_ProfileFile")]
    NoFile,
}

impl Session {
    /// Gives an option its value.
    ///
    /// # Errors
    ///
    /// [`SetOptionError`] if the value cannot be had now. Nothing changes then, except that an unknown profile, a
    /// rating without profile and an unreadable opponent are noted.
    pub fn set_option(&mut self, option: SetOption) -> Result<(), SetOptionError> {
        match option {
            SetOption::Hash(mib) => self.pool.set_hash(mib)?,
            SetOption::ClearHash => self.pool.clear(),
            SetOption::Threads(threads) => self.pool.set_threads(threads),
            SetOption::MultiPv(lines) => self.settings.multi_pv = lines,
            SetOption::Ponder(ponders) => self.settings.ponders = ponders,
            SetOption::MoveOverhead(overhead) => self.settings.move_overhead = overhead,
            SetOption::ShowWdl(on) => self.show_wdl = on,
            SetOption::Chess960(on) => self.chess960 = on,
            SetOption::EvalParams(path) => {
                self.weights =
                    path.map_or_else(|| Ok(Weights::shipped()), |path| read_params("EvalParams", &path).map(Arc::new))?;
                self.pool.set_weights(self.weights.clone());
            }
            SetOption::SearchParams(path) => {
                let params =
                    path.map_or_else(|| Ok(SearchParams::default()), |path| read_params("SearchParams", &path))?;
                self.pool.set_params(params);
            }
            SetOption::WdlProfile(name) => self.levels.set_name(name)?,
            SetOption::WdlProfileFile(path) => {
                let profiles = path.as_deref().map_or_else(|| Ok(Profiles::shipped()), read_profiles)?;
                self.levels.set_profiles(profiles, path.is_some());
            }
            SetOption::WdlElo(elo) => self.levels.set_elo(elo)?,
            SetOption::WdlTimeControl(pace) => self.levels.set_pace(pace)?,
            SetOption::Contempt(elo) => self.contempt.elo = elo,
            SetOption::AutoContempt(on) => self.contempt.auto = on,
            SetOption::RatingAdvantage(elo) => self.contempt.advantage = elo,
            SetOption::Opponent(text) => {
                // A malformed text forgets the old opponent too.
                self.contempt.opponent = None;
                if !text.is_empty() {
                    self.contempt.opponent = Some(text.parse()?);
                }
            }
            SetOption::OwnElo(elo) => self.contempt.own_elo = elo,
            SetOption::ContemptSide(side) => self.contempt.side = side,
            SetOption::ShowContempt(on) => self.contempt.shown = on,
            SetOption::AnalyseMode(on) => self.analyse_mode = on,
            #[cfg(any(test, feature = "spsa"))]
            SetOption::SearchConstant(index, value) => {
                let mut constants = self.pool.params().clone();
                constants.set(index, value);
                self.pool.set_params(constants);
            }
        }
        Ok(())
    }
}

fn read_params<T: Parameters>(option: &'static str, path: &Path) -> Result<T, SetOptionError> {
    params::read_file(path).map_err(|reason| SetOptionError::File { option, reason })
}

fn read_profiles(path: &Path) -> Result<Profiles, SetOptionError> {
    let text = read_file("WDL_ProfileFile", path)?;
    let profiles = Profiles::from_toml(&text);
    let filled = profiles.and_then(|read| if read.is_empty() { Err(ProfilesError::Empty) } else { Ok(read) });
    filled.map_err(|reason| SetOptionError::Profiles { path: path.to_owned(), reason })
}

fn read_file(option: &'static str, path: &Path) -> Result<String, SetOptionError> {
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(MAX_FILE_BYTES).read_to_string(&mut text))
        .map_err(|reason| SetOptionError::Unreadable { option, path: path.to_owned(), reason })?;
    Ok(text)
}
