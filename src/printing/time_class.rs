//! Time classes: how fast games are played.

use super::TimeControl;
use crate::text::one_line;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Seconds for a move from which on a game is played by correspondence.
const HALF_A_DAY: f64 = 43_200.0;

/// Class of a time control, by the time that one player has for 60 moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TimeClass {
    /// Less than 3 minutes.
    Bullet,
    /// Less than 10 minutes.
    Blitz,
    /// Less than an hour.
    Rapid,
    /// An hour or more.
    Classical,
    /// Blindfold games and simultaneous exhibitions, at any speed.
    Exhibition,
    /// Half a day or more for each move.
    Correspondence,
}

impl TimeClass {
    /// All of them.
    pub const ALL: [TimeClass; 6] = [
        TimeClass::Classical,
        TimeClass::Rapid,
        TimeClass::Blitz,
        TimeClass::Bullet,
        TimeClass::Exhibition,
        TimeClass::Correspondence,
    ];

    /// Those that a game can be asked for by: each has its own level.
    pub const TIMED: [TimeClass; 4] = [TimeClass::Classical, TimeClass::Rapid, TimeClass::Blitz, TimeClass::Bullet];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TimeClass::Bullet => "bullet",
            TimeClass::Blitz => "blitz",
            TimeClass::Rapid => "rapid",
            TimeClass::Classical => "classical",
            TimeClass::Exhibition => "exhibition",
            TimeClass::Correspondence => "correspondence",
        }
    }

    /// Reads the name of one of the [`TIMED`](TimeClass::TIMED), in any case.
    ///
    /// # Errors
    ///
    /// [`UnknownTimeClass`] if it is none of them.
    pub fn timed(text: &str) -> Result<TimeClass, UnknownTimeClass> {
        text.parse().and_then(|class| {
            if TimeClass::TIMED.contains(&class) { Ok(class) } else { Err(UnknownTimeClass(one_line(text))) }
        })
    }

    /// The class whose results are most alike, if there is one: rapid and classical, bullet and blitz.
    #[must_use]
    pub fn neighbour(self) -> Option<TimeClass> {
        match self {
            TimeClass::Bullet => Some(TimeClass::Blitz),
            TimeClass::Blitz => Some(TimeClass::Bullet),
            TimeClass::Rapid => Some(TimeClass::Classical),
            TimeClass::Classical => Some(TimeClass::Rapid),
            TimeClass::Exhibition | TimeClass::Correspondence => None,
        }
    }

    /// From a time control and the PGN tags `TimeControl`, `EventType` and `Event`; `None` if they do not say.
    #[must_use]
    pub fn from_tags(
        control: Option<TimeControl>,
        time_control: &str,
        event_type: &str,
        event: &str,
    ) -> Option<TimeClass> {
        let words = format!("{event_type} {event} {time_control}").to_ascii_lowercase();
        if ["blindfold", "simul", "exhibition"].iter().any(|word| words.contains(word)) {
            return Some(TimeClass::Exhibition);
        }
        if words.contains("correspondence") || event_type.to_ascii_lowercase().starts_with("corr") {
            return Some(TimeClass::Correspondence);
        }
        let named = || {
            [TimeClass::Bullet, TimeClass::Blitz, TimeClass::Rapid]
                .into_iter()
                .find(|class| words.contains(class.name()))
        };
        let timed = control.and_then(TimeClass::from_time_control);
        let said = || TimeClass::named_in(&time_control.to_ascii_lowercase());
        timed.or_else(said).or_else(named).or_else(|| TimeClass::from_event_type(event_type))
    }

    /// That of games whose tags do not say, by the tag `Site`: over the board classical, as collections name what is not usual;
    /// on the Internet rapid, between those that are usual there. Broadcasts and studies are mostly of games over the board.
    #[must_use]
    pub fn presumed(site: &str) -> TimeClass {
        const PARTS: [&str; 5] = ["lichess", "chess.com", "freechess", "playchess", "http"];
        const WORDS: [&str; 2] = ["fics", "icc"];
        let site = site.to_ascii_lowercase();
        let mut words = site.split(|c: char| !c.is_alphanumeric());
        let is_shown = ["/broadcast/", "/study/"].iter().any(|part| site.contains(part));
        let is_played = PARTS.iter().any(|part| site.contains(part)) || words.any(|word| WORDS.contains(&word));
        if is_played && !is_shown { TimeClass::Rapid } else { TimeClass::Classical }
    }

    /// The class that words in lower case name.
    pub(super) fn named_in(words: &str) -> Option<TimeClass> {
        TimeClass::ALL.into_iter().find(|class| words.contains(class.name()))
    }

    /// By the first period; `None` if it gives no time.
    #[must_use]
    pub fn from_time_control(control: TimeControl) -> Option<TimeClass> {
        let seconds = control.seconds_for_game();
        (seconds > 0.0).then_some(match seconds {
            _ if control.moves.is_some() && seconds >= 60.0 * HALF_A_DAY => TimeClass::Correspondence,
            ..180.0 => TimeClass::Bullet,
            ..600.0 => TimeClass::Blitz,
            ..3600.0 => TimeClass::Rapid,
            _ => TimeClass::Classical,
        })
    }

    /// From the `EventType` of an event over the board: without the name of a class it is classical.
    fn from_event_type(text: &str) -> Option<TimeClass> {
        const CLASSICAL: [&str; 8] = ["tourn", "swiss", "team", "k.o.", "match", "schev", "team-tourn", "team-swiss"];
        let text = text.to_ascii_lowercase();
        CLASSICAL.contains(&text.trim_end_matches("()").trim()).then_some(TimeClass::Classical)
    }
}

