//! What `setoption` changes in a session.

use super::error::SetOptionError;
use super::options::SetOption;
use super::session::Session;
use crate::eval::Weights;
use crate::output::info_string;
#[cfg(any(test, feature = "spsa"))]
use crate::params::NumberTable;
use crate::params::{self, Parameters};
use crate::printing::Nominal;
use crate::printing::Profiles;
use crate::tablebase::Tables;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

impl Session {
    /// Gives an option its value.
    ///
    /// # Errors
    ///
    /// [`SetOptionError`] if the value cannot be had now. Nothing changes then, except that an unknown profile, a
    /// rating without profile and an unreadable opponent are noted.
    pub fn set_option(&mut self, option: SetOption) -> Result<(), SetOptionError> {
        match option {
            SetOption::Hash(mib) => {
                self.pool.set_hash(mib).map_err(|reason| SetOptionError::Memory { option: "Hash", reason })?
            }
            SetOption::ClearHash => self.pool.clear(),
            SetOption::Threads(threads) => {
                let failed = |reason| SetOptionError::Memory { option: "Threads", reason };
                self.pool.set_threads(threads).map_err(failed)?;
            }
            SetOption::MultiPv(lines) => self.settings.multi_pv = lines,
            SetOption::Ponder(ponders) => self.settings.ponders = ponders,
            SetOption::ClockLead(is_used) => self.settings.uses_clock_lead = is_used,
            SetOption::MoveOverhead(overhead) => self.settings.move_overhead = overhead,
            SetOption::ShowWdl(on) => self.show_wdl = on,
            SetOption::PgnComment(on) => self.pgn_comment = on,
            SetOption::Chess960(on) => self.chess960 = on,
            SetOption::EvalParams(path) => {
                let weights = read_params("EvalParams", path.as_deref())?;
                self.weights = weights.map_or_else(Weights::shipped, Arc::new);
                self.pool.set_weights(self.weights.clone());
            }
            SetOption::WdlProfile(name) => self.wdl_choice.set_name(name)?,
            SetOption::WdlProfileFile(path) => {
                let profiles = read_params("WDL_ProfileFile", path.as_deref())?.unwrap_or_else(Profiles::shipped);
                self.wdl_choice.set_profiles(profiles, path.is_some());
            }
            SetOption::WdlNominalFile(path) => {
                let nominal = read_params("WDL_NominalFile", path.as_deref())?;
                self.nominal = nominal.unwrap_or_else(|| Nominal::shipped().clone());
                if self.pool.contempt_scale() != &self.nominal.contempt {
                    self.pool.set_contempt_scale(self.nominal.contempt.clone());
                }
            }
            SetOption::WdlElo(color, elo) => self.wdl_choice.set_elo(color, elo)?,
            SetOption::WdlTimeControl(time_class) => self.wdl_choice.set_time_class(time_class)?,
            SetOption::WdlClocks(on) => self.wdl_choice.clocks_count = on,
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
            SetOption::SyzygyPath(folders) => self.open_tables(&folders),
            SetOption::SyzygyProbeDepth(depth) => self.settings.syzygy.depth = depth,
            SetOption::SyzygyProbeLimit(pieces) => self.settings.syzygy.pieces = pieces,
            SetOption::Syzygy50MoveRule(on) => {
                self.settings.syzygy.fifty_move_rule = on;
                // The hash table may hold results by the other rule.
                self.pool.clear();
            }
            #[cfg(feature = "spsa")]
            SetOption::SearchParams(path) => {
                self.pool.set_params(read_params("SearchParams", path.as_deref())?.unwrap_or_default());
            }
            #[cfg(any(test, feature = "spsa"))]
            SetOption::SearchConstant(index, value) => {
                let mut constants = self.pool.params().clone();
                constants.set(index, value);
                self.pool.set_params(constants);
            }
        }
        Ok(())
    }

    /// Uses the tables of these folders, and reports what they are and what is wrong with them.
    fn open_tables(&mut self, folders: &OsStr) {
        self.tables = (!folders.is_empty()).then(|| Arc::new(Tables::open(folders)));
        self.pool.set_syzygy(self.tables.clone());
        if let Some(tables) = self.tables.as_deref().filter(|tables| tables.max_pieces() > 0) {
            info_string(tables);
        }
        self.report_faults();
    }
}

/// Reads the file of an option, if there is one.
fn read_params<T: Parameters>(option: &'static str, path: Option<&Path>) -> Result<Option<T>, SetOptionError> {
    path.map(params::read_file).transpose().map_err(|reason| SetOptionError::File { option, reason })
}
