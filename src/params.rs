//! Parameter files: one reader for all of them, and tables that declare each number once.
//!
//! [`number_table!`](crate::number_table) makes a struct of numbers; name, default, range, step, unit and meaning stand
//! on one entry. From the entry come the field, its default, the reading with its checks, and [`NumberTable::NUMBERS`]
//! for documentation, tuners and UCI options. [`read`] takes any type with [`Parameters`] from TOML text; its error
//! names file, line and parameter.
//!
//! ```
//! use halfpoint::number_table;
//! use halfpoint::params::{self, NumberTable};
//!
//! number_table! {
//!     /// Margins of a small search.
//!     pub struct Margins {
//!         /// Futility margin for each ply.
//!         futility: i32 = 120, 0..=1000, step 10, "centipawns of wilo";
//!     }
//! }
//!
//! let margins: Margins = params::read("margins.toml", "futility = 90").unwrap();
//! assert_eq!((margins.futility, Margins::default().futility), (90, 120));
//! assert_eq!(Margins::NUMBERS[0].unit, "centipawns of wilo");
//! let error = params::read::<Margins>("margins.toml", "\nfutility = 5000").unwrap_err();
//! assert_eq!(error.to_string(), "margins.toml, line 2: futility = 5000 is not from 0 to 1000");
//! ```

#[cfg(feature = "cli")]
use crate::files;
#[cfg(feature = "cli")]
use std::fmt::Display;
use std::fmt::Write as _;
use std::ops::Range;
#[cfg(feature = "cli")]
use std::path::Path;
use thiserror::Error;
pub use toml::Spanned;
pub use toml::de::{DeTable, DeValue};

/// Largest parameter file that is read, in bytes.
#[cfg(feature = "cli")]
pub const MAX_FILE_BYTES: u64 = 4 << 20;

/// What is wrong with a parameter file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields of errors say what they are")]
pub enum ParamsError {
    /// It cannot be read.
    #[error("{file}: {reason}")]
    Unreadable { file: String, reason: String },
    /// Something in it is wrong.
    #[error("{file}, line {line}: {reason}")]
    Content { file: String, line: usize, reason: String },
}

/// What is wrong, and at which bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Bytes of the text.
    pub span: Range<usize>,
    /// What is wrong, with the name of the parameter.
    pub reason: String,
}

impl Fault {
    /// A fault at a place of the text.
    pub fn new(span: Range<usize>, reason: impl Into<String>) -> Fault {
        Fault { span, reason: reason.into() }
    }
}

/// A type that is read from a parameter file.
pub trait Parameters: Sized {
    /// Takes the values from the parsed text.
    ///
    /// # Errors
    ///
    /// A [`Fault`] with the place of the first value that is wrong.
    fn from_document(document: &Spanned<DeTable<'_>>) -> Result<Self, Fault>;
}

/// Reads parameters from TOML text; `file` is its name in messages.
///
/// # Errors
///
/// [`ParamsError::Content`] with the line.
pub fn read<T: Parameters>(file: &str, text: &str) -> Result<T, ParamsError> {
    let parsed = DeTable::parse(text).map_err(|error| {
        let reason = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
        Fault::new(error.span().unwrap_or(0..0), reason)
    });
    parsed.and_then(|document| T::from_document(&document)).map_err(|Fault { span, reason }| {
        let line = 1 + text.bytes().take(span.start).filter(|&byte| byte == b'\n').count();
        ParamsError::Content { file: file.to_owned(), line, reason }
    })
}

/// Reads parameters from a file; see [`read_text`] for which files are read.
///
/// # Errors
///
/// [`ParamsError`] if the file cannot be read or something in it is wrong.
#[cfg(feature = "cli")]
pub fn read_file<T: Parameters>(path: &Path) -> Result<T, ParamsError> {
    read(&path.display().to_string(), &read_text(path)?)
}

/// The text of a regular file of at most [`MAX_FILE_BYTES`].
///
/// # Errors
///
/// [`ParamsError::Unreadable`] if it is no regular file, is too large, cannot be read, or is not UTF-8.
#[cfg(feature = "cli")]
pub fn read_text(path: &Path) -> Result<String, ParamsError> {
    files::read_text(path, MAX_FILE_BYTES).map_err(|reason| unreadable(path, reason))
}

/// The bytes of a regular file of at most [`MAX_FILE_BYTES`].
///
/// # Errors
///
/// [`ParamsError::Unreadable`] if it is no regular file, is too large, or cannot be read.
#[cfg(feature = "cli")]
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, ParamsError> {
    files::read(path, MAX_FILE_BYTES).map_err(|reason| unreadable(path, reason))
}

/// That a file cannot be read, or not as what it should be.
#[cfg(feature = "cli")]
pub fn unreadable(path: &Path, reason: impl Display) -> ParamsError {
    ParamsError::Unreadable { file: path.display().to_string(), reason: reason.to_string() }
}

/// The declaration of one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// Name in the file and of the field.
    pub name: &'static str,
    /// Value unless a file says otherwise.
    pub default: f64,
    /// Least value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// First step of a tuner; 0 if it leaves the number alone.
    pub step: f64,
    /// Whether only whole numbers are allowed.
    pub whole: bool,
    /// Unit, such as `plies`.
    pub unit: &'static str,
    /// What it does, one or two lines.
    pub meaning: &'static str,
}

