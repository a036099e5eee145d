//! The values of the options, and what each of them changes.

use super::contempt::Contempt;
use super::error::SetOptionError;
use super::opponent::Strength;
use super::options::SetOption;
use super::wdl_choice::WdlChoice;
use crate::eval::Weights;
use crate::eval::network::Network;
use crate::human::HumanModel;
use crate::output::info_string;
#[cfg(any(test, feature = "spsa"))]
use crate::params::NumberTable;
use crate::params::{self, Parameters};
use crate::printing::{Nominal, Profiles};
use crate::search::{Pool, Settings};
use crate::tablebase::Tables;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

/// The values of the options that the pool of threads does not keep.
pub struct OptionValues {
    /// How to search; without contempt.
    pub settings: Settings,
    /// The tables of `SyzygyPath`.
    pub tables: Option<Arc<Tables>>,
    /// The weights of the evaluation, with the network if it is used.
    pub weights: Arc<Weights>,
    /// The weights of the terms.
    terms: Arc<Weights>,
    /// The file of `EvalFile`; `None` for the built-in one.
    network: Option<Arc<Network>>,
    uses_network: bool,
    /// Castling as king takes rook.
    pub chess960: bool,
    /// W/D/L beside each score.
    pub show_wdl: bool,
    /// W/D/L before `bestmove`.
    pub pgn_comment: bool,
    /// Whose games W/D/L are for.
    pub wdl_choice: WdlChoice,
    /// The scale of scores and contempt.
    pub nominal: Nominal,
    /// The options of contempt.
    pub contempt: Contempt,
    /// Every search is analysis.
    pub analyse_mode: bool,
    /// Play at the strength of people.
    pub strength: Strength,
    /// How people move; `None` for the built-in model.
    human_model: Option<HumanModel>,
}

impl Default for OptionValues {
    fn default() -> OptionValues {
        OptionValues {
            settings: Settings::default(),
            tables: None,
            weights: Weights::shipped(),
            terms: Weights::terms(),
            network: None,
            uses_network: true,
            chess960: false,
            show_wdl: false,
            pgn_comment: false,
            wdl_choice: WdlChoice::default(),
            nominal: Nominal::shipped().clone(),
            contempt: Contempt::default(),
            analyse_mode: false,
            strength: Strength::default(),
            human_model: None,
        }
    }
}

