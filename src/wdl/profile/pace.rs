//! How fast games are played.

use serde::Deserialize;
use std::fmt;
use std::str::FromStr;

/// Seconds for a move from which on a game is played by correspondence.
const HALF_A_DAY: f64 = 43_200.0;

/// How fast a game was played, by the time for 60 moves of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pace {
    /// Less than 3 minutes.
    Bullet,
    /// Less than 10 minutes.
    Blitz,
    /// Less than an hour.
    Rapid,
    /// An hour or more.
    Classical,
    /// Played blindfold, or by one against many, at whatever pace.
    Exhibition,
    /// Half a day or more for each move.
    Correspondence,
}

impl Pace {
    /// All of them.
    pub const ALL: [Pace; 6] =
        [Pace::Classical, Pace::Rapid, Pace::Blitz, Pace::Bullet, Pace::Exhibition, Pace::Correspondence];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Pace::Bullet => "bullet",
            Pace::Blitz => "blitz",
            Pace::Rapid => "rapid",
            Pace::Classical => "classical",
            Pace::Exhibition => "exhibition",
            Pace::Correspondence => "correspondence",
        }
    }

    /// The pace at which games end most alike, if there is one: rapid games for classical ones, bullet for blitz, and the
    /// reverse.
    #[must_use]
    pub fn neighbour(self) -> Option<Pace> {
        match self {
            Pace::Bullet => Some(Pace::Blitz),
            Pace::Blitz => Some(Pace::Bullet),
            Pace::Rapid => Some(Pace::Classical),
            Pace::Classical => Some(Pace::Rapid),
            Pace::Exhibition | Pace::Correspondence => None,
        }
    }

    /// From the PGN tags `TimeControl`, `EventType` and `Event`, as far as they tell.
    #[must_use]
    pub fn from_tags(time_control: &str, event_type: &str, event: &str) -> Option<Pace> {
        let words = format!("{event_type} {event}").to_ascii_lowercase();
        if ["blindfold", "simul", "exhibition"].iter().any(|word| words.contains(word)) {
            return Some(Pace::Exhibition);
        }
        if words.contains("correspondence") || event_type.to_ascii_lowercase().starts_with("corr") {
            return Some(Pace::Correspondence);
        }
        let named = || [Pace::Bullet, Pace::Blitz, Pace::Rapid].into_iter().find(|pace| words.contains(pace.name()));
        Pace::from_time_control(time_control).or_else(named).or_else(|| Pace::from_event_type(event_type))
    }

    /// From a `TimeControl` such as `300+3`, `5400+30`, `40/7200:3600` (the first period counts) or `600`.
    fn from_time_control(text: &str) -> Option<Pace> {
        let period = text.split(':').next()?;
        let (moves, time) = match period.split_once('/') {
            Some((moves, time)) => (Some(moves.parse::<f64>().ok()?), time),
            None => (None, period),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let (base, increment): (f64, f64) = (base.parse().ok()?, increment.parse().ok()?);
        let seconds = base * moves.map_or(1.0, |moves| 60.0 / moves) + 60.0 * increment;
        (seconds > 0.0).then_some(match seconds {
            _ if moves.is_some() && seconds >= 60.0 * HALF_A_DAY => Pace::Correspondence,
            ..180.0 => Pace::Bullet,
            ..600.0 => Pace::Blitz,
            ..3600.0 => Pace::Rapid,
            _ => Pace::Classical,
        })
    }

    /// From an `EventType` of an event over the board that names no pace, which is classical.
    fn from_event_type(text: &str) -> Option<Pace> {
        const CLASSICAL: [&str; 8] = ["tourn", "swiss", "team", "k.o.", "match", "schev", "team-tourn", "team-swiss"];
        let text = text.to_ascii_lowercase();
        CLASSICAL.contains(&text.trim_end_matches("()").trim()).then_some(Pace::Classical)
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Pace {
    type Err = ();

    /// Reads a name, in any case.
    fn from_str(text: &str) -> Result<Pace, ()> {
        Pace::ALL.into_iter().find(|pace| text.eq_ignore_ascii_case(pace.name())).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paces_are_read_from_tags() {
        for (text, pace) in [
            ("0.5+0.005", Some(Pace::Bullet)),
            ("60", Some(Pace::Bullet)),
            ("180+2", Some(Pace::Blitz)),
            ("300+3", Some(Pace::Blitz)),
            ("600+0", Some(Pace::Rapid)),
            ("900+10", Some(Pace::Rapid)),
            ("40/7200:3600", Some(Pace::Classical)),
            ("5400+30", Some(Pace::Classical)),
            ("1/86400", Some(Pace::Correspondence)),
            ("10/2592000", Some(Pace::Correspondence)),
            ("-", None),
            ("?", None),
            ("", None),
        ] {
            assert_eq!(Pace::from_tags(text, "", ""), pace, "{text}");
        }
        for (event_type, event, pace) in [
            ("k.o. (rapid)", "Gjovik", Some(Pace::Rapid)),
            ("Tourn", "", Some(Pace::Classical)),
            ("swiss ()", "", Some(Pace::Classical)),
            ("", "VI World Blitz", Some(Pace::Blitz)),
            ("tourn (rapid)", "19th Amber Blindfold", Some(Pace::Exhibition)),
            ("simul", "Madrid", Some(Pace::Exhibition)),
            ("", "Linares", None),
            ("corr", "WCCC", Some(Pace::Correspondence)),
            ("", "Rated Correspondence game", Some(Pace::Correspondence)),
            ("tourn", "Corrientes", Some(Pace::Classical)),
        ] {
            assert_eq!(Pace::from_tags("", event_type, event), pace, "{event_type} {event}");
        }
        assert_eq!(Pace::from_tags("5400+30", "", "Rapid City Open"), Some(Pace::Classical));
    }

    #[test]
    fn names_are_read_back() {
        for pace in Pace::ALL {
            assert_eq!(pace.to_string().to_uppercase().parse(), Ok(pace));
        }
        assert_eq!("slow".parse::<Pace>(), Err(()));
    }
}
