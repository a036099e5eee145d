//! The options: one table that both prints them and reads `setoption`.

use super::contempt::{MAX_CONTEMPT, Side};
use crate::search::{DEFAULT_HASH_MIB, MAX_HASH_MIB, MAX_THREADS};
use crate::wdl::profile::{FROM_FILE, NOMINAL, Pace, Profiles, UNCORRECTED};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// Most lines that `MultiPV` may ask for.
const MAX_MULTI_PV: i32 = 256;
/// Largest `Move Overhead`, in milliseconds.
const MAX_OVERHEAD_MS: i32 = 5000;
/// Largest `WDL_Elo` and `OwnElo`.
const MAX_ELO: i32 = 4000;
/// Largest `UCI_RatingAdv`. Clients send what they find, however much that is.
const MAX_ADVANTAGE: i32 = 10_000;
/// What `WDL_TimeControl` can be.
const PACES: [Pace; 4] = [Pace::Classical, Pace::Rapid, Pace::Blitz, Pace::Bullet];
/// How the protocol writes an empty string.
const EMPTY: &str = "<empty>";

/// An option with the value that it is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Size of the transposition table in MiB.
    Hash(usize),
    /// Forget what earlier searches found.
    ClearHash,
    /// Number of search threads.
    Threads(usize),
    /// Number of best moves to report.
    MultiPv(usize),
    /// The opponent's time will be used, so more is spent on each move.
    Ponder(bool),
    /// Time lost between engine and clock for each move.
    MoveOverhead(Duration),
    /// Print W/D/L beside each score.
    ShowWdl(bool),
    /// Read and print castling as Chess960 does.
    Chess960(bool),
    /// File with the weights of the evaluation; `None` for those of the binary.
    EvalParams(Option<PathBuf>),
    /// File with the constants of the search; `None` for those of the binary.
    SearchParams(Option<PathBuf>),
    /// Name of the level profile for the printed W/D/L.
    WdlProfile(String),
    /// File with level profiles; `None` for those of the binary.
    WdlProfileFile(Option<PathBuf>),
    /// Rating of the players for the printed W/D/L; 0 to go by the profile's name.
    WdlElo(usize),
    /// Pace of the games that this rating is for.
    WdlTimeControl(Pace),
    /// Rating advantage of the engine, Elo; 0 for none or what else is known.
    Contempt(i32),
    /// Find the rating advantage out.
    AutoContempt(bool),
    /// Rating advantage of the engine by the client's word, Elo; 0 if it says nothing.
    RatingAdvantage(i32),
    /// Description of the opponent; empty if there is none.
    Opponent(String),
    /// Rating of the engine; 0 if that is not known.
    OwnElo(i32),
    /// Whose rating advantage it is.
    ContemptSide(Side),
    /// Print scores with contempt.
    ShowContempt(bool),
    /// Searches are analysis, not moves of a game.
    AnalyseMode(bool),
}

/// The sort of an option, with its default, its range, and what a value makes.
enum Kind {
    /// True or false.
    Check { default: bool, set: fn(bool) -> Setting },
    /// A whole number.
    Spin { default: i32, min: i32, max: i32, set: fn(i32) -> Setting },
    /// An action.
    Button { press: Setting },
    /// A text, empty by default.
    Text { set: fn(&str) -> Setting },
    /// One of several names, the first by default. Whether some names are known shows when they are set: files can bring
    /// more.
    Combo { names: fn() -> Vec<String>, set: fn(&str) -> Option<Setting> },
}

/// One option as the client sees it.
struct UciOption {
    name: &'static str,
    kind: Kind,
    /// What it does, for `help`.
    purpose: &'static str,
}

