//! The kinds of options.

use super::setting::SetOption;
use std::fmt;

/// How the protocol writes an empty string.
pub const EMPTY: &str = "<empty>";

/// The type of an option: its default, its range, and what to do with a value.
pub enum OptionKind {
    /// True or false.
    Check { default: bool, set: fn(bool) -> SetOption },
    /// A whole number.
    Spin { default: i32, min: i32, max: i32, set: fn(i32) -> SetOption },
    /// An action.
    Button { press: SetOption },
    /// A text, empty by default.
    Text { set: fn(&str) -> SetOption },
    /// One of several names, the first by default. `set` may accept other names, since files can add some.
    Combo { names: fn() -> Vec<String>, set: fn(&str) -> Option<SetOption> },
}

/// An option as the client sees it.
pub struct UciOption {
    pub name: &'static str,
    pub kind: OptionKind,
    /// What it does, in at most fifteen words, for `help`.
    pub purpose: &'static str,
}

impl OptionKind {
    /// The values that it accepts, in words.
    pub fn expected(&self) -> String {
        match self {
            OptionKind::Check { .. } => "true or false".to_owned(),
            OptionKind::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            OptionKind::Button { .. } => "empty".to_owned(),
            OptionKind::Text { .. } => "a text".to_owned(),
            OptionKind::Combo { names, .. } => format!("one of {}", names().join(", ")),
        }
    }

    /// The option with this value; `None` if the value is not accepted.
    pub fn read(&self, value: &str) -> Option<SetOption> {
        match self {
            OptionKind::Check { set, .. } => match value.to_ascii_lowercase().as_str() {
                "true" => Some(set(true)),
                "false" => Some(set(false)),
                _ => None,
            },
            OptionKind::Spin { min, max, set, .. } => {
                value.parse().ok().filter(|number| (min..=max).contains(&number)).map(set)
            }
            OptionKind::Button { press } => Some(press.clone()),
            OptionKind::Text { set } => Some(set(value)),
            OptionKind::Combo { set, .. } => set(value),
        }
    }
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Check { default, .. } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max, .. } => write!(f, "spin default {default} min {min} max {max}"),
            OptionKind::Button { .. } => write!(f, "button"),
            OptionKind::Text { .. } => write!(f, "string default {EMPTY}"),
            OptionKind::Combo { names, .. } => {
                let names = names();
                write!(f, "combo default {}", names[0])?;
                names.iter().try_for_each(|name| write!(f, " var {name}"))
            }
        }
    }
}
