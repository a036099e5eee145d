//! The two players: whose games W/D/L are for.

use crate::games::Tags;
use crate::printing::{Clocks, Profiles, Ratings, TimeClass, UnknownProfile, WdlFor};
use std::borrow::Cow;

/// What was asked for in place of what the tags of a game say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
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

impl PlayerOptions {
    /// Whether the profile, if one is named, exists.
    ///
    /// # Errors
    ///
    /// [`UnknownProfile`] if it does not.
    pub fn check(&self, profiles: &Profiles) -> Result<(), UnknownProfile> {
        self.profile.as_ref().map_or(Ok(()), |name| WdlFor::named(name, profiles).map(|_| ()))
    }
}

/// The players of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Players {
    /// Their ratings.
    pub ratings: Ratings,
    /// How W/D/L are printed for them, as long as both have the same time left.
    pub wdl_for: WdlFor,
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
        let players = |wdl_for, description: String| Players { ratings, wdl_for, clocks_of, description };
        if let Some(name) = &options.profile {
            let wdl_for = WdlFor::named(name, profiles).unwrap_or(WdlFor::Nominal);
            return players(wdl_for, format!("profile {name}"));
        }
        let own = || players(WdlFor::Nominal, "players of the engine's strength".to_owned());
        let Some((white, black)) = ratings.both() else { return own() };
        // There are no profiles of exhibitions and correspondence games.
        let wdl_for = ratings.wdl_for(profiles, class).or_else(|| ratings.wdl_for(profiles, TimeClass::Classical));
        wdl_for.map_or_else(own, |wdl_for| {
            let whom = match white == black {
                true => format!("players rated {white}"),
                false => format!("White rated {white} against Black rated {black}"),
            };
            let clocks = if clocks_of.is_some_and(Clocks::count_in) { ", by their clocks" } else { "" };
            players(wdl_for, format!("{whom} in {class} games{clocks}"))
        })
    }

    /// How W/D/L are printed when the clocks show this, if they are known.
    #[must_use]
    pub fn wdl_for_with(&self, clocks: Option<Clocks>) -> Cow<'_, WdlFor> {
        match self.clocks_of.zip(clocks) {
            Some((class, clocks)) => Cow::Owned(clocks.wdl_for(self.wdl_for.clone(), class)),
            None => Cow::Borrowed(&self.wdl_for),
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
        assert_eq!(players("", &none).wdl_for, WdlFor::Nominal);
        let tags = "[WhiteElo \"1500\"]\n[BlackElo \"1700\"]\n[TimeControl \"180+2\"]";
        assert_eq!(said(tags, &none), "White rated 1500 against Black rated 1700 in blitz games");
        assert_eq!(said("[WhiteElo \"1500\"]", &none), "players rated 1500 in classical games");
        let weaker = PlayerOptions { black_elo: Some(1000), time_class: Some(TimeClass::Rapid), ..none.clone() };
        assert_eq!(said(tags, &weaker), "White rated 1500 against Black rated 1000 in rapid games");
        let named = PlayerOptions { profile: Some("club-rapid".to_owned()), ..weaker };
        assert_eq!(said(tags, &named), "profile club-rapid");
        assert!(matches!(players(tags, &named).wdl_for, WdlFor::Profile { .. }));
        let exhibition = PlayerOptions { time_class: Some(TimeClass::Exhibition), ..none };
        assert!(matches!(players(tags, &exhibition).wdl_for, WdlFor::Profile { .. }));
    }
}
