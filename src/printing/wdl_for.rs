//! Whose games W/D/L are for.
//!
//! | `WdlFor` | games | name |
//! |---|---|---|
//! | `Nominal` | the engine's own | `nominal` |
//! | `Uncorrected` | none: the probabilities of the search | `uncorrected` |
//! | `Profile` | people's or engines' of a level, with the two players' ratings | that of the profile, if it was named |

use super::profile::ProfileNumbers;
use super::profiles::Profiles;
use crate::text::one_line;
use thiserror::Error;

/// The name that stands for the engine's own games.
pub const NOMINAL: &str = "nominal";

/// The name that stands for the search's probabilities as they are.
pub const UNCORRECTED: &str = "uncorrected";

/// The name that stands for the first profile of a file, whatever it is called: clients may refuse names that the engine
/// has not declared.
pub const FROM_FILE: &str = "file";

/// No profile has this name.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("there is no profile '{name}'; known are {known}")]
pub struct UnknownProfile {
    name: String,
    known: String,
}

/// Whose games W/D/L are for. Centipawns are always those of the engine's own games.
#[derive(Clone, Debug, PartialEq)]
pub enum WdlFor {
    /// The engine's own.
    Nominal,
    /// None: the probabilities of the search.
    Uncorrected,
    /// Those of a profile.
    Profile {
        /// Its numbers.
        numbers: ProfileNumbers,
        /// White's rating less Black's, Elo; 0 if it is not known.
        white_advantage: i32,
    },
}

impl WdlFor {
    /// The games that a name stands for, in any case: `nominal`, `uncorrected` or a profile.
    ///
    /// # Errors
    ///
    /// [`UnknownProfile`] if it is none of these.
    pub fn named(name: &str, profiles: &Profiles) -> Result<WdlFor, UnknownProfile> {
        if let Some(profile) = profiles.get(name) {
            Ok(WdlFor::of_equals(profile.numbers.clone()))
        } else if name.eq_ignore_ascii_case(NOMINAL) {
            Ok(WdlFor::Nominal)
        } else if name.eq_ignore_ascii_case(UNCORRECTED) {
            Ok(WdlFor::Uncorrected)
        } else {
            let known: Vec<_> = [NOMINAL, UNCORRECTED].into_iter().chain(profiles.names()).collect();
            Err(UnknownProfile { name: one_line(name), known: known.join(", ") })
        }
    }

    /// Games of equal players, or of those whose ratings are not known.
    #[must_use]
    pub fn of_equals(numbers: ProfileNumbers) -> WdlFor {
        WdlFor::Profile { numbers, white_advantage: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_for_games_in_any_case() {
        let named = |name| WdlFor::named(name, &Profiles::shipped());
        assert_eq!(named("Nominal"), Ok(WdlFor::Nominal));
        assert_eq!(named("UNCORRECTED"), Ok(WdlFor::Uncorrected));
        assert!(matches!(named("club-rapid"), Ok(WdlFor::Profile { white_advantage: 0, .. })));
        assert!(named("x").unwrap_err().to_string().starts_with("there is no profile 'x'; known are nominal, "));
    }
}