const OPTIONS: [UciOption; 22] = [
    UciOption {
        name: "Hash",
        kind: Kind::Spin {
            default: DEFAULT_HASH_MIB as i32,
            min: 1,
            max: MAX_HASH_MIB as i32,
            set: |mib| Setting::Hash(mib as usize),
        },
        purpose: "size of the transposition table in MiB",
    },
    UciOption {
        name: "Clear Hash",
        kind: Kind::Button { press: Setting::ClearHash },
        purpose: "forgets what earlier searches found",
    },
    UciOption {
        name: "Threads",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: MAX_THREADS as i32,
            set: |threads| Setting::Threads(threads as usize),
        },
        purpose: "number of search threads",
    },
    UciOption {
        name: "MultiPV",
        kind: Kind::Spin { default: 1, min: 1, max: MAX_MULTI_PV, set: |lines| Setting::MultiPv(lines as usize) },
        purpose: "number of best moves to report, each with its line",
    },
    UciOption {
        name: "Ponder",
        kind: Kind::Check { default: false, set: Setting::Ponder },
        purpose: "the opponent's time will be used, so a quarter more is spent on each move; 'go ponder' works whatever its value",
    },
    UciOption {
        name: "Move Overhead",
        kind: Kind::Spin { default: 10, min: 0, max: MAX_OVERHEAD_MS, set: milliseconds },
        purpose: "milliseconds lost between engine and clock for each move",
    },
    UciOption {
        name: "UCI_ShowWDL",
        kind: Kind::Check { default: false, set: Setting::ShowWdl },
        purpose: "prints win, draw and loss per mille beside each score",
    },
    UciOption {
        name: "UCI_Chess960",
        kind: Kind::Check { default: false, set: Setting::Chess960 },
        purpose: "takes any castling rights and prints castling as king takes rook",
    },
    UciOption {
        name: "EvalParams",
        kind: Kind::Text { set: eval_params },
        purpose: "TOML file with the weights of the evaluation; those of the binary if empty",
    },
    UciOption {
        name: "SearchParams",
        kind: Kind::Text { set: search_params },
        purpose: "TOML file with the constants of the search; those of the binary if empty",
    },
    UciOption {
        name: "WDL_ProfileFile",
        kind: Kind::Text { set: profile_file },
        purpose: "TOML file with level profiles; those of the binary if empty",
    },
    UciOption {
        name: "WDL_Profile",
        kind: Kind::Combo { names: profile_names, set: profile },
        purpose: "level of the games that printed W/D/L are for; changes nothing else",
    },
    UciOption {
        name: "WDL_Elo",
        kind: Kind::Spin { default: 0, min: 0, max: MAX_ELO, set: |elo| Setting::WdlElo(elo as usize) },
        purpose: "rating of the players that printed W/D/L are for, before WDL_Profile; 0 for none",
    },
    UciOption {
        name: "WDL_TimeControl",
        kind: Kind::Combo {
            names: || PACES.map(|pace| pace.name().to_owned()).to_vec(),
            set: |name| name.parse().ok().filter(|pace| PACES.contains(pace)).map(Setting::WdlTimeControl),
        },
        purpose: "how fast the players of WDL_Elo play",
    },
    UciOption {
        name: "Contempt",
        kind: Kind::Spin { default: 0, min: -MAX_CONTEMPT, max: MAX_CONTEMPT, set: Setting::Contempt },
        purpose: "rating advantage of the engine, Elo: it avoids draws, or with a negative one seeks them",
    },
    UciOption {
        name: "AutoContempt",
        kind: Kind::Check { default: false, set: Setting::AutoContempt },
        purpose: "with Contempt 0, takes the advantage from UCI_RatingAdv, or from UCI_Opponent and OwnElo",
    },
    UciOption {
        name: "UCI_RatingAdv",
        kind: Kind::Spin { default: 0, min: -MAX_ADVANTAGE, max: MAX_ADVANTAGE, set: Setting::RatingAdvantage },
        purpose: "rating advantage of the engine as the client knows it, for AutoContempt; 0 if it does not",
    },
    UciOption {
        name: "UCI_Opponent",
        kind: Kind::Text { set: |text| Setting::Opponent(filled(text).unwrap_or_default().to_owned()) },
        purpose: "title, rating, kind and name of the opponent, for AutoContempt",
    },
    UciOption {
        name: "OwnElo",
        kind: Kind::Spin { default: 0, min: 0, max: MAX_ELO, set: Setting::OwnElo },
        purpose: "rating of the engine, for AutoContempt; 0 if that is not known",
    },
    UciOption {
        name: "ContemptSide",
        kind: Kind::Combo {
            names: || Side::NAMES.map(str::to_owned).to_vec(),
            set: |name| Side::parse(name).map(Setting::ContemptSide),
        },
        purpose: "whose the advantage is: of the side to move, but not in analysis (play), or always White's, Black's, nobody's",
    },
    UciOption {
        name: "ShowContempt",
        kind: Kind::Check { default: false, set: Setting::ShowContempt },
        purpose: "prints score and wdl with contempt; otherwise it is taken out again",
    },
    UciOption {
        name: "UCI_AnalyseMode",
        kind: Kind::Check { default: false, set: Setting::AnalyseMode },
        purpose: "every search is analysis, as 'go infinite' always is",
    },
];

