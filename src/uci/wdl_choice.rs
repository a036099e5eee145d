//! Which games printed W/D/L are for: by the name of a profile, or by ratings and time control.

use super::error::SetOptionError;
use crate::output::info_string;
use crate::printing::TimeClass;
use crate::printing::WdlFor;
use crate::printing::{Clocks, Ratings};
use crate::printing::{FROM_FILE, NOMINAL, Pace, Profiles};
use shakmaty::Color;
use std::mem;

/// The options that choose whose games W/D/L are for.
pub struct WdlChoice {
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

impl Default for WdlChoice {
    fn default() -> WdlChoice {
        WdlChoice {
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

impl WdlChoice {
    /// Whose games W/D/L are for: those of the ratings, or else of the name.
    pub fn wdl_for(&self) -> WdlFor {
        self.rated().or_else(|| self.named(&self.name).ok()).unwrap_or(WdlFor::Nominal)
    }

    /// The same with the time that the players have left, where it counts.
    pub fn wdl_for_with(&self, clocks: Option<Clocks>) -> WdlFor {
        match clocks.filter(|_| self.clocks_count) {
            Some(clocks) => clocks.wdl_for(self.wdl_for(), self.class_of_clocks()),
            None => self.wdl_for(),
        }
    }

    /// The time class by which clocks count: where a profile is named, that of its games.
    fn class_of_clocks(&self) -> TimeClass {
        let named = if self.rated().is_none() { self.profiles.get(&self.name) } else { None };
        named.and_then(|profile| profile.time_class).unwrap_or(self.time_class)
    }

    /// Time class of the players' games.
    pub fn time_class(&self) -> TimeClass {
        self.time_class
    }

    /// Games by the ratings, if one is set and there are profiles for it.
    fn rated(&self) -> Option<WdlFor> {
        self.ratings.wdl_for(&self.profiles, Pace::of_class(self.time_class))
    }

    /// Games by the name of a profile.
    fn named(&self, name: &str) -> Result<WdlFor, SetOptionError> {
        if name.eq_ignore_ascii_case(FROM_FILE) {
            let first = self.profiles.first().filter(|_| self.from_file).ok_or(SetOptionError::NoFile)?;
            return Ok(WdlFor::of_equals(first.numbers.clone()));
        }
        Ok(WdlFor::named(name, &self.profiles)?)
    }

    fn choose(&mut self, name: String) -> Result<(), SetOptionError> {
        self.named(&name)?;
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

    /// Replaces the profiles. If they lack the chosen name, this is reported, and W/D/L are nominal until a file has
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