impl Number {
    /// A value as it stands in a file: without a point where only whole numbers are allowed.
    fn text(&self, value: f64) -> String {
        if self.whole { format!("{value}") } else { format!("{value:?}") }
    }
}

/// A type that a number of a table can have.
pub trait NumberValue: Copy {
    /// Whether it holds only whole numbers.
    const WHOLE: bool;
    /// From a value in range.
    fn from_f64(value: f64) -> Self;
    /// The value.
    fn to_f64(self) -> f64;
}

impl NumberValue for i32 {
    const WHOLE: bool = true;
    fn from_f64(value: f64) -> i32 {
        value as i32
    }
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}

impl NumberValue for f64 {
    const WHOLE: bool = false;
    fn from_f64(value: f64) -> f64 {
        value
    }
    fn to_f64(self) -> f64 {
        self
    }
}

/// A struct of numbers, made by [`number_table!`](crate::number_table).
pub trait NumberTable: Clone + Default {
    /// The declarations, in their order.
    const NUMBERS: &'static [Number];
    /// Names that were replaced: old, new.
    const RENAMED: &'static [(&'static str, &'static str)];
    /// The numbers unless a file says otherwise.
    const DEFAULT: Self;

    /// The value of the number at this place of [`NumberTable::NUMBERS`].
    fn get(&self, index: usize) -> f64;

    /// Sets the number at this place, unchecked.
    fn set(&mut self, index: usize, value: f64);

    /// Place of a name.
    #[must_use]
    fn index(name: &str) -> Option<usize> {
        Self::NUMBERS.iter().position(|number| number.name == name)
    }

    /// Sets a number by its name. Values must be finite, in range, and whole where the number is.
    ///
    /// # Errors
    ///
    /// What is wrong, with the name.
    fn set_checked(&mut self, name: &str, value: f64) -> Result<(), String> {
        let Some(index) = Self::index(name) else {
            return Err(match Self::RENAMED.iter().find(|(old, _)| *old == name) {
                Some((_, new)) => format!("'{name}' is now called '{new}'"),
                None => format!("unknown name '{name}'"),
            });
        };
        let number = &Self::NUMBERS[index];
        if number.whole && value.fract() != 0.0 {
            return Err(format!("{name} = {value} is not a whole number"));
        }
        if !(number.min..=number.max).contains(&value) {
            return Err(format!("{name} = {value} is not from {} to {}", number.min, number.max));
        }
        self.set(index, value);
        Ok(())
    }
}

impl<T: NumberTable> Parameters for T {
    /// Missing names keep their defaults.
    fn from_document(document: &Spanned<DeTable<'_>>) -> Result<T, Fault> {
        let mut table = T::default();
        for (name, value) in document.get_ref() {
            set_number(&mut table, name.get_ref(), value)?;
        }
        Ok(table)
    }
}