fn milliseconds(value: i32) -> Setting {
    Setting::MoveOverhead(Duration::from_millis(value.unsigned_abs().into()))
}

fn eval_params(value: &str) -> Setting {
    Setting::EvalParams(path(value))
}

fn search_params(value: &str) -> Setting {
    Setting::SearchParams(path(value))
}

fn profile_names() -> Vec<String> {
    let shipped = Profiles::shipped();
    [NOMINAL, UNCORRECTED].into_iter().chain(shipped.names()).chain([FROM_FILE]).map(str::to_owned).collect()
}

fn profile(value: &str) -> Option<Setting> {
    Some(Setting::WdlProfile(value.to_owned()))
}

fn profile_file(value: &str) -> Setting {
    Setting::WdlProfileFile(path(value))
}

fn path(value: &str) -> Option<PathBuf> {
    filled(value).map(PathBuf::from)
}

/// The text, if there is any.
fn filled(value: &str) -> Option<&str> {
    (!value.is_empty() && value != EMPTY).then_some(value)
}

/// Why a `setoption` was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("no option '{0}'")]
    Unknown(String),
    /// The option needs a value.
    #[error("option {name} needs a value: {expected}")]
    Missing {
        /// The option.
        name: &'static str,
        /// Which values it takes.
        expected: String,
    },
    /// The value is malformed or out of range.
    #[error("option {name}: '{value}' is not {expected}")]
    Invalid {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// Which values it takes.
        expected: String,
    },
}

impl Kind {
    /// Which values are taken, in words.
    fn expected(&self) -> String {
        match self {
            Kind::Check { .. } => "true or false".to_owned(),
            Kind::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            Kind::Button { .. } => "empty".to_owned(),
            Kind::Text { .. } => "a text".to_owned(),
            Kind::Combo { names, .. } => format!("one of {}", names().join(", ")),
        }
    }

    /// The setting that a value makes; `None` if it takes no such value.
    fn read(&self, value: &str) -> Option<Setting> {
        match self {
            Kind::Check { set, .. } => match value.to_ascii_lowercase().as_str() {
                "true" => Some(set(true)),
                "false" => Some(set(false)),
                _ => None,
            },
            Kind::Spin { min, max, set, .. } => {
                value.parse().ok().filter(|number| (min..=max).contains(&number)).map(set)
            }
            Kind::Button { press } => Some(press.clone()),
            Kind::Text { set } => Some(set(value)),
            Kind::Combo { set, .. } => set(value),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Spin { default, min, max, .. } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Button { .. } => write!(f, "button"),
            Kind::Text { .. } => write!(f, "string default {EMPTY}"),
            Kind::Combo { names, .. } => {
                let names = names();
                write!(f, "combo default {}", names[0])?;
                names.iter().try_for_each(|name| write!(f, " var {name}"))
            }
        }
    }
}

/// Reads name (in any case) and value of a `setoption`. The value of a button is not looked at; a string without
/// value is empty.
///
/// # Errors
///
/// [`OptionError`] if there is no such option or the value is missing, malformed or out of range.
pub fn parse(name: &str, value: Option<&str>) -> Result<Setting, OptionError> {
    let option = OPTIONS
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
    let name = option.name;
    let value = match (value, &option.kind) {
        (None, Kind::Check { .. } | Kind::Spin { .. } | Kind::Combo { .. }) => {
            return Err(OptionError::Missing { name, expected: option.kind.expected() });
        }
        (value, _) => value.unwrap_or_default(),
    };
    option.kind.read(value).ok_or_else(|| OptionError::Invalid {
        name,
        value: value.to_owned(),
        expected: option.kind.expected(),
    })
}