impl fmt::Display for TimeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no time class.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a time control")]
pub struct UnknownTimeClass(pub String);

impl FromStr for TimeClass {
    type Err = UnknownTimeClass;

    /// Reads a name, in any case.
    fn from_str(text: &str) -> Result<TimeClass, UnknownTimeClass> {
        let named = TimeClass::ALL.into_iter().find(|class| text.eq_ignore_ascii_case(class.name()));
        named.ok_or_else(|| UnknownTimeClass(one_line(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_on_the_internet_are_not_presumed_classical() {
        for (site, class) in [
            ("https://lichess.org/abcdefgh", TimeClass::Rapid),
            ("https://lichess.org/broadcast/candidates/round-1/abcdefgh", TimeClass::Classical),
            ("Chess.com", TimeClass::Rapid),
            ("FICS", TimeClass::Rapid),
            ("ICC INT", TimeClass::Rapid),
            ("Riccione ITA", TimeClass::Classical),
            ("Wijk aan Zee NED", TimeClass::Classical),
            ("?", TimeClass::Classical),
            ("", TimeClass::Classical),
        ] {
            assert_eq!(TimeClass::presumed(site), class, "{site}");
        }
    }

    fn from_tags(time_control: &str, event_type: &str, event: &str) -> Option<TimeClass> {
        TimeClass::from_tags(TimeControl::of_tag(time_control), time_control, event_type, event)
    }

    #[test]
    fn classes_are_read_from_tags() {
        for (text, class) in [
            ("0.5+0.005", Some(TimeClass::Bullet)),
            ("60", Some(TimeClass::Bullet)),
            ("180+2", Some(TimeClass::Blitz)),
            ("300+3", Some(TimeClass::Blitz)),
            ("600+0", Some(TimeClass::Rapid)),
            ("900+10", Some(TimeClass::Rapid)),
            ("40/7200:3600", Some(TimeClass::Classical)),
            ("5400+30", Some(TimeClass::Classical)),
            ("1/86400", Some(TimeClass::Correspondence)),
            ("10/2592000", Some(TimeClass::Correspondence)),
            ("3|2", Some(TimeClass::Blitz)),
            ("5|5", Some(TimeClass::Rapid)),
            ("*180", Some(TimeClass::Blitz)),
            ("15 min. + 10 s. per move", Some(TimeClass::Rapid)),
            ("G/90;d5", Some(TimeClass::Classical)),
            ("3 days/move", Some(TimeClass::Correspondence)),
            ("Blitz", Some(TimeClass::Blitz)),
            ("Classical", Some(TimeClass::Classical)),
            ("abc", None),
            ("-", None),
            ("?", None),
            ("", None),
        ] {
            assert_eq!(from_tags(text, "", ""), class, "{text}");
        }
        for (event_type, event, class) in [
            ("k.o. (rapid)", "Gjovik", Some(TimeClass::Rapid)),
            ("Tourn", "", Some(TimeClass::Classical)),
            ("swiss ()", "", Some(TimeClass::Classical)),
            ("", "VI World Blitz", Some(TimeClass::Blitz)),
            ("tourn (rapid)", "19th Amber Blindfold", Some(TimeClass::Exhibition)),
            ("simul", "Madrid", Some(TimeClass::Exhibition)),
            ("", "Linares", None),
            ("corr", "WCCC", Some(TimeClass::Correspondence)),
            ("", "Rated Correspondence game", Some(TimeClass::Correspondence)),
            ("tourn", "Corrientes", Some(TimeClass::Classical)),
        ] {
            assert_eq!(from_tags("", event_type, event), class, "{event_type} {event}");
        }
        assert_eq!(from_tags("5400+30", "", "Rapid City Open"), Some(TimeClass::Classical));
    }

    #[test]
    fn names_are_read_back() {
        for class in TimeClass::ALL {
            assert_eq!(class.to_string().to_uppercase().parse(), Ok(class));
            assert_eq!(TimeClass::timed(class.name()).is_ok(), TimeClass::TIMED.contains(&class));
        }
        let text = |named: Result<TimeClass, UnknownTimeClass>| named.unwrap_err().to_string();
        assert_eq!(text("slow".parse()), "'slow' is not a time control");
        assert_eq!(text(TimeClass::timed("Exhibition")), "'Exhibition' is not a time control");
    }
}