/// Sets a number of a table from the entry of a file.
///
/// # Errors
///
/// A [`Fault`] for an unknown name, a value that is no number, and a value out of range.
pub fn set_number<T: NumberTable>(table: &mut T, name: &str, value: &Spanned<DeValue<'_>>) -> Result<(), Fault> {
    let fault = |reason| Fault::new(value.span(), reason);
    let number = match value.get_ref() {
        DeValue::Integer(integer) => {
            i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|integer| integer as f64)
        }
        DeValue::Float(float) => float.as_str().parse().ok(),
        _ => None,
    };
    let number = number.ok_or_else(|| fault(format!("{name} is not a number")))?;
    table.set_checked(name, number).map_err(fault)
}

/// The numbers of a table as the text of a parameter file, each with its meaning, unit and range. [`read`] takes it back.
#[must_use]
pub fn to_toml<T: NumberTable>(table: &T) -> String {
    let mut text = String::new();
    for (index, number) in T::NUMBERS.iter().enumerate() {
        let (min, max, value) = (number.text(number.min), number.text(number.max), number.text(table.get(index)));
        let Number { name, unit, meaning, .. } = number;
        let _ = writeln!(text, "# {meaning}\n# Unit: {unit}; {min} to {max}.\n{name} = {value}\n");
    }
    text.truncate(text.trim_end().len());
    text
}

/// The numbers of a table for a tuner: a header, then a line of comma-separated values for each. A step of 0 says that the
/// number is to be left alone.
#[must_use]
pub fn to_csv<T: NumberTable>(table: &T) -> String {
    let mut text = "name,type,default,min,max,step".to_owned();
    for (index, number) in T::NUMBERS.iter().enumerate() {
        let kind = if number.whole { "int" } else { "float" };
        let [value, min, max, step] =
            [table.get(index), number.min, number.max, number.step].map(|value| number.text(value));
        let _ = write!(text, "\n{},{kind},{value},{min},{max},{step}", number.name);
    }
    text
}

/// Learning rate of the inputs of [`to_openbench`], the usual one of OpenBench.
const OPENBENCH_RATE: f64 = 0.002;