/// The `option` lines that answer `uci`.
pub fn declarations() -> impl Iterator<Item = String> {
    OPTIONS.iter().map(|option| format!("option name {} type {}", option.name, option.kind))
}

/// A line for each option that says what it does.
pub fn descriptions() -> impl Iterator<Item = String> {
    OPTIONS.iter().map(|option| format!("  {:<16} {}", option.name, option.purpose))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_any_case() {
        assert_eq!(parse("hash", Some("64")), Ok(Setting::Hash(64)));
        assert_eq!(parse("uci_showwdl", Some("TRUE")), Ok(Setting::ShowWdl(true)));
        assert_eq!(parse("CLEAR HASH", None), Ok(Setting::ClearHash));
    }

    #[test]
    fn defaults_lie_in_their_ranges() {
        for option in &OPTIONS {
            if let Kind::Spin { default, .. } = option.kind {
                assert!(option.kind.read(&default.to_string()).is_some(), "{}", option.name);
            }
        }
    }

    #[test]
    fn bad_values_name_option_value_and_range() {
        for value in ["0", "-1", "1e3", "", "99999999999999999999999", "4 MB"] {
            let message = parse("Hash", Some(value)).unwrap_err().to_string();
            assert!(message.contains("Hash") && message.contains(&format!("'{value}'")), "{message}");
            assert!(message.contains(&format!("from 1 to {MAX_HASH_MIB}")), "{message}");
        }
        assert!(parse("Ponder", Some("maybe")).is_err());
        assert!(parse("MultiPV", None).is_err());
        assert_eq!(parse("Colour", Some("red")), Err(OptionError::Unknown("Colour".to_owned())));
    }

    #[test]
    fn profiles_are_a_choice_of_names() {
        let line = declarations().find(|line| line.contains("name WDL_Profile ")).unwrap();
        assert!(line.contains("type combo default nominal var nominal var uncorrected var "), "{line}");
        assert_eq!(parse("wdl_profile", Some("mine")), Ok(Setting::WdlProfile("mine".to_owned())));
        assert!(parse("WDL_Profile", None).unwrap_err().to_string().contains("one of nominal, "));
        assert_eq!(parse("WDL_ProfileFile", Some(EMPTY)), Ok(Setting::WdlProfileFile(None)));
        assert!(line.ends_with(" var file"), "{line}");
        assert!(parse("WDL_Elo", Some("4001")).is_err());
        assert_eq!(parse("WDL_TimeControl", Some("Blitz")), Ok(Setting::WdlTimeControl(Pace::Blitz)));
        assert!(parse("WDL_TimeControl", Some("exhibition")).is_err());
    }

    #[test]
    fn numbers_may_be_negative() {
        assert_eq!(parse("contempt", Some("-1000")), Ok(Setting::Contempt(-1000)));
        assert!(parse("Contempt", Some("-1001")).is_err());
        assert_eq!(parse("UCI_RatingAdv", Some("-350")), Ok(Setting::RatingAdvantage(-350)));
    }

    #[test]
    fn sides_are_a_choice_of_names() {
        assert_eq!(parse("ContemptSide", Some("White")), Ok(Setting::ContemptSide(Side::White)));
        let message = parse("ContemptSide", Some("both")).unwrap_err().to_string();
        assert!(message.ends_with("'both' is not one of play, white, black, off"), "{message}");
    }

    #[test]
    fn an_empty_opponent_is_none() {
        for value in [None, Some(""), Some(EMPTY)] {
            assert_eq!(parse("UCI_Opponent", value), Ok(Setting::Opponent(String::new())));
        }
    }

    #[test]
    fn an_empty_file_name_stands_for_the_weights_of_the_binary() {
        assert_eq!(parse("EvalParams", None), Ok(Setting::EvalParams(None)));
        assert_eq!(parse("EvalParams", Some(EMPTY)), Ok(Setting::EvalParams(None)));
        assert_eq!(parse("EvalParams", Some("a  b.toml")), Ok(Setting::EvalParams(Some("a  b.toml".into()))));
    }
}
