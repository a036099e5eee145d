//! The two players: whose games W/D/L are for.

use crate::games::Tags;
use crate::human::{Player, RATINGS};
use crate::printing::{Clocks, MAX_RATING, Pace, Profiles, Ratings, TimeClass, TimeControl, UnknownProfile, WdlFor};
use shakmaty::{ByColor, Color};
use std::borrow::Cow;

/// What was asked for in place of what the tags of a game say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlayerOptions {
    /// Rating of White, Elo; one that is not from 1 to [`MAX_RATING`](crate::printing::MAX_RATING) counts as the nearest that is.
    pub white_elo: Option<u32>,
    /// Rating of Black, likewise.
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

    /// Whose games W/D/L are for where there are no tags.
    ///
    /// # Errors
    ///
    /// [`UnknownProfile`] if the options name a profile that does not exist.
    pub fn wdl_for(&self, profiles: &Profiles) -> Result<WdlFor, UnknownProfile> {
        self.check(profiles)?;
        Ok(Players::of(&Tags::default(), self, profiles).wdl_for)
    }
}

/// Equal players, by whose games moves are judged: the difference in rating of those who play changes what a mistake costs
/// them, not what it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Equals {
    /// At the mean rating of both players.
    pub of_both: WdlFor,
    /// At the rating of each.
    pub of_each: ByColor<WdlFor>,
}

impl Equals {
    /// Of the same level, whoever plays.
    #[must_use]
    pub fn at(wdl_for: &WdlFor) -> Equals {
        let equal = match wdl_for {
            WdlFor::Profile { numbers, .. } => WdlFor::of_equals(numbers.clone()),
            other => other.clone(),
        };
        Equals { of_each: ByColor { white: equal.clone(), black: equal.clone() }, of_both: equal }
    }
}

/// The players of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Players {
    /// Their ratings.
    pub ratings: Ratings,
    /// How W/D/L are printed for them, as long as both have the same time left.
    pub wdl_for: WdlFor,
    /// By whom their moves are judged.
    pub equals: Equals,
    /// The time class of the game.
    class: TimeClass,
    /// Its time control, where the tags tell it.
    control: Option<TimeControl>,
    /// Whether clocks count.
    clocks: bool,
    /// Whom W/D/L are for, in words, without their clocks.
    pub description: String,
    /// The equal players at the mean rating, in words.
    pub equals_description: String,
}

impl Players {
    /// Those of a game: by the options, or else by its tags. A missing rating is taken to be that of the opponent; without
    /// any, W/D/L are those of the engine's own games.
    #[must_use]
    pub fn of(tags: &Tags, options: &PlayerOptions, profiles: &Profiles) -> Players {
        let known = |rating: Option<u32>| rating.map(|rating| rating.clamp(1, MAX_RATING));
        let ratings = Ratings {
            white: known(options.white_elo).or(tags.ratings().white),
            black: known(options.black_elo).or(tags.ratings().black),
        };
        let class =
            options.time_class.or_else(|| tags.time_class()).unwrap_or_else(|| TimeClass::presumed(tags.known("Site")));
        // One of another class is not that of the game any more.
        let control = tags.time_control().filter(|&control| {
            options.time_class.is_none_or(|class| TimeClass::from_time_control(control) == Some(class))
        });
        let clocks = options.clocks;
        let same = |wdl_for: WdlFor, description: String| Players {
            ratings,
            equals: Equals::at(&wdl_for),
            wdl_for,
            class,
            control,
            clocks,
            equals_description: description.clone(),
            description,
        };
        if let Some(name) = &options.profile {
            let wdl_for = WdlFor::named(name, profiles).unwrap_or(WdlFor::Nominal);
            return same(wdl_for, format!("profile {name}"));
        }
        let own = || same(WdlFor::Nominal, "players of the engine's strength".to_owned());
        let Some((white, black)) = ratings.both() else { return own() };
        // Exhibitions and correspondence games are printed as classical ones.
        let pace = control.and_then(Pace::of).filter(|pace| pace.class == class).unwrap_or(Pace::of_class(class));
        let known = |pace| ratings.wdl_for(profiles, pace).map(|wdl_for| (wdl_for, pace));
        let classical = || known(Pace::of_class(TimeClass::Classical));
        let Some((wdl_for, level)) = known(pace).or_else(classical) else { return own() };
        let equals = |elo: u32| {
            let numbers = profiles.at(f64::from(elo), level);
            numbers.map_or_else(|| wdl_for.clone(), WdlFor::of_equals)
        };
        let mean = white.midpoint(black);
        let whom = match white == black {
            true => format!("players rated {white}"),
            false => format!("White rated {white} against Black rated {black}"),
        };
        Players {
            ratings,
            class,
            control,
            clocks,
            equals: Equals { of_both: equals(mean), of_each: ByColor { white: equals(white), black: equals(black) } },
            wdl_for,
            description: format!("{whom} in {class} games"),
            equals_description: format!("players rated {mean} in {class} games"),
        }
    }

