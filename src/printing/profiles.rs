//! Profiles: printed W/D/L for games of other players, by name or by rating.

use super::profile::{ProfileNumbers, between, set_entry};
use super::wdl_for::{FROM_FILE, NOMINAL, UNCORRECTED};
use super::{Pace, PeopleLaw, TimeClass, UnknownTimeClass};
use crate::number_table;
use crate::params::{self, DeTable, DeValue, Fault, Parameters, Spanned, set_number};

/// The profiles that ship with the engine.
const SHIPPED: &str = include_str!("../../engine-params/profiles.toml");

/// How far beyond the ratings of a time class's own profiles those of its neighbour count, Elo. Set by hand, not measured.
const BEYOND: f64 = 150.0;

number_table! {
    /// The rating of a profile.
    struct Rating {
        /// Mean rating of the players.
        elo: f64 = 0.0, 0.0..=10_000.0, step 100, "Elo";
    }
}

/// A level profile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// What it is for.
    pub description: String,
    /// Mean rating of the players, Elo; `None` if it is for no rating.
    pub elo: Option<f64>,
    /// Time class of the games; `None` if it is for any.
    pub time_class: Option<TimeClass>,
    /// Its numbers.
    pub numbers: ProfileNumbers,
}

impl Profile {
    /// Reads the table of a profile. One with a rating and a time control but no numbers is a place on the law of people.
    fn from_table(entries: &DeTable<'_>) -> Result<Profile, Fault> {
        let mut profile = Profile::default();
        let mut has_numbers = false;
        for (key, value) in entries {
            let fault = |reason: String| Fault::new(value.span(), reason);
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("description", DeValue::String(text)) => profile.description = text.to_string(),
                ("description", _) => return Err(fault("description is not a string".to_owned())),
                ("elo", _) => {
                    let mut rating = Rating::default();
                    set_number(&mut rating, "elo", value)?;
                    profile.elo = Some(rating.elo);
                }
                ("time_control", DeValue::String(text)) => {
                    let class = text.parse().map_err(|unknown: UnknownTimeClass| fault(unknown.to_string()))?;
                    profile.time_class = Some(class);
                }
                ("time_control", _) => return Err(fault("time_control is not a string".to_owned())),
                (key, _) => {
                    set_entry(&mut profile.numbers, key, value)?;
                    has_numbers |= key != "fit";
                }
            }
        }
        if let (Some(elo), Some(class), false) = (profile.elo, profile.time_class, has_numbers) {
            profile.numbers = PeopleLaw::shipped().at(elo, Pace::of_class(class).seconds);
        }
        Ok(profile)
    }
}

/// Profiles by name, in the order of their file, at least one. File: `engine-params/profiles.toml`.
#[derive(Clone, Debug, PartialEq)]
pub struct Profiles {
    named: Vec<(String, Profile)>,
    /// The law that gives the numbers of a rating; in its place a file of the user has profiles with ratings.
    law: Option<&'static PeopleLaw>,
}

impl Profiles {
    /// The profiles that ship with the engine.
    #[must_use]
    pub fn shipped() -> Profiles {
        let profiles = params::read("profiles.toml", SHIPPED).expect("a test reads the embedded file");
        Profiles { law: Some(PeopleLaw::shipped()), ..profiles }
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(|(name, _)| name.as_str())
    }

    /// The profile of a name, in any case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Profile> {
        self.named.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, profile)| profile)
    }

    /// The first profile.
    #[must_use]
    pub fn first(&self) -> Option<&Profile> {
        self.named.first().map(|(_, profile)| profile)
    }

    /// Numbers for players of a rating in games of this pace; `None` if there are none. Those that ship with the engine are a
    /// law of both. Of a file those between the rated profiles below and above, or the nearest: profiles for this class and
    /// for any class count, and well beyond their ratings those for the neighbouring class.
    #[must_use]
    pub fn at(&self, elo: f64, pace: Pace) -> Option<ProfileNumbers> {
        let class = pace.class;
        if let Some(law) = self.law {
            // Exhibitions and correspondence games are beyond what the law was fitted to.
            let is_known = !matches!(class, TimeClass::Exhibition | TimeClass::Correspondence);
            return is_known.then(|| law.at(elo, pace.seconds));
        }
        let mut known = self.rated(|of| of.is_none_or(|of| of == class));
        let range = |(low, high): (f64, f64), (elo, _): &(f64, _)| (low.min(*elo), high.max(*elo));
        let (lowest, highest) = known.iter().fold((f64::INFINITY, f64::NEG_INFINITY), range);
        let nearby = self.rated(|of| of.is_some() && of == class.neighbour());
        known.extend(nearby.into_iter().filter(|(elo, _)| *elo < lowest - BEYOND || *elo > highest + BEYOND));
        known.sort_by(|a, b| a.0.total_cmp(&b.0));
        between(&known, elo)
    }

    /// Ratings and numbers of profiles with a rating whose time class suits.
    fn rated(&self, suits: impl Fn(Option<TimeClass>) -> bool) -> Vec<(f64, &ProfileNumbers)> {
        let profiles = self.named.iter().map(|(_, profile)| profile).filter(|profile| suits(profile.time_class));
        profiles.filter_map(|profile| Some((profile.elo?, &profile.numbers))).collect()
    }
}

impl Parameters for Profiles {
    /// One table for each profile, named by it.
    fn from_document(document: &Spanned<DeTable<'_>>) -> Result<Profiles, Fault> {
        let mut profiles: Vec<(String, Profile)> = Vec::new();
        for (name, table) in document.get_ref() {
            let fault = |reason: &str| Fault::new(name.span(), format!("'{}': {reason}", name.get_ref()));
            let name = name.get_ref().as_ref();
            let DeValue::Table(entries) = table.get_ref() else { return Err(fault("not a table")) };
            if !is_name(name) {
                return Err(fault(
                    "not a name of a profile: letters, digits, '-' and '_' only, not 'nominal', 'uncorrected' or 'file'",
                ));
            }
            if let Some((other, _)) = profiles.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)) {
                return Err(fault(&format!("the same name as '{other}'")));
            }
            let profile = Profile::from_table(entries)?;
            profile.numbers.check().map_err(|reason| fault(&reason))?;
            profiles.push((name.to_owned(), profile));
        }
        if profiles.is_empty() {
            Err(Fault::new(0..0, "there is no profile"))
        } else {
            Ok(Profiles { named: profiles, law: None })
        }
    }
}

/// Whether a profile may have this name.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let is_reserved = [NOMINAL, UNCORRECTED, FROM_FILE].iter().any(|reserved| name.eq_ignore_ascii_case(reserved));
    !name.is_empty() && name.chars().all(allowed) && !is_reserved
}
