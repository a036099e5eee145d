//! The two players: whose games W/D/L are for.

use crate::games::Tags;
use crate::wdl::print::Level;
use crate::wdl::profiles::{NOMINAL, Profiles, UNCORRECTED};
use crate::wdl::time_class::TimeClass;
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
    /// Rating of White, if it is known.
    pub white_elo: Option<u32>,
    /// Rating of Black, if it is known.
    pub black_elo: Option<u32>,
    /// How W/D/L are printed for them.
    pub level: Level,
    /// Whom W/D/L are for, in words.
    pub description: String,
}

impl Players {
    /// Those of a game: by the options, or else by its tags. A missing rating is taken to be that of the opponent; without
    /// any, W/D/L are those of the engine's own games. The mean rating counts.
    #[must_use]
    pub fn of(tags: &Tags, options: &PlayerOptions, profiles: &Profiles) -> Players {
        let white_elo = options.white_elo.or(tags.white_elo());
        let black_elo = options.black_elo.or(tags.black_elo());
        let players = |level, description: String| Players { white_elo, black_elo, level, description };
        if let Some(name) = &options.profile {
            let level = match profiles.get(name) {
                Some(profile) => Level::Profile(profile.numbers.clone()),
                None if name.eq_ignore_ascii_case(UNCORRECTED) => Level::Uncorrected,
                None => Level::Nominal,
            };
            return players(level, format!("profile {name}"));
        }
        let own = || players(Level::Nominal, "players of the engine's strength".to_owned());
        let Some((white, black)) = white_elo.or(black_elo).zip(black_elo.or(white_elo)) else { return own() };
        let tag = |name| tags.known(name);
        let class = options
            .time_class
            .or_else(|| TimeClass::from_tags(tag("TimeControl"), tag("EventType"), tag("Event")))
            .unwrap_or(TimeClass::Classical);
        let mean = (f64::from(white) + f64::from(black)) / 2.0;
        // There are no profiles of exhibitions and correspondence games.
        let numbers = profiles.at_elo(mean, class).or_else(|| profiles.at_elo(mean, TimeClass::Classical));
        numbers.map_or_else(own, |numbers| {
            players(Level::Profile(numbers), format!("players of mean rating {mean:.0} in {class} games"))
        })
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
        assert_eq!(said(tags, &none), "players of mean rating 1600 in blitz games");
        assert_eq!(said("[WhiteElo \"1500\"]", &none), "players of mean rating 1500 in classical games");
        let weaker = PlayerOptions { black_elo: Some(1000), time_class: Some(TimeClass::Rapid), ..none.clone() };
        assert_eq!(said(tags, &weaker), "players of mean rating 1250 in rapid games");
        let named = PlayerOptions { profile: Some("club-rapid".to_owned()), ..weaker };
        assert_eq!(said(tags, &named), "profile club-rapid");
        assert!(matches!(players(tags, &named).level, Level::Profile(_)));
        let exhibition = PlayerOptions { time_class: Some(TimeClass::Exhibition), ..none };
        assert!(matches!(players(tags, &exhibition).level, Level::Profile(_)));
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
