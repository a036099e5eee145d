//! The two players: whose games W/D/L are for.

use crate::games::Tags;
use crate::wdl::players::{Clocks, Ratings};
use crate::wdl::print::Level;
use crate::wdl::profiles::{NOMINAL, Profiles, UNCORRECTED};
use crate::wdl::time_class::TimeClass;
use std::borrow::Cow;
use thiserror::Error;

/// What was asked for in place of what the tags of a game say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerOptions {
    /// Rating of White.
    pub white_elo: Option<u32>,
    /// Rating of Black.
    pub black_elo: Option<u32>,
    /// Time control.
    pub time_class: Option<TimeClass>,
    /// A profile by name, `nominal` or `uncorrected`; goes before ratings.
    pub profile: Option<String>,
    /// Whether the time that the players have left counts, where the game tells it.
    pub clocks: bool,
}

/// No profile has this name.
#[derive(Debug, Error)]
#[error("there is no profile '{name}'; known are {known}")]
pub struct UnknownProfile {
    name: String,
    known: String,
}

impl PlayerOptions {
    /// Whether the profile, if one is named, exists.
    ///
    /// # Errors
    ///
    /// [`UnknownProfile`] if it does not.
    pub fn check(&self, profiles: &Profiles) -> Result<(), UnknownProfile> {
        let Some(name) = &self.profile else { return Ok(()) };
        let own = [NOMINAL, UNCORRECTED];
        if own.iter().any(|known| name.eq_ignore_ascii_case(known)) || profiles.get(name).is_some() {
            return Ok(());
        }
        let known: Vec<_> = own.into_iter().chain(profiles.names()).collect();
        Err(UnknownProfile { name: name.clone(), known: known.join(", ") })
    }
}

/// The players of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Players {
    /// Their ratings.
    pub ratings: Ratings,
    /// How W/D/L are printed for them, as long as both have the same time left.
    pub level: Level,
    /// The time class of the game, if clocks count.
    clocks_of: Option<TimeClass>,
    /// Whom W/D/L are for, in words.
    pub description: String,
}

impl Players {
    /// Those of a game: by the options, or else by its tags. A missing rating is taken to be that of the opponent; without
    /// any, W/D/L are those of the engine's own games.
    #[must_use]
    pub fn of(tags: &Tags, options: &PlayerOptions, profiles: &Profiles) -> Players {
        let ratings = Ratings {
            white: options.white_elo.or(tags.ratings().white),
            black: options.black_elo.or(tags.ratings().black),
        };
        let tag = |name| tags.known(name);
        let class = options
            .time_class
            .or_else(|| TimeClass::from_tags(tag("TimeControl"), tag("EventType"), tag("Event")))
            .unwrap_or(TimeClass::Classical);
        let clocks_of = options.clocks.then_some(class);
        let players = |level, description: String| Players { ratings, level, clocks_of, description };
        if let Some(name) = &options.profile {
            let level = match profiles.get(name) {
                Some(profile) => Level::of_equals(profile.numbers.clone()),
                None if name.eq_ignore_ascii_case(UNCORRECTED) => Level::Uncorrected,
                None => Level::Nominal,
            };
            return players(level, format!("profile {name}"));
        }
        let own = || players(Level::Nominal, "players of the engine's strength".to_owned());
        let Some((white, black)) = ratings.both() else { return own() };
        // There are no profiles of exhibitions and correspondence games.
        let level = ratings.level(profiles, class).or_else(|| ratings.level(profiles, TimeClass::Classical));
        level.map_or_else(own, |level| {
            let whom = match white == black {
                true => format!("players rated {white}"),
                false => format!("White rated {white} against Black rated {black}"),
            };
            let clocks = if clocks_of.is_some_and(Clocks::count_in) { ", by their clocks" } else { "" };
            players(level, format!("{whom} in {class} games{clocks}"))
        })
    }

    /// How W/D/L are printed when the clocks show this, if they are known.
    #[must_use]
    pub fn level_with(&self, clocks: Option<Clocks>) -> Cow<'_, Level> {
        match self.clocks_of.zip(clocks) {
            Some((class, clocks)) => Cow::Owned(clocks.level(self.level.clone(), class)),
            None => Cow::Borrowed(&self.level),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameTexts, ReadOptions};

    fn players(tags: &str, options: &PlayerOptions) -> Players {
        let text = format!("[Event \"x\"]\n{tags}\n1. e4 *\n");
        let game = GameTexts::new(text.as_bytes()).next().unwrap().unwrap();
        Players::of(&game.parse(&ReadOptions::default()).unwrap().tags, options, &Profiles::shipped())
    }

    #[test]
    fn players_come_from_tags_or_options() {
        let none = PlayerOptions::default();
        let said = |tags: &str, options: &PlayerOptions| players(tags, options).description;
        assert_eq!(players("", &none).level, Level::Nominal);
        let tags = "[WhiteElo \"1500\"]\n[BlackElo \"1700\"]\n[TimeControl \"180+2\"]";
        assert_eq!(said(tags, &none), "White rated 1500 against Black rated 1700 in blitz games");
        assert_eq!(said("[WhiteElo \"1500\"]", &none), "players rated 1500 in classical games");
        let weaker = PlayerOptions { black_elo: Some(1000), time_class: Some(TimeClass::Rapid), ..none.clone() };
        assert_eq!(said(tags, &weaker), "White rated 1500 against Black rated 1000 in rapid games");
        let named = PlayerOptions { profile: Some("club-rapid".to_owned()), ..weaker };
        assert_eq!(said(tags, &named), "profile club-rapid");
        assert!(matches!(players(tags, &named).level, Level::Profile { .. }));
        let exhibition = PlayerOptions { time_class: Some(TimeClass::Exhibition), ..none };
        assert!(matches!(players(tags, &exhibition).level, Level::Profile { .. }));
    }

    #[test]
    fn unknown_profiles_are_named() {
        let check = |name: &str| {
            PlayerOptions { profile: Some(name.to_owned()), ..PlayerOptions::default() }.check(&Profiles::shipped())
        };
        assert!(check("Nominal").is_ok() && check("club-rapid").is_ok());
        assert!(check("x").unwrap_err().to_string().starts_with("there is no profile 'x'; known are nominal, "));
    }
}
