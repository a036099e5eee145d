//! The options: one table from which they are printed and `setoption` is read.

#[cfg(any(test, feature = "spsa"))]
mod constants;
mod kind;
mod setting;
mod table;

pub use setting::SetOption;

use super::error::OptionError;
use kind::{OptionKind, UciOption};
use table::OPTIONS;

/// The options of this build, without one for each constant of the search.
fn options() -> impl Iterator<Item = &'static UciOption> {
    let options = OPTIONS.iter();
    #[cfg(any(test, feature = "spsa"))]
    let options = options.chain([&table::SEARCH_PARAMS]);
    options
}

/// Reads name (in any case) and value of a `setoption`. The value of a button is ignored; a string without value is
/// empty.
///
/// # Errors
///
/// [`OptionError`] if there is no such option or the value is missing, malformed or out of range.
pub fn parse(name: &str, value: Option<&str>) -> Result<SetOption, OptionError> {
    #[cfg(any(test, feature = "spsa"))]
    if let Some(result) = constants::parse(name, value) {
        return result;
    }
    let option = options()
        .find(|option| option.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
    let name = option.name;
    let value = match (value, &option.kind) {
        (None, OptionKind::Check { .. } | OptionKind::Spin { .. } | OptionKind::Combo { .. }) => {
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
    let options = options().map(|option| format!("option name {} type {}", option.name, option.kind));
    #[cfg(any(test, feature = "spsa"))]
    let options = options.chain(constants::declarations());
    options
}

/// A line for each option that says what it does, for `help`.
pub fn descriptions() -> impl Iterator<Item = String> {
    options().map(|option| format!("  {:<16} {}", option.name, option.purpose))
}

#[cfg(test)]
mod tests {
    use super::kind::EMPTY;
    use super::*;
    use crate::printing::TimeClass;
    use crate::search::MAX_HASH_MIB;
    use crate::uci::contempt::Side;

    #[test]
    fn names_are_read_in_any_case() {
        assert_eq!(parse("hash", Some("64")), Ok(SetOption::Hash(64)));
        assert_eq!(parse("uci_showwdl", Some("TRUE")), Ok(SetOption::ShowWdl(true)));
        assert_eq!(parse("CLEAR HASH", None), Ok(SetOption::ClearHash));
    }

    #[test]
    fn show_wdl_has_a_name_without_prefix() {
        assert_eq!(parse("ShowWDL", Some("true")), parse("UCI_ShowWDL", Some("true")));
        let lines: Vec<_> = declarations().filter(|line| line.contains("ShowWDL ")).collect();
        assert_eq!(
            lines,
            ["option name UCI_ShowWDL type check default false", "option name ShowWDL type check default false"]
        );
    }

    #[test]
    fn purposes_are_short() {
        for option in options() {
            assert!(option.purpose.split_whitespace().count() <= 15, "{}", option.name);
        }
    }

    #[test]
    fn defaults_lie_in_their_ranges() {
        for option in options() {
            if let OptionKind::Spin { default, .. } = option.kind {
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
        assert_eq!(parse("wdl_profile", Some("mine")), Ok(SetOption::WdlProfile("mine".to_owned())));
        assert!(parse("WDL_Profile", None).unwrap_err().to_string().contains("one of nominal, "));
        assert_eq!(parse("WDL_ProfileFile", Some(EMPTY)), Ok(SetOption::WdlProfileFile(None)));
        assert!(line.ends_with(" var file"), "{line}");
        assert!(parse("WDL_WhiteElo", Some("10001")).is_err());
        assert_eq!(parse("WDL_TimeControl", Some("Blitz")), Ok(SetOption::WdlTimeControl(TimeClass::Blitz)));
        assert!(parse("WDL_TimeControl", Some("exhibition")).is_err());
    }

    #[test]
    fn numbers_may_be_negative() {
        assert_eq!(parse("contempt", Some("-1000")), Ok(SetOption::Contempt(-1000)));
        assert!(parse("Contempt", Some("-1001")).is_err());
        assert_eq!(parse("UCI_RatingAdv", Some("-350")), Ok(SetOption::RatingAdvantage(-350)));
    }

    #[test]
    fn sides_are_a_choice_of_names() {
        assert_eq!(parse("ContemptSide", Some("White")), Ok(SetOption::ContemptSide(Side::White)));
        let message = parse("ContemptSide", Some("both")).unwrap_err().to_string();
        assert!(message.ends_with("'both' is not one of play, white, black, off"), "{message}");
    }

    #[test]
    fn an_empty_opponent_is_none() {
        for value in [None, Some(""), Some(EMPTY)] {
            assert_eq!(parse("UCI_Opponent", value), Ok(SetOption::Opponent(String::new())));
        }
    }

    #[test]
    fn an_empty_file_name_stands_for_the_weights_of_the_binary() {
        assert_eq!(parse("EvalParams", None), Ok(SetOption::EvalParams(None)));
        assert_eq!(parse("EvalParams", Some(EMPTY)), Ok(SetOption::EvalParams(None)));
        assert_eq!(parse("EvalParams", Some("a  b.toml")), Ok(SetOption::EvalParams(Some("a  b.toml".into()))));
    }
}
