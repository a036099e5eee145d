//! Which games printed W/D/L are for: by the name of a profile, or by ratings and time control.

use super::error::SetOptionError;
use crate::output::info_string;
use crate::wdl::players::{Clocks, Ratings};
use crate::wdl::print::Level;
use crate::wdl::profiles::{FROM_FILE, NOMINAL, Profiles, UNCORRECTED};
use crate::wdl::time_class::TimeClass;
use shakmaty::Color;
use std::mem;

/// The options that choose the level of printed W/D/L.
pub struct LevelChoice {
    profiles: Profiles,
    /// Whether the profiles come from a file.
    from_file: bool,
    /// The chosen profile.
    name: String,
    /// A name that was set and that no profile has yet.
    wanted: Option<String>,
    /// Ratings of the players.
    ratings: Ratings,
    /// Time class of their games.
    time_class: TimeClass,
    /// Whether the time that the players have left counts.
    pub clocks_count: bool,
}

impl Default for LevelChoice {
    fn default() -> LevelChoice {
        LevelChoice {
            profiles: Profiles::shipped(),
            from_file: false,
            name: NOMINAL.to_owned(),
            wanted: None,
            ratings: Ratings::default(),
            time_class: TimeClass::Classical,
            clocks_count: false,
        }
    }
}

impl LevelChoice {
    /// The level in force: that of the ratings, or else that of the name.
    pub fn level(&self) -> Level {
        let named = || match self.name.eq_ignore_ascii_case(FROM_FILE) {
            true => self.profiles.first(),
            false => self.profiles.get(&self.name),
        };
        let of_name = || Some(Level::of_equals(named()?.numbers.clone()));
        match self.rated().or_else(of_name) {
            Some(level) => level,
            None if self.name.eq_ignore_ascii_case(UNCORRECTED) => Level::Uncorrected,
            None => Level::Nominal,
        }
    }

    /// The same with the time that the players have left, where it counts.
    pub fn level_with(&self, clocks: Option<Clocks>) -> Level {
        match clocks.filter(|_| self.clocks_count) {
            Some(clocks) => clocks.level(self.level(), self.time_class),
            None => self.level(),
        }
    }

    /// The level of the ratings, if one is set and has profiles.
    fn rated(&self) -> Option<Level> {
        self.ratings.level(&self.profiles, self.time_class)
    }

    fn choose(&mut self, name: String) -> Result<(), SetOptionError> {
        let own = [NOMINAL, UNCORRECTED, FROM_FILE];
        if name.eq_ignore_ascii_case(FROM_FILE) && (!self.from_file || self.profiles.first().is_none()) {
            return Err(SetOptionError::NoFile);
        }
        if !own.iter().any(|known| name.eq_ignore_ascii_case(known)) && self.profiles.get(&name).is_none() {
            let known: Vec<_> = own.into_iter().chain(self.profiles.names()).collect();
            return Err(SetOptionError::Profile { name, known: known.join(", ") });
        }
        self.name = name;
        Ok(())
    }

    /// Sets `WDL_Profile`. An unknown name is kept until a file has it, since clients set options in any order.
    ///
    /// # Errors
    ///
    /// [`SetOptionError`] if no profile has the name yet.
    pub fn set_name(&mut self, name: String) -> Result<(), SetOptionError> {
        let result = self.choose(name.clone());
        self.wanted = result.is_err().then_some(name);
        result
    }

    /// Sets `WDL_WhiteElo` or `WDL_BlackElo`, 0 for none. It is kept even without a profile: another option, or a file, may
    /// follow.
    ///
    /// # Errors
    ///
    /// [`SetOptionError::Unrated`] if no profile of the time control has a rating.
    pub fn set_elo(&mut self, color: Color, elo: u32) -> Result<(), SetOptionError> {
        let rating = (elo > 0).then_some(elo);
        *color.fold_wb(&mut self.ratings.white, &mut self.ratings.black) = rating;
        self.check_rating()
    }

    /// Sets `WDL_TimeControl`, and keeps it as a rating is kept.
    ///
    /// # Errors
    ///
    /// [`SetOptionError::Unrated`] if no profile of the time control has a rating.
    pub fn set_time_class(&mut self, time_class: TimeClass) -> Result<(), SetOptionError> {
        self.time_class = time_class;
        self.check_rating()
    }

    fn check_rating(&self) -> Result<(), SetOptionError> {
        let lacks_profile = self.ratings != Ratings::default() && self.rated().is_none();
        if lacks_profile { Err(SetOptionError::Unrated(self.time_class)) } else { Ok(()) }
    }

    /// Replaces the profiles. If they lack the chosen name, this is reported, and the level is nominal until a file has
    /// the name again.
    pub fn set_profiles(&mut self, profiles: Profiles, from_file: bool) {
        (self.profiles, self.from_file) = (profiles, from_file);
        if self.wanted.clone().is_some_and(|name| self.choose(name).is_ok()) {
            self.wanted = None;
        } else if let Err(error) = self.choose(self.name.clone()) {
            info_string(error);
            let name = mem::replace(&mut self.name, NOMINAL.to_owned());
            self.wanted.get_or_insert(name);
        }
        if let Err(error) = self.check_rating() {
            info_string(error);
        }
    }
}
