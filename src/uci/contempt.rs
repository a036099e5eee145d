//! Contempt: from the options to the rating advantage of a search.

use crate::eval;
use crate::printing::MAX_RATING;
use crate::wdl::model::WILO_UNITS;
use shakmaty::Color;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Largest rating advantage, Elo; larger ones count as this.
pub const MAX_CONTEMPT: i32 = 1000;

/// Whose rating advantage it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// That of the side to move in a game, and nobody's in analysis.
    #[default]
    Play,
    /// White's, in games and analysis.
    White,
    /// Black's, in games and analysis.
    Black,
    /// Nobody's.
    Off,
}

impl Side {
    /// The names of the values, the default first.
    pub const NAMES: [&str; 4] = ["play", "white", "black", "off"];

    /// The value of a name, in any case.
    #[must_use]
    pub fn parse(name: &str) -> Option<Side> {
        let index = Side::NAMES.iter().position(|known| known.eq_ignore_ascii_case(name))?;
        Some([Side::Play, Side::White, Side::Black, Side::Off][index])
    }
}

/// The opponent, as `UCI_Opponent` describes it: `TITLE RATING KIND NAME`, such as `GM 2800 human Gary Kasparov` or
/// `none none computer Shredder`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opponent {
    title: Option<String>,
    rating: Option<i32>,
    kind: String,
    name: String,
}

/// What is wrong with the description of an opponent.
#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "'{text}' is not TITLE RATING KIND NAME, such as 'GM 2800 human Gary Kasparov' or 'none none computer Shredder': {reason}"
)]
pub struct OpponentError {
    text: String,
    reason: String,
}

impl FromStr for Opponent {
    type Err = OpponentError;

    fn from_str(text: &str) -> Result<Opponent, OpponentError> {
        let wrong = |reason: &str| OpponentError { text: text.to_owned(), reason: reason.to_owned() };
        let known = |word: &str| !word.eq_ignore_ascii_case("none");
        let mut words = text.split_whitespace();
        let title = words.next().ok_or(wrong("it is empty"))?;
        let rating = words.next().ok_or(wrong("the rating is missing"))?;
        let kind = words.next().ok_or(wrong("the kind is missing"))?;
        let rating = match rating.parse() {
            // Clients write 0 for opponents without rating.
            Ok(0) => None,
            Ok(rating @ 1..=MAX_RATING) => Some(rating as i32),
            Err(_) if !known(rating) => None,
            _ => {
                return Err(wrong(&format!("the rating is neither 'none' nor a whole number from 0 to {MAX_RATING}")));
            }
        };
        let kind = kind.to_ascii_lowercase();
        if kind != "human" && kind != "computer" {
            return Err(wrong("the kind is neither 'human' nor 'computer'"));
        }
        let name = words.collect::<Vec<_>>().join(" ");
        Ok(Opponent { title: known(title).then(|| title.to_ascii_uppercase()), rating, kind, name })
    }
}

impl Opponent {
    /// The rating; without one, the lowest for which FIDE gives the title.
    fn rating(&self) -> Option<i32> {
        self.rating.or_else(|| {
            Some(match self.title.as_deref()? {
                "GM" => 2500,
                "IM" => 2400,
                "FM" | "WGM" => 2300,
                "CM" | "WIM" => 2200,
                "WFM" => 2100,
                "WCM" => 2000,
                _ => return None,
            })
        })
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = self.title.as_ref().map_or(String::new(), |title| format!("{title} "));
        let name = if self.name.is_empty() { "the opponent" } else { &self.name };
        write!(f, "{title}{name} ({})", self.kind)?;
        match (self.rating, self.rating()) {
            (Some(rating), _) => write!(f, " {rating}"),
            (None, Some(least)) => write!(f, " of at least {least} by the title"),
            (None, None) => write!(f, " of unknown rating"),
        }
    }
}

/// The values of the options.
#[derive(Clone, Debug, Default)]
pub struct Contempt {
    /// Rating advantage of the engine, Elo; unless it is 0 it overrides the other options.
    pub elo: i32,
    /// Whether the advantage is taken from the options below.
    pub auto: bool,
    /// Rating advantage that the client reports, Elo; 0 if it reports none.
    pub advantage: i32,
    /// The opponent, if the client describes it.
    pub opponent: Option<Opponent>,
    /// Rating of the engine, Elo; 0 if it is not known.
    pub own_elo: i32,
    /// Whose advantage it is.
    pub side: Side,
    /// Whether scores are printed with contempt.
    pub shown: bool,
}

/// The contempt of one search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InForce {
    /// Rating advantage of White, Elo.
    pub white_elo: i16,
    /// Its value and the option that it is from; empty if none was set.
    pub reason: String,
}

impl Contempt {
    /// The contempt of a search for the side to move. In analysis it is not known which side the engine plays.
    #[must_use]
    pub fn in_force(&self, turn: Color, analysis: bool) -> InForce {
        let (elo, source) = self.advantage();
        let none = |reason| InForce { white_elo: 0, reason };
        if source.is_empty() {
            return none(String::new());
        }
        let side = match self.side {
            Side::Off => return none("ContemptSide is off".to_owned()),
            Side::Play if analysis => return none("this is analysis, and ContemptSide is play".to_owned()),
            Side::Play => turn,
            Side::White => Color::White,
            Side::Black => Color::Black,
        };
        if elo == 0 {
            return none(source);
        }
        let name = side.fold_wb("White", "Black");
        InForce { white_elo: side.fold_wb(elo, -elo), reason: format!("{elo} Elo for {name}, {source}") }
    }

    /// Rating advantage of the engine in Elo, and the option that it is from; empty if none was set.
    fn advantage(&self) -> (i16, String) {
        let cut = |elo: i32| elo.clamp(-MAX_CONTEMPT, MAX_CONTEMPT) as i16;
        if self.elo != 0 {
            return (cut(self.elo), "by Contempt".to_owned());
        }
        if !self.auto {
            return (0, String::new());
        }
        if self.advantage != 0 {
            return (cut(self.advantage), format!("by UCI_RatingAdv {}", self.advantage));
        }
        match &self.opponent {
            Some(opponent) if self.own_elo > 0 => {
                let source = format!("by OwnElo {} against {opponent}", self.own_elo);
                (opponent.rating().map_or(0, |rating| cut(self.own_elo - rating)), source)
            }
            _ => (0, "AutoContempt knows neither UCI_RatingAdv nor both UCI_Opponent and OwnElo".to_owned()),
        }
    }
}

impl InForce {
    /// The message to the user. `wilo`: White's contempt.
    #[must_use]
    pub fn message(&self, wilo: eval::Contempt, shown: bool) -> String {
        match (self.white_elo, self.reason.as_str()) {
            (0, "") => "contempt 0".to_owned(),
            (0, reason) => format!("contempt 0: {reason}"),
            (_, reason) => {
                let printed = if shown { "with it" } else { "without it" };
                let [all, none] = [wilo.middlegame, wilo.endgame].map(|wilo| f64::from(wilo) / WILO_UNITS);
                format!(
                    "contempt {reason}: {all:+.2} pawns of w for White with all pieces, {none:+.2} with none, \
                     scores and W/D/L are printed {printed}"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests;