/// The numbers of a table that have a step, as SPSA inputs of OpenBench: a line for each with name, type, value, least and
/// largest value, last step and last learning rate.
#[must_use]
pub fn to_openbench<T: NumberTable>(table: &T) -> String {
    let lines = T::NUMBERS.iter().enumerate().filter(|(_, number)| number.step > 0.0).map(|(index, number)| {
        let kind = if number.whole { "int" } else { "float" };
        let [value, min, max, step] =
            [table.get(index), number.min, number.max, number.step].map(|value| number.text(value));
        format!("{}, {kind}, {value}, {min}, {max}, {step}, {OPENBENCH_RATE}", number.name)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Declares a struct of numbers with all that is known of each: `name: type = default, range, step S, "unit";`, its
/// meaning in the lines of documentation before it. See [`params`](crate::params). After the struct may follow names
/// that were replaced: `renamed { old => new; }`.
#[macro_export]
macro_rules! number_table {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $table:ident {
            $(
                $(#[doc = $meaning:literal])+
                $name:ident: $kind:ty = $default:expr, $range:expr, step $step:expr, $unit:literal;
            )+
        }
        $(renamed { $($old:literal => $new:ident;)+ })?
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq)]
        $visibility struct $table {
            $(
                $(#[doc = $meaning])+
                #[doc = concat!("Unit: ", $unit, ".")]
                pub $name: $kind,
            )+
        }

        impl Default for $table {
            fn default() -> $table {
                <$table as $crate::params::NumberTable>::DEFAULT
            }
        }

        impl $crate::params::NumberTable for $table {
            const NUMBERS: &'static [$crate::params::Number] = &[$(
                $crate::params::Number {
                    name: stringify!($name),
                    default: $default as f64,
                    min: *($range).start() as f64,
                    max: *($range).end() as f64,
                    step: $step as f64,
                    whole: <$kind as $crate::params::NumberValue>::WHOLE,
                    unit: $unit,
                    meaning: concat!($($meaning),+).trim_ascii(),
                },
            )+];
            const RENAMED: &'static [(&'static str, &'static str)] = &[$($(($old, stringify!($new)),)+)?];
            const DEFAULT: $table = $table { $($name: $default),+ };

            fn get(&self, index: usize) -> f64 {
                let values = [$($crate::params::NumberValue::to_f64(self.$name)),+];
                values[index]
            }

            fn set(&mut self, index: usize, value: f64) {
                let mut place = 0..;
                $(
                    if place.next() == Some(index) {
                        self.$name = $crate::params::NumberValue::from_f64(value);
                    }
                )+
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    number_table! {
        /// Two numbers.
        struct Pair {
            /// A count
            /// of things.
            count: i32 = 3, 1..=9, step 1, "plies";
            /// A factor.
            factor: f64 = 0.5, 0.0..=1.0, step 0.1, "share";
        }
        renamed { "number" => count; }
    }

    fn refusal(text: &str) -> String {
        read::<Pair>("pair.toml", text).unwrap_err().to_string()
    }

    #[test]
    fn missing_names_keep_their_defaults() {
        assert_eq!(read("pair.toml", "factor = 1"), Ok(Pair { count: 3, factor: 1.0 }));
        assert_eq!(read("pair.toml", ""), Ok(Pair::default()));
    }

    #[test]
    fn errors_name_file_line_parameter_and_range() {
        for (text, reason) in [
            ("# pair\ncount = 10", "pair.toml, line 2: count = 10 is not from 1 to 9"),
            ("count = 2.5", "pair.toml, line 1: count = 2.5 is not a whole number"),
            ("factor = nan", "pair.toml, line 1: factor = NaN is not from 0 to 1"),
            ("factor = -inf", "pair.toml, line 1: factor = -inf is not from 0 to 1"),
            ("count = \"3\"", "pair.toml, line 1: count is not a number"),
            ("count = 1\nnumber = 3", "pair.toml, line 2: 'number' is now called 'count'"),
            ("nonsense = 3", "pair.toml, line 1: unknown name 'nonsense'"),
        ] {
            assert_eq!(refusal(text), reason);
        }
        assert!(refusal("count = 3\ncount = 4").starts_with("pair.toml, line 2: "));
        assert!(refusal("count = 3\n\nfactor 4").starts_with("pair.toml, line 3: "));
    }

    #[test]
    fn declarations_say_all_there_is_to_know() {
        let [count, factor] = Pair::NUMBERS else { panic!("two numbers") };
        assert_eq!((count.meaning, count.unit, count.whole), ("A count of things.", "plies", true));
        assert_eq!((factor.min, factor.max, factor.step, factor.whole), (0.0, 1.0, 0.1, false));
        let mut pair = Pair::default();
        pair.set(1, 0.25);
        assert_eq!((pair.get(0), pair.get(1)), (3.0, 0.25));
    }

    #[test]
    fn a_printed_table_says_all_and_is_read_back() {
        let pair = Pair { count: 4, factor: 1.0 };
        let text = to_toml(&pair);
        let expected = "# A count of things.\n# Unit: plies; 1 to 9.\ncount = 4\n\n\
                        # A factor.\n# Unit: share; 0.0 to 1.0.\nfactor = 1.0";
        assert_eq!(text, expected);
        assert_eq!(read("pair.toml", &text), Ok(pair.clone()));
        let expected = "name,type,default,min,max,step\ncount,int,4,1,9,1\nfactor,float,1.0,0.0,1.0,0.1";
        assert_eq!(to_csv(&pair), expected);
        let expected = "count, int, 4, 1, 9, 1, 0.002\nfactor, float, 1.0, 0.0, 1.0, 0.1, 0.002";
        assert_eq!(to_openbench(&pair), expected);
    }

    #[cfg(feature = "cli")]
    #[test]
    fn only_regular_files_of_some_size_are_read() {
        let error = read_file::<Pair>(Path::new("/")).unwrap_err().to_string();
        assert_eq!(error, "/: not a regular file");
        assert!(read_file::<Pair>(Path::new("no such file")).unwrap_err().to_string().starts_with("no such file: "));
    }
}