impl OptionValues {
    /// Gives an option its value, here or in `pool`.
    ///
    /// # Errors
    ///
    /// [`SetOptionError`] if the value cannot be had now. Nothing changes then, except that an unknown profile, a
    /// rating without profile and an unreadable opponent are noted.
    pub fn set(&mut self, option: SetOption, pool: &mut Pool) -> Result<(), SetOptionError> {
        match option {
            SetOption::Hash(mib) => {
                pool.set_hash(mib).map_err(|reason| SetOptionError::Memory { option: "Hash", reason })?
            }
            SetOption::ClearHash => pool.clear(),
            SetOption::Threads(threads) => {
                let failed = |reason| SetOptionError::Memory { option: "Threads", reason };
                pool.set_threads(threads).map_err(failed)?;
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
                self.terms = weights.map_or_else(Weights::terms, Arc::new);
                self.set_weights(pool);
            }
            SetOption::UseNetwork(on) => {
                self.uses_network = on;
                self.set_weights(pool);
            }
            SetOption::EvalFile(path) => {
                let read = path.as_deref().map(Network::read_file).transpose();
                let network = read.map_err(|reason| SetOptionError::File { option: "EvalFile", reason })?;
                self.network = network.map(Arc::new);
                self.set_weights(pool);
            }
            SetOption::WdlProfile(name) => self.wdl_choice.set_name(name)?,
            SetOption::WdlProfileFile(path) => {
                let profiles = read_params("WDL_ProfileFile", path.as_deref())?.unwrap_or_else(Profiles::shipped);
                self.wdl_choice.set_profiles(profiles, path.is_some());
            }
            SetOption::WdlNominalFile(path) => {
                let nominal = read_params("WDL_NominalFile", path.as_deref())?;
                self.nominal = nominal.unwrap_or_else(|| Nominal::shipped().clone());
                if pool.contempt_scale() != &self.nominal.contempt {
                    pool.set_contempt_scale(self.nominal.contempt.clone());
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
            SetOption::LimitStrength(on) => self.strength.is_limited = on,
            SetOption::Elo(elo) => self.strength.elo = elo,
            SetOption::HumanSeed(seed) => self.strength.seed = seed,
            SetOption::HumanFile(path) => self.human_model = read_params("HumanFile", path.as_deref())?,
            SetOption::AnalyseMode(on) => self.analyse_mode = on,
            SetOption::SyzygyPath(folders) => self.open_tables(&folders, pool),
            SetOption::SyzygyProbeDepth(depth) => self.settings.syzygy.depth = depth,
            SetOption::SyzygyProbeLimit(pieces) => self.settings.syzygy.pieces = pieces,
            SetOption::Syzygy50MoveRule(on) => {
                self.settings.syzygy.fifty_move_rule = on;
                // The hash table may hold results by the other rule.
                pool.clear();
            }
            #[cfg(any(test, feature = "spsa"))]
            SetOption::SearchParams(path) => {
                pool.set_params(read_params("SearchParams", path.as_deref())?.unwrap_or_default());
            }
            #[cfg(any(test, feature = "spsa"))]
            SetOption::SearchConstant(index, value) => {
                let mut constants = pool.params().clone();
                constants.set(index, value);
                pool.set_params(constants);
            }
        }
        Ok(())
    }

    /// Evaluates by the terms, and by the network if it is used.
    fn set_weights(&mut self, pool: &mut Pool) {
        let network = || self.network.clone().unwrap_or_else(Network::shipped);
        self.weights = if self.uses_network {
            Arc::new(self.terms.with_network(Some(network())))
        } else {
            Arc::clone(&self.terms)
        };
        pool.set_weights(Arc::clone(&self.weights));
    }

    /// How people move.
    pub fn human_model(&self) -> &HumanModel {
        self.human_model.as_ref().unwrap_or_else(|| HumanModel::shipped())
    }

    /// Uses the tables of these folders, and reports what they are and what is wrong with them.
    fn open_tables(&mut self, folders: &OsStr, pool: &mut Pool) {
        self.tables = (!folders.is_empty()).then(|| Arc::new(Tables::open(folders)));
        pool.set_syzygy(self.tables.clone());
        if let Some(tables) = self.tables.as_deref().filter(|tables| tables.max_pieces() > 0) {
            info_string(tables);
        }
        self.report_table_faults();
    }

    /// Reports what was found wrong with the tables.
    pub fn report_table_faults(&self) {
        self.tables.as_deref().map(Tables::take_faults).unwrap_or_default().into_iter().for_each(info_string);
    }
}

/// Reads the file of an option, if there is one.
fn read_params<T: Parameters>(option: &'static str, path: Option<&Path>) -> Result<Option<T>, SetOptionError> {
    path.map(params::read_file).transpose().map_err(|reason| SetOptionError::File { option, reason })
}

#[cfg(test)]
mod tests {
    use super::super::options;
    use super::*;
    use crate::position::GameHistory;
    use crate::search::{Limits, SearchParams, Signals};

    #[test]
    fn search_constants_come_from_a_file() {
        let file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
        let path = file.path().to_str().unwrap();
        let (mut values, mut pool) = (OptionValues::default(), Pool::new(Weights::shipped(), 1, 1).unwrap());
        let mut set = |pool: &mut Pool, text: &str| {
            std::fs::write(path, text).unwrap();
            values.set(options::parse("SearchParams", Some(path)).unwrap(), pool).map_err(|reason| reason.to_string())
        };
        let nodes = |pool: &mut Pool| {
            pool.clear();
            let limits = Limits { depth: Some(8), ..Limits::default() };
            pool.search(&GameHistory::default(), &limits, &Settings::default(), &Signals::new(), &mut |_| ()).nodes
        };
        let shipped = params::to_toml(&SearchParams::default());
        set(&mut pool, &shipped).unwrap();
        let usual = nodes(&mut pool);
        set(&mut pool, &shipped.replace("late_move_base = 1642", "late_move_base = 1000")).unwrap();
        let other = nodes(&mut pool);
        assert_ne!(usual, other);
        let refusal = set(&mut pool, &shipped.replace("null_move_score_cp = ", "null_move_score_cp = -")).unwrap_err();
        assert!(refusal.contains("null_move_score_cp = -") && !refusal.contains('\n'), "{refusal}");
        assert_eq!(nodes(&mut pool), other, "the constants stay");
    }
}
