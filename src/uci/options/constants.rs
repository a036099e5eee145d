//! The constants of the search as UCI options, for tuners: only in a build with the feature `spsa`.

use super::super::error::OptionError;
use super::setting::SetOption;
use crate::params::{Number, NumberTable};
use crate::search::SearchParams;

/// The `option` lines: whole numbers are spins, others strings.
pub fn declarations() -> impl Iterator<Item = String> {
    SearchParams::NUMBERS.iter().map(|number| {
        let Number { name, default, min, max, whole, .. } = number;
        match whole {
            true => format!("option name {name} type spin default {default} min {min} max {max}"),
            false => format!("option name {name} type string default {default}"),
        }
    })
}

/// Reads the value of a constant; `None` if there is none of this name.
pub fn parse(name: &str, value: Option<&str>) -> Option<Result<SetOption, OptionError>> {
    let index = SearchParams::NUMBERS.iter().position(|number| number.name.eq_ignore_ascii_case(name))?;
    let Number { name, min, max, whole, .. } = SearchParams::NUMBERS[index];
    let expected = || format!("a {} from {min} to {max}", if whole { "whole number" } else { "number" });
    let Some(value) = value else { return Some(Err(OptionError::Missing { name, expected: expected() })) };
    let checked = value.parse().ok().filter(|&number| SearchParams::default().set_checked(name, number).is_ok());
    let invalid = || OptionError::Invalid { name, value: value.to_owned(), expected: expected() };
    Some(checked.map(|number| SetOption::SearchConstant(index, number)).ok_or_else(invalid))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constant_is_declared_and_takes_its_default() {
        assert_eq!(declarations().count(), SearchParams::NUMBERS.len());
        let lines: Vec<_> = declarations().collect();
        assert!(lines.contains(&"option name futility_depth type spin default 12 min 0 max 20".to_owned()));
        assert!(lines.contains(&"option name time_hard type string default 3".to_owned()));
        for (index, number) in SearchParams::NUMBERS.iter().enumerate() {
            let setting = parse(number.name, Some(&number.default.to_string()));
            assert_eq!(setting, Some(Ok(SetOption::SearchConstant(index, number.default))));
        }
    }

    #[test]
    fn values_are_checked() {
        let refusal = |name, value| parse(name, value).unwrap().unwrap_err().to_string();
        assert_eq!(
            refusal("FUTILITY_DEPTH", Some("21")),
            "option futility_depth: '21' is not a whole number from 0 to 20"
        );
        assert_eq!(
            refusal("futility_depth", Some("2.5")),
            "option futility_depth: '2.5' is not a whole number from 0 to 20"
        );
        assert_eq!(refusal("time_hard", Some("NaN")), "option time_hard: 'NaN' is not a number from 1 to 10");
        assert_eq!(refusal("time_hard", None), "option time_hard needs a value: a number from 1 to 10");
        assert_eq!(parse("Hash", Some("16")), None);
    }
}