    /// A player as one whose moves are foreseen, with the seconds left before the move. A missing rating is that of the
    /// opponent; `None` without any, and beyond the [`RATINGS`] that the model knows.
    #[must_use]
    pub fn person(&self, color: Color, seconds_left: Option<f64>) -> Option<Player> {
        let (white, black) = self.ratings.both()?;
        let elo = Some(color.fold_wb(white, black)).filter(|elo| RATINGS.contains(elo))?;
        let player = Player::of_class(f64::from(elo), self.class);
        let player = self.control.map_or(player, |control| player.with(control));
        Some(Player { seconds_left, ..player })
    }

    /// Whom W/D/L are for, in words, in a game that tells clocks or not.
    #[must_use]
    pub fn described(&self, has_clocks: bool) -> String {
        let counts = has_clocks && self.clocks && Clocks::count_in(self.class);
        let by_clocks = if counts && matches!(self.wdl_for, WdlFor::Profile { .. }) { ", by their clocks" } else { "" };
        format!("{}{by_clocks}", self.description)
    }

    /// How W/D/L are printed when the clocks show this, if they are known.
    #[must_use]
    pub fn wdl_for_with(&self, clocks: Option<Clocks>) -> Cow<'_, WdlFor> {
        match clocks.filter(|_| self.clocks) {
            Some(clocks) => Cow::Owned(clocks.wdl_for(self.wdl_for.clone(), self.class)),
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
        assert_eq!(players(tags, &none).equals_description, "players rated 1600 in blitz games");
        let online = "[WhiteElo \"1600\"][Site \"https://lichess.org/abcdefgh\"][TimeControl \"?\"]";
        assert!(said(online, &none).ends_with("in rapid games"), "{}", said(online, &none));
        assert_eq!(said("[WhiteElo \"1500\"]", &none), "players rated 1500 in classical games");
        let weaker = PlayerOptions { black_elo: Some(1000), time_class: Some(TimeClass::Rapid), ..none.clone() };
        assert_eq!(said(tags, &weaker), "White rated 1500 against Black rated 1000 in rapid games");
        let named = PlayerOptions { profile: Some("club-rapid".to_owned()), ..weaker };
        assert_eq!(said(tags, &named), "profile club-rapid");
        let timed = players(tags, &PlayerOptions { clocks: true, ..none.clone() });
        assert!(timed.described(true).ends_with("in blitz games, by their clocks"), "{}", timed.described(true));
        assert_eq!(timed.described(false), timed.description);
        assert!(matches!(players(tags, &named).wdl_for, WdlFor::Profile { .. }));
        let exhibition = PlayerOptions { time_class: Some(TimeClass::Exhibition), ..none };
        assert!(matches!(players(tags, &exhibition).wdl_for, WdlFor::Profile { .. }));
    }

    #[test]
    fn equals_are_those_of_each_rating_and_of_the_mean() {
        let none = PlayerOptions::default();
        let equals = |tags: &str| players(tags, &none).equals;
        let far = equals("[WhiteElo \"1500\"]\n[BlackElo \"2700\"]");
        let at = |elo| Equals::at(&players(&format!("[WhiteElo \"{elo}\"]"), &none).wdl_for).of_both;
        assert_eq!((far.of_each.white, far.of_each.black, far.of_both), (at(1500), at(2700), at(2100)));
        let one = equals("[BlackElo \"2700\"]");
        assert!(one.of_each.white == at(2700) && one.of_both == at(2700));
        assert_eq!(equals(""), Equals::at(&WdlFor::Nominal));
    }
}
